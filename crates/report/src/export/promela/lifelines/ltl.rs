//! What must hold in every run, as `ltl` blocks over the flags.
//!
//! The flags stay as they are until the next occurrence, and processes take invisible steps in between. So a
//! formula must be stutter-invariant, which SPIN's reduction needs anyway. Without `X` and the past it means
//! the same as over the events alone. `X` is written where it follows a single occurrence that happens no
//! more than once: `a -> X f` is `a -> (a U (!a && f))`.
//!
//! A formula is read at the start, which lasts from the choices to the first occurrence: `[] (start -> f)` says that, and costs
//! SPIN's translator less than an until. What is compared stands in brackets: SPIN misreads `<> a == b`. Its translator
//! takes minutes for formulas with many temporal operators; they are [claims of our own](super::never), as is all that formulas
//! of SPIN cannot say.

use std::fmt::Write;

use sequent_kernel::formula::{
    Atom, Binary, Direction, Formula, FormulaNode, FormulaWord, Pattern, Unary, is_message_asked,
};
use sequent_kernel::system::EventKind;
use sequent_kernel::templates::{LineId, OccurrenceId, TemplateOccurrence};

use super::super::super::claim::LifelineClaim as Claim;
use super::super::lexicon::comment;
use super::LifelineWriter;

/// Why a formula is not written.
type UnwrittenFormula = String;

/// For formulas with more temporal operators SPIN's translator may take minutes, and it translates all that stand in a file.
const MOST_OPERATORS: usize = 6;

fn is_temporal(formula: &Formula) -> bool {
    match &formula.node {
        FormulaNode::Constant(_) | FormulaNode::Atom(_) | FormulaNode::Unary(Unary::Not, _) => false,
        FormulaNode::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Iff, ..) => false,
        FormulaNode::Unary(..) | FormulaNode::Binary(..) => true,
    }
}

/// Fails if a formula is too much for SPIN.
fn sayable(formula: &Formula) -> Result<(), UnwrittenFormula> {
    let mut open = vec![formula];
    let mut operators = 0;
    while let Some(formula) = open.pop() {
        operators += usize::from(is_temporal(formula));
        if operators > MOST_OPERATORS {
            return Err("it has more temporal operators than SPIN's translator can cope with".to_owned());
        }
        open.extend(formula.parts());
    }
    Ok(())
}

impl LifelineWriter<'_> {
    /// All claims: the name of each, or why it is not written; and the blocks.
    pub(super) fn claims(&mut self) -> (Vec<Result<String, UnwrittenFormula>>, String) {
        let (mut made, mut text) = (Vec::new(), String::new());
        for claim in self.claims {
            let title = comment(&claim.title);
            let reason = match self.said(claim) {
                Ok(formula) => {
                    let name = self.names.give("p1");
                    let _ = write!(
                        text,
                        "\n/* {title}\n * `spin -run -a -ltl {name}` */\nltl {name} {{ [] (start -> {formula}) }}\n"
                    );
                    made.push(Ok(name));
                    continue;
                }
                Err(reason) => reason,
            };
            let name = self.names.give("p1");
            match self.watched(claim, &name, reason) {
                Ok(claim) => {
                    self.has_beat = true;
                    let _ = write!(
                        text,
                        "\n/* {title}\n * `spin -run -ltl {name}`: an assertion fails if it does not hold */\n{claim}"
                    );
                    made.push(Ok(name));
                }
                Err(reason) => {
                    let _ = write!(text, "\n/* {title}\n * is not written: {} */\n", comment(&reason));
                    made.push(Err(reason));
                }
            }
        }
        (made, text)
    }

    /// A claim as a formula.
    fn said(&self, claim: &Claim) -> Result<String, UnwrittenFormula> {
        let formula = claim.formula.as_ref().ok_or("no formula says it")?;
        sayable(formula)?;
        self.formula(formula)
    }

    /// A claim that has no formula, as a claim of our own.
    fn watched(
        &self,
        claim: &Claim,
        name: &str,
        reason: UnwrittenFormula,
    ) -> Result<String, UnwrittenFormula> {
        let observers = claim.observers.as_ref().map_err(|why| format!("{reason}; {why}"))?;
        self.never(name, observers).map_err(|why| format!("{reason}; {why}"))
    }

    fn formula(&self, formula: &Formula) -> Result<String, UnwrittenFormula> {
        Ok(match &formula.node {
            FormulaNode::Constant(value) => value.to_string(),
            FormulaNode::Atom(atom) => self.atom(atom)?,
            FormulaNode::Unary(operator, part) => {
                let sign = match operator {
                    Unary::Not => "!",
                    Unary::Finally => "<> ",
                    Unary::Globally => "[] ",
                    Unary::Next => return Err("it asks for the next position".to_owned()),
                    Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically => {
                        return Err("SPIN knows no past".to_owned());
                    }
                };
                format!("({sign}{})", self.formula(part)?)
            }
            FormulaNode::Binary(operator, left, right) => {
                if let Some(said) = self.followed(*operator, left, right) {
                    return said;
                }
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                match operator {
                    Binary::And => format!("({left} && {right})"),
                    Binary::Or => format!("({left} || {right})"),
                    Binary::Implies => format!("({left} -> {right})"),
                    Binary::Iff => format!("({left} <-> {right})"),
                    Binary::Until => format!("({left} U {right})"),
                    Binary::WeakUntil => format!("({left} W {right})"),
                    Binary::Release => format!("({left} V {right})"),
                    Binary::StrongRelease => format!("({right} U ({left} && {right}))"),
                    Binary::Since | Binary::Trigger => return Err("SPIN knows no past".to_owned()),
                }
            }
        })
    }

    /// `a & X f` and `a -> X f` for an occurrence that happens no more than once.
    fn followed(
        &self,
        operator: Binary,
        left: &Formula,
        right: &Formula,
    ) -> Option<Result<String, UnwrittenFormula>> {
        let sign = match operator {
            Binary::And => "&&",
            Binary::Implies => "->",
            Binary::Or
            | Binary::Iff
            | Binary::Until
            | Binary::Release
            | Binary::WeakUntil
            | Binary::StrongRelease
            | Binary::Since
            | Binary::Trigger => return None,
        };
        let (FormulaNode::Atom(atom), FormulaNode::Unary(Unary::Next, next)) = (&left.node, &right.node)
        else {
            return None;
        };
        let once = |meant: Vec<OccurrenceId>| match meant.as_slice() {
            [] => true,
            [one] => self.tree.times(*one) <= 1,
            _ => false,
        };
        let is_single = self.meant(atom).is_some_and(once);
        is_single.then(|| {
            let (now, next) = (self.atom(atom)?, self.formula(next)?);
            Ok(format!("({now} {sign} ({now} U (!{now} && {next})))"))
        })
    }

    /// The occurrences that an atom means, if it means some.
    fn meant(&self, atom: &Atom) -> Option<Vec<OccurrenceId>> {
        let all = self.tree.occurrences.enumerate();
        match atom {
            Atom::Event(pattern) => {
                Some(all.filter(|(id, _)| self.matches(pattern, *id)).map(|(id, _)| id).collect())
            }
            Atom::Exactly(word) => {
                Some(all.filter(|(_, one)| one.event == word.text).map(|(id, _)| id).collect())
            }
            Atom::Name(_) | Atom::In(..) | Atom::Data(_) | Atom::Start | Atom::End => None,
        }
    }

    fn matches(&self, pattern: &Pattern, id: OccurrenceId) -> bool {
        let one = &self.tree.occurrences[id];
        let is = |word: &Option<FormulaWord>, line: Option<LineId>| match word {
            None => true,
            Some(word) => line.is_some_and(|line| self.tree.lines[line] == word.text),
        };
        let direction = match one.kind {
            EventKind::Send => Some(Direction::Sent),
            EventKind::Receive => Some(Direction::Received),
            EventKind::Rendezvous | EventKind::Termination => None,
        };
        let (from, to) = match direction {
            Some(Direction::Received) => (one.partner, Some(one.line)),
            Some(Direction::Sent) => (Some(one.line), one.partner),
            None => (None, None),
        };
        let is_message = |word: &FormulaWord| direction.is_some() && is_asked(word, one);
        (pattern.direction.is_none() || pattern.direction == direction)
            && pattern.message.as_ref().is_none_or(is_message)
            && is(&pattern.from, from)
            && is(&pattern.to, to)
            && is(&pattern.actor, Some(one.line))
            && is(&pattern.partner, one.partner)
    }

    fn atom(&self, atom: &Atom) -> Result<String, UnwrittenFormula> {
        match atom {
            Atom::Event(pattern) => Ok(self.pattern(pattern)),
            Atom::Exactly(word) => self.exactly(&word.text),
            Atom::Name(word) => self.guard(&word.text),
            Atom::Start => Ok("start".to_owned()),
            Atom::End => Ok("end".to_owned()),
            Atom::In(..) | Atom::Data(_) => Err("lifelines have no states and no data".to_owned()),
        }
    }

    /// A guard that has one value throughout a run.
    pub(super) fn guard(&self, text: &str) -> Result<String, UnwrittenFormula> {
        if let Some(value) = self.diagram.assumptions.guards.get(text) {
            return Ok(value.to_string());
        }
        let known = self.tree.rigids.enumerate().find(|(_, name)| *name == text);
        known
            .map(|(rigid, _)| self.words[rigid].clone())
            .ok_or_else(|| format!("`{text}` has no one value in a run"))
    }

    /// An event by the flags.
    pub(super) fn exactly(&self, text: &str) -> Result<String, UnwrittenFormula> {
        let Some(one) = self.tree.occurrences.iter().find(|one| one.event == text) else {
            return match text.contains('#') {
                true => Err(format!("flags do not tell `{text}` from others like it")),
                false => Ok("false".to_owned()),
            };
        };
        let sign = if one.kind == EventKind::Send { "send" } else { "receive" };
        let mut parts = vec![format!("proc1_{}", self.lines[one.line])];
        match one.message.is_empty() {
            true => parts.extend(["!send".to_owned(), "!receive".to_owned()]),
            false => parts.extend([sign.to_owned(), self.messages.exactly(one)]),
        }
        parts.extend(one.partner.map(|partner| format!("proc2_{}", self.lines[partner])));
        Ok(format!("({})", parts.join(" && ")))
    }

    /// A pattern by the flags.
    fn pattern(&self, pattern: &Pattern) -> String {
        let line = |word: &FormulaWord| {
            self.tree.lines.enumerate().find(|(_, name)| **name == word.text).map(|(line, _)| line)
        };
        let role = |word: &FormulaWord, role: &str| match line(word) {
            Some(line) => format!("{role}_{}", self.lines[line]),
            None => "false".to_owned(),
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(pattern.direction.map(|direction| match direction {
            Direction::Sent => "send".to_owned(),
            Direction::Received => "receive".to_owned(),
        }));
        if let Some(word) = &pattern.message {
            let is_it = |message: &str, text: &str, one: &TemplateOccurrence| {
                one.message == message && one.label == text && is_asked(word, one)
            };
            parts.push(
                self.messages
                    .any(|message, text| self.tree.occurrences.iter().any(|one| is_it(message, text, one))),
            );
        }
        parts.extend(pattern.actor.as_ref().map(|word| role(word, "proc1")));
        parts.extend(pattern.partner.as_ref().map(|word| role(word, "proc2")));
        for (end, [sent, received]) in
            [(&pattern.from, ["proc1", "proc2"]), (&pattern.to, ["proc2", "proc1"])]
        {
            let Some(word) = end else { continue };
            parts.push(match pattern.direction {
                Some(Direction::Sent) => role(word, sent),
                Some(Direction::Received) => role(word, received),
                None => format!("((send && {}) || (receive && {}))", role(word, sent), role(word, received)),
            });
        }
        match parts.as_slice() {
            [] => "(proc1 != 0)".to_owned(),
            [only] => only.clone(),
            several => format!("({})", several.join(" && ")),
        }
    }
}

/// Whether an occurrence is of the message that a word asks for.
fn is_asked(word: &FormulaWord, one: &TemplateOccurrence) -> bool {
    is_message_asked(&word.text, &one.message, one.arguments.as_deref())
}
