//! What occurrences wait for besides what is drawn above them on their lifelines ([`OccurrenceDemand`]): conditions over what has happened.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::templates::{
    From, LineId, NodeId, OccurrenceDemand, OccurrenceId, Requirement, RigidCondition, RigidId, TemplateTree,
    Why,
};

use super::super::lexicon::comment;
use super::{Identifiers, SPELLING};

/// Conditions, each a macro.
pub(crate) struct GuardMacros {
    /// The macros.
    pub text: String,
    /// Occurrences that conditions refer to.
    pub remembered: BTreeSet<OccurrenceId>,
    /// What each occurrence waits for.
    pub waits: BTreeMap<OccurrenceId, Vec<String>>,
    /// What lifelines wait for that meet.
    pub meetings: BTreeMap<NodeId, String>,
}

struct GuardWriter<'t> {
    tree: &'t TemplateTree,
    lines: &'t IdVec<LineId, String>,
    words: &'t IdVec<RigidId, String>,
    names: &'t mut Identifiers,
    made: BTreeMap<String, String>,
    guards: GuardMacros,
}

impl GuardMacros {
    /// The conditions of a diagram.
    pub(crate) fn new(
        tree: &TemplateTree,
        lines: &IdVec<LineId, String>,
        words: &IdVec<RigidId, String>,
        guarded_first: bool,
        names: &mut Identifiers,
    ) -> GuardMacros {
        let guards = GuardMacros {
            text: String::new(),
            remembered: BTreeSet::new(),
            waits: BTreeMap::new(),
            meetings: BTreeMap::new(),
        };
        let mut writer = GuardWriter { tree, lines, words, names, made: BTreeMap::new(), guards };
        tree.demands(guarded_first).iter().for_each(|demand| writer.demand(demand));
        writer.guards
    }
}

impl GuardWriter<'_> {
    /// What has happened, or never will.
    fn over(&mut self, required: &Requirement) -> String {
        self.guards.remembered.insert(required.occurrence);
        let done = format!("done{}", required.occurrence.index());
        match required.when.is_always() {
            true => done,
            false => format!("({done} || !({}))", SPELLING.condition(self.words, &required.when)),
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

    fn demand(&mut self, demand: &OccurrenceDemand) {
        let tree = self.tree;
        let wait = match demand.why {
            Why::Strict => {
                let all = self.all_over(&demand.over);
                self.named("barrier", "All before is over.", all)
            }
            Why::Meeting(node) => {
                // A lifeline that comes to the meeting waits there, so its condition is known to hold.
                let known = &tree.nodes[node].when;
                let over = demand.over.iter();
                let over: Vec<Requirement> = over
                    .map(|one| Requirement { occurrence: one.occurrence, when: self.when(one, known) })
                    .collect();
                let all = self.all_over(&over);
                let who: Vec<&str> =
                    tree.lifelines(node).into_iter().map(|line| tree.lines[line].as_str()).collect();
                let told = format!("{} meet: all before is over.", who.join(", "));
                let name = self.named("met", &told, all);
                self.guards.meetings.insert(node, name);
                return;
            }
            Why::Region(node, line) => {
                let (name, word) = tree
                    .fragment(node)
                    .map_or(("", ""), |fragment| (fragment.name.as_str(), fragment.shape.word()));
                let told = format!("{name}: {} is inside.", tree.lines[line]);
                let word = format!("{word}_{}", self.lines[line]);
                let open = self.is_open(demand);
                format!("!{}", self.named(&word, &told, open))
            }
            Why::Call(line) => {
                let told = format!("{} waits for a reply.", tree.lines[line]);
                let open = self.is_open(demand);
                format!("!{}", self.named(&format!("blocked_{}", self.lines[line]), &told, open))
            }
            Why::Ordering | Why::First => self.all_over(&demand.over),
        };
        demand.waiting.iter().for_each(|one| self.wait(*one, wait.clone()));
    }

    /// When something is required where a condition holds that is known.
    fn when(&self, required: &Requirement, known: &RigidCondition) -> RigidCondition {
        let own = self.tree.when(required.occurrence);
        required.when.without(known).and(own)
    }

    /// When others wait: from a moment on, until something is over.
    fn is_open(&mut self, demand: &OccurrenceDemand) -> String {
        let over = self.all_over(&demand.over);
        match &demand.from {
            From::Start => format!("!({over})"),
            From::Any(first) => {
                self.guards.remembered.extend(first);
                let each: Vec<String> = first.iter().map(|one| format!("done{}", one.index())).collect();
                format!("({}) && !({over})", each.join(" || "))
            }
            From::All(when, before) => {
                let when = SPELLING.condition(self.words, when);
                format!("({when}) && ({}) && !({over})", self.all_over(before))
            }
        }
    }
}
