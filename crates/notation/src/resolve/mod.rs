//! From statements to the model: names are looked up, blocks nested, directives applied.
//!
//! All documents of one invocation become one [`Model`], so that a `ref` in one file finds an interaction in another.

pub mod class;
pub mod directive;
mod known;
pub mod sequence;
pub mod state;

use std::borrow::Borrow;
use std::collections::HashMap;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::id::Id;
use sequent_kernel::meter::{self, Work};
use sequent_kernel::model::{Caption, CaptionKind, Condition, InteractionId, Model, Subject, uses};
use sequent_kernel::source::{FileId, Place, Sources, Span};

use crate::expression;
use crate::tree::{self, DiagramContent, Document, Statement, StatementKind};

/// Resolves all documents together.
pub fn resolve(documents: &[Document], sources: &Sources) -> (Model, Vec<Diagnostic>) {
    let parts: Vec<(&Document, Option<SingleDocument>)> =
        documents.iter().map(|document| (document, None)).collect();
    join(&parts, sources)
}

/// What a document says by itself: nothing in it depends on other documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SingleDocument {
    model: Model,
    diagnostics: Vec<Diagnostic>,
}

/// Resolves a document by itself; none if it draws classes, which diagrams of other documents may add to.
pub fn alone(document: &Document, sources: &Sources) -> Option<SingleDocument> {
    let is_class = |block: &tree::DiagramBlock| match block.content {
        DiagramContent::Class(_) => true,
        DiagramContent::Sequence(_) | DiagramContent::State(_) | DiagramContent::Other(_) => false,
    };
    if document.model.is_some() || document.blocks.iter().any(is_class) {
        return None;
    }
    let (mut names, mut model, mut diagnostics) =
        (DiagramNames::new(document.file, sources), Model::default(), Vec::new());
    for block in &document.blocks {
        if !meter::leaves(Work::Diagrams, 1) {
            resolve_block(block, &mut names, (&[], ""), sources, &mut model, &mut diagnostics);
        }
    }
    Some(SingleDocument { model, diagnostics })
}

/// Makes one model of documents, some of which were resolved by themselves.
pub fn join<A: Borrow<Option<SingleDocument>>>(
    documents: &[(&Document, A)],
    sources: &Sources,
) -> (Model, Vec<Diagnostic>) {
    let mut model = Model::default();
    let mut diagnostics = Vec::new();
    // A class has one home: diagrams of other folders that name it mean another.
    let (mut homes, mut drawn): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (document, alone) in documents {
        let home = sources.get(document.file).name.rsplit_once('/').map_or("", |(folder, _)| folder);
        if let Some(SingleDocument { model: own, diagnostics: problems }) = alone.borrow() {
            model.append(own.clone());
            diagnostics.extend(problems.iter().cloned());
            drawn.resize(model.interactions.len(), home);
            continue;
        }
        let mut names = DiagramNames::new(document.file, sources);
        for block in &document.blocks {
            if meter::leaves(Work::Diagrams, 1) {
                continue;
            }
            resolve_block(block, &mut names, (&homes, home), sources, &mut model, &mut diagnostics);
            homes.resize(model.classes.len(), home);
            drawn.resize(model.interactions.len(), home);
        }
        document.model.iter().for_each(|uml| model.append((**uml).clone()));
        homes.resize(model.classes.len(), home);
        drawn.resize(model.interactions.len(), home);
    }
    link_uses(&mut model);
    diagnostics.extend(uses::bound(&mut model));
    known::link(&mut model, (&drawn, &homes));
    (model, diagnostics)
}

fn resolve_block(
    block: &tree::DiagramBlock,
    names: &mut DiagramNames,
    (homes, home): (&[&str], &str),
    sources: &Sources,
    model: &mut Model,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match &block.content {
        DiagramContent::Sequence(statements) => {
            let name = names.choose(block, statements);
            let interaction = sequence::interaction(block, statements, name, diagnostics);
            let subject = Subject::Interaction(model.interactions.push(interaction));
            directive::ask(directive::all(statements), block.span, Some(subject), model, diagnostics);
        }
        DiagramContent::State(statements) => {
            let name = names.choose(block, statements);
            let mut machine = state::machine(block, statements, name, diagnostics);
            machine.flow = state::flow(block, statements, sources, &state::nesting);
            state::paint(&mut machine, block, statements, sources);
            let subject = Subject::Machine(model.machines.push(machine));
            directive::ask(directive::all(statements), block.span, Some(subject), model, diagnostics);
        }
        DiagramContent::Class(statements) => {
            let around = class::ClassSurroundings {
                captions: captions(statements),
                flow: state::flow(block, statements, sources, &|_| 0),
            };
            let styles = state::StateStyles::of(block, statements, sources);
            let colour = &|name: &str| styles.colour(name);
            class::diagram(statements, around, colour, &|id| homes[id.index()] == home, model);
            directive::ask(directive::all(statements), block.span, None, model, diagnostics);
        }
        DiagramContent::Other(_) => {}
    }
}

/// The texts around a diagram besides its title.
fn captions<I>(statements: &[Statement<I>]) -> Vec<Caption> {
    let mut captions = Vec::new();
    for statement in statements {
        if let StatementKind::Caption(caption) = &statement.kind {
            set_caption(&mut captions, caption);
        }
    }
    captions
}

/// The last text of a kind counts, as in PlantUML.
fn set_caption(captions: &mut Vec<Caption>, caption: &Caption) {
    if caption.text.trim().is_empty() {
        return;
    }
    let is_legend = |kind: CaptionKind| matches!(kind, CaptionKind::Legend | CaptionKind::UpperLegend);
    captions
        .retain(|other| other.kind != caption.kind && !(is_legend(other.kind) && is_legend(caption.kind)));
    captions.push(caption.clone());
}

/// Chooses the names of a file's diagrams: their own, their title, the heading above, the file's; each only once.
struct DiagramNames {
    stem: String,
    taken: HashMap<String, u32>,
}

impl DiagramNames {
    fn new(file: FileId, sources: &Sources) -> Self {
        let name = sources.get(file).name.replace('\\', "/");
        let base = name.rsplit('/').next().unwrap_or_default();
        let stem = base.split('.').find(|part| !part.is_empty()).unwrap_or(base);
        DiagramNames { stem: stem.to_owned(), taken: HashMap::new() }
    }

    fn choose<I>(&mut self, block: &tree::DiagramBlock, statements: &[Statement<I>]) -> String {
        let title = statements.iter().find_map(|statement| match &statement.kind {
            StatementKind::Title(text) => Some(text.replace('\n', " ")),
            StatementKind::Comment
            | StatementKind::Directive(_)
            | StatementKind::Preprocessor
            | StatementKind::Presentation
            | StatementKind::Caption(_)
            | StatementKind::Unknown
            | StatementKind::Item(_) => None,
        });
        let own = directive::name(statements).or_else(|| block.name.clone());
        let candidates = [own, title, block.heading.clone()];
        let name =
            candidates.into_iter().flatten().map(|name| name.trim().to_owned()).find(|name| !name.is_empty());
        self.unique(name.unwrap_or_else(|| self.stem.clone()))
    }

    fn unique(&mut self, name: String) -> String {
        let count = self.taken.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name} ({count})") }
    }
}

/// Finds the interaction behind each `ref`: of that name, in the same file if there is one.
fn link_uses(model: &mut Model) {
    let mut by_name: HashMap<String, Vec<(FileId, InteractionId)>> = HashMap::new();
    for (id, interaction) in model.interactions.enumerate() {
        by_name.entry(folded(&interaction.name)).or_default().push((interaction.place.0.file, id));
    }
    for interaction in model.interactions.iter_mut() {
        let file = interaction.place.0.file;
        let find = |name: &str| {
            let found = by_name.get(&folded(name))?;
            found.iter().min_by_key(|(other, id)| (*other != file, id.index())).map(|(_, id)| *id)
        };
        interaction.body.change_uses(&mut |used| used.target = find(&used.name));
    }
}

/// A name as references compare it: without regard to case and spacing.
fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A condition from its text, without one pair of brackets around it.
fn condition(text: &str, span: Span) -> Condition {
    let text = sequence::in_brackets(text).unwrap_or_else(|| text.trim());
    let text = text.replace('\n', " ");
    Condition { expression: expression::parse(&text).ok(), text, place: Place(span) }
}
