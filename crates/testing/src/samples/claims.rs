//! Random folders of one diagram that is a model and others that forbid or demand something of it. Messages are few, so that
//! they are repeated; fragments of all kinds that have a bound are among them, and messages that are ignored.

use sequent::pipeline::Reading;
use sequent_kernel::id::Id;
use sequent_kernel::random::Random;
use sequent_kernel::source::FileId;
use sequent_kernel::source::Folders;

use crate::diagram;

/// The PlantUML text of a seed. The first diagram is the model.
pub fn text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let [mut model, mut never, mut asserted] = [const { String::new() }; 3];
    for text in [&mut model, &mut never, &mut asserted] {
        block(&mut random, 2, 1, text);
    }
    let above = match random.below(3) {
        0 => String::new(),
        number => format!("{}\n", MESSAGES[number - 1]),
    };
    // What may be ignored is drawn, and so are both types of messages.
    let is_ignored = [&model, &never, &asserted].iter().any(|text| text.contains("{k}"));
    let ignored = if is_ignored { "c ->> a : k\n" } else { "" };
    format!(
        "@startuml Model\n{ignored}{}\n{}\n{model}@enduml\n@startuml Never\ngroup neg\n{never}end\n@enduml\n\
         @startuml Always\n' @consistent\n{above}group assert\n{asserted}end\n@enduml\n",
        MESSAGES[0], MESSAGES[1]
    )
}

/// What a text says, as one folder.
pub fn reading(text: &str) -> Reading {
    Reading::of(diagram::model(text), Folders::from([(FileId::from_index(0), String::new())]))
}

const MESSAGES: &[&str] = &["a ->> b : m", "b ->> c : n", "a ->> b : n", "b ->> a : m", "c ->> b : m(1)"];

/// Appends at most `most` statements one after the other, nested at most `depth` deep.
fn block(random: &mut Random, most: usize, depth: u32, text: &mut String) {
    for _ in 0..=random.below(most) {
        thing(random, depth, text);
    }
}

fn thing(random: &mut Random, depth: u32, text: &mut String) {
    let kind = if depth == 0 { 0 } else { random.below(14) };
    let opening = match kind {
        7 => "opt p",
        8 => "alt p",
        9 => "loop (2,2)",
        10 => "loop (0,2)",
        11 => "par",
        12 => "group ignore {k}",
        13 => "group strict",
        _ => {
            text.push_str(MESSAGES[random.below(MESSAGES.len())]);
            text.push('\n');
            return;
        }
    };
    text.push_str(opening);
    text.push('\n');
    block(random, 2, depth - 1, text);
    if matches!(kind, 8 | 11) {
        text.push_str("else\n");
        block(random, 2, depth - 1, text);
    }
    text.push_str("end\n");
}
