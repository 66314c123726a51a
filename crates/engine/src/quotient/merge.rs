//! Merging: which messages of a queue are alike.
//!
//! Two messages are alike if wherever one stands in a place of the queue the other could: each rule that fires with the one
//! has a rule of the same [colour](colours) that fires with the other under the same condition, and writes the same values,
//! up to messages that are alike. That is the coarsest partition of the messages that refines itself; it is found by dividing
//! classes as long as the [reactions](Reaction) to two of their messages differ, as for the bisimulation of automata.
//!
//! It is enough to look at one place at a time, as two contents that differ in several places are joined by contents that differ
//! in one. A queue is left as it is where its places are more than compared with messages and copied: where a predicate looks at
//! its messages, or a value that is no message gets in.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use sequent_kernel::id::IdVec;
use sequent_kernel::question::Sight;
use sequent_kernel::system::{Join, QueueId, RuleId, System, TermId, TermNode, Terms, VariableId};

use super::Places;
use super::rewrite::Content;

/// A number for what a question, fairness and the other rules see of a rule, apart from guard and updates.
pub(crate) type RuleColour = usize;

/// The colours of rules.
pub(crate) fn colours(system: &System, sight: &Sight) -> IdVec<RuleId, RuleColour> {
    let mut fairness: IdVec<RuleId, Vec<(usize, bool)>> = system.rules.iter().map(|_| Vec::new()).collect();
    let owed = system.endless.iter().flat_map(|endless| &endless.owed);
    for (number, owed) in owed.enumerate() {
        owed.when.iter().for_each(|rule| fairness[*rule].push((number, false)));
        owed.payers.iter().for_each(|rule| fairness[*rule].push((number, true)));
    }
    let mut numbers = BTreeMap::new();
    let rules = system.rules.iter().zip(fairness);
    let colour = rules.map(|(rule, fairness)| {
        let letter = rule.event.map(|event| sight.letters[event]);
        let next = numbers.len();
        *numbers.entry((rule.component, letter, rule.urgent, fairness)).or_insert(next)
    });
    colour.collect()
}

/// For the places of queues the number of the class of each message, from 1; 0 is for no message. `None` if no two messages are
/// known to be alike.
pub(crate) fn merged(system: &System, sight: &Sight, colours: &IdVec<RuleId, RuleColour>) -> Option<Places> {
    if system.rules.iter().any(|rule| rule.join != Join::Alone) {
        return None;
    }
    let uses = Uses::new(system, sight);
    let queues: BTreeMap<QueueId, &[VariableId]> =
        system.fifos().filter(|(queue, _)| !uses.closed.contains(queue)).collect();
    let mut classes: BTreeMap<QueueId, Rc<[i32]>> =
        queues.iter().map(|(queue, places)| (*queue, together(system, places))).collect();
    let mut reactions =
        Reactions { system, terms: system.terms.clone(), colours, uses: &uses, known: HashMap::new() };
    loop {
        let places = by_place(&queues, &classes);
        let mut is_stable = true;
        for (queue, places_of_it) in &queues {
            let finer = reactions.divided(places_of_it, &classes[queue], &places);
            is_stable &= finer == classes[queue];
            classes.insert(*queue, finer);
        }
        if is_stable {
            break;
        }
    }
    classes
        .retain(|_, numbers| numbers.iter().max().is_some_and(|most| (*most as usize) + 1 < numbers.len()));
    (!classes.is_empty()).then(|| by_place(&queues, &classes))
}

/// All messages of a queue in one class.
fn together(system: &System, places: &[VariableId]) -> Rc<[i32]> {
    let most = places.iter().map(|place| system.variables[*place].max).max().unwrap_or(0);
    (0..=most).map(|number| number.min(1)).collect()
}

fn by_place(queues: &BTreeMap<QueueId, &[VariableId]>, classes: &BTreeMap<QueueId, Rc<[i32]>>) -> Places {
    let of_queue = |(queue, numbers): (&QueueId, &Rc<[i32]>)| {
        queues[queue].iter().map(|place| (*place, Rc::clone(numbers))).collect::<Vec<_>>()
    };
    classes.iter().flat_map(of_queue).collect()
}

/// What is done with the places of queues.
struct Uses {
    places: HashMap<VariableId, QueueId>,
    /// By place and message, the rules that compare the two.
    comparing: BTreeMap<(VariableId, i32), BTreeSet<RuleId>>,
    /// Queues with other uses.
    closed: BTreeSet<QueueId>,
}

impl Uses {
    fn new(system: &System, sight: &Sight) -> Self {
        let places = system.fifos().flat_map(|(id, places)| places.iter().map(move |place| (*place, id)));
        let mut uses = Uses { places: places.collect(), comparing: BTreeMap::new(), closed: BTreeSet::new() };
        for (id, rule) in system.rules.enumerate() {
            uses.condition(system, rule.guard, Some(id));
            let mut written = BTreeSet::new();
            for (variable, term) in &rule.updates {
                match uses.places.get(variable).copied() {
                    Some(queue) if written.insert(*variable) => uses.content(system, *term, queue, id),
                    Some(queue) => {
                        uses.closed.insert(queue);
                    }
                    None => uses.condition(system, *term, Some(id)),
                }
            }
        }
        let endless = system.endless.iter().flat_map(|endless| &endless.rests);
        let own = [system.complete, system.void, system.invalid, system.inconclusive, system.strained];
        let all = own.iter().chain(&system.recurrent).chain(endless).chain(&sight.predicates);
        all.for_each(|predicate| uses.condition(system, *predicate, None));
        uses
    }

    /// Notes the comparisons in a term that is no content of a queue. Whether a place is empty may be asked by everything, which
    /// message is there by rules alone.
    fn condition(&mut self, system: &System, term: TermId, rule: Option<RuleId>) {
        let mut open = vec![term];
        let mut seen = BTreeSet::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match (system.terms.as_literal(term), system.terms.node(term)) {
                (Some((variable, number)), _) => {
                    let Some(queue) = self.places.get(&variable).filter(|_| number != 0) else { continue };
                    match rule {
                        Some(rule) => {
                            self.comparing.entry((variable, number)).or_default().insert(rule);
                        }
                        None => {
                            self.closed.insert(*queue);
                        }
                    }
                }
                (None, TermNode::Variable(variable)) => self.closed.extend(self.places.get(variable)),
                (None, _) => open.extend(system.terms.parts(term)),
            }
        }
    }

    /// Notes what gets into a queue.
    fn content(&mut self, system: &System, term: TermId, queue: QueueId, rule: RuleId) {
        let most = system.queues[queue].order.slots().iter().map(|place| system.variables[*place].max).min();
        match system.terms.node(term) {
            TermNode::Constant(number) if (0..=most.unwrap_or(0)).contains(number) => {}
            TermNode::Variable(place) if self.places.get(place) == Some(&queue) => {}
            TermNode::If(condition, yes, no) => {
                self.condition(system, *condition, Some(rule));
                self.content(system, *yes, queue, rule);
                self.content(system, *no, queue, rule);
            }
            TermNode::Constant(_)
            | TermNode::Variable(_)
            | TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..) => {
                self.closed.insert(queue);
                self.condition(system, term, Some(rule));
            }
        }
    }
}

/// What one rule does if some message is in a place. A rule that could fire with a message that it does not name is its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Reaction {
    place: VariableId,
    own: Option<RuleId>,
    colour: RuleColour,
    guard: TermId,
    updates: Vec<(VariableId, TermId)>,
}

/// Reactions to messages.
struct Reactions<'s> {
    system: &'s System,
    terms: Terms,
    colours: &'s IdVec<RuleId, RuleColour>,
    uses: &'s Uses,
    /// Terms where some message is in some place.
    known: HashMap<(TermId, VariableId, i32), TermId>,
}

impl Reactions<'_> {
    /// Classes of messages, divided by the reactions to them.
    fn divided(&mut self, of_queue: &[VariableId], classes: &Rc<[i32]>, places: &Places) -> Rc<[i32]> {
        let mut finer: BTreeMap<(i32, BTreeSet<Reaction>), i32> = BTreeMap::new();
        let mut numbers = vec![0];
        for (number, class) in classes.iter().enumerate().skip(1) {
            let reactions = self.to(of_queue, number as i32, places);
            let next = finer.len() as i32 + 1;
            numbers.push(*finer.entry((*class, reactions)).or_insert(next));
        }
        numbers.into()
    }

    fn to(&mut self, of_queue: &[VariableId], number: i32, places: &Places) -> BTreeSet<Reaction> {
        let uses = self.uses;
        let mut all = BTreeSet::new();
        for place in of_queue {
            for rule in uses.comparing.get(&(*place, number)).into_iter().flatten() {
                all.extend(self.reaction(*rule, *place, number, places));
            }
        }
        all
    }

    /// What a rule does that names a message; `None` if it never fires with it.
    fn reaction(&mut self, id: RuleId, place: VariableId, number: i32, places: &Places) -> Option<Reaction> {
        let rule = &self.system.rules[id];
        let guard = self.with(rule.guard, place, number);
        // No message has this number: the rule is asked for one that it does not name.
        let other = self.with(rule.guard, place, i32::MAX);
        let fires = |terms: &Terms, guard: TermId| terms.as_constant(guard) != Some(0);
        let own = fires(&self.terms, other).then_some(id);
        if own.is_none() && !fires(&self.terms, guard) {
            return None;
        }
        let mut updates = Vec::with_capacity(rule.updates.len());
        for (variable, term) in &rule.updates {
            let term = self.with(*term, place, number);
            let term = match places.get(variable) {
                Some(numbers) => {
                    Content { terms: &mut self.terms, others: &HashMap::new(), numbers }.of(term)
                }
                None => term,
            };
            updates.push((*variable, term));
        }
        updates.sort();
        Some(Reaction { place, own, colour: self.colours[id], guard, updates })
    }

    /// A term where a message is in a place.
    fn with(&mut self, term: TermId, place: VariableId, number: i32) -> TermId {
        if let Some(known) = self.known.get(&(term, place, number)) {
            return *known;
        }
        let others = HashMap::from([(self.terms.variable(place), self.terms.constant(number))]);
        let replaced = self.terms.replace(term, &others);
        self.known.insert((term, place, number), replaced);
        replaced
    }
}
