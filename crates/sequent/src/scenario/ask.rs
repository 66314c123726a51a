//! One scenario in the runs of some objects: possible, required, forbidden.

use std::collections::BTreeSet;

use sequent_engine::graph::Graph;
use sequent_engine::origins::Origins;
use sequent_engine::property::{Finding, Furthest, find_from, find_or_furthest};
use sequent_engine::search::Answer;
use sequent_engine::transactions::Transactions;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Anchor, Communication, InteractionId, Quantifier, Scenario as Asked};
use sequent_kernel::property::scenario::data::Data;
use sequent_kernel::property::scenario::{Forever, Found, Missed, Never, Scenario, Stage, Stance};
use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{ComponentId, Event};
use sequent_kernel::verdict::{Details, Evidence, Story, Verdict};

use super::{Company, Means, Reply, limits, waiting};
use crate::behaviour::{WIDEST, stopped, too_wide};
use crate::property::positions;

/// Answers a scenario. The window of its loops grows as long as the answer could depend on it.
pub fn scenario<'a>(
    company: &'a Company<'_>,
    about: InteractionId,
    asked: &Asked,
    data: &Data,
    graph: &mut Graph<'a>,
    means: &Means<'_>,
) -> Reply {
    let mut window = 1;
    loop {
        let assumptions = Assumptions { switches: means.switches.clone(), window, ..Assumptions::default() };
        let course = Course { company, about, asked, means };
        let reply = match course.prepared(data, &assumptions) {
            Ok(scenario) => course.ask(&scenario, graph),
            Err(reason) => Err(Trouble::Lost(reason)),
        };
        let mut reply = match reply {
            Ok(reply) => reply,
            Err(Trouble::Narrow) if window < WIDEST => {
                window *= 2;
                continue;
            }
            Err(Trouble::Narrow) => Reply::unknown(too_wide(window)),
            Err(Trouble::Lost(reason)) => Reply::unknown(reason),
        };
        reply.details.bound = asked.within;
        return reply;
    }
}

/// Why there is no answer.
enum Trouble {
    /// A loop of the scenario had no room for all its iterations, and with more room the answer may be another.
    Narrow,
    /// Something else.
    Lost(String),
}

/// A question on its way to an answer.
struct Course<'c> {
    company: &'c Company<'c>,
    about: InteractionId,
    asked: &'c Asked,
    means: &'c Means<'c>,
}

/// What a search came to.
struct Sought<S> {
    /// A run that was looked for.
    run: Option<Run>,
    /// How far it got, if there is none.
    furthest: Option<Furthest<S>>,
    states: usize,
    /// Whether some run breaks off.
    is_strained: bool,
}

impl Course<'_> {
    fn prepared(&self, data: &Data, assumptions: &Assumptions) -> Result<Scenario, String> {
        let company = self.company;
        let environment = company.environment();
        let plays = |name: &str| {
            company.player(self.about, name).map(|object| ComponentId::from_index(object.index()))
        };
        let parameters = |event: &Event| company.parameters(event);
        let stage = Stage {
            system: &company.objects.system,
            environment: &environment,
            plays: &plays,
            parameters: &parameters,
        };
        // Where it begins within some steps, it begins at the start of what is read from there on.
        let anchor = if self.is_bounded() { Anchor::Start } else { self.asked.anchor };
        let knobs = (anchor, self.asked.alphabet);
        Scenario::new(&company.model, self.about, &stage, knobs, data, assumptions)
            .map_err(|unsupported| format!("{} is not looked for", unsupported.what))
    }

    /// Whether an attempt may begin only in states that are near.
    fn is_bounded(&self) -> bool {
        let Asked { quantifier, anchor, within, .. } = self.asked;
        within.is_some() && *anchor == Anchor::Anywhere && *quantifier != Quantifier::Required
    }

    fn ask(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Reply, Trouble> {
        match self.asked.quantifier {
            Quantifier::Possible => self.possible(scenario, graph),
            Quantifier::Forbidden => self.forbidden(scenario, graph),
            Quantifier::Required => self.required(scenario, graph),
        }
    }

    fn possible(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Reply, Trouble> {
        let sought = self.matched(scenario, graph)?;
        if let Some(run) = sought.run {
            let story = self.happened(scenario, &run)?;
            return Ok(self.reply(Verdict::Holds(Evidence::Run(Box::new(story))), sought.states));
        }
        self.exhausted(scenario, sought.is_strained)?;
        let mut reply = self.reply(Verdict::Fails(Evidence::Exhaustive), sought.states);
        let is_run =
            |furthest: &&Furthest<Stance>| replay(&self.company.objects.system, &furthest.run).is_ok();
        if let Some(furthest) = sought.furthest.as_ref().filter(is_run) {
            let (story, failing) = self.stopped_at(scenario, furthest);
            reply.verdict = Verdict::Fails(Evidence::Attempt(Box::new(story)));
            reply.details.failing_message = failing;
        }
        Ok(reply)
    }

    fn forbidden(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Reply, Trouble> {
        let sought = self.matched(scenario, graph)?;
        if let Some(run) = sought.run {
            let story = self.happened(scenario, &run)?;
            return Ok(self.reply(Verdict::Fails(Evidence::Run(Box::new(story))), sought.states));
        }
        self.exhausted(scenario, sought.is_strained)?;
        let mut reply = self.reply(Verdict::Holds(Evidence::Exhaustive), sought.states);
        reply.vacuous = sought.furthest.and_then(|furthest| never_begins(scenario, &furthest));
        Ok(reply)
    }

    fn required(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Reply, Trouble> {
        let within = self.asked.within.filter(|_| self.asked.anchor == Anchor::Anywhere);
        let mut sought = self.run(graph, &Missed { scenario, within })?;
        let mut is_exact = true;
        // A run without an end of the scenario may have one that goes on forever; then all runs are looked at for both.
        let goes_on = |run: &Run| self.goes_on(scenario, run);
        if scenario.is_endless() && sought.run.as_ref().is_some_and(goes_on) {
            let never = Never::new(scenario, within);
            sought = self.run(graph, &never)?;
            is_exact = never.is_exact();
        }
        if let Some(run) = sought.run {
            // With more room the scenario has more traces, and one of them may be in this run.
            if scenario.is_strained() {
                return Err(Trouble::Narrow);
            }
            let story = self.missing(scenario, &run, graph)?;
            return Ok(self.reply(Verdict::Fails(Evidence::Run(Box::new(story))), sought.states));
        }
        if !is_exact {
            let reason = "the scenario may go on forever in too many ways";
            return Err(Trouble::Lost(reason.to_owned()));
        }
        if scenario.is_doubtful() {
            return Err(Trouble::Narrow);
        }
        self.unbroken(sought.is_strained)?;
        let mut reply = self.reply(Verdict::Holds(Evidence::Exhaustive), sought.states);
        reply.vacuous = scenario.may_be_empty().then(|| "nothing needs to happen for it".to_owned());
        Ok(reply)
    }

    /// A run that matches the scenario, finite or not.
    fn matched(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Sought<Stance>, Trouble> {
        let effort = self.means.effort;
        let limits = limits(&self.company.objects, effort);
        let origins = self.origins(graph)?;
        let observer = Found { scenario };
        let gain = |before: &Stance, after: &Stance| observer.gain(before, after);
        let (finding, furthest) = find_or_furthest(graph, &origins, &observer, gain, &limits, effort.watch);
        let mut sought = Sought { furthest, ..self.sought(finding)? };
        if sought.run.is_none() && scenario.is_endless() {
            let finding = find_from(graph, &origins, &Forever { scenario }, &limits, effort.watch);
            let forever: Sought<()> = self.sought(finding)?;
            sought.states += forever.states;
            sought.run = forever.run;
        }
        if sought.run.is_some() && scenario.is_doubtful() {
            return Err(Trouble::Narrow);
        }
        Ok(sought)
    }

    fn run<O: Observer>(&self, graph: &mut Graph<'_>, observer: &O) -> Result<Sought<()>, Trouble> {
        let effort = self.means.effort;
        let origins = Origins::first(graph);
        let finding =
            find_from(graph, &origins, observer, &limits(&self.company.objects, effort), effort.watch);
        self.sought(finding)
    }

    fn sought<S>(&self, finding: Finding) -> Result<Sought<S>, Trouble> {
        let Finding { answer, states, is_strained } = finding;
        let run = match answer {
            Answer::Found(run) => Some(run),
            Answer::Exhausted => None,
            Answer::Stopped(stop) => return Err(Trouble::Lost(stopped(stop, states))),
        };
        Ok(Sought { run, furthest: None, states, is_strained })
    }

    /// The states in which attempts begin.
    fn origins(&self, graph: &mut Graph<'_>) -> Result<Origins, Trouble> {
        const MOST: usize = 1_000_000;
        let Some(count) = self.asked.within.filter(|_| self.is_bounded()) else {
            return Ok(Origins::first(graph));
        };
        let too_many = || Trouble::Lost(format!("more than {MOST} states lie within {count} steps"));
        if self.company.objects.communication != Communication::Rendezvous {
            return Origins::within(graph, count, MOST).ok_or_else(too_many);
        }
        let counts = |component| self.company.is_machine(component);
        let near = Transactions::new(&counts, MOST).within(graph, count).map_err(|_| too_many())?;
        let mut origins = Origins::default();
        near.into_iter().for_each(|one| origins.add(one.node, None, one.steps));
        Ok(origins)
    }

    /// Whether nothing was found because there is nothing.
    fn exhausted(&self, scenario: &Scenario, is_strained: bool) -> Result<(), Trouble> {
        if scenario.is_strained() {
            return Err(Trouble::Narrow);
        }
        self.unbroken(is_strained)
    }

    /// Whether no run breaks off.
    fn unbroken(&self, is_strained: bool) -> Result<(), Trouble> {
        match is_strained {
            true => Err(Trouble::Lost(broken(self.company))),
            false => Ok(()),
        }
    }

    fn reply(&self, verdict: Verdict, states: usize) -> Reply {
        Reply { verdict, vacuous: None, states, details: Details::default() }
    }

    /// A run in which the scenario happens, with what belongs to it.
    fn happened(&self, scenario: &Scenario, run: &Run) -> Result<Story, Trouble> {
        let system = &self.company.objects.system;
        let configs = replayed(self.company, run)?;
        let seen = positions(system, run, &configs, scenario.conditions());
        let moments: Vec<Moment> =
            [Moment::Start].into_iter().chain(seen.iter().map(|(_, one)| *one)).collect();
        let config = |position: usize| match position.checked_sub(1).and_then(|before| seen.get(before)) {
            Some((step, _)) => &configs[step + 1],
            None => &configs[0],
        };
        let name = &self.company.model.interactions[self.about].name;
        if run.cycle.is_some() {
            let because = vec![format!("{name} goes on forever")];
            return Ok(self.company.tell(Some(self.about), run, BTreeSet::new(), because));
        }
        let mut holds = |position, term| system.holds(term, config(position));
        // Where it had to begin near, it began in one of the states near: the last from which on it is a match.
        let from: Vec<usize> = match self.is_bounded() {
            true => (0..moments.len()).rev().collect(),
            false => vec![0],
        };
        let found = from.into_iter().find_map(|from| scenario.witness(&moments, from, &mut holds));
        let found = found
            .ok_or_else(|| Trouble::Lost("the run that was found does not hold the scenario".to_owned()))?;
        let texts: Vec<String> = found
            .iter()
            .filter_map(|position| match moments[*position] {
                Moment::Event(event) => Some(system.events[event].text.clone()),
                Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => None,
            })
            .collect();
        let marked = found.iter().map(|position| seen[*position - 1].0).collect();
        let because = match texts.is_empty() {
            true => vec![format!("{name} happens")],
            false => vec![format!("{name} happens: {}", texts.join(", "))],
        };
        Ok(self.company.tell(Some(self.about), run, marked, because))
    }

    /// Whether the scenario goes on forever in a run.
    fn goes_on(&self, scenario: &Scenario, run: &Run) -> bool {
        let Some(start) = run.cycle else { return false };
        let system = &self.company.objects.system;
        let Ok(configs) = replay(system, run) else { return true };
        let seen = positions(system, run, &configs, scenario.conditions());
        let before = seen.iter().filter(|(step, _)| *step < start).count();
        let moments: Vec<Moment> =
            [Moment::Start].into_iter().chain(seen.iter().map(|(_, one)| *one)).collect();
        let config = |position: usize| match position.checked_sub(1).and_then(|before| seen.get(before)) {
            Some((step, _)) => &configs[step + 1],
            None => &configs[0],
        };
        let mut holds = |position, term| system.holds(term, config(position));
        before + 1 < moments.len() && scenario.goes_on(&moments, before + 1, &mut holds)
    }

    /// A run without the scenario.
    fn missing(&self, scenario: &Scenario, run: &Run, graph: &Graph<'_>) -> Result<Story, Trouble> {
        let system = graph.system();
        let configs = replayed(self.company, run)?;
        let seen = positions(system, run, &configs, scenario.conditions());
        let moments: Vec<Moment> =
            [Moment::Start].into_iter().chain(seen.iter().map(|(_, one)| *one)).collect();
        let config = |position: usize| match position.checked_sub(1).and_then(|before| seen.get(before)) {
            Some((step, _)) => &configs[step + 1],
            None => &configs[0],
        };
        let mut holds = |position, term| system.holds(term, config(position));
        if self.asked.within.is_none() && scenario.witness(&moments, 0, &mut holds).is_some() {
            return Err(Trouble::Lost("the run that was found does hold the scenario".to_owned()));
        }
        let name = &self.company.model.interactions[self.about].name;
        let last = configs.last().map(|last| system.steps(last).is_empty());
        let because = match (run.cycle, last) {
            (Some(_), _) => format!("the run goes on forever without {name}"),
            (None, Some(true)) => format!("the run ends without {name}"),
            (None, _) => format!("from here on {name} cannot happen any more"),
        };
        Ok(self.company.tell(Some(self.about), run, BTreeSet::new(), vec![because]))
    }

    /// How far the scenario gets, and the first message that cannot happen.
    fn stopped_at(&self, scenario: &Scenario, furthest: &Furthest<Stance>) -> (Story, Option<String>) {
        let Furthest { run, memory, depth: count } = furthest;
        let expected = Found { scenario }.expected(memory);
        let failing = expected.first().map(|text| text.trim_start_matches(['!', '?']).to_owned());
        let name = &self.company.model.interactions[self.about].name;
        let next = match expected.as_slice() {
            [] => "a condition does not hold".to_owned(),
            [only] => format!("`{only}` cannot happen"),
            several => format!("none of {} can happen", several.join(", ")),
        };
        let what = if scenario.meets() { "message" } else { "event" };
        let mut because = vec![match count {
            0 => format!("{name} does not begin: {next}"),
            1 => format!("{name} happens up to its first {what}, then {next}"),
            count => format!("{name} happens up to its {what} {count}, then {next}"),
        }];
        let configs = replay(&self.company.objects.system, run).unwrap_or_default();
        if let Some(last) = configs.last() {
            because.extend(waiting::lines(self.company, last));
        }
        (self.company.tell(Some(self.about), run, BTreeSet::new(), because), failing)
    }
}

/// That the first event of a scenario never comes.
fn never_begins(scenario: &Scenario, furthest: &Furthest<Stance>) -> Option<String> {
    let expected = Found { scenario }.expected(&furthest.memory);
    match (furthest.depth, expected.as_slice()) {
        (0, [only]) => Some(format!("`{only}` never happens where it could begin")),
        (0, [first, ..]) => {
            Some(format!("`{first}` never happens where it could begin, nor does any other first event"))
        }
        (_, _) => None,
    }
}

/// Why not all runs are known.
pub fn broken(company: &Company<'_>) -> String {
    let fault = company.objects.faults.first().map_or("a fault", |fault| fault.text.as_str());
    match company.objects.faults.len() {
        0 | 1 => format!("some run breaks off: {fault}"),
        _ => format!("some run breaks off: {fault}, or the like"),
    }
}

fn replayed(company: &Company<'_>, run: &Run) -> Result<Vec<sequent_kernel::system::Config>, Trouble> {
    let lost = |_| Trouble::Lost("the run that was found could not be replayed".to_owned());
    replay(&company.objects.system, run).map_err(lost)
}
