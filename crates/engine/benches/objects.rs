//! How quick systems of state machines are explored: `cargo bench -p sequent-engine --bench objects`.
//!
//! Each row is a system with the time it may take, or the rate it must have (issue 5, "Must show"). Figures are the best of several
//! runs, which is what the machine can do when it is left alone.

use std::time::{Duration, Instant};

use sequent_engine::packed::Program;
use sequent_engine::search::{Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_kernel::model::{Communication, Steps, SystemSettings};
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::source::Folders;
use sequent_testing::diagram;

fn main() {
    println!(
        "{:<40} {:>10} {:>11} {:>10} {:>12} {:>12} {:>10}",
        "system", "states", "steps", "time", "states/s", "wanted", "bytes"
    );
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let direct = SystemSettings {
        communication: Some(Communication::Rendezvous),
        steps: Some(Steps::Direct),
        ..SystemSettings::default()
    };
    let intermediate = SystemSettings { steps: Some(Steps::Intermediate), ..direct.clone() };
    let queues = SystemSettings {
        communication: Some(Communication::Queue),
        capacity: Some(TOKENS as u32),
        ..SystemSettings::default()
    };
    let rows = [
        ("12 philosophers, rendezvous", philosophers(12), direct, "700000/s"),
        ("6 philosophers, intermediate states", philosophers(6), intermediate, "700000/s"),
        ("6 machines in a chain, queues", chain(), queues, "15 s, 1 GB"),
    ];
    for (name, text, settings, limit) in rows {
        if name.contains(&wanted) {
            row(name, &objects(&text, &settings), limit);
        }
    }
}

fn row(name: &str, objects: &Objects, limit: &str) {
    let options = SearchOptions { threads: 1, ..SearchOptions::default() };
    let mut best = Duration::MAX;
    let mut seen = (0, 0, 0);
    for _ in 0..3 {
        let start = Instant::now();
        let program = Program::new(&objects.system);
        let search = Search::run(&program, SearchGoal::Everything, &options, &unwatched);
        assert_eq!(search.answer, SearchAnswer::Exhausted);
        assert!(!search.is_strained, "no queue is ever full");
        best = best.min(start.elapsed());
        seen = (search.progress.states, search.progress.transitions, search.progress.bytes);
    }
    let rate = seen.0 as f64 / best.as_secs_f64();
    let millis = format!("{:.0} ms", best.as_secs_f64() * 1000.0);
    let bytes = format!("{} MB", seen.2 >> 20);
    println!("{name:<40} {:>10} {:>11} {millis:>10} {rate:>12.0} {limit:>12} {bytes:>10}", seen.0, seen.1);
}

fn objects(text: &str, settings: &SystemSettings) -> Objects {
    let model = diagram::model(text);
    let folders: Folders = model.machines.iter().map(|one| (one.place.0.file, String::new())).collect();
    let (structure, _) = structure(&model, &folders, "", None);
    lower_objects(&model, &structure, settings).expect("it is small")
}

/// Philosophers who take the fork to their left, then the one to their right, and put them down again.
fn philosophers(count: usize) -> String {
    let one = |number: usize| {
        let (left, right) = (number, (number + 1) % count);
        format!(
            "@startuml P{number}\n[*] --> thinking\nthinking --> hungry : / ^F{left}.take\n\
             hungry --> eating : / ^F{right}.take\neating --> full : / ^F{left}.put\nfull --> thinking : / ^F{right}.put\n@enduml\n\
             @startuml F{number}\n[*] --> free\nfree --> taken : take\ntaken --> free : put\n@enduml\n"
        )
    };
    (0..count).map(one).collect()
}

/// How many messages are under way in the chain at most.
const TOKENS: usize = 8;

/// A source, four stages and a sink: messages of two kinds pass from queue to queue, and the sink tells the source.
fn chain() -> String {
    let mut text = format!(
        "@startuml S0\n' @attribute out : 0..{TOKENS} = 0\n[*] --> on\n\
         on --> sending : after(1) [out < {TOKENS}] / out++\n\
         sending --> on : / ^S1.item(true)\nsending --> on : / ^S1.item(false)\n\
         on --> on : ack / out = out - 1\non --> on : nack / out = out - 1\n@enduml\n"
    );
    for stage in 1..5 {
        text += &format!(
            "@startuml S{stage}\n[*] --> idle\nidle --> yes : item(true)\nidle --> no : item(false)\n\
             yes --> idle : / ^S{}.item(true)\nno --> idle : / ^S{}.item(false)\n@enduml\n",
            stage + 1,
            stage + 1
        );
    }
    text += "@startuml S5\n[*] --> idle\nidle --> good : item(true)\nidle --> bad : item(false)\n\
             good --> idle : / ^S0.ack\nbad --> idle : / ^S0.nack\n@enduml\n";
    text
}
