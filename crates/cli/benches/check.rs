//! How long the papers' questions take, the start of the process included: `cargo bench --bench check`.
//!
//! The examples are those of `examples/projects`. Each figure is the best of several runs of the command. P0 tells 19:49 and
//! 18:14 minutes for its two (NuSMV, 3 GHz, 32 GB), P2 at most 0.132 s for one property (SPIN).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 20;

fn main() {
    println!("{:<62} {:>10} {:>10}", "question", "time", "at most");
    let atm = examples().join("cash-machine/atm.puml");
    let text = std::fs::read_to_string(&atm).expect("the example is there");
    let (diagram, asked) = text.split_once("\n' No account").expect("questions follow the diagram");
    let formulas = asked.lines().filter_map(|line| line.strip_prefix("' @ltl "));
    let file = std::env::temp_dir().join("sequent-bench.puml");
    for formula in formulas {
        std::fs::write(&file, format!("{diagram}\n' @ltl {formula}\n@enduml\n")).expect("writable");
        row(&format!("cash machine: {formula}"), &file);
    }
    row("cash machine, all five", &atm);
    for name in ["insurance-location", "insurance-location-repaired", "insurance-month-end"] {
        row(name, &examples().join(name));
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/projects")
}

fn row(name: &str, path: &Path) {
    let one = |_| {
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_sequent")).arg("check").arg(path).output();
        let code = output.expect("the command starts").status.code();
        assert!(matches!(code, Some(0 | 1)), "it is decided");
        start.elapsed()
    };
    let best: Duration = (0..RUNS).map(one).min().expect("there is at least one run");
    let short: String = name.chars().take(62).collect();
    println!("{short:<62} {:>10} {:>10}", format!("{:.1} ms", best.as_secs_f64() * 1000.0), "10 ms");
}
