//! Ensembles: the objects that questions are about, and the resolution of the names in these questions.

mod atoms;
mod events;
mod goal;
mod strange;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::formula::Atom;
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Anchor, Class, Condition, Effects, Expression, InteractionId, Lifeline, Model, Property, Quantifier,
    Scenario as Asked, StateGoal, Trigger,
};
use sequent_kernel::property::ltl::AtomMeaning;
use sequent_kernel::property::scenario::data::{ConditionLifelines, ScenarioData, data};
use sequent_kernel::property::scenario::{SearchedSystem, SoughtScenario};
use sequent_kernel::question::Names;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::semantics::objects::{
    InstanceId, LifelineBinding, Objects, TooManyBindings, Unfit, UnknownPart, effects_matter,
};
use sequent_kernel::source::{FileId, Place};
use sequent_kernel::system::{ComponentId, Config, Event, System, TermId, TermNode, Variable, VariableId};
use sequent_kernel::verdict::Reason;

use crate::scope::Scope;
pub(crate) use goal::excludes_itself;
pub(crate) use strange::never_comes;

/// Objects, and the diagrams they come from.
pub struct Ensemble<'m> {
    /// The folder of the diagrams.
    pub folder: String,
    /// What was read.
    pub model: Cow<'m, Model>,
    /// What it means.
    pub objects: Objects,
    /// What the system is called, and where it is asked about.
    pub title: (String, Place),
    /// The System of the objects, which all cases about them share.
    pub system: Rc<System>,
    /// The names of variables and rules, for reports.
    pub names: Rc<Names>,
}

/// A question about objects, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish<'m> {
    /// Does the scenario happen?
    Scenario(InteractionId, &'m Asked),
    /// Can this be reached?
    Goal(&'m StateGoal),
    /// Does every run satisfy a formula?
    Formula(&'m Property),
}

impl Wish<'_> {
    /// The kind of question.
    pub fn kind(&self) -> &'static str {
        match self {
            Wish::Scenario(..) => "scenario",
            Wish::Goal(_) => "reachable",
            Wish::Formula(_) => "ltl",
        }
    }
}

/// A question about objects whose words were looked up.
pub enum Demand<'m> {
    /// A scenario, with each choice of objects for its lifelines.
    Scenario(InteractionId, &'m Asked, Vec<Players>),
    /// A goal, with its predicate.
    Goal(&'m StateGoal, TermId),
    /// A formula, with its atoms.
    Formula(&'m Property, BTreeMap<Atom, AtomMeaning>),
}

/// A choice of objects for the lifelines of a scenario.
pub struct Players {
    /// The objects.
    pub objects: LifelineBinding,
    /// What the conditions of the scenario are to them.
    pub data: ScenarioData,
    /// Who plays the lifelines that stand for any object of a class, in words; `None` if there is no choice.
    pub words: Option<String>,
}

impl<'m> Ensemble<'m> {
    /// The objects of some questions, whose words are to be looked up.
    pub fn new(scope: Scope<'m>, objects: Objects, title: (String, Place)) -> Self {
        let Scope { folder, model, .. } = scope;
        let system = Rc::new(objects.system.clone());
        Ensemble { folder, model, objects, title, system, names: Rc::default() }
    }

    /// Resolves the names of a question; adds mistakes in them to `problems`.
    pub fn prepare(&mut self, wish: Wish<'m>, problems: &mut Vec<Diagnostic>) -> Result<Demand<'m>, Reason> {
        match wish {
            Wish::Scenario(about, scenario) => {
                self.players(about).map(|players| Demand::Scenario(about, scenario, players))
            }
            Wish::Goal(goal) => {
                if let Some(from) = &goal.from {
                    let (model, objects) = goal::from(self, from, problems)?;
                    (self.model, self.objects) = (Cow::Owned(model), objects);
                }
                let term = atoms::moment(self, &goal.goal.formula, problems);
                term.map(|term| Demand::Goal(goal, term)).ok_or(Reason::BrokenQuestion)
            }
            Wish::Formula(property) => {
                atoms::atoms(self, property, problems).map(|atoms| Demand::Formula(property, atoms))
            }
        }
    }

    /// Whether an object behaves as a machine in one of these files.
    pub(crate) fn is_made_of(&self, files: &BTreeSet<FileId>) -> bool {
        let mut machines = self.objects.structure.objects.ids();
        machines.any(|id| {
            let machine = self.objects.machine(&self.model, id);
            machine.is_some_and(|machine| files.contains(&machine.place.0.file))
        })
    }

    /// Makes the System ready to be shared, once the words of all questions were looked up.
    pub fn share(&mut self) {
        self.system = Rc::new(self.objects.system.clone());
        self.names = Rc::new(self.names());
    }

    /// The names of the variables and rules of the objects, for reports.
    fn names(&self) -> Names {
        let objects = &self.objects;
        let values = objects.legend(&self.model);
        let ids = || objects.structure.objects.ids();
        let data = ids().flat_map(|id| objects.attributes(id).map(|(_, slot)| slot.variable));
        let drawn = values.keys().copied().chain(data).collect();
        let machines = ids().filter_map(|id| objects.machine(&self.model, id));
        let places = machines.flat_map(|machine| machine.transitions.iter().map(|one| one.place.0)).collect();
        let machines = objects.system.components.ids().filter(|id| self.is_machine(*id)).collect();
        Names { values, drawn, places, machines }
    }

    /// The choices of objects for the lifelines of a scenario.
    fn players(&mut self, about: InteractionId) -> Result<Vec<Players>, Reason> {
        let model = self.model.clone();
        let structure = &self.objects.structure;
        let open = structure.open_lifelines(&model, about);
        let told = |binding: &LifelineBinding| {
            let player = |lifeline: &&Lifeline| {
                let object = &structure.objects[*binding.get(&lifeline.name)?];
                Some(format!("`{}` is `{}`", lifeline.label.trim(), object.name))
            };
            let told: Vec<String> = open.iter().filter_map(player).collect();
            (!told.is_empty()).then(|| told.join(", "))
        };
        let too_many = |TooManyBindings| {
            Reason::NotLookedAt("a scenario that more than a thousand choices of objects can play".to_owned())
        };
        let bindings = structure.bindings(&model, about).map_err(too_many)?;
        let told: Vec<_> = bindings.into_iter().map(|objects| (told(&objects), objects)).collect();
        let mut all = Vec::new();
        for (words, objects) in told {
            let data = self.conditions(&model, about, &objects).map_err(Reason::NotLookedAt)?;
            all.push(Players { objects, data, words });
        }
        Ok(all)
    }

    /// What the conditions of a scenario are to the objects.
    fn conditions(
        &mut self,
        model: &Model,
        about: InteractionId,
        binding: &LifelineBinding,
    ) -> Result<ScenarioData, String> {
        let mut judge = |condition: &Condition, standing: &ConditionLifelines<'_>| {
            let [own, near] = [&standing.own, &standing.near].map(|lifelines| -> Vec<InstanceId> {
                lifelines.iter().filter_map(|name| binding.get(*name)).copied().collect()
            });
            let text = condition.text.trim().to_owned();
            self.objects.condition(model, &own, &near, condition).map_err(|unfit| match unfit {
                Unfit::Unknown(name) if self.objects.knowing(model, &name.to_string()).len() > 1 => {
                    format!("`{text}` (several objects know `{name}`: say whose it is)")
                }
                Unfit::Unknown(name) => match condition.expression.as_ref().and_then(asked_state) {
                    Some(state) if matches!(name, UnknownPart::Call(_)) => {
                        format!("`{text}` (no object here has a state `{state}`)")
                    }
                    Some(_) | None => format!("`{text}` (no object knows `{name}`)"),
                },
                Unfit::Mismatch(why) => format!("`{text}` ({why})"),
            })
        };
        data(model, about, &mut judge).map_err(|unsupported| unsupported.what)
    }

    /// A diagram, ready to be looked for in what the objects do, from an anchor on; if it is conditional, up to the `assert` that must
    /// follow.
    pub fn scenario(
        &self,
        about: InteractionId,
        (asked, anchor): (&Asked, Anchor),
        players: &Players,
        assumptions: &Assumptions,
    ) -> Result<SoughtScenario, Reason> {
        let environment = self.environment();
        let plays =
            |name: &str| players.objects.get(name).map(|object| ComponentId::from_index(object.index()));
        let parameters = |event: &Event| self.parameters(event);
        let stage = SearchedSystem {
            system: &self.objects.system,
            environment: &environment,
            plays: &plays,
            parameters: &parameters,
        };
        let prepare = match asked.quantifier {
            Quantifier::Possible | Quantifier::Forbidden | Quantifier::Required => SoughtScenario::new,
            Quantifier::Whenever => SoughtScenario::conditional,
        };
        let knobs = (anchor, asked.alphabet);
        let scenario = prepare(&self.model, about, &stage, knobs, &players.data, assumptions)
            .map_err(|unsupported| Reason::NotLookedFor(unsupported.what))?;
        if let Some((parameter, message)) = scenario.doubt().cloned() {
            return Err(Reason::OpenDrawn(parameter, message));
        }
        match asked.quantifier {
            Quantifier::Possible | Quantifier::Forbidden => Ok(scenario),
            Quantifier::Required | Quantifier::Whenever => self.of_every_run(scenario, asked),
        }
    }

    /// A scenario that every run must have, in some order of the messages of each step.
    fn of_every_run(&self, scenario: SoughtScenario, asked: &Asked) -> Result<SoughtScenario, Reason> {
        let untold = |what: &str| Err(Reason::NotLookedFor(what.to_owned()));
        let takes_parts = asked.effects == Effects::Unordered && effects_matter(&self.model, asked.effects);
        let scenario = match takes_parts {
            false => Some(scenario.of_every_run()),
            true => match (asked.quantifier, asked.within) {
                (Quantifier::Required, within) => scenario.of_every_run_by_parts(within.is_some()),
                (Quantifier::Whenever | Quantifier::Possible | Quantifier::Forbidden, _) => None,
            },
        };
        match scenario {
            None => untold("a part of a step in every run (`effects=together` takes it as a whole)"),
            Some(scenario) if scenario.reads_sets() && scenario.is_endless() => {
                untold("a loop without end of steps with several messages in any order")
            }
            Some(scenario) => Ok(scenario),
        }
    }

    /// The components of whom nothing is seen but what they send.
    pub fn environment(&self) -> BTreeSet<ComponentId> {
        let objects = self.objects.structure.objects.enumerate();
        let guests = objects.filter(|(_, object)| object.machine.is_none());
        guests.map(|(id, _)| ComponentId::from_index(id.index())).collect()
    }

    /// Whether a component is an object with a machine.
    pub fn is_machine(&self, component: ComponentId) -> bool {
        let objects = &self.objects.structure.objects;
        component.index() < objects.len()
            && objects[InstanceId::from_index(component.index())].machine.is_some()
    }

    /// The names of the parameters of an event's message: as the receiver's class declares them, else as any class does,
    /// else as a trigger binds them.
    pub fn parameters(&self, event: &Event) -> Vec<String> {
        let name = event.name.as_str();
        let receiver = event.to.filter(|to| to.index() < self.objects.structure.objects.len());
        let receiver = receiver.map(|to| &self.objects.structure.objects[InstanceId::from_index(to.index())]);
        let is_own =
            |class: &&Class| receiver.is_some_and(|object| object.kinds.contains(&class.name.to_lowercase()));
        let declared = |class: &Class| {
            let operation = class.operations.iter().find(|operation| operation.name == name)?;
            let names = operation.values().map(|parameter| parameter.name.clone());
            Some(names.collect::<Vec<String>>())
        };
        let own = self.model.classes.iter().filter(is_own).find_map(declared);
        let any = || self.model.classes.iter().find_map(declared);
        let bound = || {
            let triggers = self.model.machines.iter().flat_map(|machine| machine.transitions.iter());
            let mut triggers = triggers.flat_map(|transition| &transition.triggers);
            triggers.find_map(|trigger| match trigger {
                Trigger::Event { name: known, parameters } if known == name => {
                    Some(parameters.iter().map(|parameter| self.bound_name(parameter)).collect())
                }
                Trigger::Event { .. } | Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
            })
        };
        own.or_else(any).or_else(bound).unwrap_or_default()
    }

    /// The name that a trigger gives to a parameter; empty where it waits for a value instead: `result(ok = false)`, `result(false)`.
    fn bound_name(&self, parameter: &str) -> String {
        let name = parameter.split_once('=').map_or(parameter, |(name, _)| name).trim();
        let is_value = ["true", "false"].contains(&name)
            || name.parse::<i64>().is_ok()
            || self.objects.enumerations.values().flatten().any(|literal| literal == name);
        if is_value { String::new() } else { name.to_owned() }
    }

    /// The attributes that a predicate looks at, with their values in a state.
    pub fn values(&self, term: TermId, config: &Config) -> Vec<String> {
        let variables = variables(&self.objects.system, term);
        let objects = self.objects.structure.objects.enumerate();
        let all = objects.flat_map(|(id, object)| self.objects.attributes(id).map(move |one| (object, one)));
        all.filter(|(_, (_, slot))| variables.contains(&slot.variable))
            .map(|(object, (name, slot))| {
                format!("{}.{name} = {}", object.name, self.objects.value_text(config, slot))
            })
            .collect()
    }
}

/// The state that a condition asks for: `inState(Idle)`, `in(atm, Idle)`.
fn asked_state(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Call(_, arguments) => match arguments.last() {
            Some(Expression::Name(path)) => Some(path.join(".")),
            Some(_) | None => None,
        },
        Expression::Unary(_, part) => asked_state(part),
        Expression::Binary(_, left, right) => asked_state(left).or_else(|| asked_state(right)),
        Expression::Bool(_) | Expression::Int(_) | Expression::Name(_) | Expression::Text(_) => None,
    }
}

/// The variables that a term is made of.
pub fn variables(system: &System, term: TermId) -> BTreeSet<VariableId> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![term]);
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if let TermNode::Variable(variable) = system.terms.node(term) {
                found.insert(*variable);
            }
            open.extend(system.terms.parts(term));
        }
    }
    found
}

/// The first state with all values of some variables; `None` if these are more than `most`.
pub fn valuations(system: &System, variables: &BTreeSet<VariableId>, most: usize) -> Option<Vec<Config>> {
    let mut configs = vec![system.initial()];
    for id in variables {
        let Variable { min, max, .. } = system.variables[*id];
        let count = usize::try_from(i64::from(max) - i64::from(min) + 1).unwrap_or(most);
        if configs.len().saturating_mul(count) > most {
            return None;
        }
        let with = |config: &Config, value: i32| {
            let mut config = config.clone();
            config.0[id.index()] = value;
            config
        };
        configs = configs.iter().flat_map(|config| (min..=max).map(|value| with(config, value))).collect();
    }
    Some(configs)
}
