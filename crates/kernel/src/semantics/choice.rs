//! Choices: which operand runs, and the guard propositions that say so (rules I3, I11).
//!
//! A choice is a variable: 0 while it is open, then the number of the alternative taken. Alternatives without
//! data may be chosen at any time, so choosing is an invisible step that may be taken as soon as one covered
//! lifeline has come to the fragment. A proposition is a variable too: 0 unknown, 1 false, 2 true; the first
//! rule that reads it fixes its value.
//!
//! What is decided outside (an input) is different: its value may change, so it matters when it is read. A
//! guard over such data stands on the lifeline of the first occurrence that is drawn in its operand, and is
//! evaluated from when this lifeline has come to the fragment until it goes on there. Until it has a value,
//! the input is unknown, and nothing is chosen.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Assumptions;
use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder, RunWorth};
use super::proposition::{self, PropositionNeeds};
use crate::model::{Condition, Guard, Operand};
use crate::source::Place;
use crate::system::{ComponentId, TermId, VariableId};

const FALSE: i32 = 1;
const TRUE: i32 = 2;

/// A way to choose.
#[derive(Clone)]
pub(super) struct ChoiceWay {
    /// The value of the choice's variable; several ways may lead to the same.
    pub number: i32,
    pub needs: PropositionNeeds,
    /// What must hold besides; nothing if absent.
    pub when: Option<TermId>,
    /// A bit that is set: what the run is worth then.
    pub mark: Option<VariableId>,
    /// The operand that is chosen, if one is.
    pub operand: Option<Place>,
    /// The lifeline on which its guard stands.
    pub line: Option<ComponentId>,
}

/// What it takes for a proposition to have a value.
#[derive(Clone, Copy)]
struct PropositionClaim {
    may_be: TermId,
    update: Option<(VariableId, TermId)>,
    is_outside: bool,
}

impl ChoiceWay {
    pub(crate) fn new(number: i32, needs: PropositionNeeds) -> ChoiceWay {
        ChoiceWay { number, needs, when: None, mark: None, operand: None, line: None }
    }

    /// The same way, into an operand whose guard stands on a lifeline.
    pub(crate) fn into(self, operand: &Operand, line: Option<ComponentId>) -> ChoiceWay {
        ChoiceWay { operand: Some(operand.place), line, ..self }
    }
}

impl LoweringBuilder<'_> {
    fn proposition(&mut self, scope: usize, text: &str) -> VariableId {
        if let Some(input) = self.inputs.get(text) {
            return *input;
        }
        let key = (scope, text.to_owned());
        if let Some(known) = self.propositions.get(&key) {
            return *known;
        }
        let variable = self.counter(text.to_owned(), 2);
        let Assumptions { guards, chosen, .. } = self.assumptions;
        if let Some(value) = guards.get(text).or_else(|| chosen.get(text)) {
            self.variables[variable].initial = if *value { TRUE } else { FALSE };
        }
        if !self.assumptions.switches.guards_on_entry && self.uses.get(text).is_some_and(|uses| *uses > 1) {
            self.lasting.insert(variable, scope);
        }
        self.propositions.insert(key, variable);
        variable
    }

    /// Makes the propositions that several of these operands ask for, before the first of them does: its frame would forget
    /// them before the last has asked.
    pub(super) fn share_propositions(&mut self, operands: &[Operand], scope: usize) {
        for text in proposition::repeated(operands) {
            if literal(&text).is_none() {
                self.proposition(scope, &text);
            }
        }
    }

    /// Whether a proposition may have a value: it is unknown or has it already. An input must have it.
    pub(super) fn may_be(&mut self, scope: usize, text: &str, value: bool) -> TermId {
        if let Some(known) = literal(text) {
            return self.terms.truth(known == value);
        }
        let variable = self.proposition(scope, text);
        if self.inputs.contains_key(text) {
            return self.terms.is(variable, if value { TRUE } else { FALSE });
        }
        let other = self.terms.is(variable, if value { FALSE } else { TRUE });
        self.terms.not(other)
    }

    /// The update that gives a proposition its value.
    pub(super) fn settle(&mut self, scope: usize, text: &str, value: bool) -> Option<(VariableId, TermId)> {
        if literal(text).is_some() {
            return None;
        }
        let variable = self.proposition(scope, text);
        let value = self.terms.constant(if value { TRUE } else { FALSE });
        Some((variable, value))
    }

    /// A choice among alternatives; the variable's value `i + 1` stands for the `i`-th.
    pub(super) fn choice(
        &mut self,
        context: &FragmentContext,
        covered: &BTreeSet<ComponentId>,
        alternatives: &[PropositionNeeds],
        place: Place,
    ) -> VariableId {
        let ways: Vec<ChoiceWay> =
            (1..).zip(alternatives).map(|(number, needs)| ChoiceWay::new(number, needs.clone())).collect();
        self.choice_of(context, covered, &ways, place)
    }

    /// A choice among ways. If none is left because propositions contradict each other, the run is void.
    pub(super) fn choice_of(
        &mut self,
        context: &FragmentContext,
        covered: &BTreeSet<ComponentId>,
        ways: &[ChoiceWay],
        place: Place,
    ) -> VariableId {
        let most = ways.iter().map(|way| way.number).max().unwrap_or(0);
        let variable = self.counter("choice".to_owned(), most);
        let chooser = self.chooser();
        // What is decided outside may be otherwise the next moment: nothing is chosen before it must be.
        let waits = !self.inputs.is_empty()
            && ways.iter().flat_map(|way| &way.needs).any(|(text, _)| self.inputs.contains_key(text));
        let reached = match waits {
            true => self.ready(context, covered, ways),
            false => self.reached(context, covered),
        };
        let open = self.terms.is(variable, 0);
        let due = self.terms.and([open, context.alive, reached]);
        let mut possible = Vec::new();
        // Each operand of a long `alt` says something of all others: what a text is, is looked up once.
        let mut claims: HashMap<(&str, bool), PropositionClaim> = HashMap::new();
        for way in ways {
            let mut guard: Vec<TermId> = way.when.into_iter().collect();
            let mut updates = vec![(variable, self.terms.constant(way.number))];
            let mut outside = Vec::new();
            for (text, value) in &way.needs {
                let claim = *claims.entry((text.as_str(), *value)).or_insert_with(|| PropositionClaim {
                    may_be: self.may_be(context.scope, text, *value),
                    update: self.settle(context.scope, text, *value),
                    is_outside: self.inputs.contains_key(text),
                });
                match claim.is_outside {
                    true => outside.push(claim.may_be),
                    false => guard.push(claim.may_be),
                }
                updates.extend(claim.update);
            }
            if let Some(bit) = way.mark {
                updates.push((bit, self.terms.truth(true)));
            }
            let may = self.terms.and(guard);
            possible.push(may);
            let guard = self.terms.and(outside.into_iter().chain([due, may]));
            let rule = self.decision(chooser, guard, updates, way.operand.unwrap_or(place));
            if waits {
                self.put_off(rule);
            }
        }
        if claims.keys().any(|(text, _)| self.is_shared(text)) {
            let some = self.terms.or(possible);
            let none = self.terms.not(some);
            let stuck = self.terms.and([due, none]);
            self.void.push(stuck);
        }
        variable
    }

    /// Whether the lifelines on which the guards of a choice stand have come to it; all that are covered if they stand on none.
    fn ready(
        &mut self,
        context: &FragmentContext,
        covered: &BTreeSet<ComponentId>,
        ways: &[ChoiceWay],
    ) -> TermId {
        let lines: BTreeSet<ComponentId> = ways.iter().filter_map(|way| way.line).collect();
        let lines = if lines.is_empty() { covered } else { &lines };
        let arrived: Vec<TermId> = lines.iter().map(|line| self.before(context, *line)).collect();
        self.terms.and(arrived.into_iter().chain([context.barrier]))
    }

    /// A way to run an operand although its guard is known to be false, where that is invalid rather than impossible.
    pub(super) fn forbidden_way(
        &self,
        context: &FragmentContext,
        number: i32,
        operand: &Operand,
    ) -> Option<ChoiceWay> {
        let Guard::Condition(condition) = &operand.guard else { return None };
        let is_forbidden =
            self.assumptions.switches.invalid_if_false && self.value_of_condition(condition) == Some(false);
        let is_doubtful = self.assumptions.switches.doubtful_around && !context.is_alone;
        let RunWorth { invalid, doubtful } = context.judge;
        let mark = Some(if is_doubtful { doubtful } else { invalid });
        is_forbidden.then(|| ChoiceWay { mark, ..ChoiceWay::new(number, Vec::new()) })
    }

    /// Whether others have a say in a guard's value.
    pub(super) fn is_shared(&self, text: &str) -> bool {
        let is_asked_twice = || {
            self.assumptions.chosen.contains_key(text) || self.uses.get(text).is_some_and(|uses| *uses > 1)
        };
        self.value_of(text).is_some() || !self.inputs.contains_key(text) && is_asked_twice()
    }

    /// Whether a condition's value is known from the start.
    pub(super) fn value_of_condition(&self, condition: &Condition) -> Option<bool> {
        proposition::value(condition, &|text| self.value_of(text))
    }

    /// Whether a proposition's value is known from the start.
    pub(super) fn value_of(&self, text: &str) -> Option<bool> {
        literal(text).or_else(|| self.assumptions.guards.get(text).copied())
    }

    /// The ways to choose an operand of an `alt`. Conditions that are `independent` exclude each other only where they
    /// say so.
    pub(super) fn alternatives(&mut self, operands: &[Operand], independent: bool) -> Vec<ChoiceWay> {
        let texts = guard_texts(operands);
        if independent {
            let mut ways = Vec::new();
            for (number, operand) in (1..).zip(operands) {
                let line = self.first_line(&operand.block);
                let worlds = match &operand.guard {
                    Guard::Absent => vec![Vec::new()],
                    // What has no guard is true (rule I3), so that nothing is left for an `else`.
                    Guard::Else if operands.iter().any(|one| one.guard == Guard::Absent) => Vec::new(),
                    Guard::Else => all_false(operands),
                    Guard::Condition(condition) => proposition::worlds(&[(condition, true)]),
                };
                ways.extend(
                    worlds.into_iter().map(|needs| ChoiceWay::new(number, needs).into(operand, line)),
                );
            }
            return ways;
        }
        let mut ways: Vec<ChoiceWay> = Vec::new();
        for (number, operand) in (1..).zip(operands) {
            let mut push =
                |needs: PropositionNeeds| ways.push(ChoiceWay::new(number, needs).into(operand, None));
            match &operand.guard {
                // It runs whatever the others say; two of them still exclude each other.
                Guard::Absent if texts.len() > 1 => {
                    self.worlds(&texts, true).into_iter().for_each(push);
                }
                Guard::Absent => push(Vec::new()),
                Guard::Else => push(self.only(&texts, None)),
                Guard::Condition(condition) => {
                    push(self.only(&texts, Some(&proposition::name(condition).to_owned())));
                }
            }
        }
        ways
    }

    /// The values that texts which exclude each other may have, all false if they may.
    pub(super) fn worlds(&self, texts: &[String], may_miss: bool) -> Vec<PropositionNeeds> {
        let owns = texts.iter().map(Some).chain(may_miss.then_some(None));
        owns.map(|own| self.only(texts, own)).collect()
    }

    /// At most this text is true, besides others that the user says are.
    fn only(&self, texts: &[String], own: Option<&String>) -> PropositionNeeds {
        let is_fixed = |text: &String| self.value_of(text).is_some();
        let others = own.is_some_and(is_fixed);
        let asked = texts.iter().filter(|text| Some(*text) == own || !(others && is_fixed(text)));
        asked.map(|text| (text.clone(), Some(text) == own)).collect()
    }

    /// The context inside the alternative with this number.
    pub(super) fn inside(
        &mut self,
        context: &FragmentContext,
        choice: VariableId,
        number: i32,
    ) -> FragmentContext {
        let chosen = self.terms.is(choice, number);
        let open = self.terms.is(choice, 0);
        let either = self.terms.or([open, chosen]);
        let otherwise = self.terms.not(either);
        FragmentContext {
            alive: self.terms.and([context.alive, chosen]),
            dead: self.terms.or([context.dead, otherwise]),
            in_loop: false,
            ..context.clone()
        }
    }

    /// Alternatives as one piece: on each lifeline over when the chosen one is.
    pub(super) fn either(&mut self, choice: VariableId, pieces: Vec<(i32, LoweredPiece)>) -> LoweredPiece {
        let mut whole = LoweredPiece::default();
        let touched: BTreeSet<ComponentId> =
            pieces.iter().flat_map(|(_, piece)| piece.ends.keys().copied()).collect();
        for component in touched {
            let mut ways: Vec<TermId> = Vec::new();
            for (number, piece) in &pieces {
                let chosen = self.terms.is(choice, *number);
                let end = piece.ends.get(&component).copied().unwrap_or_else(|| self.terms.truth(true));
                ways.push(self.terms.and([chosen, end]));
            }
            let end = self.terms.or(ways);
            whole.ends.insert(component, end);
        }
        pieces.into_iter().for_each(|(_, piece)| whole.collect(piece));
        whole
    }
}

/// The texts of the guards, each once.
pub(super) fn guard_texts(operands: &[Operand]) -> Vec<String> {
    let mut known: HashSet<&str> = HashSet::new();
    let names = operands.iter().filter_map(|operand| match &operand.guard {
        Guard::Condition(condition) => Some(proposition::name(condition)),
        Guard::Absent | Guard::Else => None,
    });
    names.filter(|name| known.insert(name)).map(str::to_owned).collect()
}

/// The worlds in which all conditions are false.
pub(super) fn all_false(operands: &[Operand]) -> Vec<PropositionNeeds> {
    let conditions = operands.iter().filter_map(|operand| match &operand.guard {
        Guard::Condition(condition) => Some((condition, false)),
        Guard::Absent | Guard::Else => None,
    });
    proposition::worlds(&conditions.collect::<Vec<_>>())
}

/// The worlds in which a guard has a value; any if there is none to ask for.
pub(super) fn worlds_of(guard: &Guard, value: bool) -> Vec<PropositionNeeds> {
    match guard {
        Guard::Condition(condition) => proposition::worlds(&[(condition, value)]),
        Guard::Absent | Guard::Else => vec![Vec::new()],
    }
}

/// The value of a guard that is a constant.
fn literal(text: &str) -> Option<bool> {
    match text.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
