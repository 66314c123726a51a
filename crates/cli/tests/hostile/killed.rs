//! A command that is killed while it writes: afterwards there is the old file or the new one, never half of it, and nothing that stays.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{folder, names, run, write};

const BASE: &str = "@startuml\na -> b : one\n@enduml\n";
const OURS: &str = "@startuml\na -> b : one\na -> b : two\n@enduml\n";
const THEIRS: &str = "@startuml\na -> b : zero\na -> b : one\n@enduml\n";

/// Commands that write, each with a file that may be there before.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["render", "ours.puml", "-o", "out/a.svg"], "a.svg"),
    (&["render", "ours.puml", "-o", "out/a.txt"], "a.txt"),
    (&["export", "ours.puml", "--to", "promela", "-o", "out/a.pml"], "a.pml"),
    (&["merge", "base.puml", "ours.puml", "theirs.puml", "-o", "out/a.puml"], "a.puml"),
    (&["check", "ours.puml", "--baseline", "out/a.json", "--update-baseline"], "a.json"),
    (&["check", "ours.puml", "-o", "out/a.txt", "--report", "sarif=out/a.sarif"], "a.sarif"),
    (&["check", "ours.puml", "--ltl", "G !sent(two)", "--runs", "out"], "ours-G-sent-two.svg"),
    (&["simulate", "ours.puml", "--seed", "1", "-o", "out/b.svg"], "b.svg"),
    (&["man", "--dir", "out"], "sequent.1"),
];

/// The files in a folder.
fn read(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let whole = |name: String| std::fs::read(folder.join(&name)).map(|bytes| (name, bytes));
    names(folder).into_iter().map(|name| whole(name).expect("a readable file")).collect()
}

#[test]
fn killed_commands_leave_whole_files() {
    let folder = folder("killed");
    for (name, text) in [("base", BASE), ("ours", OURS), ("theirs", THEIRS)] {
        write(&folder, &format!("{name}.puml"), text);
    }
    let out = folder.join("out");
    // What each command writes, and how long it takes.
    let whole: Vec<_> = COMMANDS
        .iter()
        .map(|(arguments, _)| {
            let _ = std::fs::remove_dir_all(&out);
            std::fs::create_dir(&out).expect("a writable folder");
            let done = run(&folder, arguments);
            assert!(done.is_orderly(), "{arguments:?}: {}", done.output.stderr);
            let new = read(&out);
            assert!(!new.is_empty(), "{arguments:?}: {}", done.output.stderr);
            (new, done.time)
        })
        .collect();
    let (mut counts, mut between) = ([0; 3], 0);
    for seed in seeds(200) {
        let mut random = Random::new(seed);
        let number = random.below(COMMANDS.len());
        let ((arguments, file), (new, time)) = (COMMANDS[number], &whole[number]);
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).expect("a writable folder");
        let old = random.percent(50).then(|| b"{}".to_vec());
        if let Some(old) = &old {
            std::fs::write(out.join(file), old).expect("a writable file");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
        command.args(arguments).current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let most = usize::try_from(time.as_micros()).expect("a short time").max(1);
        std::thread::sleep(Duration::from_micros(random.below(most) as u64));
        // It may have ended.
        let _ = child.kill();
        child.wait().expect("it ends");
        let found = read(&out);
        let (left, found): (BTreeMap<_, _>, _) =
            found.into_iter().partition(|(name, _)| name.starts_with(".sequent-"));
        for (name, bytes) in &found {
            let is_old = name == file && Some(bytes) == old.as_ref();
            assert!(is_old || Some(bytes) == new.get(name), "{arguments:?}: half of {name}");
        }
        if !left.is_empty() {
            // Linux cannot put a file without a name in the place of another in one call: one that is killed between the two leaves a
            // name, which the next file that is written there removes.
            assert!(old.is_some() && left.len() == 1, "{arguments:?}: {:?}", left.keys());
            assert!(run(&folder, arguments).is_orderly(), "{arguments:?}");
            assert!(!names(&out).iter().any(|name| name.starts_with(".sequent-")), "{arguments:?}");
            between += 1;
        }
        let kept = usize::from(old.is_some());
        counts[if found == *new { 2 } else { usize::from(found.len() > kept) }] += 1;
    }
    let count: usize = counts.iter().sum();
    assert!(between * 10 <= count, "{between} of {count} killed commands left a name");
    eprintln!("killed commands: {counts:?}, {between} of them while a file was replaced");
    std::fs::remove_dir_all(folder).expect("it is there");
}
