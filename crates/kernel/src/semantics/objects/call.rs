//! Calls: operations with a result, whose caller waits for the reply (rule M3).
//!
//! An operation that a class declares with a result is called: `ok = bank.verify(x)`, or `bank.verify(x)` for who does not care. The call
//! waits in the queue like any message. The caller does nothing until the reply has come; the object that takes the call replies at the end of
//! the step in which it does so, with the value of the last `return` in it, also if nothing in its present state takes the call. Under rendezvous
//! a call is a message like any other.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::arguments::{in_order, parameter_lists};
use super::data::ValueType;
use super::path::InvisiblePath;
use super::process::{BindingId, ProcessStep};
use super::send::SendStep;
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::id::Id;
use crate::model::{Argument, Assign, Effect, Expression, Model, Send};
use crate::system::{EventKind, Join, TermId, Variable, VariableId};

/// The word for the result of an operation.
const RETURN: &str = "return";

/// The operations with a result, each with its type if its values are distinguished.
pub(super) type Results = BTreeMap<String, Option<ValueType>>;

/// Where the reply to an object's call and the result of what it carries out lie: 0 for none, 1 for one without value, then the values of
/// the operation's type in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplySlots {
    reply: VariableId,
    result: VariableId,
}

/// The operations that classes declare with a result.
fn results(model: &Model, kind: impl Fn(&str) -> Option<ValueType>) -> Results {
    let operations = model.classes.iter().flat_map(|class| &class.operations);
    let with_result = operations.filter(|operation| !operation.is_signal).filter_map(|operation| {
        let name = operation.result.as_deref().map(str::trim).filter(|name| !matches!(*name, "" | "void"))?;
        Some((operation.name.clone(), kind(name)))
    });
    with_result.collect()
}

/// The message that `x = a.m(..)` sends if `m` is an operation with a result.
pub(crate) fn called(assign: &Assign) -> Option<Send> {
    let Expression::Call(path, arguments) = &assign.value else { return None };
    let (name, target) = path.split_last().filter(|(_, target)| !target.is_empty())?;
    let argument =
        |value: &Expression| Argument { name: None, text: String::new(), value: Some(value.clone()) };
    let arguments = Some(arguments.iter().map(argument).collect());
    Some(Send { target: target.to_vec(), name: name.clone(), arguments, place: assign.place })
}

impl World<'_> {
    /// Finds the operations with a result and lays out where replies lie.
    pub(crate) fn find_calls(&mut self) {
        if self.is_rendezvous() {
            return;
        }
        let classes: BTreeSet<&str> = self.model.classes.iter().map(|class| class.name.as_str()).collect();
        self.results = results(self.model, |name| self.type_named(name, &classes));
        let most = self.results.values().map(|kind| kind.as_ref().map_or(1, |kind| self.span(kind))).max();
        let Some(most) = most else { return };
        for object in self.structure.objects.ids().collect::<Vec<_>>() {
            let Some(body) = &self.bodies[object] else { continue };
            let effects = body.sites().into_iter().flat_map(|site| body.effects(site));
            let calls = effects
                .filter_map(|effect| self.as_send(object, effect))
                .any(|(send, _)| self.is_operation(&send.name));
            // What its class declares it replies to, also if its machine never takes it.
            let replies =
                body.triggers().keys().any(|name| self.is_operation(name)) || self.declares_operation(object);
            if calls || replies {
                let name = self.structure.objects[object].name.clone();
                let owner = body.component;
                let [reply, result] = ["reply", "result"].map(|what| {
                    let variable = Variable::new(format!("{name}.{what}"), 0, most, 0);
                    self.variables.push(variable.owned_by(owner))
                });
                self.desks.insert(object, ReplySlots { reply, result });
            }
        }
    }

    /// Whether a class of an object declares an operation with a result.
    fn declares_operation(&self, object: InstanceId) -> bool {
        let kinds = &self.structure.objects[object].kinds;
        let own = self.model.classes.iter().filter(|class| kinds.contains(&class.name.to_lowercase()));
        own.flat_map(|class| &class.operations).any(|one| self.is_operation(&one.name))
    }

    /// How many values a reply of a type may have, the one without value included.
    fn span(&self, kind: &ValueType) -> i32 {
        let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
        high.saturating_sub(low).saturating_add(2)
    }

    fn is_operation(&self, name: &str) -> bool {
        self.results.contains_key(name)
    }

    /// Whether the sender of a message waits for a reply.
    pub(crate) fn is_call(&self, from: Option<InstanceId>, name: &str) -> bool {
        from.is_some_and(|from| self.desks.contains_key(&from)) && self.is_operation(name)
    }

    /// What an effect sends, and the attribute of its own that keeps the result; `return` is none.
    pub(crate) fn as_send(&self, object: InstanceId, effect: &Effect) -> Option<(Send, Option<String>)> {
        match effect {
            Effect::Send(send) if is_return(send) => None,
            Effect::Send(send) => Some((self.with_arguments_in_order(send), None)),
            Effect::Opaque { .. } => None,
            Effect::Assign(assign) => {
                let send = called(assign).filter(|send| self.is_operation(&send.name))?;
                Some((send, self.structure.own_part(object, &assign.target).cloned()))
            }
        }
    }

    /// A send with its arguments in the order of the parameters.
    fn with_arguments_in_order(&self, send: &Send) -> Send {
        let arguments = send.arguments.as_deref().unwrap_or_default();
        if arguments.iter().all(|argument| argument.name.is_none()) {
            return send.clone();
        }
        let lists = parameter_lists(self.model, &self.structure, &send.name);
        // What fits no list is reported (E614), and stays as it is written.
        let ordered = in_order(arguments, &lists).unwrap_or_else(|_| arguments.to_vec());
        Send { arguments: Some(ordered), ..send.clone() }
    }

    /// `return e`: keeps the result of what is being carried out.
    pub(crate) fn keep_result(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        send: &Send,
        binding: BindingId,
    ) -> Vec<InvisiblePath> {
        let operation = self.body(object).bindings[binding.index()].call.clone();
        let (Some(operation), Some(desk)) = (operation, self.desks.get(&object).copied()) else {
            return vec![path];
        };
        let Some(Some(kind)) = self.results.get(&operation).cloned() else { return vec![path] };
        let expression = send
            .arguments
            .as_deref()
            .and_then(|arguments| arguments.first())
            .and_then(|one| one.value.as_ref());
        let [path, broken] = self.sound(object, path, expression, binding, send.place);
        let mut paths: Vec<InvisiblePath> = broken.into_iter().collect();
        let Some(mut path) = path else { return paths };
        let found = expression.and_then(|value| self.value(object, &path, value, binding));
        let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
        let shift = self.terms.constant(2 - low);
        match found.filter(|typed| typed.kind.is_comparable(&kind)) {
            Some(typed) => {
                let fits = self.within(typed.term, low, high);
                let misfit = self.terms.not(fits);
                if let Some(mut broken) = self.given(&path, misfit) {
                    let owner = &self.structure.objects[object].name;
                    let text = format!("{owner} returns a value of {operation} outside of {low}..{high}");
                    broken.fault = Some(self.fault(FaultKind::Range(low, high), text, send.place));
                    paths.push(broken);
                }
                let code = self.terms.plus(typed.term, shift);
                path.store.insert(desk.result, code);
                paths.extend(self.given(&path, fits));
            }
            // The result is unknown: any value of its type.
            None => paths.extend((low..=high).map(|value| {
                let mut path = path.clone();
                path.store.insert(desk.result, self.terms.constant(value - low + 2));
                path
            })),
        }
        paths
    }

    /// The reply to a caller, with each result that there may be.
    pub(crate) fn reply(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        caller: InstanceId,
        operation: &str,
    ) -> Vec<SendStep> {
        let (Some(own), Some(other)) = (self.desks.get(&object).copied(), self.desks.get(&caller).copied())
        else {
            return vec![SendStep { path: path.clone(), event: None, join: Join::Alone }];
        };
        let result = self.current(path, own.result);
        let mut all = Vec::new();
        for (code, values) in self.replies(operation) {
            // No `return` is a reply without value.
            let is_it = self.equals(result, if code == 1 { 0 } else { code });
            let Some(mut path) = self.given(path, is_it) else { continue };
            path.store.insert(own.result, self.terms.constant(0));
            path.store.insert(other.reply, self.terms.constant(code));
            let event = self.answered(object, caller, operation, values, EventKind::Send);
            all.push(SendStep { path, event: Some(event), join: Join::Alone });
        }
        all
    }

    /// The reply is received: the caller goes on.
    pub(crate) fn await_reply(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        callee: InstanceId,
        operation: &str,
        kept: Option<&str>,
    ) -> Vec<SendStep> {
        let Some(desk) = self.desks.get(&object).copied() else { return Vec::new() };
        let slot = kept.and_then(|name| self.body(object).attributes.get(name)).cloned();
        let reply = self.current(path, desk.reply);
        let mut all = Vec::new();
        for (code, value) in self.replies(operation) {
            let is_it = self.equals(reply, code);
            let Some(mut path) = self.given(path, is_it) else { continue };
            path.store.insert(desk.reply, self.terms.constant(0));
            if let (Some(slot), Some(value)) = (&slot, value) {
                let (low, high) = slot.kind.bounds(&self.enumerations, self.structure.objects.len());
                if (low..=high).contains(&value) {
                    path.store.insert(slot.variable, self.terms.constant(value));
                } else {
                    let owner = &self.structure.objects[object].name;
                    let text = format!("{owner} gets a reply to {operation} outside of {low}..{high}");
                    let place = self.body(object).machine.place;
                    path.fault = Some(self.fault(FaultKind::Range(low, high), text, place));
                }
            }
            let event = self.answered(callee, object, operation, value, EventKind::Receive);
            all.push(SendStep { path, event: Some(event), join: Join::Alone });
        }
        all
    }

    /// The replies that there may be to an operation: as it is kept, and the value.
    fn replies(&self, operation: &str) -> Vec<(i32, Option<i32>)> {
        let mut all = vec![(1, None)];
        if let Some(Some(kind)) = self.results.get(operation) {
            let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
            all.extend((low..=high).map(|value| (value - low + 2, Some(value))));
        }
        all
    }

    fn equals(&mut self, term: TermId, value: i32) -> TermId {
        let value = self.terms.constant(value);
        self.terms.equal(term, value)
    }

    fn answered(
        &mut self,
        from: InstanceId,
        to: InstanceId,
        operation: &str,
        value: Option<i32>,
        kind: EventKind,
    ) -> crate::system::EventId {
        let result = self.results.get(operation).cloned().flatten();
        let result = value
            .zip(result)
            .map(|(value, kind)| vec![kind.text(value, &self.enumerations, &self.structure)]);
        let event = self.told_as(Some(from), Some(to), None, (operation, result), kind);
        self.reply_events.insert(event);
        event
    }

    /// What is still to be done once a message is taken: a caller gets its reply.
    pub(crate) fn answering(
        &mut self,
        object: InstanceId,
        from: Option<InstanceId>,
        name: &str,
    ) -> Vec<ProcessStep> {
        match from {
            Some(caller) if self.is_call(from, name) && self.desks.contains_key(&object) => {
                vec![ProcessStep::Reply(caller, name.to_owned())]
            }
            Some(_) | None => Vec::new(),
        }
    }
}

/// Whether a send is no message but the result of an operation.
pub(crate) fn is_return(send: &Send) -> bool {
    send.name == RETURN && send.target.is_empty()
}
