//! One slip in a diagram, one finding: the lines of good diagrams are misspelt, left out or doubled, and what is told is rarely
//! nothing or a flood.

use sequent::effort::Effort;
use sequent::{pipeline, settings};
use sequent_kernel::diagnostic::Severity;
use sequent_kernel::source::Sources;
use sequent_notation::NoFiles;

const ORDER: &str = "@startuml Order
title Order a book
actor Customer as C
participant \"Web Shop\" as W
participant Stock
C -> W : order(book)
activate W
W -> Stock : reserve
alt in stock
  Stock --> W : reserved
  opt new customer
    W -> W : register
  end
else sold out
  Stock --> W : none
end
note over W, Stock
  all of it is logged
end note
loop 3 times
  W ->> C : news
end
W --> C : done
deactivate W
ref over C, W
  see the manual
end ref
@enduml
";

const LOGIN: &str = "sequenceDiagram
  autonumber
  actor C as Customer
  participant W as Web Shop
  box Blue Inner
    participant S as Stock
  end
  C->>W: order(book)
  activate W
  W->>+S: reserve
  alt in stock
    S-->>W: reserved
    opt new customer
      W->>W: register
    end
  else sold out
    S-->>W: none
  end
  deactivate S
  Note over W,S: all of it is logged
  loop three times
    W-)C: news
  end
  critical connect
    W->>S: connect
  option timeout
    W->>C: sorry
  end
  rect rgb(200, 150, 255)
    C->>W: more
  end
  W-->>C: done
  deactivate W
";

const DOOR: &str = "@startuml Door
title The door
[*] --> Closed
state Open {
  [*] --> Narrow
  Narrow --> Wide : push
  Wide --> Narrow : pull
}
state \"Locked up\" as Locked
Closed --> Open : open
Open --> Closed : close
Closed --> Locked : lock
Locked --> Closed : unlock
note left of Locked
  nobody enters
end note
@enduml
";

const GATE: &str = "stateDiagram-v2
  [*] --> Closed
  state Open {
    [*] --> Narrow
    Narrow --> Wide : push
    Wide --> Narrow : pull
  }
  state \"Locked up\" as Locked
  Closed --> Open : open
  Open --> Closed : close
  Closed --> Locked : lock
  Locked --> Closed : unlock
";

const ACCOUNTS: &str = "@startuml
title Classes
abstract class Account {
  +id : int
  +deposit(amount : int) : boolean
}
class Savings extends Account {
  rate : int
}
enum Kind {
  Private
  Business
}
Account <|-- Checking
Account \"1\" --> \"0..*\" Booking : holds
package bank {
  class Branch
}
Branch o-- Account
@enduml
";

const BOOKS: &str = "classDiagram
  class Account {
    <<abstract>>
    +int id
    +deposit(int amount) boolean
  }
  class Savings
  Account <|-- Savings
  class Audited {
    <<interface>>
    audit()
  }
  Audited <|.. Account
  Account \"1\" --> \"0..*\" Booking : holds
  namespace bank {
    class Branch
  }
  Branch o-- Account
";

const DIAGRAMS: [(&str, &str); 6] = [
    ("a.puml", ORDER),
    ("a.mmd", LOGIN),
    ("a.puml", DOOR),
    ("a.mmd", GATE),
    ("a.puml", ACCOUNTS),
    ("a.mmd", BOOKS),
];

/// What is told about a text above a hint: code and line.
fn told(name: &str, text: &str) -> Vec<(String, u32)> {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let given = settings::Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &given);
    let outcome = pipeline::check(&reading, &given, &Effort::default());
    let found = outcome.diagnostics.iter().filter(|one| one.severity != Severity::Hint);
    found.map(|one| (one.name(), sources.position(one.span).line)).collect()
}

/// Asserts that variants of diagrams get one finding each; at most one in eight has none or several.
fn one_finding(slip: impl Fn(&str, &[&str], usize) -> Option<String>) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, text) in DIAGRAMS {
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let Some(changed) = slip(name, &lines, at) else { continue };
            let found = told(name, &changed);
            count += 1;
            if found.len() != 1 {
                wrong.push(format!("{name}:{}: `{}`: {found:?}", at + 1, lines[at].trim()));
            }
        }
    }
    assert!(wrong.len() * 8 <= count, "{} of {count} slips:\n{}", wrong.len(), wrong.join("\n"));
}

/// The lines with another text in place of one of them; none where it is empty.
fn with(lines: &[&str], at: usize, text: &str) -> String {
    let line = |(number, line): (usize, &&str)| match number == at {
        true if text.is_empty() => String::new(),
        true => format!("{text}\n"),
        false => format!("{line}\n"),
    };
    lines.iter().enumerate().map(line).collect()
}

/// Words that begin statements, as the diagrams have them.
const KEYWORDS: &[&str] = &[
    "actor",
    "participant",
    "activate",
    "deactivate",
    "alt",
    "opt",
    "else",
    "note",
    "loop",
    "critical",
    "option",
    "rect",
    "box",
    "state",
    "abstract",
    "class",
    "enum",
    "package",
    "namespace",
    "title",
    "autonumber",
];

#[test]
fn diagrams_without_slips_are_fine() {
    for (name, text) in DIAGRAMS {
        assert_eq!(told(name, text), Vec::new(), "{text}");
    }
}

#[test]
fn a_misspelt_keyword() {
    one_finding(|_, lines, at| {
        let line = lines[at].trim_start();
        let word = line.split(' ').next().filter(|word| KEYWORDS.contains(&word.to_lowercase().as_str()))?;
        // Two letters change places: the second and the third.
        let letters: Vec<char> = word.chars().collect();
        let swapped: String = [letters[0], letters[2], letters[1]].iter().chain(&letters[3..]).collect();
        let changed =
            swapped != word && !line.starts_with("class Savings") && !line.starts_with("class Branch");
        changed.then(|| with(lines, at, &format!("  {swapped}{}", &line[word.len()..])))
    });
}

#[test]
fn a_class_that_is_misspelt_in_mermaid() {
    let found = told("a.mmd", &BOOKS.replace("class Savings", "calss Savings"));
    assert_eq!(found, vec![("W101".to_owned(), 7)]);
}

#[test]
fn a_missing_end() {
    one_finding(|_, lines, at| {
        let line = lines[at].trim();
        ["end", "}", "end note"].contains(&line).then(|| with(lines, at, ""))
    });
}

#[test]
fn an_end_too_many() {
    one_finding(|_, lines, at| {
        let line = lines[at].trim();
        ["end", "}"].contains(&line).then(|| with(lines, at, &format!("{line}\n{line}")))
    });
}

#[test]
fn an_end_with_a_sign_behind_it() {
    one_finding(|name, lines, at| {
        let line = lines[at].trim();
        let ends = ["end", "}", "end note"].contains(&line) && name.ends_with("puml");
        ends.then(|| with(lines, at, &format!("{line};")))
    });
}

#[test]
fn a_missing_brace() {
    one_finding(|_, lines, at| {
        let bare = lines[at].strip_suffix(" {")?;
        Some(with(lines, at, bare))
    });
}

#[test]
fn a_line_of_prose() {
    one_finding(|_, lines, at| {
        let is_text =
            |line: &str| ["all of", "see the", "nobody"].iter().any(|start| line.trim().starts_with(start));
        // In bodies of classes, and in notes, every line is taken.
        let before = lines[..at].iter().rev().find(|line| line.contains(['{', '}']) || line.contains("end"));
        let in_body = lines[0] == "@startuml" || lines[0] == "classDiagram";
        let in_text = is_text(lines[at]) || at > 0 && is_text(lines[at - 1]);
        let in_body = in_body && before.is_some_and(|line| line.ends_with('{'));
        (at > 0 && !in_text && !in_body)
            .then(|| with(lines, at, &format!("oops this is text\n{}", lines[at])))
    });
}

#[test]
fn signs_that_mermaid_takes_for_states() {
    let told_of = |text: &str| told("a.mmd", &GATE.replacen("[*] --> Closed", text, 1));
    assert_eq!(told_of("[*] ==> Closed"), vec![("W105".to_owned(), 2)]);
    assert_eq!(told_of("[*] –> Closed"), vec![("W105".to_owned(), 2)]);
    assert_eq!(told_of("[*] --> Closed;"), vec![("W101".to_owned(), 2)]);
}
