//! A command that is told to end leaves no process and no folder behind.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{folder, names, write};

/// Waits for something that comes in moments.
fn wait_for(what: &str, mut has_come: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !has_come() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Starts a check by a tool that never answers, and sends a signal; how it ended.
fn ended_by(signal: &str) -> Option<i32> {
    let folder = folder(&format!("signal-{signal}"));
    let (tools, temporary) = (folder.join("tools"), folder.join("temporary"));
    for one in [&tools, &temporary] {
        std::fs::create_dir(one).expect("a writable folder");
    }
    // It starts another program and writes a file of its own, as compilers do, and all stay.
    let pids = folder.join("pids");
    let script =
        format!("#!/bin/sh\nmktemp > /dev/null\nsleep 300 &\necho $$ $! > '{}'\nwait\n", pids.display());
    for name in ["spin", "cc"] {
        write(&tools, name, &script);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(tools.join(name), mode).expect("it is there");
    }
    write(&folder, "a.puml", "' @ltl F received(m)\na -> b : m\n");
    let path = format!("{}:/bin:/usr/bin", tools.display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
        .args(["check", "a.puml", "--engine", "spin"])
        .current_dir(&folder)
        .env("PATH", path)
        .env("TMPDIR", &temporary)
        .env_remove("CC")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let started = || std::fs::read_to_string(&pids).unwrap_or_default();
    wait_for("the tool starts", || started().ends_with('\n'));
    assert_eq!(names(&temporary).len(), 1, "the tool works in a folder of its own");
    let told = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
    assert!(told.expect("it starts").success());
    let status = child.wait().expect("it ends");
    assert_eq!(names(&temporary), Vec::<String>::new(), "folders are removed");
    for process in started().split_whitespace() {
        // One that has ended and has not been looked at is no process any more.
        let state = || std::fs::read_to_string(Path::new("/proc").join(process).join("stat"));
        wait_for("programs are ended", || state().map_or(true, |text| text.contains(") Z ")));
    }
    std::fs::remove_dir_all(folder).expect("it is there");
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[test]
fn signals_clean_up() {
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        assert_eq!(ended_by(name), Some(number), "{name}");
    }
}
