//! The court: which engines answer questions, and what is kept of how they did.
//!
//! Whoever asks gets a run or none, as from a search. Who answered, and on what ground, is written down beside it, and put
//! into the answer once the question is decided.

use std::cell::RefCell;
use std::ops::ControlFlow;

use sequent_engine::contest::{self, Decision, Engine, Ground, Rules, Searched};
use sequent_engine::sat::certificate::check;
use sequent_engine::sat::depth::Deepest;
use sequent_engine::sat::encoding::Unwritten;
use sequent_engine::sat::question::Question;
use sequent_engine::sat::solver::{self, Literal};
use sequent_engine::sat::unbounded::Argument;
use sequent_engine::search::{Answer, Progress, Watch};
use sequent_kernel::system::System;
use sequent_kernel::verdict::{Evidence, Proof, Story, Verdict};
use sequent_report::export::{invariant_lines, invariant_smt};

use crate::behaviour::Effort;
use crate::certificate::invariant;
use crate::outside::{self, Tool, Wanted};

/// Which engines are asked, and the record of the question that is being decided.
#[derive(Default)]
pub struct Court {
    /// Who is asked.
    pub engine: Engine,
    /// How long runs may be, where somebody says.
    pub within: Option<usize>,
    /// Whether more than one question is asked, so that none may take all the time.
    is_shared: bool,
    /// An outside tool that answers instead of all engines, where somebody asks for it.
    pub outside: Option<Box<dyn Tool>>,
    record: RefCell<Record>,
    contradictions: RefCell<Vec<String>>,
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
    /// Why there is no answer.
    pub trouble: Option<String>,
}

impl Court {
    /// A court of some engines.
    pub fn new(engine: Engine, within: Option<usize>) -> Self {
        Court { engine, within, ..Court::default() }
    }

    /// The same, where more than one question may be asked.
    pub fn shared(self, is_shared: bool) -> Self {
        Court { is_shared, ..self }
    }

    /// What was written down since the last time; nothing is left.
    pub fn take(&self) -> Record {
        self.record.take()
    }

    /// Whether some run breaks off, as far as a solver knows.
    pub fn is_strained(&self) -> bool {
        self.record.borrow().is_strained
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
        let undecided = matches!(decision.answer, Answer::Stopped(_));
        let unwritten = decision.unwritten.as_ref().filter(|_| undecided);
        let unwritten = unwritten.map(|reason| format!("no solver can be asked: {reason}"));
        let gave_up = decision.looked.filter(|_| undecided).map(|looked| match looked {
            0 => "a solver gave up".to_owned(),
            looked => format!("a solver gave up; nothing up to {} steps", looked - 1),
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
    /// Decides a question. `search` looks at states, at most so many if a number is given; `ask` writes it as clauses; for
    /// outside tools it is `wanted`.
    pub fn decide<'s>(
        &self,
        system: &'s System,
        search: &mut dyn FnMut(Option<usize>, Watch<'_>) -> Searched,
        ask: &mut dyn FnMut() -> Result<Question<'s>, Unwritten>,
        wanted: &Wanted<'_>,
    ) -> Answer {
        let Some(court) = self.court else { return search(None, self.watch).0 };
        if let Some(tool) = &court.outside {
            let opinion = outside::ask(tool.as_ref(), system, wanted, court.within.is_some());
            court.note_outside(tool.name(), &opinion);
            return opinion.answer;
        }
        let mut written = None;
        let mut asked = || {
            let question = ask()?;
            written = Some(question.clone());
            Ok(question)
        };
        // A solver that finds nothing takes all the time there is; others want to be asked as well.
        let half = self.halfway().filter(|_| court.is_shared);
        let watch = |progress: &Progress| match (half, self.clock) {
            (Some(half), Some(clock)) if clock() > half => ControlFlow::Break(()),
            (_, _) => (self.watch)(progress),
        };
        let rules = Rules {
            engine: court.engine,
            within: court.within,
            is_patient: self.looks == usize::MAX,
            watch: &watch,
        };
        let decision = contest::decide(system, &rules, search, &mut asked);
        let proof = match (&decision.ground, &written) {
            (Some(Ground::Argument(argument)), Some(question)) => {
                Some(proof(&question.encoding, question.wanted, argument))
            }
            (Some(Ground::Argument(_) | Ground::Bounded(_) | Ground::Enough(_)) | None, _) => None,
        };
        court.note(&decision, proof);
        if let (Some(ground), Some(question)) = (&decision.ground, &written) {
            court.record.borrow_mut().furthest = self.furthest(question, ground, decision.engine);
        }
        match decision.contradiction {
            Some(_) => Answer::Stopped(sequent_engine::search::Stop::Watch),
            None => decision.answer,
        }
    }
}

/// Slices of work for how far runs get, which is worth some seconds.
const SLICES: usize = 400;

impl Effort<'_> {
    fn furthest(&self, question: &Question<'_>, ground: &Ground, engine: Engine) -> Option<Deepest> {
        question.depths.iter().find(|depth| **depth > 0)?;
        let patience = |done: solver::Effort| match done.slices > SLICES {
            true => ControlFlow::Break(()),
            false => (self.watch)(&Progress::default()),
        };
        contest::furthest(question, ground, engine, &patience)
    }
}

impl Record {
    /// Adds what was written down about another part of the same question.
    pub fn join(&mut self, other: Record) {
        self.is_strained |= other.is_strained;
        self.engine = other.engine.or(self.engine);
        self.outside = other.outside.or(self.outside);
        self.trouble = self.trouble.take().or(other.trouble);
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
            (verdict @ Verdict::Fails(Evidence::Run(_)), _) => verdict,
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
                Verdict::Unknown(format!("nothing up to {most} steps{how_far}"))
            }
        }
    }
}

/// How far something got.
fn attempt(evidence: Evidence) -> Option<Box<Story>> {
    match evidence {
        Evidence::Attempt(story) => Some(story),
        Evidence::Run(_) | Evidence::Exhaustive | Evidence::Inductive(_) | Evidence::Bounded(_) => None,
    }
}

/// An argument in words. An invariant is checked again before anyone sees it, by solvers that know nothing of the engine.
fn proof(
    encoding: &sequent_engine::sat::encoding::Encoding<'_>,
    wanted: Literal,
    argument: &Argument,
) -> Proof {
    match argument {
        Argument::Invariant(clauses) => {
            let checked = check(encoding, wanted, clauses, &|_| ControlFlow::Continue(()));
            assert_eq!(checked, Ok(()), "what an engine gives as an invariant is one");
            let words = match clauses.len() {
                1 => "an invariant of 1 clause".to_owned(),
                count => format!("an invariant of {count} clauses"),
            };
            let Some(written) = invariant(encoding, wanted, clauses, &|_, _| None) else {
                return Proof { words, ..Proof::default() };
            };
            let (invariant, smt) = (invariant_lines(&written), invariant_smt(&written));
            Proof { words, invariant, smt, attempt: None }
        }
        Argument::Induction(positions) => {
            Proof { words: format!("induction over {positions} steps"), ..Proof::default() }
        }
        Argument::Exhausted(positions) => {
            Proof { words: format!("no run has more than {positions} steps"), ..Proof::default() }
        }
    }
}
