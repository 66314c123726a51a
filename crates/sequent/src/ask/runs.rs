//! Which questions are asked about the runs of which interactions.
//!
//! A formula is about the diagram it stands in, or about the one a setting names. A diagram that is one
//! `neg`, or that has an `assert` at its top, is a property of the other diagrams in its folder: a folder is
//! a system. An `assert` may also be part of a model, so it becomes a question only if a check says so, or if
//! a model of the folder draws the same messages. The settings may say of each diagram what it is.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::id::IdVec;
use sequent_kernel::lint::property::subjects;
use sequent_kernel::model::{
    Check, Combination, Expectation, Fragment, Guard, InteractionId, Mode, Model, Property, Question, Subject,
};
use sequent_kernel::property::diagram::{self, DiagramRole, DrawnOccurrence, PropertyFragment};
use sequent_kernel::source::{Folders, Place, Span};

use sequent_kernel::verdict::Reason;

use super::{Matter, Query};
use crate::finding::is_broken_question;
use crate::settings::DiagramUse;

/// What is claimed of the runs of an interaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim<'m> {
    /// Every run satisfies a formula.
    Formula(&'m Property),
    /// No run contains what a `neg` diagram forbids.
    Safe(InteractionId, Mode),
    /// Every run follows an `assert` diagram.
    Consistent(InteractionId),
}

impl Claim<'_> {
    /// The diagrams that ask.
    pub fn diagrams(&self) -> impl Iterator<Item = InteractionId> {
        match self {
            Claim::Formula(_) => None,
            Claim::Safe(property, _) | Claim::Consistent(property) => Some(*property),
        }
        .into_iter()
    }
}

/// What is asked about the runs of interactions.
#[derive(Default)]
pub(crate) struct RunQueries<'m> {
    /// The questions by their checks; those that diagrams ask by themselves have the number after the last check.
    pub queries: BTreeMap<usize, Vec<Query<'m>>>,
    /// Why a check has no answer.
    pub silent: BTreeMap<usize, Reason>,
    /// Checks about diagrams that were not read: they are not asked now.
    pub skipped: BTreeSet<usize>,
    /// What is wrong with questions.
    pub problems: Vec<Diagnostic>,
}

/// Plans the questions about a model; leaves out those with errors, and those that `is_elsewhere` claims.
pub(crate) fn plan<'m>(
    model: &'m Model,
    folders: &Folders,
    uses: &BTreeMap<String, (DiagramUse, Span)>,
    found: &[Diagnostic],
    is_elsewhere: &dyn Fn(usize) -> bool,
) -> RunQueries<'m> {
    let ids = || model.interactions.ids();
    let roles: IdVec<InteractionId, DiagramRole> = ids().map(|id| diagram::role(model, id)).collect();
    // Only properties are compared with what other diagrams draw.
    let has_property = roles.iter().any(|role| *role != DiagramRole::Model)
        || uses.values().any(|(used, _)| *used == DiagramUse::Property)
        || model.checks.iter().any(Check::asks_by_diagram);
    let drawn = |id| if has_property { diagram::occurrences(model, id) } else { BTreeSet::new() };
    let mut planner = RunsPlanner {
        model,
        folders,
        uses,
        roles,
        drawn: ids().map(drawn).collect(),
        plan: RunQueries::default(),
    };
    planner.check_uses();
    for (number, check) in model.checks.iter().enumerate().filter(|(number, _)| !is_elsewhere(*number)) {
        match is_broken_question(check, found) {
            true => planner.be_silent(number, Reason::BrokenQuestion),
            false => planner.check(number, check),
        }
    }
    let asked = |id: InteractionId| {
        let mut checks = model.checks.iter();
        checks.any(|check| check.asks_by_diagram() && planner.property_of(check) == Some(id))
    };
    let by_themselves: Vec<InteractionId> =
        model.interactions.ids().filter(|id| !asked(*id) && planner.is_property(*id)).collect();
    for id in by_themselves {
        planner.by_itself(id);
    }
    planner.plan
}

/// The diagram that a check names.
fn asking(check: &Check) -> Option<&FormulaWord> {
    match &check.question {
        Question::Safe(diagram, _) | Question::Consistent(diagram) => diagram.as_ref(),
        Question::Scenario(_)
        | Question::Ltl(_)
        | Question::Reachable(_)
        | Question::Deadlock
        | Question::Fragments
        | Question::Refines(_)
        | Question::Triggers(_) => None,
    }
}

/// Who asks, and what for.
struct Asker {
    check: usize,
    name: Option<String>,
    expected: Option<Expectation>,
    place: Place,
}

impl Asker {
    fn of(number: usize, check: &Check) -> Self {
        Asker { check: number, name: check.name.clone(), expected: check.expected, place: check.place }
    }
}

struct RunsPlanner<'m, 'p> {
    model: &'m Model,
    folders: &'p Folders,
    uses: &'p BTreeMap<String, (DiagramUse, Span)>,
    /// What each diagram is by its content, and what it draws.
    roles: IdVec<InteractionId, DiagramRole>,
    drawn: IdVec<InteractionId, BTreeSet<DrawnOccurrence>>,
    plan: RunQueries<'m>,
}

impl<'m> RunsPlanner<'m, '_> {
    /// Settings about diagrams that are not there, or that cannot be what they are said to be.
    fn check_uses(&mut self) {
        for (name, (role, span)) in self.uses {
            let known: Vec<InteractionId> = self.named(name).collect();
            let problem = match (known.first(), role) {
                (None, _) => self.unknown(name, *span),
                (Some(id), DiagramUse::Property) if self.roles[*id] == DiagramRole::Model => {
                    Diagnostic::new(Code::BadSetting, *span, format!("`{name}` has nothing to ask"))
                        .hint("a property is one `neg`, or has an `assert` at its top")
                }
                (Some(_), DiagramUse::Model | DiagramUse::Property) => continue,
            };
            self.plan.problems.push(problem);
        }
    }

    /// A name that no diagram has: misspelt if one has a similar name, else a diagram that was not read this
    /// time.
    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let diagnostic =
            Diagnostic::new(Code::BadSetting, span, format!("no interaction is called `{name}`"));
        match self.near(name) {
            Some(near) => diagnostic.meant(name, near),
            None => diagnostic
                .severity(Severity::Hint)
                .hint("give the file that holds it on the command line too"),
        }
    }

    fn near(&self, name: &str) -> Option<&'m str> {
        nearest(name, self.model.interactions.iter().map(|interaction| interaction.name.as_str()))
    }

    /// What becomes of a check that names a diagram which is not there.
    fn miss(&mut self, number: usize, word: &FormulaWord) {
        match self.near(&word.text) {
            Some(_) => self.be_silent(number, Reason::BrokenQuestion),
            None => {
                self.plan.skipped.insert(number);
            }
        }
    }

    /// Reports a question that cannot be asked.
    fn refuse(&mut self, number: usize, check: &Check, message: &str, hint: &str) {
        let code = if check.subject.is_some() { Code::BadDirective } else { Code::BadSetting };
        self.plan.problems.push(Diagnostic::new(code, check.place.0, message).hint(hint));
        self.be_silent(number, Reason::BrokenQuestion);
    }

    fn named(&self, name: &str) -> impl Iterator<Item = InteractionId> + use<'m> {
        let name = name.to_owned();
        let all = self.model.interactions.enumerate();
        all.filter(move |(_, interaction)| interaction.name == name).map(|(id, _)| id)
    }

    fn check(&mut self, number: usize, check: &'m Check) {
        match &check.question {
            Question::Ltl(property) => {
                for about in self.about(number, check) {
                    let asker = Asker::of(number, check);
                    self.push(&asker, about, Claim::Formula(property), &property.text);
                }
            }
            Question::Safe(..) | Question::Consistent(_) | Question::Fragments => {
                self.ask_diagram(number, check)
            }
            Question::Scenario(scenario) => {
                let unknown =
                    scenario.interaction.iter().find(|word| self.named(&word.text).next().is_none());
                if let Some(word) = unknown {
                    self.miss(number, word);
                }
            }
            Question::Reachable(_) | Question::Deadlock | Question::Refines(_) | Question::Triggers(_) => {}
        }
    }

    /// The interactions that a formula is about.
    fn about(&mut self, number: usize, check: &'m Check) -> Vec<InteractionId> {
        match (check.subject, &check.target) {
            (Some(Subject::Interaction(id)), _) => vec![id],
            (Some(Subject::Machine(_)), _) => Vec::new(),
            (None, Some(word)) => {
                let known = subjects(self.model, check);
                if known.is_empty() {
                    self.miss(number, word);
                }
                known
            }
            (None, None) => {
                let all = subjects(self.model, check).into_iter();
                all.filter(|id| !self.is_property(*id)).collect()
            }
        }
    }

    /// The diagram that asks.
    fn property_of(&self, check: &Check) -> Option<InteractionId> {
        match (asking(check), check.subject) {
            (Some(word), _) => self.named(&word.text).next(),
            (None, Some(Subject::Interaction(id))) => Some(id),
            (None, Some(Subject::Machine(_)) | None) => None,
        }
    }

    fn ask_diagram(&mut self, number: usize, check: &'m Check) {
        let Some(property) = self.property_of(check) else {
            if let Some(word) = asking(check) {
                let problem = self.unknown(&word.text, word.place.0);
                self.plan.problems.push(problem);
                self.miss(number, word);
            }
            return;
        };
        let role = self.roles[property];
        let ask = match (&check.question, role) {
            (Question::Safe(_, mode), DiagramRole::Forbidden(_)) => Claim::Safe(property, *mode),
            (Question::Fragments, DiagramRole::Forbidden(_)) => Claim::Safe(property, Mode::Strong),
            (Question::Consistent(_) | Question::Fragments, DiagramRole::Mandatory(_)) => {
                Claim::Consistent(property)
            }
            (Question::Safe(..), _) => {
                let message = "only a diagram that is one `neg` says what must not happen";
                return self.refuse(number, check, message, "give the `neg` a diagram of its own");
            }
            (Question::Consistent(_), _) => {
                let message = "only a diagram with one `assert` at its top says what must follow";
                return self.refuse(number, check, message, "give the `assert` a diagram of its own");
            }
            (_, _) => {
                let message = "nothing is asked here that an answer could be expected to";
                let hint = "`@expect` stands below the question it is about: `@ltl ..`, `@deadlock`, `@safe`";
                return self.refuse(number, check, message, hint);
            }
        };
        let models = match &check.target {
            Some(word) => {
                let known: Vec<InteractionId> = self.named(&word.text).collect();
                if known.is_empty() {
                    let problem = self.unknown(&word.text, word.place.0);
                    self.plan.problems.push(problem);
                    return self.miss(number, word);
                }
                known
            }
            None => self.models_for(property, role),
        };
        let asker = Asker::of(number, check);
        self.ask(&asker, property, ask, role, &models);
    }

    fn be_silent(&mut self, number: usize, why: Reason) {
        self.plan.silent.insert(number, why);
    }

    /// Asks a property of other diagrams without a check.
    fn by_itself(&mut self, property: InteractionId) {
        let place = self.model.interactions[property].place;
        let asker = Asker { check: self.model.checks.len(), name: None, expected: None, place };
        let role = self.roles[property];
        let models = match role {
            // Without a check, the `assert` is asked only of diagrams that draw all of it.
            DiagramRole::Mandatory(_) => {
                self.neighbours(property).filter(|other| self.draws_all(property, *other)).collect()
            }
            DiagramRole::Forbidden(_) | DiagramRole::Model => self.models_for(property, role),
        };
        match role {
            DiagramRole::Forbidden(part) if models.is_empty() && !part.is_empty => self.nobody(property),
            DiagramRole::Forbidden(_) => {
                for mode in [Mode::Strong, Mode::Weak] {
                    self.ask(&asker, property, Claim::Safe(property, mode), role, &models);
                }
            }
            DiagramRole::Mandatory(_) => {
                self.ask(&asker, property, Claim::Consistent(property), role, &models)
            }
            DiagramRole::Model => {}
        }
    }

    /// Reports a property that is asked of no diagram.
    fn nobody(&mut self, property: InteractionId) {
        let elsewhere = self.model.interactions.ids().find(|other| {
            *other != property && !self.is_property(*other) && self.draws_all(property, *other)
        });
        let hint = match elsewhere.map(|other| &self.model.interactions[other].name) {
            Some(name) => format!(
                "`{name}` does, in another folder: put both into one, or name both in a `[[check]]` of sequent.toml"
            ),
            None if self.has_machines(property) => {
                "to ask it of the state machines, draw its messages without the `neg` and write `@forbidden`"
                    .to_owned()
            }
            None => "put it into the folder of the diagram that it speaks of".to_owned(),
        };
        let message = "this is asked of no diagram: none in this folder draws its messages";
        let place = self.model.interactions[property].place.0;
        self.plan.problems.push(Diagnostic::new(Code::AskedOfNobody, place, message).hint(hint));
    }

    /// Asks what a diagram says about some models.
    fn ask(
        &mut self,
        asker: &Asker,
        property: InteractionId,
        ask: Claim<'m>,
        role: DiagramRole,
        models: &[InteractionId],
    ) {
        if part(role).is_some_and(|part| part.is_empty) {
            return self.be_silent(asker.check, Reason::NothingHappens);
        }
        if models.is_empty() {
            self.be_silent(asker.check, Reason::NoModel);
        }
        let own = &self.model.interactions[property].name;
        let name = match ask {
            Claim::Safe(_, mode) => format!("{} safe from {own}", mode.word()),
            Claim::Consistent(_) => format!("consistent with {own}"),
            Claim::Formula(_) => own.clone(),
        };
        for about in models {
            self.push(asker, *about, ask, &name);
        }
    }

    fn push(&mut self, asker: &Asker, about: InteractionId, claim: Claim<'m>, name: &str) {
        let kind = match claim {
            Claim::Safe(..) => "safe",
            Claim::Consistent(_) => "consistent",
            Claim::Formula(_) => "ltl",
        };
        self.plan.queries.entry(asker.check).or_default().push(Query {
            name: asker.name.clone().unwrap_or_else(|| name.to_owned()),
            kind,
            target: Some(self.model.interactions[about].name.clone()),
            place: asker.place,
            expected: asker.expected,
            is_implied: asker.check == self.model.checks.len(),
            matter: Matter::Runs(about, claim),
        });
    }

    /// What the settings say of a diagram.
    fn said(&self, id: InteractionId) -> Option<DiagramUse> {
        self.uses.get(&self.model.interactions[id].name).map(|(role, _)| *role)
    }

    /// Whether a diagram is used as a property.
    fn is_property(&self, id: InteractionId) -> bool {
        match (self.said(id), self.roles[id]) {
            (Some(DiagramUse::Model), _) | (_, DiagramRole::Model) => false,
            (Some(DiagramUse::Property), _) | (None, DiagramRole::Forbidden(_)) => true,
            (None, DiagramRole::Mandatory(_)) => {
                let is_asked = |check: &Check| check.asks_by_diagram() && self.property_of(check) == Some(id);
                self.model.checks.iter().any(is_asked)
                    || self.neighbours(id).any(|other| self.draws_all(id, other))
            }
        }
    }

    /// Other diagrams of the same folder that are models beyond doubt.
    fn neighbours(&self, id: InteractionId) -> impl Iterator<Item = InteractionId> {
        let folder = |id: InteractionId| self.folders.get(&self.model.interactions[id].place.0.file);
        let is_model = move |other: &InteractionId| {
            *other != id
                && folder(*other) == folder(id)
                && match (self.said(*other), self.roles[*other]) {
                    (Some(DiagramUse::Model), _) | (None, DiagramRole::Model) => true,
                    (Some(DiagramUse::Property), _)
                    | (None, DiagramRole::Forbidden(_) | DiagramRole::Mandatory(_)) => false,
                }
        };
        self.model.interactions.ids().filter(is_model)
    }

    /// Whether there are state machines in the folder of a diagram.
    fn has_machines(&self, id: InteractionId) -> bool {
        let folder = |span: Span| self.folders.get(&span.file);
        let own = folder(self.model.interactions[id].place.0);
        self.model.machines.iter().any(|machine| folder(machine.place.0) == own)
    }

    /// Whether a diagram draws everything that another does.
    fn draws_all(&self, property: InteractionId, diagram: InteractionId) -> bool {
        diagram::is_drawn_in(&self.drawn[property], &self.drawn[diagram])
    }

    /// Whether a diagram, or one it uses, can happen without all of its messages.
    fn has_choice(&self, id: InteractionId) -> bool {
        let mut found = false;
        self.model.interactions[id].walk(&mut |fragment, _| match fragment {
            Fragment::Combined(combined) => {
                let is_choice = match combined.operator.combination() {
                    Combination::Choice { .. }
                    | Combination::Break
                    | Combination::Repetition(_)
                    | Combination::Complement => true,
                    Combination::Sequence
                    | Combination::StrictSequence
                    | Combination::Parallel
                    | Combination::Unordered(_)
                    | Combination::Negation => false,
                };
                found |= is_choice || combined.operands.iter().any(|operand| operand.guard != Guard::Absent);
            }
            Fragment::Use(_) => found = true,
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        });
        found
    }

    /// The diagrams that a property is asked of: those that draw all of it, or else those that draw some.
    fn models_for(&self, property: InteractionId, role: DiagramRole) -> Vec<InteractionId> {
        let some = |other: &InteractionId| diagram::concerns(&self.drawn[property], &self.drawn[*other]);
        let related: Vec<InteractionId> = self.neighbours(property).filter(some).collect();
        let whole: Vec<InteractionId> =
            related.iter().copied().filter(|other| self.draws_all(property, *other)).collect();
        match role {
            // Without a choice in it, what is not drawn whole cannot happen.
            DiagramRole::Forbidden(_) if !whole.is_empty() && !self.has_choice(property) => whole,
            DiagramRole::Forbidden(_) | DiagramRole::Mandatory(_) | DiagramRole::Model => related,
        }
    }
}

fn part(role: DiagramRole) -> Option<PropertyFragment> {
    match role {
        DiagramRole::Model => None,
        DiagramRole::Forbidden(part) | DiagramRole::Mandatory(part) => Some(part),
    }
}
