//! Random state machines and scenarios about them, as text that a user could have written.

use std::fmt::Write;

use sequent::pipeline::{self, Reading};
use sequent::settings::{self, Settings};
use sequent_kernel::random::Random;
use sequent_kernel::source::Sources;
use sequent_notation::NoFiles;

/// How objects communicate; so that every seed in a row has another.
const SETTINGS: [&str; 4] = [
    "[system]\ncommunication = \"queue\"\ncapacity = 2\n",
    "[system]\ncommunication = \"rendezvous\"\nsteps = \"direct\"\n",
    "[system]\ncommunication = \"bag\"\ncapacity = 1\n",
    "[system]\ncommunication = \"rendezvous\"\n",
];

/// What is asked.
const ASKED: [&str; 8] = [
    "@possible",
    "@forbidden anchor=start",
    "@required alphabet=own",
    "@possible alphabet=own",
    "@forbidden alphabet=own",
    "@possible anchor=start alphabet=own",
    "@required anchor=start alphabet=own",
    "@required",
];

const MACHINES: [&str; 3] = ["Ann", "Bob", "Cid"];
const MESSAGES: [&str; 3] = ["m", "n", "o"];

/// Machines, some scenarios and formulas about them, and how they communicate.
pub fn text(seed: u64) -> (String, &'static str) {
    let mut random = Random::new(seed);
    let count = 2 + random.below(2);
    let mut text = String::new();
    for (machine, name) in MACHINES.iter().enumerate().take(count) {
        let _ = write!(text, "@startuml {name}\n' @attribute x : 0..2 = 0\n[*] --> s0\n");
        if machine == 0 {
            text += "' @ltl F (Ann.x == 1)\n' @ltl G (sent(m) -> F received(m))\n' @reachable Ann.s1\n";
        }
        for _ in 0..2 + random.below(4) {
            text += &transition(machine, count, &mut random);
        }
        text += "@enduml\n";
    }
    for scenario in 0..3 {
        let _ = writeln!(text, "@startuml Scenario {scenario}");
        for _ in 0..1 + random.below(2) {
            let _ = writeln!(text, "' {}", ASKED[random.below(ASKED.len())]);
        }
        // Some loop, some may go on forever.
        let frame = ["", "", "loop (1,2)\n", "loop (1,*)\n", "opt\n"][random.below(5)];
        text += frame;
        for _ in 0..1 + random.below(3) {
            let from = random.below(count);
            let to = (from + 1 + random.below(count - 1)) % count;
            let name = MESSAGES[random.below(3)];
            let _ = writeln!(text, "{} ->> {} : {name}", MACHINES[from], MACHINES[to]);
        }
        text += if frame.is_empty() { "@enduml\n" } else { "end\n@enduml\n" };
    }
    (text, SETTINGS[seed as usize % SETTINGS.len()])
}

fn transition(machine: usize, count: usize, random: &mut Random) -> String {
    let [from, to] = [(); 2].map(|()| random.below(3));
    let trigger = match random.below(3) {
        0 => String::new(),
        _ => MESSAGES[random.below(3)].to_owned(),
    };
    let guard = ["", "", " [x < 2]", " [x == 1]"][random.below(4)];
    let other = MACHINES[(machine + 1 + random.below(count - 1)) % count];
    let effect = match random.below(5) {
        0 => String::new(),
        // Now and then it leaves its range.
        1 if guard == " [x < 2]" => " / x++".to_owned(),
        1 => " / x = 0".to_owned(),
        2 => format!(" / x = 1; ^{other}.{}", MESSAGES[random.below(3)]),
        _ => format!(" / ^{other}.{}", MESSAGES[random.below(3)]),
    };
    format!("s{from} --> s{to} : {trigger}{guard}{effect}\n")
}

/// A text that was read, with its settings.
pub fn read(text: &str, settings: &str) -> (Reading, Settings) {
    let mut sources = Sources::new();
    let own = sources.add("sequent.toml", settings);
    let (settings, _) = settings::read(own, sources.get(own));
    let file = sources.add("system.puml", text);
    (pipeline::read(&[file], &mut sources, &mut NoFiles, &settings), settings)
}
