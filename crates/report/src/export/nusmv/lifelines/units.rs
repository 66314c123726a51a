//! Units: what stands on each lifeline, as modules in modules.
//!
//! The whole diagram on a lifeline is a unit, a combined fragment on it a compound (CEU), an operand of that a unit again (EU;
//! section III-B of P0). In a coregion of the lifeline nothing is ordered: there each occurrence is a unit of its own.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, TemplateNodeKind, TemplateTree,
};

/// Where a module is found: on a lifeline, and there by the names of the instances around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ModulePath {
    pub line: LineId,
    /// `par1`, `op2`; empty for the lifeline.
    pub names: Vec<String>,
}

impl ModulePath {
    /// How it is found from its lifeline: `.par1.op2`.
    pub(crate) fn inner(&self) -> String {
        self.names.iter().map(|name| format!(".{name}")).collect()
    }

    pub(crate) fn inside(&self, name: &str) -> ModulePath {
        let names = self.names.iter().map(String::as_str).chain([name]).map(str::to_owned).collect();
        ModulePath { line: self.line, names }
    }
}

/// An operand on a lifeline, or the lifeline itself, or one occurrence in a coregion.
pub(crate) struct LifelineUnit {
    pub operand: NodeId,
    pub path: ModulePath,
    /// The name of its instance.
    pub name: String,
    pub items: Vec<UnitItem>,
    /// Nothing in it is ordered.
    pub is_free: bool,
}

/// What stands in a unit.
pub(crate) enum UnitItem {
    Occurrence(OccurrenceId),
    /// One of a coregion.
    Single(LifelineUnit),
    Compound(LifelineFragment),
    /// Where several lifelines meet.
    Meeting(NodeId),
}

/// A combined fragment on a lifeline.
pub(crate) struct LifelineFragment {
    pub fragment: NodeId,
    pub path: ModulePath,
    pub name: String,
    pub shape: OperandComposition,
    /// Operands by their numbers from 1 on.
    pub units: Vec<(usize, LifelineUnit)>,
    /// Nothing in it is ordered.
    pub is_free: bool,
}

/// Everything that is found on lifelines.
pub(crate) struct UnitPlan<'t> {
    pub tree: &'t TemplateTree,
    /// The lifelines on which something happens.
    pub lines: Vec<LifelineUnit>,
    /// For each occurrence its unit, with the occurrences that are at it or behind it there.
    pub done: BTreeMap<OccurrenceId, (ModulePath, Vec<OccurrenceId>)>,
    /// For each fragment where it is found on its lifelines.
    pub compounds: BTreeMap<NodeId, Vec<ModulePath>>,
    /// For each operand the same.
    pub operands: BTreeMap<NodeId, Vec<ModulePath>>,
    /// For each meeting the units that hold it.
    pub meetings: BTreeMap<NodeId, Vec<ModulePath>>,
}

impl<'t> UnitPlan<'t> {
    /// The units of a tree; occurrences have names.
    pub(crate) fn new(tree: &'t TemplateTree, names: &IdVec<OccurrenceId, String>) -> Self {
        let mut plan = UnitPlan {
            tree,
            lines: Vec::new(),
            done: BTreeMap::new(),
            compounds: BTreeMap::new(),
            operands: BTreeMap::new(),
            meetings: BTreeMap::new(),
        };
        for line in tree.lines.ids() {
            let path = ModulePath { line, names: Vec::new() };
            let unit = plan.unit(tree.root, path, String::new(), false, names);
            plan.lines.extend(unit);
        }
        plan
    }

    fn unit(
        &mut self,
        operand: NodeId,
        path: ModulePath,
        name: String,
        is_free: bool,
        names: &IdVec<OccurrenceId, String>,
    ) -> Option<LifelineUnit> {
        let tree = self.tree;
        let mut items = Vec::new();
        for item in tree.children(operand).iter().filter(|item| tree.is_live(**item)) {
            match &tree.nodes[*item].kind {
                TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                    let own = tree.ends(*item).into_iter();
                    for end in own.filter(|end| tree.occurrences[*end].line == path.line) {
                        items.push(match is_free {
                            false => UnitItem::Occurrence(end),
                            true => {
                                let (name, path) = (names[end].clone(), path.inside(&names[end]));
                                let items = vec![UnitItem::Occurrence(end)];
                                self.remember(&path, &items);
                                UnitItem::Single(LifelineUnit { operand, path, name, items, is_free: false })
                            }
                        });
                    }
                }
                TemplateNodeKind::Fragment(_) => {
                    items.extend(self.compound(*item, &path, is_free, names).map(UnitItem::Compound))
                }
                TemplateNodeKind::Meeting(lines) => {
                    let lines: BTreeSet<LineId> = lines.iter().copied().collect();
                    if lines.len() > 1 && lines.contains(&path.line) {
                        self.meetings.entry(*item).or_default().push(path.clone());
                        items.push(UnitItem::Meeting(*item));
                    }
                }
                TemplateNodeKind::Operand(_) => {}
            }
        }
        if items.is_empty() {
            return None;
        }
        self.operands.entry(operand).or_default().push(path.clone());
        self.remember(&path, &items);
        Some(LifelineUnit { operand, path, name, items, is_free })
    }

    fn remember(&mut self, path: &ModulePath, items: &[UnitItem]) {
        let own: Vec<OccurrenceId> = occurrences(items);
        for (at, one) in own.iter().enumerate() {
            self.done.insert(*one, (path.clone(), own[at..].to_vec()));
        }
    }

    fn compound(
        &mut self,
        fragment: NodeId,
        around: &ModulePath,
        is_free: bool,
        names: &IdVec<OccurrenceId, String>,
    ) -> Option<LifelineFragment> {
        let tree = self.tree;
        let own = tree.fragment(fragment)?;
        let name = own.name.replace(' ', "");
        let path = around.inside(&name);
        let is_free = is_free || own.shape == OperandComposition::Coregion(path.line);
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
        Some(LifelineFragment { fragment, path, name, shape: own.shape, units, is_free })
    }

    /// Whether two parts may happen beside each other on a lifeline.
    pub(crate) fn is_beside(&self, one: NodeId, other: NodeId, line: LineId) -> bool {
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
        let is_side = tree.fragment(one[common]).is_some_and(|own| own.shape.order() == OperandOrder::Beside);
        let is_coregion = |node: &NodeId| {
            tree.fragment(*node).is_some_and(|own| own.shape == OperandComposition::Coregion(line))
        };
        is_side || one[common..].iter().any(is_coregion)
    }
}

/// The occurrences directly among some items.
pub(crate) fn occurrences(items: &[UnitItem]) -> Vec<OccurrenceId> {
    let own = items.iter().filter_map(|item| match item {
        UnitItem::Occurrence(one) => Some(*one),
        UnitItem::Single(_) | UnitItem::Compound(_) | UnitItem::Meeting(_) => None,
    });
    own.collect()
}
