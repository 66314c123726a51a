//! The limits of a command hold whatever it is doing, and settings cannot ask for more than there is.

use std::process::Command;
use std::time::Duration;

use crate::{folder, run, write};

/// Inputs that take long: to read, to look at, to search, to draw.
fn slow() -> [(&'static str, String); 4] {
    let states = (0..20_000).map(|number| format!("s{number} --> s{} : e\n", number + 1));
    let branches = (0..20).map(|number| format!("a{number} -> b{number} : m{number}\n"));
    [
        ("messages", "a -> b : m\n".repeat(100_000)),
        ("diagrams", "@startuml\na -> b : m\n@enduml\n".repeat(20_000)),
        ("states", states.collect()),
        ("branches", format!("par\n{}end\n", branches.collect::<Vec<_>>().join("else\n"))),
    ]
}

#[test]
fn the_time_limit_holds_in_every_phase() {
    let commands: &[&[&str]] = &[
        &["check", "a.puml"],
        &["ast", "a.puml"],
        &["render", "a.puml", "--to", "svg"],
        &["traces", "a.puml", "--list"],
        &["export", "a.puml", "--to", "aut"],
        &["classify", "a.puml", "!m ?m"],
        &["simulate", "a.puml", "--seed", "1", "--steps", "1000000"],
        &["check", "a.puml", "--format", "html"],
    ];
    let folder = folder("time");
    for (name, text) in slow() {
        write(&folder, "a.puml", &text);
        for command in commands {
            let done = run(&folder, &[command, &["--time", "1"][..]].concat());
            assert!(done.is_orderly(), "{name} {command:?}: {}", done.output.stderr);
            // The program is loaded and ended by a busy machine.
            assert!(done.time < Duration::from_secs(6), "{name} {command:?}: {:?}", done.time);
        }
    }
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn what_is_ended_early_says_so() {
    let folder = folder("early");
    write(&folder, "a.puml", &"a -> b : m\n".repeat(200_000));
    let done = run(&folder, &["check", "a.puml", "--time", "0.2"]);
    assert_eq!(done.output.code, Some(3));
    assert!(done.output.stderr.contains("the time is over (--time 0.2)"), "{}", done.output.stderr);
    let done = run(&folder, &["render", "a.puml", "--to", "svg", "-o", "a.svg", "--memory", "80"]);
    assert_eq!(done.output.code, Some(3));
    assert!(done.output.stderr.contains("no more memory (--memory 80)"), "{}", done.output.stderr);
    assert_eq!(crate::names(&folder), ["a.puml"]);
    std::fs::remove_dir_all(folder).expect("it is there");
}

/// A few steps of a long diagram take no longer than reading it, and what was done of a long run is told.
#[test]
fn long_diagrams_are_simulated() {
    let folder = folder("simulated");
    let text: String = (0..3_000).map(|number| format!("a -> b : m{number}\n")).collect();
    write(&folder, "a.puml", &text);
    let done = run(&folder, &["simulate", "a.puml", "--seed", "1", "--time", "20"]);
    assert_eq!(done.output.code, Some(0), "{}", done.output.stderr);
    assert!(done.output.stdout.contains("ended after the last of --steps"), "{}", done.output.stdout);
    write(&folder, "endless.puml", "loop (inf)\na -> b : m1\nend\n");
    let done =
        run(&folder, &["simulate", "endless.puml", "--seed", "1", "--steps", "1000000000", "--time", "1"]);
    assert_eq!(done.output.code, Some(3), "{}", done.output.stderr);
    assert!(done.output.stdout.contains("!a->b:m1\n"), "what was done is told");
    assert!(done.output.stderr.contains("steps were not taken"), "{}", done.output.stderr);
    std::fs::remove_dir_all(folder).expect("it is there");
}

/// What was found until the time is over is told, and what was not looked at.
#[test]
fn what_is_found_until_then_is_told() {
    let folder = folder("until");
    write(&folder, "a.puml", "@startuml\na -> b : m\nnobody knows this\n@enduml\n");
    for number in 0..60 {
        write(&folder, &format!("b{number}.puml"), &"a -> b : m\n".repeat(20_000));
    }
    let done = run(&folder, &["check", ".", "--time", "4", "--format", "concise"]);
    assert!(done.is_orderly(), "{}", done.output.stderr);
    assert_eq!(done.output.code, Some(1), "an error was found: {}", done.output.stderr);
    assert!(done.output.stdout.contains("a.puml:3:1: E101"), "{}", done.output.stdout);
    assert!(done.output.stderr.contains("files were not read"), "{}", done.output.stderr);
    // What was not read is not missed: nothing else is said of the diagrams.
    assert_eq!(done.output.stdout.lines().count(), 1, "{}", done.output.stdout);
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn files_without_end_are_not_read_to_it() {
    let folder = folder("endless");
    write(&folder, "a.puml", "a -> b : m\n");
    let commands: &[&[&str]] = &[
        &["check", "/dev/zero"],
        &["check", "a.puml", "--config", "/dev/zero"],
        &["check", "a.puml", "--baseline", "/dev/zero"],
        &["diff", "a.puml", "/dev/zero"],
        &["merge", "a.puml", "a.puml", "/dev/zero"],
    ];
    for command in commands {
        let done = run(&folder, command);
        assert!(done.is_orderly(), "{command:?}: {}", done.output.stderr);
        let told = done.output.stdout + &done.output.stderr;
        assert!(told.contains("too large") || told.contains("not a regular file"), "{command:?}: {told}");
    }
    std::fs::remove_dir_all(folder).expect("it is there");
}

/// A named pipe that nobody writes to is never waited for, wherever it stands; what a shell puts in place of `<(command)` is read.
#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let folder = folder("pipes");
    write(&folder, "a.puml", "@startuml\n!include pipe.iuml\na -> b : m\n@enduml\n");
    let pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(folder.join(name)).status();
        assert!(made.is_ok_and(|status| status.success()));
    };
    pipe("pipe.iuml");
    let sentence = "not a regular file";
    let commands: &[&[&str]] = &[
        &["check", "."],
        &["check", "a.puml"],
        &["check", "pipe.iuml"],
        &["check", "a.puml", "--config", "pipe.iuml"],
        &["check", "a.puml", "--baseline", "pipe.iuml"],
        &["diff", "a.puml", "pipe.iuml"],
        &["merge", "a.puml", "pipe.iuml", "a.puml"],
        &["generate", "sat", "pipe.iuml"],
    ];
    for command in commands {
        let done = run(&folder, command);
        let told = format!("{}{}", done.output.stdout, done.output.stderr);
        assert!(done.is_orderly() && done.output.code != Some(0), "{command:?}: {told}");
        assert!(told.contains(sentence), "{command:?}: {told}");
        assert!(done.time < Duration::from_secs(20), "{command:?}: {:?}", done.time);
    }
    pipe("sequent.toml");
    let done = run(&folder, &["check", "."]);
    assert_eq!(done.output.code, Some(2), "{}", done.output.stderr);
    assert!(done.output.stderr.contains(sentence), "{}", done.output.stderr);
    std::fs::remove_file(folder.join("sequent.toml")).expect("it is there");
    let piped = "printf '@startuml\\na -> b : m\\n@enduml\\n' | \"$0\" traces /dev/stdin";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", piped, env!("CARGO_BIN_EXE_sequent")]).current_dir(&folder);
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn settings_ask_for_no_more_than_there_is() {
    let folder = folder("settings");
    let machines = "@startuml A\n[*] --> s\ns --> s : go / b.ping\n@enduml\n\
                    @startuml B\n[*] --> t\nt --> t : ping / a.go\n@enduml\n";
    write(&folder, "a.puml", machines);
    for capacity in ["0", "-1", "1001", "4294967295", "99999999999999999999", "1.5"] {
        let settings = format!("[system]\ncapacity = {capacity}\nobjects = {{ a = \"A\", b = \"B\" }}\n");
        write(&folder, "sequent.toml", &settings);
        let done = run(&folder, &["check", ".", "--format", "concise"]);
        assert!(
            done.is_orderly() && done.output.stdout.contains("E404"),
            "{capacity}: {}",
            done.output.stdout
        );
        std::fs::remove_file(folder.join("sequent.toml")).expect("it is there");
        let done = run(&folder, &["check", ".", "--set", &format!("system.capacity={capacity}")]);
        assert_eq!(done.output.code, Some(2), "{capacity}: {}", done.output.stderr);
    }
    for communication in ["queue", "bag"] {
        let system = format!("[system]\ncapacity = 1000\ncommunication = \"{communication}\"\n");
        write(&folder, "sequent.toml", &(system + "objects = { a = \"A\", b = \"B\" }\n"));
        assert!(run(&folder, &["check", ".", "--time", "20"]).is_orderly(), "{communication}");
    }
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn patterns_of_settings_are_bounded() {
    let folder = folder("patterns");
    write(&folder, "a.puml", "a -> b : m\n");
    let nested = |depth: usize| format!("{}b{}", "{a,".repeat(depth), "}".repeat(depth));
    for pattern in [nested(300), nested(3_000), "*a".repeat(400), "*a".repeat(40_000), "[".to_owned()] {
        for settings in [
            format!("exclude = [\"{pattern}\"]\n"),
            format!("[lint.paths.\"{pattern}\"]\nallow = [\"W201\"]\n"),
        ] {
            write(&folder, "sequent.toml", &settings);
            let done = run(&folder, &["check", ".", "--format", "concise"]);
            assert!(done.is_orderly(), "{}", done.output.stderr);
        }
        assert!(run(&folder, &["check", &format!("{pattern}*")]).is_orderly(), "{}", pattern.len());
    }
    std::fs::remove_dir_all(folder).expect("it is there");
}
