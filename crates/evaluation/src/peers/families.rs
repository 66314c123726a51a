//! The models that are compared: those that grow with a number, and the cases of the papers.

use super::protocols::{self, Protocol};

/// Models of one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Messages between lifelines of their own, all beside each other.
    Par,
    /// A loop with this number of iterations, in which four lifelines may drift apart.
    Loop,
    /// Philosophers and forks under rendezvous. One takes the other fork first, so that there is no deadlock.
    Philosophers,
    /// Machines that pass messages on from queue to queue.
    Chains,
    /// Two-phase commit: participants agree.
    Commit,
    /// Stations that pass a token round: who wants it gets it, which is wrong.
    Ring,
    /// The same if some get the token again and again, which is right.
    FairRing,
    /// Philosophers who wait for each other in the end.
    Dinner,
    /// The election of a leader in a ring.
    Election,
    /// Messages beside each other, and a formula.
    Together,
    /// Machines that pass messages on from queue to queue, and an invariant.
    Queues,
    /// Cash machines of P1, P2 and P3.
    Atm,
    /// The insurance system of P0.
    Isis,
}

/// A model, and the question that is asked about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeerCase {
    /// What it belongs to.
    pub family: Family,
    /// The number with which it grows; `None` for the case of a paper.
    pub size: Option<usize>,
    /// What it is called.
    pub name: String,
    /// Name and text of each file.
    pub files: Vec<(String, String)>,
}

/// How many messages are under way in a chain at most.
const TOKENS: usize = 4;

/// Files of an example.
macro_rules! example {
    ($name:literal: $($file:literal),+) => {
        ($name, &[$(($file, include_str!(concat!("../../../../examples/projects/", $name, "/", $file)))),+])
    };
}

/// An example: the name of its folder, names and texts of its files.
type ExampleFiles = (&'static str, &'static [(&'static str, &'static str)]);

/// How the models of a family come about.
enum ModelSource {
    /// They are examples.
    Examples(&'static [ExampleFiles]),
    /// Text and settings for a number.
    Grown(fn(usize) -> (String, Option<String>)),
    /// Protocols, each with a question that is written for SPIN by hand.
    ByHand(fn(usize) -> Protocol),
}

const ATM: &[ExampleFiles] = &[
    example!("cash-machine": "atm.puml"),
    example!("refused-card": "atm.puml", "bank.puml", "classes.puml", "objects.puml", "scenarios.md", "sequent.toml"),
    example!("pin-check": "atm.puml", "bank.puml", "scenarios.md"),
];

const ISIS: &[ExampleFiles] = &[
    example!("insurance-location": "add-location.puml", "rate-first.puml", "wrong-rate.puml"),
    example!("insurance-month-end": "month-end.puml", "report-after-seal.puml", "report-too-early.puml"),
];

impl Family {
    /// All of them.
    pub const ALL: [Family; 13] = [
        Family::Commit,
        Family::Ring,
        Family::FairRing,
        Family::Dinner,
        Family::Election,
        Family::Together,
        Family::Queues,
        Family::Par,
        Family::Loop,
        Family::Philosophers,
        Family::Chains,
        Family::Atm,
        Family::Isis,
    ];

    /// The row of the table: its name, how its models come about, and the default sizes, of which the largest takes SPIN some
    /// seconds.
    fn row(self) -> (&'static str, ModelSource, &'static [usize]) {
        match self {
            Family::Par => ("par", ModelSource::Grown(|size| (par(size), None)), &[9, 10, 11, 12]),
            Family::Loop => ("loop", ModelSource::Grown(|size| (circle(size), None)), &[16, 24, 32, 48]),
            Family::Philosophers => {
                let models = ModelSource::Grown(|size| (philosophers(size), Some(MEETING.to_owned())));
                ("philosophers", models, &[8, 9, 10, 11, 12])
            }
            Family::Chains => {
                ("chains", ModelSource::Grown(|size| (chain(size), Some(queues()))), &[6, 8, 10, 12])
            }
            Family::Commit => ("commit", ModelSource::ByHand(protocols::commit), &[4, 5, 6]),
            Family::Ring => ("ring", ModelSource::ByHand(protocols::ring), &[8, 10, 12]),
            Family::FairRing => ("fair-ring", ModelSource::ByHand(protocols::fair_ring), &[8, 10, 12]),
            Family::Dinner => ("dinner", ModelSource::ByHand(protocols::dinner), &[9, 11, 13]),
            Family::Election => ("election", ModelSource::ByHand(protocols::election), &[6, 7, 8]),
            Family::Together => ("together", ModelSource::ByHand(protocols::together), &[10, 12]),
            Family::Queues => ("queues", ModelSource::ByHand(protocols::queues), &[6, 8, 10]),
            Family::Atm => ("atm", ModelSource::Examples(ATM), &[]),
            Family::Isis => ("isis", ModelSource::Examples(ISIS), &[]),
        }
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    /// The family of a name.
    pub fn of(word: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.word() == word)
    }

    /// Whether its models grow with a number.
    pub fn grows(self) -> bool {
        match self.row().1 {
            ModelSource::Grown(_) | ModelSource::ByHand(_) => true,
            ModelSource::Examples(_) => false,
        }
    }

    /// Whether its question is written for SPIN by hand.
    pub(crate) fn is_by_hand(self) -> bool {
        match self.row().1 {
            ModelSource::ByHand(_) => true,
            ModelSource::Grown(_) | ModelSource::Examples(_) => false,
        }
    }

    /// The default sizes.
    pub fn sizes(self) -> &'static [usize] {
        self.row().2
    }

    /// Its cases; sizes count only where it grows.
    pub fn cases(self, sizes: &[usize]) -> Vec<PeerCase> {
        let example = |(name, files): &ExampleFiles| PeerCase {
            family: self,
            size: None,
            name: (*name).to_owned(),
            files: files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
        };
        match self.row().1 {
            ModelSource::Examples(examples) => examples.iter().map(example).collect(),
            ModelSource::Grown(model) => sizes.iter().map(|size| self.case(*size, model(*size))).collect(),
            ModelSource::ByHand(protocol) => {
                let model = |size| {
                    let Protocol { text, settings, .. } = protocol(size);
                    (text, Some(settings))
                };
                sizes.iter().map(|size| self.case(*size, model(*size))).collect()
            }
        }
    }

    /// The question of a size as it is written for SPIN; `None` if there is none.
    pub(super) fn protocol(self, size: usize) -> Option<Protocol> {
        match self.row().1 {
            ModelSource::ByHand(protocol) => Some(protocol(size)),
            ModelSource::Grown(_) | ModelSource::Examples(_) => None,
        }
    }

    fn case(self, size: usize, (text, settings): (String, Option<String>)) -> PeerCase {
        let settings = settings.map(|settings| ("sequent.toml".to_owned(), settings));
        PeerCase {
            family: self,
            size: Some(size),
            name: format!("{} {size}", self.word()),
            files: [("model.puml".to_owned(), text)].into_iter().chain(settings).collect(),
        }
    }
}

const MEETING: &str = "[system]\ncommunication = \"rendezvous\"\nsteps = \"direct\"\n";

fn queues() -> String {
    format!("[system]\ncommunication = \"queue\"\ncapacity = {TOKENS}\n")
}

fn par(messages: usize) -> String {
    let operand = |number| format!("a{number} ->> b{number} : m{number}\n");
    let operands: Vec<String> = (0..messages).map(operand).collect();
    format!("@startuml Par\npar\n{}end\n@enduml\n", operands.join("else\n"))
}

fn circle(iterations: usize) -> String {
    format!(
        "@startuml Loop\nloop ({iterations},{iterations})\na ->> b : p\nb ->> c : q\nc ->> d : r\nend\n@enduml\n"
    )
}

fn philosophers(count: usize) -> String {
    let one = |number: usize| {
        let (left, right) = (number, (number + 1) % count);
        let (first, second) = if number == 0 { (right, left) } else { (left, right) };
        format!(
            "@startuml P{number}\n[*] --> thinking\nthinking --> hungry : / ^F{first}.take\n\
             hungry --> eating : / ^F{second}.take\neating --> full : / ^F{first}.put\n\
             full --> thinking : / ^F{second}.put\n@enduml\n\
             @startuml F{number}\n[*] --> free\nfree --> taken : take\ntaken --> free : put\n@enduml\n"
        )
    };
    (0..count).map(one).collect()
}

/// A source, stages and a sink: messages of two kinds pass from queue to queue, and the sink tells the source.
fn chain(machines: usize) -> String {
    let last = machines.max(2) - 1;
    let mut text = format!(
        "@startuml S0\n' @attribute out : 0..{TOKENS} = 0\n[*] --> on\n\
         on --> sending : after(1) [out < {TOKENS}] / out++\n\
         sending --> on : / ^S1.item(true)\nsending --> on : / ^S1.item(false)\n\
         on --> on : ack / out = out - 1\non --> on : nack / out = out - 1\n@enduml\n"
    );
    for stage in 1..last {
        let next = stage + 1;
        text += &format!(
            "@startuml S{stage}\n[*] --> idle\nidle --> yes : item(true)\nidle --> no : item(false)\n\
             yes --> idle : / ^S{next}.item(true)\nno --> idle : / ^S{next}.item(false)\n@enduml\n"
        );
    }
    text + &format!(
        "@startuml S{last}\n[*] --> idle\nidle --> good : item(true)\nidle --> bad : item(false)\n\
         good --> idle : / ^S0.ack\nbad --> idle : / ^S0.nack\n@enduml\n"
    )
}
