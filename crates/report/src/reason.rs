//! Why a question is not decided, in words.

use sequent_kernel::property::ltl::AutomatonTooLarge;
use sequent_kernel::verdict::{FaultRemedy, QuestionKind, Reason, Refuted, SearchStop};

/// A reason in words.
pub fn words(reason: &Reason) -> String {
    match reason {
        Reason::Stopped(stop, states) => stopped(*stop, *states),
        Reason::GaveUp(stop, looked) => gave_up(*stop, *looked),
        Reason::NothingUpTo(most, how_far) => {
            let how_far: String = how_far.iter().map(|line| format!("; within them {line}")).collect();
            format!("nothing up to {}{how_far}", steps(*most))
        }
        Reason::Origins(most, count) => format!("more than {most} states lie within {count} steps"),
        Reason::Unwritten(why) => format!("no solver can be asked: {why}"),
        Reason::Engine(engine, kind) => format!("the engine {engine} cannot tell {}", asked(*kind)),
        Reason::Contradiction(words) => {
            format!("the engines contradict each other, which is a fault of this program: {words}")
        }
        Reason::Unchecked => "there was no time to check the invariant that was found".to_owned(),
        Reason::TooWide(window) => format!(
            "a loop or an `ignore` lets lifelines run more than {window} iterations or messages apart; an answer in the loop, an upper bound or `--switch ignored=N` keeps them together"
        ),
        Reason::NotRun(what) => format!("{what} is not run"),
        Reason::NotLookedFor(what) => format!("{what} is not looked for"),
        Reason::NotLookedAt(what) => format!("{what} is not looked at"),
        Reason::NotReplayed => "the run that was found could not be replayed".to_owned(),
        Reason::Refuted(refuted) => format!("the run that was found {}", shows(*refuted)),
        Reason::Guards(count, most) => format!("it speaks of {count} guards, more than {most}"),
        Reason::BrokenDiagram => "a diagram has errors".to_owned(),
        Reason::BrokenSubject => "the diagram has errors".to_owned(),
        Reason::BrokenQuestion => "the question has errors".to_owned(),
        Reason::NotAskable => "nothing here can be asked this".to_owned(),
        Reason::NothingHappens => "nothing happens in it".to_owned(),
        Reason::NoModel => "no other diagram of its folder knows its messages".to_owned(),
        Reason::NoMachine => "no state machine says what its objects do".to_owned(),
        Reason::BrokenMachine => "the state machine cannot be run".to_owned(),
        Reason::TooLarge(what) => too_large(*what).to_owned(),
        Reason::UnknownAtoms(names) => format!("the diagram knows nothing of {}", names.join(", ")),
        Reason::EndlessWays => "the scenario may go on forever in too many ways".to_owned(),
        Reason::ToolRefuted => {
            "the tool says that there is no run, but a search of the states has found one".to_owned()
        }
        Reason::BreaksOff(Some(fault), remedy) => {
            format!("some run breaks off: {fault}{}", helps(*remedy))
        }
        Reason::BreaksOff(None, _) => "some run breaks off".to_owned(),
        Reason::MayBreakOff => "whether a run breaks off before, because a queue is full or a value leaves its range, is not known; --time, or a smaller `[system] capacity`, may help".to_owned(),
        Reason::OpenValue(parameter, message) => format!(
            "the run that was found depends on the value of `{parameter}` in `{message}`, which is not known; give it a value where it is sent, or declare it in a class, as in `{message}({parameter} : 0..7)`"
        ),
        Reason::OpenDrawn(parameter, message) => format!(
            "a value of `{parameter}` in `{message}` is drawn, and which one is sent is not known; declare it in a class, as in `{message}({parameter} : 0..7)`"
        ),
        Reason::Uncounted => "it is reachable, but the fewest steps that lead there were not counted".to_owned(),
        Reason::Tool(why) | Reason::Incomparable(why) | Reason::Templates(why) => why.clone(),
    }
}

fn stopped(stop: SearchStop, states: usize) -> String {
    match stop {
        SearchStop::States => {
            format!("there are more than {states} states; `--time SECONDS` looks at more of them")
        }
        SearchStop::Memory => format!("{states} states take all the memory allowed"),
        SearchStop::Depth => "runs are longer than allowed".to_owned(),
        SearchStop::Watch if states == 0 => "time is over".to_owned(),
        SearchStop::Watch if states == 1 => "time is over after one state".to_owned(),
        SearchStop::Watch => format!("time is over after {states} states"),
    }
}

fn gave_up(stop: SearchStop, looked: usize) -> String {
    let reason = match stop {
        SearchStop::Watch => "time is over",
        SearchStop::States | SearchStop::Memory | SearchStop::Depth => {
            "a solver gave up, which `--time SECONDS` lets go on"
        }
    };
    match looked {
        0 => reason.to_owned(),
        looked => format!("{reason}; nothing up to {}", steps(looked - 1)),
    }
}

fn steps(count: usize) -> String {
    format!("{count} {}", if count == 1 { "step" } else { "steps" })
}

fn asked(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Refinement => "whether a diagram refines another; `explicit` can",
        QuestionKind::OpenDeadlock => {
            "whether machines get stuck that hear from outside or lose messages; `auto`, `bounded`, `induction` and `ic3` can"
        }
    }
}

fn shows(refuted: Refuted) -> &'static str {
    match refuted {
        Refuted::Formula => "does not violate the formula",
        Refuted::Negative => "does not hold what is forbidden",
        Refuted::Assertion => "leaves no `assert`",
        Refuted::Scenario => "does not hold the scenario",
        Refuted::Missing => "does hold the scenario",
    }
}

fn too_large(what: AutomatonTooLarge) -> &'static str {
    match what {
        AutomatonTooLarge::Formula => "the formula is too large",
        AutomatonTooLarge::States => "the automaton of the formula is too large",
        AutomatonTooLarge::Marks => "the formula has too many things that must come again and again",
        AutomatonTooLarge::Memory => "the formula has too many operators of the past",
    }
}

fn helps(remedy: FaultRemedy) -> &'static str {
    match remedy {
        FaultRemedy::None => "",
        FaultRemedy::Queue => {
            "; let its senders wait for an answer, give those outside a machine, or set `[system] capacity`"
        }
        FaultRemedy::Range => "; guard the assignment, or give the attribute a wider range",
    }
}
