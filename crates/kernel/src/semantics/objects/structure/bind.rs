//! Which objects play the lifelines of a diagram (rule M5).
//!
//! A lifeline that names an object is played by it. One that names a class alone (`: ATM`, or a lifeline `ATM` where no object has that name)
//! stands for any object of the class: each [`LifelineBinding`] is one choice. Within one diagram such a lifeline is played by an object that
//! plays no other lifeline; diagrams that refer to each other share the lifelines of the same name (P1, section 4; rule I9).

use std::collections::{BTreeMap, BTreeSet};

use super::{InstanceId, Structure};
use crate::model::{InteractionId, Lifeline, Model};

/// The objects that play lifelines, by the names of the lifelines.
pub type LifelineBinding = BTreeMap<String, InstanceId>;

/// More choices of objects than this are not looked at.
const MOST_BINDINGS: usize = 1_000;

/// That there are more bindings than are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyBindings;

/// What a lifeline stands for.
pub(super) enum LifelineRole<'l> {
    /// An object, by its name.
    Object(&'l str),
    /// Any object of a class, by the name of the class.
    Class(&'l str),
}

/// What a lifeline stands for, by what is written; a name without class may be that of an object or of a class.
pub(super) fn role(lifeline: &Lifeline) -> LifelineRole<'_> {
    match (&lifeline.class, labelled(lifeline)) {
        (Some(_), Some(own)) if !own.is_empty() => LifelineRole::Object(own),
        (Some(class), _) => LifelineRole::Class(class),
        (None, _) => LifelineRole::Class(&lifeline.name),
    }
}

/// The name before the colon of a label `name : Class`.
fn labelled(lifeline: &Lifeline) -> Option<&str> {
    lifeline.class.as_ref().and(lifeline.label.split_once(':')).map(|(own, _)| own.trim())
}

impl Structure {
    /// The object that a lifeline names.
    fn named_by(&self, lifeline: &Lifeline) -> Option<InstanceId> {
        let by_name = |name: &str| self.objects.find(|object| object.name == name);
        by_name(&lifeline.name).or_else(|| by_name(labelled(lifeline)?))
    }

    /// The objects that a lifeline may stand for: the one that it names, else all of the class that it names alone; else the
    /// same by its label.
    pub fn players(&self, lifeline: &Lifeline) -> Vec<InstanceId> {
        if let Some(named) = self.named_by(lifeline) {
            return vec![named];
        }
        let of_kind = |kind: &str| -> Vec<InstanceId> {
            let lower = kind.to_lowercase();
            let fits = self.objects.enumerate().filter(|(_, object)| object.kinds.contains(&lower));
            fits.map(|(id, _)| id).collect()
        };
        let known = match role(lifeline) {
            LifelineRole::Object(_) => Vec::new(),
            LifelineRole::Class(class) => of_kind(class),
        };
        match lifeline.own_label().filter(|_| known.is_empty()) {
            Some(label) => self
                .objects
                .find(|object| object.name == *label)
                .map_or_else(|| of_kind(label), |id| vec![id]),
            None => known,
        }
    }

    /// The object that a lifeline stands for, if there is no choice.
    pub fn object_of(&self, lifeline: &Lifeline) -> Option<InstanceId> {
        match self.players(lifeline).as_slice() {
            [only] => Some(*only),
            [] | [_, _, ..] => None,
        }
    }

    /// The lifelines of a diagram, and of those that it uses, that stand for any of several objects.
    pub fn open_lifelines<'m>(&self, model: &'m Model, about: InteractionId) -> Vec<&'m Lifeline> {
        let mut found: Vec<&Lifeline> = Vec::new();
        for id in model.family(about) {
            for lifeline in model.interactions[id].lifelines.iter() {
                let is_new = found.iter().all(|known| known.name != lifeline.name);
                if is_new && self.players(lifeline).len() > 1 {
                    found.push(lifeline);
                }
            }
        }
        found
    }

    /// All ways in which objects play the lifelines of a diagram and of those that it uses. A lifeline without any object to play
    /// it is left out.
    pub fn bindings(
        &self,
        model: &Model,
        about: InteractionId,
    ) -> Result<Vec<LifelineBinding>, TooManyBindings> {
        let mut bindings = vec![LifelineBinding::new()];
        for id in model.family(about) {
            let lifelines = &model.interactions[id].lifelines;
            let (named, any): (Vec<&Lifeline>, Vec<&Lifeline>) =
                lifelines.iter().partition(|lifeline| self.named_by(lifeline).is_some());
            let mut extended = Vec::new();
            for binding in bindings {
                let mut known = binding;
                for lifeline in &named {
                    if let Some(object) = self.named_by(lifeline) {
                        known.entry(lifeline.name.clone()).or_insert(object);
                    }
                }
                self.choose(
                    &any,
                    known,
                    lifelines.iter().map(|one| one.name.as_str()).collect(),
                    &mut extended,
                )?;
            }
            bindings = extended;
        }
        Ok(bindings)
    }

    /// Chooses objects for lifelines that name a class alone, beside those that play the others of the diagram.
    fn choose(
        &self,
        any: &[&Lifeline],
        known: LifelineBinding,
        diagram: BTreeSet<&str>,
        all: &mut Vec<LifelineBinding>,
    ) -> Result<(), TooManyBindings> {
        let mut open = vec![(0, known)];
        while let Some((at, binding)) = open.pop() {
            let Some(lifeline) = any.get(at) else {
                if all.len() == MOST_BINDINGS {
                    return Err(TooManyBindings);
                }
                all.push(binding);
                continue;
            };
            let players = self.players(lifeline);
            if binding.contains_key(&lifeline.name) || players.is_empty() {
                open.push((at + 1, binding));
                continue;
            }
            let is_free = |object: &InstanceId| {
                !binding.iter().any(|(name, known)| known == object && diagram.contains(name.as_str()))
            };
            // The first choice is taken last from the stack's end, so choices come in the order of the objects.
            for object in players.into_iter().filter(is_free).rev() {
                let mut next = binding.clone();
                next.insert(lifeline.name.clone(), object);
                open.push((at + 1, next));
            }
        }
        Ok(())
    }
}
