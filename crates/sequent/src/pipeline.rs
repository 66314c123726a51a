//! The one way through the house.
//!
//! ```text
//! text -> read -> statements -> resolve -> model -> lint ---------------------> findings -> settle -> what is reported
//!                                               \-> lower -> system -> search -/
//! ```
//!
//! Files are found and read by the caller; everything here is a function of its arguments.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::formula::Word;
use sequent_kernel::lint::{self, Folders};
use sequent_kernel::model::{Check, InteractionId, Known, Model, Question, Refines, Subject};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_kernel::verdict::{Answer, Details, Story, Verdict};
use sequent_notation::tree::{Content, Document};
use sequent_notation::{Context, Loader, resolve};

use crate::agenda::{self, Item, Words};
use crate::behaviour::{self, Effort, Inspection};
use crate::inspections::{self, Inspections};
use crate::property::{self, Ask, Plan, Planned, Reply};
use crate::refinement::{self, Side};
use crate::scenario;
use crate::settings::Settings;
use crate::system;
use crate::templates;

/// Everything known after reading.
pub struct Reading {
    /// Syntax trees, one per file.
    pub documents: Vec<Document>,
    /// What they say together.
    pub model: Model,
    /// The folder of each file.
    pub folders: Folders,
    /// Problems found while reading.
    pub diagnostics: Vec<Diagnostic>,
}

/// Adds a file's text; bytes that are no UTF-8 become replacement characters, and are reported.
pub fn decode(
    sources: &mut Sources,
    name: String,
    bytes: &[u8],
    diagnostics: &mut Vec<Diagnostic>,
) -> FileId {
    match std::str::from_utf8(bytes) {
        Ok(text) => sources.add(name, text),
        Err(error) => {
            let file = sources.add(name, String::from_utf8_lossy(bytes).as_ref());
            let at = error.valid_up_to();
            diagnostics.push(
                Diagnostic::new(Code::NotUtf8, Span::new(file, at, at), "from here on the file is not UTF-8")
                    .hint("save the file as UTF-8"),
            );
            file
        }
    }
}

/// Reads files into one model.
pub fn read(
    files: &[FileId],
    sources: &mut Sources,
    loader: &mut dyn Loader,
    settings: &Settings,
) -> Reading {
    let mut diagnostics = Vec::new();
    let documents: Vec<Document> = files
        .iter()
        .map(|file| {
            let mut context = Context { sources, loader, diagnostics: &mut diagnostics };
            sequent_notation::read(*file, &mut context)
        })
        .collect();
    let (mut model, problems) = resolve::resolve(&documents, sources);
    diagnostics.extend(problems);
    diagnostics.extend(no_diagrams(&documents, sources, &diagnostics));
    diagnostics.sort();
    diagnostics.dedup();
    diagnostics.extend(unknown_scenarios(&settings.checks, &model));
    diagnostics.extend(settings.checks.iter().flat_map(|check| refinement::problems(check, &model)));
    model.system = settings.system.clone();
    model.checks.extend(settings.checks.iter().cloned());
    Reading { documents, model, folders: folders(files, sources), diagnostics }
}

/// Where all diagrams were given, a name that none has is an error.
fn must_be_there(finding: &mut Diagnostic) {
    if finding.severity == Severity::Hint {
        finding.severity = Severity::Error;
        finding.hint = None;
    }
}

/// Checks of the settings file about interactions that are not there.
fn unknown_scenarios(checks: &[Check], model: &Model) -> Vec<Diagnostic> {
    let names = || model.interactions.iter().map(|interaction| interaction.name.as_str());
    let mut problems = Vec::new();
    for check in checks {
        let Question::Scenario(scenario) = &check.question else { continue };
        let is_unknown = |word: &&Word| !names().any(|known| known == word.text);
        let Some(Word { text: name, place }) = scenario.interaction.as_ref().filter(is_unknown) else {
            continue;
        };
        let message = format!("no interaction is called `{name}`");
        let diagnostic = Diagnostic::new(Code::BadSetting, place.0, message);
        problems.push(match nearest(name, names()) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic
                .severity(Severity::Hint)
                .hint("give the file that holds it on the command line too"),
        });
    }
    problems
}

fn folders(files: &[FileId], sources: &Sources) -> Folders {
    let folder = |file: FileId| sources.get(file).name.rsplit_once('/').map_or("", |(folder, _)| folder);
    files.iter().map(|file| (*file, folder(*file).to_owned())).collect()
}

/// A file without any diagram is worth a word if it is empty, or if no other file holds one either: among diagrams,
/// Markdown that holds none is nothing to speak of.
fn no_diagrams(documents: &[Document], sources: &Sources, said: &[Diagnostic]) -> Vec<Diagnostic> {
    let nothing_at_all = documents.iter().all(|document| document.blocks.is_empty());
    let is_blank = |file: FileId| sources.get(file).text.trim().is_empty();
    let said: BTreeSet<FileId> =
        said.iter().filter(|one| one.code == Code::NoDiagram).map(|one| one.span.file).collect();
    let silent = documents.iter().filter(|document| {
        let file = document.file;
        document.blocks.is_empty() && !said.contains(&file) && (nothing_at_all || is_blank(file))
    });
    let finding = |document: &Document| {
        Diagnostic::new(Code::NoDiagram, Span::new(document.file, 0, 0), "the file holds no diagram")
            .hint("diagrams are fenced blocks in Markdown, or whole files ending in .puml or .mmd")
    };
    silent.map(finding).collect()
}

/// Everything found out about what was read.
pub struct Outcome {
    /// Answers to the questions asked.
    pub answers: Vec<Answer>,
    /// Findings that are reported.
    pub diagnostics: Vec<Diagnostic>,
    /// The runs that some of them show.
    pub stories: BTreeMap<(Code, Span), Story>,
    /// Findings that the authors announced.
    pub known: Vec<Diagnostic>,
    /// Whether a check must not hold for nothing but that something never happens, and one does.
    pub is_vacuous: bool,
}

/// What was found out about the systems of a model, once somebody wants to know.
type Systems<'a> = LazyCell<Vec<system::Inspection>, Box<dyn FnOnce() -> Vec<system::Inspection> + 'a>>;

/// Looks at a reading: lints it, searches it, answers its questions, and settles what was expected.
pub fn check(reading: &Reading, settings: &Settings, effort: &Effort) -> Outcome {
    let model = &reading.model;
    let mut found = linted(reading);
    let inspections =
        Inspections::new(model, searchable(model, &found).into_iter().collect(), &settings.switches, effort);
    let (about_objects, plan) = plans(reading, settings, &found);
    found.extend(plan.problems.iter().cloned());
    let casts = scenario::casts(model, &reading.folders, &about_objects);
    let means = scenario::Means { switches: &settings.switches, effort };
    let sound = found.clone();
    // Questions come first: what nobody asked for is looked for in the time that is left.
    let (of_objects, problems) =
        scenario::answers(model, &reading.folders, &about_objects, casts.clone(), &means);
    found.extend(problems);
    let inspect = || system::inspect(model, &reading.folders, &sound, &casts, effort);
    let systems: Systems<'_> = LazyCell::new(Box::new(inspect));
    let mut answers = answers(model, &plan, &inspections, (&systems, of_objects), settings, effort);
    let mut stories = BTreeMap::new();
    for (id, inspection) in inspections.all() {
        if matches!(inspection.verdict, Verdict::Unknown(_)) && !inspections.are_asked(id) {
            answers.push(undecided(model, id, inspection));
        }
        for (finding, story) in &inspection.findings {
            stories.extend(story.clone().map(|story| ((finding.code, finding.span), story)));
            if !is_echo(finding, &found) {
                found.push(finding.clone());
            }
        }
    }
    for (finding, story) in systems.iter().flat_map(|system| &system.findings) {
        stories.extend(story.clone().map(|story| ((finding.code, finding.span), story)));
        found.push(finding.clone());
    }
    if settings.is_whole {
        found.iter_mut().filter(|one| one.code == Code::BadSetting).for_each(must_be_there);
    }
    found.sort();
    found.dedup();
    let (mut diagnostics, known) = settle(found, &reading.model.known);
    for diagnostic in &mut diagnostics {
        diagnostic.severity = settings.severity(diagnostic);
    }
    diagnostics.retain(|diagnostic| !settings.allowed.contains(&diagnostic.code));
    diagnostics.sort();
    let is_vacuous = settings.vacuous_denied && answers.iter().any(|answer| answer.vacuous.is_some());
    Outcome { answers, diagnostics, stories, known, is_vacuous }
}

/// What is wrong with a reading, as far as no search is needed to see it.
pub(crate) fn linted(reading: &Reading) -> Vec<Diagnostic> {
    let mut found = reading.diagnostics.clone();
    found.extend(without_echoes(lint::lint(&reading.model, &reading.folders), &reading.diagnostics));
    found
}

/// The questions about objects, and those about the runs of interactions.
pub(crate) fn plans<'m>(
    reading: &'m Reading,
    settings: &Settings,
    found: &[Diagnostic],
) -> (scenario::Plan<'m>, Plan<'m>) {
    let Reading { model, folders, .. } = reading;
    let is_wrong = |check: &Check| is_broken(check, found);
    let about_objects = scenario::plan(model, folders, found, &is_wrong);
    let plan = property::plan(model, folders, &settings.uses, &is_wrong, &about_objects.claimed);
    (about_objects, plan)
}

/// Answers the questions about objects alone, and tells what is wrong with them (`sequent reach`).
pub fn reach(reading: &Reading, settings: &Settings, effort: &Effort) -> (Vec<Answer>, Vec<Diagnostic>) {
    let model = &reading.model;
    let mut found = reading.diagnostics.clone();
    found.extend(lint::lint(model, &reading.folders));
    let asked = scenario::plan(model, &reading.folders, &found, &|check| is_broken(check, &found));
    let casts = scenario::casts(model, &reading.folders, &asked);
    let means = scenario::Means { switches: &settings.switches, effort };
    let (answers, problems) = scenario::answers(model, &reading.folders, &asked, casts, &means);
    (answers.into_values().flatten().map(|(_, answer)| answer).collect(), problems)
}

/// Whether each interaction means the same in formulas (`--templates`).
pub fn check_templates(reading: &Reading, settings: &Settings, effort: &Effort) -> Vec<Answer> {
    let sound = searchable(&reading.model, &reading.diagnostics);
    sound.into_iter().map(|id| templates::agree(&reading.model, id, &settings.switches, effort)).collect()
}

/// Interactions that were read without an error: what a broken diagram does is not worth a search. What is wrong with a
/// question is not wrong with the diagram in which it stands.
pub(crate) fn searchable(model: &Model, found: &[Diagnostic]) -> Vec<InteractionId> {
    let errors =
        found.iter().filter(|finding| finding.severity == Severity::Error && !is_of_question(finding));
    let errors: BTreeSet<(FileId, u32)> = errors.map(|error| (error.span.file, error.span.start)).collect();
    let is_sound =
        |place: Span| errors.range((place.file, place.start)..=(place.file, place.end)).next().is_none();
    model.interactions.ids().filter(|id| is_sound(model.interactions[*id].place.0)).collect()
}

/// Whether a finding is about a question, not about what is asked.
pub(crate) fn is_of_question(finding: &Diagnostic) -> bool {
    let codes = [Code::BadFormula, Code::UnknownInFormula, Code::FreshGuard, Code::NoStates];
    codes.contains(&finding.code)
}

/// Whether a question has errors itself.
fn is_broken(check: &Check, found: &[Diagnostic]) -> bool {
    let Span { file, start, end } = check.place.0;
    let is_inside = |span: Span| span.file == file && start <= span.start && span.end <= end;
    let errors =
        found.iter().filter(|finding| finding.severity == Severity::Error && is_of_question(finding));
    errors.into_iter().any(|error| is_inside(error.span))
}

/// What is said of an interaction for which the search did not come to an end.
fn undecided(model: &Model, id: InteractionId, inspection: &Inspection) -> Answer {
    Answer {
        name: "never gets stuck".to_owned(),
        kind: "deadlock",
        target: Some(model.interactions[id].name.clone()),
        place: Some(model.interactions[id].place),
        verdict: inspection.verdict.clone(),
        vacuous: None,
        expected: None,
        engine: Some(behaviour::ENGINE),
        states: None,
        millis: inspection.millis,
        details: Details::default(),
    }
}

/// Leaves out what a reader said already: mermaid itself refuses the deactivation of something inactive.
fn without_echoes(findings: Vec<Diagnostic>, said: &[Diagnostic]) -> impl Iterator<Item = Diagnostic> {
    let refused = said.iter().filter(|other| other.code == Code::InactiveDeactivation);
    let refused: BTreeSet<(FileId, u32)> = refused.map(|other| (other.span.file, other.span.start)).collect();
    findings.into_iter().filter(move |finding| {
        let Span { file, start, end } = finding.span;
        finding.code != Code::NeedlessDeactivation
            || refused.range((file, start)..=(file, end)).next().is_none()
    })
}

/// Whether a search found no more than the lints: an operand with a guard that is never true does not run.
fn is_echo(finding: &Diagnostic, found: &[Diagnostic]) -> bool {
    let start = |one: &Diagnostic| (one.span.file, one.span.start);
    let says_more =
        |other: &Diagnostic| other.code == Code::UnsatisfiableGuard && start(other) == start(finding);
    finding.code == Code::IdleOperand && found.iter().any(says_more)
}

/// Parts the findings into those to report and those that directives announce; what was announced and did not come is
/// to be reported. That an expectation is not met is a finding too, and may be announced like any other.
fn settle(mut found: Vec<Diagnostic>, known: &[Known]) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (of_expectations, of_others): (Vec<&Known>, Vec<&Known>) =
        known.iter().partition(|known| known.code == Code::UnmetExpectation);
    found.extend(missing(&found, &of_others));
    let in_vain = missing(&found, &of_expectations);
    let is_known = |diagnostic: &Diagnostic| known.iter().any(|known| covers(known, diagnostic));
    let (announced, mut rest): (Vec<Diagnostic>, Vec<Diagnostic>) = found.into_iter().partition(is_known);
    rest.extend(in_vain);
    (rest, announced)
}

/// A finding for each of the announced ones that must come and is not among those found.
fn missing(found: &[Diagnostic], known: &[&Known]) -> Vec<Diagnostic> {
    let comes = |known: &Known| found.iter().any(|diagnostic| covers(known, diagnostic));
    known.iter().filter(|known| known.must_come && !comes(known)).map(|known| unmet(known)).collect()
}

/// Whether a directive announces a finding: the same code, in the same diagram.
fn covers(known: &Known, diagnostic: &Diagnostic) -> bool {
    let (diagram, span) = (known.diagram.0, diagnostic.span);
    known.code == diagnostic.code
        && diagram.file == span.file
        && diagram.start <= span.start
        && span.start <= diagram.end
}

fn unmet(known: &Known) -> Diagnostic {
    let message = format!("{} was expected here and did not come", known.code.name());
    Diagnostic::new(Code::UnmetExpectation, known.place.0, message).hint(format!(
        "{}: {}",
        known.code.name(),
        known.code.title()
    ))
}

/// The answers to all questions, in their order.
fn answers(
    model: &Model,
    plan: &Plan<'_>,
    inspections: &Inspections<'_>,
    (systems, of_objects): (&Systems<'_>, scenario::Answers),
    settings: &Settings,
    effort: &Effort,
) -> Vec<Answer> {
    let mut replies: BTreeMap<usize, Reply> = BTreeMap::new();
    let mut about: BTreeMap<InteractionId, Vec<usize>> = BTreeMap::new();
    let is_sound = |planned: &Planned<'_>| planned.ask.diagrams().all(|id| inspections.are_of(id));
    for (number, planned) in plan.asked.iter().enumerate().filter(|(_, planned)| is_sound(planned)) {
        about.entry(planned.about).or_default().push(number);
    }
    for (id, numbers) in about.iter().filter(|(id, _)| inspections.are_of(**id)) {
        let asks: Vec<Ask<'_>> = numbers.iter().map(|number| plan.asked[*number].ask).collect();
        let found = property::replies(model, *id, &asks, &settings.switches, effort);
        replies.extend(numbers.iter().copied().zip(found));
    }
    let asked =
        of_objects.iter().map(|(check, own)| (*check, own.iter().map(|(number, _)| *number).collect()));
    let items = agenda::items(model, plan, &asked.collect());
    let mut of_objects: BTreeMap<usize, Answer> = of_objects.into_values().flatten().collect();
    let answer = |item: Item| match item {
        Item::Objects(number) => of_objects.remove(&number),
        Item::Runs(number) => Some(replied(model, &plan.asked[number], replies.get(&number))),
        Item::Refines(check, refines) => compared(check, refines, model, settings, effort),
        Item::Other(number, check) => {
            Some(answer(check, model, inspections, systems, plan.silent.get(&number)))
        }
    };
    items.into_iter().filter_map(answer).collect()
}

/// The answer to a question about the runs of an interaction.
fn replied(model: &Model, planned: &Planned<'_>, reply: Option<&Reply>) -> Answer {
    let unknown = || Verdict::Unknown("a diagram has errors".to_owned());
    Answer {
        name: planned.name.clone(),
        kind: planned.kind,
        target: Some(model.interactions[planned.about].name.clone()),
        place: Some(planned.place),
        verdict: reply.map_or_else(unknown, |reply| reply.verdict.clone()),
        vacuous: reply.and_then(|reply| reply.vacuous.clone()),
        expected: planned.expected,
        engine: Some(reply.map_or(behaviour::ENGINE, |reply| reply.engine)),
        states: reply.map(|reply| reply.states),
        millis: reply.and_then(|reply| reply.millis),
        details: Details::default(),
    }
}

/// The answer to whether a diagram does only what another does; `None` if one of them was not read.
fn compared(
    check: &Check,
    refines: &Refines,
    model: &Model,
    settings: &Settings,
    effort: &Effort,
) -> Option<Answer> {
    let find = |word: &Word| refinement::find(model, &word.text).ok();
    let subjects = [find(&refines.specification)?, find(check.target.as_ref()?)?];
    let sides = subjects.map(|subject| Side { model, subject });
    let reply = refinement::reply(sides, refines, &settings.switches, effort);
    Some(Answer {
        name: check.name.clone().unwrap_or_else(|| refinement::words(refines)),
        place: Some(check.place),
        expected: check.expected,
        ..refinement::answer(sides, refines, reply)
    })
}

/// The answer to any other question.
fn answer(
    check: &Check,
    model: &Model,
    inspections: &Inspections<'_>,
    systems: &Systems<'_>,
    silent: Option<&String>,
) -> Answer {
    let Words { name, kind, target } = agenda::words(check, model);
    let reason = silent.map_or("nothing here can be asked this", String::as_str);
    let mut answer = Answer {
        name,
        kind,
        target,
        place: Some(check.place),
        verdict: Verdict::Unknown(reason.to_owned()),
        vacuous: None,
        expected: check.expected,
        engine: None,
        states: None,
        millis: None,
        details: Details::default(),
    };
    if let Some(id) = inspections::asks_for_deadlock(check) {
        answer.engine = Some(behaviour::ENGINE);
        match inspections.of(id) {
            Some(inspection) => {
                (answer.verdict, answer.states) = (inspection.verdict.clone(), inspection.states);
                answer.millis = inspection.millis;
            }
            None => answer.verdict = Verdict::Unknown("the diagram has errors".to_owned()),
        }
    }
    if let (Question::Deadlock, Some(Subject::Machine(id))) = (&check.question, check.subject) {
        answer.engine = Some(behaviour::ENGINE);
        match systems.iter().find(|system| system.machines.contains(&id)) {
            Some(system) => {
                (answer.verdict, answer.states) = (system.verdict.clone(), Some(system.states));
                (answer.millis, answer.vacuous) = (system.millis, system.vacuous.clone());
                answer.engine = Some(system.engine);
            }
            None => answer.verdict = Verdict::Unknown("the state machine cannot be run".to_owned()),
        }
    }
    answer
}

/// The exit code of a check (DESIGN section 9).
pub fn exit_code(outcome: &Outcome) -> u8 {
    let worst = outcome.diagnostics.iter().map(|diagnostic| diagnostic.severity).max();
    let unreadable = outcome.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::UnreadableFile);
    let unwelcome = |answer: &&Answer| !answer.is_welcome();
    let undecided = |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_));
    let mut bad = outcome.answers.iter().filter(unwelcome).peekable();
    if unreadable {
        2
    } else if worst == Some(Severity::Error) || outcome.is_vacuous {
        1
    } else if bad.peek().is_none() {
        0
    } else if bad.all(undecided) {
        3
    } else {
        1
    }
}

/// A few words on what a document holds, diagram by diagram.
pub fn kinds(document: &Document) -> impl Iterator<Item = &'static str> {
    document.blocks.iter().map(|block| match block.content {
        Content::Sequence(_) => "sequence diagram",
        Content::State(_) => "state diagram",
        Content::Class(_) => "class diagram",
        Content::Other(_) => "other diagram",
    })
}
