//! Units: what stands on each lifeline, as modules in modules.
//!
//! The whole diagram on a lifeline is a unit, a combined fragment on it a compound (CEU), an operand of that a unit again (EU;
//! section III-B of P0). In a coregion of the lifeline nothing is ordered: there each occurrence is a unit of its own.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{Kind, LineId, NodeId, OccurrenceId, Order, Shape, Tree};

/// Where a module is found: on a lifeline, and there by the names of the instances around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Path {
    pub line: LineId,
    /// `par1`, `op2`; empty for the lifeline.
    pub names: Vec<String>,
}

impl Path {
    /// How it is found from its lifeline: `.par1.op2`.
    pub fn inner(&self) -> String {
        self.names.iter().map(|name| format!(".{name}")).collect()
    }

    pub fn inside(&self, name: &str) -> Path {
        let names = self.names.iter().map(String::as_str).chain([name]).map(str::to_owned).collect();
        Path { line: self.line, names }
    }
}

/// An operand on a lifeline, or the lifeline itself, or one occurrence in a coregion.
pub struct Unit {
    pub operand: NodeId,
    pub path: Path,
    /// The name of its instance.
    pub name: String,
    pub items: Vec<Item>,
    /// Nothing in it is ordered.
    pub is_free: bool,
}

/// What stands in a unit.
pub enum Item {
    Occurrence(OccurrenceId),
    /// One of a coregion.
    Single(Unit),
    Compound(Compound),
    /// Where several lifelines meet.
    Meeting(NodeId),
}

/// A combined fragment on a lifeline.
pub struct Compound {
    pub fragment: NodeId,
    pub path: Path,
    pub name: String,
    pub shape: Shape,
    /// Operands by their numbers from 1 on.
    pub units: Vec<(usize, Unit)>,
    /// Nothing in it is ordered.
    pub is_free: bool,
}

/// Everything that is found on lifelines.
pub struct Plan<'t> {
    pub tree: &'t Tree,
    /// The lifelines on which something happens.
    pub lines: Vec<Unit>,
    /// For each occurrence its unit, with the occurrences that are at it or behind it there.
    pub done: BTreeMap<OccurrenceId, (Path, Vec<OccurrenceId>)>,
    /// For each fragment where it is found on its lifelines.
    pub compounds: BTreeMap<NodeId, Vec<Path>>,
    /// For each operand the same.
    pub operands: BTreeMap<NodeId, Vec<Path>>,
    /// For each meeting the units that hold it.
    pub meetings: BTreeMap<NodeId, Vec<Path>>,
}

impl<'t> Plan<'t> {
    /// The units of a tree; occurrences have names.
    pub fn new(tree: &'t Tree, names: &IdVec<OccurrenceId, String>) -> Self {
        let mut plan = Plan {
            tree,
            lines: Vec::new(),
            done: BTreeMap::new(),
            compounds: BTreeMap::new(),
            operands: BTreeMap::new(),
            meetings: BTreeMap::new(),
        };
        for line in tree.lines.ids() {
            let path = Path { line, names: Vec::new() };
            let unit = plan.unit(tree.root, path, String::new(), false, names);
            plan.lines.extend(unit);
        }
        plan
    }

    fn unit(
        &mut self,
        operand: NodeId,
        path: Path,
        name: String,
        is_free: bool,
        names: &IdVec<OccurrenceId, String>,
    ) -> Option<Unit> {
        let tree = self.tree;
        let mut items = Vec::new();
        for item in tree.children(operand).iter().filter(|item| tree.is_live(**item)) {
            match &tree.nodes[*item].kind {
                Kind::Message(..) | Kind::Stop(_) => {
                    let own = tree.ends(*item).into_iter();
                    for end in own.filter(|end| tree.occurrences[*end].line == path.line) {
                        items.push(match is_free {
                            false => Item::Occurrence(end),
                            true => {
                                let (name, path) = (names[end].clone(), path.inside(&names[end]));
                                let items = vec![Item::Occurrence(end)];
                                self.remember(&path, &items);
                                Item::Single(Unit { operand, path, name, items, is_free: false })
                            }
                        });
                    }
                }
                Kind::Fragment(_) => {
                    items.extend(self.compound(*item, &path, is_free, names).map(Item::Compound))
                }
                Kind::Meeting(lines) => {
                    let lines: BTreeSet<LineId> = lines.iter().copied().collect();
                    if lines.len() > 1 && lines.contains(&path.line) {
                        self.meetings.entry(*item).or_default().push(path.clone());
                        items.push(Item::Meeting(*item));
                    }
                }
                Kind::Operand(_) => {}
            }
        }
        if items.is_empty() {
            return None;
        }
        self.operands.entry(operand).or_default().push(path.clone());
        self.remember(&path, &items);
        Some(Unit { operand, path, name, items, is_free })
    }

    fn remember(&mut self, path: &Path, items: &[Item]) {
        let own: Vec<OccurrenceId> = occurrences(items);
        for (at, one) in own.iter().enumerate() {
            self.done.insert(*one, (path.clone(), own[at..].to_vec()));
        }
    }

    fn compound(
        &mut self,
        fragment: NodeId,
        around: &Path,
        is_free: bool,
        names: &IdVec<OccurrenceId, String>,
    ) -> Option<Compound> {
        let tree = self.tree;
        let own = tree.fragment(fragment)?;
        let name = own.name.replace(' ', "");
        let path = around.inside(&name);
        let is_free = is_free || own.shape == Shape::Coregion(path.line);
        let mut units = Vec::new();
        for (number, operand) in (1..).zip(&own.operands).filter(|(_, operand)| tree.is_live(**operand)) {
            let name = format!("op{number}");
            let unit = self.unit(*operand, path.inside(&name), name, is_free, names);
            units.extend(unit.map(|unit| (number, unit)));
        }
        if units.is_empty() {
            return None;
        }
        self.compounds.entry(fragment).or_default().push(path.clone());
        Some(Compound { fragment, path, name, shape: own.shape, units, is_free })
    }

    /// Whether two parts may happen beside each other on a lifeline.
    pub fn is_beside(&self, one: NodeId, other: NodeId, line: LineId) -> bool {
        let tree = self.tree;
        let around = |node: NodeId| -> Vec<NodeId> {
            let mut all = vec![node];
            while let Some(parent) = tree.nodes[all[all.len() - 1]].parent {
                all.push(parent);
            }
            all
        };
        let (one, other) = (around(one), around(other));
        let Some(common) = one.iter().position(|node| other.contains(node)) else { return false };
        let is_side = tree.fragment(one[common]).is_some_and(|own| own.shape.order() == Order::Beside);
        let is_coregion =
            |node: &NodeId| tree.fragment(*node).is_some_and(|own| own.shape == Shape::Coregion(line));
        is_side || one[common..].iter().any(is_coregion)
    }
}

/// The occurrences directly among some items.
pub fn occurrences(items: &[Item]) -> Vec<OccurrenceId> {
    let own = items.iter().filter_map(|item| match item {
        Item::Occurrence(one) => Some(*one),
        Item::Single(_) | Item::Compound(_) | Item::Meeting(_) => None,
    });
    own.collect()
}
