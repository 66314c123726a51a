//! What occurrences wait for besides what is drawn above them on their lifelines: conditions over what has happened.
//!
//! | rule | what must be |
//! |---|---|
//! | strict sequences, `joined=strictly` | all of what comes first is over |
//! | `critical` beside something else | nothing outside happens while the region is open |
//! | `assert` beside something else | the same, from when what precedes it has happened |
//! | general orderings | the earlier one is over |
//! | `calls=blocking` | no caller waits for a reply |
//! | `first=on` | the occurrence right below a guard has happened |
//! | state invariants | all lifelines that meet there have come |

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::templates::{
    Condition, Kind, LineId, NodeId, OccurrenceId, Order, Requirement, RigidId, Shape, Tree,
};

use super::super::system::comment;
use super::Names;

/// Conditions, each a macro.
pub struct Guards {
    /// The macros.
    pub text: String,
    /// Occurrences that conditions speak of.
    pub remembered: BTreeSet<OccurrenceId>,
    /// What each occurrence waits for.
    pub waits: BTreeMap<OccurrenceId, Vec<String>>,
    /// What lifelines wait for that meet.
    pub meetings: BTreeMap<NodeId, String>,
}

/// A region that keeps others off a lifeline.
struct Region {
    node: NodeId,
    line: LineId,
    inside: Vec<OccurrenceId>,
    is_open: String,
}

struct Writer<'t> {
    tree: &'t Tree,
    lines: &'t IdVec<LineId, String>,
    words: &'t IdVec<RigidId, String>,
    names: &'t mut Names,
    made: BTreeMap<String, String>,
    guards: Guards,
}

impl Guards {
    /// The conditions of a diagram.
    pub fn new(
        tree: &Tree,
        lines: &IdVec<LineId, String>,
        words: &IdVec<RigidId, String>,
        guarded_first: bool,
        names: &mut Names,
    ) -> Guards {
        let guards = Guards {
            text: String::new(),
            remembered: BTreeSet::new(),
            waits: BTreeMap::new(),
            meetings: BTreeMap::new(),
        };
        let mut writer = Writer { tree, lines, words, names, made: BTreeMap::new(), guards };
        writer.barriers();
        writer.regions();
        writer.pairs();
        if guarded_first {
            writer.firsts();
        }
        writer.guards
    }
}

/// A condition over guards and choices.
pub fn condition(words: &IdVec<RigidId, String>, when: &Condition) -> String {
    let Some(literals) = when.literals() else { return "false".to_owned() };
    let one = |(rigid, value): &(RigidId, bool)| match value {
        true => words[*rigid].clone(),
        false => format!("!{}", words[*rigid]),
    };
    let each: Vec<String> = literals.iter().map(one).collect();
    if each.is_empty() { "true".to_owned() } else { each.join(" && ") }
}

impl Writer<'_> {
    /// What has happened, or never will.
    fn over(&mut self, required: &Requirement) -> String {
        self.guards.remembered.insert(required.occurrence);
        let done = format!("done{}", required.occurrence.index());
        match required.when.is_always() {
            true => done,
            false => format!("({done} || !({}))", condition(self.words, &required.when)),
        }
    }

    fn all_over(&mut self, required: &[Requirement]) -> String {
        let each: BTreeSet<String> = required.iter().map(|one| self.over(one)).collect();
        let each: Vec<String> = each.into_iter().collect();
        if each.is_empty() { "true".to_owned() } else { each.join(" && ") }
    }

    /// A macro for a condition, the same for the same.
    fn named(&mut self, word: &str, told: &str, condition: String) -> String {
        if let Some(known) = self.made.get(&condition) {
            return known.clone();
        }
        let name = self.names.give(word);
        let _ = writeln!(self.guards.text, "/* {} */\n#define {name} ({condition})", comment(told));
        self.made.insert(condition, name.clone());
        name
    }

    fn wait(&mut self, occurrence: OccurrenceId, condition: String) {
        let waits = self.guards.waits.entry(occurrence).or_default();
        if !waits.contains(&condition) {
            waits.push(condition);
        }
    }

    /// An occurrence that is over whenever it happens at all.
    fn required(&self, occurrence: OccurrenceId) -> Requirement {
        Requirement { occurrence, when: self.tree.when(occurrence).clone() }
    }

    /// Strict sequences, fragments that are joined strictly, and meetings.
    fn barriers(&mut self) {
        let tree = self.tree;
        for node in tree.nodes.ids().filter(|node| tree.is_live(*node)) {
            match &tree.nodes[node].kind {
                Kind::Message(..) | Kind::Stop(_) => {
                    let required = tree.barrier(node);
                    if required.is_empty() {
                        continue;
                    }
                    let all = self.all_over(&required);
                    let name = self.named("barrier", "All before is over.", all);
                    tree.ends(node).into_iter().for_each(|end| self.wait(end, name.clone()));
                }
                // What nobody sees orders nothing that is seen.
                Kind::Meeting(_) if tree.actions.contains(&node) => {}
                Kind::Meeting(lines) => {
                    let mut required = tree.barrier(node);
                    lines.iter().for_each(|line| required.extend(tree.before(node, *line)));
                    let required: Vec<Requirement> = required.into_iter().collect();
                    if !required.is_empty() {
                        let all = self.all_over(&required);
                        let who: Vec<&str> = lines.iter().map(|line| tree.lines[*line].as_str()).collect();
                        let told = format!("{} meet: all before is over.", who.join(", "));
                        let name = self.named("met", &told, all);
                        self.guards.meetings.insert(node, name);
                    }
                }
                Kind::Operand(_) | Kind::Fragment(_) => {}
            }
        }
    }

    /// Critical regions and assertions that stand beside something else.
    fn regions(&mut self) {
        let tree = self.tree;
        for node in tree.nodes.ids().filter(|node| tree.is_live(*node)) {
            let Some(fragment) = tree.fragment(node) else { continue };
            let is_assertion = match fragment.shape {
                Shape::Critical => false,
                Shape::Assert => true,
                Shape::Seq
                | Shape::Strict
                | Shape::Par
                | Shape::Alt
                | Shape::Opt
                | Shape::Break
                | Shape::Loop
                | Shape::StrictLoop
                | Shape::Neg
                | Shape::Ignore
                | Shape::Consider
                | Shape::Coregion(_)
                | Shape::Ref => continue,
            };
            for line in tree.lines.ids() {
                let inside = tree.enabled_on(node, line);
                let others = tree.enabled_on(tree.root, line).into_iter();
                let kept_off: Vec<OccurrenceId> =
                    others.filter(|one| !inside.contains(one) && is_beside(tree, *one, node, line)).collect();
                if inside.is_empty() || kept_off.is_empty() {
                    continue;
                }
                let region = Region { node, line, inside, is_open: String::new() };
                let region = Region { is_open: self.is_open(&region, is_assertion), ..region };
                let told = format!("{}: {} is inside.", fragment.name, tree.lines[line]);
                let word = format!("{}_{}", fragment.shape.word(), self.lines[line]);
                let name = self.named(&word, &told, region.is_open);
                kept_off.into_iter().for_each(|one| self.wait(one, format!("!{name}")));
            }
        }
    }

    /// When a region keeps others off: from its first occurrence on, or once what precedes it has happened, until it is over.
    fn is_open(&mut self, region: &Region, is_assertion: bool) -> String {
        let tree = self.tree;
        let begun = match is_assertion {
            true => {
                let mut before = tree.before(region.node, region.line);
                before.extend(tree.barrier(region.node));
                let when = condition(self.words, &tree.nodes[region.node].when);
                format!("({when}) && ({})", self.all_over(&before))
            }
            false => {
                self.guards.remembered.extend(&region.inside);
                let each: Vec<String> =
                    region.inside.iter().map(|one| format!("done{}", one.index())).collect();
                format!("({})", each.join(" || "))
            }
        };
        let ends = tree.end_on(region.node, region.line);
        format!("{begun} && !({})", self.all_over(&ends))
    }

    /// General orderings, and callers that wait.
    fn pairs(&mut self) {
        let tree = self.tree;
        for (earlier, later) in &tree.orderings {
            if tree.when(*earlier).is_never() {
                continue;
            }
            let over = self.over(&self.required(*earlier));
            self.wait(*later, over);
        }
        for (call, answer) in &tree.calls {
            if tree.when(*call).is_never() || tree.when(*answer).is_never() {
                continue;
            }
            self.guards.remembered.insert(*call);
            let answered = self.over(&self.required(*answer));
            let line = tree.occurrences[*call].line;
            let told = format!("{} waits for a reply.", tree.lines[line]);
            let waits = format!("done{} && !{answered}", call.index());
            let name = self.named(&format!("blocked_{}", self.lines[line]), &told, waits);
            for other in tree.enabled_on(tree.root, line) {
                if other != *answer {
                    self.wait(other, format!("!{name}"));
                }
            }
        }
    }

    /// What stands right below a guard is first (rule mu of P0).
    fn firsts(&mut self) {
        let tree = self.tree;
        for operand in tree.nodes.ids().filter(|node| tree.is_live(*node)) {
            let Some(first) = tree.first_of(operand) else { continue };
            let mut later = tree.enabled(operand);
            let over = match &tree.nodes[first].kind {
                Kind::Meeting(_) => self.all_over(&tree.ends_of(&[first])),
                Kind::Message(..) | Kind::Stop(_) | Kind::Operand(_) | Kind::Fragment(_) => {
                    if later.is_empty() {
                        continue;
                    }
                    let first = later.remove(0);
                    self.over(&self.required(first))
                }
            };
            if over != "true" {
                later.into_iter().for_each(|one| self.wait(one, over.clone()));
            }
        }
    }
}

/// Whether nothing orders an occurrence and a fragment on a lifeline, though both may happen.
fn is_beside(tree: &Tree, occurrence: OccurrenceId, fragment: NodeId, line: LineId) -> bool {
    let leaf = tree.occurrences[occurrence].node;
    let (own, other) = (around(tree, leaf), around(tree, fragment));
    let common = own.iter().zip(&other).take_while(|(own, other)| own == other).count();
    let Some(common) = common.checked_sub(1).map(|last| own[last]) else { return false };
    let is_exclusive = tree.fragment(common).is_some_and(|fragment| fragment.shape.order() == Order::Choice);
    let is_free = |node: NodeId| {
        tree.coregion(node, line).is_some()
            || tree.fragment(node).is_some_and(|fragment| fragment.shape == Shape::Coregion(line))
    };
    match tree.fragment(common) {
        _ if is_exclusive => false,
        Some(fragment) if fragment.shape.order() == Order::Beside => true,
        Some(_) | None => is_free(common),
    }
}

/// A node and all around it, the outermost first.
fn around(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let mut path: Vec<NodeId> = std::iter::successors(Some(node), |one| tree.nodes[*one].parent).collect();
    path.reverse();
    path
}
