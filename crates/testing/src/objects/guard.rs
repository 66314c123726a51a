//! Guards and triggers: which transitions of a vertex are open on an occasion (docs/objects.md, "Guards").

use sequent_kernel::model::{Condition, TransitionId, Trigger};

use super::fire::{FiringAttempt, Occasion};
use super::oracle::Oracle;
use super::shape::outgoing;
use super::state::NaiveFault;
use super::value::{Bindings, NaiveValue};

impl FiringAttempt<'_> {
    /// The parameters with which an active state's transition may fire.
    pub(crate) fn holds(
        &self,
        first: TransitionId,
        occasion: Occasion,
        with_any: bool,
        oracle: &mut Oracle,
    ) -> Result<Option<Bindings>, NaiveFault> {
        let transition = &self.machine.transitions[first];
        let is_active = self.object.is_active(transition.source);
        let Some(bindings) = self.fits(first, occasion, with_any).filter(|_| is_active) else {
            return Ok(None);
        };
        let group: Vec<(TransitionId, Bindings)> = outgoing(self.machine, transition.source)
            .into_iter()
            .filter_map(|other| match occasion {
                Occasion::Timed(_) => self.is_alike(first, other).then(|| (other, Bindings::new())),
                Occasion::Message(_) | Occasion::Completed(_) => {
                    Some((other, self.fits(other, occasion, with_any)?))
                }
            })
            .collect();
        // A guard may use the names that others at the same source give to what the message carries.
        let names: Bindings = group.iter().flat_map(|(_, bindings)| bindings.clone()).collect();
        let with_names =
            |(id, own): (TransitionId, Bindings)| (id, names.clone().into_iter().chain(own).collect());
        let group: Vec<(TransitionId, Bindings)> = group.into_iter().map(with_names).collect();
        let holds = self.guard(first, &group, with_any, oracle)?;
        Ok(holds.then_some(bindings))
    }

    /// Whether two transitions wait for the same time or condition.
    fn is_alike(&self, one: TransitionId, other: TransitionId) -> bool {
        let triggers = |id: TransitionId| &self.machine.transitions[id].triggers;
        triggers(one).iter().any(|trigger| match (trigger, triggers(other)) {
            (Trigger::After(_) | Trigger::When(_), others) => others.contains(trigger),
            (Trigger::Event { .. } | Trigger::Any, _) => false,
        })
    }

    /// The parameters with which a trigger fits.
    pub(crate) fn fits(&self, id: TransitionId, occasion: Occasion, with_any: bool) -> Option<Bindings> {
        let transition = &self.machine.transitions[id];
        match occasion {
            Occasion::Completed(vertex) => {
                let is_its = transition.triggers.is_empty() && transition.source == vertex && !with_any;
                is_its.then(Bindings::new)
            }
            Occasion::Timed(timed) => (id == timed && !with_any).then(Bindings::new),
            Occasion::Message(message) => transition.triggers.iter().find_map(|trigger| match trigger {
                Trigger::Event { name, parameters } if *name == message.name && !with_any => {
                    self.bound(parameters, &message.arguments)
                }
                Trigger::Any if with_any => Some(Bindings::new()),
                Trigger::Event { .. } | Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
            }),
        }
    }

    /// `x` is bound to the value; `x = 1` and `1` fit only that value.
    fn bound(&self, parameters: &[String], arguments: &[NaiveValue]) -> Option<Bindings> {
        let mut bindings = Bindings::new();
        for (parameter, value) in parameters.iter().zip(arguments) {
            let (name, wanted) = match parameter.split_once('=') {
                Some((name, wanted)) => (name.trim(), Some(self.naive.constant(wanted))),
                None => match self.naive.constant(parameter) {
                    constant @ (NaiveValue::Bool(_) | NaiveValue::Int(_)) => ("", Some(constant)),
                    NaiveValue::Literal(_) | NaiveValue::Object(_) => (parameter.as_str(), None),
                },
            };
            if wanted.is_some_and(|wanted| wanted != *value) {
                return None;
            }
            bindings.insert(name.to_owned(), value.clone());
        }
        Some(bindings)
    }

    /// Whether the guard of one of a group holds: transitions of one source that fit the same occasion.
    pub(crate) fn guard(
        &self,
        one: TransitionId,
        group: &[(TransitionId, Bindings)],
        with_any: bool,
        oracle: &mut Oracle,
    ) -> Result<bool, NaiveFault> {
        let Some(condition) = &self.machine.transitions[one].guard else { return Ok(true) };
        if is_else(condition) {
            for (other, _) in group {
                let is_else = self.machine.transitions[*other].guard.as_ref().is_some_and(is_else);
                if *other != one && !is_else && self.guard(*other, group, with_any, oracle)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let bindings = &group.iter().find(|(other, _)| *other == one).expect("it belongs to its group").1;
        match self.data(condition, bindings) {
            Some(truth) => truth,
            None => Ok(self.free(group, with_any, oracle) == Some(one)),
        }
    }

    /// The truth of a guard over known names.
    fn data(&self, condition: &Condition, bindings: &Bindings) -> Option<Result<bool, NaiveFault>> {
        let value = self.naive.value(self.id, self.object, bindings, condition.expression.as_ref()?)?;
        match value {
            Err(fault) => Some(Err(fault)),
            Ok(NaiveValue::Bool(truth)) => Some(Ok(truth)),
            Ok(NaiveValue::Int(_) | NaiveValue::Literal(_) | NaiveValue::Object(_)) => None,
        }
    }

    /// Which guard in prose of a group is true, if any is.
    fn free(
        &self,
        group: &[(TransitionId, Bindings)],
        with_any: bool,
        oracle: &mut Oracle,
    ) -> Option<TransitionId> {
        let source = self.machine.transitions[group[0].0].source;
        if let Some(known) = oracle.prose.get(&(source, with_any)) {
            return *known;
        }
        let guard = |id: &TransitionId| self.machine.transitions[*id].guard.as_ref();
        let is_prose = |(id, bindings): &&(TransitionId, Bindings)| {
            guard(id).is_some_and(|guard| !is_else(guard) && self.data(guard, bindings).is_none())
        };
        let prose: Vec<TransitionId> = group.iter().filter(is_prose).map(|(id, _)| *id).collect();
        let has_else = group.iter().any(|(id, _)| guard(id).is_some_and(is_else));
        let may_be_none = prose.len() == 1 || has_else;
        let choice = oracle.choose(prose.len() + usize::from(may_be_none));
        let chosen = prose.get(choice).copied();
        oracle.prose.insert((source, with_any), chosen);
        chosen
    }

    /// Those of the segments from a pseudostate whose guards hold.
    pub(crate) fn open(
        &self,
        outgoing: &[TransitionId],
        bindings: &Bindings,
        oracle: &mut Oracle,
    ) -> Result<Vec<TransitionId>, NaiveFault> {
        let group: Vec<(TransitionId, Bindings)> =
            outgoing.iter().map(|id| (*id, bindings.clone())).collect();
        let mut open = Vec::new();
        for id in outgoing {
            if self.guard(*id, &group, false, oracle)? {
                open.push(*id);
            }
        }
        Ok(open)
    }
}

/// Whether a guard is `else`.
fn is_else(condition: &Condition) -> bool {
    condition.expression.is_none() && condition.text == "else"
}
