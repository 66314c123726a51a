//! Searches by several processes: starts the workers or joins them; process 0 coordinates.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sequent_cluster::{Circle, Cluster, Hosts, Invitation, Joining, fingerprint, serve as work};

use super::subject::UNDECIDED;
use crate::cli::{EngineName, SpreadArguments, WorkerArguments};
use crate::output;
use crate::roots::{self, LONGEST};

/// The processes that search.
pub(crate) enum Enlisted {
    /// This process by itself.
    Alone,
    /// Several.
    Cluster(Cluster),
    /// This process has done its part, with this exit code.
    Over(u8),
}

/// Whether several processes are to search.
pub(crate) fn is_asked_for(spread: &SpreadArguments) -> bool {
    spread.processes.is_some() || spread.hosts.is_some()
}

/// Starts processes, or waits for them; or is one of them.
pub(crate) fn enlist(spread: &SpreadArguments, engine: EngineName) -> Result<Enlisted, String> {
    if !is_asked_for(spread) {
        return match spread.spill {
            Some(_) => Err("--spill goes with --processes or --hosts: --processes 1 is enough".to_owned()),
            None => Ok(Enlisted::Alone),
        };
    }
    match engine {
        EngineName::Auto | EngineName::Explicit => {}
        EngineName::Bounded
        | EngineName::Induction
        | EngineName::Ic3
        | EngineName::All
        | EngineName::Spin
        | EngineName::Nusmv => {
            return Err(
                "several processes search states: --engine auto or explicit goes with them".to_owned()
            );
        }
    }
    let wait = wait(spread.join);
    let start = |invitation: &Invitation, program: &str| start(invitation, program, spread);
    let gathered = match (&spread.hosts, spread.process) {
        (Some(file), Some(process)) => {
            let named = |why: String| format!("`{}`: {why}", file.display());
            let text = roots::read_text(file, LONGEST).map_err(|refusal| named(refusal.to_string()))?;
            let hosts = Hosts::parse(&text).map_err(named)?;
            let Some(address) = hosts.addresses.get(process) else {
                return Err(named(format!(
                    "there is no process {process}, the last is {}",
                    hosts.addresses.len() - 1
                )));
            };
            let program = program()?;
            if process > 0 {
                let circle = Circle { token: hosts.token.clone(), program };
                let coordinator = hosts.addresses[0].clone();
                return Ok(Enlisted::Over(join(&Joining {
                    coordinator,
                    process,
                    address: address.clone(),
                    circle,
                    wait,
                    spill: spread.spill.clone(),
                })));
            }
            Cluster::hosts(&hosts, &program, wait, &|invitation| start(invitation, &program))
        }
        (_, _) => {
            let processes = spread.processes.map_or(1, usize::from);
            // All are this program.
            let program = env!("CARGO_PKG_VERSION");
            Cluster::local(processes, program, wait, &|invitation| start(invitation, program))
        }
    };
    Ok(match gathered {
        Ok(cluster) => Enlisted::Cluster(cluster.with_quick_look(spread.quick)),
        Err(why) => {
            output::complain(&format!("the cluster does not come together: {why}; nothing is decided"));
            Enlisted::Over(UNDECIDED)
        }
    })
}

/// The command that each worker is.
pub(crate) fn serve(options: &WorkerArguments) -> Result<u8, String> {
    let mut lines = std::io::stdin().lines();
    let mut line = || lines.next().and_then(Result::ok).ok_or("the token is read from standard input");
    let circle = Circle { token: line()?, program: line()? };
    Ok(join(&Joining {
        coordinator: options.coordinator.clone(),
        process: options.process,
        // Workers on this machine tell where they are; the first of several hosts calls the others, and is not called.
        address: "127.0.0.1:0".to_owned(),
        circle,
        wait: wait(options.join),
        spill: options.spill.clone(),
    }))
}

fn join(joining: &Joining) -> u8 {
    match work(joining, lost) {
        Ok(()) => 0,
        Err(why) => {
            output::complain(&format!("this process cannot join: {why}"));
            UNDECIDED
        }
    }
}

/// Ends a worker that can do nothing any more.
fn lost(why: &str) -> ! {
    output::complain(&format!("this process leaves the cluster: {why}"));
    std::process::exit(i32::from(UNDECIDED))
}

fn wait(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).min(Duration::from_secs(86_400))
}

/// What this program is.
fn program() -> Result<String, String> {
    let file = own_file().map_err(|error| error.to_string())?;
    fingerprint(env!("CARGO_PKG_VERSION"), &file).map_err(|error| format!("`{}`: {error}", file.display()))
}

/// The file of this program: where the system tells, the one that runs, even if another lies in its place by now.
fn own_file() -> std::io::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { Ok(own) } else { std::env::current_exe() }
}

/// Starts a worker on this machine. It says what happens to it to the process that asks, and prints nothing.
fn start(invitation: &Invitation, program: &str, spread: &SpreadArguments) -> std::io::Result<Child> {
    let mut child = Command::new(own_file()?)
        .args(["worker", "--coordinator", &invitation.coordinator])
        .args(["--process", &invitation.process.to_string()])
        .args(["--join", &spread.join.to_string()])
        .args(spread.spill.iter().flat_map(|folder| [OsStr::new("--spill"), folder.as_os_str()]))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        writeln!(input, "{}\n{program}", invitation.token)?;
    }
    Ok(child)
}
