//! `sequent doctor`: which outside tools are installed, and what each is used for.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::cli::{Doctor, FormatArgument};
use crate::nusmv;
use crate::output;
use crate::program::{find, run as run_program};
use crate::spin::compiler;

/// An outside tool.
struct DoctorTool {
    name: &'static str,
    /// Names of the program, the first that is found counts.
    programs: &'static [&'static str],
    /// What makes it tell its version.
    version: &'static [&'static str],
    purpose: &'static str,
}

/// Everything that is looked for.
const TOOLS: &[DoctorTool] = &[
    DoctorTool { name: "spin", programs: &["spin"], version: &["-V"], purpose: "check --engine spin" },
    DoctorTool {
        name: "C compiler",
        programs: &[],
        version: &["--version"],
        purpose: "builds SPIN's verifiers (CC says which)",
    },
    DoctorTool {
        name: "NuSMV",
        programs: nusmv::PROGRAMS,
        version: &["-help"],
        purpose: "check --engine nusmv; reads export --to nusmv",
    },
    DoctorTool {
        name: "picosat",
        programs: &["picosat"],
        version: &["--version"],
        purpose: "bench thesis --solver picosat",
    },
    DoctorTool {
        name: "cadical",
        programs: &["cadical"],
        version: &["--version"],
        purpose: "solves exported formulas; Sequent has its own copy",
    },
    DoctorTool {
        name: "abc",
        programs: &["berkeley-abc", "abc"],
        version: &["-h"],
        purpose: "reads export --to aiger",
    },
    DoctorTool { name: "z3", programs: &["z3"], version: &["--version"], purpose: "reads export --to smt" },
    DoctorTool {
        name: "java",
        programs: &["java"],
        version: &["-version"],
        purpose: "runs SAT4J for bench thesis",
    },
    DoctorTool {
        name: "git",
        programs: &["git"],
        version: &["--version"],
        purpose: "merge --install-driver",
    },
    DoctorTool { name: "dot", programs: &["dot"], version: &["-V"], purpose: "draws export --to dot" },
];

/// A tool that does not tell its version within this time has none.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn run(options: &Doctor) -> Result<u8, String> {
    let found: Vec<(&DoctorTool, Option<String>)> = TOOLS.iter().map(|tool| (tool, version(tool))).collect();
    output::print(&match options.format {
        FormatArgument::Json => {
            let one = |(tool, version): &(&DoctorTool, Option<String>)| json!({ "name": tool.name, "version": version, "purpose": tool.purpose });
            let tools: Vec<serde_json::Value> = found.iter().map(one).collect();
            format!("{:#}\n", json!({ "tools": tools }))
        }
        FormatArgument::Text => {
            let line = |(tool, version): &(&DoctorTool, Option<String>)| {
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
fn version(tool: &DoctorTool) -> Option<String> {
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
