//! Deadlocks and livelocks: objects that wait for each other, and infinitely many steps without visible
//! events.

use std::collections::BTreeSet;
use std::rc::Rc;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::search::{Limits, SearchAnswer, SearchStop};
use sequent_engine::survey::SpotId;
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Machine, Send, Trigger, VertexId};
use sequent_kernel::question::{Case, Goal, Pace};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::{InstanceId, Objects};
use sequent_kernel::source::Span;
use sequent_kernel::system::{Config, Join, Rule, RuleId, System, TermId};
use sequent_kernel::verdict::{Details, Evidence, QuestionKind, Reason, Verdict};

use super::open::{IdleStage, Judged};
use super::{ObjectGroup, SurveyFinding};
use crate::effort::Effort;
use crate::pose::pace;
use crate::record::Record;

/// Of so many states that are stuck the runs are looked at.
const MOST_SPOTS: usize = 16;

/// A shortest run after which no object ever acts again, whatever comes from outside, and not all objects are
/// at a proper end (E630). If no object ever acts at all, an object that waits for something is not at an
/// end.
///
/// Of the first few such states one counts to which a run leads that depends on nothing unknown, if there is one; else it is said why
/// the run decides nothing.
pub(crate) fn deadlock(group: &ObjectGroup<'_>) -> Option<(SurveyFinding, Option<Reason>)> {
    let moves = group.moves();
    let spots = dead(group).into_iter().filter(|spot| {
        let config = group.survey.config(*spot);
        let is_end = || group.objects.system.holds(group.objects.system.complete, &config);
        !holds_guest(group, &config) && (!is_end() || !moves && is_waited(group, &config))
    });
    let runs: Vec<_> = spots.take(MOST_SPOTS).map(|spot| (spot, group.survey.run_to(spot))).collect();
    let is_known = |(_, run): &&(SpotId, Run)| group.objects.open_use(run).is_none();
    let (spot, run) = runs.iter().find(is_known).or(runs.first())?;
    Some((told(group, run, &group.survey.config(*spot))?, unknown(group, run)))
}

/// The value that a run depends on and that is not known.
fn unknown(group: &ObjectGroup<'_>, run: &Run) -> Option<Reason> {
    let open = group.objects.open_use(run)?;
    Some(Reason::OpenValue(open.parameter.clone(), open.message.clone()))
}

/// That a run gets stuck, and what everybody waits for; or that it comes to rest, which is a hint.
fn told(group: &ObjectGroup<'_>, run: &Run, last: &Config) -> Option<SurveyFinding> {
    let waits = waits(group, last);
    let told: Vec<&str> = waits.iter().map(|(_, text)| text.as_str()).collect();
    let is_rest = !run.steps.is_empty() && rests(group, last);
    let verb = if is_rest { "comes to rest" } else { "gets stuck" };
    let message = format!("this {verb} {}: {}", group.after(run), told.join(", "));
    let mut diagnostic = Diagnostic::new(Code::SystemStuck, waits.first()?.0, message);
    for (span, text) in &waits {
        diagnostic = diagnostic.label(*span, text);
    }
    if let Some(send) = group.meets_by_default().then(|| pending(group, last)).flatten() {
        let text = "messages are handed over directly, as no send names its target; `communication = \"queue\"` lets them wait";
        diagnostic = diagnostic.label(send.place.0, text);
    }
    if is_rest {
        let hint =
            "if the system is meant to end here, add final states; otherwise let one of the objects go on";
        return group.shown(diagnostic.severity(Severity::Hint).hint(hint), run);
    }
    let hint =
        "let one of them go on without waiting; if this is where the system ends, lead to a final state";
    group.shown(diagnostic.hint(hint), run)
}

/// Whether some objects have come to their end, in states that they do not leave, and the others wait for nothing but messages of these: servers
/// whose clients are done. Where objects that wait are waited for, they are stuck.
fn rests(group: &ObjectGroup<'_>, last: &Config) -> bool {
    let mut ended = Vec::new();
    let mut waiting: Vec<(&Machine, BTreeSet<&str>)> = Vec::new();
    for (object, _, machine) in group.machines() {
        if !offers(group, last, object).is_empty() {
            return false;
        }
        let sources = with_surrounding(machine, &group.objects.active(group.model, last, object));
        let leaving = machine
            .transitions
            .iter()
            .filter(|one| sources.contains(&one.source) && one.source != one.target);
        let mut awaited = BTreeSet::new();
        let mut is_leaving = false;
        for transition in leaving {
            is_leaving = true;
            for trigger in &transition.triggers {
                match trigger {
                    Trigger::Event { name, .. } => awaited.insert(name.as_str()),
                    Trigger::Any => return false,
                    Trigger::After(_) | Trigger::When(_) => continue,
                };
            }
        }
        if is_leaving { waiting.push((machine, awaited)) } else { ended.push(object) }
    }
    let is_sent =
        |name: &str| waiting.iter().any(|(machine, _)| machine.sends().any(|send| send.name == name));
    !ended.is_empty() && !waiting.iter().any(|(_, awaited)| awaited.iter().any(|name| is_sent(name)))
}

/// What an engine knows that looks at no survey.
pub(crate) enum StuckReply {
    /// This gets stuck.
    Stuck(Box<SurveyFinding>),
    /// Nothing does.
    Never(Verdict),
    /// It cannot tell, and why.
    Open(Reason),
}

/// Whether the system gets stuck, as the engine says that was asked for; and its name.
pub(crate) fn solved(group: &ObjectGroup<'_>, effort: &Effort<'_>) -> (StuckReply, &'static str) {
    let mut decider = Decider::new(group, effort);
    let judged = match is_closed(group.objects) {
        true => decider.decide(&group.objects.system, Goal::Stuck, effort.limits_of(decider.rules)),
        false => {
            // The states have just been looked at.
            let limits = Limits { states: 0, ..effort.limits };
            let ask = &mut |system: &System, goal| decider.decide(system, Goal::State(goal), limits);
            match judged(group, ask) {
                Judged::Stuck(run) => SearchAnswer::Found(run),
                Judged::Never => SearchAnswer::Exhausted,
                Judged::Open => SearchAnswer::Stopped(SearchStop::Watch),
            }
        }
    };
    let Decider { record, reason, is_truncated, .. } = decider;
    let engine = record.engine.unwrap_or(effort.engine.name());
    let open = || StuckReply::Open(reason.unwrap_or(Reason::Engine(engine, QuestionKind::OpenDeadlock)));
    let solved = match judged {
        SearchAnswer::Found(run) => {
            let last = replay(&group.objects.system, &run).ok().and_then(|mut configs| configs.pop());
            let told = last.and_then(|last| told(group, &run, &last));
            match (unknown(group, &run), told) {
                (Some(reason), _) => StuckReply::Open(reason),
                (None, Some(told)) => StuckReply::Stuck(Box::new(told)),
                (None, None) => StuckReply::Open(Reason::NotReplayed),
            }
        }
        SearchAnswer::Exhausted if !is_truncated => {
            let (verdict, _) = record.settle(Verdict::Holds(Evidence::Exhaustive), Details::default());
            StuckReply::Never(verdict)
        }
        SearchAnswer::Exhausted => StuckReply::Open(Reason::MayBreakOff),
        SearchAnswer::Stopped(_) => open(),
    };
    (solved, engine)
}

/// Asks the engine about one System after the other, and keeps how the last was decided.
struct Decider<'d> {
    effort: &'d Effort<'d>,
    pace: Pace,
    rules: usize,
    record: Record,
    reason: Option<Reason>,
    is_truncated: bool,
}

impl<'d> Decider<'d> {
    fn new(group: &ObjectGroup<'_>, effort: &'d Effort<'d>) -> Self {
        let (pace, rules) = (pace(group.objects.communication), group.objects.system.rules.len());
        Decider { effort, pace, rules, record: Record::default(), reason: None, is_truncated: false }
    }

    fn decide(&mut self, system: &System, goal: Goal, limits: Limits) -> SearchAnswer {
        let system = Rc::new(system.clone());
        let case = Case { pace: self.pace, ..Case::new(&system, goal) };
        let program = Program::new(&system);
        let decision = self.effort.decide(&case, &mut StateGraph::new(&program), limits);
        self.record = Record::of(&case, &decision);
        (self.reason, self.is_truncated) = (decision.obstacle(), decision.is_truncated);
        decision.answer
    }
}

/// The same for a system that hears from outside, or loses messages; `ask` looks for a state in which a predicate holds.
pub(crate) fn judged(
    group: &ObjectGroup<'_>,
    ask: &mut dyn FnMut(&System, TermId) -> SearchAnswer,
) -> Judged {
    let machines: BTreeSet<usize> = group.machines().map(|(id, ..)| id.index()).collect();
    let stage = IdleStage {
        system: &group.objects.system,
        is_idle: &|rule| !acts(group, &machines, rule),
        is_excused: &|config| holds_guest(group, config),
    };
    stage.judge(ask)
}

/// Whether the step of a rule is one of a machine that does more than to lose a message.
fn acts(group: &ObjectGroup<'_>, machines: &BTreeSet<usize>, rule: RuleId) -> bool {
    let owner = group.objects.system.rules[rule].component.index();
    machines.contains(&owner) && !group.objects.lost.contains_key(&rule)
}

/// Whether every step is one of a machine, and none loses a message.
pub(crate) fn is_closed(objects: &Objects) -> bool {
    let machines = objects.structure.objects.enumerate().filter(|(_, object)| object.machine.is_some());
    let machines: BTreeSet<usize> = machines.map(|(id, _)| id.index()).collect();
    let is_own = |rule: &Rule| machines.contains(&rule.component.index());
    objects.lost.is_empty() && objects.system.rules.iter().all(is_own)
}

/// The states after which no object ever does anything again, ascending; to lose a message is nothing. Of what was not looked at
/// the best is hoped.
fn dead(group: &ObjectGroup<'_>) -> Vec<SpotId> {
    let machines: BTreeSet<usize> = group.machines().map(|(id, ..)| id.index()).collect();
    // In most states an object can act; only the others are searched.
    let idle = group.survey.without(&|rule| acts(group, &machines, rule));
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); idle.len()];
    let mut open = Vec::new();
    for (at, spot) in idle.iter().enumerate() {
        for (to, _) in group.survey.leads(*spot) {
            match idle.binary_search(to) {
                Ok(to) => before[to].push(at),
                Err(_) => open.push(at),
            }
        }
    }
    let mut is_alive = vec![false; idle.len()];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut is_alive[at], true) {
            open.extend(before[at].iter().copied().filter(|before| !is_alive[*before]));
        }
    }
    idle.into_iter().zip(is_alive).filter(|(_, is_alive)| !is_alive).map(|(spot, _)| spot).collect()
}

/// Whether a message of the environment waits somewhere, deferred: then the environment is not heard, which is its own fault.
fn holds_guest(group: &ObjectGroup<'_>, config: &Config) -> bool {
    let is_guest = |from: Option<InstanceId>| {
        from.is_none_or(|from| group.objects.structure.objects[from].machine.is_none())
    };
    group.machines().any(|(id, ..)| group.objects.waiting(config, id).iter().any(|(from, _)| is_guest(*from)))
}

/// Whether several objects wait, one of them for a message.
fn is_waited(group: &ObjectGroup<'_>, config: &Config) -> bool {
    let mut machines = group.machines();
    group.is_company()
        && machines.any(|(object, _, machine)| {
            !triggers(machine, &group.objects.active(group.model, config, object)).is_empty()
        })
}

/// Where the objects are, and what they wait for.
fn waits(group: &ObjectGroup<'_>, config: &Config) -> Vec<(Span, String)> {
    let mut waits = Vec::new();
    for (object, _, machine) in group.machines() {
        let active = group.objects.active(group.model, config, object);
        let (triggers, offers) = (triggers(machine, &active), offers(group, config, object));
        let name = group.name(object);
        let Some(first) = active.first() else { continue };
        let states = group.objects.states(group.model, config, object);
        let (rank, text) = match (offers.as_slice(), triggers.as_slice()) {
            ([], []) => (2, format!("`{name}` is in `{states}`")),
            ([], triggers) => {
                (1, format!("`{name}` is in `{states}` and waits for {}", triggers.join(" or ")))
            }
            (offers, _) => {
                (0, format!("`{name}` is in `{states}` and nobody takes its {}", offers.join(" or ")))
            }
        };
        waits.push((rank, machine.vertices[*first].place.0, text));
    }
    // Objects that offer something come first, then those that wait for something: these explain the
    // deadlock.
    waits.sort_by_key(|(rank, ..)| *rank);
    waits.into_iter().map(|(_, span, text)| (span, text)).collect()
}

/// The messages that an object offers under rendezvous and no object takes.
fn offers(group: &ObjectGroup<'_>, config: &Config, object: InstanceId) -> Vec<String> {
    let system = &group.objects.system;
    let mut found: Vec<String> = Vec::new();
    for rule in offering(group, config, object) {
        let Join::Offer(labels) = &rule.join else { continue };
        let texts: Vec<String> = labels.iter().map(|label| format!("`{}`", system.labels[*label])).collect();
        let text = texts.join(" and ");
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// A send whose message no object takes under rendezvous.
fn pending<'g>(group: &ObjectGroup<'g>, config: &Config) -> Option<&'g Send> {
    let system = &group.objects.system;
    group.machines().find_map(|(object, _, machine)| {
        let mut labels = offering(group, config, object).into_iter().flat_map(|rule| match &rule.join {
            Join::Offer(labels) => labels.as_slice(),
            Join::Alone | Join::Take(_) | Join::Listen(_) => &[],
        });
        labels.find_map(|label| {
            let name = system.labels[*label].split('(').next();
            machine.sends().find(|send| Some(send.name.as_str()) == name)
        })
    })
}

/// The rules of an object that offer something.
fn offering<'g>(group: &ObjectGroup<'g>, config: &Config, object: InstanceId) -> Vec<&'g Rule> {
    let system = &group.objects.system;
    let own = system.rules.iter().filter(|rule| rule.component.index() == object.index());
    own.filter(|rule| matches!(rule.join, Join::Offer(_)) && system.holds(rule.guard, config)).collect()
}

/// Some states and those around them.
fn with_surrounding(machine: &Machine, active: &[VertexId]) -> BTreeSet<VertexId> {
    let mut sources: BTreeSet<VertexId> = BTreeSet::new();
    for vertex in active {
        let mut at = Some(*vertex);
        while let Some(vertex) = at.filter(|vertex| sources.insert(*vertex)) {
            at = machine.parent(vertex);
        }
    }
    sources
}

/// The messages that leave some states, or the states around them; with the guard where there is one.
fn triggers(machine: &Machine, active: &[VertexId]) -> Vec<String> {
    let sources = with_surrounding(machine, active);
    let mut found: Vec<String> = Vec::new();
    for transition in machine.transitions.iter().filter(|one| sources.contains(&one.source)) {
        for trigger in &transition.triggers {
            let name = match trigger {
                Trigger::Event { name, .. } => name.as_str(),
                Trigger::Any => "anything",
                Trigger::After(_) | Trigger::When(_) => continue,
            };
            let text = match &transition.guard {
                Some(guard) => format!("`{name} [{}]`", guard.text),
                None if *trigger == Trigger::Any => name.to_owned(),
                None => format!("`{name}`"),
            };
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// A run that goes on forever with nothing to be seen (W631).
pub(crate) fn livelock(group: &ObjectGroup<'_>) -> Option<SurveyFinding> {
    if !group.is_company() {
        return None;
    }
    let run = group.survey.unseen_circle()?;
    let start = run.cycle?;
    let mut fired = Vec::new();
    for rule in run.steps[start..].iter().flat_map(|step| &step.0) {
        fired.extend(group.objects.fired.get(rule).into_iter().flatten().copied());
    }
    let mut states: Vec<String> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (object, transition) in &fired {
        let machine = group.objects.machine(group.model, *object)?;
        let transition = &machine.transitions[*transition];
        names.insert(format!("`{}`", group.name(*object)));
        states.push(format!("`{}`", machine.vertices[transition.source].name));
        spans.push(transition.place.0);
    }
    let names: Vec<String> = names.into_iter().collect();
    let message = format!(
        "from here on {} may go round forever without sending or receiving anything: {}",
        names.join(" and "),
        states.join(", ")
    );
    let mut diagnostic = Diagnostic::new(Code::SilentForever, *spans.first()?, message);
    for span in spans.iter().skip(1) {
        diagnostic = diagnostic.label(*span, "and so on");
    }
    group.shown(diagnostic.hint("let one of these transitions wait for something"), &run)
}
