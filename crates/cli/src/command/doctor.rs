//! `sequent doctor`: which outside tools are installed, and what each is used for.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::cli::{Doctor, Format};
use crate::nusmv;
use crate::output;
use crate::program::{find, run as run_program};
use crate::spin::compiler;

/// An outside tool.
struct Tool {
    name: &'static str,
    /// Names of the program, the first that is found counts.
    programs: &'static [&'static str],
    /// What makes it tell its version.
    version: &'static [&'static str],
    purpose: &'static str,
}

/// Everything that is looked for.
const TOOLS: &[Tool] = &[
    Tool { name: "spin", programs: &["spin"], version: &["-V"], purpose: "check --engine spin" },
    Tool {
        name: "C compiler",
        programs: &[],
        version: &["--version"],
        purpose: "builds SPIN's verifiers (CC says which)",
    },
    Tool {
        name: "NuSMV",
        programs: nusmv::PROGRAMS,
        version: &["-help"],
        purpose: "check --engine nusmv; reads export --to nusmv",
    },
    Tool {
        name: "picosat",
        programs: &["picosat"],
        version: &["--version"],
        purpose: "bench thesis --solver picosat",
    },
    Tool {
        name: "cadical",
        programs: &["cadical"],
        version: &["--version"],
        purpose: "solves exported formulas; Sequent has its own copy",
    },
    Tool {
        name: "abc",
        programs: &["berkeley-abc", "abc"],
        version: &["-h"],
        purpose: "reads export --to aiger",
    },
    Tool { name: "z3", programs: &["z3"], version: &["--version"], purpose: "reads export --to smt" },
    Tool {
        name: "java",
        programs: &["java"],
        version: &["-version"],
        purpose: "runs SAT4J for bench thesis",
    },
    Tool { name: "git", programs: &["git"], version: &["--version"], purpose: "merge --install-driver" },
    Tool { name: "dot", programs: &["dot"], version: &["-V"], purpose: "draws export --to dot" },
];

/// A tool that does not tell its version within this time has none.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn run(options: &Doctor) -> Result<u8, String> {
    let found: Vec<(&Tool, Option<String>)> = TOOLS.iter().map(|tool| (tool, version(tool))).collect();
    output::print(&match options.format {
        Format::Json => {
            let one = |(tool, version): &(&Tool, Option<String>)| json!({ "name": tool.name, "version": version, "purpose": tool.purpose });
            let tools: Vec<serde_json::Value> = found.iter().map(one).collect();
            format!("{:#}\n", json!({ "tools": tools }))
        }
        Format::Text => {
            let line = |(tool, version): &(&Tool, Option<String>)| {
                let version = version.as_deref().unwrap_or("not on the PATH");
                format!("{:<11} {version}\n            {}\n", tool.name, tool.purpose)
            };
            found.iter().map(line).collect()
        }
    });
    Ok(0)
}

/// The first line with a digit of a tool's version output, or its file name; `None` if the tool is not
/// installed.
fn version(tool: &Tool) -> Option<String> {
    let program = match tool.programs {
        [] => compiler(),
        programs => programs.iter().find_map(|program| find(program)),
    }?;
    let until = Some(Instant::now() + PATIENCE);
    let said = run_program(Path::new("."), &program, tool.version, until).unwrap_or_default();
    let told = said.lines().map(str::trim).find(|line| line.chars().any(|letter| letter.is_ascii_digit()));
    let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Some(told.map_or(name, |line| line.trim_matches('*').trim().to_owned()))
}
