//! Which questions are about which objects.
//!
//! A scenario and a goal are about the objects of their folder. A formula is if it stands in a state machine, or speaks of
//! states and values, or if it comes from the settings and no sequence diagram knows its names. Questions that see the same
//! objects share an [`Ensemble`], and so its states.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::lint::property::is_about_objects;
use sequent_kernel::model::{
    Check, Effects, InteractionId, Model, Quantifier, Question, Scenario, Scheduling, StateGoal, Subject,
    SystemSettings,
};
use sequent_kernel::semantics::objects::{Structure, effects_matter, lower_objects};
use sequent_kernel::source::{Folders, Place};
use sequent_kernel::verdict::Reason;

use super::{Matter, Query};
use crate::ensemble::{Ensemble, Wish};
use crate::finding::is_broken_question;
use crate::scope::Scope;

/// What is asked about objects.
#[derive(Default)]
pub(crate) struct ObjectQueries<'m> {
    /// The questions that are asked, by their checks.
    pub queries: BTreeMap<usize, Vec<Query<'m>>>,
    /// The objects that they are about.
    pub ensembles: Vec<Result<Ensemble<'m>, Reason>>,
    /// What is wrong with them.
    pub problems: Vec<Diagnostic>,
}

/// One question about one system, whose words are to be looked up.
struct ObjectsQuestion<'m> {
    check: usize,
    wish: Wish<'m>,
    name: String,
    target: String,
    structure: Structure,
    scope: Scope<'m>,
    /// Which infinite runs count.
    fairness: Scheduling,
    /// In which order one step shows several messages.
    effects: Effects,
    /// Why it cannot be answered.
    obstacle: Option<Reason>,
}

impl ObjectsQuestion<'_> {
    /// A goal that begins elsewhere has a system of its own.
    fn is_alone(&self) -> bool {
        matches!(self.wish, Wish::Goal(goal) if goal.from.is_some())
    }

    fn sees_the_same(&self, other: &ObjectsQuestion<'_>) -> bool {
        !self.is_alone()
            && !other.is_alone()
            && (&other.scope.folder, &other.structure, &other.fairness, &other.effects, &other.obstacle)
                == (&self.scope.folder, &self.structure, &self.fairness, &self.effects, &self.obstacle)
    }
}

/// Plans the questions about objects; those that have errors themselves are not asked, and broken diagrams are not run.
pub(crate) fn plan<'m>(model: &'m Model, folders: &'m Folders, found: &[Diagnostic]) -> ObjectQueries<'m> {
    let planner = ObjectsPlanner { model, folders, found };
    let checks = model.checks.iter().enumerate().filter(|(_, check)| !is_broken_question(check, found));
    let mut groups: Vec<Vec<ObjectsQuestion<'m>>> = Vec::new();
    for asked in checks.flat_map(|(number, check)| planner.check(number, check)) {
        match groups.iter_mut().find(|group| group[0].sees_the_same(&asked)) {
            Some(group) => group.push(asked),
            None => groups.push(vec![asked]),
        }
    }
    let mut all = ObjectQueries::default();
    let mut by_check: BTreeMap<usize, Vec<(Query<'m>, Vec<Diagnostic>)>> = BTreeMap::new();
    for group in groups {
        let number = all.ensembles.len();
        all.ensembles.push(prepare(model, number, group, &mut by_check));
    }
    for (check, queries) in by_check {
        let sound = sound(queries, &mut all.problems);
        all.queries.insert(check, sound);
    }
    all
}

/// Lowers the objects of some questions, and looks the words of the questions up.
fn prepare<'m>(
    model: &'m Model,
    number: usize,
    group: Vec<ObjectsQuestion<'m>>,
    by_check: &mut BTreeMap<usize, Vec<(Query<'m>, Vec<Diagnostic>)>>,
) -> Result<Ensemble<'m>, Reason> {
    let lowered = |first: &ObjectsQuestion<'m>| match &first.obstacle {
        Some(obstacle) => Err(obstacle.clone()),
        None => {
            let scope = first.scope.clone();
            let settings = SystemSettings {
                fairness: Some(first.fairness),
                effects: first.effects,
                ..model.system.clone()
            };
            let objects = lower_objects(&scope.model, &first.structure, &settings)
                .map_err(|unsupported| Reason::NotRun(unsupported.what))?;
            let title = (first.target.clone(), model.checks[first.check].place);
            Ok(Ensemble::new(scope, objects, title))
        }
    };
    let mut ensemble = lowered(&group[0]);
    for ObjectsQuestion { check: at, wish, name, target, .. } in group {
        let mut problems = Vec::new();
        let demand = match &mut ensemble {
            Ok(ensemble) => ensemble.prepare(wish, &mut problems),
            Err(reason) => Err(reason.clone()),
        };
        let check = &model.checks[at];
        let query = Query {
            name,
            kind: wish.kind(),
            target: Some(target),
            place: check.place,
            expected: check.expected,
            is_implied: false,
            matter: Matter::Objects(number, wish, demand),
        };
        by_check.entry(at).or_default().push((query, problems));
    }
    ensemble.map(|mut ensemble| {
        ensemble.share();
        ensemble
    })
}

/// The questions of a check that are asked, and what is wrong with them. A check that names no system is about those that know
/// its words; if none does, the first says what is missing.
fn sound<'m>(
    mut queries: Vec<(Query<'m>, Vec<Diagnostic>)>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Query<'m>> {
    let is_sound = |found: &[Diagnostic]| found.iter().all(|one| one.severity < Severity::Error);
    match queries.iter().any(|(_, found)| is_sound(found)) {
        true => queries.retain(|(_, found)| is_sound(found)),
        false => queries.truncate(1),
    }
    problems.extend(queries.iter().flat_map(|(_, found)| found.iter().cloned()));
    queries.into_iter().map(|(query, _)| query).collect()
}

struct ObjectsPlanner<'m, 'p> {
    model: &'m Model,
    folders: &'m Folders,
    found: &'p [Diagnostic],
}

impl<'m> ObjectsPlanner<'m, '_> {
    fn check(&self, number: usize, check: &'m Check) -> Vec<ObjectsQuestion<'m>> {
        let (wish, name, systems) = match &check.question {
            Question::Scenario(scenario) => {
                let Some(about) = self.scenario(check, scenario) else { return Vec::new() };
                let interaction = &self.model.interactions[about];
                let system = self.system(interaction.place, Some(about), &interaction.name);
                (Wish::Scenario(about, scenario), scenario_words(scenario), system.into_iter().collect())
            }
            Question::Reachable(goal) => (Wish::Goal(goal), goal_words(goal), self.systems(check)),
            Question::Ltl(property) if is_about_objects(self.model, self.folders, check, property) => {
                (Wish::Formula(property), property.text.clone(), self.systems(check))
            }
            Question::Ltl(_)
            | Question::Deadlock
            | Question::Safe(..)
            | Question::Consistent(_)
            | Question::Fragments
            | Question::Refines(_)
            | Question::Triggers(_) => return Vec::new(),
        };
        let name = check.name.clone().unwrap_or(name);
        let asked = |(scope, about, target)| self.asked(number, wish, name.clone(), scope, about, target);
        systems.into_iter().map(asked).collect()
    }

    /// The diagram of a scenario.
    fn scenario(&self, check: &Check, scenario: &Scenario) -> Option<InteractionId> {
        let named = |name: &FormulaWord| self.model.interactions.find(|one| one.name == name.text);
        match (&scenario.interaction, check.subject) {
            (Some(name), _) => named(name),
            (None, Some(Subject::Interaction(id))) => Some(id),
            (None, Some(Subject::Machine(_)) | None) => None,
        }
    }

    fn system(&self, place: Place, about: Option<InteractionId>, name: &str) -> Option<AskedSystem<'m>> {
        Scope::of(self.model, self.folders, place).map(|scope| (scope, about, name.to_owned()))
    }

    /// The systems that a question is about.
    fn systems(&self, check: &Check) -> Vec<AskedSystem<'m>> {
        let of = |subject: Subject| match subject {
            Subject::Interaction(id) => {
                let one = &self.model.interactions[id];
                self.system(one.place, Some(id), &one.name)
            }
            Subject::Machine(id) => {
                let one = &self.model.machines[id];
                self.system(one.place, None, &one.name)
            }
        };
        if let Some(target) = &check.target {
            let interaction = self.model.interactions.find(|one| one.name == target.text);
            let machine = || self.model.machines.find(|machine| machine.name == target.text);
            let subject = interaction.map(Subject::Interaction).or_else(|| machine().map(Subject::Machine));
            return subject.and_then(of).into_iter().collect();
        }
        match check.subject {
            Some(subject) => of(subject).into_iter().collect(),
            None => {
                let all = Scope::with_machines(self.model, self.folders).into_iter();
                all.map(|scope| (scope.clone(), None, scope.title())).collect()
            }
        }
    }

    fn asked(
        &self,
        check: usize,
        wish: Wish<'m>,
        name: String,
        scope: Scope<'m>,
        about: Option<InteractionId>,
        target: String,
    ) -> ObjectsQuestion<'m> {
        let structure = scope.structure(about);
        let has_machines = structure.objects.iter().any(|object| object.machine.is_some());
        let obstacle = match has_machines {
            false => Some(Reason::NoMachine),
            true => scope.has_errors(about, self.found).then_some(Reason::BrokenDiagram),
        };
        let own = self.model.checks[check].fairness;
        let fairness = own.or(self.model.system.fairness).unwrap_or_default();
        let effects = match wish {
            Wish::Scenario(_, scenario) if effects_matter(&scope.model, scenario.effects) => {
                match (scenario.quantifier, scenario.effects) {
                    // Every run is read step by step.
                    (Quantifier::Required | Quantifier::Whenever, Effects::Unordered) => Effects::Together,
                    (_, effects) => effects,
                }
            }
            Wish::Scenario(..) | Wish::Goal(_) | Wish::Formula(_) => self.model.system.effects,
        };
        ObjectsQuestion { check, wish, name, target, structure, scope, fairness, effects, obstacle }
    }
}

/// A system: its scope, the diagram that sees it, a name.
type AskedSystem<'m> = (Scope<'m>, Option<InteractionId>, String);

fn goal_words(goal: &StateGoal) -> String {
    let from = goal.from.as_ref().map(|from| format!(" from {}", from.text)).unwrap_or_default();
    let within = goal.within.map(|steps| format!(" within {steps}")).unwrap_or_default();
    format!("{} is reachable{from}{within}", goal.goal.text)
}

fn scenario_words(scenario: &Scenario) -> String {
    let quantifier = scenario.quantifier.word();
    match scenario.within {
        Some(steps) => format!("{quantifier} within {steps}"),
        None => quantifier.to_owned(),
    }
}
