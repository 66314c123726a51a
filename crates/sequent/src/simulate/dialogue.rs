//! A dialogue: answers each line of input.

use sequent_kernel::system::{Config, Step};
use sequent_kernel::verdict::Story;
use sequent_report::draw::{self, TextStyle};
use sequent_report::table;

use super::{Random, RunStatus, Simulation, SimulationSubject};

const HELP: &str = "\
1, 2, ..  take the step of that number
r         take a step at random
u         undo the last step
w         who waits for what
t         the run as a table
s FILE    save the run as a diagram: .svg, .png, .txt, .mmd or .puml; as a table: .md
q         quit
";

/// An interactive simulation of a diagram.
pub struct Dialogue<'a> {
    subject: SimulationSubject<'a>,
    simulation: Simulation<'a>,
    random: Random,
    width: usize,
}

/// What happens next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimulationReply {
    /// This is printed.
    Say(String),
    /// The run is saved under this name.
    Save(String),
    /// It is over.
    Quit,
}

impl<'a> Dialogue<'a> {
    /// Begins one; drawings fit the width.
    pub fn new(subject: SimulationSubject<'a>, seed: u64, width: usize) -> Self {
        let simulation = Simulation::new(subject.system());
        Dialogue { subject, simulation, random: Random::new(seed), width }
    }

    /// The run so far.
    pub fn simulation(&self) -> &Simulation<'a> {
        &self.simulation
    }

    /// Answers a line.
    pub fn answer(&mut self, line: &str) -> SimulationReply {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => SimulationReply::Say(self.overview()),
            ("q" | "quit" | "exit", _) => SimulationReply::Quit,
            ("u" | "undo", _) => {
                let is_done = self.simulation.undo();
                self.moved(is_done, "nothing has happened yet")
            }
            ("r" | "random", _) => {
                let subject = self.subject;
                let is_likely = |config: &Config, step: &Step| subject.is_likely(config, step);
                let is_done = self.simulation.wander(&mut self.random, &is_likely);
                self.moved(is_done, "nothing can happen any more")
            }
            ("w" | "wait" | "waits", _) => SimulationReply::Say(self.subject.waits(self.simulation.config())),
            ("t" | "table", _) => SimulationReply::Say(match self.story() {
                Ok(story) => table::text(&story.log, self.width),
                Err(problem) => format!("{problem}\n"),
            }),
            ("s" | "save", "") => SimulationReply::Say("s FILE: the name of a file is missing\n".to_owned()),
            ("s" | "save", file) => SimulationReply::Save(file.to_owned()),
            ("?" | "h" | "help", _) => SimulationReply::Say(HELP.to_owned()),
            (word, _) => self.numbered(word),
        }
    }

    fn numbered(&mut self, word: &str) -> SimulationReply {
        let options = self.simulation.options();
        let Ok(number) = word.parse::<usize>() else {
            return SimulationReply::Say(format!("`{word}` is not a command; ? lists them\n"));
        };
        match number.checked_sub(1).and_then(|index| options.get(index).cloned()) {
            Some(step) => {
                let is_done = self.simulation.take(&step);
                self.moved(is_done, "that is not possible")
            }
            None if options.is_empty() => {
                SimulationReply::Say("nothing can happen any more; u takes a step back\n".to_owned())
            }
            None => SimulationReply::Say(format!("there is no step {number}, only 1 to {}\n", options.len())),
        }
    }

    fn moved(&self, is_done: bool, otherwise: &str) -> SimulationReply {
        SimulationReply::Say(if is_done { self.overview() } else { format!("{otherwise}\n") })
    }

    /// The diagram so far, and what may happen next.
    pub fn overview(&self) -> String {
        let mut text = match self.story() {
            Ok(story) => {
                let style = TextStyle { width: self.width, marked: story.marked, ..TextStyle::default() };
                draw::text(&story.drawing, &style) + "\n"
            }
            Err(problem) => format!("{problem}\n"),
        };
        text += &self.subject.standings(self.simulation.config());
        let options = self.simulation.options();
        for (number, option) in (1..).zip(self.subject.sentences(options)) {
            text += &format!("{number:>3}  {option}\n");
        }
        text + &self.standing()
    }

    /// How the run stands, if there is something to say.
    fn standing(&self) -> String {
        let config = self.simulation.config();
        let worth = self.subject.worth(&self.simulation);
        match self.subject.state(&self.simulation) {
            RunStatus::Open => String::new(),
            RunStatus::Complete => format!("the run is complete{worth}\n"),
            RunStatus::Broken => format!("the run ends in a fault{worth}\n"),
            RunStatus::Stuck => format!("the run is stuck\n{}", self.subject.waits(config)),
            RunStatus::Void => "the choices contradict each other: this run does not count\n".to_owned(),
        }
    }

    /// The run so far as a story, its last move marked.
    pub fn story(&self) -> Result<Story, String> {
        let marked = self.simulation.moves().next_back().map(|(position, _)| position).into_iter().collect();
        self.subject.plain_story(&self.simulation, marked)
    }
}
