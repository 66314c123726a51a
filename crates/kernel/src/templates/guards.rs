//! Constraints and choices as rigid propositions, and the rules between them (sections V-B2, V-B4 and appendix B of P0).
//!
//! The constraint of an operand is a proposition of its text, a fresh one in each iteration of a loop. The
//! operand that an alternative takes, a free option, one more iteration: each is a proposition of its own
//! (the paper's `exe`). A proposition that is not evaluated is false, as in the paper ("otherwise the
//! constraints of nested operands are set to false"); so every run has one valuation.

use std::collections::BTreeMap;

use super::condition::{RigidCondition, RigidId};
use super::projection;
use super::resolution::replaced;
use super::tree::{NodeId, RigidRule};
use super::unfold::Unfolder;
use super::write::{all, any, binary, exactly_one, implies, name, none, not, truth};
use crate::formula::{Binary, Formula};
use crate::model::{BinaryOperator, Condition as Text, Expression, Guard, Operand};
use crate::semantics::proposition;

impl Unfolder<'_> {
    /// The condition that a guard is true, asked in a fragment.
    pub(super) fn guard(&mut self, guard: &Guard, asker: NodeId, scope: usize) -> RigidCondition {
        match guard {
            Guard::Absent | Guard::Else => RigidCondition::ALWAYS,
            Guard::Condition(condition) => {
                let when = self.tree.nodes[asker].when.clone();
                self.holds(condition, &when, scope)
            }
        }
    }

    /// The condition that a text is true, asked under a condition. One that joins words has a proposition of its own, as
    /// the words say.
    fn holds(&mut self, condition: &Text, when: &RigidCondition, scope: usize) -> RigidCondition {
        if !proposition::is_compound(condition) {
            return self.proposition(proposition::name(condition), when, scope);
        }
        match proposition::value(condition, &|text| self.value_of(text)) {
            Some(true) => return RigidCondition::ALWAYS,
            Some(false) => return RigidCondition::NEVER,
            None => {}
        }
        let rigid = self.rigid(&format!("{}{}", condition.text, self.scopes[scope]));
        if self.style.is_direct {
            let said = self.says(condition, when, scope);
            self.tree.definitions.insert(rigid, said);
            return RigidCondition::of(rigid, true);
        }
        let about = format!("`{}`", self.tree.rigids[rigid]);
        self.only_if(rigid, when, about.clone());
        let own = name(&self.tree.rigids[rigid], self.tree.place);
        let as_said = binary(Binary::Iff, own, self.says(condition, when, scope));
        self.rule(about, implies(self.tree.formula(when), as_said));
        RigidCondition::of(rigid, true)
    }

    /// What a text says, asked under a condition.
    fn says(&mut self, condition: &Text, when: &RigidCondition, scope: usize) -> Formula {
        match &condition.expression {
            Some(expression) if proposition::is_compound(condition) => self.logic(expression, when, scope),
            Some(_) | None => {
                let own = self.proposition(proposition::name(condition), when, scope);
                self.tree.formula(&own)
            }
        }
    }

    /// What words say that are joined.
    fn logic(&mut self, expression: &Expression, when: &RigidCondition, scope: usize) -> Formula {
        match expression {
            Expression::Name(parts) => {
                let own = self.proposition(&parts.join("."), when, scope);
                self.tree.formula(&own)
            }
            Expression::Unary(_, inner) => not(self.logic(inner, when, scope)),
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.logic(left, when, scope), self.logic(right, when, scope));
                let operator = match operator {
                    BinaryOperator::And => Binary::And,
                    BinaryOperator::Or => Binary::Or,
                    BinaryOperator::Implies => Binary::Implies,
                    BinaryOperator::Equal
                    | BinaryOperator::Unequal
                    | BinaryOperator::Less
                    | BinaryOperator::LessEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterEqual
                    | BinaryOperator::Plus
                    | BinaryOperator::Minus
                    | BinaryOperator::Times
                    | BinaryOperator::Divide
                    | BinaryOperator::Modulo => unreachable!("a compound joins words only"),
                };
                binary(operator, left, right)
            }
            Expression::Bool(value) => truth(*value, self.tree.place),
            Expression::Int(_) | Expression::Text(_) | Expression::Call(..) => {
                unreachable!("a compound joins words only")
            }
        }
    }

    /// The condition that a proposition is true, asked under a condition.
    fn proposition(&mut self, text: &str, when: &RigidCondition, scope: usize) -> RigidCondition {
        match self.value_of(text) {
            Some(true) => return RigidCondition::ALWAYS,
            Some(false) => return RigidCondition::NEVER,
            None => {}
        }
        let key = (scope, text.to_owned());
        let rigid = match self.propositions.get(&key) {
            Some(known) => *known,
            None => {
                let rigid = self.rigid(&format!("{text}{}", self.scopes[scope]));
                self.propositions.insert(key, rigid);
                rigid
            }
        };
        self.asked.entry(rigid).or_default().push(when.clone());
        RigidCondition::of(rigid, true)
    }

    /// The value of a guard that is known beforehand.
    fn value_of(&self, text: &str) -> Option<bool> {
        match text.trim() {
            "true" => Some(true),
            "false" => Some(false),
            _ => self.assumptions.guards.get(text).copied(),
        }
    }

    /// Whether a guard is known to be false.
    pub(super) fn is_known_false(&self, guard: &Guard) -> bool {
        matches!(guard, Guard::Condition(condition) if self.known(condition) == Some(false))
    }

    pub(super) fn known(&self, condition: &Text) -> Option<bool> {
        proposition::value(condition, &|text| self.value_of(text))
    }

    /// A proposition of this name, or one like it if it is taken.
    fn rigid(&mut self, wanted: &str) -> RigidId {
        let mut text = wanted.to_owned();
        let mut number = 1;
        while self.tree.rigids.iter().any(|known| *known == text) {
            number += 1;
            text = format!("{wanted}~{number}");
        }
        self.tree.homes.push(self.kept.clone());
        self.tree.rigids.push(text)
    }

    /// A choice without data, made in a fragment.
    pub(super) fn free_choice(
        &mut self,
        fragment: NodeId,
        when: &RigidCondition,
        suffix: &str,
    ) -> RigidCondition {
        let fragment = self.name_of(fragment);
        let rigid = self.rigid(&format!("{}{suffix}", fragment.replace(' ', "")));
        self.only_if(rigid, when, fragment);
        RigidCondition::of(rigid, true)
    }

    fn name_of(&self, fragment: NodeId) -> String {
        self.tree.fragment(fragment).map_or_else(String::new, |fragment| fragment.name.clone())
    }

    /// A choice is made only where it is asked for.
    fn only_if(&mut self, rigid: RigidId, when: &RigidCondition, about: String) {
        let made = name(&self.tree.rigids[rigid], self.tree.place);
        let rule = implies(made, self.tree.formula(when));
        self.rule(about, rule);
    }

    fn rule(&mut self, about: String, formula: Formula) {
        if formula != truth(true, self.tree.place) {
            self.tree.rules.push(RigidRule { about, formula });
        }
    }

    /// To run an operand or not: as its guard says, or freely.
    pub(super) fn choice_to_run(&mut self, guard: &Guard, fragment: NodeId, scope: usize) -> RigidCondition {
        match guard {
            Guard::Absent | Guard::Else => {
                let when = self.tree.nodes[fragment].when.clone();
                self.free_choice(fragment, &when, "")
            }
            Guard::Condition(_) => self.guard(guard, fragment, scope),
        }
    }

    /// One more iteration, where the loop has come so far.
    pub(super) fn goes_on(
        &mut self,
        guard: &Guard,
        reached: &RigidCondition,
        fragment: NodeId,
        scope: usize,
        number: usize,
    ) -> RigidCondition {
        let Guard::Condition(text) = guard else {
            return self.free_choice(fragment, reached, &format!("[{number}]"));
        };
        match self.holds(text, reached, scope) {
            // The body of the iteration may ask for the same text, but only if the loop has come so far.
            own if !self.style.is_direct && own.literals().is_some_and(|literals| !literals.is_empty()) => {
                own
            }
            own => own.and(reached),
        }
    }

    /// The text of a state invariant is true where it is reached.
    pub(super) fn must_hold(&mut self, text: &Text, node: NodeId, scope: usize) {
        let when = self.tree.nodes[node].when.clone();
        let holds = self.says(text, &when, scope);
        let rule = implies(self.tree.formula(&when), holds);
        self.rule("state invariant".to_owned(), rule);
    }

    /// When each operand of an alternative is taken, and whether one is in any case (rules I3 and I11).
    pub(super) fn exclusive(
        &mut self,
        operands: &[Operand],
        fragment: NodeId,
        scope: usize,
    ) -> (Vec<RigidCondition>, bool) {
        let place = self.tree.place;
        let about = self.name_of(fragment);
        let when = self.tree.nodes[fragment].when.clone();
        let runs = self.tree.formula(&when);
        let mut texts: Vec<(&str, &Text, Formula)> = Vec::new();
        for operand in operands {
            if let Guard::Condition(text) = &operand.guard {
                let name = proposition::name(text);
                if texts.iter().all(|(known, ..)| *known != name) {
                    texts.push((name, text, self.says(text, &when, scope)));
                }
            }
        }
        let all_texts = operands.iter().all(|operand| matches!(operand.guard, Guard::Condition(_)));
        let values: Vec<Formula> = texts.iter().map(|(.., value)| value.clone()).collect();
        // Guards that say themselves how they go together are data.
        let is_data = texts.iter().any(|(_, text, _)| proposition::is_compound(text));
        let is_exclusive = !self.assumptions.switches.independent_guards && !is_data;
        let is_idle = !is_exclusive && operands.iter().any(|operand| operand.guard == Guard::Absent);
        let opens: Vec<Formula> = operands
            .iter()
            .map(|operand| match &operand.guard {
                Guard::Absent => truth(true, place),
                Guard::Else if is_idle => truth(false, place),
                Guard::Else => none(values.clone(), place),
                Guard::Condition(text) => {
                    let own = texts.iter().find(|(known, ..)| *known == proposition::name(text));
                    own.map_or_else(|| truth(true, place), |(.., value)| value.clone())
                }
            })
            .collect();
        let given: Vec<Option<bool>> = texts.iter().map(|(_, text, _)| self.known(text)).collect();
        if is_exclusive {
            self.exclude(&given, &values, &runs, all_texts, &about);
        }
        let is_total = !all_texts || given.contains(&Some(true)) || is_exclusive && given.contains(&None);
        if self.style.is_direct && self.is_decided(operands, (is_exclusive, given.as_slice()), &values) {
            return (self.decided(operands, fragment, scope), is_total);
        }
        let mut chosen = Vec::new();
        let mut exes = Vec::new();
        for (number, open) in (1..).zip(&opens) {
            if *open == truth(false, place) {
                chosen.push(RigidCondition::NEVER);
                continue;
            }
            let exe = self.free_choice(fragment, &when, &format!("_{number}"));
            let taken = self.tree.formula(&exe);
            self.rule(about.clone(), implies(taken.clone(), open.clone()));
            exes.push(taken);
            chosen.push(exe);
        }
        let nothing = all(vec![none(exes.clone(), place), none(opens, place)], place);
        let one = binary(Binary::Or, exactly_one(&exes, place), nothing);
        self.rule(about, implies(runs, one));
        (chosen, is_total)
    }

    /// Whether the guards of an alternative leave no choice: each operand has one of its own, and no two are true together.
    fn is_decided(
        &self,
        operands: &[Operand],
        (is_exclusive, given): (bool, &[Option<bool>]),
        values: &[Formula],
    ) -> bool {
        let texts = operands.iter().filter(|operand| matches!(operand.guard, Guard::Condition(_))).count();
        let others = operands.iter().filter(|operand| operand.guard == Guard::Else).count();
        if texts != values.len() || texts + others != operands.len() || others > 1 {
            return false;
        }
        match is_exclusive {
            true => given.iter().filter(|value| **value == Some(true)).count() <= 1,
            false => values.iter().enumerate().all(|(index, one)| {
                values[index + 1..].iter().all(|other| {
                    let both = binary(Binary::And, one.clone(), other.clone());
                    projection::is_valid(&not(both)) == Some(true)
                })
            }),
        }
    }

    /// The guards of an alternative that leave no choice, as conditions.
    fn decided(&mut self, operands: &[Operand], fragment: NodeId, scope: usize) -> Vec<RigidCondition> {
        let own: Vec<RigidCondition> =
            operands.iter().map(|operand| self.guard(&operand.guard, fragment, scope)).collect();
        let texts = operands.iter().zip(&own).filter(|(operand, _)| operand.guard != Guard::Else);
        let other = texts.fold(RigidCondition::ALWAYS, |rest, (_, one)| rest.and(&one.negated()));
        let each = operands.iter().zip(own);
        each.map(|(operand, one)| if operand.guard == Guard::Else { other.clone() } else { one }).collect()
    }

    /// Rules speak of what defines a proposition, not of the proposition.
    pub(super) fn write_definitions(&mut self) {
        let names = self.tree.definitions.iter();
        let said: BTreeMap<String, Formula> =
            names.map(|(rigid, said)| (self.tree.rigids[*rigid].clone(), said.clone())).collect();
        for rule in &mut self.tree.rules {
            rule.formula = replaced(&rule.formula, &said);
        }
    }

    /// Texts of one alternative exclude each other unless both are given, and one is true if none is without text.
    fn exclude(
        &mut self,
        given: &[Option<bool>],
        values: &[Formula],
        runs: &Formula,
        all_texts: bool,
        about: &str,
    ) {
        let mut rules = Vec::new();
        for (index, one) in given.iter().enumerate() {
            for (other, another) in given.iter().enumerate().skip(index + 1) {
                if one.is_none() || another.is_none() {
                    let both = binary(Binary::And, values[index].clone(), values[other].clone());
                    rules.push(implies(runs.clone(), not(both)));
                }
            }
        }
        if all_texts && given.contains(&None) {
            rules.push(implies(runs.clone(), any(values.to_vec(), self.tree.place)));
        }
        rules.into_iter().for_each(|rule| self.rule(about.to_owned(), rule));
    }

    /// A proposition is false unless it is evaluated, in the diagram or by a question about it.
    pub(super) fn keep_quiet(&mut self) {
        let place = self.tree.place;
        for (rigid, asked) in std::mem::take(&mut self.asked) {
            if self.assumptions.chosen.contains_key(&self.tree.rigids[rigid]) {
                continue;
            }
            // A condition that requires the proposition to be true is no reason to evaluate it.
            let is_free = |when: &&RigidCondition| !when.excludes(&RigidCondition::of(rigid, true).negated());
            let asked: Vec<Formula> =
                asked.iter().filter(is_free).map(|when| self.tree.formula(when)).collect();
            let own = name(&self.tree.rigids[rigid], place);
            let text = format!("`{}`", self.tree.rigids[rigid]);
            self.rule(text, implies(own, any(asked, place)));
        }
    }
}
