//! What a diagram says that is not in what is made of it: told on the error stream, so that nothing goes missing in silence.

use std::collections::BTreeSet;

use sequent_kernel::model::{
    Caption, CaptionKind, ClassPicture, LineLook, LineWay, Machine, NoteSide, RemarkOwner,
};
use sequent_notation::mermaid;
use sequent_notation::tree::{DiagramBlock, DiagramContent, Notation, Statement, StatementKind};

use super::{RenderedDiagram, Session};
use crate::cli::RenderTarget;
use crate::output;

/// Tells what a diagram loses.
pub(super) fn complain(diagram: &RenderedDiagram, target: RenderTarget, session: &Session) {
    let mut told = match target {
        RenderTarget::Mermaid => unsaid(diagram),
        RenderTarget::Text
        | RenderTarget::Svg
        | RenderTarget::Png
        | RenderTarget::Plantuml
        | RenderTarget::Xmi => Vec::new(),
    };
    told.extend(looks(diagram, target, session).into_iter().map(|word| format!("`{word}`")));
    if !told.is_empty() {
        let place = match target {
            RenderTarget::Text | RenderTarget::Svg | RenderTarget::Png => "the drawing",
            RenderTarget::Mermaid => "Mermaid",
            RenderTarget::Plantuml => "PlantUML as it is printed here",
            RenderTarget::Xmi => "UML",
        };
        let name = diagram.name();
        output::complain(&format!(
            "{place} does not show all that `{name}` says; left out: {}",
            told.join(", ")
        ));
    }
}

/// Statements about looks that are not kept.
fn looks(diagram: &RenderedDiagram, target: RenderTarget, session: &Session) -> Vec<String> {
    let is_text = matches!(target, RenderTarget::Mermaid | RenderTarget::Plantuml);
    let mut words: BTreeSet<String> = BTreeSet::new();
    for block in super::blocks(diagram, session) {
        match &block.content {
            DiagramContent::Sequence(statements) => words.extend(of_statements(statements, block, session)),
            DiagramContent::State(statements) => words.extend(of_statements(statements, block, session)),
            DiagramContent::Class(statements) => words.extend(of_statements(statements, block, session)),
            DiagramContent::Other(_) => {}
        }
    }
    // Drawings have looks of their own; that they have no frame around everything is not one of them.
    words.retain(|word| is_text || word == "mainframe");
    words.into_iter().collect()
}

/// What statements about looks begin with, where nothing of them is kept.
const UNKEPT: &[&str] = &[
    "accDescr",
    "callback",
    "click",
    "footbox",
    "hide",
    "link",
    "links",
    "mainframe",
    "minwidth",
    "page",
    "properties",
    "remove",
    "rotate",
    "scale",
    "show",
    "skin",
    "skinparam",
    "skinparamlocked",
    "sprite",
    "<style>",
    "url",
];

fn of_statements<I>(
    statements: &[Statement<I>],
    block: &DiagramBlock,
    session: &Session,
) -> BTreeSet<String> {
    let looks = statements.iter().filter(|statement| match statement.kind {
        StatementKind::Presentation => true,
        StatementKind::Comment
        | StatementKind::Directive(_)
        | StatementKind::Preprocessor
        | StatementKind::Title(_)
        | StatementKind::Caption(_)
        | StatementKind::Unknown
        | StatementKind::Item(_) => false,
    });
    let word = |statement: &Statement<I>| {
        let text = session.sources.get(statement.span.file).text.get(statement.span.range())?;
        let word = text.trim_start().split(|c: char| c.is_whitespace() || matches!(c, ':' | '{')).next()?;
        let found = UNKEPT.iter().find(|known| match block.notation {
            Notation::PlantUml => known.eq_ignore_ascii_case(word),
            Notation::Mermaid => **known == word,
        })?;
        Some((*found).to_owned())
    };
    looks.filter_map(word).collect()
}

/// What Mermaid has no words for.
fn unsaid(diagram: &RenderedDiagram) -> Vec<String> {
    match diagram {
        RenderedDiagram::Interaction(interaction) => captions(&interaction.captions),
        RenderedDiagram::Machine(machine) => of_machine(machine),
        RenderedDiagram::Classes(model) => of_classes(&model.picture),
    }
}

fn captions(captions: &[Caption]) -> Vec<String> {
    let kinds = captions.iter().map(|caption| match caption.kind {
        CaptionKind::Header => "the header",
        CaptionKind::UpperLegend | CaptionKind::Legend => "the legend",
        CaptionKind::Caption => "the caption",
        CaptionKind::Footer => "the footer",
    });
    let mut told: Vec<String> = kinds.map(str::to_owned).collect();
    told.dedup();
    told
}

/// `3 colours of arrows`; nothing for none.
fn counted(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
}

fn lines<'a>(looks: impl Iterator<Item = &'a LineLook> + Clone) -> Vec<String> {
    let coloured = looks.clone().filter(|look| look.colour.is_some()).count();
    let ways = looks.filter(|look| !matches!(look.way, None | Some(LineWay::Down | LineWay::Right))).count();
    [
        counted(coloured, "colour of an arrow", "colours of arrows"),
        counted(ways, "direction of an arrow", "directions of arrows"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn of_machine(machine: &Machine) -> Vec<String> {
    let mut told = captions(&machine.captions);
    told.extend(lines(machine.transitions.iter().map(|one| &one.look)));
    let notes = || machine.notes.iter();
    let sides = notes().filter(|note| matches!(note.look.side, Some(NoteSide::Top | NoteSide::Bottom)));
    let links = notes().filter(|note| note.transition.is_some()).count();
    told.extend(counted(links, "place of a note on a transition", "places of notes on transitions"));
    told.extend(counted(sides.count(), "side of a note", "sides of notes"));
    let colours = notes().filter(|note| note.look.colour.is_some()).count();
    told.extend(counted(colours, "colour of a note", "colours of notes"));
    let words = machine.vertices.iter().filter(|vertex| !vertex.stereotypes.is_empty()).count();
    told.extend(counted(words, "stereotype of a state", "stereotypes of states"));
    told
}

fn of_classes(picture: &ClassPicture) -> Vec<String> {
    let mut told = captions(&picture.captions);
    told.extend(lines(picture.associations.values().map(|look| &look.line)));
    let signs = picture.associations.values().flat_map(|look| look.signs.iter().flatten());
    told.extend(counted(
        signs.filter(|sign| mermaid::print::sign(**sign).is_none()).count(),
        "sign of a relation",
        "signs of relations",
    ));
    let is_elsewhere = |owner: &RemarkOwner| match owner {
        RemarkOwner::Class(_) => false,
        RemarkOwner::Association(_) | RemarkOwner::Package(_) => true,
        // Objects are told of anyway.
        RemarkOwner::Object(_) | RemarkOwner::Link(_) => false,
    };
    let notes = || picture.notes.iter();
    let moved = notes().filter(|note| note.owners.len() > 1 || note.owners.iter().any(is_elsewhere)).count();
    told.extend(counted(moved, "place of a note", "places of notes"));
    let colours = notes().filter(|note| note.look.colour.is_some()).count();
    told.extend(counted(colours, "colour of a note", "colours of notes"));
    let packages = picture.packages.iter();
    let dressed = packages.filter(|one| one.colour.is_some() || !one.stereotypes.is_empty()).count();
    told.extend(counted(dressed, "look of a package", "looks of packages"));
    told.extend(counted(picture.lines.len(), "line between packages", "lines between packages"));
    let ruled = picture.classes.values().filter(|look| !look.rows.is_empty()).count();
    told.extend(counted(ruled, "division of a body by lines", "divisions of bodies by lines"));
    told
}
