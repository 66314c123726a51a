//! The search for orders that the machines can follow, where lifelines alone do not tell.
//!
//! Merges are looked for along the merge graph, side after side. Wherever both sides could come next the machines are asked whether anything that begins so
//! can still be done: a search of their states together with everything that is left of both sides, in any order ([`Atoms::arranged`]). So a beginning
//! that leads nowhere is left at once, and no order is listed in vain. Beginnings that look the same from every lifeline are asked about once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigUint;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Block, Interaction, InteractionId, LifelineId, MachineId, Model};
use sequent_kernel::semantics::event_text;
use sequent_kernel::source::Span;
use sequent_kernel::verdict::Verdict;

use super::arrange::{AtomKey, Atoms, Size};
use super::full;
use super::order::{Order, Side};
use super::stage::Stage;
use crate::behaviour::Effort;
use crate::settings::Settings;

/// No more questions are asked about one diagram.
const MOST_QUESTIONS: usize = 3_000;

/// What the machines are asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demands {
    /// Lifelines whose machines must be able to receive what they receive.
    pub lifelines: Vec<String>,
    /// Whether the machines must be able to do it together.
    pub is_full: bool,
}

/// An answer of the machines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fit {
    /// It can be done.
    Yes,
    /// It cannot, because of this message where that is known.
    No(Option<String>),
    /// Nobody knows, and why.
    Unknown(String),
}

/// A diagram whose merges are looked for.
pub struct Search<'s> {
    stage: Stage,
    id: InteractionId,
    whole: Interaction,
    atoms: Atoms,
    demands: Demands,
    settings: &'s Settings,
    effort: &'s Effort<'s>,
    /// Elements that are left out.
    left_out: Vec<AtomKey>,
    /// The lifelines of each element; `None` if it may concern all.
    touched: BTreeMap<AtomKey, Option<Vec<LifelineId>>>,
    known: HashMap<Vec<Vec<AtomKey>>, Fit>,
    questions: usize,
}

impl<'s> Search<'s> {
    /// Prepares a search in a diagram as it was read with our additions first.
    pub fn new(
        stage: Stage,
        id: InteractionId,
        atoms: Atoms,
        demands: Demands,
        settings: &'s Settings,
        effort: &'s Effort<'s>,
    ) -> Self {
        let whole = stage.interaction(id).clone();
        let touched = atoms.keys().map(|key| {
            let lifelines = atoms.lifelines(&whole, key, false);
            (key, lifelines.map(|lifelines| lifelines.into_iter().collect()))
        });
        let touched = touched.collect();
        Search {
            stage,
            id,
            whole,
            atoms,
            demands,
            settings,
            effort,
            left_out: Vec::new(),
            touched,
            known: HashMap::new(),
            questions: 0,
        }
    }

    /// Leaves some elements out from now on.
    pub fn leave_out(&mut self, left_out: Vec<AtomKey>) {
        self.left_out = left_out;
        self.known.clear();
    }

    /// Asks one lifeline alone from now on, about the elements that it receives; whether an element is among them.
    pub fn alone(&mut self, lifeline: &str) -> BTreeSet<AtomKey> {
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

    /// The model that is asked.
    pub fn model(&mut self) -> &mut Model {
        self.known.clear();
        &mut self.stage.reading.model
    }

    /// What happens in an element.
    pub fn name(&self, key: AtomKey) -> String {
        self.atoms.name(&self.whole, key)
    }

    /// File and line of a place.
    pub fn line(&self, span: Span) -> String {
        self.stage.line(span)
    }

    /// The machine that should receive a message, given as text, and the name of the message.
    pub fn receiver(&self, text: &str) -> Option<(MachineId, String)> {
        let mut messages = self.whole.messages.iter();
        let message = messages.find(|message| event_text(&self.whole, message) == text)?;
        let machine = *self.stage.machines(self.id).get(&message.to.lifeline()?)?;
        Some((machine, message.name.clone()))
    }

    /// Whether no more questions may be asked.
    pub fn is_spent(&self) -> bool {
        self.questions >= MOST_QUESTIONS
    }

    /// The choices, without what is left out.
    pub fn sizes(&self) -> Vec<Size> {
        self.atoms.sizes(&|key| !self.left_out.contains(&key))
    }

    /// All elements.
    pub fn keys(&self) -> Vec<AtomKey> {
        self.atoms.keys().collect()
    }

    /// Whether some merge that begins so can be done, as far as that is known; for a whole order, whether it can.
    pub fn fit(&mut self, beginning: &[Side]) -> Fit {
        let key = self.seen(beginning);
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

    /// Whether anything that begins so may fit. With blocking calls an unfinished merge says nothing: who waits for whom depends on the order.
    pub fn is_open(&mut self, beginning: &[Side]) -> bool {
        self.settings.switches.blocking_calls || !matches!(self.fit(beginning), Fit::No(_))
    }

    fn ask(&mut self, body: Block) -> Fit {
        self.stage.reading.model.interactions[self.id].body = body;
        let lifelines = self.whole.lifelines.iter();
        let is_asked = |name: &String| self.demands.lifelines.contains(name);
        let left_out: Vec<String> =
            lifelines.map(|line| line.name.clone()).filter(|name| !is_asked(name)).collect();
        if left_out.len() < self.whole.lifelines.len() {
            if let Some(fault) = self.stage.first_fault(self.id, &left_out) {
                return Fit::No(Some(fault));
            }
        }
        if !self.demands.is_full {
            return Fit::Yes;
        }
        let (verdict, message) = full::possible(&mut self.stage, self.id, self.settings, self.effort);
        match verdict {
            Verdict::Holds(_) => Fit::Yes,
            Verdict::Fails(_) => Fit::No(message),
            Verdict::Unknown(reason) => Fit::Unknown(reason),
        }
    }

    /// A beginning as each lifeline sees it: elements that no lifeline shares may change places.
    fn seen(&self, beginning: &[Side]) -> Vec<Vec<AtomKey>> {
        let mut seen: Vec<Vec<AtomKey>> = vec![Vec::new(); self.whole.lifelines.len() + 1];
        let mut sides = beginning.iter();
        for size in self.sizes() {
            let mut own = Side::BOTH.map(|side| {
                let keys = self.atoms.keys();
                keys.filter(move |key| key.0 == size.slot && key.1 == side)
                    .filter(|key| !self.left_out.contains(key))
            });
            for side in sides.by_ref().take(size.ours + size.theirs) {
                let Some(key) = own[*side as usize].next() else { continue };
                match self.touched.get(&key) {
                    Some(Some(lifelines)) if !lifelines.is_empty() => {
                        lifelines.iter().for_each(|line| seen[line.index() + 1].push(key));
                    }
                    Some(_) | None => seen.iter_mut().for_each(|line| line.push(key)),
                }
            }
        }
        seen
    }

    /// Some order that fits, ours as early as possible.
    pub fn find(&mut self) -> Option<Order> {
        let sizes = self.sizes();
        let mut order = Order::new();
        self.find_from(&mut order, &sizes).then_some(order)
    }

    fn find_from(&mut self, beginning: &mut Order, sizes: &[Size]) -> bool {
        let ways = ways(sizes, beginning);
        if ways == [false, false] {
            return self.fit(beginning) == Fit::Yes;
        }
        if self.is_spent() || (ways == [true, true] && !self.is_open(beginning)) {
            return false;
        }
        for side in Side::BOTH.into_iter().filter(|side| ways[*side as usize]) {
            beginning.push(side);
            if self.find_from(beginning, sizes) {
                return true;
            }
            beginning.pop();
        }
        false
    }

    /// How many orders fit; `None` if that is not known. `next` tells which sides may follow a beginning, `spread` what it stands for.
    pub fn count(&mut self, next: Next<'_>, spread: Spread<'_>) -> Option<BigUint> {
        self.count_from(&mut Order::new(), (next, spread), &mut HashMap::new())
    }

    /// Beginnings that look the same go on in the same way.
    fn count_from(
        &mut self,
        beginning: &mut Order,
        (next, spread): (Next<'_>, Spread<'_>),
        counted: &mut HashMap<Vec<Vec<AtomKey>>, BigUint>,
    ) -> Option<BigUint> {
        let spelled = spread(beginning);
        let key = self.seen(&spelled);
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
            for side in Side::BOTH.into_iter().filter(|side| ways[*side as usize]) {
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
}

/// Which sides may follow a beginning.
pub type Next<'n> = &'n dyn Fn(&[Side]) -> [bool; 2];

/// What a beginning stands for, element by element.
pub type Spread<'n> = &'n dyn Fn(&[Side]) -> Order;

/// Which sides have something left in the choice where a beginning ends.
pub fn ways(sizes: &[Size], beginning: &[Side]) -> [bool; 2] {
    let mut rest = beginning;
    for size in sizes {
        let (own, later) = rest.split_at((size.ours + size.theirs).min(rest.len()));
        rest = later;
        let used = |side: Side| own.iter().filter(|one| **one == side).count();
        let left = Side::BOTH.map(|side| used(side) < size.of(side));
        if left != [false, false] {
            return left;
        }
    }
    [false, false]
}
