//! Set-up: all choices are made before the lifelines begin, as the guards say.

use std::fmt::Write;

use sequent_kernel::model::{BinaryOperator, Condition, Expression, UnaryOperator};
use sequent_kernel::semantics::{is_compound, proposition_name};

use super::tree::Test;
use super::{Author, fallen};

impl Author<'_> {
    /// All choices, and then the lifelines begin.
    pub(super) fn set_up(&self, order: &[String]) -> String {
        let mut text =
            String::from("\n/* Choices are made first; then the lifelines begin. */\ninit {\n  atomic {\n");
        for (word, name) in &self.words {
            let _ = match self.diagram.fixed.get(word).copied().or_else(|| literal(word)) {
                Some(value) => writeln!(text, "    {name} = {};", u8::from(value)),
                None => writeln!(text, "    if :: {name} = 0 :: {name} = 1 fi;"),
            };
        }
        for (number, choice) in self.tree.choices.iter().enumerate() {
            let alive = fallen(&choice.alive);
            let and = |test: &str| match (alive.is_empty(), test.is_empty()) {
                (true, true) => "true".to_owned(),
                (true, false) => test.to_owned(),
                (false, true) => alive.clone(),
                (false, false) => format!("{alive} && {test}"),
            };
            text += "    if\n";
            if !alive.is_empty() {
                let _ = writeln!(text, "    :: !({alive})");
            }
            let must = choice.must.as_ref().map(|must| self.test(must));
            if let Some(must) = &must {
                let _ = writeln!(text, "    :: {} -> goto nothing", and(&format!("!({must})")));
            }
            for (value, test) in &choice.values {
                let tests: Vec<String> =
                    must.iter().cloned().chain(test.iter().map(|test| self.test(test))).collect();
                let _ = writeln!(text, "    :: {} -> choice{number} = {value}", and(&tests.join(" && ")));
            }
            text += "    fi;\n";
        }
        for lifeline in order {
            let _ = writeln!(text, "    run {}();", self.lines[lifeline]);
        }
        text + "nothing: /* guards that contradict each other: this is no run */\n    skip\n  }\n}\n"
    }

    fn test(&self, test: &Test) -> String {
        let texts = |conditions: &[Condition]| -> Vec<String> {
            conditions.iter().map(|condition| self.condition(condition)).collect()
        };
        match test {
            Test::Is(condition) => self.condition(condition),
            Test::None(conditions) => {
                let each: Vec<String> = texts(conditions).iter().map(|text| format!("!({text})")).collect();
                format!("({})", each.join(" && "))
            }
            Test::One(conditions, may_miss) => {
                let mut each = texts(conditions);
                each.sort();
                each.dedup();
                let sum = format!("({})", each.join(" + "));
                format!("({sum} {} 1)", if *may_miss { "<=" } else { "==" })
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition.expression.as_ref().filter(|_| is_compound(condition)) {
            Some(expression) => self.expression(expression),
            None => self.word(proposition_name(condition)),
        }
    }

    fn word(&self, word: &str) -> String {
        self.words.get(word).cloned().unwrap_or_else(|| "false".to_owned())
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Bool(value) => value.to_string(),
            Expression::Name(parts) => self.word(&parts.join(".")),
            Expression::Unary(UnaryOperator::Not, inner) => format!("!({})", self.expression(inner)),
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                // Nothing else joins words but `or`.
                if *operator == BinaryOperator::And {
                    format!("({left} && {right})")
                } else if *operator == BinaryOperator::Implies {
                    format!("(!({left}) || {right})")
                } else {
                    format!("({left} || {right})")
                }
            }
            // No compound is made of these.
            Expression::Unary(UnaryOperator::Minus, _)
            | Expression::Int(_)
            | Expression::Text(_)
            | Expression::Call(..) => "false".to_owned(),
        }
    }
}

/// The value of a guard that is a constant.
fn literal(word: &str) -> Option<bool> {
    match word.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
