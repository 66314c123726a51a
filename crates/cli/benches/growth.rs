//! How the time of a command grows with its input: `cargo bench --bench growth`, or `cargo bench --bench growth -- WORD` for
//! the rows whose names hold a word. `SEQUENT=PATH` measures another build, to compare two.
//!
//! Each row makes inputs of doubling sizes and runs the command on them, the start of the process left out. The exponent is
//! the slope of the logarithms by least squares, over the sizes that take long enough to be measured: 1 is linear, 2 means
//! four times the time for twice the size. Each time is the best of a few runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a command is run.
const RUNS: usize = 3;

/// Times below this say more about the machine than about the input.
const SHORTEST: Duration = Duration::from_millis(4);

/// After a run that takes longer no larger size is tried.
const LONGEST: Duration = Duration::from_secs(30);

/// Writes an input of a size into a folder; the arguments of the command.
type Make = fn(&Path, usize) -> Vec<String>;

/// What grows: a name, the least size, how often it is doubled, and what makes the input.
const ROWS: &[(&str, usize, u32, Make)] = &[
    ("messages, check", 1250, 3, |folder, size| check(folder, &exchanges(size))),
    ("lifelines, check", 1250, 3, |folder, size| check(folder, &row_of_lifelines(size))),
    ("lifelines, drawn", 1250, 3, |folder, size| render(folder, &row_of_lifelines(size))),
    ("alternatives, check", 125, 3, |folder, size| check(folder, &alternatives(size))),
    ("alternatives in a row, check", 1250, 3, |folder, size| check(folder, &alternatives_in_a_row(size))),
    ("lowering, traces", 500, 3, |folder, size| {
        let file = write(folder, "a.puml", &exchanges(size));
        ["traces".to_owned(), file].into()
    }),
    ("classify", 1250, 3, |folder, size| {
        let file = write(folder, "a.puml", &exchanges(size));
        let events = (0..size / 2)
            .map(|index| format!("!a->b:m{index} ?a->b:m{index} !b->a:r{index} ?b->a:r{index}\n"));
        let trace = write(folder, "trace.txt", &events.collect::<String>());
        ["classify".to_owned(), file, trace].into()
    }),
    ("messages, simulate", 1250, 3, |folder, size| {
        let file = write(folder, "a.puml", &exchanges(size));
        ["simulate", &file, "--seed", "1", "--steps", "100000"].map(str::to_owned).into()
    }),
    ("witness of a scenario, check", 500, 3, |folder, size| check(folder, &scenario(size))),
    ("states of a machine, check", 1250, 3, |folder, size| check(folder, &machine("M", size))),
    ("machines in a folder, check", 1250, 3, |folder, size| {
        for index in 0..size {
            write(folder, &format!("m{index}.puml"), &machine(&format!("M{index}"), 5));
        }
        ["check".to_owned(), folder.display().to_string()].into()
    }),
    ("attributes of a class, check", 1250, 3, |folder, size| check(folder, &class(size))),
    ("labels of transitions, drawn", 1250, 3, |folder, size| render(folder, &transitions(size))),
    ("labels of associations, drawn", 1250, 3, |folder, size| render(folder, &associations(size))),
];

fn main() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("growth");
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let start = best(&["--version".to_owned()]);
    println!("{:<32} {:>52} {:>9}", "what grows", "size: time in ms", "exponent");
    for (name, least, doublings, make) in ROWS {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let mut points: Vec<(usize, Duration)> = Vec::new();
        for size in (0..=*doublings).map(|doubling| least << doubling) {
            if points.last().is_some_and(|(_, time)| *time > LONGEST) {
                break;
            }
            let folder = root.join(format!("{}-{size}", name.replace([' ', ','], "-")));
            std::fs::create_dir_all(&folder).expect("a writable folder");
            points.push((size, best(&make(&folder, size)).saturating_sub(start)));
        }
        let times: Vec<String> =
            points.iter().map(|(size, time)| format!("{size}: {:.0}", time.as_secs_f64() * 1000.0)).collect();
        let exponent = exponent(&points).map_or_else(|| "-".to_owned(), |exponent| format!("{exponent:.2}"));
        println!("{name:<32} {:>52} {exponent:>9}", times.join("  "));
    }
    let _ = std::fs::remove_dir_all(&root);
}

/// The best time of a command.
fn best(arguments: &[String]) -> Duration {
    let program = std::env::var("SEQUENT").unwrap_or_else(|_| env!("CARGO_BIN_EXE_sequent").to_owned());
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut command = Command::new(&program);
        let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.expect("the command starts").code().is_some_and(|code| code <= 3), "{arguments:?}");
        best = best.min(start.elapsed());
        if best > LONGEST {
            break;
        }
    }
    best
}

/// The slope of the logarithms of the times over those of the sizes; `None` if too few were measured.
fn exponent(points: &[(usize, Duration)]) -> Option<f64> {
    let measured = points.iter().filter(|(_, time)| *time >= SHORTEST);
    let logs: Vec<(f64, f64)> =
        measured.map(|(size, time)| ((*size as f64).ln(), time.as_secs_f64().ln())).collect();
    if logs.len() < 2 {
        return None;
    }
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let above: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let below: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    Some(above / below)
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a writable file");
    file.display().to_string()
}

fn check(folder: &Path, text: &str) -> Vec<String> {
    ["check".to_owned(), write(folder, "a.puml", text)].into()
}

fn render(folder: &Path, text: &str) -> Vec<String> {
    ["render", &write(folder, "a.puml", text), "--to", "svg"].map(str::to_owned).into()
}

fn diagram(name: &str, lines: impl Iterator<Item = String>) -> String {
    format!("@startuml {name}\n{}@enduml\n", lines.collect::<String>())
}

/// Messages there and back.
fn exchanges(messages: usize) -> String {
    diagram("", (0..messages / 2).map(|index| format!("a -> b : m{index}\nb -> a : r{index}\n")))
}

fn row_of_lifelines(lifelines: usize) -> String {
    diagram("", (1..lifelines).map(|index| format!("p{} -> p{index} : m\n", index - 1)))
}

fn alternatives(operands: usize) -> String {
    let operand = |index: usize| {
        let word = if index == 0 { "alt" } else { "else" };
        format!("{word} c{index}\na -> b : x{index}\n")
    };
    diagram("", (0..operands).map(operand).chain(["end\n".to_owned()]))
}

fn alternatives_in_a_row(fragments: usize) -> String {
    let fragment = |index| format!("alt c{index}\na -> b : x{index}\nelse\na -> b : y{index}\nend\n");
    diagram("", (0..fragments).map(fragment))
}

fn machine(name: &str, states: usize) -> String {
    let transitions = (0..states).map(|index| format!("s{index} --> s{} : e{index}\n", index + 1));
    diagram(name, ["[*] --> s0\n".to_owned()].into_iter().chain(transitions))
}

/// Two machines that answer each other, and a scenario between them.
fn scenario(messages: usize) -> String {
    let machines = "@startuml A\n[*] --> S\nS --> S : start / ^b.ping\nS --> S : pong / ^b.ping\n@enduml\n\
                    @startuml B\n[*] --> T\nT --> T : ping / ^a.pong\n@enduml\n";
    let head = "' @possible alphabet=own\nactor user\nparticipant A\nparticipant B\nuser ->> A : start\n";
    let rounds = (0..messages / 2).map(|_| "A ->> B : ping\nB ->> A : pong\n".to_owned());
    format!("{machines}{}", diagram("Run", [head.to_owned()].into_iter().chain(rounds)))
}

fn class(attributes: usize) -> String {
    let attributes = (0..attributes).map(|index| format!("  a{index} : Boolean\n"));
    diagram("", ["class C {\n".to_owned()].into_iter().chain(attributes).chain(["}\n".to_owned()]))
}

/// Transitions with long labels between ten states.
fn transitions(count: usize) -> String {
    let one = |index: usize| {
        let (from, to) = (index % 10, (index * 7 + 3) % 10);
        format!("s{from} --> s{to} : event{index} [guard{index}] / action{index}\n")
    };
    diagram("", ["[*] --> s0\n".to_owned()].into_iter().chain((0..count).map(one)))
}

fn associations(count: usize) -> String {
    let one =
        |index: usize| format!("C{index} \"1\" --> \"*\" C{} : label{index}\n", (index * 7 + 1) % count);
    diagram("", (0..count).map(one))
}
