//! Refinement: whether one diagram refines another (P1; `sequent refine`, `refines` of a check).
//!
//! Two sequence diagrams are compared by the texts of their events; where a state machine takes part, by what
//! its object sends (`!m`) and receives (`?m`). The window of unbounded loops grows as long as the answer
//! could depend on it: a trace of n events needs no more than n iterations at a time. A run that only the
//! implementation has is replayed before it is reported.

pub mod export;
mod party;

use std::collections::BTreeSet;

use sequent_engine::packed::Program;
use sequent_engine::refine::{
    self, Counterexample, Excess, Party, Refinement, RefinementAnswer as Compared, RestOffer,
};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::model::{Aspect, Model, Refines, Subject};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::Switches;
use sequent_kernel::system::{Event, System};
use sequent_kernel::verdict::{Answer, Evidence, QuestionKind, Reason, Story, Verdict};
use sequent_report::run::RunDrawingOptions;

use crate::ask::{name, refinement_words};
use crate::effort::Effort;
use crate::survey::interaction::is_doubtful;
pub use party::Parties;

/// Loops keep no more iterations than this apart.
const WIDEST: usize = 16;

/// A diagram that is compared.
#[derive(Clone, Copy)]
pub struct ComparedDiagram<'m> {
    /// Where it was read.
    pub model: &'m Model,
    /// The diagram.
    pub subject: Subject,
}

impl ComparedDiagram<'_> {
    /// Its name.
    pub fn name(&self) -> &str {
        name(self.model, self.subject)
    }
}

/// Whether the second diagram does only what the first does.
pub fn answer(
    sides: [ComparedDiagram<'_>; 2],
    refines: &Refines,
    switches: &Switches,
    effort: &Effort<'_>,
) -> Answer {
    let ((verdict, states), millis) = effort.timed(|| match effort.engine.looks_at_states() {
        true => decided(sides, refines, switches, effort),
        false => (Verdict::Unknown(Reason::Engine(effort.engine.name(), QuestionKind::Refinement)), 0),
    });
    let target = Some(sides[1].name().to_owned());
    let answer = Answer::new(refinement_words(refines), "refines", target, verdict);
    Answer { engine: Some(effort.default_engine()), states: Some(states), millis, ..answer }
}

fn decided(
    sides: [ComparedDiagram<'_>; 2],
    refines: &Refines,
    switches: &Switches,
    effort: &Effort<'_>,
) -> (Verdict, usize) {
    let (systems, refinement) = match settled(sides, refines, switches, effort) {
        Ok(settled) => settled,
        Err((reason, states)) => return (Verdict::Unknown(reason), states),
    };
    let states = refinement.states;
    let verdict = match refinement.answer {
        Compared::Holds => Verdict::Holds(Evidence::Exhaustive),
        Compared::Stopped(stop) => Verdict::Unknown(Reason::Stopped(stop, states)),
        Compared::Fails(found) => fails(sides[1], &systems, &found),
    };
    (verdict, states)
}

/// The compared systems, with a window of loops as large as the answer needs, and the result; or why it is
/// undecided, and the number of visited states.
fn settled(
    sides: [ComparedDiagram<'_>; 2],
    question: &Refines,
    switches: &Switches,
    effort: &Effort<'_>,
) -> Result<(Parties, Refinement), (Reason, usize)> {
    let mut window = 1;
    loop {
        let systems = Parties::lower(sides, switches, window).map_err(|reason| (reason, 0))?;
        if let Some(name) = question.hidden.iter().map(|word| &word.text).find(|name| !systems.know(name)) {
            return Err((Reason::Incomparable(format!("nothing that happens is called `{name}`")), 0));
        }
        if let Some(open) = systems.unknown() {
            return Err((Reason::OpenValue(open.parameter.clone(), open.message.clone()), 0));
        }
        let refinement = compare(&systems, question, effort);
        let states = refinement.states;
        if let Some(fault) = systems.fault(&refinement) {
            return Err((Reason::Incomparable(fault), states));
        }
        if is_exact(&refinement, question.aspect, window, systems.implementation()) {
            return Ok((systems, refinement));
        }
        if window >= WIDEST {
            return Err((Reason::TooWide(window), states));
        }
        window *= 2;
    }
}

fn compare(systems: &Parties, question: &Refines, effort: &Effort<'_>) -> Refinement {
    let systems_of = systems.systems();
    let programs = systems_of.map(Program::new);
    let name = |side: usize, event: &Event| systems.called(side, event, &question.hidden);
    let rules = systems_of.iter().map(|system| system.rules.len()).sum::<usize>();
    let limits = effort.limits_of(rules);
    let aspect = match question.aspect {
        Aspect::Traces => refine::RefinementModel::Traces,
        Aspect::Failures => refine::RefinementModel::Failures,
        Aspect::FailuresDivergences => refine::RefinementModel::FailuresDivergences,
    };
    let has_ends = systems.have_ends();
    let specification = Party { program: &programs[0], name: &|event| name(0, event), has_ends };
    let implementation = Party { program: &programs[1], name: &|event| name(1, event), has_ends };
    refine::check(specification, implementation, aspect, &limits, effort.watch)
}

/// Whether an event is hidden: by its text, its message with or without arguments.
fn is_hidden(event: &Event, hidden: &BTreeSet<&str>) -> bool {
    [&event.text, &event.message, &event.name].into_iter().any(|known| hidden.contains(known.as_str()))
}

impl Parties {
    /// What an event of a side is called, if it is seen at all.
    pub fn called(&self, side: usize, event: &Event, hidden: &[FormulaWord]) -> Option<String> {
        let hidden: BTreeSet<&str> = hidden.iter().map(|word| word.text.as_str()).collect();
        self.name(side, event).filter(|_| !is_hidden(event, &hidden))
    }

    /// Whether something in either of them goes by this name.
    fn know(&self, name: &str) -> bool {
        let hidden = BTreeSet::from([name]);
        self.systems().iter().any(|system| system.events.iter().any(|event| is_hidden(event, &hidden)))
    }
}

/// Whether an answer does not depend on how many iterations loops keep apart.
fn is_exact(refinement: &Refinement, aspect: Aspect, window: usize, implementation: &System) -> bool {
    let Refinement { answer, is_specification_strained, is_implementation_strained, .. } = refinement;
    let is_one = |run: &Run| {
        replay(implementation, run).is_ok_and(|configs| !is_doubtful(implementation, run, &configs))
    };
    match (answer, aspect) {
        (Compared::Stopped(_), _) => true,
        (Compared::Holds, Aspect::Traces) => !is_implementation_strained,
        // What a diagram does not show in n events with n iterations at a time it never shows.
        (Compared::Fails(found), Aspect::Traces) => {
            (!is_specification_strained || found.trace.len() <= window) && is_one(&found.run)
        }
        (Compared::Holds | Compared::Fails(_), Aspect::Failures | Aspect::FailuresDivergences) => {
            !is_specification_strained && !is_implementation_strained
        }
    }
}

fn fails(side: ComparedDiagram<'_>, systems: &Parties, found: &Counterexample) -> Verdict {
    let unknown = Verdict::Unknown(Reason::NotReplayed);
    if replay(systems.implementation(), &found.run).is_err() {
        return unknown;
    }
    let last = found.run.steps.len().checked_sub(1);
    let marked = match found.excess {
        Excess::Trace => last.into_iter().collect(),
        Excess::End | Excess::Refusal { .. } | Excess::Divergence => BTreeSet::new(),
    };
    let wishes = RunDrawingOptions { marked, ..RunDrawingOptions::default() };
    let Some(story) = systems.tell(side, &found.run, &wishes) else { return unknown };
    Verdict::Fails(Evidence::Run(Box::new(Story { because: vec![because(found)], ..story })))
}

/// What the implementation does that the specification does not, in words.
fn because(found: &Counterexample) -> String {
    let after = match found.trace.as_slice() {
        [] => "at once".to_owned(),
        trace => format!("after {}", trace.join(", ")),
    };
    match &found.excess {
        Excess::Trace => match found.trace.split_last() {
            Some((last, [])) => format!("{last} may come at once, which the specification does not allow"),
            Some((last, before)) => {
                format!(
                    "after {}, {last} may come, which the specification does not allow",
                    before.join(", ")
                )
            }
            None => "it has a run, and the specification has none".to_owned(),
        },
        Excess::End => format!("{after} it may be over, which the specification does not allow"),
        Excess::Refusal { refused, .. } if *refused == RestOffer::default() => {
            format!("{after} it may wait, where the specification never comes to rest")
        }
        Excess::Refusal { offered, refused } => {
            let offered: Vec<&str> = offered.events.iter().map(String::as_str).collect();
            let offered = match offered.as_slice() {
                [] => "wait for nothing that could come".to_owned(),
                offered => format!("go on only with {}", offered.join(", ")),
            };
            let refused = listed(refused);
            format!("{after} it may {offered}, where the specification always {refused}")
        }
        Excess::Divergence => {
            format!(
                "{after} it may go on forever with nothing to be seen, which the specification does not allow"
            )
        }
    }
}

/// `goes on with a or is over`
fn listed(offer: &RestOffer) -> String {
    let events = offer.events.iter().map(|event| format!("goes on with {event}"));
    let words: Vec<String> = events.chain(offer.end.then(|| "is over".to_owned())).collect();
    match words.as_slice() {
        [before @ .., word] if !before.is_empty() => format!("{} or {word}", before.join(", ")),
        words => words.concat(),
    }
}
