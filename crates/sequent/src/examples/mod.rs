//! Examples: where nothing shows a run, some different runs to look at, and what no run ever comes to.
//!
//! A sequence diagram with fragments, and each group of communicating machines, is surveyed once more within narrow limits, and
//! [walks](walk) through its states pass as many messages and transitions as they can. Nothing is decided here.

mod walk;

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::packed::Program;
use sequent_engine::survey::Survey;
use sequent_kernel::diagnostic::{Diagnostic, Identity};
use sequent_kernel::meter;
use sequent_kernel::model::{Fragment, InteractionId, Model, TransitionId};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::{InstanceId, Objects};
use sequent_kernel::source::{Place, Span};
use sequent_kernel::system::{RuleId, System};
use sequent_kernel::verdict::{Answer, Story};
use sequent_report::checked::Examples;
use sequent_report::run::RunDrawingOptions;

use crate::ask::Agenda;
use crate::effort::Effort;
use crate::pose::{WIDEST, lowered};
use crate::scope::Scope;
use crate::survey::objects;
use crate::tell::{tell, titled};
use walk::SurveyedStates;

/// A System of more states is looked at in part.
const STATES: usize = 5_000;

/// Examples of everything in an agenda of which neither an answer nor a finding shows a run, if they are wanted.
pub(crate) fn examples(
    agenda: &Agenda<'_>,
    answers: &[Answer],
    found: &BTreeMap<Identity, Story>,
    effort: &Effort<'_>,
) -> Vec<Examples> {
    if !effort.wants.examples {
        return Vec::new();
    }
    let shown = answers.iter().filter_map(|answer| answer.verdict.story()).chain(found.values());
    let passed: BTreeSet<Span> = shown.flat_map(places).collect();
    let is_shown = |place: Place| passed.iter().any(|span| place.0.encloses(*span));
    let mut all = Vec::new();
    for id in &agenda.searchable {
        let interaction = &agenda.model.interactions[*id];
        let mut has_fragments = false;
        interaction.walk(&mut |fragment, _| has_fragments |= matches!(fragment, Fragment::Combined(_)));
        // Without fragments the drawing is the run.
        if has_fragments && !is_shown(interaction.place) && !meter::is_over() {
            all.extend(of_interaction(agenda, *id, effort));
        }
    }
    for scope in Scope::with_machines(agenda.model, agenda.folders) {
        all.extend(of_scope(&scope, &agenda.found, &is_shown, effort));
    }
    all
}

/// Examples of the groups of machines of a folder. A machine may have objects in several groups: where one of these is not known,
/// nothing is said to happen never.
fn of_scope(
    scope: &Scope<'_>,
    found: &[Diagnostic],
    is_shown: &dyn Fn(Place) -> bool,
    effort: &Effort<'_>,
) -> Vec<Examples> {
    let (mut all, mut is_known) = (Vec::new(), true);
    for system in objects::systems(scope, found) {
        let examples = system.filter(|_| !meter::is_over()).map(|system| {
            let mut own = system.machines().filter_map(|object| system.machine(&scope.model, object));
            let is_new = !own.any(|machine| is_shown(machine.place));
            (is_new, is_new.then(|| of_objects(&scope.model, &system, effort)).flatten())
        });
        is_known &= matches!(examples, Some((false, _) | (true, Some(_))));
        all.extend(examples.and_then(|(_, examples)| examples));
    }
    for one in all.iter_mut().filter(|_| !is_known) {
        one.other.append(&mut one.never);
    }
    all
}

/// Where the steps of a story are written.
fn places(story: &Story) -> impl Iterator<Item = Span> {
    story.log.rows.iter().flat_map(|row| &row.places).map(|place| place.0)
}

fn of_interaction(agenda: &Agenda<'_>, id: InteractionId, effort: &Effort<'_>) -> Option<Examples> {
    let interaction = &agenda.model.interactions[id];
    let (system, _) = lowered(agenda.model, id, agenda.switches, WIDEST / 2).ok()?;
    let messages: BTreeSet<Span> = interaction.messages.iter().map(|message| message.place.0).collect();
    let rules = system.rules.enumerate().map(|(rule, one)| (rule, one.place.0));
    let of_rule = rules.filter(|(_, span)| messages.contains(span)).map(|(rule, span)| (rule, [span].into()));
    let subject = SearchedSubject { system: &system, of_rule: of_rule.collect(), ends: true };
    let told = |run: &Run| Some(tell(agenda.model, id, &system, run, &RunDrawingOptions::default()));
    let name = format!("diagram {}", interaction.name);
    subject.examples((name, interaction.place), &told, effort)
}

fn of_objects(model: &Model, objects: &Objects, effort: &Effort<'_>) -> Option<Examples> {
    let span = |(object, transition): &(InstanceId, TransitionId)| {
        let machine = objects.machine(model, *object)?;
        Some(machine.transitions[*transition].place.0)
    };
    let mut of_rule: BTreeMap<RuleId, BTreeSet<Span>> = BTreeMap::new();
    for (rule, transitions) in &objects.fired {
        of_rule.entry(*rule).or_default().extend(transitions.iter().filter_map(span));
    }
    for (rule, transitions) in &objects.chosen {
        let spans = transitions.iter().filter_map(span);
        rule.iter().for_each(|rule| of_rule.entry(*rule).or_default().extend(spans.clone()));
    }
    let names: Vec<&str> =
        objects.machines().map(|object| objects.structure.objects[object].name.as_str()).collect();
    let title = names.join(", ");
    let place = objects.machines().find_map(|object| objects.machine(model, object))?.place;
    let subject = SearchedSubject { system: &objects.system, of_rule, ends: false };
    let told = |run: &Run| titled(model, objects, (&title, place), run, &RunDrawingOptions::default());
    subject.examples((title.clone(), place), &told, effort)
}

/// A System whose runs are looked for.
struct SearchedSubject<'a> {
    system: &'a System,
    /// The messages and transitions that its rules pass.
    of_rule: BTreeMap<RuleId, BTreeSet<Span>>,
    /// Whether runs come to an end, where they can.
    ends: bool,
}

impl SearchedSubject<'_> {
    fn examples(
        &self,
        (name, place): (String, Place),
        told: &dyn Fn(&Run) -> Option<Story>,
        effort: &Effort<'_>,
    ) -> Option<Examples> {
        let program = Program::new(self.system);
        let mut limits = effort.limits_of(self.system.rules.len());
        limits.states = limits.states.min(STATES);
        let survey = Survey::explore(&program, &|_| false, &limits, effort.watch);
        let is_void = |spot| {
            !self.system.is_never(self.system.void)
                && self.system.holds(self.system.void, &survey.config(spot))
        };
        let ground = SurveyedStates::new(&survey, &self.of_rule, is_void, self.ends);
        let (mut stories, mut passed) = (Vec::new(), BTreeSet::new());
        for (hops, elements) in ground.walks(self.ends) {
            stories.push(told(&survey.run_along(&hops))?);
            passed.extend(elements);
        }
        if stories.is_empty() {
            return None;
        }
        // What was not looked at, or what a wider window would show, may come to it.
        let is_known = survey.is_whole() && survey.first_in(self.system.strained).is_none();
        let fires = |rule: &RuleId| survey.fired(*rule).is_some();
        let (firing, idle): (Vec<_>, Vec<_>) = self.of_rule.iter().partition(|(rule, _)| fires(rule));
        let mut never: BTreeSet<Span> = idle.into_iter().flat_map(|(_, spans)| spans).copied().collect();
        for span in firing.into_iter().flat_map(|(_, spans)| spans) {
            never.remove(span);
        }
        if !is_known {
            never.clear();
        }
        let all: BTreeSet<Span> = self.of_rule.values().flatten().copied().collect();
        let other = all.into_iter().filter(|span| !passed.contains(span) && !never.contains(span)).collect();
        Some(Examples { name, place, stories, passed, other, never })
    }
}
