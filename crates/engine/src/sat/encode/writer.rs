//! Writing: the clauses of an [`Encoding`](crate::sat::encode::encoding::Encoding), part by part.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{
    ComponentId, EventId, Join, LabelId, Rule, RuleId, System, TermId, TermNode, VariableId,
};

use crate::sat::encode::clauses::Clauses;
use crate::sat::encode::number::{self, EncodedNumber};
use crate::sat::encode::state::PositionLiterals;
use crate::sat::encode::{NotEncodable, Pace};
use crate::sat::solver::{FALSE, Literal};

/// What a term is at a position.
#[derive(Clone, Debug)]
enum TermValue {
    Truth(Literal),
    Number(EncodedNumber),
}

impl TermValue {
    fn number(&self) -> EncodedNumber {
        match self {
            TermValue::Truth(literal) => EncodedNumber::of_truth(*literal),
            TermValue::Number(number) => number.clone(),
        }
    }
}

/// While clauses are made, the next position lies here.
pub(crate) const NEXT: i32 = 1 << 28;

/// At which positions nothing happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IdlePositions {
    /// At none.
    Nowhere,
    /// Where a literal holds, and there nothing may.
    Where(Literal),
    /// At any position.
    Anywhere,
}

/// Rules that share a label.
pub(crate) struct Sides {
    /// For each component and number of times: the rules of the component that offer the label at least so often.
    pub offers: BTreeMap<(ComponentId, usize), Vec<Literal>>,
    /// For each component the rules that take it.
    pub takes: BTreeMap<ComponentId, Vec<Literal>>,
}

/// Makes the clauses.
pub(crate) struct ClauseWriter<'s> {
    /// What is written.
    pub system: &'s System,
    /// The clauses so far.
    pub clauses: Clauses,
    /// The literals of the state.
    pub state: PositionLiterals,
    values: HashMap<TermId, TermValue>,
}

impl<'s> ClauseWriter<'s> {
    /// Only the literals of the state, `memories` of which are an observer's.
    pub(crate) fn new(system: &'s System, memories: usize) -> Self {
        let mut clauses = Clauses::default();
        let state = PositionLiterals::new(system, memories, &mut clauses);
        state.limit(system, &mut clauses);
        ClauseWriter { system, clauses, state, values: HashMap::new() }
    }

    /// Writes the terms that rules, predicates and the system itself use, each after its parts.
    pub(crate) fn terms(&mut self, predicates: &[TermId]) -> Result<(), NotEncodable> {
        let system = self.system;
        let updates = system.rules.iter().flat_map(|rule| rule.updates.iter().map(|update| update.1));
        let guards = system.rules.iter().map(|rule| rule.guard);
        let own = [system.void, system.complete, system.strained, system.invalid, system.inconclusive];
        let mut open: Vec<TermId> =
            guards.chain(updates).chain(own).chain(predicates.iter().copied()).collect();
        let mut needed: BTreeSet<TermId> = BTreeSet::new();
        while let Some(term) = open.pop() {
            if needed.insert(term) {
                open.extend(system.terms.parts(term));
            }
        }
        for term in needed {
            let value = self.value(term)?;
            self.values.insert(term, value);
        }
        Ok(())
    }

    fn value(&mut self, term: TermId) -> Result<TermValue, NotEncodable> {
        let number = |writer: &Self, term: &TermId| writer.values[term].number();
        Ok(match self.system.terms.node(term) {
            TermNode::Constant(value) => TermValue::Number(EncodedNumber::constant(*value)),
            TermNode::Variable(variable) => TermValue::Number(self.state.variables[*variable].clone()),
            TermNode::Not(part) => TermValue::Truth(!self.truth(*part)),
            TermNode::And(parts) => {
                let parts: Vec<Literal> = parts.iter().map(|part| self.truth(*part)).collect();
                TermValue::Truth(self.clauses.and(parts))
            }
            TermNode::Or(parts) => {
                let parts: Vec<Literal> = parts.iter().map(|part| self.truth(*part)).collect();
                TermValue::Truth(self.clauses.or(parts))
            }
            TermNode::Equal(a, b) => {
                let (a, b) = (number(self, a), number(self, b));
                TermValue::Truth(number::equal(&a, &b, &mut self.clauses))
            }
            TermNode::Less(a, b) => {
                let (a, b) = (number(self, a), number(self, b));
                TermValue::Truth(number::less(&a, &b, &mut self.clauses))
            }
            TermNode::Number(operation, a, b) => {
                let (a, b) = (number(self, a), number(self, b));
                TermValue::Number(number::compute(*operation, &a, &b, &mut self.clauses)?)
            }
            TermNode::If(condition, yes, no) => {
                let condition = self.truth(*condition);
                match (&self.values[yes], &self.values[no]) {
                    (TermValue::Truth(yes), TermValue::Truth(no)) => {
                        let (yes, no) = (*yes, *no);
                        TermValue::Truth(self.clauses.choose(condition, yes, no))
                    }
                    (yes, no) => {
                        let (yes, no) = (yes.number(), no.number());
                        TermValue::Number(number::choose(condition, &yes, &no, &mut self.clauses))
                    }
                }
            }
        })
    }

    /// A term as a number.
    pub(crate) fn number(&self, term: TermId) -> EncodedNumber {
        self.values[&term].number()
    }

    /// Whether a term is true; what is not 0 is.
    pub(crate) fn truth(&mut self, term: TermId) -> Literal {
        match self.values[&term].clone() {
            TermValue::Truth(literal) => literal,
            TermValue::Number(number) => !number.is(0, &mut self.clauses),
        }
    }

    /// Writes what happens between a position and the next; for each rule whether it fires. Something happens, unless it is an
    /// idle position.
    pub(crate) fn rules(
        &mut self,
        pace: Pace,
        idle: IdlePositions,
    ) -> Result<IdVec<RuleId, Literal>, NotEncodable> {
        let system = self.system;
        let mut fires: IdVec<RuleId, Literal> = IdVec::new();
        for rule in system.rules.iter() {
            let guard = self.conjuncts(rule.guard);
            let fires_here = if guard.contains(&FALSE) { FALSE } else { self.clauses.variable() };
            guard.into_iter().for_each(|part| self.clauses.add([!fires_here, part]));
            fires.push(fires_here);
        }
        self.updates(&fires)?;
        self.components(&fires);
        self.labels(&fires, pace);
        self.ears(&fires);
        self.actors(&fires, pace, idle);
        Ok(fires)
    }

    /// The parts of a conjunction, at any depth.
    pub(crate) fn conjuncts(&mut self, term: TermId) -> Vec<Literal> {
        let mut literals = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.system.terms.node(term) {
                TermNode::And(parts) => open.extend(parts.iter().rev()),
                TermNode::Constant(_)
                | TermNode::Variable(_)
                | TermNode::Not(_)
                | TermNode::Or(_)
                | TermNode::Equal(..)
                | TermNode::Less(..)
                | TermNode::Number(..)
                | TermNode::If(..) => literals.push(self.truth(term)),
            }
        }
        literals
    }

    /// New values are those of the rules that fire. Where rules disagree, or a value would leave its domain, there is no such
    /// step.
    fn updates(&mut self, fires: &IdVec<RuleId, Literal>) -> Result<(), NotEncodable> {
        let system = self.system;
        let mut writers: BTreeMap<VariableId, Vec<(Literal, EncodedNumber)>> = BTreeMap::new();
        let next = self.state.moved(NEXT);
        for (rule, fires) in system.rules.iter().zip(fires.iter()).filter(|(_, fires)| **fires != FALSE) {
            for (variable, term) in &rule.updates {
                let value = self.values[term].number();
                self.becomes(&[!*fires], &next.variables[*variable], &value);
                writers.entry(*variable).or_default().push((*fires, value));
            }
        }
        for variable in system.variables.ids() {
            let writers = writers.remove(&variable).unwrap_or_default();
            self.stays(&self.state.variables[variable].clone(), &next.variables[variable], &writers);
        }
        Ok(())
    }

    /// What no rule writes stays as it is. For a number with few values that is said value by value: who has one either had it
    /// before or was given it by a rule that gives it, so that a solver which looks backwards finds those rules at once.
    fn stays(&mut self, old: &EncodedNumber, new: &EncodedNumber, writers: &[(Literal, EncodedNumber)]) {
        let (EncodedNumber::Cases(_), EncodedNumber::Cases(cases)) = (old, new) else {
            let is_written = self.clauses.or(writers.iter().map(|(fires, _)| *fires));
            return self.becomes(&[is_written], new, old);
        };
        for (value, literal) in cases {
            let gives = |number: &EncodedNumber| match number {
                EncodedNumber::Cases(cases) => cases.binary_search_by_key(value, |case| case.0).is_ok(),
                EncodedNumber::Bits(_) => true,
            };
            let givers = writers.iter().filter(|(_, number)| gives(number)).map(|(fires, _)| *fires);
            let before = old.is(*value, &mut self.clauses);
            self.clauses.add(givers.chain([before, !*literal]));
        }
    }

    /// A number of the next position is one of this, unless one of some literals holds.
    fn becomes(&mut self, unless: &[Literal], new: &EncodedNumber, value: &EncodedNumber) {
        let unless = || unless.iter().copied();
        match (new, value) {
            (EncodedNumber::Cases(_), EncodedNumber::Cases(cases)) => {
                for (value, literal) in cases {
                    let is = new.is(*value, &mut self.clauses);
                    self.clauses.add(unless().chain([!*literal, is]));
                }
            }
            (EncodedNumber::Bits(_), _) | (_, EncodedNumber::Bits(_)) => {
                let same = number::equal(new, value, &mut self.clauses);
                self.clauses.add(unless().chain([same]));
            }
        }
    }

    /// No component does two things at once; listening does not count.
    fn components(&mut self, fires: &IdVec<RuleId, Literal>) {
        let system = self.system;
        for component in system.components.ids() {
            let own: Vec<RuleId> = system
                .rules
                .enumerate()
                .filter(|(_, rule)| rule.component == component && !matches!(rule.join, Join::Listen(_)))
                .map(|(id, _)| id)
                .collect();
            for rivals in self.rivals(&own) {
                let literals: Vec<Literal> = rivals.into_iter().map(|rule| fires[rule]).collect();
                self.clauses.at_most_one(&literals);
            }
        }
    }

    /// Rules of one component in groups, so that two of different groups never have true guards at once: where all guards
    /// ask for a value of the same variable, each value is a group.
    fn rivals(&self, rules: &[RuleId]) -> Vec<Vec<RuleId>> {
        let keys: Vec<BTreeMap<VariableId, i32>> = rules.iter().map(|rule| self.asked(*rule)).collect();
        let Some(first) = keys.first() else { return Vec::new() };
        let shared = first.keys().find(|variable| keys.iter().all(|keys| keys.contains_key(variable)));
        let Some(shared) = shared else { return vec![rules.to_vec()] };
        let mut groups: BTreeMap<i32, Vec<RuleId>> = BTreeMap::new();
        for (rule, keys) in rules.iter().zip(&keys) {
            groups.entry(keys[shared]).or_default().push(*rule);
        }
        groups.into_values().collect()
    }

    /// The values that a rule's guard asks for.
    fn asked(&self, rule: RuleId) -> BTreeMap<VariableId, i32> {
        let terms = &self.system.terms;
        let guard = self.system.rules[rule].guard;
        let parts = match terms.node(guard) {
            TermNode::And(parts) => parts.clone(),
            _ => vec![guard],
        };
        parts.iter().filter_map(|part| terms.as_literal(*part)).collect()
    }

    /// As often as a label is offered it is taken.
    pub(crate) fn labels(&mut self, fires: &IdVec<RuleId, Literal>, pace: Pace) {
        for label in self.system.labels.ids() {
            let sides = self.sides(label, fires);
            let takes: Vec<Literal> = sides.takes.into_values().map(|rules| self.clauses.or(rules)).collect();
            let offers: Vec<Literal> = match pace {
                Pace::Together => {
                    let each =
                        sides.offers.into_values().map(|rules| self.clauses.or(rules)).collect::<Vec<_>>();
                    let most = takes.len().min(each.len());
                    self.clauses.count(&each, most)
                }
                // Of all rules that offer it only one does.
                Pace::Single | Pace::Sparse => {
                    let mut times: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
                    for ((_, number), rules) in sides.offers {
                        let any = self.clauses.or(rules);
                        times.entry(number).or_default().push(any);
                    }
                    if let (Pace::Sparse, Some(each)) = (pace, times.get(&1)) {
                        self.clauses.at_most_one(each);
                    }
                    times.into_values().map(|rules| self.clauses.or(rules)).collect()
                }
            };
            if offers.len() == 1 {
                let any = self.clauses.or(takes.iter().copied());
                self.same(any, offers[0]);
                self.clauses.at_most_one(&takes);
                continue;
            }
            let taken = self.clauses.count(&takes, offers.len());
            for number in 0..offers.len().max(taken.len()) {
                let at = |side: &[Literal]| side.get(number).copied().unwrap_or(FALSE);
                self.same(at(&offers), at(&taken));
            }
        }
    }

    fn same(&mut self, a: Literal, b: Literal) {
        self.clauses.add([!a, b]);
        self.clauses.add([a, !b]);
    }

    pub(crate) fn sides(&self, label: LabelId, fires: &IdVec<RuleId, Literal>) -> Sides {
        let mut sides = Sides { offers: BTreeMap::new(), takes: BTreeMap::new() };
        for (rule, fires) in self.system.rules.iter().zip(fires.iter()).filter(|(_, fires)| **fires != FALSE)
        {
            match &rule.join {
                Join::Alone | Join::Listen(_) => {}
                Join::Take(own) => {
                    if *own == label {
                        sides.takes.entry(rule.component).or_default().push(*fires);
                    }
                }
                Join::Offer(labels) => {
                    let times = labels.iter().filter(|own| **own == label).count();
                    for number in 1..=times {
                        sides.offers.entry((rule.component, number)).or_default().push(*fires);
                    }
                }
            }
        }
        sides
    }

    /// Each component that has listening rules for a shown event fires one that is enabled.
    fn ears(&mut self, fires: &IdVec<RuleId, Literal>) {
        let system = self.system;
        let mut ears: BTreeMap<ComponentId, Vec<(RuleId, Literal)>> = BTreeMap::new();
        for (id, rule) in system.rules.enumerate() {
            if let Join::Listen(event) = rule.join {
                let shown = self.shown(event, fires);
                self.clauses.add([!fires[id], shown]);
                ears.entry(rule.component).or_default().push((id, shown));
            }
        }
        for ears in ears.into_values() {
            let all: Vec<Literal> = ears.iter().map(|(rule, _)| fires[*rule]).collect();
            for (rule, shown) in ears {
                let guard = self.conjuncts(system.rules[rule].guard);
                let guard = self.clauses.and(guard);
                self.clauses.add(all.iter().copied().chain([!shown, !guard]));
            }
            self.clauses.at_most_one(&all);
        }
    }

    /// Whether an event is shown, where one step happens at a time. Events of listening rules are not heard.
    fn shown(&mut self, event: EventId, fires: &IdVec<RuleId, Literal>) -> Literal {
        let system = self.system;
        let is_ear = |rule: &Rule| matches!(rule.join, Join::Listen(_));
        let own = system.rules.enumerate().filter(|(_, rule)| rule.event == Some(event) && !is_ear(rule));
        let mut ways: Vec<Literal> = own.map(|(id, _)| fires[id]).collect();
        let meetings = system.meetings.iter().filter(|meeting| *meeting.1 == event);
        for ((label, from, to), _) in meetings {
            let sides = self.sides(*label, fires);
            let offers = sides.offers.get(&(*from, 1)).cloned().unwrap_or_default();
            let takes = sides.takes.get(to).cloned().unwrap_or_default();
            let both = [self.clauses.or(offers), self.clauses.or(takes)];
            ways.push(self.clauses.and(both));
        }
        self.clauses.or(ways)
    }

    /// At least one rule acts, unless idle; urgent rules come before all others.
    fn actors(&mut self, fires: &IdVec<RuleId, Literal>, pace: Pace, idle: IdlePositions) {
        let system = self.system;
        let is_actor = |rule: &RuleId| matches!(system.rules[*rule].join, Join::Alone | Join::Offer(_));
        let actors: Vec<RuleId> = system.rules.ids().filter(is_actor).collect();
        let literals: Vec<Literal> = actors.iter().map(|rule| fires[*rule]).collect();
        match idle {
            IdlePositions::Anywhere => {}
            IdlePositions::Nowhere => self.clauses.add(literals.iter().copied()),
            IdlePositions::Where(idle) => {
                self.clauses.add(literals.iter().copied().chain([idle]));
                literals.iter().for_each(|fires| self.clauses.add([!idle, !*fires]));
            }
        }
        match pace {
            Pace::Single => self.clauses.at_most_one(&literals),
            Pace::Together | Pace::Sparse => self.loud(fires, &actors),
        }
        let urgent: Vec<RuleId> = actors.iter().copied().filter(|rule| system.rules[*rule].urgent).collect();
        if urgent.is_empty() {
            return;
        }
        let is_calm = self.clauses.variable();
        for rule in &urgent {
            let mut parts = self.conjuncts(system.rules[*rule].guard);
            parts.extend(self.inside(*rule));
            self.clauses.add(parts.iter().map(|part| !*part).chain([!is_calm]));
        }
        for rule in actors.iter().filter(|rule| !system.rules[**rule].urgent) {
            self.clauses.add([!fires[*rule], is_calm]);
        }
    }

    /// Whether all values that a rule writes lie in their domains.
    pub(crate) fn inside(&mut self, rule: RuleId) -> Vec<Literal> {
        let system = self.system;
        let mut parts = Vec::new();
        for (variable, term) in &system.rules[rule].updates {
            let (value, domain) = (self.values[term].number(), &system.variables[*variable]);
            match &value {
                EncodedNumber::Cases(cases) => {
                    let is_outside = |case: &&(i32, Literal)| !(domain.min..=domain.max).contains(&case.0);
                    parts.extend(cases.iter().filter(is_outside).map(|case| !case.1));
                }
                EncodedNumber::Bits(_) => {
                    let (min, max) =
                        (EncodedNumber::constant(domain.min), EncodedNumber::constant(domain.max));
                    parts.push(!number::less(&value, &min, &mut self.clauses));
                    parts.push(!number::less(&max, &value, &mut self.clauses));
                }
            }
        }
        parts
    }

    /// A step that writes what others look at is taken alone.
    fn loud(&mut self, fires: &IdVec<RuleId, Literal>, actors: &[RuleId]) {
        let shared = shared(self.system);
        let is_loud = |rule: &RuleId| {
            self.system.rules[*rule].updates.iter().any(|(variable, _)| shared.contains(variable))
        };
        let loud: Vec<Literal> = self.system.rules.ids().filter(is_loud).map(|rule| fires[rule]).collect();
        if loud.is_empty() {
            return;
        }
        let is_loud = self.clauses.or(loud);
        let second = self.two_act(actors, fires);
        self.clauses.add([!is_loud, !second]);
    }

    /// Whether two of some rules fire that act; a component never fires two.
    pub(crate) fn two_act(&mut self, rules: &[RuleId], fires: &IdVec<RuleId, Literal>) -> Literal {
        let mut owners: BTreeMap<ComponentId, Vec<Literal>> = BTreeMap::new();
        for rule in rules {
            owners.entry(self.system.rules[*rule].component).or_default().push(fires[*rule]);
        }
        let owners: Vec<Literal> = owners.into_values().map(|own| self.clauses.or(own)).collect();
        self.clauses.count(&owners, 1).get(1).copied().unwrap_or(FALSE)
    }
}

/// The variables that some component writes and another looks at, or writes too; or that rule runs out.
pub(crate) fn shared(system: &System) -> BTreeSet<VariableId> {
    let mut readers: BTreeMap<VariableId, BTreeSet<Option<ComponentId>>> = BTreeMap::new();
    let mut written: BTreeSet<VariableId> = BTreeSet::new();
    for component in system.components.ids().map(Some).chain([None]) {
        let mut seen: BTreeSet<TermId> = BTreeSet::new();
        let mut open: Vec<TermId> = if component.is_none() { vec![system.void] } else { Vec::new() };
        for rule in system.rules.iter().filter(|rule| Some(rule.component) == component) {
            open.push(rule.guard);
            open.extend(rule.updates.iter().map(|update| update.1));
            for (variable, _) in &rule.updates {
                written.insert(*variable);
                readers.entry(*variable).or_default().insert(component);
            }
        }
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let TermNode::Variable(variable) = system.terms.node(term) {
                readers.entry(*variable).or_default().insert(component);
            }
            open.extend(system.terms.parts(term));
        }
    }
    written.retain(|variable| readers.get(variable).is_some_and(|readers| readers.len() > 1));
    written
}
