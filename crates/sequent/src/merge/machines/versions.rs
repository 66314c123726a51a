//! The three versions before the merge: which lifelines their machines cannot follow, and whether a merged
//! text is no worse.
//!
//! Messages of the base that a machine does not know at all are nothing to it. A lifeline that cannot follow its machine in the base for
//! another reason does not limit the merge, nor do machines that
//! together cannot do what the base shows. A side that contradicts the machines by itself is reported; where
//! it is taken the merge need not be better than it.

use std::collections::BTreeMap;

use sequent_kernel::model::InteractionId;
use sequent_kernel::verdict::Verdict;
use sequent_report::reason;

use super::full::possible;
use super::model::{FileModel, ForeignMessages};
use crate::merge::draft::MergeDraft;
use crate::merge::options::{ConsistencyLevel, Environment, VersionFiles};
use crate::merge::read::decode;
use crate::merge::side::RevisionSide;

/// What the machines say about one version.
struct Version {
    model: FileModel,
    /// By diagram: the lifelines that cannot follow their machines, each with the message that it cannot receive.
    faults: BTreeMap<InteractionId, BTreeMap<String, String>>,
    /// By diagram: whether the machines can do together what it shows; not of one without a lifeline that has a machine.
    is_possible: BTreeMap<InteractionId, Verdict>,
}

/// What the machines say about the three versions.
pub(in crate::merge) struct Versions<'a> {
    files: VersionFiles<'a>,
    environment: &'a Environment<'a>,
    level: ConsistencyLevel,
    /// What the machines are not asked about.
    pub(in crate::merge) foreign: ForeignMessages,
    /// Base, ours, theirs; none if no machine is asked.
    all: Vec<Version>,
}

impl<'a> Versions<'a> {
    /// Reads the versions; nothing is asked at level `order`, nor where there are no machines.
    pub(crate) fn new(
        files: VersionFiles<'a>,
        environment: &'a Environment<'a>,
        level: ConsistencyLevel,
    ) -> Self {
        let mut versions =
            Versions { files, environment, level, foreign: ForeignMessages::new(), all: Vec::new() };
        if level == ConsistencyLevel::Order {
            return versions;
        }
        let text = |bytes: &[u8]| decode(bytes, std::str::from_utf8(bytes).is_ok()).0;
        versions.foreign = FileModel::new(files.name, &text(files.base), environment).unknown_messages();
        for bytes in [files.base, files.ours, files.theirs] {
            let model = versions.model(&text(bytes));
            versions.all.push(Version::new(model, environment, level));
        }
        if versions.all.iter().all(|version| version.model.reading.model.machines.is_empty()) {
            versions.all.clear();
        }
        versions
    }

    /// Reads a text under the name of the merged file; its machines are not asked about what the base draws and they do not know.
    pub(crate) fn model(&self, text: &str) -> FileModel {
        let mut model = FileModel::new(self.files.name, text, self.environment);
        model.foreign.clone_from(&self.foreign);
        model
    }

    /// Whether there are machines that are asked.
    pub(crate) fn has_machines(&self) -> bool {
        !self.all.is_empty()
    }

    /// Returns the lifelines of a diagram whose machines are not asked.
    pub(crate) fn left_out(&self, model: &FileModel, id: InteractionId) -> Vec<String> {
        let faults = self.all.first().and_then(|base| base.faults.get(&base.twin(model, id)?));
        faults.map(|faults| faults.keys().cloned().collect()).unwrap_or_default()
    }

    /// Whether the machines of a diagram are asked together.
    pub(crate) fn is_asked_together(&self, model: &FileModel, id: InteractionId) -> bool {
        let base = self.all.first();
        let verdict = base.and_then(|base| base.is_possible.get(&base.twin(model, id)?));
        self.level == ConsistencyLevel::Full
            && verdict.is_none_or(|verdict| matches!(verdict, Verdict::Holds(_)))
    }

    /// Whether the machines can follow a draft with either side taken where the sides differ, as far as they can follow that side by itself.
    pub(crate) fn is_followed(&self, draft: &MergeDraft) -> bool {
        let texts = RevisionSide::BOTH.map(|side| draft.taken_from(side));
        RevisionSide::BOTH
            .into_iter()
            .zip(texts)
            .all(|(side, text)| self.are_followed_as(&text, side, |ids| ids))
    }

    /// Whether the machines can follow a diagram of a text as far as they can follow a side by itself.
    pub(crate) fn is_diagram_followed_as(&self, text: &str, side: RevisionSide, ordinal: usize) -> bool {
        self.are_followed_as(text, side, |ids| ids.get(ordinal).copied().into_iter().collect())
    }

    /// Whether the machines can follow some diagrams of a text as far as they can follow a side by itself.
    fn are_followed_as(
        &self,
        text: &str,
        side: RevisionSide,
        chosen: impl Fn(Vec<InteractionId>) -> Vec<InteractionId>,
    ) -> bool {
        if self.all.is_empty() {
            return true;
        }
        let mut model = self.model(text);
        let ids = chosen(model.interactions().collect());
        ids.into_iter().all(|id| self.contradiction(&mut model, id, side).is_none())
    }

    /// Returns what the machines cannot do of a diagram of a text and can do of a side by itself, in words.
    pub(crate) fn diagram_contradiction(
        &self,
        text: &str,
        side: RevisionSide,
        ordinal: usize,
    ) -> Option<String> {
        let mut model = self.model(text);
        let id = model.interactions().nth(ordinal)?;
        self.contradiction(&mut model, id, side)
    }

    fn contradiction(&self, model: &mut FileModel, id: InteractionId, side: RevisionSide) -> Option<String> {
        let own = self.all.get(side.version())?;
        let twin = own.twin(model, id)?;
        let mut left_out = self.left_out(model, id);
        left_out.extend(own.faults.get(&twin).into_iter().flat_map(BTreeMap::keys).cloned());
        if let Some((who, what)) = model.first_fault(id, &left_out) {
            return Some(format!("`{who}` cannot receive `{what}`"));
        }
        let Environment { settings, effort, .. } = *self.environment;
        let is_asked = self.is_asked_together(model, id)
            && own.is_possible.get(&twin).is_none_or(|verdict| matches!(verdict, Verdict::Holds(_)));
        let is_impossible = is_asked && matches!(possible(model, id, settings, effort).0, Verdict::Fails(_));
        is_impossible.then(|| "the state machines cannot do it together".to_owned())
    }

    /// Returns notes about lifelines of a merged text of which it is not known what they receive.
    pub(crate) fn doubts(&self, model: &FileModel) -> Vec<String> {
        let is_asked = self.has_machines();
        let mut notes = Vec::new();
        for id in model.interactions().filter(|_| is_asked) {
            let name = &model.interaction(id).name;
            for who in model.vague(id, &self.left_out(model, id)) {
                notes.push(format!(
                    "what `{who}` receives in `{name}` is not known, or in too many orders: its state machine may be anywhere afterwards"
                ));
            }
        }
        notes
    }

    /// Returns notes about what contradicts the machines before the merge.
    pub(crate) fn notes(&self) -> Vec<String> {
        let [base, sides @ ..] = self.all.as_slice() else { return Vec::new() };
        let mut notes: Vec<String> = self
            .foreign
            .iter()
            .map(|(who, names)| {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let names = names.join(", ");
                format!("`{who}` has no transition for {names}, which the base draws already: its state machine is asked about the rest")
            })
            .collect();
        for id in base.model.interactions() {
            for (who, fault) in base.faults.get(&id).into_iter().flatten() {
                notes.push(format!(
                    "`{who}` cannot receive `{fault}` even before the merge: its state machine is not asked"
                ));
            }
            let name = &base.model.interaction(id).name;
            match base.is_possible.get(&id) {
                None | Some(Verdict::Holds(_)) => {}
                Some(Verdict::Fails(_)) => notes.push(format!(
                    "the state machines cannot do what `{name}` shows even before the merge: they are not asked together"
                )),
                Some(Verdict::Unknown(reason)) => notes.push(format!(
                    "whether the state machines can do what `{name}` shows is not known even before the merge ({}): they are not asked together",
                    reason::words(reason)
                )),
            }
        }
        for (side, version) in RevisionSide::BOTH.into_iter().zip(sides) {
            let whose = match side {
                RevisionSide::Ours => "our version",
                RevisionSide::Theirs => "their version",
            };
            for id in version.model.interactions() {
                let left_out = self.left_out(&version.model, id);
                let faults = version.faults.get(&id).into_iter().flatten();
                for (who, fault) in faults.filter(|(who, _)| !left_out.contains(who)) {
                    notes.push(format!(
                        "{whose} contradicts a state machine by itself: `{who}` cannot receive `{fault}`"
                    ));
                }
                let is_asked = self.is_asked_together(&version.model, id);
                if let (true, Some(Verdict::Fails(_))) = (is_asked, version.is_possible.get(&id)) {
                    let name = &version.model.interaction(id).name;
                    notes.push(format!(
                        "{whose} contradicts the state machines by itself: together they cannot do what `{name}` shows"
                    ));
                }
            }
        }
        notes
    }
}

impl Version {
    fn new(mut model: FileModel, environment: &Environment<'_>, level: ConsistencyLevel) -> Self {
        let (mut faults, mut is_possible) = (BTreeMap::new(), BTreeMap::new());
        let ids: Vec<InteractionId> = model.interactions().collect();
        for id in ids {
            let machines = model.machines(id);
            let is_asked = level == ConsistencyLevel::Full && !machines.is_empty();
            let fault = |(lifeline, machine)| {
                let who = model.interaction(id).lifelines[lifeline].name.clone();
                Some((who, model.fault(id, lifeline, machine)?))
            };
            let own: BTreeMap<String, String> = machines.into_iter().filter_map(fault).collect();
            if is_asked {
                let verdict = possible(&mut model, id, environment.settings, environment.effort).0;
                is_possible.insert(id, verdict);
            }
            faults.insert(id, own);
        }
        Version { model, faults, is_possible }
    }

    /// Returns the diagram of this version that is a diagram of another text: the one with its name, of several the one at its place among them, or else at its
    /// place.
    fn twin(&self, other: &FileModel, id: InteractionId) -> Option<InteractionId> {
        let name = &other.interaction(id).name;
        let before = other.interactions().take_while(|before| *before != id);
        let rank = before.filter(|before| other.interaction(*before).name == *name).count();
        let mut named = self.model.interactions().filter(|own| self.model.interaction(*own).name == *name);
        named.nth(rank).or_else(|| self.model.interactions().nth(other.ordinal(id)))
    }
}
