//! UML models in XMI: from what modelling tools write to a [`Model`], without statements in between.
//!
//! [`container`] opens archives and decodes bytes, [`xml`] parses them within limits, [`tree`] gives elements by what they are in any
//! dialect, [`machine`], [`interaction`], [`class`] and [`structure`] read what UML means by them, [`directive`] the questions in comments, [`unread`]
//! says what was left out by the table of what UML knows ([`properties`]), [`dangling`] which references lead nowhere; [`print`](mod@print) writes models, [`lossless`] keeps every byte of one
//! for merges. [`dialect`] knows where tools differ, [`uml1`] what UML 1 calls otherwise, [`tmvml`] reads the metamodel of P4, [`drawing`] where tools keep the order of messages.
//!
//! Elements keep the place of their first tag in the text that was decoded.

mod class;
mod container;
mod dangling;
mod dialect;
mod directive;
mod drawing;
mod interaction;
pub mod lossless;
mod machine;
pub mod print;
mod properties;
mod reader;
mod structure;
mod text;
mod tmvml;
mod tree;
mod trigger;
mod uml1;
mod unread;
mod xml;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Interaction, Model, Subject};
use sequent_kernel::source::{FileId, Sources, Span};

use crate::Context;
use dialect::ModelingTool;
use drawing::MessageDrawing;
use reader::{UniqueNames, XmiReader};
use tree::{NodeId, XmiTree};
use xml::{PreparedXml, XmlRefusal};

pub use container::{Decoded, ENDINGS, decode, has_ending, is_archive};

/// What a file says.
#[derive(Default)]
pub struct Contents {
    /// What can be checked.
    pub model: Model,
    /// Interactions whose order is not in the file; findings say why.
    pub refused: Vec<Interaction>,
    /// Whether the file holds a UML model at all.
    pub is_model: bool,
}

/// Reads a file, and what it refers to in files beside it.
pub fn read_file(file: FileId, context: &mut Context) -> Contents {
    let text = context.sources.get(file).text.clone();
    // An archive that could not be opened is told already.
    if text.trim().is_empty() {
        let name = context.sources.get(file).name.to_ascii_lowercase();
        return Contents {
            is_model: name.ends_with(".mdzip") || name.ends_with(".zargo"),
            ..Contents::default()
        };
    }
    let is_plain_xml = context.sources.get(file).name.to_ascii_lowercase().ends_with(".xml");
    if is_plain_xml && !looks_like_a_model(&text) {
        return Contents::default();
    }
    let mut files = vec![(file, base_name(context.sources, file), text)];
    include(&mut files, context);
    let mut told = |file: FileId, refusal: XmlRefusal| {
        let span = Span::new(file, refusal.at, refusal.at);
        let message = format!("the model is not read: {}", refusal.reason);
        context.diagnostics.push(Diagnostic::new(Code::BadXml, span, message));
    };
    let mut plain = Vec::new();
    for (file, name, text) in &files {
        match PreparedXml::new(text) {
            Ok(one) => plain.push((*file, name, one)),
            Err(refusal) => told(*file, refusal),
        }
    }
    let parsed: Vec<_> = plain.iter().map(|(_, _, one)| one.parse()).collect();
    let wrapped: Vec<Option<PreparedXml>> = plain
        .iter()
        .zip(&parsed)
        .map(|((_, _, one), parsed)| parsed.is_err().then(|| one.wrapped()))
        .collect();
    let mut documents = Vec::new();
    for (((file, name, plain), parsed), wrapped) in plain.iter().zip(parsed).zip(&wrapped) {
        let fragment = wrapped.as_ref().and_then(|wrapped| Some((wrapped.parse_fragment()?, wrapped)));
        match (parsed, fragment) {
            (Ok(document), _) => documents.push((*file, *name, plain, document)),
            (Err(_), Some((document, wrapped))) => documents.push((*file, *name, wrapped, document)),
            (Err(refusal), None) => told(*file, refusal),
        }
    }
    let mut tree = XmiTree::default();
    for (file, name, prepared, document) in &documents {
        tree.add(*file, name, prepared, document);
    }
    tree.join();
    let own = documents.iter().find(|(other, ..)| *other == file);
    let Some((_, _, prepared, document)) = own else { return Contents::default() };
    let (tool, drawing) = (ModelingTool::of(document), MessageDrawing::of(document));
    // What stands in a file of its own is told with that file.
    let is_whole = |root: &NodeId| tree.node(*root).parent.is_none_or(|owner| tree.span(owner).file != file);
    let inside = tree.roots(file).iter().filter(|root| is_whole(root)).flat_map(|root| tree.inside(*root));
    let elements: Vec<NodeId> = inside.filter(|node| tree.span(*node).file == file).collect();
    let mut reader = XmiReader::new(&tree, tool, &elements);
    reader.is_uml = looks_like_a_model(&context.sources.get(file).text);
    let stem = files_stem(context.sources, file);
    let contents = contents(&mut reader, &elements, drawing.as_ref(), &stem);
    dangling::ambiguous(&mut reader, file);
    for drawn in drawing::only_drawn(document) {
        let at = prepared.place(drawn.at);
        let message = format!("{} is drawn, but is in no model; it is not read", drawn.what);
        reader.report(Diagnostic::new(Code::Unsupported, Span::new(file, at, at), message));
    }
    context.diagnostics.append(&mut reader.diagnostics);
    contents
}

/// Whether XML is a UML model, by words that each has near its start.
pub fn looks_like_a_model(text: &str) -> bool {
    let start: String = text.chars().take(20_000).collect();
    let is_uml = ["uml:", "UML:", "/UML", "\"UML\"", "'UML'"].iter().any(|word| start.contains(word));
    is_uml && (start.contains("XMI") || start.contains("xmi"))
}

/// Whether a text is no XML by its first character.
pub(crate) fn is_plain_text(text: &str) -> bool {
    let first = text.trim_start_matches('\u{feff}').trim_start().chars().next();
    first.is_some_and(|first| first != '<')
}

/// Adds the files beside this one that it refers to, near or far.
fn include(files: &mut Vec<(FileId, String, Arc<str>)>, context: &mut Context) {
    let mut known: BTreeSet<String> = files.iter().map(|(_, name, _)| name.clone()).collect();
    for name in files.iter().flat_map(|(file, ..)| owners(*file, context.sources)).collect::<Vec<_>>() {
        if let Ok(owner) = context.loader.load(context.sources, files[0].0, &name) {
            if known.insert(name.clone()) {
                files.push((owner, name, context.sources.get(owner).text.clone()));
            }
        }
    }
    let mut at = 0;
    while let Some((from, _, text)) = files.get(at).cloned() {
        for name in references(&text) {
            if known.insert(name.clone()) && known.len() < 100 {
                if let Ok(file) = context.loader.load(context.sources, from, &name) {
                    let text = context.sources.get(file).text.clone();
                    files.push((file, name, text));
                }
            }
        }
        at += 1;
    }
}

/// The files beside a part of a model that refer to it: there it belongs.
fn owners(file: FileId, sources: &Sources) -> Vec<String> {
    let text = &sources.get(file).text;
    let start: String = text.chars().take(4_000).collect();
    if [":Model", "<Model", ":Package", "<uml:Profile"].iter().any(|word| start.contains(word)) {
        return Vec::new();
    }
    let folder = |file: FileId| {
        let name = sources.get(file).name.replace('\\', "/");
        name.rsplit_once('/').map(|(folder, _)| folder.to_owned())
    };
    let own = base_name(sources, file);
    let beside = sources.files().map(|(other, _)| other).filter(|other| *other != file);
    let beside =
        beside.filter(|other| has_ending(&sources.get(*other).name) && folder(*other) == folder(file));
    beside
        .filter(|other| references(&sources.get(*other).text).contains(&own))
        .map(|other| base_name(sources, other))
        .collect()
}

/// The files of models that a text refers to.
fn references(text: &str) -> BTreeSet<String> {
    let quoted = text.split("href=").skip(1).filter_map(|after| {
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        after[1..].split(quote).next()
    });
    let files = quoted.filter_map(|value| value.split_once('#')).map(|(file, _)| file);
    files.map(tree::unescaped).filter(|file| !file.contains(':') && has_ending(file)).collect()
}

fn base_name(sources: &Sources, file: FileId) -> String {
    let name = sources.get(file).name.replace('\\', "/");
    name.rsplit('/').next().unwrap_or(&name).to_owned()
}

fn files_stem(sources: &Sources, file: FileId) -> String {
    let base = base_name(sources, file);
    base.split('.').find(|part| !part.is_empty()).unwrap_or(&base).to_owned()
}

fn contents(
    reader: &mut XmiReader,
    elements: &[NodeId],
    drawing: Option<&MessageDrawing>,
    stem: &str,
) -> Contents {
    let tree = reader.tree;
    let mut model = Model::default();
    let mut refused = Vec::new();
    let mut subjects = directive::Subjects::new();
    let own = |kinds: &[&str]| {
        let nodes = elements.iter().copied();
        nodes
            .filter(|node| kinds.contains(&tree.kind(*node)) && !tree.is_reference(*node))
            .collect::<Vec<NodeId>>()
    };
    let interactions = own(&["Interaction"]);
    let mut names = UniqueNames::default();
    let named: HashMap<NodeId, String> =
        interactions.iter().map(|node| (*node, names.unique(title(tree, *node, stem), " "))).collect();
    for node in interactions.iter().filter(|node| is_whole(tree, **node)) {
        let read = interaction::interaction(reader, *node, &named, drawing);
        let subject = match read.is_refused {
            true => {
                refused.push(read.interaction);
                None
            }
            false => Some(Subject::Interaction(model.interactions.push(read.interaction))),
        };
        subjects.insert(*node, subject);
    }
    let machines = own(&["StateMachine", "ProtocolStateMachine"]);
    let parts: BTreeSet<NodeId> = elements
        .iter()
        .filter(|node| !tree.is_reference(**node))
        .flat_map(|node| tree.all(*node, "submachine"))
        .collect();
    let mut names = UniqueNames::default();
    for node in &machines {
        let is_behaviour = tree
            .node(*node)
            .parent
            .is_some_and(|owner| tree.first(owner, "classifierBehavior") == Some(*node));
        if !parts.contains(node) || is_behaviour {
            let name = names.unique(title(tree, *node, stem), " ");
            let machine = machine::machine(reader, *node, name);
            subjects.insert(*node, Some(Subject::Machine(model.machines.push(machine))));
        }
    }
    class::classes(reader, elements, &mut model);
    structure::parts(reader, elements, &mut model);
    if !reader.is_uml && tmvml::read(reader, elements, &mut model) {
        return Contents { model, refused, is_model: true };
    }
    directive::ask(reader, elements, &subjects, &mut model);
    dangling::references(reader, elements);
    unread::repeated(reader, elements);
    unread::elements(reader, elements);
    Contents { model, refused, is_model: elements.iter().any(|node| !tree.kind(*node).is_empty()) }
}

/// Whether an interaction is one of its own: XMI 1 uses the word for what lies in a collaboration.
fn is_whole(tree: &XmiTree, node: NodeId) -> bool {
    let roles = ["lifeline", "message", "fragment"];
    roles.iter().any(|role| tree.parts(node, role).next().is_some())
}

/// The name of a diagram: its own, that of what it belongs to, the file's.
fn title<'a>(tree: &'a XmiTree, node: NodeId, stem: &'a str) -> &'a str {
    let owner = tree.node(node).parent.map(|owner| tree.name(owner)).unwrap_or_default();
    [tree.name(node), owner, stem].into_iter().find(|name| !name.is_empty()).unwrap_or(stem)
}
