//! Systems of objects: defects of communicating state machines, found by a search.
//!
//! The objects of a folder are parted into groups that talk to each other; the states of each group are
//! [surveyed](sequent_engine::survey) once, and all findings are made from that. A group that is too large is looked at in part:
//! then nothing is said about what never happens in it.
//!
//! Most state diagrams are sketches: arrows without label mean that something happens, not that it happens at once. So a machine
//! that is alone with its environment is held to its data only; what is said of machines that talk to each other is
//! what UML makes of them (docs/decisions/012-findings-about-systems.md).

mod conflict;
mod count;
mod fault;
mod group;
mod growth;
mod idle;
mod lost;
mod open;
mod stuck;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_engine::explicit;
use sequent_engine::packed::Program;
use sequent_engine::search::SearchStop;
use sequent_engine::survey::Survey;
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{
    Check, Communication, Condition, Machine, MachineId, Model, Question, Subject, SystemSettings,
    TransitionId, Trigger, VertexKind,
};
use sequent_kernel::question::Case;
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::Unsupported;
use sequent_kernel::semantics::objects::{
    InstanceId, Objects, ObjectsLowering, Structure, communication, lower_objects,
};
use sequent_kernel::source::{Folders, Place, Span};
use sequent_kernel::system::RuleId;
use sequent_kernel::verdict::{Evidence, Reason, Story, Verdict};
use sequent_report::reason;
use sequent_report::run::RunDrawingOptions;

use crate::effort::Effort;
use crate::ensemble::Ensemble;
use crate::finding::is_broken_machine;
use crate::pose::stuck as stuck_case;
use crate::scope::Scope;
use crate::tell::titled;
use group::Parting;
use stuck::StuckReply;

/// A finding, and the run that shows it.
pub(crate) type SurveyFinding = (Diagnostic, Option<Story>);

/// The survey of a group of communicating machines.
pub struct ObjectsInspection {
    /// The machines.
    pub machines: BTreeSet<MachineId>,
    /// Findings, some with a run.
    pub findings: Vec<SurveyFinding>,
    /// Whether their objects never get stuck.
    pub verdict: Verdict,
    /// Why they do not although nothing was asked of them.
    pub vacuous: Option<String>,
    /// The engine that found it.
    pub engine: &'static str,
    /// How many states were visited for that.
    pub states: usize,
    /// How long it took.
    pub millis: Option<u64>,
}

/// Everything that a search finds out about the systems of a model. Machines with errors are left alone; objects that
/// questions are about were lowered already.
pub fn inspect(
    (model, folders): (&Model, &Folders),
    found: &[Diagnostic],
    ensembles: &[Result<Ensemble<'_>, Reason>],
    effort: &Effort<'_>,
) -> Vec<ObjectsInspection> {
    let scopes = Scope::with_machines(model, folders);
    scopes.iter().flat_map(|scope| inspect_scope(scope, found, ensembles, effort)).collect()
}

fn inspect_scope(
    scope: &Scope<'_>,
    found: &[Diagnostic],
    ensembles: &[Result<Ensemble<'_>, Reason>],
    effort: &Effort<'_>,
) -> Vec<ObjectsInspection> {
    let model = &*scope.model;
    // Where links or ports do not fit, messages that go nowhere are no news.
    let gaps = [Code::UnfitPorts, Code::UnknownObject];
    let has_gaps = found.iter().any(|finding| gaps.contains(&finding.code));
    let (parts, settings) = parts(scope, found);
    let lowering = ObjectsLowering::new(model, &settings);
    let is_visited = settings.closed == Some(true) && shows_guests(scope);
    let mut inspections: Vec<ObjectsInspection> = Vec::new();
    for part in parts {
        let is_known = |ensemble: &&Ensemble<'_>| {
            ensemble.folder == scope.folder
                && Some(ensemble.objects.communication) == settings.communication
                && ensemble.objects.structure == part
        };
        let objects = match ensembles.iter().flatten().find(is_known) {
            Some(ensemble) => Ok(Cow::Borrowed(&ensemble.objects)),
            None => lowering.lower(&part).map(Cow::Owned),
        };
        match objects {
            Ok(objects) => {
                let (mut inspection, millis) =
                    effort.timed(|| inspect_group(model, &objects, has_gaps, effort));
                if is_visited && inspection.findings.iter().any(|(finding, _)| is_never(finding)) {
                    let never = never_visited(model, &part, &settings, effort);
                    inspection
                        .findings
                        .retain(|(finding, _)| !is_never(finding) || never.contains(&finding.span));
                }
                inspections.push(ObjectsInspection { millis, ..inspection });
            }
            Err(unsupported) => {
                let machines = part.objects.iter().filter_map(|object| object.machine).collect();
                inspections.push(not_run(machines, unsupported));
            }
        }
    }
    agree(model, &mut inspections);
    inspections
}

/// Whether a sequence diagram of the folder shows a lifeline that is no object: environment, in a closed system too, but of that diagram
/// alone.
fn shows_guests(scope: &Scope<'_>) -> bool {
    let whole = scope.structure(None);
    let mut shown = scope.model.interactions.iter().filter(|one| scope.holds(one.place));
    shown.any(|one| one.lifelines.iter().any(|lifeline| whole.players(lifeline).is_empty()))
}

/// Where states and transitions stand that never happen either where everything comes from outside that an environment may send.
fn never_visited(
    model: &Model,
    part: &Structure,
    settings: &SystemSettings,
    effort: &Effort<'_>,
) -> BTreeSet<Span> {
    let open = SystemSettings { closed: Some(false), ..settings.clone() };
    let Ok(objects) = lower_objects(model, part, &open) else { return BTreeSet::new() };
    let program = Program::new(&objects.system);
    let limits = Effort { looks: effort.looks / 4, ..*effort }.limits_of(objects.system.rules.len());
    let is_timed = |rule| fires_in_time(model, &objects, rule);
    let half = effort.share(2);
    let survey = effort.until(half, |effort| Survey::explore(&program, &is_timed, &limits, effort.watch));
    let group = ObjectGroup { model, objects: &objects, survey: &survey, has_gaps: false };
    let found = idle::idle(&group).into_iter().map(|(finding, _)| finding);
    found.filter(is_never).map(|finding| finding.span).collect()
}

/// Whether a finding is about what never happens.
fn is_never(finding: &Diagnostic) -> bool {
    matches!(finding.code, Code::NeverReached | Code::NeverFires)
}

/// A machine may have objects in several groups: what never happens in one of them may happen in another, and
/// a defect in several is reported once.
fn agree(model: &Model, inspections: &mut [ObjectsInspection]) {
    let told: Vec<(BTreeSet<MachineId>, BTreeSet<Span>)> = inspections
        .iter()
        .map(|one| {
            let never = one.findings.iter().map(|(finding, _)| finding).filter(|finding| is_never(finding));
            (one.machines.clone(), never.map(|finding| finding.span).collect())
        })
        .collect();
    let mut groups_of: BTreeMap<MachineId, Vec<usize>> = BTreeMap::new();
    for (group, (machines, _)) in told.iter().enumerate() {
        machines.iter().for_each(|machine| groups_of.entry(*machine).or_default().push(group));
    }
    let is_everywhere = |finding: &Diagnostic| {
        let mut own = model.machines.enumerate().filter(|(_, one)| one.place.0.encloses(finding.span));
        own.all(|(machine, _)| {
            let mut groups = groups_of.get(&machine).into_iter().flatten();
            groups.all(|group| told[*group].1.contains(&finding.span))
        })
    };
    // Names of objects differ from group to group, the advice does not.
    let kind = |finding: &Diagnostic| (finding.code, finding.span, finding.hint.clone());
    let mut said: BTreeSet<(Code, Span, Option<String>)> = BTreeSet::new();
    for one in inspections {
        one.findings.retain(|(finding, _)| !is_never(finding) || is_everywhere(finding));
        one.findings.retain(|(finding, _)| !said.contains(&kind(finding)));
        said.extend(one.findings.iter().map(|(finding, _)| kind(finding)));
    }
}

/// The structures of communicating objects, in a single folder; and the settings with which they run.
fn parts(scope: &Scope<'_>, found: &[Diagnostic]) -> (Vec<Structure>, SystemSettings) {
    let model = &*scope.model;
    let whole = scope.structure(None);
    // The medium is that of the whole system.
    let medium = communication(model, &whole, &model.system);
    let settings = SystemSettings { communication: Some(medium), ..model.system.clone() };
    let is_sound = |members: &BTreeSet<InstanceId>| {
        let mut machines = members.iter().filter_map(|id| whole.objects[*id].machine);
        machines.all(|machine| !is_broken_machine(&model.machines[machine], found))
    };
    let groups = group::groups(model, &whole).into_iter().filter(is_sound);
    let parting = Parting::new(&whole);
    (groups.map(|members| parting.only(&members)).collect(), settings)
}

/// The groups of communicating machines of a folder; `None` for one that is not run.
pub fn systems(scope: &Scope<'_>, found: &[Diagnostic]) -> Vec<Option<Objects>> {
    let (parts, settings) = parts(scope, found);
    let lowering = ObjectsLowering::new(&scope.model, &settings);
    parts.iter().map(|part| lowering.lower(part).ok()).collect()
}

/// Whether a machine and those that it talks to get stuck, as a case; an error says why that is no state without steps.
pub fn closed(
    (model, folders): (&Model, &Folders),
    found: &[Diagnostic],
    machine: MachineId,
) -> Result<Case, String> {
    const UNKNOWN: &str = "the state machine cannot be run";
    let scope = Scope::of(model, folders, model.machines[machine].place).ok_or(UNKNOWN)?;
    let (parts, settings) = parts(&scope, found);
    let holds = |part: &Structure| part.objects.iter().any(|object| object.machine == Some(machine));
    let part = parts.into_iter().find(holds).ok_or(UNKNOWN)?;
    let objects = lower_objects(&scope.model, &part, &settings)
        .map_err(|unsupported| format!("{} is not run", unsupported.what))?;
    if !stuck::is_closed(&objects) {
        return Err(
            "messages come from outside here, or may be lost, which is a step even where everybody waits; without `--question` a state without any step is looked for"
                .to_owned(),
        );
    }
    // What never moves is at no end although it is complete, if it waits for something.
    match objects.system.steps(&objects.system.initial()).is_empty() {
        true => Err("nothing ever happens in it".to_owned()),
        false => Ok(stuck_case(&Rc::new(objects.system))),
    }
}

/// What is said of machines that are not run.
fn not_run(machines: BTreeSet<MachineId>, unsupported: Unsupported) -> ObjectsInspection {
    let message = format!("{} is not run", unsupported.what);
    let finding = Diagnostic::new(Code::TooWide, unsupported.place.0, message)
        .hint("let fewer things happen at the same time");
    ObjectsInspection {
        machines,
        findings: vec![(finding, None)],
        verdict: Verdict::Unknown(Reason::NotRun(unsupported.what)),
        vacuous: None,
        engine: explicit::NAME,
        states: 0,
        millis: None,
    }
}

fn inspect_group(model: &Model, objects: &Objects, has_gaps: bool, effort: &Effort<'_>) -> ObjectsInspection {
    let program = Program::new(&objects.system);
    // The states are looked at several times.
    let limits = Effort { looks: effort.looks / 4, ..*effort }.limits_of(objects.system.rules.len());
    let is_timed = |rule| fires_in_time(model, objects, rule);
    // What is made of the states takes about as long as to visit them.
    let half = effort.share(2);
    let survey = effort.until(half, |effort| Survey::explore(&program, &is_timed, &limits, effort.watch));
    let group = ObjectGroup { model, objects, survey: &survey, has_gaps };
    let mut findings = Vec::new();
    let (mut deadlock, unknown) = stuck::deadlock(&group).unzip();
    let unknown = unknown.flatten();
    // What another engine is asked it answers, or it says why not; else it is asked where states are too many.
    let is_forced = !effort.engine.looks_at_states();
    let is_open = deadlock.is_none() && !survey.is_whole();
    let solved = ((is_forced || is_open) && group.is_asked()).then(|| stuck::solved(&group, effort));
    let shown = |deadlock: &SurveyFinding, unknown: Option<Reason>| match (unknown, &deadlock.1) {
        (Some(reason), _) => Verdict::Unknown(reason),
        (None, Some(story)) => Verdict::Fails(Evidence::Run(Box::new(story.clone()))),
        (None, None) => Verdict::Unknown(Reason::NotReplayed),
    };
    let (verdict, engine) = match (solved, &deadlock, survey.stop) {
        (Some((StuckReply::Stuck(finding), engine)), _, _) => {
            let verdict = shown(&finding, None);
            deadlock.get_or_insert(*finding);
            (verdict, engine)
        }
        (Some((StuckReply::Never(verdict), engine)), _, _) => (verdict, engine),
        (Some((StuckReply::Open(reason), engine)), _, _) if is_forced => (Verdict::Unknown(reason), engine),
        (_, Some(deadlock), _) => (shown(deadlock, unknown), explicit::NAME),
        (_, None, Some(stop)) => (Verdict::Unknown(Reason::Stopped(stop, survey.len())), explicit::NAME),
        (_, None, None) => (Verdict::Holds(Evidence::Exhaustive), explicit::NAME),
    };
    let holds = matches!(verdict, Verdict::Holds(_));
    let vacuous = (holds && !group.moves()).then(|| "none of its objects ever does anything".to_owned());
    // What comes after a deadlock never happens, which is no news.
    match deadlock {
        None => findings.extend(idle::idle(&group)),
        // A sketch of a single machine may end anywhere. A hint says where it ends, and shows no run.
        Some((told, story)) if group.is_company() => {
            let story = story.filter(|_| told.severity != Severity::Hint);
            findings.push((told, story));
        }
        Some(_) => {}
    }
    findings.extend(stuck::livelock(&group));
    findings.extend(fault::faults(&group));
    findings.extend(lost::lost(&group));
    findings.extend(conflict::conflicts(&group));
    findings.extend(survey.stop.and_then(|stop| group.in_part(stop)).map(|finding| (finding, None)));
    let machines = group.machines().map(|(_, id, _)| id).collect();
    ObjectsInspection { machines, findings, verdict, vacuous, engine, states: survey.len(), millis: None }
}

/// Whether a rule fires a transition that waits for time to pass, or for a condition: such a step is no idle one.
fn fires_in_time(model: &Model, objects: &Objects, rule: RuleId) -> bool {
    let fired = objects.fired.get(&rule).into_iter().flatten();
    let mut triggers = fired.flat_map(|(object, transition)| {
        let machine = objects.machine(model, *object);
        machine.into_iter().flat_map(|machine| &machine.transitions[*transition].triggers)
    });
    triggers.any(|trigger| matches!(trigger, Trigger::After(_) | Trigger::When(_)))
}

/// Objects that communicate with each other, and all their states.
struct ObjectGroup<'a> {
    model: &'a Model,
    objects: &'a Objects,
    survey: &'a Survey<'a>,
    /// Whether links or ports do not fit.
    has_gaps: bool,
}

impl<'a> ObjectGroup<'a> {
    /// The objects with a machine, each with its machine.
    fn machines(&self) -> impl Iterator<Item = (InstanceId, MachineId, &'a Machine)> {
        let all = self.objects.structure.objects.enumerate();
        all.filter_map(|(id, object)| Some((id, object.machine?, &self.model.machines[object.machine?])))
    }

    /// That there is more to be seen than was looked at.
    fn in_part(&self, stop: SearchStop) -> Option<Diagnostic> {
        let names: Vec<String> =
            self.machines().map(|(object, ..)| format!("`{}`", self.name(object))).collect();
        let (_, _, Machine { place, .. }) = self.machines().next()?;
        let why = match stop {
            SearchStop::States => format!("there are more than {} states", self.survey.len()),
            SearchStop::Memory | SearchStop::Depth | SearchStop::Watch => {
                reason::words(&Reason::Stopped(stop, self.survey.len()))
            }
        };
        let message = format!("not all runs of {} were looked at: {why}", names.join(", "));
        let finding = Diagnostic::new(Code::LookedAtInPart, place.0, message);
        Some(finding.hint("`--time` SECONDS lets the search go on"))
    }

    /// Whether a check asks for deadlocks of one of the machines.
    fn is_asked(&self) -> bool {
        let asks = |check: &Check| match (&check.question, check.subject) {
            (Question::Deadlock, Some(Subject::Machine(id))) => self.machines().any(|(_, own, _)| own == id),
            (_, _) => false,
        };
        self.model.checks.iter().any(asks)
    }

    /// Whether messages are handed over directly although no setting says so.
    fn meets_by_default(&self) -> bool {
        self.objects.communication == Communication::Rendezvous && self.model.system.communication.is_none()
    }

    /// Whether several machines communicate.
    fn is_company(&self) -> bool {
        self.machines().count() > 1
    }

    /// Whether a guard is computed: it uses nothing but attributes of an object and values, and calls
    /// nothing.
    fn is_data(&self, object: InstanceId, guard: &Condition) -> bool {
        let attributes: BTreeSet<&str> = self.objects.attributes(object).map(|(name, _)| name).collect();
        let literals: BTreeSet<&str> =
            self.objects.enumerations.values().flatten().map(String::as_str).collect();
        let names = guard.expression.as_ref().and_then(idle::names);
        names.is_some_and(|names| {
            names.iter().all(|name| attributes.contains(name) || literals.contains(name))
        })
    }

    /// Whether some object ever fires a transition, other than those it begins with. What was not looked at may hold one.
    fn moves(&self) -> bool {
        let starts = |(object, transition): &(InstanceId, TransitionId)| {
            let machine = self.objects.machine(self.model, *object);
            machine.is_some_and(|machine| {
                let source = machine.transitions[*transition].source;
                machine.vertices[source].kind == VertexKind::Initial
            })
        };
        let mut fired = self.objects.fired.iter().filter(|(rule, _)| self.survey.fired(**rule).is_some());
        !self.survey.is_whole() || fired.any(|(_, transitions)| !transitions.iter().all(starts))
    }

    /// Whether some run ends in a fault.
    fn has_fault(&self) -> bool {
        self.survey.first_in(self.objects.system.strained).is_some()
    }

    fn name(&self, object: InstanceId) -> &'a str {
        &self.objects.structure.objects[object].name
    }

    /// A finding with the run that shows it, if that replays; no more certain than the run.
    fn shown(&self, finding: Diagnostic, run: &Run) -> Option<SurveyFinding> {
        let names: Vec<&str> = self.machines().map(|(id, ..)| self.name(id)).collect();
        let title = names.join(", ");
        let place = Place(finding.span);
        let story = titled(self.model, self.objects, (&title, place), run, &RunDrawingOptions::default())?;
        Some((count::doubted(self, finding, run), Some(story)))
    }

    /// How long a run is, in words.
    fn after(&self, run: &Run) -> String {
        match run.events(&self.objects.system).count() {
            0 => "at once".to_owned(),
            1 => "after one event".to_owned(),
            many => format!("after {many} events"),
        }
    }
}
