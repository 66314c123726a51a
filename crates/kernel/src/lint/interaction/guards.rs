//! Guards that are never true: W225 (rule I11); texts that are meant as each other's negation: H208.
//!
//! A guard is held against itself and against what is known where it stands: the guards of the operands around it hold,
//! and inside an `else` those of the other operands do not. A proposition keeps its value throughout a run, but is a fresh
//! one in each round of a loop: what is known outside a loop is forgotten inside. Data may change whenever something
//! happens, so a guard over data is held against those around it only where nothing happens in between; so is the guard
//! of a loop, which is there to change.

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::truth::{TruthClaim, is_satisfiable, share_a_name};
use crate::model::{Block, Combined, Condition, Expression, Fragment, Guard, Interaction, UnaryOperator};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    block(&interaction.body, Vec::new(), findings);
    let mut texts = Vec::new();
    lasting(&interaction.body, &mut texts);
    findings.extend(texts.iter().filter_map(|own| negation(*own, &texts)).take(super::MOST_FINDINGS));
}

/// The guards that keep their value throughout a run, each with its fragment.
fn lasting<'a>(block: &'a Block, texts: &mut Vec<(&'a Combined, &'a Condition)>) {
    for fragment in &block.0 {
        let Fragment::Combined(combined) = fragment else { continue };
        if combined.operator.bounds().is_some() {
            continue;
        }
        for operand in &combined.operands {
            match &operand.guard {
                Guard::Condition(condition) => texts.push((combined, condition)),
                Guard::Absent | Guard::Else => {}
            }
            lasting(&operand.block, texts);
        }
    }
}

/// A guard in prose that says `not` of another one: to a reader its negation, here a text of its own.
fn negation(
    (own, condition): (&Combined, &Condition),
    texts: &[(&Combined, &Condition)],
) -> Option<Diagnostic> {
    let text = condition.text.trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("not"))?;
    if condition.expression.is_some() && !condition.is_case_of_its_own() {
        return None;
    }
    let rest = [&words[..at], &words[at + 1..]].concat().join(" ");
    let is_it = |(combined, other): &&(&Combined, &Condition)| {
        !std::ptr::eq(*combined, own) && other.text.split_whitespace().eq(rest.split(' '))
    };
    let (_, other) = texts.iter().find(is_it)?;
    let text = format!("`{text}` is a text of its own, and may be true together with `{rest}`");
    let finding = Diagnostic::new(Code::SingleAlternative, condition.place.0, text);
    let hint = match rest.contains(' ') {
        true => "draw both as the operands of one `alt`, with `else` for the negation".to_owned(),
        false => format!("write `!{rest}`, which is the negation"),
    };
    Some(finding.label(other.place.0, "the text that it negates").hint(hint))
}

/// Something that holds or fails at some place.
#[derive(Clone, Copy)]
struct KnownGuard<'a> {
    claim: TruthClaim<'a>,
    /// Whether it stays so whatever happens.
    is_stable: bool,
}

fn block<'a>(block: &'a Block, mut known: Vec<KnownGuard<'a>>, findings: &mut Vec<Diagnostic>) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Combined(combined) => {
                operands(combined, &known, findings);
                known.retain(|one| one.is_stable);
            }
            Fragment::Message(_) | Fragment::Action(_) | Fragment::Use(_) => {
                known.retain(|one| one.is_stable)
            }
            Fragment::Stop(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
}

fn operands<'a>(combined: &'a Combined, known: &[KnownGuard<'a>], findings: &mut Vec<Diagnostic>) {
    let is_loop = combined.operator.bounds().is_some();
    for (index, operand) in combined.operands.iter().enumerate() {
        let own = own(combined, index);
        // The guard of a loop is fresh in each iteration.
        findings.extend(judge(combined, index, &own, if is_loop { &[] } else { known }));
        let mut inside = if is_loop { Vec::new() } else { known.to_vec() };
        inside.extend(own.into_iter().map(|one| KnownGuard { is_stable: one.is_stable && !is_loop, ..one }));
        block(&operand.block, inside, findings);
    }
}

/// What an operand's guard says.
fn own(combined: &Combined, index: usize) -> Vec<KnownGuard<'_>> {
    let known = |condition, holds| KnownGuard {
        claim: TruthClaim { condition, holds },
        is_stable: is_proposition(condition),
    };
    // What is a case of its own contradicts nothing.
    let is_told = |condition: &&Condition| !condition.is_case_of_its_own();
    match &combined.operands[index].guard {
        Guard::Absent => Vec::new(),
        Guard::Condition(condition) => {
            Some(condition).filter(is_told).map(|condition| known(condition, true)).into_iter().collect()
        }
        Guard::Else => {
            others(combined, index).filter(is_told).map(|condition| known(condition, false)).collect()
        }
    }
}

fn others(combined: &Combined, index: usize) -> impl Iterator<Item = &Condition> {
    let beside = combined.operands.iter().enumerate().filter(move |(other, _)| *other != index);
    beside.filter_map(|(_, operand)| match &operand.guard {
        Guard::Condition(condition) => Some(condition),
        Guard::Absent | Guard::Else => None,
    })
}

/// Prose, or a single name that holds or not.
fn is_proposition(condition: &Condition) -> bool {
    let is_name = |expression: &Expression| matches!(expression, Expression::Name(_));
    match &condition.expression {
        None => true,
        Some(Expression::Unary(UnaryOperator::Not, inner)) => is_name(inner),
        Some(expression) => is_name(expression),
    }
}

fn judge(combined: &Combined, index: usize, own: &[KnownGuard], known: &[KnownGuard]) -> Option<Diagnostic> {
    let claims: Vec<TruthClaim> = own.iter().map(|one| one.claim).collect();
    if claims.is_empty() {
        return None;
    }
    if !is_satisfiable(&claims) {
        return Some(alone(combined, index, &claims));
    }
    let is_near =
        |one: &&KnownGuard| claims.iter().any(|own| share_a_name(own.condition, one.claim.condition));
    let near: Vec<TruthClaim> = known.iter().filter(is_near).map(|one| one.claim).collect();
    let with = |more: &[TruthClaim]| is_satisfiable(&[claims.as_slice(), more].concat());
    let culprit = near.iter().find(|one| !with(&[**one])).copied();
    match culprit {
        Some(culprit) => Some(among_others(combined, index, &[culprit])),
        None if near.len() > 1 && !with(&near) => Some(among_others(combined, index, &near)),
        None => None,
    }
}

/// A guard that contradicts itself, or an `else` to guards of which one is always true.
fn alone(combined: &Combined, index: usize, claims: &[TruthClaim]) -> Diagnostic {
    let operand = &combined.operands[index];
    match &operand.guard {
        Guard::Condition(condition) => {
            let text = format!("`{}` is never true", condition.text);
            Diagnostic::new(Code::UnsatisfiableGuard, condition.place.0, text)
                .hint("correct the guard, or remove the operand: it never runs")
        }
        Guard::Absent | Guard::Else => {
            let text = "this `else` is never reached: one of the other guards is always true";
            let finding = Diagnostic::new(Code::UnsatisfiableGuard, operand.place.0.at_start(), text);
            let finding = claims.iter().take(MOST_LABELS).fold(finding, |finding, claim| {
                finding.label(claim.condition.place.0, "a guard it is the alternative to")
            });
            finding.hint("correct the guards, or remove the operand: it never runs")
        }
    }
}

/// How many guards a finding points at.
const MOST_LABELS: usize = 3;

/// A guard that contradicts those around it.
fn among_others(combined: &Combined, index: usize, around: &[TruthClaim]) -> Diagnostic {
    let operand = &combined.operands[index];
    let (what, place) = match &operand.guard {
        Guard::Condition(condition) => {
            (format!("`{}` is never true here", condition.text), condition.place.0)
        }
        Guard::Absent | Guard::Else => {
            ("this `else` is never reached".to_owned(), operand.place.0.at_start())
        }
    };
    let reason = match around {
        [TruthClaim { condition, holds: true }] => format!("it stands inside `{}`", condition.text),
        [TruthClaim { condition, holds: false }] => format!("it stands where `{}` is false", condition.text),
        _ => "the guards around it rule it out".to_owned(),
    };
    let finding = Diagnostic::new(Code::UnsatisfiableGuard, place, format!("{what}: {reason}"));
    let finding = around.iter().take(MOST_LABELS).fold(finding, |finding, claim| {
        finding.label(
            claim.condition.place.0,
            if claim.holds { "this holds here" } else { "this is false here" },
        )
    });
    let is_prose = around.iter().all(|claim| is_proposition(claim.condition));
    finding.hint(if is_prose {
        "the same words mean the same throughout a run: word one of the guards otherwise, or remove the operand"
    } else {
        "correct one of the guards, or remove the operand: it never runs"
    })
}
