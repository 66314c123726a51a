//! The search for orders that the machines can follow, where lifelines alone do not tell.
//!
//! Merges are searched for along the merge graph, side after side. Wherever both sides could come next the machines are asked whether any merge with this
//! beginning is possible: a search of their states with all remaining additions of both sides in any order ([`AtomSpans::arranged`]). So a beginning
//! that leads nowhere is left at once, and no order is listed in vain. Beginnings that look the same to every lifeline are asked about once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigUint;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Block, Interaction, InteractionId, LifelineId, MachineId, Model};
use sequent_kernel::semantics::event_text;
use sequent_kernel::source::Span;
use sequent_kernel::verdict::Verdict;

pub(in crate::merge) use super::arrange::AtomKey;
use super::arrange::{AtomSpans, ChoiceSize};
use super::full;
use super::model::FileModel;
use crate::merge::draft::PlacedChunk;
use crate::merge::options::Environment;
use crate::merge::side::{Interleaving, RevisionSide};
use sequent_report::reason;

/// The most questions about one diagram.
const MOST_QUESTIONS: usize = 3_000;

/// What the machines are asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::merge) struct Demands {
    /// Lifelines whose machines must be able to receive what they receive.
    pub lifelines: Vec<String>,
    /// Whether the machines must be able to do it together.
    pub is_full: bool,
}

/// An answer of the machines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::merge) enum Fit {
    /// It is possible.
    Yes,
    /// It is impossible, because of this message where that is known.
    No(Option<String>),
    /// It is not known, for this reason.
    Unknown(String),
}

/// A beginning as each lifeline sees it.
type Views = Vec<Vec<AtomKey>>;

/// A diagram whose merges are searched for.
pub(in crate::merge) struct OrderSearch<'s> {
    model: FileModel,
    id: InteractionId,
    whole: Interaction,
    atoms: AtomSpans,
    demands: Demands,
    environment: &'s Environment<'s>,
    /// Atoms that are left out.
    left_out: Vec<AtomKey>,
    /// The lifelines of each atom; `None` if it may concern all.
    touched: BTreeMap<AtomKey, Option<BTreeSet<LifelineId>>>,
    known: HashMap<Views, Fit>,
    questions: usize,
}

impl<'s> OrderSearch<'s> {
    /// Prepares a search in a diagram as it was read with our additions first; `choices` are its chunks in the text.
    pub(crate) fn new(
        model: FileModel,
        id: InteractionId,
        (placed, choices): (&[PlacedChunk], &[usize]),
        demands: Demands,
        environment: &'s Environment<'s>,
    ) -> Self {
        let whole = model.interaction(id).clone();
        let atoms = AtomSpans::new(model.file, placed, choices);
        let touched = atoms.keys().map(|key| (key, atoms.lifelines(&whole, key, false))).collect();
        let (left_out, known) = Default::default();
        OrderSearch { model, id, whole, atoms, demands, environment, left_out, touched, known, questions: 0 }
    }

    /// Leaves some atoms out from now on.
    pub(crate) fn leave_out(&mut self, left_out: Vec<AtomKey>) {
        self.left_out = left_out;
        self.known.clear();
    }

    /// Asks one lifeline alone from now on, about the atoms that it receives; returns these atoms.
    pub(crate) fn restrict_to(&mut self, lifeline: &str) -> BTreeSet<AtomKey> {
        let id = self.whole.lifelines.find(|line| line.name == lifeline);
        let is_received = |key: &AtomKey| match (self.atoms.lifelines(&self.whole, *key, true), id) {
            (Some(receivers), Some(id)) => receivers.contains(&id),
            (_, _) => true,
        };
        let own: BTreeSet<AtomKey> = self.atoms.keys().filter(is_received).collect();
        self.leave_out(self.atoms.keys().filter(|key| !own.contains(key)).collect());
        self.demands = Demands { lifelines: vec![lifeline.to_owned()], is_full: false };
        self.questions = 0;
        own
    }

    /// Returns the model that is asked, for changing it.
    pub(crate) fn model(&mut self) -> &mut Model {
        self.known.clear();
        &mut self.model.reading.model
    }

    /// Returns the name of an atom.
    pub(crate) fn name(&self, key: AtomKey) -> String {
        let asked = self.model.machines(self.id).into_keys().collect();
        self.atoms.name(&self.whole, key, &asked)
    }

    /// Returns file and line of a place.
    pub(crate) fn line(&self, span: Span) -> String {
        self.model.line(span)
    }

    /// Returns the machine that should receive a message, given as text, and the name of the message.
    pub(crate) fn receiver(&self, text: &str) -> Option<(MachineId, String)> {
        let mut messages = self.whole.messages.iter();
        let message = messages.find(|message| event_text(&self.whole, message) == text)?;
        let machine = *self.model.machines(self.id).get(&message.to.lifeline()?)?;
        Some((machine, message.name.clone()))
    }

    /// Returns the number of questions that were asked.
    pub(crate) fn questions_asked(&self) -> usize {
        self.questions
    }

    /// Whether no more questions may be asked.
    pub(crate) fn is_spent(&self) -> bool {
        self.questions >= MOST_QUESTIONS
    }

    fn sizes(&self) -> Vec<ChoiceSize> {
        self.atoms.sizes(&|key| !self.left_out.contains(&key))
    }

    /// Returns all atoms.
    pub(crate) fn keys(&self) -> Vec<AtomKey> {
        self.atoms.keys().collect()
    }

    /// Returns whether some merge with this beginning is possible, as far as that is known; for a whole order, whether it is.
    pub(crate) fn fit(&mut self, beginning: &[RevisionSide]) -> Fit {
        let key = self.views(beginning);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.is_spent() {
            return Fit::Unknown("too many orders would have to be tried".to_owned());
        }
        self.questions += 1;
        let left_out = &self.left_out;
        let body = self.atoms.arranged(&self.whole, &|key| !left_out.contains(&key), beginning);
        let fit = self.ask(body);
        self.known.insert(key, fit.clone());
        fit
    }

    /// Whether a merge with this beginning may be possible. With blocking calls an unfinished merge tells nothing: which lifeline waits for which
    /// depends on the order.
    pub(crate) fn is_open(&mut self, beginning: &[RevisionSide]) -> bool {
        self.environment.settings.switches.blocking_calls || !matches!(self.fit(beginning), Fit::No(_))
    }

    fn ask(&mut self, body: Block) -> Fit {
        self.model.reading.model.interactions[self.id].body = body;
        let lifelines = self.whole.lifelines.iter().map(|line| line.name.clone());
        let left_out: Vec<String> = lifelines.filter(|name| !self.demands.lifelines.contains(name)).collect();
        if left_out.len() < self.whole.lifelines.len() {
            if let Some((_, fault)) = self.model.first_fault(self.id, &left_out) {
                return Fit::No(Some(fault));
            }
        }
        if !self.demands.is_full {
            return Fit::Yes;
        }
        let Environment { settings, effort, .. } = *self.environment;
        let (verdict, message) = full::possible(&mut self.model, self.id, settings, effort);
        match verdict {
            Verdict::Holds(_) => Fit::Yes,
            Verdict::Fails(_) => Fit::No(message),
            Verdict::Unknown(reason) => Fit::Unknown(reason::words(&reason)),
        }
    }

    /// Returns a beginning as each lifeline sees it: atoms that no lifeline shares may be swapped.
    fn views(&self, beginning: &[RevisionSide]) -> Views {
        let mut views: Views = vec![Vec::new(); self.whole.lifelines.len() + 1];
        let mut sides = beginning.iter();
        for size in self.sizes() {
            let mut own = RevisionSide::BOTH.map(|side| {
                let is_own =
                    move |key: &AtomKey| (key.0, key.1) == (size.chunk, side) && !self.left_out.contains(key);
                self.atoms.keys().filter(is_own)
            });
            for side in sides.by_ref().take(size.total()) {
                let Some(key) = own[*side as usize].next() else { continue };
                match self.touched.get(&key) {
                    Some(Some(lifelines)) if !lifelines.is_empty() => {
                        lifelines.iter().for_each(|line| views[line.index() + 1].push(key));
                    }
                    Some(_) | None => views.iter_mut().for_each(|line| line.push(key)),
                }
            }
        }
        views
    }

    /// Whether there is an order that is possible.
    pub(crate) fn has_merge(&mut self) -> bool {
        self.has_merge_from(&mut Interleaving::new())
    }

    fn has_merge_from(&mut self, beginning: &mut Interleaving) -> bool {
        let ways = self.ways(beginning);
        if ways == [false, false] {
            return self.fit(beginning) == Fit::Yes;
        }
        if self.is_spent() || (ways == [true, true] && !self.is_open(beginning)) {
            return false;
        }
        RevisionSide::BOTH.into_iter().filter(|side| ways[*side as usize]).any(|side| {
            beginning.push(side);
            let is_found = self.has_merge_from(beginning);
            beginning.pop();
            is_found
        })
    }

    /// Returns the number of possible orders; `None` if that is not known. `next` returns which sides may follow a beginning, `spread` the beginning atom
    /// by atom.
    pub(crate) fn count(&mut self, next: NextSides<'_>, spread: Spread<'_>) -> Option<BigUint> {
        self.count_from(&mut Interleaving::new(), (next, spread), &mut HashMap::new())
    }

    /// Beginnings with the same views have the same number of continuations.
    fn count_from(
        &mut self,
        beginning: &mut Interleaving,
        (next, spread): (NextSides<'_>, Spread<'_>),
        counted: &mut HashMap<Views, BigUint>,
    ) -> Option<BigUint> {
        let spelled = spread(beginning);
        let key = self.views(&spelled);
        if let Some(count) = counted.get(&key) {
            return Some(count.clone());
        }
        let ways = next(beginning);
        let count = if ways == [false, false] {
            match self.fit(&spelled) {
                Fit::Yes => BigUint::from(1_u32),
                Fit::No(_) => BigUint::ZERO,
                Fit::Unknown(_) => return None,
            }
        } else if self.is_spent() {
            return None;
        } else if ways == [true, true] && !self.is_open(&spelled) {
            BigUint::ZERO
        } else {
            let mut sum = BigUint::ZERO;
            for side in RevisionSide::BOTH.into_iter().filter(|side| ways[*side as usize]) {
                beginning.push(side);
                let count = self.count_from(beginning, (next, spread), counted);
                beginning.pop();
                sum += count?;
            }
            sum
        };
        counted.insert(key, count.clone());
        Some(count)
    }

    /// Returns which sides have atoms left in the choice in which a beginning ends.
    pub(crate) fn ways(&self, beginning: &[RevisionSide]) -> [bool; 2] {
        let mut rest = beginning;
        for size in self.sizes() {
            let (own, later) = rest.split_at(size.total().min(rest.len()));
            rest = later;
            let used = |side: RevisionSide| own.iter().filter(|one| **one == side).count();
            let left = RevisionSide::BOTH.map(|side| used(side) < size.sides[side as usize]);
            if left != [false, false] {
                return left;
            }
        }
        [false, false]
    }
}

/// Which sides may follow a beginning.
pub(in crate::merge) type NextSides<'n> = &'n dyn Fn(&[RevisionSide]) -> [bool; 2];

/// A beginning, atom by atom.
pub(in crate::merge) type Spread<'n> = &'n dyn Fn(&[RevisionSide]) -> Interleaving;
