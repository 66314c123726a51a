//! The court: which engines answer questions, and what is kept of how they did.
//!
//! Whoever asks gets a run or none, as from a search. Who answered, and on what ground, is written down beside it, and put
//! into the answer once the question is decided.

mod proof;
mod reasons;
mod scribe;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use sequent_engine::contest::{self, Decision, Engine, Ground, Rules, Searched};
use sequent_engine::sat::depth::Deepest;
use sequent_engine::sat::encoding::Unwritten;
use sequent_engine::sat::question::Question;
use sequent_engine::sat::solver;
use sequent_engine::sat::unbounded::Argument;
use sequent_engine::search::{Answer, Progress, Stop, Watch};
use sequent_kernel::source::{Place, Span};
use sequent_kernel::system::{ComponentId, VariableId};
use sequent_kernel::verdict::{Evidence, Proof, Story, Verdict};

use crate::behaviour::Effort;
use crate::certificate::formula;
use crate::outside::{self, Tool};
use crate::posed::{Copied, Posed};
pub use reasons::Ruling;
pub use scribe::Scribe;

/// Which engines are asked, and the record of the question that is being decided.
#[derive(Default)]
pub struct Court {
    /// Who is asked.
    pub engine: Engine,
    /// How long runs may be, where somebody says.
    pub within: Option<usize>,
    /// How many questions are still to be decided, where none may take the time of the others.
    open: Cell<usize>,
    /// An outside tool that answers instead of all engines, where somebody asks for it.
    pub outside: Option<Box<dyn Tool>>,
    /// Who writes questions down instead of answering them.
    scribe: Option<Scribe>,
    /// What is wanted besides answers.
    wishes: Wishes,
    legend: RefCell<Legend>,
    record: RefCell<Record>,
    contradictions: RefCell<Vec<String>>,
}

/// What a system is to people.
#[derive(Clone, Default)]
pub struct Legend {
    /// Names for values of variables.
    pub values: BTreeMap<VariableId, BTreeMap<i32, String>>,
    /// The variables in which messages wait for an object, in their order.
    pub queues: Vec<Vec<VariableId>>,
    /// Variables that stand for something drawn.
    pub drawn: BTreeSet<VariableId>,
    /// The places of transitions.
    pub places: BTreeSet<Span>,
    /// Objects with machines.
    pub machines: BTreeSet<ComponentId>,
}

impl Legend {
    /// Whether somebody has drawn a condition of a rule that comes from a place, about a variable.
    pub fn is_drawn(&self, place: Place, variable: Option<VariableId>) -> bool {
        self.places.contains(&place.0) && variable.is_none_or(|variable| self.drawn.contains(&variable))
    }
}

/// What is wanted besides answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// What rules something out that cannot be.
    pub reasons: bool,
    /// Bounded questions that have no model, as formulas.
    pub formulas: bool,
}

/// How a question was decided.
#[derive(Clone, Default)]
pub struct Record {
    /// Who answered, if it was no search of the states.
    pub engine: Option<Engine>,
    /// The outside tool that answered.
    outside: Option<&'static str>,
    /// Why there is no run, if that was not found by looking at all states.
    ground: Option<(Ground, Option<Proof>)>,
    /// Whether some run breaks off, as far as a solver knows.
    pub is_strained: bool,
    /// How far a run gets, as far as a solver knows.
    furthest: Option<Deepest>,
    /// What rules it out.
    pub ruling: Option<Ruling>,
    /// The question as a formula without a model.
    pub formula: Option<String>,
    /// Why there is no answer.
    pub trouble: Option<String>,
}

impl Court {
    /// A court of some engines.
    pub fn new(engine: Engine, within: Option<usize>) -> Self {
        Court { engine, within, ..Court::default() }
    }

    /// The same, where so many questions share the time.
    pub fn shared(self, questions: usize) -> Self {
        Court { open: Cell::new(questions), ..self }
    }

    /// The same, where more than answers are wanted.
    pub fn wishing(self, wishes: Wishes) -> Self {
        Court { wishes, ..self }
    }

    /// A court that answers nothing, and keeps what it is asked. Loops keep so many iterations apart.
    pub fn writing(window: usize) -> Self {
        Court { scribe: Some(Scribe::new(window)), ..Court::default() }
    }

    /// How many iterations loops keep apart where nobody knows better yet.
    pub fn window(&self) -> usize {
        self.scribe.as_ref().map_or(1, |scribe| scribe.window)
    }

    /// Whether it answers nothing.
    pub fn is_writing(&self) -> bool {
        self.scribe.is_some()
    }

    /// The questions that were written down instead of being answered, and why others could not be.
    pub fn written(self) -> Vec<Result<Copied, Unwritten>> {
        self.scribe.map(Scribe::finish).unwrap_or_default()
    }

    /// Names for the values of the system that is asked about from now on.
    pub fn name(&self, legend: Legend) {
        *self.legend.borrow_mut() = legend;
    }

    /// What was written down about a question that is decided now; nothing is left.
    pub fn take(&self) -> Record {
        self.open.set(self.open.get().saturating_sub(1).max(1));
        self.record.take()
    }

    /// Whether some run breaks off, as far as a solver knows.
    pub fn is_strained(&self) -> bool {
        self.record.borrow().is_strained
    }

    /// Whether no shorter run leads to a goal than the one that was found: searches look at near states first, as do solvers that
    /// take one step more at a time.
    pub fn is_shortest(&self) -> bool {
        let record = self.record.borrow();
        let is_near = match record.engine {
            None | Some(Engine::Explicit | Engine::Bounded | Engine::Induction) => true,
            Some(Engine::Auto | Engine::All | Engine::Ic3) => false,
        };
        is_near && record.outside.is_none()
    }

    /// How far runs get where a solver has found none that gets to the end; nothing is left.
    pub fn furthest(&self) -> Option<Deepest> {
        self.record.borrow_mut().furthest.take()
    }

    /// Answers of engines that contradict each other, in words. There should be none.
    pub fn contradictions(&self) -> Vec<String> {
        self.contradictions.borrow().clone()
    }

    fn note_outside(&self, name: &'static str, opinion: &outside::Opinion) {
        let mut record = self.record.borrow_mut();
        record.outside = Some(name);
        record.is_strained |= opinion.is_strained;
        record.trouble = record.trouble.take().or_else(|| opinion.trouble.clone());
    }

    fn note(&self, decision: &Decision, proof: Option<Proof>) {
        let mut record = self.record.borrow_mut();
        record.is_strained |= decision.is_strained && decision.engine != Engine::Explicit;
        if decision.engine != Engine::Explicit {
            record.engine = Some(decision.engine);
        }
        if let Some(ground) = &decision.ground {
            record.ground = Some((ground.clone(), proof));
        }
        let stop = match &decision.answer {
            Answer::Stopped(stop) => Some(*stop),
            Answer::Found(_) | Answer::Exhausted => None,
        };
        let unwritten = stop.and(decision.unwritten.as_ref());
        let unwritten = unwritten.map(|reason| format!("no solver can be asked: {reason}"));
        let gave_up = stop.zip(decision.looked).map(|(stop, looked)| {
            let reason = match stop {
                Stop::Watch => "time is over",
                Stop::States | Stop::Memory | Stop::Depth => "a solver gave up",
            };
            match looked {
                0 => reason.to_owned(),
                looked => format!("{reason}; nothing up to {}", steps(looked - 1)),
            }
        });
        let contradiction = decision.contradiction.as_ref().map(|words| {
            format!("the engines contradict each other, which is a fault of this program: {words}")
        });
        self.contradictions.borrow_mut().extend(contradiction.clone());
        if let Some(trouble) = contradiction.or(unwritten).or(gave_up) {
            record.trouble = Some(trouble);
        }
    }
}

impl Effort<'_> {
    /// Decides a question; all questions come here. `search` looks at states, at most so many if a number is given.
    pub fn decide(
        &self,
        posed: &Posed<'_>,
        search: &mut dyn FnMut(Option<usize>, Watch<'_>) -> Searched,
    ) -> Answer {
        let Some(court) = self.court else { return search(None, self.watch).0 };
        if let Some(scribe) = &court.scribe {
            scribe.write(posed, &court.legend.borrow());
            return Answer::Stopped(Stop::Watch);
        }
        // Who finds nothing takes all the time there is; others want to be asked as well.
        let open = court.open.get();
        let is_equal = court.engine.shares_time() && court.outside.is_none();
        let end = self.share(if is_equal { open } else { open.min(2) });
        if let Some(tool) = &court.outside {
            let time = end.zip(self.clock).map(|(end, clock)| end.saturating_sub(clock()));
            let time = time.map_or(LONGEST, Duration::from_millis);
            let opinion = outside::ask(tool.as_ref(), posed, court.within.is_some(), Some(time));
            court.note_outside(tool.name(), &opinion);
            return opinion.answer;
        }
        let mut written = None;
        let mut asked = || {
            let question = posed.question()?;
            written = Some(question.clone());
            Ok(question)
        };
        let decision = self.until(end, |effort| {
            let rules = Rules {
                engine: court.engine,
                within: court.within,
                is_patient: effort.looks == usize::MAX,
                watch: effort.watch,
            };
            contest::decide(posed.system, &rules, search, &mut asked)
        });
        if written.is_none() && court.wishes.reasons && decision.answer == Answer::Exhausted {
            written = posed.question().ok();
        }
        let (proof, is_lost) = match (&decision.ground, &written) {
            (Some(Ground::Argument(argument)), Some(question)) => {
                let proof = self.proof(court, question, argument);
                (proof.clone(), proof.is_none())
            }
            (Some(Ground::Argument(_) | Ground::Bounded(_) | Ground::Enough(_)) | None, _) => (None, false),
        };
        court.note(&decision, proof);
        if is_lost {
            let trouble = "there was no time to check the invariant that was found".to_owned();
            court.record.borrow_mut().trouble = Some(trouble);
        }
        if let Some(question) = written.filter(|_| decision.answer == Answer::Exhausted) {
            self.add(court, &question, &decision);
        }
        match decision.contradiction {
            Some(_) => Answer::Stopped(Stop::Watch),
            None => decision.answer,
        }
    }
}

/// Without a limit of time no other tool may take longer for one question.
const LONGEST: Duration = Duration::from_secs(60);

/// Slices of work for how far runs get, which is worth some seconds.
const SLICES: usize = 400;

impl Effort<'_> {
    /// Breaks off after some work.
    fn patience(&self, most: usize) -> impl Fn(solver::Effort) -> ControlFlow<()> + '_ {
        move |done: solver::Effort| match done.slices > most {
            true => ControlFlow::Break(()),
            false => (self.watch)(&Progress::default()),
        }
    }

    fn proof(&self, court: &Court, question: &Question<'_>, argument: &Argument) -> Option<Proof> {
        let legend = court.legend.borrow();
        let names = |id: VariableId, value: i32| legend.values.get(&id)?.get(&value).cloned();
        let patience = self.patience(usize::MAX);
        proof::proof(&question.encoding, question.wanted, argument, &names, &patience)
    }

    /// Writes down what else there is to say about something that was not found.
    fn add(&self, court: &Court, question: &Question<'_>, decision: &Decision) {
        let (ground, patience) = (decision.ground.as_ref(), self.patience(SLICES));
        let has_depths = question.depths.iter().any(|depth| *depth > 0);
        let furthest = ground
            .filter(|_| has_depths)
            .and_then(|ground| contest::furthest(question, ground, decision.engine, &patience));
        let legend = court.legend.borrow();
        let ruling = court.wishes.reasons.then(|| {
            let depth = furthest.as_ref().map(|furthest| furthest.depth);
            reasons::ruling(question, ground, depth, &legend, &patience)
        });
        let most = match ground.filter(|_| court.wishes.formulas) {
            Some(Ground::Bounded(most) | Ground::Enough(most)) => Some(*most),
            Some(Ground::Argument(Argument::Exhausted(most))) => Some(*most),
            Some(Ground::Argument(Argument::Invariant(_) | Argument::Induction(_))) | None => None,
        };
        let names = |id: VariableId, value: i32| legend.values.get(&id)?.get(&value).cloned();
        let formula = most.and_then(|most| formula("", question, most, &names));
        let mut record = court.record.borrow_mut();
        record.furthest = furthest;
        record.ruling = ruling.flatten();
        record.formula = formula;
    }
}

impl Record {
    /// Adds what was written down about another part of the same question.
    pub fn join(&mut self, other: Record) {
        self.is_strained |= other.is_strained;
        self.engine = other.engine.or(self.engine);
        self.outside = other.outside.or(self.outside);
        self.trouble = self.trouble.take().or(other.trouble);
        self.ruling = other.ruling.or(self.ruling.take());
        self.formula = other.formula.or(self.formula.take());
        // Something that holds only as far as somebody looked is not proved by what was proved elsewhere.
        let is_bounded = matches!(self.ground, Some((Ground::Bounded(_) | Ground::Enough(_), _)));
        if !is_bounded && other.ground.is_some() {
            self.ground = other.ground;
        }
    }

    /// The name of the engine that answered.
    pub fn engine(&self) -> &'static str {
        self.outside.unwrap_or(self.engine.unwrap_or(Engine::Explicit).name())
    }

    /// A verdict with the ground it stands on.
    pub fn settle(self, verdict: Verdict) -> Verdict {
        if let Some(trouble) = self.trouble {
            return Verdict::Unknown(trouble);
        }
        let Some((ground, proof)) = self.ground else { return verdict };
        let proved = |attempt: Option<Box<Story>>| {
            Evidence::Inductive(Box::new(Proof { attempt, ..proof.unwrap_or_default() }))
        };
        match (verdict, ground) {
            (verdict @ (Verdict::Unknown(_) | Verdict::Holds(Evidence::Run(_))), _) => verdict,
            // Where runs break off, what an engine has proved of the others is not why.
            (verdict @ Verdict::Fails(Evidence::Run(_) | Evidence::Inductive(_)), _) => verdict,
            (Verdict::Holds(_), Ground::Argument(_)) => Verdict::Holds(proved(None)),
            (Verdict::Fails(evidence), Ground::Argument(_)) => Verdict::Fails(proved(attempt(evidence))),
            (Verdict::Holds(_), Ground::Enough(_)) => Verdict::Holds(Evidence::Bounded(None)),
            (Verdict::Fails(evidence), Ground::Enough(_)) => {
                Verdict::Fails(Evidence::Bounded(attempt(evidence)))
            }
            (Verdict::Holds(evidence) | Verdict::Fails(evidence), Ground::Bounded(most)) => {
                let attempt = attempt(evidence);
                let how_far = attempt.iter().flat_map(|story| story.because.first());
                let how_far: String = how_far.map(|line| format!("; within them {line}")).collect();
                Verdict::Unknown(format!("nothing up to {}{how_far}", steps(most)))
            }
        }
    }
}

fn steps(count: usize) -> String {
    format!("{count} {}", if count == 1 { "step" } else { "steps" })
}

/// How far something got.
fn attempt(evidence: Evidence) -> Option<Box<Story>> {
    match evidence {
        Evidence::Attempt(story) => Some(story),
        Evidence::Run(_) | Evidence::Exhaustive | Evidence::Inductive(_) | Evidence::Bounded(_) => None,
    }
}
