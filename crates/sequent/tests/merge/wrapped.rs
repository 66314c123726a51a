//! Messages that one side drew a block of several operands around, and the other moved: what both sides draw in one order stays so, or the merge
//! is a conflict.

use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::merge;

/// Lines of a diagram, each a message with a number or a line of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    Message(u32),
    Block(&'static str),
}

fn text(lines: &[Line]) -> String {
    let line = |line: &Line| match line {
        Line::Message(number) => format!("a -> b : m{number}\n"),
        Line::Block(text) => format!("{text}\n"),
    };
    format!("@startuml\n{}@enduml\n", lines.iter().map(line).collect::<String>())
}

/// The numbers of the messages, in order.
fn row(text: &str) -> Vec<u32> {
    let name = |line: &str| line.split_once(": m").and_then(|(_, number)| number.trim().parse().ok());
    text.lines().filter_map(name).collect()
}

/// Some of the messages in the first operand of a block, and new ones in the second.
fn wrapped(base: &[u32], dice: &mut Random) -> Vec<Line> {
    let from = dice.below(base.len());
    let to = from + 1 + dice.below(base.len() - from);
    let mut lines: Vec<Line> = base.iter().copied().map(Line::Message).collect();
    let added = (0..1 + dice.below(2)).map(|at| Line::Message(100 + at as u32));
    let mut block = vec![Line::Block(["alt x", "par", "alt y"][dice.below(3)])];
    block.extend(lines[from..to].iter().cloned());
    block.push(Line::Block("else"));
    block.extend(added);
    block.push(Line::Block("end"));
    lines.splice(from..to, block);
    lines
}

fn moved(base: &[u32], dice: &mut Random) -> Vec<Line> {
    let mut numbers = base.to_vec();
    let number = numbers.remove(dice.below(base.len()));
    numbers.insert(dice.below(base.len()), number);
    if dice.below(2) == 0 {
        numbers.insert(dice.below(base.len() + 1), 200);
    }
    numbers.into_iter().map(Line::Message).collect()
}

/// Fails where a clean merge turns around what both sides draw in one order; whether the merge is clean.
fn judge(texts: [&str; 3]) -> Result<bool, String> {
    let found = merge("a.puml", texts[0], texts[1], texts[2]);
    if !found.conflicts.is_empty() {
        return Ok(false);
    }
    let merged = row(&found.text());
    let sides = [row(texts[1]), row(texts[2])];
    for (at, one) in merged.iter().enumerate() {
        for other in &merged[at + 1..] {
            let is_turned = |side: &Vec<u32>| {
                let place = |wanted: &u32| side.iter().position(|number| number == wanted);
                place(one).zip(place(other)).is_some_and(|(one, other)| other < one)
            };
            if sides.iter().all(is_turned) {
                return Err(format!("both sides draw m{other} before m{one}:\n{}", found.text()));
            }
        }
    }
    Ok(true)
}

#[test]
fn what_both_draw_in_one_order_stays_so() {
    let mut clean = 0;
    for seed in seeds(2_000) {
        let mut dice = Random::new(seed);
        let base: Vec<u32> = (0..3 + dice.below(3) as u32).collect();
        let plain: Vec<Line> = base.iter().copied().map(Line::Message).collect();
        let (ours, theirs) = (wrapped(&base, &mut dice), moved(&base, &mut dice));
        let texts = [&plain, &ours, &theirs].map(|lines| text(lines));
        for order in [[0, 1, 2], [0, 2, 1]] {
            match judge(order.map(|version| texts[version].as_str())) {
                Ok(is_clean) => clean += usize::from(is_clean),
                Err(reason) => panic!("seed {seed}\n{}\n{reason}", texts.join("\n")),
            }
        }
    }
    assert!(clean > 1_000, "most can be merged: {clean}");
}
