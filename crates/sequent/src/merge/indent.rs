//! Indentation: lines that a side has put further to the right, and what the other side added beside them.

use super::compose::Composer;
use super::kin::{KinId, version};
use super::order::Side;
use super::piece::{Piece, Word};

/// How far a text is indented.
fn indentation(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// A text with all its lines moved to the right, or to the left as far as they can be.
pub fn shifted(text: &str, by: isize) -> String {
    let line = |line: &str| match usize::try_from(by) {
        Ok(_) if line.is_empty() => String::new(),
        Ok(more) => format!("{}{line}", " ".repeat(more)),
        Err(_) => {
            let less = by.unsigned_abs().min(line.len() - line.trim_start().len());
            line.get(less..).unwrap_or(line).to_owned()
        }
    };
    if by == 0 { text.to_owned() } else { text.split('\n').map(line).collect::<Vec<_>>().join("\n") }
}

/// A text with the indentation of another one.
fn indented(text: &str, like: &str) -> String {
    let indentation = &like[..like.len() - like.trim_start().len()];
    let own = text.len() - text.trim_start().len();
    let lines = text.lines().map(|line| {
        let cut = line.len() - line.trim_start().len();
        format!("{indentation}{}", &line[cut.min(own)..])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of the base, as the side that changed it has it; indentation changed on both sides is no disagreement.
pub fn fixed(base: &Piece, ours: &Piece, theirs: &Piece) -> String {
    let is_moved = [ours, theirs].map(|piece| indentation(&piece.text) != indentation(&base.text));
    match [ours, theirs].map(|piece| piece.is_same(base)) {
        [true, false] if is_moved[0] => indented(&theirs.text, &ours.text),
        [true, false] => theirs.text.clone(),
        [false, true] if is_moved[1] => indented(&ours.text, &theirs.text),
        [false, _] => ours.text.clone(),
        [true, true] if ours.text == base.text => theirs.text.clone(),
        [true, true] => ours.text.clone(),
    }
}

impl Composer<'_, '_> {
    /// How much further to the right the other side has put what stands beside something that was added.
    pub(super) fn shift(&self, kin: KinId, side: Side) -> isize {
        let (own, other) = (version(side), version(side.other()));
        let Some(node) = self.family.kins[kin].nodes[own] else { return 0 };
        let tree = &self.trio.trees[own];
        let parent = tree.nodes[node].parent;
        let siblings = &tree.nodes[parent].children;
        let at = siblings.iter().position(|sibling| *sibling == node).unwrap_or(0);
        let near = siblings[..at].iter().rev().chain(&siblings[at..]).map(|node| self.family.of[own][*node]);
        let home = self.home(kin);
        let moved = |near: KinId| {
            let [base, ours, theirs] = self.pieces(near);
            let (base, ours, theirs) = (base?, ours?, theirs?);
            let (mine, others) = if own == 1 { (ours, theirs) } else { (theirs, ours) };
            let is_own = indentation(&mine.text) != indentation(&base.text);
            let by = indentation(&others.text) as isize - indentation(&base.text) as isize;
            Some(if is_own { 0 } else { by })
        };
        let is_beside = |near: &KinId| {
            self.family.kins[*near].word != Word::Blank
                && self.nest.is_there[*near]
                && self.home(*near) == home
        };
        if let Some(by) = near.into_iter().filter(is_beside).find_map(moved) {
            return by;
        }
        let outer = self.family.of[own][parent];
        let block = self.family.parent(self.trio, outer, own).filter(|_| outer > 0);
        match block {
            Some(block)
                if self.family.kins[block].nodes[0].is_none()
                    && self.family.kins[block].nodes[other].is_none() =>
            {
                self.shift(block, side)
            }
            Some(block) => moved(block).unwrap_or(0),
            None => 0,
        }
    }

    /// What a kin stands in, or that to which it is bound.
    fn home(&self, kin: KinId) -> KinId {
        if !self.nest.is_bound[kin] {
            return self.nest.parent[kin];
        }
        let holder = self.nest.bound.iter().flatten().find(|(_, lines)| lines.contains(&kin));
        holder.map_or(0, |(holder, _)| self.nest.parent[*holder])
    }
}
