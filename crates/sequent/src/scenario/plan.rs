//! Plans: which questions are about which objects.
//!
//! A scenario and a goal are about the objects of their folder. A formula is if it stands in a state machine, or speaks of
//! states and values, or if it comes from the settings and no sequence diagram knows its names.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::formula::Word;
use sequent_kernel::lint::Folders;
use sequent_kernel::lint::property::is_about_objects;
use sequent_kernel::model::{
    Check, Expectation, Goal, InteractionId, Model, Property, Quantifier, Question, Scenario, Subject,
};
use sequent_kernel::semantics::objects::{Structure, local, structure};
use sequent_kernel::source::{FileId, Place};

/// A question about a system of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask<'m> {
    /// Does the scenario happen?
    Scenario(InteractionId, &'m Scenario),
    /// Can this be reached?
    Goal(&'m Goal),
    /// Does every run satisfy a formula?
    Formula(&'m Property),
}

impl Ask<'_> {
    /// The kind of question.
    pub fn kind(&self) -> &'static str {
        match self {
            Ask::Scenario(..) => "scenario",
            Ask::Goal(_) => "reachable",
            Ask::Formula(_) => "ltl",
        }
    }
}

/// One question about one system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked<'m> {
    /// The number of the check that asks.
    pub check: usize,
    /// What is asked.
    pub ask: Ask<'m>,
    /// The question in words.
    pub name: String,
    /// What it is about, in words.
    pub target: String,
    /// Where it is asked.
    pub place: Place,
    /// What the author expects.
    pub expected: Option<Expectation>,
    /// The objects.
    pub structure: Structure,
    /// The folder they are of.
    pub folder: String,
    /// Why nobody can answer.
    pub trouble: Option<String>,
}

/// Everything that is asked about objects.
#[derive(Default)]
pub struct Plan<'m> {
    /// The questions, in the order of the checks.
    pub asked: Vec<Asked<'m>>,
    /// The checks that ask them.
    pub claimed: BTreeSet<usize>,
}

impl Plan<'_> {
    /// Questions about the same objects, by number.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (number, asked) in self.asked.iter().enumerate() {
            // A goal that begins elsewhere has a system of its own.
            let is_own = matches!(asked.ask, Ask::Goal(goal) if goal.from.is_some());
            let same = |group: &&mut Vec<usize>| {
                let other = &self.asked[group[0]];
                let is_other_own = matches!(other.ask, Ask::Goal(goal) if goal.from.is_some());
                !is_own
                    && !is_other_own
                    && (&other.folder, &other.structure, &other.trouble)
                        == (&asked.folder, &asked.structure, &asked.trouble)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(number),
                None => groups.push(vec![number]),
            }
        }
        groups
    }
}

/// Plans the questions about objects; those that have errors themselves are not asked, and broken diagrams are not run.
pub fn plan<'m>(
    model: &'m Model,
    folders: &Folders,
    found: &[Diagnostic],
    is_broken: &dyn Fn(&Check) -> bool,
) -> Plan<'m> {
    let planner = Planner { model, folders, found };
    let mut plan = Plan::default();
    for (number, check) in model.checks.iter().enumerate().filter(|(_, check)| !is_broken(check)) {
        let asked = planner.check(number, check);
        plan.claimed.extend((!asked.is_empty()).then_some(number));
        plan.asked.extend(asked);
    }
    plan
}

struct Planner<'m, 'p> {
    model: &'m Model,
    folders: &'p Folders,
    found: &'p [Diagnostic],
}

impl<'m> Planner<'m, '_> {
    fn check(&self, number: usize, check: &'m Check) -> Vec<Asked<'m>> {
        match &check.question {
            Question::Scenario(scenario) => self.scenario(number, check, scenario).into_iter().collect(),
            Question::Reachable(goal) => {
                let name = check.name.clone().unwrap_or_else(|| goal_words(goal));
                self.places(check)
                    .into_iter()
                    .map(|place| self.asked(number, check, Ask::Goal(goal), &name, place))
                    .collect()
            }
            Question::Ltl(property) => {
                let name = check.name.clone().unwrap_or_else(|| property.text.clone());
                let places = self.formula_places(check, property).into_iter();
                places.map(|place| self.asked(number, check, Ask::Formula(property), &name, place)).collect()
            }
            Question::Deadlock
            | Question::Safe(..)
            | Question::Consistent(_)
            | Question::Fragments
            | Question::Refines(_) => Vec::new(),
        }
    }

    fn scenario(&self, number: usize, check: &'m Check, scenario: &'m Scenario) -> Option<Asked<'m>> {
        let named = |name: &Word| self.model.interactions.find(|one| one.name == name.text);
        let about = match (&scenario.interaction, check.subject) {
            (Some(name), _) => named(name),
            (None, Some(Subject::Interaction(id))) => Some(id),
            (None, Some(Subject::Machine(_)) | None) => None,
        }?;
        let folder = self.folder_of(self.model.interactions[about].place)?;
        let name = check.name.clone().unwrap_or_else(|| scenario_words(scenario));
        let place = (folder, Some(about), self.model.interactions[about].name.clone());
        Some(self.asked(number, check, Ask::Scenario(about, scenario), &name, place))
    }

    /// The systems that a goal is about: folder, the diagram that sees them, a name.
    fn places(&self, check: &Check) -> Vec<(&str, Option<InteractionId>, String)> {
        let at = |place: Place, about, name: &String| {
            self.folder_of(place).map(|folder| (folder, about, name.clone())).into_iter().collect()
        };
        if let Some(target) = &check.target {
            let interaction = self.model.interactions.enumerate().find(|(_, one)| one.name == target.text);
            let machine = self.model.machines.iter().find(|machine| machine.name == target.text);
            return match (interaction, machine) {
                (Some((id, one)), _) => at(one.place, Some(id), &one.name),
                (None, Some(machine)) => at(machine.place, None, &machine.name),
                (None, None) => Vec::new(),
            };
        }
        match check.subject {
            Some(Subject::Interaction(id)) => {
                at(self.model.interactions[id].place, Some(id), &self.model.interactions[id].name)
            }
            Some(Subject::Machine(id)) => {
                at(self.model.machines[id].place, None, &self.model.machines[id].name)
            }
            None => {
                self.with_machines().into_iter().map(|folder| (folder, None, self.title(folder))).collect()
            }
        }
    }

    fn formula_places(
        &self,
        check: &Check,
        property: &Property,
    ) -> Vec<(&str, Option<InteractionId>, String)> {
        match is_about_objects(self.model, self.folders, check, property) {
            true => self.places(check),
            false => Vec::new(),
        }
    }

    fn asked(
        &self,
        check: usize,
        asking: &'m Check,
        ask: Ask<'m>,
        name: &str,
        (folder, about, target): (&str, Option<InteractionId>, String),
    ) -> Asked<'m> {
        let local = local(self.model, self.folders, folder);
        let (structure, _) = structure(&local, self.folders, folder, about);
        let has_machines = structure.objects.iter().any(|object| object.machine.is_some());
        let trouble = match has_machines {
            false => Some("no state machine says what its objects do".to_owned()),
            true if self.has_errors(folder, about) => Some("a diagram has errors".to_owned()),
            true => None,
        };
        Asked {
            check,
            ask,
            name: name.to_owned(),
            target,
            place: asking.place,
            expected: asking.expected,
            structure,
            folder: folder.to_owned(),
            trouble,
        }
    }

    fn folder_of(&self, place: Place) -> Option<&str> {
        self.folders.get(&place.0.file).map(String::as_str)
    }

    /// The folders in which there are machines.
    fn with_machines(&self) -> BTreeSet<&str> {
        self.model.machines.iter().filter_map(|machine| self.folder_of(machine.place)).collect()
    }

    /// What a folder's system is called: its machines.
    fn title(&self, folder: &str) -> String {
        let own = self.model.machines.iter().filter(|one| self.folder_of(one.place) == Some(folder));
        own.map(|machine| machine.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Whether something is wrong in a folder, apart from questions and from other sequence diagrams.
    fn has_errors(&self, folder: &str, about: Option<InteractionId>) -> bool {
        let files: BTreeSet<FileId> =
            self.folders.iter().filter(|(_, name)| *name == folder).map(|(file, _)| *file).collect();
        let others: Vec<Place> = self
            .model
            .interactions
            .enumerate()
            .filter(|(id, _)| Some(*id) != about)
            .map(|(_, interaction)| interaction.place)
            .collect();
        let counts = |one: &&Diagnostic| {
            let is_elsewhere = |place: &Place| {
                place.0.file == one.span.file
                    && place.0.start <= one.span.start
                    && one.span.end <= place.0.end
            };
            one.severity == Severity::Error
                && files.contains(&one.span.file)
                && !crate::pipeline::is_of_question(one)
                && !others.iter().any(is_elsewhere)
        };
        self.found.iter().any(|one| counts(&one))
    }
}

fn goal_words(goal: &Goal) -> String {
    let from = goal.from.as_ref().map(|from| format!(" from {}", from.text)).unwrap_or_default();
    let within = goal.within.map(|steps| format!(" within {steps}")).unwrap_or_default();
    format!("{} is reachable{from}{within}", goal.goal.text)
}

fn scenario_words(scenario: &Scenario) -> String {
    let quantifier = match scenario.quantifier {
        Quantifier::Possible => "possible",
        Quantifier::Forbidden => "forbidden",
        Quantifier::Required => "required",
    };
    match scenario.within {
        Some(steps) => format!("{quantifier} within {steps}"),
        None => quantifier.to_owned(),
    }
}
