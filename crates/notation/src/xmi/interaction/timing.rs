//! Time and duration constraints, and observations of time (UML 2.5.1, 8.5 and 17.2): kept with what they say of ends of messages.
//!
//! A constraint is a rule of the interaction, or of something around it, with an interval of times or durations; an observation is an element
//! of a package. A message or an execution stands for two points in time, of which `firstEvent` chooses one.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{Occurrence, Timing, TimingKind};

use super::XmiInteractionBuilder;
use crate::xmi::text;
use crate::xmi::tree::{NodeId, XmiTree};

impl XmiInteractionBuilder<'_, '_, '_> {
    /// Adds what is said about the times of this interaction. What is about anything but ends of messages is told as not read.
    pub(super) fn timings(&mut self, node: NodeId) {
        for one in self.reader.timings(node) {
            let Some(timing) = self.timing(one) else { continue };
            let tree = self.reader.tree;
            self.reader.read.extend(tree.inside(one));
            for bound in bounds(tree, one) {
                self.reader.read.extend(tree.inside(bound));
            }
            if timing.kind == TimingKind::Constraint {
                let what = if timing.to.is_some() { "duration" } else { "time" };
                let message =
                    format!("the {what} `{}` is drawn, and nothing is checked about it", timing.text);
                let finding = Diagnostic::new(Code::DurationUnchecked, tree.span(one), message);
                self.reader.report(finding.severity(Severity::Hint));
            }
            self.interaction.timings.push(timing);
        }
    }

    fn timing(&self, node: NodeId) -> Option<Timing> {
        let tree = self.reader.tree;
        let is_observed = tree.kind(node).ends_with("Observation");
        let targets = tree.all(node, if is_observed { "event" } else { "constrainedElement" });
        let firsts: Vec<bool> = flags(tree, node);
        let point = |at: usize| {
            let [first, last] = self.points(*targets.get(at)?)?;
            Some(if firsts.get(at).copied().unwrap_or(true) { first } else { last })
        };
        let (from, to) = match (tree.kind(node).starts_with("Time"), targets.len()) {
            (true, 1) => (point(0)?, None),
            (false, 1) => {
                let [first, last] = self.points(targets[0])?;
                (first, Some(last))
            }
            (false, 2) => (point(0)?, Some(point(1)?)),
            (_, _) => return None,
        };
        let (kind, text) = match is_observed {
            true => (TimingKind::Observation, tree.name(node).to_owned()),
            false => (TimingKind::Constraint, interval(tree, node)),
        };
        (!text.is_empty()).then(|| Timing { kind, from, to, text, place: tree.span(node).into() })
    }

    /// The two points in time that an element stands for.
    fn points(&self, node: NodeId) -> Option<[Occurrence; 2]> {
        let tree = self.reader.tree;
        if let Some(id) = self.placed.get(&node) {
            return Some([Occurrence::Send(*id), Occurrence::Receive(*id)]);
        }
        if tree.kind(node).ends_with("ExecutionSpecification") {
            let end = |role: &str| self.occurrence(tree.first(node, role)?);
            return Some([end("start")?, end("finish")?]);
        }
        self.occurrence(node).map(|one| [one, one])
    }
}

/// Which points are meant, element by element.
fn flags(tree: &XmiTree, node: NodeId) -> Vec<bool> {
    let written = tree.texts(node, "firstEvent");
    written.iter().flat_map(|text| text.split_whitespace()).map(|word| word == "true").collect()
}

/// The least and the greatest value of the interval of a constraint.
fn bounds(tree: &XmiTree, node: NodeId) -> Vec<NodeId> {
    let interval = tree.first(node, "specification");
    interval.into_iter().flat_map(|one| ["min", "max"].map(|role| tree.first(one, role))).flatten().collect()
}

/// `0..13`; the one value if both are the same.
fn interval(tree: &XmiTree, node: NodeId) -> String {
    let bounds: Vec<String> = bounds(tree, node).into_iter().map(|one| text::value(tree, one)).collect();
    match &bounds[..] {
        [] => text::constraint(tree, node),
        [least, greatest] if least != greatest => format!("{least}..{greatest}"),
        [one, ..] => one.clone(),
    }
}
