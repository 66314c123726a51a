//! Messages of a scenario that no object ever sends: mostly misspelt.
//!
//! A scenario that needs such a message never happens, whatever the machines do. Then a check that forbids it
//! holds vacuously.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::nearest;
use sequent_kernel::model::{Block, Combination, End, Fragment, Guard, Interaction, InteractionId, Message};
use sequent_kernel::property::scenario::SoughtScenario;
use sequent_kernel::semantics::event_text;

use super::Ensemble;

/// Says that a message which is part of every trace of a scenario never happens.
pub(crate) fn never_comes(
    ensemble: &Ensemble<'_>,
    about: InteractionId,
    scenario: &SoughtScenario,
) -> Option<String> {
    let strangers: BTreeSet<String> = scenario.strangers().into_iter().collect();
    if strangers.is_empty() {
        return None;
    }
    let diagram = &ensemble.model.interactions[about];
    let mut certain = Vec::new();
    collect(diagram, &diagram.body, &mut certain);
    let is_strange = |message: &&Message| {
        let text = event_text(diagram, message);
        ["!", "?"].iter().any(|sign| strangers.contains(&format!("{sign}{text}")))
    };
    let message = certain.into_iter().find(is_strange)?;
    let told = format!("`{}` never happens", event_text(diagram, message));
    Some(match (meant(ensemble, message), unbound(ensemble, diagram, message)) {
        (Some(near), _) => format!("{told}; did you mean `{near}`?"),
        (None, Some(guest)) => format!("{told}; `{guest}` has no state machine"),
        (None, None) => told,
    })
}

/// A lifeline at an end of a message that is environment although objects exchange messages of that name: perhaps it should have been one of them.
fn unbound<'d>(ensemble: &Ensemble<'_>, diagram: &'d Interaction, message: &Message) -> Option<&'d str> {
    let mut events = ensemble.objects.system.events.iter();
    if !events.any(|event| event.name == message.name) {
        return None;
    }
    let objects = &ensemble.objects.structure.objects;
    let is_guest = |name: &str| objects.iter().any(|one| one.name == name && one.machine.is_none());
    let ends = [message.to, message.from].into_iter().filter_map(|end| match end {
        End::Lifeline(line) => Some(diagram.lifelines[line].name.as_str()),
        End::Outside(_) => None,
    });
    ends.into_iter().find(|name| is_guest(name))
}

/// A message that objects do send, with a name that is nearly the same.
fn meant<'c>(ensemble: &'c Ensemble<'_>, message: &Message) -> Option<&'c str> {
    let events = ensemble.objects.system.events.iter();
    let names: BTreeSet<&str> = events.map(|event| event.name.as_str()).collect();
    nearest(&message.name, names).filter(|near| *near != message.name)
}

/// The messages without which nothing gets through a block; those of diagrams that it uses are left out.
fn collect<'d>(diagram: &'d Interaction, block: &Block, certain: &mut Vec<&'d Message>) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Message(id) => certain.push(&diagram.messages[*id]),
            Fragment::Combined(combined) => {
                let runs = match combined.operator.combination() {
                    // What comes after it may be left out too.
                    Combination::Break => return,
                    Combination::Sequence
                    | Combination::StrictSequence
                    | Combination::Parallel
                    | Combination::Unordered(_) => true,
                    Combination::Repetition(bounds) => bounds.min.is_none_or(|min| min > 0),
                    Combination::Choice { .. } | Combination::Negation | Combination::Complement => false,
                };
                let operands = combined.operands.iter().filter(|operand| operand.guard == Guard::Absent);
                operands.filter(|_| runs).for_each(|operand| collect(diagram, &operand.block, certain));
            }
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
}
