//! Random diagrams and random edits of both sides against an oracle.
//!
//! The edits are made on a tree of the test's own. Edits that do not touch each other commute: what both sides made of the
//! diagram is then what one makes of it after the other, and the merge must be that, line by line, without a conflict. Edits that may touch each other
//! must lose nothing, double nothing, and keep blocks as whoever drew them drew them, or be a conflict, the same
//! either way round. `SEQUENT_RANDOM=20000` makes more of them, `SEQUENT_SHOWN=100` shows more that fail.

use std::collections::{BTreeMap, BTreeSet};

use sequent::merge::MergeOptions;
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{Merged, merge_files};

/// Something that stands in an operand: lines that belong together, or a block.
#[derive(Clone, PartialEq, Debug)]
struct Item {
    id: usize,
    /// Of a message: comments above it, itself, notes and bars.
    lines: Vec<String>,
    /// Of a block: keyword, then guard and content of each operand.
    keyword: &'static str,
    operands: Vec<Operand>,
}

#[derive(Clone, PartialEq, Debug)]
struct Operand {
    id: usize,
    guard: String,
    items: Vec<Item>,
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Makes things that have numbers of their own.
struct Maker {
    dice: Random,
    next: usize,
    is_mermaid: bool,
}

impl Maker {
    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn message(&mut self) -> Item {
        let id = self.fresh();
        let from = NAMES[self.dice.below(4)];
        let to = NAMES[self.dice.below(4)];
        let arrow =
            |from: &str, head: &str, to: &str, text: String, is_mermaid: bool| match (is_mermaid, head) {
                (true, "->") => format!("{from}->>{to}: {text}"),
                (true, _) => format!("{from}-->>{to}: {text}"),
                (false, head) => format!("{from} {head} {to} : {text}"),
            };
        let mut lines = vec![arrow(from, "->", to, format!("m{id}"), self.is_mermaid)];
        let comment = if self.is_mermaid { "%%" } else { "'" };
        match self.dice.below(8) {
            0 => lines.insert(0, format!("{comment} about m{id}")),
            1 => lines.push(format!("note over {from}: on m{id}")),
            // A call with its bar and its answer; what all of them have in common is there many times.
            2 | 3 if from != to => {
                lines.push(format!("activate {to}"));
                if self.dice.below(2) == 0 {
                    lines.push(arrow(to, "-->", from, "ok".to_owned(), self.is_mermaid));
                }
                lines.push(format!("deactivate {to}"));
            }
            _ => {}
        }
        Item { id, lines, keyword: "", operands: Vec::new() }
    }

    fn keyword(&mut self) -> &'static str {
        ["opt", "loop", "alt", "break"][self.dice.below(4)]
    }

    fn operand(&mut self, items: Vec<Item>) -> Operand {
        let id = self.fresh();
        Operand { id, guard: format!("g{id}"), items }
    }

    fn block(&mut self, first: Vec<Item>, depth: usize) -> Item {
        let (id, keyword) = (self.fresh(), self.keyword());
        let mut operands = vec![self.operand(first)];
        if keyword == "alt" && self.dice.below(2) == 0 {
            let items = self.items(depth + 1);
            operands.push(self.operand(items));
        }
        Item { id, lines: Vec::new(), keyword, operands }
    }

    fn items(&mut self, depth: usize) -> Vec<Item> {
        let count = 1 + self.dice.below(if depth == 0 { 7 } else { 4 });
        let mut items = Vec::new();
        for _ in 0..count {
            if depth < 3 && self.dice.below(4) == 0 {
                let inner = self.items(depth + 1);
                items.push(self.block(inner, depth));
            } else {
                items.push(self.message());
            }
        }
        items
    }
}

fn print(root: &Operand, is_mermaid: bool) -> String {
    fn show(items: &[Item], lines: &mut Vec<String>) {
        for item in items {
            lines.extend(item.lines.iter().cloned());
            for (number, operand) in item.operands.iter().enumerate() {
                let word = if number == 0 { item.keyword } else { "else" };
                lines.push(format!("{word} {}", operand.guard));
                show(&operand.items, lines);
            }
            if !item.operands.is_empty() {
                lines.push("end".to_owned());
            }
        }
    }
    let mut lines = vec![if is_mermaid { "sequenceDiagram" } else { "@startuml" }.to_owned()];
    lines.extend(NAMES.map(|name| format!("participant {name}")));
    show(&root.items, &mut lines);
    lines.extend((!is_mermaid).then(|| "@enduml".to_owned()));
    lines.join("\n") + "\n"
}

/// One change, by the numbers of what it is about.
#[derive(Clone, Debug)]
enum Edit {
    Insert { operand: usize, after: Option<usize>, item: Item },
    Delete(usize),
    Rewrite(usize, Vec<String>),
    Keyword(usize, &'static str),
    Guard(usize, String),
    Wrap { first: usize, last: usize, block: Item },
    Unwrap(usize),
    Move { item: usize, operand: usize, after: Option<usize> },
}

fn operands<'o>(operand: &'o Operand, found: &mut Vec<&'o Operand>) {
    found.push(operand);
    operand.items.iter().flat_map(|item| &item.operands).for_each(|inner| operands(inner, found));
}

/// Does something to the operand with this number.
fn at_operand(operand: &mut Operand, id: usize, work: &mut dyn FnMut(&mut Operand)) {
    if operand.id == id {
        return work(operand);
    }
    for inner in operand.items.iter_mut().flat_map(|item| &mut item.operands) {
        at_operand(inner, id, work);
    }
}

/// Does something to the operand in which an item stands.
fn at_item(operand: &mut Operand, id: usize, work: &mut dyn FnMut(&mut Operand, usize)) {
    if let Some(at) = operand.items.iter().position(|item| item.id == id) {
        return work(operand, at);
    }
    for inner in operand.items.iter_mut().flat_map(|item| &mut item.operands) {
        at_item(inner, id, work);
    }
}

fn put(root: &mut Operand, operand: usize, after: Option<usize>, item: &Item) {
    match after {
        // Wherever that is now.
        Some(after) => at_item(root, after, &mut |home, at| home.items.insert(at + 1, item.clone())),
        None => at_operand(root, operand, &mut |home| home.items.insert(0, item.clone())),
    }
}

fn apply(root: &mut Operand, edit: &Edit) {
    match edit {
        Edit::Insert { operand, after, item } => put(root, *operand, *after, item),
        Edit::Delete(id) => at_item(root, *id, &mut |home, at| {
            home.items.remove(at);
        }),
        Edit::Rewrite(id, lines) => {
            at_item(root, *id, &mut |home, at| home.items[at].lines = lines.clone());
        }
        Edit::Keyword(id, keyword) => at_item(root, *id, &mut |home, at| home.items[at].keyword = keyword),
        Edit::Guard(id, guard) => at_operand(root, *id, &mut |home| home.guard = guard.clone()),
        Edit::Wrap { first, last, block } => at_item(root, *first, &mut |home, at| {
            let end = home.items.iter().position(|item| item.id == *last).unwrap_or(at);
            let mut block = block.clone();
            block.operands[0].items = home.items.drain(at..=end).collect();
            home.items.insert(at, block);
        }),
        Edit::Unwrap(id) => at_item(root, *id, &mut |home, at| {
            let inner: Vec<Item> =
                home.items.remove(at).operands.into_iter().flat_map(|one| one.items).collect();
            home.items.splice(at..at, inner);
        }),
        Edit::Move { item, operand, after } => {
            let mut moved = None;
            at_item(root, *item, &mut |home, at| moved = Some(home.items.remove(at)));
            if let Some(moved) = moved {
                put(root, *operand, *after, &moved);
            }
        }
    }
}

fn inside(item: &Item) -> Vec<usize> {
    let mut found = vec![item.id];
    for operand in &item.operands {
        found.push(operand.id);
        found.extend(operand.items.iter().flat_map(inside));
    }
    found
}

impl Maker {
    /// An edit of a diagram, and what must be left alone by the other side for it to mean the same.
    fn edit(&mut self, root: &Operand) -> Option<(Edit, BTreeSet<usize>)> {
        let mut all = Vec::new();
        operands(root, &mut all);
        let home = all[self.dice.below(all.len())];
        let at = self.dice.below(home.items.len().max(1));
        let id = |at: Option<usize>| at.and_then(|at| home.items.get(at)).map(|item| item.id);
        // A place between two items, each edge of an operand being one.
        let edge = |home: &Operand, at: usize| -> BTreeSet<usize> {
            let before = at.checked_sub(1).and_then(|at| home.items.get(at)).map(|item| item.id);
            let after = home.items.get(at).map(|item| item.id);
            BTreeSet::from([before.unwrap_or(home.id + 100_000), after.unwrap_or(home.id + 200_000)])
        };
        let item = home.items.get(at)?;
        let is_message = item.operands.is_empty();
        Some(match self.dice.below(9) {
            0 | 1 => {
                let at = self.dice.below(home.items.len() + 1);
                let item = match self.dice.below(3) {
                    0 => {
                        let items = vec![self.message()];
                        self.block(items, 2)
                    }
                    _ => self.message(),
                };
                let after = id(at.checked_sub(1));
                (Edit::Insert { operand: home.id, after, item }, edge(home, at))
            }
            2 if home.items.len() > 1 => {
                let mut touched: BTreeSet<usize> = inside(item).into_iter().collect();
                touched.extend(edge(home, at).into_iter().chain(edge(home, at + 1)));
                // Edges of what is inside are gone too.
                touched.extend(inside(item).into_iter().flat_map(|id| [id + 100_000, id + 200_000]));
                (Edit::Delete(item.id), touched)
            }
            3 if is_message => {
                let mut lines = item.lines.clone();
                let own = lines.iter().position(|line| line.contains(&format!(": m{}", item.id)))?;
                match self.dice.below(3) {
                    0 => lines[own] += " changed",
                    1 => lines.insert(own + 1, format!("note over a: new on m{}", item.id)),
                    _ => lines.insert(
                        own,
                        format!("{} new about m{}", if self.is_mermaid { "%%" } else { "'" }, item.id),
                    ),
                }
                (Edit::Rewrite(item.id, lines), BTreeSet::from([item.id]))
            }
            4 if !is_message && item.operands.len() == 1 => {
                let keyword = self.keyword();
                (Edit::Keyword(item.id, keyword), BTreeSet::from([item.id, item.operands[0].id]))
            }
            5 if !is_message => {
                let operand = &item.operands[self.dice.below(item.operands.len())];
                (
                    Edit::Guard(operand.id, format!("{} more", operand.guard)),
                    BTreeSet::from([item.id, operand.id]),
                )
            }
            6 => {
                let end = at + self.dice.below(home.items.len() - at);
                let mut block = self.block(Vec::new(), 3);
                block.operands.truncate(1);
                let (first, last) = (home.items[at].id, home.items[end].id);
                let mut touched = edge(home, at);
                touched.extend(edge(home, end + 1));
                (Edit::Wrap { first, last, block }, touched)
            }
            7 if !is_message => {
                let mut touched: BTreeSet<usize> = BTreeSet::from([item.id]);
                touched.extend(edge(home, at).into_iter().chain(edge(home, at + 1)));
                for operand in &item.operands {
                    touched.insert(operand.id);
                    touched.extend(edge(operand, 0).into_iter().chain(edge(operand, operand.items.len())));
                }
                (Edit::Unwrap(item.id), touched)
            }
            8 if is_message && home.items.len() > 1 => {
                let to = all[self.dice.below(all.len())];
                let place = self.dice.below(to.items.len() + 1);
                let after = place.checked_sub(1).and_then(|at| to.items.get(at)).map(|item| item.id);
                let is_here = to.id == home.id && (place == at || place == at + 1);
                if is_here || after == Some(item.id) {
                    return None;
                }
                let mut touched = edge(home, at);
                touched.extend(edge(home, at + 1).into_iter().chain(edge(to, place)));
                (Edit::Move { item: item.id, operand: to.id, after }, touched)
            }
            _ => return None,
        })
    }

    /// Some edits, one after the other, that touch nothing of what is taken.
    fn edits(
        &mut self,
        root: &Operand,
        count: usize,
        taken: &BTreeSet<usize>,
    ) -> (Vec<Edit>, BTreeSet<usize>) {
        let (mut edits, mut touched): (Vec<Edit>, BTreeSet<usize>) = (Vec::new(), BTreeSet::new());
        for _ in 0..count * 4 {
            let Some((edit, about)) = self.edit(root) else { continue };
            // Edits of one side keep apart as well, so that their order says nothing.
            if about.is_disjoint(taken) && about.is_disjoint(&touched) {
                touched.extend(about);
                edits.push(edit);
            }
            if edits.len() == count {
                break;
            }
        }
        (edits, touched)
    }
}

struct Case {
    base: Operand,
    sides: [Operand; 2],
    edits: [Vec<Edit>; 2],
    is_mermaid: bool,
}

fn case(seed: u64, is_apart: bool) -> Case {
    let dice = Random::new(seed);
    let mut maker = Maker { dice, next: 0, is_mermaid: seed.is_multiple_of(3) };
    let items = maker.items(0);
    let base = maker.operand(items);
    let count = 1 + maker.dice.below(4);
    let (ours, touched) = maker.edits(&base, count, &BTreeSet::new());
    let taken = if is_apart { touched } else { BTreeSet::new() };
    let count = 1 + maker.dice.below(4);
    let (theirs, _) = maker.edits(&base, count, &taken);
    let edited = |edits: &[Edit]| {
        let mut root = base.clone();
        edits.iter().for_each(|edit| apply(&mut root, edit));
        root
    };
    Case {
        sides: [edited(&ours), edited(&theirs)],
        edits: [ours, theirs],
        base,
        is_mermaid: maker.is_mermaid,
    }
}

impl Case {
    fn texts(&self) -> [String; 3] {
        [&self.base, &self.sides[0], &self.sides[1]].map(|root| print(root, self.is_mermaid))
    }

    fn merged(&self, is_swapped: bool) -> Merged {
        let [base, ours, theirs] = self.texts();
        let (one, other) = if is_swapped { (theirs, ours) } else { (ours, theirs) };
        let name = if self.is_mermaid { "a.mmd" } else { "a.puml" };
        merge_files(name, [base.as_bytes(), one.as_bytes(), other.as_bytes()], "", MergeOptions::default())
    }

    fn told(&self, text: &str) -> String {
        let [base, ours, theirs] = self.texts();
        format!("{:?}\n--- base\n{base}--- ours\n{ours}--- theirs\n{theirs}--- merged\n{text}", self.edits)
    }
}

/// How many failures are shown.
fn most() -> usize {
    std::env::var("SEQUENT_SHOWN").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// How many random cases there usually are.
const USUAL: u64 = 200;

/// What both sides' edits make; `None` if that depends on whose are made first, because blocks cross, and if messages then come in another order than
/// on both sides, because each side moved one of them.
fn expected(case: &Case) -> Option<String> {
    let mut one = case.sides[0].clone();
    case.edits[1].iter().for_each(|edit| apply(&mut one, edit));
    let mut other = case.sides[1].clone();
    case.edits[0].iter().for_each(|edit| apply(&mut other, edit));
    let sides = case.sides.each_ref().map(places);
    let both = places(&one);
    let is_reversed = both.iter().any(|(first, at)| {
        let is_before = |second: &usize, all: &BTreeMap<usize, usize>| {
            all.get(first).zip(all.get(second)).is_some_and(|(first, second)| first < second)
        };
        both.iter().any(|(second, place)| at > place && sides.iter().all(|side| is_before(second, side)))
    });
    (one == other && !is_reversed).then(|| print(&one, case.is_mermaid))
}

/// Where each message comes in a diagram.
fn places(root: &Operand) -> BTreeMap<usize, usize> {
    let mut all = Vec::new();
    root.items.iter().for_each(|item| messages(item, &mut all));
    all.into_iter().enumerate().map(|(at, id)| (id, at)).collect()
}

fn messages(item: &Item, found: &mut Vec<usize>) {
    found.extend(item.operands.is_empty().then_some(item.id));
    item.operands.iter().flat_map(|operand| &operand.items).for_each(|inner| messages(inner, found));
}

#[test]
fn edits_that_do_not_touch_each_other_are_both_made() {
    let (mut same, mut failed, seeds) = (0, Vec::new(), seeds(USUAL));
    let count = seeds.count_left();
    for seed in seeds {
        let case = case(seed, true);
        let Some(expected) = expected(&case) else { continue };
        for is_swapped in [false, true] {
            let found = case.merged(is_swapped);
            if found.text() != expected || !found.conflicts.is_empty() {
                failed.push(format!("seed {seed}\n{}\n--- expected\n{expected}", case.told(&found.text())));
                break;
            }
        }
        same += 1;
    }
    assert!(
        failed.is_empty(),
        "{} of {same} failed\n{}",
        failed.len(),
        failed[..failed.len().min(most())].join("\n")
    );
    assert!(same * 2 > count, "{same}");
}

/// What each message and each operand stands in, by the numbers in the text, as often as it is there.
type Read = BTreeMap<String, Vec<Vec<String>>>;

/// Reads a diagram; `None` for one with marks of conflicts.
fn read(text: &str) -> Option<Read> {
    let mut open: Vec<Vec<String>> = Vec::new();
    let mut found = Read::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [mark, ..] if mark.starts_with("<<<<<<<") => return None,
            ["opt" | "loop" | "alt" | "break", guard, ..] => {
                found.entry((*guard).to_owned()).or_default().push(open.concat());
                open.push(vec![(*guard).to_owned()]);
            }
            ["else", guard, ..] => {
                let block = open.last_mut().expect("a block is open");
                block.truncate(1);
                block.push((*guard).to_owned());
                found.entry((*guard).to_owned()).or_default().push(open.concat());
            }
            ["end"] => {
                open.pop().expect("a block is open");
            }
            _ => {
                if let Some(name) = message_in(line) {
                    found.entry(name.to_owned()).or_default().push(open.concat());
                }
            }
        }
    }
    assert!(open.is_empty(), "a block does not end");
    Some(found)
}

/// The name of the message in a line.
fn message_in(line: &str) -> Option<&str> {
    let is_own = |word: &&str| word.starts_with('m') && word[1..].parse::<usize>().is_ok();
    let is_message = line.contains("->") && !line.contains("--");
    line.split_whitespace().rev().find(is_own).filter(|_| is_message)
}

/// What a side added comes where this side has it, as to everything that the other side did not move.
fn keeps_order(case: &Case, text: &str) -> Result<(), String> {
    let order = |text: &str| -> BTreeMap<String, usize> {
        let names = text.lines().filter_map(message_in).enumerate();
        names.map(|(at, name)| (name.to_owned(), at)).collect()
    };
    let merged = order(text);
    let [base, ours, theirs] = case.texts().map(|text| order(&text));
    for (own, other) in [(&ours, &theirs), (&theirs, &ours)] {
        // Of two messages that changed places either may have been moved.
        let is_moved = |name: &String| {
            let is_before = |order: &BTreeMap<String, usize>, passed: &String| {
                order.get(name).zip(order.get(passed)).map(|(one, other)| one < other)
            };
            let mut passed = base.keys().filter(|passed| is_before(other, passed).is_some());
            passed.any(|passed| is_before(other, passed) != is_before(&base, passed))
        };
        let is_kept = |name: &&String| merged.contains_key(*name) && !is_moved(name);
        let kept: Vec<&String> = own.keys().filter(is_kept).collect();
        for added in kept.iter().filter(|name| !base.contains_key(**name)) {
            for name in &kept {
                if (own[*added] < own[*name]) != (merged[*added] < merged[*name]) {
                    return Err(format!("{added} and {name} come in another order"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn edits_that_may_touch_each_other_lose_nothing() {
    let (mut clean, mut failed, seeds) = (0, Vec::new(), seeds(USUAL));
    let count = seeds.count_left();
    for seed in seeds {
        let case = case(seed.wrapping_add(1 << 40), false);
        let found = case.merged(false);
        clean += u64::from(found.conflicts.is_empty());
        if let Err(problem) = judge(&case, &found) {
            failed.push(format!("seed {seed}: {problem}\n{}", case.told(&found.text())));
        }
    }
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed[..failed.len().min(most())].join("\n"));
    println!("{clean} of {count} without conflicts");
    assert!(clean * 2 > count, "{clean} without conflicts");
}

/// What holds of every merge.
fn judge(case: &Case, found: &Merged) -> Result<(), String> {
    let text = found.text();
    let [base, ours, theirs] = case.texts().map(|text| read(&text).expect("no conflict"));
    let all = base.keys().chain(ours.keys()).chain(theirs.keys());
    let names: BTreeSet<&String> = all.filter(|name| name.starts_with('m')).collect();
    let swapped = case.merged(true);
    if parts(&swapped.text(), true) != parts(&text, false) {
        return Err(format!("something else the other way round\n{}", swapped.text()));
    }
    let Some(merged) = read(&text) else {
        for name in names {
            let is_gone = base.contains_key(name) && !(ours.contains_key(name) && theirs.contains_key(name));
            let is_there = text.split_whitespace().any(|word| word == name);
            if !is_gone && !is_there {
                return Err(format!("{name} is lost"));
            }
        }
        return Ok(());
    };
    keeps_order(case, &text)?;
    for name in names {
        let places = [&base, &ours, &theirs, &merged].map(|all| all.get(name).cloned().unwrap_or_default());
        let [before, one, other, now] = &places;
        let is_deleted = !before.is_empty() && (one.is_empty() || other.is_empty());
        let is_told = found.notes.iter().any(|note| note.contains(&format!(" {name}")));
        if now.len() != usize::from(!is_deleted || is_told) {
            return Err(format!("{name} is there {} times", now.len()));
        }
        let firsts = [before, one, other, now].map(|all| all.first());
        let [Some(before), Some(one), Some(other), Some(now)] = firsts else { continue };
        // Environment it stands what both kept and what either drew, but not what was drawn around a block that it left, nor what is gone.
        let is_around = |guard: &String, block: &String, side: &Read| {
            side.get(block).into_iter().flatten().any(|around| around.contains(guard))
        };
        let is_left = |guard: &String, now: &Vec<String>, side: &Read, far: &Read| {
            let mut blocks = before.iter().filter(|block| !now.contains(block) && side.contains_key(*block));
            blocks.any(|block| is_around(guard, block, far))
                && !now.iter().any(|block| is_around(guard, block, far))
        };
        let is_gone = |guard: &String| {
            base.contains_key(guard) && !(ours.contains_key(guard) && theirs.contains_key(guard))
        };
        let is_in = |guard: &&String| match before.contains(guard) {
            true => one.contains(guard) && other.contains(guard),
            false if one.contains(guard) => other.contains(guard) || !is_left(guard, other, &theirs, &ours),
            false => !is_left(guard, one, &ours, &theirs),
        };
        let is_in = |guard: &&String| is_in(guard) && !is_gone(guard);
        let wanted: BTreeSet<&String> = one.iter().chain(other).filter(is_in).collect();
        // Whether it came to stand between others around which something was drawn is not looked at.
        let is_open = |guard: &&String| !is_gone(guard) && !before.contains(guard);
        // What is drawn around a block that it came to stand in is around it as well.
        let outer = wanted.iter().flat_map(|block| [&ours, &theirs].map(|side| side.get(*block)));
        let outer = outer.flatten().flatten().flatten();
        let all = one.iter().chain(other).chain(outer);
        let possible: BTreeSet<&String> = all.filter(is_open).chain(wanted.iter().copied()).collect();
        let now: BTreeSet<&String> = now.iter().collect();
        if !now.is_superset(&wanted) || !now.is_subset(&possible) {
            return Err(format!("{name} stands in {now:?}, not in {wanted:?}"));
        }
    }
    Ok(())
}

/// The lines that are settled, and those of both sides in each conflict, in any order; `is_swapped` takes theirs for ours.
fn parts(text: &str, is_swapped: bool) -> (Vec<&str>, Vec<[Vec<&str>; 2]>) {
    let (mut settled, mut conflicts): (Vec<&str>, Vec<[Vec<&str>; 2]>) = (Vec::new(), Vec::new());
    let mut side = None;
    for line in text.lines() {
        match line.split(' ').next() {
            Some("<<<<<<<") => {
                conflicts.push(Default::default());
                side = Some(usize::from(is_swapped));
            }
            Some("=======") => side = side.map(|side| 1 - side),
            Some(">>>>>>>") => side = None,
            _ => match (side, conflicts.last_mut()) {
                (Some(side), Some(conflict)) => conflict[side].push(line),
                (_, _) => settled.push(line),
            },
        }
    }
    conflicts.iter_mut().flatten().for_each(|lines| lines.sort_unstable());
    settled.sort_unstable();
    conflicts.sort_unstable();
    (settled, conflicts)
}

#[test]
fn merging_with_itself_changes_nothing() {
    for seed in seeds(USUAL).step_by(4) {
        let case = case(seed.wrapping_add(1 << 41), false);
        let [base, ours, _] = case.texts();
        let merged = |base: &str, one: &str, other: &str| {
            merge_files(
                "a.puml",
                [base.as_bytes(), one.as_bytes(), other.as_bytes()],
                "",
                MergeOptions::default(),
            )
            .text()
        };
        assert_eq!(merged(&base, &ours, &ours), ours);
        assert_eq!(merged(&base, &ours, &base), ours);
        assert_eq!(merged(&base, &base, &ours), ours);
        assert_eq!(merged(&base, &base, &base), base);
    }
}
