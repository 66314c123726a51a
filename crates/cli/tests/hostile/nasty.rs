//! Random inputs of the worst kind, given to every command: each run ends by itself, within its limits.
//!
//! A case is one file. Files are made from lines that mean something to a reader, with numbers, names and nesting that no person
//! would write, in any order and cut anywhere. Commands take many files at once, so that thousands of cases are looked at in seconds.

use std::time::Duration;

use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{folder, run, write};

/// How many files a command is given at once.
const FILES: usize = 34;

/// The commands that take files; those that look at one diagram are given one file.
const ALL: &[&[&str]] = &[
    &["check", "."],
    &["check", ".", "--format", "json", "--draw"],
    &["check", ".", "--engine", "all", "--within", "5"],
    &["ast", "."],
    &["render", ".", "--to", "svg", "-o", "out"],
    &["render", ".", "--to", "text"],
    &["render", ".", "--to", "plantuml"],
    &["export", ".", "--to", "ltl"],
    &["export", ".", "--to", "promela"],
    &["export", ".", "--to", "nusmv"],
];
const ONE: &[&[&str]] = &[
    &["traces"],
    &["traces", "--list", "--max", "5"],
    &["simulate", "--seed", "3", "--steps", "20"],
    &["export", "--to", "cspm"],
    &["export", "--to", "hoa"],
    &["export", "--to", "dot"],
    &["reach", "--goal", "a.s"],
];

/// Names that mean something elsewhere, or nothing anywhere.
const NAMES: &[&str] = &[
    "a",
    "b",
    "s",
    "errno",
    "linux",
    "unix",
    "int",
    "init",
    "MODULE",
    "TRUE",
    "STOP",
    "self",
    "true",
    "*",
    "-x",
    "::error::",
    "\u{202e}evil",
    "\u{1b}[2J",
    "a b",
    "\"q\"",
    "é",
    "\u{1f6aa}",
    "__proto__",
    "%%",
    "$x",
    "{}",
];

/// Numbers at the ends of what fits.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "3",
    "-1",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "99999999999999999999",
    "*",
];

/// Lines; `N` is a name, `#` a number, `R` a repeated word.
const LINES: &[&str] = &[
    "@startuml N",
    "@enduml",
    "@startuml",
    "N -> N : N",
    "N -->> N : N(#, N)",
    "N ->> N : N",
    "[-> N : N",
    "N ->]",
    "participant \"R\" as N",
    "activate N",
    "deactivate N",
    "destroy N",
    "return N",
    "create N",
    "alt N > #",
    "else N",
    "opt N",
    "par",
    "and",
    "loop (#,#)",
    "loop # times",
    "loop (inf)",
    "break N",
    "critical",
    "group neg",
    "group assert",
    "group consider {N, N}",
    "group ignore {N}",
    "group strict",
    "group coregion",
    "group sloop (#,#)",
    "group not",
    "end",
    "end",
    "end",
    "ref over N, N : N",
    "ref over N : N",
    "note over N : {N == #}",
    "hnote over N : N > #",
    "note left\nR\nend note",
    "== R ==",
    "...",
    "autonumber # # \"R\"",
    "title R",
    "' @ltl G (sent(N) -> F received(N))",
    "' @ltl R",
    "' @required",
    "' @forbidden anchor=start",
    "' @expect E#",
    "' @allow W201",
    "' @order !N < ?N",
    "' @assert",
    "' @ignore {N}",
    "box N",
    "end box",
    "[*] --> N",
    "N --> N : N [N > #] / N := N + #; N.N(#)",
    "N --> [*]",
    "state N {",
    "}",
    "--",
    "state N <<fork>>",
    "state N <<history>>",
    "state N <<choice>>",
    "N --> N : after(#)",
    "N : entry / N",
    "class N {",
    "N : #..#",
    "N(x : int)",
    "N \"#\" -- \"#..#\" N",
    "object \"N : N\" as N",
    "!define N R",
    "!$x = \"R\" + $x",
    "!while #",
    "!endwhile",
    "!if (N)",
    "!endif",
    "!procedure $N($x)",
    "!endprocedure",
    "!function $N($x)",
    "!return $N($x)",
    "!endfunction",
    "$N(#)",
    "!include N",
    "!include /etc/passwd",
    "!foreach $x in N",
    "!endfor",
    "skinparam N N",
    "sequenceDiagram",
    "stateDiagram-v2",
    "classDiagram",
    "N->>+N: N",
    "N-->>-N: N",
    "rect rgb(#,#,#)",
    "```mermaid",
    "```plantuml",
    "```",
    "# R",
    "> > > R",
    "- - - R",
    "~~~",
    "%% @neg",
    "%%{init: {N: #}}%%",
    "R",
];

fn line(random: &mut Random) -> String {
    let mut text = String::new();
    for next in random.pick(LINES).copied().unwrap_or_default().chars() {
        match next {
            'N' => text += random.pick(NAMES).copied().unwrap_or_default(),
            '#' => text += random.pick(NUMBERS).copied().unwrap_or_default(),
            'R' => {
                let word =
                    random.pick(&["x", "( ", "! ", "X ", "& ", "**", "<b>", "\\n", "$x", ">", "[", "{"]);
                let times = random.pick(&[1, 3, 50, 3_000]).copied().unwrap_or_default();
                text += &word.copied().unwrap_or_default().repeat(times);
            }
            other => text.push(other),
        }
    }
    text
}

/// A text: mostly of one kind, with some lines many times.
fn text(random: &mut Random) -> String {
    let starts =
        ["@startuml\n", "sequenceDiagram\n", "stateDiagram-v2\n", "# x\n\n```plantuml\n", "", "a -> b : m\n"];
    let mut text = random.pick(&starts).copied().unwrap_or_default().to_owned();
    for _ in 0..random.between((1, 25)) {
        let line = line(random) + "\n";
        let times = if random.percent(4) { 300 } else { 1 };
        text += &line.repeat(times);
    }
    if random.percent(10) {
        let cut = (0..=random.below(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(cut.unwrap_or(0));
    }
    text
}

fn settings(random: &mut Random) -> String {
    let lines = [
        "[system]",
        "capacity = #",
        "communication = \"bag\"",
        "communication = \"queue\"",
        "objects = { a = \"N\" }",
        "links = [[\"a\", \"b\"]]",
        "[[check]]",
        "ltl = \"F sent(m)\"",
        "reachable = \"a.s\"",
        "within = #",
        "name = \"N\"",
        "[lint]",
        "deny = [\"W\"]",
        "exclude = [\"N\"]",
    ];
    let mut text = String::new();
    for _ in 0..random.below(8) {
        let line = random.pick(&lines).copied().unwrap_or_default();
        let number = random.pick(NUMBERS).copied().unwrap_or_default();
        text += &line.replace('#', number).replace('N', "a");
        text.push('\n');
    }
    text
}

#[test]
fn every_command_survives_nasty_files() {
    let folder = folder("nasty");
    let (mut cases, mut commands) = (0, 0);
    for seed in seeds(60) {
        let mut random = Random::new(seed);
        for file in 0..FILES {
            let ending = random.pick(&["puml", "mmd", "md"]).copied().unwrap_or_default();
            for old in ["puml", "mmd", "md"] {
                let _ = std::fs::remove_file(folder.join(format!("f{file}.{old}")));
            }
            write(&folder, &format!("f{file}.{ending}"), &text(&mut random));
        }
        write(&folder, "sequent.toml", &settings(&mut random));
        let files = crate::names(&folder);
        let one = files.iter().find(|name| name.starts_with('f')).cloned().unwrap_or_default();
        let (command, read) = match random.percent(60) {
            true => (ALL[seed as usize % ALL.len()].to_vec(), FILES),
            false => {
                let words = ONE[seed as usize % ONE.len()];
                ([&words[..1], &[one.as_str()], &words[1..]].concat(), 1)
            }
        };
        let done = run(&folder, &[&command, &["--time", "2", "--memory", "500"][..]].concat());
        assert!(done.is_orderly(), "{command:?}: {:?}\n{}", done.output.code, done.output.stderr);
        assert!(done.time < Duration::from_secs(15), "{command:?}: {:?}", done.time);
        cases += read;
        commands += 1;
    }
    eprintln!("{commands} commands read {cases} nasty files");
    std::fs::remove_dir_all(folder).expect("it is there");
}
