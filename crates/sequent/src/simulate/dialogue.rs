//! A dialogue: each line that somebody types gets an answer.

use std::collections::BTreeSet;

use sequent_kernel::replay::replay;
use sequent_kernel::waiting;
use sequent_report::draw::{self, TextStyle};
use sequent_report::run::{self, Drawn, Wishes};

use super::{Random, Simulation, State, Subject};

const HELP: &str = "\
1, 2, ..  take the step of that number
r         take a step at random
u         undo the last step
w         who waits for what
s FILE    save the run as a diagram: .svg, .png, .txt, .mmd or .puml
q         quit
";

/// Someone steps through a diagram.
pub struct Dialogue<'a> {
    subject: Subject<'a>,
    simulation: Simulation<'a>,
    random: Random,
    width: usize,
}

/// What happens next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// This is printed.
    Say(String),
    /// The run is saved under this name.
    Save(String),
    /// It is over.
    Quit,
}

impl<'a> Dialogue<'a> {
    /// Begins one; drawings fit the width.
    pub fn new(subject: Subject<'a>, seed: u64, width: usize) -> Self {
        let simulation = Simulation::new(subject.system);
        Dialogue { subject, simulation, random: Random::new(seed), width }
    }

    /// The run so far.
    pub fn simulation(&self) -> &Simulation<'a> {
        &self.simulation
    }

    /// Answers a line.
    pub fn answer(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => Reply::Say(self.overview()),
            ("q" | "quit" | "exit", _) => Reply::Quit,
            ("u" | "undo", _) => {
                let is_done = self.simulation.undo();
                self.moved(is_done, "nothing has happened yet")
            }
            ("r" | "random", _) => {
                let is_done = self.simulation.wander(&mut self.random);
                self.moved(is_done, "nothing can happen any more")
            }
            ("w" | "wait" | "waits", _) => Reply::Say(self.subject.waits(self.simulation.config())),
            ("s" | "save", "") => Reply::Say("s FILE: the name of a file is missing\n".to_owned()),
            ("s" | "save", file) => Reply::Save(file.to_owned()),
            ("?" | "h" | "help", _) => Reply::Say(HELP.to_owned()),
            (word, _) => self.numbered(word),
        }
    }

    fn numbered(&mut self, word: &str) -> Reply {
        let options = self.simulation.options();
        let Ok(number) = word.parse::<usize>() else {
            return Reply::Say(format!("`{word}` is no command; ? lists them\n"));
        };
        match number.checked_sub(1).and_then(|index| options.get(index)) {
            Some(step) => {
                let is_done = self.simulation.take(step);
                self.moved(is_done, "that is not possible")
            }
            None if options.is_empty() => {
                Reply::Say("nothing can happen any more; u takes a step back\n".to_owned())
            }
            None => Reply::Say(format!("there is no step {number}, only 1 to {}\n", options.len())),
        }
    }

    fn moved(&self, is_done: bool, otherwise: &str) -> Reply {
        Reply::Say(if is_done { self.overview() } else { format!("{otherwise}\n") })
    }

    /// The diagram so far, and what may happen next.
    pub fn overview(&self) -> String {
        let mut text = match self.drawn() {
            Ok(drawn) => {
                let marked = drawn.marked;
                let style = TextStyle { width: self.width, marked, ..TextStyle::default() };
                draw::text(&drawn.interaction, &style) + "\n"
            }
            Err(problem) => format!("{problem}\n"),
        };
        let options = self.simulation.options();
        for (number, option) in (1..).zip(self.subject.steps(&options)) {
            text += &format!("{number:>3}  {option}\n");
        }
        text + &self.standing()
    }

    /// How the run stands, if there is something to say.
    fn standing(&self) -> String {
        let config = self.simulation.config();
        match self.simulation.state() {
            State::Open => String::new(),
            State::Complete => format!("the run is complete{}\n", worth(&self.simulation)),
            State::Stuck => format!("the run is stuck\n{}", self.subject.waits(config)),
            State::Void => "the choices contradict each other: this run does not count\n".to_owned(),
        }
    }

    /// The run as a diagram, its last move marked.
    pub fn drawn(&self) -> Result<Drawn, String> {
        let marked = self.simulation.moves().next_back().map(|(position, _)| position).into_iter().collect();
        drawn(&self.subject, &self.simulation, marked)
    }
}

/// What a complete run is worth, where it is not valid (rule I12).
pub fn worth(simulation: &Simulation) -> &'static str {
    let system = simulation.system();
    let holds = |term| system.holds(term, simulation.config());
    match (holds(system.invalid), holds(system.inconclusive)) {
        (true, _) => ", and invalid",
        (false, true) => ", and inconclusive",
        (false, false) => "",
    }
}

/// A run as a diagram, once it was replayed; at the end of a stuck one, notes say who waits for what.
pub fn drawn(subject: &Subject, simulation: &Simulation, marked: BTreeSet<usize>) -> Result<Drawn, String> {
    let run = simulation.run();
    replay(subject.system, &run).map_err(|slip| format!("the run does not replay: {slip:?}"))?;
    let notes = match simulation.state() {
        State::Stuck => {
            let waits = waiting::explain(subject.system, simulation.config());
            let all = waits.lifelines.into_values().flatten();
            all.map(|wait| (wait.component, wait.text(subject.system))).collect()
        }
        State::Open | State::Complete | State::Void => Vec::new(),
    };
    let wishes = Wishes { idle_lifelines: true, marked, notes, ..Wishes::default() };
    Ok(run::diagram(subject.model, subject.id, subject.system, &run, &wishes))
}
