//! Findings: which of them concern which diagram or question, which repeat others, and which the authors announced.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{Check, InteractionId, KnownFinding, Machine, Model};
use sequent_kernel::source::{FileId, Span};

/// Whether a finding is about a question, not about what is asked.
pub(crate) fn is_of_question(finding: &Diagnostic) -> bool {
    let codes = [Code::BadFormula, Code::UnknownInFormula, Code::FreshGuard, Code::NoStates];
    codes.contains(&finding.code)
}

/// Interactions that were read without an error: what a broken diagram does is not worth a search. What is wrong with a
/// question is not wrong with the diagram in which it stands.
pub(crate) fn searchable(model: &Model, found: &[Diagnostic]) -> BTreeSet<InteractionId> {
    let errors: BTreeSet<(FileId, u32)> =
        errors(found).map(|error| (error.span.file, error.span.start)).collect();
    let is_sound =
        |place: Span| errors.range((place.file, place.start)..=(place.file, place.end)).next().is_none();
    model.interactions.ids().filter(|id| is_sound(model.interactions[*id].place.0)).collect()
}

/// Whether a machine has errors.
pub(crate) fn is_broken_machine(machine: &Machine, found: &[Diagnostic]) -> bool {
    let place = machine.place.0;
    errors(found).any(|error| {
        error.span.file == place.file && place.start <= error.span.start && error.span.start <= place.end
    })
}

/// Whether a question has errors itself.
pub(crate) fn is_broken_question(check: &Check, found: &[Diagnostic]) -> bool {
    let Span { file, start, end } = check.place.0;
    let is_inside = |span: Span| span.file == file && start <= span.start && span.end <= end;
    let of_questions =
        found.iter().filter(|finding| finding.severity == Severity::Error && is_of_question(finding));
    of_questions.into_iter().any(|error| is_inside(error.span))
}

fn errors(found: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    found.iter().filter(|finding| finding.severity == Severity::Error && !is_of_question(finding))
}

/// Leaves out what a reader said already: mermaid itself refuses the deactivation of something inactive.
pub(crate) fn without_echoes(
    findings: Vec<Diagnostic>,
    said: &[Diagnostic],
) -> impl Iterator<Item = Diagnostic> {
    let refused = said.iter().filter(|other| other.code == Code::InactiveDeactivation);
    let refused: BTreeSet<(FileId, u32)> = refused.map(|other| (other.span.file, other.span.start)).collect();
    findings.into_iter().filter(move |finding| {
        let Span { file, start, end } = finding.span;
        finding.code != Code::NeedlessDeactivation
            || refused.range((file, start)..=(file, end)).next().is_none()
    })
}

/// Leaves out what follows from lines or blocks that could not be read: a missing `end` moves everything
/// below it into another block, and a line that is left out is missing everywhere. Findings about the meaning
/// of the diagram are reported once it can be read.
pub(crate) fn without_consequences(model: &Model, found: &mut Vec<Diagnostic>) {
    let unread: BTreeSet<(FileId, u32)> =
        found.iter().filter(|one| is_unread(one.code)).map(|one| (one.span.file, one.span.start)).collect();
    let diagrams = model.interactions.iter().map(|one| one.place.0);
    let diagrams = diagrams.chain(model.machines.iter().map(|one| one.place.0));
    let is_cut =
        |place: &Span| unread.range((place.file, place.start)..=(place.file, place.end)).next().is_some();
    let cut: Vec<Span> = diagrams.filter(is_cut).collect();
    let is_inside = |one: &Diagnostic, diagram: &Span| {
        diagram.file == one.span.file && diagram.start <= one.span.start && one.span.start <= diagram.end
    };
    found.retain(|one| !is_consequence(one.code) || !cut.iter().any(|diagram| is_inside(one, diagram)));
    // A divider stands in the wrong block because another was not closed.
    let open: Vec<Diagnostic> = found.iter().filter(|one| one.code == Code::UnclosedBlock).cloned().collect();
    let is_open = |diagram: &&Span| open.iter().any(|one| is_inside(one, diagram));
    let open: Vec<&Span> = cut.iter().filter(is_open).collect();
    found.retain(|one| one.code != Code::StrayElse || !open.iter().any(|diagram| is_inside(one, diagram)));
    without_strays(found, &cut);
    // What a class diagram says is not judged where some of it could not be read.
    let files: BTreeSet<FileId> = unread.iter().map(|(file, _)| *file).collect();
    let of_classes = [Code::InheritanceCircle, Code::TwoTypes, Code::ClassSlip];
    found.retain(|one| !of_classes.contains(&one.code) || !files.contains(&one.span.file));
}

/// Leaves out an end or a divider without its block below a line that could not be read, which probably opens the block.
fn without_strays(found: &mut Vec<Diagnostic>, cut: &[Span]) {
    let opens = |one: &&Diagnostic| {
        one.severity == Severity::Error && matches!(one.code, Code::Syntax | Code::BadArrow | Code::StrayElse)
    };
    let first: BTreeSet<(FileId, u32)> =
        found.iter().filter(opens).map(|one| (one.span.file, one.span.start)).collect();
    let places: BTreeMap<(FileId, u32), u32> =
        cut.iter().map(|place| ((place.file, place.start), place.end)).collect();
    let follows = |one: &Diagnostic| {
        let Span { file, start, .. } = one.span;
        let diagram = places.range(..=(file, start)).next_back();
        diagram.is_some_and(|(begin, end)| {
            begin.0 == file && start <= *end && first.range(*begin..(file, start)).next().is_some()
        })
    };
    found.retain(|one| !matches!(one.code, Code::StrayEnd | Code::StrayElse) || !follows(one));
}

/// Whether a part of the diagram is missing in what was read, or in another block than it should be.
pub(crate) fn is_unread(code: Code) -> bool {
    matches!(
        code,
        Code::Syntax
            | Code::UnclosedBlock
            | Code::StrayEnd
            | Code::StrayElse
            | Code::BadArrow
            | Code::Preprocessor
    )
}

/// Whether a finding is about what a diagram means, or about what stands in which order.
fn is_consequence(code: Code) -> bool {
    let of_order = [Code::InactiveDeactivation, Code::CreateWithoutMessage, Code::DestroyWithoutMessage];
    code.number().starts_with(['2', '3']) || of_order.contains(&code)
}

/// Pairs of codes that one cause has at one place: the first is not reported beside the second, which says
/// more.
const ECHOES: [(Code, Code); 4] = [
    (Code::IdleOperand, Code::UnsatisfiableGuard),
    (Code::CompletionFirst, Code::NeverFires),
    (Code::UnknownInteraction, Code::RecursiveUse),
    (Code::UnknownInteraction, Code::UnwieldyUse),
];

/// Removes findings whose cause another finding tells at the same place.
pub(crate) fn remove_echoes(found: &mut Vec<Diagnostic>) {
    let place = |one: &Diagnostic| (one.span.file, one.span.start);
    let told: BTreeSet<_> = found.iter().map(|one| (one.code, place(one))).collect();
    let says_more = |one: &Diagnostic, code: Code| told.contains(&(code, place(one)));
    found.retain(|one| !ECHOES.iter().any(|(echo, more)| one.code == *echo && says_more(one, *more)));
}

/// Parts the findings into those to report and those that directives announce; what was announced and did not come is
/// to be reported. That an expectation is not met is a finding too, and may be announced like any other.
pub(crate) fn settle(
    mut found: Vec<Diagnostic>,
    known: &[KnownFinding],
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (of_expectations, of_others): (Vec<&KnownFinding>, Vec<&KnownFinding>) =
        known.iter().partition(|known| known.code == Code::UnmetExpectation);
    found.extend(missing(&found, &of_others));
    let in_vain = missing(&found, &of_expectations);
    let is_known = |diagnostic: &Diagnostic| known.iter().any(|known| covers(known, diagnostic));
    let (announced, mut rest): (Vec<Diagnostic>, Vec<Diagnostic>) = found.into_iter().partition(is_known);
    rest.extend(in_vain);
    (rest, announced)
}

/// A finding for each of the announced ones that must come and is not among those found.
fn missing(found: &[Diagnostic], known: &[&KnownFinding]) -> Vec<Diagnostic> {
    let comes = |known: &KnownFinding| found.iter().any(|diagnostic| covers(known, diagnostic));
    known.iter().filter(|known| known.must_come && !comes(known)).map(|known| unmet(known)).collect()
}

/// Whether a directive announces a finding: the same code, in the same diagram.
fn covers(known: &KnownFinding, diagnostic: &Diagnostic) -> bool {
    let (diagram, span) = (known.diagram.0, diagnostic.span);
    known.code == diagnostic.code
        && diagram.file == span.file
        && diagram.start <= span.start
        && span.start <= diagram.end
}

fn unmet(known: &KnownFinding) -> Diagnostic {
    let message = format!("{} is expected here but was not found", known.code.name());
    Diagnostic::new(Code::UnmetExpectation, known.place.0, message).hint(format!(
        "{}: {}",
        known.code.name(),
        known.code.title()
    ))
}
