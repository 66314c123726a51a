//! Swaps: which components of a System are alike, so that any two of them may change places.
//!
//! Two components may change places if the System stays the same when the variables of each take the place of the variables
//! of the other, in order: the same first values, the same rules, and the same predicates, whatever the order of conjuncts.
//! That is checked and not guessed: all terms are numbered once as they are and once with the variables exchanged, the parts
//! of conjunctions and disjunctions as sets, and rules are compared by these numbers.
//!
//! A component that sends to all of them one after the other does that in some order, and the System does not stay the same.
//! But where these steps are [prompt](super::sends), no other component sees the order: it is enough that in all that the component may
//! do at once, the same messages get into the queues of both, each in the same order. What it may do at once depends only on
//! what the component alone knows, which stays as it is; it is followed from all rules after which something is prompt.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{ComponentId, QueueId, RuleId, System, TermId, TermNode, VariableId};

use super::facts::{Knowledge, SystemFacts};
use super::sends::PromptStep;
use crate::search::accord::VariableTest;

/// Pairs of components that turn out not to be alike; after this number no more are tried.
const MOST_FAILURES: usize = 16;

/// More ways through prompt steps than this are not followed: fewer than the search takes at once.
const MOST_WAYS: usize = 512;

/// Components of which any two may change places: the variables of each, in the same order.
pub(crate) type AlikeBlocks = Vec<Vec<VariableId>>;

/// The least, the greatest and the first value of each variable.
type BlockShape = Vec<(i32, i32, i32)>;

/// All components that are alike.
pub(crate) fn alike(facts: &SystemFacts<'_>, seen: &[TermId], prompt: &[PromptStep]) -> Vec<AlikeBlocks> {
    let system = facts.system;
    let mut kinds: BTreeMap<BlockShape, AlikeBlocks> = BTreeMap::new();
    for block in blocks(system) {
        let shape = |id: &VariableId| {
            let variable = &system.variables[*id];
            (variable.min, variable.max, variable.initial)
        };
        if !block.is_empty() {
            kinds.entry(block.iter().map(shape).collect()).or_default().push(block);
        }
    }
    kinds.retain(|_, blocks| blocks.len() > 1);
    if kinds.is_empty() {
        return Vec::new();
    }
    let mut swaps = Swaps::new(facts, seen, prompt);
    let mut all = Vec::new();
    let mut failures = 0;
    for mut left in kinds.into_values() {
        while failures < MOST_FAILURES && left.len() > 1 {
            let first = left.remove(0);
            let mut class = vec![first];
            let mut others = Vec::new();
            for block in left {
                let is_alike = failures < MOST_FAILURES && swaps.stays(&class[0], &block);
                failures += usize::from(!is_alike);
                if is_alike { class.push(block) } else { others.push(block) }
            }
            left = others;
            if class.len() > 1 {
                all.push(class);
            }
        }
    }
    all
}

/// The variables of each component, queues included.
fn blocks(system: &System) -> Vec<Vec<VariableId>> {
    let mut blocks: IdVec<ComponentId, BTreeSet<VariableId>> =
        system.components.iter().map(|_| BTreeSet::new()).collect();
    for (id, variable) in system.variables.enumerate() {
        if let Some(owner) = variable.owner {
            blocks[owner].insert(id);
        }
    }
    for queue in &system.queues {
        blocks[queue.owner].extend(queue.order.variables());
    }
    blocks.iter().map(|block| block.iter().copied().collect()).collect()
}

/// A rule by numbers of terms: whether it is prompt, its guard, its updates.
type NumberedRule = (bool, TermId, Vec<(VariableId, TermId)>);

/// What stays the same if variables change places.
struct Swaps<'f, 's> {
    facts: &'f SystemFacts<'s>,
    prompt: BTreeMap<RuleId, ComponentId>,
    /// What prompt steps ask for or write, besides queues.
    minds: BTreeMap<ComponentId, BTreeSet<VariableId>>,
    /// What a component may send at once, in order; `None` if that is not known.
    told: Option<BTreeMap<ComponentId, BTreeSet<SentMessages>>>,
    seen: Vec<TermId>,
    known: KnownTerms,
    rules: BTreeSet<NumberedRule>,
    predicates: BTreeSet<TermId>,
}

/// The messages that get into queues.
type SentMessages = BTreeMap<QueueId, Vec<i32>>;

impl<'f, 's> Swaps<'f, 's> {
    fn new(facts: &'f SystemFacts<'s>, seen: &[TermId], prompt: &[PromptStep]) -> Self {
        let mut minds: BTreeMap<ComponentId, BTreeSet<VariableId>> = BTreeMap::new();
        for step in prompt {
            let tests = step.guard.tests.iter().map(|test| test.variable);
            let others = step.guard.others.iter().flat_map(|(term, _)| facts.support(*term));
            let written = step.updates.iter().map(|(variable, _)| *variable);
            minds.entry(step.component).or_default().extend(tests.chain(others).chain(written));
        }
        let rules = prompt.iter().flat_map(|step| step.rules.iter().map(|rule| (*rule, step.component)));
        let mut swaps = Swaps {
            facts,
            prompt: rules.collect(),
            minds,
            told: told(facts, prompt),
            seen: seen.to_vec(),
            known: KnownTerms::new(),
            rules: BTreeSet::new(),
            predicates: BTreeSet::new(),
        };
        let mut same = SwappedTerms::new(facts.system, BTreeMap::new());
        for (id, _) in facts.rules() {
            let numbered = same.rule(id, swaps.prompt.contains_key(&id), &mut swaps.known);
            swaps.rules.insert(numbered);
        }
        swaps.predicates = seen.iter().map(|term| same.term(*term, &mut swaps.known)).collect();
        swaps
    }

    /// Whether the System stays the same if two blocks of variables change places.
    fn stays(&mut self, one: &[VariableId], other: &[VariableId]) -> bool {
        let there = one.iter().copied().zip(other.iter().copied());
        let places: BTreeMap<VariableId, VariableId> =
            there.flat_map(|(one, other)| [(one, other), (other, one)]).collect();
        let concerned: BTreeSet<RuleId> = places
            .keys()
            .flat_map(|variable| self.facts.readers[*variable].union(&self.facts.writers[*variable]))
            .copied()
            .collect();
        let mut swapped = SwappedTerms::new(self.facts.system, places);
        let mut tellers = BTreeSet::new();
        for id in concerned {
            let teller = self.prompt.get(&id).copied();
            let numbered = swapped.rule(id, teller.is_some(), &mut self.known);
            match teller {
                _ if self.rules.contains(&numbered) => {}
                Some(teller) => _ = tellers.insert(teller),
                None => return false,
            }
        }
        let predicates: BTreeSet<TermId> =
            self.seen.iter().map(|term| swapped.term(*term, &mut self.known)).collect();
        predicates == self.predicates
            && tellers.into_iter().all(|teller| self.tells_alike(teller, &swapped.places))
    }

    /// Whether queues that change places get the same from a component that stays where it is.
    fn tells_alike(&self, teller: ComponentId, places: &BTreeMap<VariableId, VariableId>) -> bool {
        let system = self.facts.system;
        let owner = |variable: &VariableId| {
            system.fifos().find(|(_, places)| places.first() == Some(variable)).map(|(queue, _)| queue)
        };
        let stays = self.minds[&teller].iter().all(|variable| !places.contains_key(variable));
        let swapped: Vec<(QueueId, QueueId)> =
            places.iter().filter_map(|(one, other)| Some((owner(one)?, owner(other)?))).collect();
        let is_fair =
            |sent: &SentMessages| swapped.iter().all(|(one, other)| sent.get(one) == sent.get(other));
        stays
            && self
                .told
                .as_ref()
                .is_some_and(|told| told.get(&teller).is_none_or(|told| told.iter().all(is_fair)))
    }
}

/// Numbers for terms by what they say.
type KnownTerms = HashMap<TermNode, TermId>;

/// A number for each term in which variables have changed places, the same for those that say the same in another order.
struct SwappedTerms<'s> {
    system: &'s System,
    places: BTreeMap<VariableId, VariableId>,
    numbers: HashMap<TermId, TermId>,
}

impl<'s> SwappedTerms<'s> {
    fn new(system: &'s System, places: BTreeMap<VariableId, VariableId>) -> Self {
        SwappedTerms { system, places, numbers: HashMap::new() }
    }

    fn place(&self, variable: VariableId) -> VariableId {
        self.places.get(&variable).copied().unwrap_or(variable)
    }

    fn rule(&mut self, id: RuleId, is_prompt: bool, known: &mut KnownTerms) -> NumberedRule {
        let rule = &self.system.rules[id];
        let update =
            |(variable, term): &(VariableId, TermId)| (self.place(*variable), self.term(*term, known));
        let mut updates: Vec<_> = rule.updates.iter().map(update).collect();
        updates.sort_unstable();
        (is_prompt, self.term(rule.guard, known), updates)
    }

    /// The number of a term; its parts are numbered before it.
    fn term(&mut self, term: TermId, known: &mut KnownTerms) -> TermId {
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            if self.numbers.contains_key(&id) {
                continue;
            }
            let parts = self.parts(id);
            let waiting: Vec<TermId> =
                parts.iter().copied().filter(|part| !self.numbers.contains_key(part)).collect();
            if !waiting.is_empty() {
                open.push(id);
                open.extend(waiting);
                continue;
            }
            let node = self.node(id, &parts);
            let next = TermId::from_index(known.len());
            self.numbers.insert(id, *known.entry(node).or_insert(next));
        }
        self.numbers[&term]
    }

    /// A term by the numbers of its parts.
    fn node(&self, id: TermId, parts: &[TermId]) -> TermNode {
        let of = |part: &TermId| self.numbers[part];
        let set = || parts.iter().map(of).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
        match self.system.terms.node(id) {
            TermNode::Constant(value) => TermNode::Constant(*value),
            TermNode::Variable(variable) => TermNode::Variable(self.place(*variable)),
            TermNode::Not(part) => TermNode::Not(of(part)),
            TermNode::And(_) => TermNode::And(set()),
            TermNode::Or(_) => TermNode::Or(set()),
            TermNode::Equal(a, b) => TermNode::Equal(of(a).min(of(b)), of(a).max(of(b))),
            TermNode::Less(a, b) => TermNode::Less(of(a), of(b)),
            TermNode::Number(operation, a, b) => TermNode::Number(*operation, of(a), of(b)),
            TermNode::If(condition, yes, no) => TermNode::If(of(condition), of(yes), of(no)),
        }
    }

    /// The parts of a term; those of a conjunction or disjunction with the parts of the same kind among them taken apart.
    fn parts(&self, id: TermId) -> Vec<TermId> {
        let terms = &self.system.terms;
        let is_and = match terms.node(id) {
            TermNode::And(_) => true,
            TermNode::Or(_) => false,
            _ => return terms.parts(id),
        };
        let mut flat = Vec::new();
        let mut open = vec![id];
        while let Some(term) = open.pop() {
            match (terms.node(term), is_and) {
                (TermNode::And(parts), true) | (TermNode::Or(parts), false) if flat.len() < MOST_PARTS => {
                    open.extend(parts.iter().copied());
                }
                _ => flat.push(term),
            }
        }
        flat
    }
}

/// With this number of parts no more are taken apart.
const MOST_PARTS: usize = 256;

/// For each component what it may send at once, in order; `None` if that is too much.
fn told(
    facts: &SystemFacts<'_>,
    prompt: &[PromptStep],
) -> Option<BTreeMap<ComponentId, BTreeSet<SentMessages>>> {
    let mut all: BTreeMap<ComponentId, Vec<&PromptStep>> = BTreeMap::new();
    prompt.iter().for_each(|step| all.entry(step.component).or_default().push(step));
    let mut told = BTreeMap::new();
    for (component, steps) in all {
        let prompt: BTreeSet<RuleId> = steps.iter().flat_map(|step| step.rules.iter().copied()).collect();
        let mut begins = BTreeSet::from([first(facts.system)]);
        for (id, rule) in facts.rules() {
            if rule.component == component && !prompt.contains(&id) {
                let before = Knowledge::of(&facts.guards[id].tests);
                begins.insert(before.after(facts.system, &rule.updates));
            }
        }
        let mut ways = Ways { system: facts.system, steps: &steps, ends: BTreeSet::new(), left: MOST_WAYS };
        for begin in begins {
            ways.follow(&begin, &SentMessages::new())?;
        }
        told.insert(component, ways.ends);
    }
    Some(told)
}

/// What is known at the beginning.
fn first(system: &System) -> Knowledge {
    let tests: Vec<VariableTest> = system
        .variables
        .enumerate()
        .map(|(id, variable)| VariableTest { variable: id, value: variable.initial, is_equal: true })
        .collect();
    Knowledge::of(&tests)
}

/// The ways through the prompt steps of a component, no two of which are possible at once.
struct Ways<'w> {
    system: &'w System,
    steps: &'w [&'w PromptStep],
    /// What may have been sent when nothing more is prompt.
    ends: BTreeSet<SentMessages>,
    left: usize,
}

impl Ways<'_> {
    /// Follows what may happen from here; `None` if that is too much.
    fn follow(&mut self, known: &Knowledge, sent: &SentMessages) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let possible = |step: &&&PromptStep| !step.guard.tests.iter().any(|test| known.excludes(test));
        let sure = |step: &&PromptStep| {
            step.guard.others.is_empty() && step.guard.tests.iter().all(|test| known.implies(test))
        };
        let next: Vec<&PromptStep> = self.steps.iter().filter(possible).copied().collect();
        if !next.iter().any(sure) {
            self.ends.insert(sent.clone());
        }
        for step in next {
            let mut known = known.clone();
            step.guard.tests.iter().for_each(|test| known.learn(*test));
            let mut sent = sent.clone();
            if let Some((queue, message)) = step.sends {
                sent.entry(queue).or_default().push(message);
            }
            self.follow(&known.after(self.system, &step.updates), &sent)?;
        }
        Some(())
    }
}
