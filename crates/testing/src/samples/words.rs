//! Diagrams whose names mean something to other languages: keywords, macros of C, and words of what is written around them.

/// Keywords of Promela, NuSMV and C, macros of C headers and of the verifiers that SPIN writes, and words of our own models.
const WORDS: &[&str] = &[
    "errno",
    "linux",
    "unix",
    "max",
    "BAD",
    "ENOENT",
    "NULL",
    "stdin",
    "SYNC",
    "WS",
    "now",
    "rand",
    "qptr",
    "main",
    "int",
    "long",
    "register",
    "union",
    "continue",
    "switch",
    "chan",
    "mtype",
    "never",
    "ltl",
    "timeout",
    "inline",
    "pid",
    "run",
    "proctype",
    "skip",
    "next",
    "init",
    "self",
    "case",
    "esac",
    "MODULE",
    "TRUE",
    "LTLSPEC",
    "E",
    "G",
    "U",
    "X",
    "mod",
    "word",
    "xor",
    "process",
    "array",
    "boolean",
    "send",
    "receive",
    "start",
    "phase",
    "msg",
    "over",
    "state",
    "chosen",
    "enabled",
    "stuck",
    "finished",
    "beat",
    "m0",
    "done0",
    "watch1",
    "happens",
    "conditions",
    "op1",
    "event",
    "step",
    "memory",
];

/// One diagram for each word, which is a lifeline, a message and a guard, beside the next two.
pub fn diagrams() -> Vec<String> {
    let around = WORDS.iter().cycle();
    let groups = WORDS.iter().zip(around.clone().skip(1)).zip(around.skip(2)).step_by(3);
    let diagram = |((one, two), three): ((&&str, &&str), &&str)| {
        format!(
            "@startuml\n' @ltl G (sent({one}) -> F received({one}))\n{one} ->> {two} : {one}\nopt {three}\n\
             {two} ->> {three} : {two}\nend\n{three} ->> {one} : {three}\n@enduml\n"
        )
    };
    groups.map(diagram).collect()
}

/// One state machine for each word, which is the object, a state and a message.
pub fn machines() -> Vec<(String, String)> {
    let groups = WORDS.iter().zip(WORDS.iter().cycle().skip(1)).step_by(4);
    let machine = |(one, two): (&&str, &&str)| {
        let text = format!("@startuml\nstate {two}\n[*] --> {two}\n{two} --> {two} : {one}\n@enduml\n");
        ((*one).to_owned(), text)
    };
    groups.map(machine).collect()
}
