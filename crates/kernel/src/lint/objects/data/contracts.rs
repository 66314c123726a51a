//! Contracts (`@pre`, `@post`): W613 (names that nothing has), E612 (types). A contract that speaks of something unknown is not looked at, so each is
//! told of, whatever else the machine does.

use super::expressions::state_tests;
use super::scope::LocalNames;
use super::{BoundParameter, LabelFindings, ObjectData, parameters};
use crate::diagnostic::{Code, Diagnostic, slip_of};
use crate::model::Contract;
use crate::semantics::objects::{Unfit, UnknownPart, triggers, truth, unknowns};

pub(super) fn check(data: &ObjectData, found: &mut LabelFindings) {
    let transitions = data.machine.transitions.iter();
    let known: Vec<BoundParameter> = transitions.flat_map(|one| parameters(&one.triggers)).collect();
    for contract in &data.machine.contracts {
        found.told.extend(unawaited(data, contract));
        let own: Vec<BoundParameter> =
            known.iter().copied().filter(|(_, message, _)| *message == contract.name).collect();
        condition(data, contract, &own, found);
    }
}

/// A contract for a message that the machine does not wait for.
fn unawaited(data: &ObjectData, contract: &Contract) -> Option<Diagnostic> {
    let known = triggers(data.machine);
    let name = contract.name.as_str();
    if known.contains_key(name) {
        return None;
    }
    let text = format!("`{}` has no trigger `{name}`, so this is never looked at", data.machine.name);
    let finding = Diagnostic::new(Code::UnknownAttribute, contract.condition.place.0, text);
    Some(match slip_of(name, known.keys().copied()) {
        Some(near) => finding.meant(name, near),
        None => finding.hint("a contract is for one message, as in `@pre charge : amount <= sum`"),
    })
}

fn condition<'a>(
    data: &ObjectData<'a>,
    contract: &Contract,
    own: &[BoundParameter<'a>],
    found: &mut LabelFindings,
) {
    let Some(expression) = &contract.condition.expression else { return };
    let place = contract.condition.place.0;
    state_tests(data, expression, place, found);
    match truth(expression, &mut LocalNames::new(data, own)) {
        Ok(_) => {}
        Err(Unfit::Mismatch(what)) => {
            let finding = Diagnostic::new(Code::TypeMismatch, place, what);
            found.told.push(finding.hint("compare and combine values of one type"));
        }
        Err(Unfit::Unknown(_)) => {
            let all = unknowns(expression, &mut LocalNames::new(data, own));
            found.told.extend(all.iter().filter_map(|what| unknown(data, contract, what, own)));
        }
    }
}

/// What nothing has, in a condition; a parameter without known type is reported where its values are asked for (H621).
fn unknown(
    data: &ObjectData,
    contract: &Contract,
    what: &UnknownPart,
    own: &[BoundParameter],
) -> Option<Diagnostic> {
    let name = what.to_string();
    if own.iter().any(|(known, ..)| *known == name) {
        return None;
    }
    let text = format!("`{}` knows nothing of `{name}`, so this is not looked at", data.name());
    let finding = Diagnostic::new(Code::UnknownAttribute, contract.condition.place.0, text);
    let names = data.declared.keys().copied().chain(own.iter().map(|(known, ..)| *known));
    Some(match slip_of(&name, names) {
        Some(near) => finding.meant(name.as_str(), near),
        None => {
            finding.hint("a contract speaks of attributes, of parameters, and of states, as in `in(Idle)`")
        }
    })
}
