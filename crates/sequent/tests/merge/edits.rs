//! Random edits of nested diagrams: additions, deletions, blocks drawn and taken away, moves, turned arrows. Where a merge is clean, each message is there, once, as the side that changed
//! it has it, in the blocks that the sides want, in the order that they want; and a merge the other way round is clean as well.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::merge;

/// What stands in a diagram.
#[derive(Clone)]
enum Item {
    /// A message, by its number, and whether its arrow is turned.
    Message(usize, bool),
    /// A block, by its number, with its operands.
    Block(usize, Vec<Vec<Item>>),
}

const KEYWORDS: [&str; 5] = ["opt", "loop", "alt", "critical", "group"];

/// Makes items with numbers of their own.
struct Author {
    dice: Random,
    last: usize,
}

impl Author {
    fn number(&mut self) -> usize {
        self.last += 1;
        self.last
    }

    fn block(&mut self, mut content: Vec<Item>) -> Item {
        let number = self.number();
        let mut operands = Vec::new();
        if KEYWORDS[number % KEYWORDS.len()] == "alt" && self.dice.below(2) == 0 {
            operands.push(content.split_off(self.dice.below(content.len() + 1)));
        }
        operands.insert(0, content);
        Item::Block(number, operands)
    }

    fn items(&mut self, count: usize, depth: usize) -> Vec<Item> {
        let mut items = Vec::new();
        let mut left = count;
        while left > 0 {
            let inside = 1 + self.dice.below(left);
            if depth < 2 && left > 1 && self.dice.below(5) == 0 {
                let content = self.items(inside, depth + 1);
                items.push(self.block(content));
                left -= inside;
            } else {
                items.push(Item::Message(self.number(), false));
                left -= 1;
            }
        }
        items
    }

    /// Edits one of the lists of a diagram.
    fn edit(&mut self, items: &mut Vec<Item>, kind: &str) {
        let at = self.dice.below(count_lists(items));
        let list = list(items, &mut at.clone()).expect("the list was counted");
        let place = self.dice.below(list.len() + 1);
        let is_something = place < list.len();
        match kind {
            "add" => list.insert(place, Item::Message(self.number(), false)),
            "draw" => {
                let count = 1 + self.dice.below(2);
                let content = self.items(count, 2);
                list.insert(place, self.block(content));
            }
            "delete" if is_something => drop(list.remove(place)),
            "wrap" if is_something => {
                let end = (place + 1 + self.dice.below(3)).min(list.len());
                let content = list.splice(place..end, []).collect();
                list.insert(place, self.block(content));
            }
            "unwrap" if is_something => {
                if let Item::Block(_, operands) = list[place].clone() {
                    list.splice(place..=place, operands.concat());
                }
            }
            "move" if is_something => {
                let moved = list.remove(place);
                let mut at = self.dice.below(count_lists(items));
                let to = self::list(items, &mut at).expect("the list was counted");
                to.insert(self.dice.below(to.len() + 1), moved);
            }
            "turn" if is_something => {
                if let Item::Message(_, is_turned) = &mut list[place] {
                    *is_turned = !*is_turned;
                }
            }
            _ => {}
        }
    }
}

fn count_lists(items: &[Item]) -> usize {
    let inner = |item: &Item| match item {
        Item::Message(..) => 0,
        Item::Block(_, operands) => operands.iter().map(|operand| count_lists(operand)).sum(),
    };
    1 + items.iter().map(inner).sum::<usize>()
}

/// The list of this number, in preorder.
fn list<'i>(items: &'i mut Vec<Item>, at: &mut usize) -> Option<&'i mut Vec<Item>> {
    if *at == 0 {
        return Some(items);
    }
    *at -= 1;
    let blocks = items.iter_mut().filter_map(|item| match item {
        Item::Message(..) => None,
        Item::Block(_, operands) => Some(operands),
    });
    for operand in blocks.flatten() {
        let inside = count_lists(operand);
        if *at < inside {
            return list(operand, at);
        }
        *at -= inside;
    }
    None
}

fn print(items: &[Item], text: &mut String) {
    for item in items {
        match item {
            Item::Message(number, false) => text.push_str(&format!("a -> b : m{number}\n")),
            Item::Message(number, true) => text.push_str(&format!("b -> a : m{number}\n")),
            Item::Block(number, operands) => {
                text.push_str(&format!("{} g{number}\n", KEYWORDS[number % KEYWORDS.len()]));
                for (at, operand) in operands.iter().enumerate() {
                    text.push_str(&if at > 0 { format!("else e{number}\n") } else { String::new() });
                    print(operand, text);
                }
                text.push_str("end\n");
            }
        }
    }
}

/// A message of a text: its place, its ends, and the blocks around it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    place: usize,
    ends: String,
    around: BTreeSet<String>,
}

type Messages = BTreeMap<String, Found>;

/// Blocks, each with those around it.
type Blocks = BTreeMap<String, BTreeSet<String>>;

/// The messages of a text without conflicts by their names, and its blocks.
fn read(text: &str) -> (Messages, Blocks) {
    let (mut found, mut blocks, mut open) = (BTreeMap::new(), BTreeMap::new(), Vec::<String>::new());
    for (place, line) in text.lines().enumerate() {
        if let Some((ends, name)) = line.split_once(" : ") {
            let message =
                Found { place, ends: ends.trim().to_owned(), around: open.iter().cloned().collect() };
            let known = found.insert(name.to_owned(), message);
            assert!(known.is_none(), "{name} occurs twice:\n{text}");
        } else if line.trim() == "end" {
            open.pop();
        } else if let Some((_, name)) = line.trim().split_once(" g") {
            blocks.insert(name.to_owned(), open.iter().cloned().collect());
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{text}");
    (found, blocks)
}

/// Says what is wrong with a clean merge of three texts.
fn judge(texts: [&str; 3], merged: &str) -> Result<(), String> {
    let [(base, old_blocks), (ours, our_blocks), (theirs, their_blocks)] = texts.map(read);
    let (result, _) = read(merged);
    for name in base.keys().chain(ours.keys()).chain(theirs.keys()) {
        let [is_old, own, other] = [&base, &ours, &theirs].map(|all| all.contains_key(name));
        let is_wanted = if is_old { own && other } else { own || other };
        if is_wanted != result.contains_key(name) {
            return Err(format!("{name} should {}be there", if is_wanted { "" } else { "not " }));
        }
    }
    for (name, found) in &result {
        let (ends, around, open) = match (base.get(name), ours.get(name), theirs.get(name)) {
            (Some(base), Some(ours), Some(theirs)) => {
                let ends = if ours.ends == base.ends { &theirs.ends } else { &ours.ends };
                let drawn = ours.around.union(&theirs.around);
                let is_in = |block: &&String| {
                    !base.around.contains(*block)
                        || (ours.around.contains(*block) && theirs.around.contains(*block))
                };
                let around: BTreeSet<String> = drawn.filter(is_in).cloned().collect();
                // Moved to other blocks by a side, it may stand in what the other drew around the old ones or the new ones.
                let mut open = BTreeSet::new();
                for (side, other, blocks) in [(ours, theirs, &their_blocks), (theirs, ours, &our_blocks)] {
                    let is_into =
                        |block: &String| !base.around.contains(block) && old_blocks.contains_key(block);
                    let is_out = |block: &String| !side.around.contains(block);
                    if side.around.iter().any(is_into) || base.around.iter().any(is_out) {
                        open.extend(other.around.difference(&base.around).cloned());
                        open.extend(
                            side.around.iter().filter_map(|block| blocks.get(block)).flatten().cloned(),
                        );
                    }
                }
                (ends, around, open)
            }
            (_, Some(one), _) => {
                let drawn = without(&their_blocks, &our_blocks);
                (&one.ends, kept(one, [&old_blocks, &their_blocks]), drawn)
            }
            (_, None, Some(one)) => {
                let drawn = without(&our_blocks, &their_blocks);
                (&one.ends, kept(one, [&old_blocks, &our_blocks]), drawn)
            }
            (_, None, None) => return Err(format!("{name} comes from nowhere")),
        };
        // The other side may have drawn a block around an addition.
        if found.around.difference(&open).ne(around.difference(&open)) {
            return Err(format!("{name} should be in {around:?}"));
        }
        if found.ends != *ends {
            return Err(format!("{name} should be {ends}"));
        }
    }
    judge_order([&base, &ours, &theirs], &result)
}

/// The blocks that only the first side has.
fn without(own: &Blocks, other: &Blocks) -> BTreeSet<String> {
    own.keys().filter(|block| !other.contains_key(*block)).cloned().collect()
}

/// The blocks around an addition that the other side did not take away.
fn kept(one: &Found, [old, other]: [&Blocks; 2]) -> BTreeSet<String> {
    let is_kept = |block: &&String| !old.contains_key(*block) || other.contains_key(*block);
    one.around.iter().filter(is_kept).cloned().collect()
}

/// Whether a side has a message before another one; `None` if it does not have both.
fn is_before(side: &Messages, one: &str, other: &str) -> Option<bool> {
    Some(side.get(one)?.place < side.get(other)?.place)
}

fn judge_order([base, ours, theirs]: [&Messages; 3], result: &Messages) -> Result<(), String> {
    // Whether a side may have moved a message of the base.
    let is_moved = |name: &str, side: &Messages| {
        base.keys().any(|other| {
            let now = is_before(side, name, other);
            now.is_some() && is_before(base, name, other).is_some_and(|before| Some(before) != now)
        })
    };
    let is_left = |names: [&str; 2], side: &Messages| {
        names.into_iter().all(|name| !base.contains_key(name) || !is_moved(name, side))
    };
    for one in result.keys() {
        for other in result.keys().filter(|other| is_before(result, one, other) == Some(true)) {
            let orders = [base, ours, theirs].map(|side| is_before(side, one, other));
            let is_wanted = match orders {
                [Some(before), Some(own), Some(far)] => {
                    let may_be_open = [ours, theirs].iter().all(|side| !is_left([one, other], side));
                    may_be_open || if own == before { far } else { own }
                }
                [_, Some(own), None] => own || !is_left([one, other], theirs),
                [_, None, Some(far)] => far || !is_left([one, other], ours),
                [_, _, _] => true,
            };
            if !is_wanted {
                return Err(format!("{one} should not be before {other}"));
            }
        }
    }
    Ok(())
}

const KINDS: [&[&str]; 9] = [
    &["add"],
    &["add", "delete"],
    &["add", "move"],
    &["add", "wrap", "unwrap"],
    &["add", "wrap", "delete"],
    &["add", "draw", "wrap", "unwrap", "delete"],
    &["add", "move", "turn"],
    &["move", "wrap"],
    &["move", "turn"],
];

#[test]
fn random_edits_are_merged_as_each_side_made_them() {
    let (mut clean, seeds) = (0, seeds(1_000));
    let count = seeds.count_left();
    for seed in seeds {
        let mut author = Author { dice: Random::new(seed), last: 0 };
        let count = 1 + author.dice.below(6);
        let base = author.items(count, 0);
        let kinds = KINDS[author.dice.below(KINDS.len())];
        let [ours, theirs] = [0, 1].map(|_| {
            let mut side = base.clone();
            for _ in 0..1 + author.dice.below(3) {
                let kind = kinds[author.dice.below(kinds.len())];
                author.edit(&mut side, kind);
            }
            side
        });
        let texts = [&base, &ours, &theirs].map(|items| {
            let mut text = String::from("@startuml\n");
            print(items, &mut text);
            text + "@enduml\n"
        });
        let [base, ours, theirs] = texts.each_ref().map(String::as_str);
        let orders = [[base, ours, theirs], [base, theirs, ours]];
        let found = orders.map(|[base, one, other]| merge("a.puml", base, one, other));
        let told = |merged: &str| format!("seed {seed}\n{}\nbecame\n{merged}", texts.join("\n"));
        let is_clean = found.each_ref().map(|found| found.conflicts.is_empty());
        assert_eq!(is_clean[0], is_clean[1], "{}", told(&found[0].text()));
        for (found, order) in found.iter().zip(orders).filter(|_| is_clean[0]) {
            let text = found.text();
            if let Err(problem) = judge(order, &text) {
                panic!("{problem}: {}", told(&text));
            }
        }
        clean += u64::from(is_clean[0]);
    }
    assert!(2 * clean > count, "{clean} of {count} without conflicts");
}
