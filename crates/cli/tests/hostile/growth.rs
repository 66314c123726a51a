//! Small files that stand for something without end: each is read, refused or cut with a finding, and soon.

use crate::{Done, folder, run, write};

/// Runs a command on a diagram.
fn with(name: &str, text: &str, arguments: &[&str]) -> Done {
    let folder = folder(name);
    write(&folder, "a.puml", text);
    let done = run(&folder, arguments);
    assert!(done.is_orderly(), "{name} {arguments:?}: {:?}\n{}", done.output.code, done.output.stderr);
    std::fs::remove_dir_all(folder).expect("it is there");
    done
}

/// Diagrams that each refer to the next, so many times.
fn referring(count: usize, times: usize) -> String {
    let next = |number: usize| format!("ref over a, b : d{}\n", number + 1).repeat(times);
    let all = (0..count).map(|number| format!("@startuml d{number}\na -> b : m\n{}@enduml\n", next(number)));
    all.collect::<String>() + &format!("@startuml d{count}\na -> b : last\n@enduml\n")
}

#[test]
fn a_long_chain_of_references_is_cut() {
    let done =
        with("chain", &referring(2_600, 1), &["check", "a.puml", "--format", "concise", "--time", "60"]);
    // The longest that are followed reach as deep as blocks may.
    assert_eq!(done.output.stdout.matches("E232").count(), 2_400, "{}", done.output.stderr);
    assert_eq!(done.output.code, Some(1));
    for arguments in [&["traces", "a.puml", "--interaction", "d2500"][..], &["ast", "a.puml"]] {
        with("chain-other", &referring(2_600, 1), arguments);
    }
}

#[test]
fn references_that_double_are_cut() {
    let done = with("double", &referring(41, 2), &["check", "a.puml", "--format", "concise"]);
    // From the first that is too much on, both references of every diagram are cut.
    let cut = done.output.stdout.lines().filter(|line| line.contains("E232")).count();
    assert!((40..82).contains(&cut), "{}", done.output.stdout);
    assert!(!done.output.stdout.contains("W214"), "{}", done.output.stdout);
}

#[test]
fn references_in_circles_are_cut() {
    let all: Vec<usize> = (0..14).collect();
    let body = all.iter().map(|other| format!("opt\nref over a, b : d{other}\nend\n")).collect::<String>();
    let text = all.iter().map(|one| format!("@startuml d{one}\na -> b : m\n{body}@enduml\n"));
    let outer = "@startuml outer\nref over a, b : d3\n@enduml\n";
    let text = text.collect::<String>() + outer;
    let done = with("circles", &text, &["check", "a.puml", "--format", "concise"]);
    assert_eq!(done.output.stdout.matches("E215").count(), 14 * 14 + 1, "{}", done.output.stdout);
    let ring = (0..1_000).map(|one| {
        format!("@startuml d{one}\na -> b : m\nref over a, b : d{}\n@enduml\n", (one + 1) % 1_000)
    });
    let done = with("ring", &ring.collect::<String>(), &["check", "a.puml", "--format", "concise"]);
    assert_eq!(done.output.stdout.matches("E215").count(), 1_000);
}

#[test]
fn deep_blocks_are_cut() {
    let nested = |open: &str| format!("{}a -> b : m\n{}", open.repeat(5_000), "end\n".repeat(5_000));
    for open in ["group consider {m}\n", "alt x\n", "loop (2,3)\n", "par\n"] {
        let done = with("deep", &nested(open), &["check", "a.puml", "--format", "concise"]);
        assert!(done.output.stdout.contains("E118"), "{open}: {}", done.output.stdout);
    }
    for text in [
        format!("alt {}x{}\na -> b : m\nend\n", "(".repeat(50_000), ")".repeat(50_000)),
        format!("alt {}x\na -> b : m\nend\n", "!".repeat(50_000)),
        format!("' @ltl {}sent(m)\na -> b : m\n", "X ".repeat(20_000)),
        "!function $f($n)\n!return $f($n+1)\n!endfunction\na -> b : $f(1)\n".to_owned(),
        (0..3_000).map(|number| format!("state s{number} {{\n")).collect::<String>() + &"}\n".repeat(3_000),
        ">".repeat(20_000),
    ] {
        with("deep-other", &text, &["check", "a.puml", "--format", "concise"]);
    }
}

#[test]
fn loops_have_any_bound() {
    for bounds in ["(0,4294967295)", "(4294967295,4294967295)", "(0,99999999999999999999)", "(-1,5)"] {
        let text = format!("loop {bounds}\na -> b : m\nend\n");
        for arguments in [&["check", "a.puml"][..], &["simulate", "a.puml", "--seed", "1"]] {
            with("loop", &text, arguments);
        }
        let done = with("loop-traces", &text, &["traces", "a.puml", "--time", "1"]);
        assert!(done.time.as_secs() < 10, "{:?}", done.time);
    }
}

#[test]
fn long_labels_are_drawn_in_part() {
    let long = "x".repeat(1 << 20);
    let texts = [
        format!("a -> b : {long}\n"),
        format!("participant \"{long}\" as a\na -> b : m\n"),
        format!("a -> b : m\nnote over a : {}\n", "x \\n".repeat(1 << 18)),
        format!("title {long}\nalt {long}\na -> b : m\nend\n"),
    ];
    for text in &texts {
        for to in ["text", "svg"] {
            let done = with("label", text, &["render", "a.puml", "--to", to]);
            assert!(done.output.stdout.contains("more characters)"), "{to}");
            assert!(done.output.stdout.len() < 3 << 20, "{to}: {}", done.output.stdout.len());
        }
    }
}

/// Files that each include the next eight times over, and diagrams that each take very many steps: reading takes not much longer than the files
/// are long, and what is not read is told.
#[test]
fn the_preprocessor_ends_in_all_files_together() {
    let folder = folder("includes");
    for level in 0..8 {
        let next = format!("!include_many l{}.puml\n", level + 1).repeat(8);
        write(&folder, &format!("l{level}.puml"), &format!("@startuml\n{next}@enduml\n"));
    }
    write(&folder, "l8.puml", "@startuml\n!$x = 1\n@enduml\n");
    let done = run(&folder, &["check", ".", "--format", "concise"]);
    assert!(done.is_orderly() && done.output.stdout.contains("E109"), "{}", done.output.stderr);
    std::fs::remove_dir_all(&folder).expect("it is there");
    let endless = "@startuml\n!while 1\n!$x = 1\n!endwhile\n@enduml\n".repeat(200);
    let done = with("endless-loops", &endless, &["check", "a.puml", "--format", "concise"]);
    assert_eq!(done.output.stdout.matches("E109").count(), 200, "{}", done.output.stderr);
    assert!(done.output.stdout.contains("the files together"), "{}", done.output.stdout);
}
