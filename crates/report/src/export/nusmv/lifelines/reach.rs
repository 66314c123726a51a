//! References: the paths by which a module refers to variables of other modules.

use std::collections::BTreeSet;

use sequent_kernel::templates::{LineId, NodeId, OccurrenceId, RigidCondition, RigidId};

use super::module::all;
use super::modules::ModuleWriter;
use super::units::ModulePath;

impl ModuleWriter<'_> {
    /// The calls of a lifeline whose sender waits.
    pub(crate) fn calls(&self, line: LineId) -> Vec<(OccurrenceId, OccurrenceId)> {
        let tree = self.plan.tree;
        let is_own = |(call, answer): &&(OccurrenceId, OccurrenceId)| {
            let is_possible = !tree.when(*call).is_never() && !tree.when(*answer).is_never();
            tree.occurrences[*call].line == line && is_possible
        };
        tree.calls.iter().filter(is_own).copied().collect()
    }

    /// That an occurrence has happened.
    pub(crate) fn done(
        &self,
        one: OccurrenceId,
        here: Option<&ModulePath>,
        uses: &mut BTreeSet<String>,
    ) -> String {
        let Some((path, after)) = self.plan.done.get(&one) else { return "FALSE".to_owned() };
        match here == Some(path) {
            true => self.at_or_after(after),
            false => format!("{}.{}", self.reach(path, uses), self.at_or_after(after)),
        }
    }

    /// `state` is that of one of these.
    pub(super) fn at_or_after(&self, all: &[OccurrenceId]) -> String {
        let names: Vec<&str> = all.iter().map(|one| self.names[*one].as_str()).collect();
        match names.as_slice() {
            [only] => format!("state = {only}"),
            names => format!("state in {{{}}}", names.join(", ")),
        }
    }

    /// What must hold for a condition to.
    pub(super) fn literals(&self, condition: &RigidCondition, uses: &mut BTreeSet<String>) -> Vec<String> {
        let Some(literals) = condition.literals() else { return vec!["FALSE".to_owned()] };
        let one = |(rigid, value): &(RigidId, bool)| {
            let home = &self.homes[rigid];
            let place = match &home.path {
                Some(path) => self.reach(path, uses),
                None => {
                    uses.insert("conditions".to_owned());
                    "conditions".to_owned()
                }
            };
            format!("{}{place}.{}", if *value { "" } else { "!" }, home.name)
        };
        literals.iter().map(one).collect()
    }

    /// A module, seen from another.
    pub(super) fn reach(&self, path: &ModulePath, uses: &mut BTreeSet<String>) -> String {
        let line = &self.lines[path.line];
        uses.insert(line.clone());
        format!("{line}{}", path.inner())
    }

    pub(super) fn meeting(&self, node: NodeId) -> String {
        let number = self.plan.meetings.keys().position(|other| *other == node).unwrap_or(0) + 1;
        format!("at_meeting{number}")
    }

    /// That all lifelines have come to a meeting.
    pub(super) fn met(&self, node: NodeId, here: &ModulePath, uses: &mut BTreeSet<String>) -> String {
        let name = self.meeting(node);
        let each = self.plan.meetings.get(&node).into_iter().flatten();
        let each = each.map(|path| match path == here {
            true => name.clone(),
            false => format!("{}.{name}", self.reach(path, uses)),
        });
        all(&each.collect::<Vec<String>>())
    }
}
