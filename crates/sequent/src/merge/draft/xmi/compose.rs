//! The merged model as chunks: each part as one of the versions has it.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_notation::xmi::lossless::NodeId;

use super::opening::{opening, three};
use super::plan::{ElementFate, MergePlan};
use crate::merge::elements::{UnitId, Units, groups, is_event, is_leaf, leaf_text, messages};
use crate::merge::read::PieceKind;
use crate::merge::side::RevisionSide;
use crate::merge::threeway::{Chunk, ChunkAtom, ChunkLines, Conflict, MergeChoice};

/// The chunks of the merged model.
pub(super) fn chunks(units: &Units<'_>, plan: &MergePlan) -> Vec<Chunk> {
    let messages = RevisionSide::BOTH.map(|side| messages(&units.documents[side.version()]));
    let composer = ModelComposer { units, plan, messages };
    let mut page = ChunkedText::default();
    let around = |part: fn(&str, std::ops::Range<usize>) -> &str| {
        [0, 1, 2].map(|version| {
            let document = &units.documents[version];
            Some(part(document.text, document.nodes[document.root].whole.clone()))
        })
    };
    let [before, after] = [around(|text, root| &text[..root.start]), around(|text, root| &text[root.end..])];
    page.merged(before, "both sides changed what stands before the model");
    composer.unit(units.root(), None, false, &mut page);
    page.merged(after, "both sides changed what stands after the model");
    page.finish()
}

/// A text that is being written in chunks.
#[derive(Default)]
struct ChunkedText {
    chunks: Vec<Chunk>,
    text: String,
}

impl ChunkedText {
    /// Begins a new chunk.
    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.chunks.push(Chunk::Text(ChunkLines { text, kind: PieceKind::Line }));
        }
    }

    fn conflict(&mut self, sides: [String; 2], base: String, why: &str) {
        self.flush();
        let one = |text: String| if text.is_empty() { Vec::new() } else { vec![text] };
        let conflict = Conflict { sides: sides.map(one), base: one(base), why: why.to_owned() };
        self.chunks.push(Chunk::Conflict(conflict));
    }

    fn merged(&mut self, versions: [Option<&str>; 3], why: &str) {
        match three(versions) {
            Some(text) => self.text.push_str(text.unwrap_or_default()),
            None => {
                let [base, ours, theirs] = versions.map(|text| text.unwrap_or_default().to_owned());
                self.conflict([ours, theirs], base, why);
            }
        }
    }

    fn finish(mut self) -> Vec<Chunk> {
        self.flush();
        self.chunks
    }
}

struct ModelComposer<'c, 'd> {
    units: &'c Units<'d>,
    plan: &'c MergePlan,
    /// The messages of occurrences, ours and theirs.
    messages: [BTreeMap<&'d str, &'d str>; 2],
}

impl<'d> ModelComposer<'_, 'd> {
    /// Writes a unit with the blanks before it, if `is_led`; `around` is where.
    fn unit(&self, unit: UnitId, around: Option<UnitId>, is_led: bool, page: &mut ChunkedText) {
        let raw = |version: usize| self.raw(unit, version, is_led);
        match self.plan.fates[unit] {
            ElementFate::Gone => {}
            ElementFate::Deleted(side, why) => {
                let mut sides = [String::new(), String::new()];
                sides[side as usize] = raw(side.version());
                page.conflict(sides, raw(0), why);
            }
            ElementFate::Apart => {
                let own =
                    RevisionSide::BOTH.map(|side| match self.units.parent(unit, side.version()) == around {
                        true => raw(side.version()),
                        false => String::new(),
                    });
                page.conflict(own, raw(0), "both sides moved this, to different places");
            }
            ElementFate::Whole(why) => match self.units.shape(unit, 1) == self.units.shape(unit, 2) {
                true => page.text.push_str(&raw(1)),
                false => page.conflict([raw(1), raw(2)], raw(0), why),
            },
            ElementFate::Merged => self.merged(unit, is_led, page),
        }
    }

    /// A unit as a version has it.
    fn raw(&self, unit: UnitId, version: usize, is_led: bool) -> String {
        let Some(node) = self.units.node(unit, version) else { return String::new() };
        let document = &self.units.documents[version];
        let node = &document.nodes[node];
        let start = if is_led { node.lead.start } else { node.whole.start };
        document.text[start..node.whole.end].to_owned()
    }

    /// A part of a unit as both sides agree about it, else as we have it.
    fn part(&self, unit: UnitId, get: impl Fn(usize, NodeId) -> Option<&'d str>) -> &'d str {
        let of = |version: usize| self.units.node(unit, version).and_then(|node| get(version, node));
        let (ours, theirs) = (of(1), of(2));
        match (ours, theirs) {
            (Some(ours), Some(theirs)) if Some(ours) == of(0) => theirs,
            (Some(one), _) | (None, Some(one)) => one,
            (None, None) => "",
        }
    }

    fn merged(&self, unit: UnitId, is_led: bool, page: &mut ChunkedText) {
        let documents = self.units.documents;
        let lead = self
            .part(unit, |version, node| Some(documents[version].part(&documents[version].nodes[node].lead)));
        let lead = if is_led { lead } else { "" };
        let Some((version, node)) = self.units.some(unit) else { return };
        if documents[version].element(node).is_none() {
            page.text.push_str(lead);
            page.text.push_str(documents[version].part(&documents[version].nodes[node].whole));
            return;
        }
        let Some(opening) = opening(self.units, unit) else { return };
        let text = self.text(unit);
        let members = self.plan.members.get(&unit).map(Vec::as_slice).unwrap_or_default();
        let is_empty = text.is_none_or(str::is_empty) && (text.is_some() || members.is_empty());
        let (end, closing) = self.ends(unit, is_empty);
        if matches!(documents[version].tag(node), "fragment")
            || documents[version].kind(node) == "Interaction"
        {
            page.flush();
        }
        let [ours, theirs] = opening.sides.map(|side| format!("{lead}{side}{end}"));
        match ours == theirs {
            true => page.text.push_str(&ours),
            false => {
                let base = format!("{lead}{}{end}", opening.base);
                page.conflict([ours, theirs], base, "both sides changed an attribute of this");
            }
        }
        match text {
            Some(text) => page.text.push_str(text),
            None => self.children(unit, members, page),
        }
        page.text.push_str(&closing);
    }

    /// The text of an element that holds no other in any version.
    fn text(&self, unit: UnitId) -> Option<&'d str> {
        let documents = self.units.documents;
        let nodes = || (0..3).filter_map(|version| Some((version, self.units.node(unit, version)?)));
        nodes().all(|(version, node)| is_leaf(&documents[version], node)).then_some(())?;
        // Members may come from elsewhere.
        let is_own = |member: &UnitId| {
            self.units.some(*member).is_some_and(|(version, node)| documents[version].element(node).is_none())
        };
        let members = self.plan.members.get(&unit).into_iter().flatten();
        members.into_iter().all(is_own).then_some(())?;
        Some(self.part(unit, |version, node| Some(leaf_text(&documents[version], node).unwrap_or_default())))
    }

    /// The end of the first tag, and the last tag with the blanks before it.
    fn ends(&self, unit: UnitId, is_empty: bool) -> (String, String) {
        let documents = self.units.documents;
        let end = self.part(unit, |version, node| {
            documents[version].element(node).map(|element| documents[version].part(&element.opening_end))
        });
        let open = |version: usize| {
            let document = &documents[version];
            let node = self.units.node(unit, version)?;
            let element = document.element(node)?;
            let content = element.content.as_ref()?;
            let is_text = leaf_text(document, node).is_some();
            let tail = if is_text { "" } else { document.part(&element.tail) };
            let last = document.part(&(content.end..document.nodes[node].whole.end));
            Some((document.part(&element.opening_end), tail, last))
        };
        if is_empty && end.ends_with("/>") {
            return (end.to_owned(), String::new());
        }
        let opened = [1, 2, 0].into_iter().find_map(open);
        let Some((opened_end, _, _)) = opened else { return (end.to_owned(), String::new()) };
        let end = if end.ends_with("/>") { opened_end } else { end };
        let of = |get: fn((&'d str, &'d str, &'d str)) -> &'d str| {
            let [base, ours, theirs] = [0, 1, 2].map(|version| open(version).map(get));
            match (ours, theirs) {
                (Some(ours), Some(theirs)) if Some(ours) == base => theirs,
                (Some(one), _) | (None, Some(one)) => one,
                (None, None) => base.unwrap_or_default(),
            }
        };
        (end.to_owned(), format!("{}{}", of(|open| open.1), of(|open| open.2)))
    }

    fn index(&self, unit: UnitId, version: usize) -> Option<usize> {
        self.units.node(unit, version).map(Id::index)
    }

    /// Which members a side has here, in its order.
    fn list(&self, unit: UnitId, members: &[UnitId], version: usize) -> Vec<UnitId> {
        let is_here = |member: &&UnitId| match self.plan.fates[**member] {
            ElementFate::Apart => self.units.parent(**member, version) == Some(unit),
            ElementFate::Gone | ElementFate::Merged | ElementFate::Deleted(..) | ElementFate::Whole(_) => {
                true
            }
        };
        let mut list: Vec<UnitId> = members
            .iter()
            .filter(is_here)
            .filter(|member| self.index(**member, version).is_some())
            .copied()
            .collect();
        list.sort_by_key(|member| self.index(*member, version));
        list
    }

    fn children(&self, unit: UnitId, members: &[UnitId], page: &mut ChunkedText) {
        let [base, ours, theirs] = [0, 1, 2].map(|version| self.list(unit, members, version));
        let known: BTreeSet<UnitId> = theirs.iter().copied().collect();
        let common: BTreeSet<UnitId> = ours.iter().filter(|one| known.contains(one)).copied().collect();
        let order = |list: &[UnitId]| -> Vec<UnitId> {
            list.iter().filter(|one| common.contains(one)).copied().collect()
        };
        let old: BTreeSet<UnitId> = base.iter().filter(|one| common.contains(one)).copied().collect();
        let among = |list: &[UnitId]| -> Vec<UnitId> {
            list.iter().filter(|one| old.contains(one)).copied().collect()
        };
        let is_ours_kept = among(&ours) == among(&base);
        let is_theirs_kept = among(&theirs) == among(&base);
        let skeleton = match (order(&ours) == order(&theirs), is_ours_kept, is_theirs_kept) {
            (true, _, _) | (false, false, true) => order(&ours),
            (false, true, _) => order(&theirs),
            (false, false, false) => {
                self.disorder(unit, [&base, &ours, &theirs], page);
                return;
            }
        };
        let additions = [&ours, &theirs].map(|list| gaps(list, &common));
        let gap = |after: Option<UnitId>, page: &mut ChunkedText| {
            let own =
                additions.each_ref().map(|gaps| gaps.get(&after).map(Vec::as_slice).unwrap_or_default());
            self.gap(unit, own, page);
        };
        gap(None, page);
        for member in skeleton {
            self.unit(member, Some(unit), true, page);
            gap(Some(member), page);
        }
    }

    /// Both sides put the members in different orders: from the first to the last that differs is a conflict.
    fn disorder(&self, unit: UnitId, lists: [&Vec<UnitId>; 3], page: &mut ChunkedText) {
        let [base, ours, theirs] = lists;
        let first = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
        let last = ours.iter().rev().zip(theirs.iter().rev()).take_while(|(one, other)| one == other).count();
        let last = last.min(ours.len() - first).min(theirs.len() - first);
        let is_outside =
            |member: &UnitId| ours[..first].contains(member) || ours[ours.len() - last..].contains(member);
        ours[..first].iter().for_each(|member| self.unit(*member, Some(unit), true, page));
        let text = |list: &[UnitId], version: usize| -> String {
            list.iter().map(|member| self.raw(*member, version, true)).collect()
        };
        let sides = [text(&ours[first..ours.len() - last], 1), text(&theirs[first..theirs.len() - last], 2)];
        let before: Vec<UnitId> = base.iter().filter(|member| !is_outside(member)).copied().collect();
        page.conflict(sides, text(&before, 0), "both sides changed the order of these");
        ours[ours.len() - last..].iter().for_each(|member| self.unit(*member, Some(unit), true, page));
    }

    /// What the sides added at one place: a choice if these are fragments, else ours first.
    fn gap(&self, unit: UnitId, own: [&[UnitId]; 2], page: &mut ChunkedText) {
        if own.iter().all(|list| list.is_empty()) {
            return;
        }
        if let Some(choice) = self.choice(unit, own) {
            page.flush();
            page.chunks.push(Chunk::Choice(choice));
            return;
        }
        own.into_iter().flatten().for_each(|member| self.unit(*member, Some(unit), true, page));
    }

    fn choice(&self, unit: UnitId, own: [&[UnitId]; 2]) -> Option<MergeChoice> {
        let mut sides = [Vec::new(), Vec::new()];
        for side in RevisionSide::BOTH {
            let document = &self.units.documents[side.version()];
            let members = own[side as usize];
            let nodes: Option<Vec<NodeId>> =
                members.iter().map(|member| self.units.node(*member, side.version())).collect();
            let nodes = nodes?;
            if nodes.iter().any(|node| document.tag(*node) != "fragment") {
                return None;
            }
            for group in groups(document, &self.messages[side as usize], &nodes) {
                let mut page = ChunkedText::default();
                group.iter().for_each(|at| self.unit(members[*at], Some(unit), true, &mut page));
                let mut text = String::new();
                for chunk in page.finish() {
                    match chunk {
                        Chunk::Text(lines) => text.push_str(&lines.text),
                        Chunk::Choice(inner) if !inner.is_open() => {
                            let atoms = inner.sides.into_iter().flatten().flat_map(|atom| atom.lines);
                            atoms.for_each(|lines| text.push_str(&lines.text));
                        }
                        Chunk::Choice(_) | Chunk::Conflict(_) => return None,
                    }
                }
                let has_event = group.iter().any(|at| {
                    let id = document.id(nodes[*at]);
                    let is_end = id.is_some_and(|id| self.messages[side as usize].contains_key(id));
                    is_end || is_event(document, nodes[*at])
                });
                let kind = if has_event { PieceKind::Message } else { PieceKind::Life };
                let is_old = group.iter().any(|at| self.has_old(members[*at]));
                sides[side as usize].push(ChunkAtom { lines: vec![ChunkLines { text, kind }], is_old });
            }
        }
        Some(MergeChoice { sides })
    }

    /// Whether a unit or something in it was in the base.
    fn has_old(&self, unit: UnitId) -> bool {
        let members = self.plan.members.get(&unit);
        self.units.node(unit, 0).is_some()
            || members.is_some_and(|members| members.iter().any(|member| self.has_old(*member)))
    }
}

/// The members of a list that are not common, by the common one before them.
fn gaps(list: &[UnitId], common: &BTreeSet<UnitId>) -> BTreeMap<Option<UnitId>, Vec<UnitId>> {
    let mut found: BTreeMap<Option<UnitId>, Vec<UnitId>> = BTreeMap::new();
    let mut last = None;
    for member in list {
        match common.contains(member) {
            true => last = Some(*member),
            false => found.entry(last).or_default().push(*member),
        }
    }
    found
}
