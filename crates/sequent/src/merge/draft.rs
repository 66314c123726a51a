//! Drafts: three files woven into one, with its last choices open.

use std::collections::BTreeMap;
use std::ops::Range;

use sequent_kernel::source::Sources;
use sequent_notation::{Context, Loader};

use super::form::{self, Form};
use super::lines;
use super::narrow;
use super::net;
use super::order::Side;
use super::piece::{self, Piece, Zone};
use super::rename;
use super::slot::{Conflict, Slot};
use super::tree::Tree;
use super::weave::{Extent, Versions, weave};

/// Three versions of a file.
#[derive(Clone, Copy, Debug)]
pub struct Files<'f> {
    /// What the file is called; its ending says what it holds.
    pub name: &'f str,
    /// The common ancestor.
    pub base: &'f [u8],
    /// The version that is merged into.
    pub ours: &'f [u8],
    /// The version that is merged.
    pub theirs: &'f [u8],
}

/// A merged file before the last choices are made.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Its parts.
    pub slots: Vec<Slot>,
    form: Form,
    /// What should be known besides, in words: renamed lifelines, messages that stay.
    pub notes: Vec<String>,
}

/// Where a part of a draft stands in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The number of the slot.
    pub slot: usize,
    /// For an element of a choice: who added it, and its number.
    pub atom: Option<(Side, usize)>,
    /// Its bytes.
    pub range: Range<usize>,
}

/// How conflicts are marked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    /// What our version is called.
    pub ours: String,
    /// What their version is called.
    pub theirs: String,
    /// What the common ancestor is called, if its lines are to be shown too.
    pub base: Option<String>,
}

impl Default for Marks {
    fn default() -> Self {
        Marks { ours: "ours".to_owned(), theirs: "theirs".to_owned(), base: None }
    }
}

/// Reads and weaves three versions; see [`weave`] for `is_distinct`.
pub fn draft(files: &Files<'_>, loader: &mut dyn Loader, is_distinct: bool) -> Draft {
    let all = [files.base, files.ours, files.theirs];
    let is_utf8 = all.iter().all(|bytes| std::str::from_utf8(bytes).is_ok());
    let [base, ours, theirs] = all.map(|bytes| {
        let (text, form) = form::strip(bytes, is_utf8);
        (text, Some(form).filter(|_| !bytes.is_empty()))
    });
    let form = Form::merged(base.1, ours.1, theirs.1);
    let mut cut = |(text, form): &(String, Option<Form>)| match (form, is_utf8) {
        (None, _) => Vec::new(),
        (Some(_), true) => pieces(files.name, text, loader),
        (Some(_), false) => text.split('\n').map(Piece::line).collect(),
    };
    let mut versions = [cut(&base), cut(&ours), cut(&theirs)];
    if is_broken(&versions) {
        // What is a diagram to one side only is no diagram to both.
        for (version, (text, form)) in versions.iter_mut().zip([&base, &ours, &theirs]) {
            *version = form.iter().flat_map(|_| text.split('\n').map(Piece::line)).collect();
        }
    }
    let renamed = rename::follow(&mut versions);
    let [old, own, others] = &versions;
    let make = |whole: &[(usize, Extent)]| {
        let woven = weave(&Versions { base: old, sides: [own, others] }, is_distinct, whole);
        let notes = [renamed.as_slice(), &woven.notes].concat();
        (Draft { slots: woven.slots, form, notes }, woven.composed, woven.is_short)
    };
    let texts = [&base.0, &ours.0, &theirs.0].map(String::as_str);
    let (draft, composed, is_short) = make(&[]);
    let is_strict = draft.conflicts().next().is_none();
    let mut is_worse = |draft: &Draft| net::is_worse(files.name, texts, draft, is_strict, loader);
    if composed.is_empty() || !(is_short || is_worse(&draft)) {
        return draft;
    }
    let mut is_fit = |whole: &[(usize, Extent)]| {
        let (draft, _, is_short) = make(whole);
        !is_short && !is_worse(&draft)
    };
    // The smallest part of whichever diagram does not fit is a conflict; if one is not enough all are.
    let alone = composed.iter().find(|(diagram, _)| is_fit(&[(*diagram, Extent::All)]));
    let whole = match alone.and_then(|(diagram, range)| Some((*diagram, Tree::of(old, range.clone())?))) {
        Some((diagram, tree)) => {
            vec![(diagram, narrow::smallest(&tree, &mut |extent| is_fit(&[(diagram, extent.clone())])))]
        }
        None => composed.into_iter().map(|(diagram, _)| (diagram, Extent::All)).collect(),
    };
    make(&whole).0
}

/// Weaves three versions line by line, whatever they hold: what git would do.
pub fn plain(files: &Files<'_>) -> Draft {
    let all = [files.base, files.ours, files.theirs];
    let is_utf8 = all.iter().all(|bytes| std::str::from_utf8(bytes).is_ok());
    let [base, ours, theirs] = all.map(|bytes| {
        let (text, form) = form::strip(bytes, is_utf8);
        (text, Some(form).filter(|_| !bytes.is_empty()))
    });
    let form = Form::merged(base.1, ours.1, theirs.1);
    let texts = [&base, &ours, &theirs]
        .map(|(text, form)| form.iter().flat_map(|_| text.split('\n')).collect::<Vec<&str>>());
    Draft { slots: lines::merge(texts.each_ref().map(Vec::as_slice)), form, notes: Vec::new() }
}

/// Whether a side reads most of a diagram otherwise than the common ancestor: its first line is gone, or something stands before it.
fn is_broken([base, ours, theirs]: &[Vec<Piece>; 3]) -> bool {
    let zones = |pieces: &[Piece]| -> BTreeMap<String, Zone> {
        let told = pieces.iter().filter(|piece| !piece.text.trim().is_empty());
        told.map(|piece| (piece.text.trim().to_owned(), piece.zone)).collect()
    };
    let before = zones(base);
    [ours, theirs].into_iter().any(|side| {
        let after = zones(side);
        let common = before.iter().filter_map(|(text, zone)| Some((*zone, *after.get(text)?)));
        let drawn: Vec<(Zone, Zone)> = common.filter(|zones| *zones != (Zone::Prose, Zone::Prose)).collect();
        let other = drawn.iter().filter(|(before, after)| before != after).count();
        other > 0 && other * 2 > drawn.len()
    })
}

/// Cuts a text, given without the end of its last line, into pieces.
pub fn pieces(name: &str, text: &str, loader: &mut dyn Loader) -> Vec<Piece> {
    let mut sources = Sources::new();
    let file = sources.add(name, format!("{text}\n"));
    let mut diagnostics = Vec::new();
    let mut context = Context { sources: &mut sources, loader, diagnostics: &mut diagnostics };
    let document = sequent_notation::read(file, &mut context);
    piece::cut(&document, file, &sources)
}

impl Draft {
    /// The places where both sides added something, by slot.
    pub fn choices(&self) -> impl Iterator<Item = (usize, &super::slot::Choice)> {
        self.slots.iter().enumerate().filter_map(|(number, slot)| match slot {
            Slot::Choice(choice) => Some((number, choice)),
            Slot::Text(_) | Slot::Conflict(_) => None,
        })
    }

    /// What the sides do not agree about.
    pub fn conflicts(&self) -> impl Iterator<Item = &Conflict> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Conflict(conflict) => Some(conflict),
            Slot::Text(_) | Slot::Choice(_) => None,
        })
    }

    /// The order in which each choice takes one side after the other.
    pub fn plain_order(&self, first: Side) -> Vec<Side> {
        let sides = self.choices().flat_map(|(_, choice)| {
            let count = |side: Side| if side == Side::Ours { choice.ours.len() } else { choice.theirs.len() };
            [first, first.other()].into_iter().flat_map(move |side| vec![side; count(side)])
        });
        sides.collect()
    }

    /// The text with choices in an order, and where its parts stand. A conflict shows our version, or both between marks.
    pub fn arranged(&self, order: &[Side], marks: Option<&Marks>) -> (String, Vec<Placed>) {
        let mut page = Page { lines: None, placed: Vec::new() };
        let mut order = order;
        for (slot, content) in self.slots.iter().enumerate() {
            match content {
                Slot::Text(element) => page.write(slot, None, std::iter::once(element.text.as_str())),
                Slot::Choice(choice) => {
                    let (own, rest) = order.split_at(choice.len().min(order.len()));
                    order = rest;
                    let mut numbers = [0, 0];
                    for (side, atom) in choice.arranged(own) {
                        let number = &mut numbers[side as usize];
                        page.write(slot, Some((side, *number)), atom.0.iter().map(|one| one.text.as_str()));
                        *number += 1;
                    }
                }
                Slot::Conflict(conflict) => {
                    let lines = conflict.lines(marks);
                    page.write(slot, None, lines.iter().map(String::as_str));
                }
            }
        }
        (page.lines.unwrap_or_default(), page.placed)
    }

    /// The text with our additions first and all conflicts decided for one side.
    pub fn taking(&self, side: Side) -> String {
        let mut decided = self.clone();
        for slot in &mut decided.slots {
            if let (Slot::Conflict(conflict), Side::Theirs) = (slot, side) {
                conflict.ours = std::mem::take(&mut conflict.theirs);
            }
        }
        decided.arranged(&decided.plain_order(Side::Ours), None).0
    }

    /// The file as it is to be written.
    pub fn bytes(&self, order: &[Side], marks: &Marks) -> Vec<u8> {
        let (lines, placed) = self.arranged(order, Some(marks));
        if placed.is_empty() { Vec::new() } else { self.form.apply(&lines) }
    }
}

impl Conflict {
    /// Both versions between marks; without marks our version.
    fn lines(&self, marks: Option<&Marks>) -> Vec<String> {
        let Some(marks) = marks else { return self.ours.clone() };
        let mut lines = vec![format!("<<<<<<< {} ({})", marks.ours, self.why)];
        lines.extend(self.ours.iter().cloned());
        if let Some(base) = &marks.base {
            lines.push(format!("||||||| {base}"));
            lines.extend(self.base.iter().cloned());
        }
        lines.push("=======".to_owned());
        lines.extend(self.theirs.iter().cloned());
        lines.push(format!(">>>>>>> {}", marks.theirs));
        lines
    }
}

/// A text that grows.
struct Page {
    /// `None`: no line yet, not even an empty one.
    lines: Option<String>,
    placed: Vec<Placed>,
}

impl Page {
    fn write<'t>(&mut self, slot: usize, atom: Option<(Side, usize)>, texts: impl Iterator<Item = &'t str>) {
        let mut range: Option<Range<usize>> = None;
        for text in texts {
            let lines = match &mut self.lines {
                Some(lines) => {
                    lines.push('\n');
                    lines
                }
                None => self.lines.insert(String::new()),
            };
            let start = lines.len();
            lines.push_str(text);
            range = Some(range.map_or(start, |range| range.start)..lines.len());
        }
        self.placed.extend(range.map(|range| Placed { slot, atom, range }));
    }
}
