//! Draws differences: a diagram with the added, deleted and edited messages marked.

use sequent_kernel::model::Interaction;
use sequent_notation::{Loader, plantuml};
use sequent_report::draw::Change;

use super::compare::compare;
use crate::merge::read::{Piece, PieceKind, SectionKind, pieces, read_model};

/// Returns the sequence diagrams in which something changed, with the messages of both versions.
pub fn both(name: &str, old: &[Piece], new: &[Piece], loader: &mut dyn Loader) -> Vec<Interaction> {
    let mut text = String::new();
    let mut marks: Vec<(std::ops::Range<usize>, Change)> = Vec::new();
    for (piece, mark) in united(old, new) {
        let start = text.len();
        text.push_str(&piece.text);
        marks.extend(mark.map(|mark| (start..text.len(), mark)));
        text.push('\n');
    }
    let (model, _) = read_model(name, text.strip_suffix('\n').unwrap_or_default(), loader);
    let mut drawn = Vec::new();
    for interaction in model.interactions.iter() {
        let mut interaction = interaction.clone();
        let mut is_changed = false;
        let ids: Vec<_> = interaction.messages.ids().collect();
        for id in ids {
            let message = &mut interaction.messages[id];
            let at = message.place.0.start as usize;
            if let Some((_, mark)) = marks.iter().find(|(range, _)| range.contains(&at)) {
                message.text = format!("{}{}", mark.sign(), message.text);
                message.arrow.colour = Some(mark.colour().to_owned());
                is_changed = true;
            }
        }
        drawn.extend(is_changed.then_some(interaction));
    }
    drawn
}

/// The name of diagrams of a UML model that are compared as text.
pub const PRINTED: &str = "model.puml";

/// Returns the pieces of two versions of a UML model, printed as PlantUML.
pub fn printed(name: &str, texts: &[String; 2], loader: &mut dyn Loader) -> [Vec<Piece>; 2] {
    texts.each_ref().map(|text| {
        let (model, _) = read_model(name, text, loader);
        let sequences = model.interactions.iter().map(plantuml::print::sequence);
        let machines = model.machines.iter().map(plantuml::print::state);
        pieces(PRINTED, &sequences.chain(machines).collect::<String>(), loader)
    })
}

/// Returns the pieces of the new version, and before their successors the deleted messages and notes.
fn united<'p>(old: &'p [Piece], new: &'p [Piece]) -> Vec<(&'p Piece, Option<Change>)> {
    let to = compare(old, new).to;
    let mut deleted: Vec<Vec<&Piece>> = vec![Vec::new(); new.len() + 1];
    let mut mark: Vec<Option<Change>> = vec![Some(Change::Added); new.len()];
    let mut next = 0;
    for (at, piece) in old.iter().enumerate() {
        match to[at] {
            Some(place) => {
                mark[place] = (!piece.is_same(&new[place])).then_some(Change::Edited);
                next = place + 1;
            }
            None if piece.section == SectionKind::Sequence
                && matches!(piece.kind, PieceKind::Message | PieceKind::Return | PieceKind::Note) =>
            {
                deleted[next].push(piece);
            }
            None => {}
        }
    }
    let mut all = Vec::new();
    for (at, piece) in new.iter().enumerate() {
        all.extend(deleted[at].iter().map(|piece| (*piece, Some(Change::Deleted))));
        all.push((piece, mark[at]));
    }
    all.extend(deleted[new.len()].iter().map(|piece| (*piece, Some(Change::Deleted))));
    all
}
