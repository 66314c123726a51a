//! One scenario in the runs of some objects: possible, required, forbidden.

use sequent_engine::graph::Graph;
use sequent_engine::origins::Origins;
use sequent_engine::packed::Program;
use sequent_engine::property::{Finding, Furthest, find_from, find_or_furthest};
use sequent_engine::sat::encoding::{Pace, Unwritten};
use sequent_engine::sat::table::{Table, measured, written};
use sequent_engine::search::{Answer, Limits, Options, Quest, Reduction, Search, Watch};
use sequent_engine::transactions::Transactions;
use sequent_kernel::model::{Anchor, Communication, InteractionId, Quantifier, Scenario as Asked};
use sequent_kernel::property::Observer;
use sequent_kernel::property::scenario::data::Data;
use sequent_kernel::property::scenario::{Forever, Found, Missed, Near, Never, Scenario, Stance};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::semantics::objects::FaultKind;
use sequent_kernel::system::Join;
use sequent_kernel::verdict::{Details, Evidence, Verdict};

use super::strange::never_comes;
use super::trail::{Trail, never_begins};
use super::{Company, Means, Reply};
use crate::behaviour::{ENGINE, Effort, WIDEST, stopped, too_wide};
use crate::court::Court;
use crate::outside::Wanted;
use crate::posed::{Posed, pace};

/// Answers a scenario. The window of its loops grows as long as the answer could depend on it.
pub fn scenario<'a>(
    company: &'a Company<'_>,
    about: InteractionId,
    asked: &Asked,
    data: &Data,
    (program, graph): (&Program<'a>, &mut Graph<'a>),
    means: &Means<'_>,
) -> Reply {
    let mut window = means.effort.court.map_or(1, Court::window);
    loop {
        let assumptions = Assumptions { switches: means.switches.clone(), window, ..Assumptions::default() };
        let course = Course { company, program, about, asked, means };
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

/// Why a scenario happens whatever the objects do: nothing of it has to.
fn idle(scenario: &Scenario) -> Option<String> {
    scenario.may_be_empty().then(|| "nothing needs to happen for it".to_owned())
}

/// A question on its way to an answer.
struct Course<'c> {
    company: &'c Company<'c>,
    program: &'c Program<'c>,
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
        // Where it begins within some steps, it begins at the start of what is read from there on.
        let anchor = if self.is_bounded() { Anchor::Start } else { self.asked.anchor };
        let knobs = (anchor, self.asked.alphabet);
        self.company.scenario(self.about, knobs, data, assumptions)
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
            let story =
                self.trail(scenario, &run)?.happens(scenario, self.is_bounded()).map_err(Trouble::Lost)?;
            let reply = self.reply(Verdict::Holds(Evidence::Run(Box::new(story))), sought.states);
            return Ok(Reply { vacuous: idle(scenario), ..reply });
        }
        let mut states = sought.states;
        match self.stranger(scenario) {
            Some(_) if sought.is_strained => states = 0,
            Some(_) | None => self.exhausted(scenario, sought.is_strained)?,
        }
        let mut reply = self.reply(Verdict::Fails(Evidence::Exhaustive), states);
        if let Some(furthest) = &sought.furthest {
            let (story, failing) = self.trail(scenario, &furthest.run)?.stops(scenario, furthest);
            reply.verdict = Verdict::Fails(Evidence::Attempt(Box::new(story)));
            reply.details.failing_message = failing;
        }
        Ok(reply)
    }

    fn forbidden(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Reply, Trouble> {
        if let vacuous @ Some(_) = self.stranger(scenario) {
            return Ok(Reply { vacuous, ..self.reply(Verdict::Holds(Evidence::Exhaustive), 0) });
        }
        let sought = self.matched(scenario, graph)?;
        if let Some(run) = sought.run {
            let story =
                self.trail(scenario, &run)?.happens(scenario, self.is_bounded()).map_err(Trouble::Lost)?;
            return Ok(self.reply(Verdict::Fails(Evidence::Run(Box::new(story))), sought.states));
        }
        self.exhausted(scenario, sought.is_strained)?;
        let mut reply = self.reply(Verdict::Holds(Evidence::Exhaustive), sought.states);
        reply.vacuous = sought.furthest.as_ref().and_then(|furthest| never_begins(scenario, furthest));
        Ok(reply)
    }

    fn required(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Reply, Trouble> {
        let within = self.asked.within.filter(|_| self.asked.anchor == Anchor::Anywhere);
        let mut sought = self.run(scenario, graph, &Missed { scenario, within })?;
        let mut is_exact = true;
        // A run without an end of the scenario may have one that goes on forever; then all runs are looked at for both.
        let goes_on = match &sought.run {
            Some(run) if scenario.is_endless() => self.trail(scenario, run)?.goes_on(scenario),
            Some(_) | None => false,
        };
        if goes_on {
            let never = Never::new(scenario, within);
            sought = self.run(scenario, graph, &never)?;
            is_exact = never.is_exact();
        }
        if let Some(run) = sought.run {
            // With more room the scenario has more traces, and one of them may be in this run.
            if scenario.is_strained() {
                return Err(Trouble::Narrow);
            }
            let story =
                self.trail(scenario, &run)?.misses(scenario, self.asked.within).map_err(Trouble::Lost)?;
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
        reply.vacuous = idle(scenario);
        Ok(reply)
    }

    /// A message that the scenario cannot do without and that nobody ever sends: it happens in no run, wherever runs break off.
    fn stranger(&self, scenario: &Scenario) -> Option<String> {
        never_comes(self.company, self.about, scenario).filter(|_| !self.is_writing())
    }

    /// A run that matches the scenario, finite or not.
    fn matched(&self, scenario: &Scenario, graph: &mut Graph<'_>) -> Result<Sought<Stance>, Trouble> {
        let origins = self.origins(graph)?;
        let observer = Found { scenario };
        let gain = |before: &Stance, after: &Stance| observer.gain(before, after);
        let mut furthest = None;
        let mut search = |graph: &mut Graph<'_>, limits: &Limits, watch: Watch<'_>| {
            let (finding, far) = find_or_furthest(graph, &origins, &observer, gain, limits, watch);
            furthest = far;
            finding
        };
        let table = || self.table(scenario);
        let posed = self.posed(scenario, Wanted::Observed(&table));
        let finding = self.decided(graph, &mut search, &posed);
        if self.is_writing() && scenario.is_endless() {
            self.forever(scenario, &origins, graph);
        }
        let mut sought = Sought { furthest, ..self.sought(finding)? };
        if sought.run.is_none() && sought.furthest.is_none() {
            sought.furthest = match self.asks_outside() {
                true => self.looked(scenario, &origins, graph)?,
                // Solvers do not see how far a run gets amid a step.
                false if self.shows_several() => self.looked(scenario, &origins, graph).ok().flatten(),
                false => None,
            };
        }
        if sought.run.is_none() && sought.furthest.is_none() && !self.asks_outside() {
            sought.furthest = self.furthest(scenario)?;
        }
        if sought.run.is_none() && scenario.is_endless() {
            let forever: Sought<()> = self.sought(self.forever(scenario, &origins, graph))?;
            sought.states += forever.states;
            sought.run = forever.run;
        }
        if sought.run.is_some() && scenario.is_doubtful() {
            return Err(Trouble::Narrow);
        }
        Ok(sought)
    }

    /// A run that matches the scenario and goes on forever; where attempts begin within some steps only a search of the states
    /// can tell.
    fn forever(&self, scenario: &Scenario, origins: &Origins, graph: &mut Graph<'_>) -> Finding {
        let forever = Forever { scenario };
        let mut search = |graph: &mut Graph<'_>, limits: &Limits, watch: Watch<'_>| {
            find_from(graph, origins, &forever, limits, watch)
        };
        let table = || match self.is_bounded() {
            true => Err(Unwritten("what may go on forever begins within some steps".to_owned())),
            false => written(&self.company.objects.system, &forever),
        };
        let part = "it goes on forever".to_owned();
        let posed = Posed { part, ..self.posed(scenario, Wanted::Observed(&table)) };
        self.decided(graph, &mut search, &posed)
    }

    fn run<O: Observer>(
        &self,
        scenario: &Scenario,
        graph: &mut Graph<'_>,
        observer: &O,
    ) -> Result<Sought<()>, Trouble> {
        let origins = Origins::first(graph);
        let mut search = |graph: &mut Graph<'_>, limits: &Limits, watch: Watch<'_>| {
            find_from(graph, &origins, observer, limits, watch)
        };
        let table = || written(&self.company.objects.system, observer);
        let is_narrow = scenario.is_strained();
        let posed = Posed { is_narrow, ..Posed::new(&self.company.objects.system, Wanted::Observed(&table)) };
        let finding = self.decided(graph, &mut search, &posed);
        self.sought(finding)
    }

    /// A question about the scenario. One that must begin soon is looked for among transactions under rendezvous.
    fn posed<'q>(&'q self, scenario: &Scenario, wanted: Wanted<'q>) -> Posed<'q> {
        let begins = self.asked.within.filter(|_| self.is_bounded());
        let pace = begins.map_or(Pace::Single, |_| pace(self.company.objects.communication));
        let is_narrow = scenario.is_strained();
        Posed { pace, begins, is_narrow, ..Posed::new(&self.company.objects.system, wanted) }
    }

    /// The observer of runs that match the scenario, with how far they have come.
    fn table(&self, scenario: &Scenario) -> Result<Table, Unwritten> {
        let system = &self.company.objects.system;
        match self.is_bounded() {
            true => {
                let near = Near { scenario };
                measured(system, &near, |stance| near.depth(stance))
            }
            false => {
                let found = Found { scenario };
                measured(system, &found, |stance| found.depth(stance))
            }
        }
    }

    /// Whether questions are written down, and not answered.
    fn is_writing(&self) -> bool {
        self.means.effort.court.is_some_and(Court::is_writing)
    }

    /// Whether another tool answers.
    fn asks_outside(&self) -> bool {
        self.means.effort.court.is_some_and(|court| court.outside.is_some())
    }

    /// How far runs get where another tool has said that none gets to the end, which is all it says; `None` if there are too many
    /// states to look at.
    fn looked(
        &self,
        scenario: &Scenario,
        origins: &Origins,
        graph: &mut Graph<'_>,
    ) -> Result<Option<Furthest<Stance>>, Trouble> {
        let effort = self.means.effort;
        let observer = Found { scenario };
        let gain = |before: &Stance, after: &Stance| observer.gain(before, after);
        let quick = Effort { looks: Effort::default().looks, ..*effort };
        let limits = quick.limits_of(self.company.objects.system.rules.len());
        let (finding, furthest) = find_or_furthest(graph, origins, &observer, gain, &limits, effort.watch);
        match finding.answer {
            Answer::Exhausted => Ok(furthest),
            Answer::Stopped(_) => Ok(None),
            Answer::Found(_) => {
                let reason = "the tool says that there is no run, but a search of the states has found one";
                Err(Trouble::Lost(reason.to_owned()))
            }
        }
    }

    /// Whether a step may show several events: who offers several labels meets several others.
    fn shows_several(&self) -> bool {
        let mut rules = self.company.objects.system.rules.iter();
        rules.any(|rule| matches!(&rule.join, Join::Offer(labels) if labels.len() > 1))
    }

    /// How far a solver has seen runs get.
    fn furthest(&self, scenario: &Scenario) -> Result<Option<Furthest<Stance>>, Trouble> {
        let Some(deepest) = self.means.effort.court.and_then(Court::furthest) else { return Ok(None) };
        let trail = self.trail(scenario, &deepest.run)?;
        let (memory, depth) = match self.is_bounded() {
            true => {
                let near = Near { scenario };
                let memory = trail.reached(&near, |stance| near.depth(stance), deepest.depth);
                (memory, deepest.depth.saturating_sub(1))
            }
            false => {
                let found = Found { scenario };
                (trail.reached(&found, |stance| found.depth(stance), deepest.depth), deepest.depth)
            }
        };
        Ok(memory.map(|memory| Furthest { run: deepest.run.clone(), memory, depth, next: None }))
    }

    /// Lets the engines look for a run.
    fn decided(
        &self,
        graph: &mut Graph<'_>,
        search: &mut dyn FnMut(&mut Graph<'_>, &Limits, Watch<'_>) -> Finding,
        posed: &Posed<'_>,
    ) -> Finding {
        let effort = self.means.effort;
        let all = effort.limits_of(self.company.objects.system.rules.len());
        let mut finding = Finding { answer: Answer::Exhausted, states: 0, is_strained: false };
        let mut look = |most: Option<usize>, watch: Watch<'_>| {
            let limits = Limits { states: most.unwrap_or(usize::MAX).min(all.states), ..all };
            finding = search(graph, &limits, watch);
            (finding.answer.clone(), finding.is_strained)
        };
        let answer = effort.decide(posed, &mut look);
        let is_strained = finding.is_strained || effort.court.is_some_and(Court::is_strained);
        Finding { answer, is_strained, ..finding }
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
        let Some(count) = self.asked.within.filter(|_| self.is_bounded() && !self.is_writing()) else {
            return Ok(Origins::first(graph));
        };
        let too_many = || Trouble::Lost(format!("more than {MOST} states lie within {count} steps"));
        if self.company.objects.communication != Communication::Rendezvous {
            return Origins::within(graph, count, MOST).ok_or_else(too_many);
        }
        let counts = |component| self.company.is_machine(component);
        let transactions = Transactions::new(&counts, MOST, self.means.effort.watch);
        let near = transactions.within(graph, count).map_err(|stop| Trouble::Lost(stopped(stop, MOST)))?;
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
        let broken = is_strained.then(|| broken(self.company, self.program, self.means.effort)).flatten();
        broken.map_or(Ok(()), |reason| Err(Trouble::Lost(reason)))
    }

    fn reply(&self, verdict: Verdict, states: usize) -> Reply {
        Reply { verdict, vacuous: None, engine: ENGINE, states, details: Details::default() }
    }

    fn trail<'r>(&'r self, scenario: &Scenario, run: &'r Run) -> Result<Trail<'r>, Trouble> {
        Trail::new(self.company, self.about, scenario, run).map_err(Trouble::Lost)
    }
}

/// Why not all runs are known: the fault in which some run breaks off. A solver that cannot tell says that one may; where the states show
/// that none does this is `None`.
pub fn broken(company: &Company<'_>, program: &Program<'_>, effort: &Effort<'_>) -> Option<String> {
    let objects = &company.objects;
    let limits = effort.limits_of(objects.system.rules.len());
    let options = Options { reduction: Reduction::None, limits, threads: effort.threads };
    let search = Search::run(program, Quest::Goal(objects.system.strained), &options, effort.watch);
    let last = match &search.answer {
        Answer::Found(run) => replay(&objects.system, run).ok().and_then(|configs| configs.last().cloned()),
        Answer::Exhausted => return None,
        Answer::Stopped(_) => {
            let open = "whether a run breaks off before, because a queue is full or a value leaves its range, is not known";
            return Some(format!("{open}; --time, or a smaller `[system] capacity`, may help"));
        }
    };
    let fault = last.as_ref().and_then(|last| objects.fault_in(last));
    Some(match fault {
        Some(fault) => format!("some run breaks off: {}{}", fault.text, remedy(fault.kind)),
        None => "some run breaks off".to_owned(),
    })
}

/// What to do about a fault that keeps questions open.
fn remedy(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Full(_) => {
            "; let its senders wait for an answer, give those outside a machine, or set `[system] capacity`"
        }
        FaultKind::Range(..) => "; guard the assignment, or give the attribute a wider range",
        FaultKind::Division | FaultKind::Nobody | FaultKind::NoWay | FaultKind::Contract => "",
    }
}
