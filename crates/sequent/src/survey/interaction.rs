//! Behaviour of an interaction: deadlocks and dead operands, found by a search.
//!
//! An interaction is lowered to a System and searched, reduced to what matters for deadlocks. A run to a
//! deadlock is replayed, drawn, and explained by which lifelines wait for which; operands that no complete
//! run goes through are named. The window of unbounded loops grows as long as the answer could depend on it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_engine::packed::Program;
use sequent_engine::search::{Reduction, Search, SearchAnswer, SearchGoal, SearchOptions};
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Block, Bound, End, Fragment, Guard, Interaction, InteractionId, MessageSort, Model, Operand, Operator,
};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::{Switches, may_circle};
use sequent_kernel::source::Span;
use sequent_kernel::system::{ComponentId, Config, ReasonKind, RuleId, System};
use sequent_kernel::verdict::{Evidence, Reason, Story, Verdict};
use sequent_kernel::waiting::{self, Wait, Waits};
use sequent_report::run::RunDrawingOptions;

use crate::effort::Effort;
use crate::pose::{About, Scene, WIDEST, lowered};
use crate::tell::tell;

/// What was found out about an interaction.
pub struct InteractionInspection {
    /// Findings, some with a run.
    pub findings: Vec<(Diagnostic, Option<Story>)>,
    /// Whether it never gets stuck.
    pub verdict: Verdict,
    /// How many configurations were visited for that.
    pub states: Option<usize>,
    /// How long it took.
    pub millis: Option<u64>,
}

/// How the runs of an interaction end.
enum RunEnding {
    /// Some get stuck.
    Stuck(Box<Deadlock>),
    /// All come to a proper end, or go on.
    Proper(Box<Proper>),
    /// Not decided, and why.
    Unknown(Reason),
}

/// A run that gets stuck.
struct Deadlock {
    system: Rc<System>,
    run: Run,
    last: Config,
    /// How many configurations were visited.
    states: usize,
}

/// What is known where nothing gets stuck.
struct Proper {
    system: Rc<System>,
    /// Rules that fire in some complete run.
    firing: IdVec<RuleId, bool>,
    /// How many configurations were visited.
    states: usize,
}

/// Everything that a search finds out about an interaction.
pub fn inspect(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    effort: &Effort,
) -> InteractionInspection {
    let (inspection, millis) = effort.timed(|| inspected(model, id, switches, effort));
    InteractionInspection { millis, ..inspection }
}

fn inspected(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    effort: &Effort,
) -> InteractionInspection {
    match ending(model, id, switches, effort, WIDEST) {
        RunEnding::Stuck(deadlock) => {
            let run = Evidence::Run(Box::new(deadlock.story(model, id)));
            let findings = vec![deadlock.finding(Code::Stuck, model, id)];
            InteractionInspection {
                findings,
                verdict: Verdict::Fails(run),
                states: Some(deadlock.states),
                millis: None,
            }
        }
        RunEnding::Proper(proper) => {
            // Where a loop must not end no run does, and none tells what can run.
            let idle = proper.idle_operands(model, id).filter(|_| !must_go_on(&model.interactions[id]));
            let idle = idle.map(|finding| (finding, None));
            let findings = idle.chain(calls_in_circle(model, id, switches, effort)).collect();
            let verdict = Verdict::Holds(Evidence::Exhaustive);
            InteractionInspection { findings, verdict, states: Some(proper.states), millis: None }
        }
        RunEnding::Unknown(reason) => InteractionInspection {
            findings: Vec::new(),
            verdict: Verdict::Unknown(reason),
            states: None,
            millis: None,
        },
    }
}

/// How the runs of an interaction end; loops keep at most `widest` iterations apart.
fn ending(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    effort: &Effort,
    widest: usize,
) -> RunEnding {
    let mut window = 1;
    loop {
        let system = match lowered(model, id, switches, window) {
            Ok((system, _)) => system,
            Err(reason) => return RunEnding::Unknown(reason),
        };
        // The drawn order is acyclic, and without contradictions every choice can be made: nothing to search
        // for.
        if system.reasons.is_empty() && system.is_never(system.void) && !switches.guarded_first {
            let firing = system.rules.iter().map(|_| true).collect();
            return RunEnding::Proper(Box::new(Proper { system, firing, states: 0 }));
        }
        let program = Program::new(&system);
        let limits = effort.limits_of(system.rules.len());
        let options = SearchOptions { reduction: Reduction::Deadlocks, limits, threads: effort.threads };
        let search = Search::run(&program, SearchGoal::Stuck, &options, effort.watch);
        let states = search.progress.states;
        match search.answer.clone() {
            SearchAnswer::Found(run) => {
                drop(search);
                let is_doubtful =
                    replay(&system, &run).is_ok_and(|configs| is_doubtful(&system, &run, &configs));
                match (is_doubtful, window >= widest) {
                    (false, _) => return stuck(system, run, states),
                    (true, true) => return RunEnding::Unknown(Reason::TooWide(window)),
                    (true, false) => {
                        window *= 2;
                        continue;
                    }
                }
            }
            SearchAnswer::Stopped(stop) => return RunEnding::Unknown(Reason::Stopped(stop, states)),
            SearchAnswer::Exhausted => {}
        }
        let firing = search.firing();
        let is_strained = search.is_strained;
        // The copies of a loop's body that no run needs are idle too; what matters is asked again with a wider window.
        let is_idle = firing.iter().any(|fires| !fires);
        drop(search);
        // Only these reasons can make a cycle of waiting lifelines: the drawn order is acyclic.
        let may_depend = !system.reasons.is_empty() || is_idle;
        if !is_strained || !may_depend {
            return RunEnding::Proper(Box::new(Proper { system, firing, states }));
        }
        if window >= widest {
            return match system.reasons.is_empty() {
                true => RunEnding::Proper(Box::new(Proper { system, firing, states })),
                false => RunEnding::Unknown(Reason::TooWide(window)),
            };
        }
        window *= 2;
    }
}

/// Whether a run may be none of the diagram. Where a loop's window is full, the iterations beyond it block no
/// lifeline and order nothing; without regions, orderings and waiting callers they could only have added
/// runs. But in a cycle where the window is full, an iteration may be postponed forever that would have had
/// to come.
pub fn is_doubtful(system: &System, run: &Run, configs: &[Config]) -> bool {
    let from = match (system.reasons.is_empty(), run.cycle) {
        (false, _) => 0,
        (true, Some(start)) => start,
        (true, None) => return false,
    };
    configs.iter().skip(from).any(|config| system.holds(system.strained, config))
}

fn stuck(system: Rc<System>, run: Run, states: usize) -> RunEnding {
    match replay(&system, &run).map(|configs| configs.into_iter().next_back()) {
        Ok(Some(last)) => RunEnding::Stuck(Box::new(Deadlock { system, run, last, states })),
        Ok(None) | Err(_) => RunEnding::Unknown(Reason::NotReplayed),
    }
}

/// The story of a run to a deadlock.
pub(crate) fn stuck_story(scene: &Scene<'_>, run: &Run, configs: &[Config]) -> Option<Story> {
    let About::Interaction(model, id, _) = scene.about else { return None };
    let (system, run, last) = (Rc::clone(&scene.case.system), run.clone(), configs.last()?.clone());
    Some(Deadlock { system, run, last, states: 0 }.story(model, id))
}

impl Deadlock {
    /// The run with what the lifelines wait for at its end.
    fn story(&self, model: &Model, id: InteractionId) -> Story {
        let waits = waiting::explain(&self.system, &self.last);
        let notes = waits.lifelines.iter().filter_map(|(component, waits)| {
            let wait = waits.first()?;
            Some((*component, wait.text(&self.system)))
        });
        let wishes = RunDrawingOptions {
            notes: notes.collect(),
            marked: self.last_deeds(&waits),
            ..RunDrawingOptions::default()
        };
        tell(model, id, &self.system, &self.run, &wishes)
    }

    /// The steps after which the lifelines of the cycle, or all that wait, did nothing more.
    fn last_deeds(&self, waits: &Waits) -> BTreeSet<usize> {
        let waiting: BTreeSet<ComponentId> = match &waits.circle {
            Some(circle) => circle.iter().map(|wait| wait.component).collect(),
            None => waits.lifelines.keys().copied().collect(),
        };
        let mut last: BTreeMap<ComponentId, usize> = BTreeMap::new();
        for (number, step) in self.run.steps.iter().enumerate() {
            let actor = self.system.actor(step);
            if waiting.contains(&actor) && self.system.events(step).next().is_some() {
                last.insert(actor, number);
            }
        }
        last.into_values().collect()
    }

    /// Whether different lifelines wait for each other, each for the reply to a call of its own.
    fn is_mutual(&self) -> bool {
        let pending = |wait: &&Wait| {
            let mut reasons = self.system.reasons.iter();
            reasons.any(|reason| {
                reason.component() == Some(wait.component) && !self.system.holds(reason.condition, &self.last)
            })
        };
        let waits = waiting::explain(&self.system, &self.last);
        waits.circle.is_some_and(|circle| circle.iter().filter(pending).count() > 1)
    }

    /// A finding that explains which lifelines wait for which.
    fn finding(&self, code: Code, model: &Model, id: InteractionId) -> (Diagnostic, Option<Story>) {
        let waits = waiting::explain(&self.system, &self.last);
        let all: Vec<Wait> = match &waits.circle {
            Some(circle) => circle.clone(),
            None => waits.lifelines.values().flatten().cloned().collect(),
        };
        let told: Vec<String> = match waits.circle_text(&self.system) {
            Some(circle) => vec![circle],
            None => all.iter().map(|wait| wait.text(&self.system)).collect(),
        };
        let occurrences = self.run.events(&self.system).count();
        let after = match occurrences {
            0 => "at once".to_owned(),
            1 => "after one occurrence".to_owned(),
            many => format!("after {many} occurrences"),
        };
        let message = match code {
            Code::CallsInCircle => format!("if calls block, this gets stuck {after}: {}", told.join(", ")),
            _ => format!("this gets stuck {after}: {}", told.join(", ")),
        };
        let place = |wait: &Wait| self.system.rules[wait.rule].place.0;
        let span = all.first().map_or(model.interactions[id].place.0, place);
        let mut diagnostic = Diagnostic::new(code, span, message);
        for wait in &all {
            diagnostic = diagnostic.label(place(wait), wait.text(&self.system));
        }
        (diagnostic.hint(self.hint(code, &all)), Some(self.story(model, id)))
    }

    fn hint(&self, code: Code, waits: &[Wait]) -> &'static str {
        let mut reasons =
            waits.iter().flat_map(|wait| &wait.because).map(|index| &self.system.reasons[*index]);
        let is_region = reasons.any(|reason| matches!(reason.kind, ReasonKind::Region { .. }));
        match code {
            Code::CallsInCircle => {
                "draw a call asynchronous (open arrow head) if nobody waits for its reply, or reply before calling back"
            }
            _ if waits.len() == 1 => {
                "let what it waits for come first, or draw its call asynchronous (open arrow head)"
            }
            _ if is_region => "let one of the regions end before the other begins, or cover fewer lifelines",
            _ => "let one of them go on without waiting, or change the order in which they wait",
        }
    }
}

impl Proper {
    /// Operands that no complete run goes through; of nested ones the outermost.
    fn idle_operands(&self, model: &Model, id: InteractionId) -> impl Iterator<Item = Diagnostic> {
        let mut runs: BTreeMap<Span, bool> = BTreeMap::new();
        for (rule, fires) in self.system.rules.iter().zip(self.firing.iter()).filter(|(rule, _)| rule.urgent)
        {
            *runs.entry(rule.place.0).or_default() |= fires;
        }
        let mut idle = Vec::new();
        idle_in(&model.interactions[id].body, &runs, &mut idle);
        idle.into_iter().map(|(operator, operand)| {
            let message = format!("this operand of the `{}` can never run", operator.word());
            let span = match &operand.guard {
                Guard::Condition(condition) => condition.place.0,
                Guard::Absent | Guard::Else => operand.place.0,
            };
            Diagnostic::new(Code::IdleOperand, span, message)
                .hint("one text has one value throughout a run, and the texts of an alternative exclude each other: if another condition is meant, give it words of its own")
        })
    }
}

/// Whether some loop of an interaction must not end.
fn must_go_on(interaction: &Interaction) -> bool {
    let mut found = false;
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment {
            found |= matches!(combined.operator, Operator::Loop(bounds) if bounds.min.is_none());
        }
    });
    found
}

/// Operands that nothing enters, though something decides about them. The words of a `break` are mostly a caption, which several
/// of them share.
fn idle_in<'m>(block: &'m Block, runs: &BTreeMap<Span, bool>, idle: &mut Vec<(&'m Operator, &'m Operand)>) {
    for fragment in &block.0 {
        let Fragment::Combined(combined) = fragment else { continue };
        for operand in &combined.operands {
            match runs.get(&operand.place.0) {
                Some(false) if happens_in(&operand.block) && combined.operator != Operator::Break => {
                    idle.push((&combined.operator, operand))
                }
                Some(false) => {}
                Some(true) | None => idle_in(&operand.block, runs, idle),
            }
        }
    }
}

/// Whether anything happens in a block that a valid run could go through.
fn happens_in(block: &Block) -> bool {
    block.0.iter().any(|fragment| match fragment {
        Fragment::Message(_) | Fragment::Stop(_) | Fragment::Action(_) | Fragment::Use(_) => true,
        Fragment::Combined(combined) => {
            combined.operator != Operator::Neg
                && combined.operands.iter().any(|operand| happens_in(&operand.block))
        }
        Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => false,
    })
}

/// Whether a lifeline that waits for a reply is drawn to be busy with a call to it: a callback, which runs while its caller waits.
fn draws_callbacks(interaction: &Interaction) -> bool {
    let mut waiting: BTreeMap<(End, End), usize> = BTreeMap::new();
    let (mut last, mut found) = (None, false);
    interaction.walk(&mut |fragment, _| match fragment {
        Fragment::Message(id) => {
            let message = &interaction.messages[*id];
            let is_busy = waiting.iter().any(|((from, _), open)| *from == message.to && *open > 0);
            last = (message.sort == MessageSort::Call && is_busy).then_some(message.to);
            match message.sort {
                MessageSort::Call => *waiting.entry((message.from, message.to)).or_default() += 1,
                MessageSort::Reply => {
                    let open = waiting.entry((message.to, message.from)).or_default();
                    *open = open.saturating_sub(1);
                }
                MessageSort::Signal | MessageSort::Create | MessageSort::Delete => {}
            }
        }
        Fragment::Execution(execution) => {
            found |= execution.bound == Bound::Start && last == Some(End::Lifeline(execution.lifeline));
        }
        Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Use(_)
        | Fragment::Combined(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => {}
    });
    found
}

/// Calls that wait for each other in a cycle if callers block (rule I10): a hint, where that is not what was
/// asked for.
fn calls_in_circle(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    effort: &Effort,
) -> Option<(Diagnostic, Option<Story>)> {
    let interaction = &model.interactions[id];
    let has = |sort| interaction.messages.iter().any(|message| message.sort == sort);
    let may_wait = has(MessageSort::Call) && has(MessageSort::Reply) && may_circle(interaction);
    if switches.blocking_calls || !may_wait || draws_callbacks(interaction) {
        return None;
    }
    let blocking = Switches { blocking_calls: true, ..switches.clone() };
    // A hint needs no more than one way to get stuck, and is not worth much time.
    let effort = Effort { looks: effort.looks.min(Effort::default().looks) / 10, ..*effort };
    match ending(model, id, &blocking, &effort, 1) {
        // A caller that acts while it waits for its reply blocks only itself, which is common in diagrams.
        RunEnding::Stuck(deadlock) if deadlock.is_mutual() => {
            Some(deadlock.finding(Code::CallsInCircle, model, id))
        }
        RunEnding::Stuck(_) | RunEnding::Proper(_) | RunEnding::Unknown(_) => None,
    }
}
