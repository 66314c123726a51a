//! Reading: files become one model.

use std::collections::BTreeSet;
use std::sync::Arc;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::lint::{self, objects::without_machine};
use sequent_kernel::meter::{self, Work};
use sequent_kernel::model::{Check, Model, Question};
use sequent_kernel::source::{FileId, Folders, Sources, Span};
use sequent_notation::tree::{DiagramContent, Document};
use sequent_notation::{Context, Loader, picture, resolve, xmi};

use crate::ask;
use crate::finding::without_echoes;
use crate::page::{Page, Pages, folder};
use crate::settings::Settings;
use crate::suppression::{self, Suppression};

/// Everything known after reading.
pub struct Reading {
    /// Syntax trees, one per file.
    pub documents: Vec<Arc<Document>>,
    /// What they say together.
    pub model: Model,
    /// The folder of each file.
    pub folders: Folders,
    /// Problems found while reading.
    pub diagnostics: Vec<Diagnostic>,
    /// Comments that leave findings out.
    pub suppressions: Vec<Suppression>,
    /// The files that are reported about, where settings speak of more: what they ask and get wrong elsewhere is left out.
    pub about: Option<BTreeSet<FileId>>,
    /// What is wrong with the diagrams, each looked at by itself, if that is known.
    alone: Option<lint::SingleFindings>,
}

/// Adds a file's text; bytes that are no UTF-8 become replacement characters, and are reported.
pub fn decode(
    sources: &mut Sources,
    name: String,
    bytes: &[u8],
    diagnostics: &mut Vec<Diagnostic>,
) -> FileId {
    if xmi::has_ending(&name) {
        return decode_model(sources, name, bytes, diagnostics);
    }
    if picture::has_ending(&name) {
        return decode_picture(sources, name, bytes, diagnostics);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => sources.add(name, text),
        Err(error) => {
            let file = sources.add(name, String::from_utf8_lossy(bytes).as_ref());
            let at = error.valid_up_to();
            diagnostics.push(
                Diagnostic::new(Code::NotUtf8, Span::new(file, at, at), "from here on the file is not UTF-8")
                    .hint("save the file as UTF-8"),
            );
            file
        }
    }
}

/// Adds the diagram that a picture carries.
fn decode_picture(
    sources: &mut Sources,
    name: String,
    bytes: &[u8],
    diagnostics: &mut Vec<Diagnostic>,
) -> FileId {
    let carried = picture::carried(bytes);
    let is_empty = carried.is_none();
    let file = sources.add(name, carried.map(|carried| carried.text).unwrap_or_default());
    let problem = || {
        let message = "the picture carries no diagram";
        Diagnostic::new(Code::UnreadableFile, Span::new(file, 0, 0), message)
            .hint("pictures that `sequent render` makes carry the diagram that they show")
    };
    diagnostics.extend(is_empty.then(problem));
    file
}

/// Adds the text of a UML model, which may be packed or written in another encoding.
fn decode_model(
    sources: &mut Sources,
    name: String,
    bytes: &[u8],
    diagnostics: &mut Vec<Diagnostic>,
) -> FileId {
    let (text, findings) = match xmi::decode(bytes) {
        Ok(decoded) => {
            let unknown = "the file holds bytes that its encoding does not know".to_owned();
            let mut findings: Vec<_> =
                decoded.has_replacements.then_some((Code::NotUtf8, unknown)).into_iter().collect();
            findings.extend(decoded.left_out.iter().map(|entry| {
                let message =
                    format!("`{entry}` in the archive is not read: only the main part of the model is");
                (Code::Unsupported, message)
            }));
            (decoded.text, findings)
        }
        Err(reason) => (String::new(), vec![(Code::BadXml, format!("the model is not read: {reason}"))]),
    };
    let file = sources.add(name, text);
    let at_start = |(code, message): (Code, String)| Diagnostic::new(code, Span::new(file, 0, 0), message);
    diagnostics.extend(findings.into_iter().map(at_start));
    file
}

/// Reads files into one model.
pub fn read(
    files: &[FileId],
    sources: &mut Sources,
    loader: &mut dyn Loader,
    settings: &Settings,
) -> Reading {
    let mut diagnostics = Vec::new();
    let documents = documents(files, sources, loader, &mut diagnostics);
    let parts: Vec<(&Document, Option<resolve::SingleDocument>)> =
        documents.iter().map(|document| (&**document, None)).collect();
    let (model, problems) = resolve::join(&parts, sources);
    diagnostics.extend(problems);
    let comments = |document: &Arc<Document>| suppression::all(document, sources.get(document.file));
    let suppressions = documents.iter().flat_map(comments).collect();
    let folders = folders(files, sources);
    settled(
        Reading { documents, model, folders, diagnostics, suppressions, about: None, alone: None },
        sources,
        settings,
    )
}

/// Reads files into one model; pages that are still true are not read again.
pub fn read_pages(
    files: &[FileId],
    pages: &mut Pages,
    sources: &mut Sources,
    loader: &mut dyn Loader,
    settings: &Settings,
) -> Reading {
    let pages: Vec<Arc<Page>> = files.iter().map(|file| pages.page(*file, sources, loader)).collect();
    let documents = pages.iter().map(|page| page.document.clone()).collect();
    let parts: Vec<_> = pages.iter().map(|page| (&*page.document, &page.alone)).collect();
    let (model, problems) = resolve::join(&parts, sources);
    let mut diagnostics: Vec<Diagnostic> = pages.iter().flat_map(|page| &page.diagnostics).cloned().collect();
    diagnostics.extend(problems);
    let mut alone = lint::SingleFindings::default();
    pages.iter().for_each(|page| alone.extend(page.lint()));
    let suppressions = pages.iter().flat_map(|page| &page.suppressions).cloned().collect();
    let folders = folders(files, sources);
    let alone = Some(alone);
    settled(
        Reading { documents, model, folders, diagnostics, suppressions, about: None, alone },
        sources,
        settings,
    )
}

fn folders(files: &[FileId], sources: &Sources) -> Folders {
    files.iter().map(|file| (*file, folder(*file, sources).to_owned())).collect()
}

/// Adds what settings say, and what is wrong with that and with files without diagrams.
fn settled(mut reading: Reading, sources: &Sources, settings: &Settings) -> Reading {
    let Reading { documents, model, diagnostics, .. } = &mut reading;
    // What was left out may hold what is missed here.
    if !meter::is_over() {
        let missing = no_diagrams(documents, sources, diagnostics);
        diagnostics.extend(missing);
    }
    diagnostics.sort();
    diagnostics.dedup();
    if !meter::is_over() {
        diagnostics.extend(settings.checks.iter().filter_map(|check| unknown_scenario(check, model)));
        diagnostics.extend(settings.checks.iter().flat_map(|check| ask::problems(check, model)));
        if settings.is_whole {
            diagnostics.extend(without_machines(settings, model));
        }
    }
    model.system = settings.system.clone();
    model.checks.extend(settings.checks.iter().cloned());
    reading
}

/// Reads files one by one, as long as the budget lasts; of a file that was not read to its end nothing is kept.
fn documents(
    files: &[FileId],
    sources: &mut Sources,
    loader: &mut dyn Loader,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Arc<Document>> {
    let mut documents = Vec::new();
    let mut context = Context::new(sources, loader, diagnostics);
    for (done, file) in files.iter().enumerate() {
        let before = context.diagnostics.len();
        let document = sequent_notation::read(*file, &mut context);
        if meter::leaves(Work::Files, files.len() - done) {
            context.diagnostics.truncate(before);
            documents.extend(files[done..].iter().map(|file| Arc::new(Document::new(*file, Vec::new()))));
            break;
        }
        documents.push(Arc::new(document));
    }
    documents
}

/// Where all diagrams were given, a name that none has is an error.
pub(crate) fn must_be_there(finding: &mut Diagnostic) {
    if finding.severity == Severity::Hint {
        (finding.own, finding.severity, finding.hint) = (Severity::Error, Severity::Error, None);
    }
}

/// What is wrong with a question about a scenario that is not there.
pub fn unknown_scenario(check: &Check, model: &Model) -> Option<Diagnostic> {
    let Question::Scenario(scenario) = &check.question else { return None };
    let names = || model.interactions.iter().map(|interaction| interaction.name.as_str());
    let is_unknown = |word: &&FormulaWord| !names().any(|known| known == word.text);
    let FormulaWord { text: name, place } = scenario.interaction.as_ref().filter(is_unknown)?;
    let finding = Diagnostic::new(Code::BadSetting, place.0, format!("no interaction is called `{name}`"));
    Some(match nearest(name, names()) {
        Some(near) => finding.meant(name, near),
        None => finding.severity(Severity::Hint).hint("give the file that holds it on the command line too"),
    })
}

/// Objects of the settings where none of them has a state machine in any folder; where one has, the lints look at the others.
fn without_machines(settings: &Settings, model: &Model) -> Vec<Diagnostic> {
    let classes = || model.machines.iter().map(|one| one.class.as_ref().unwrap_or(&one.name).as_str());
    let is_found = |class: &str| {
        classes().any(|known| known.eq_ignore_ascii_case(class)) || slip_of(class, classes()).is_some()
    };
    let objects = &settings.system.objects;
    if model.machines.is_empty() || objects.iter().any(|(_, class, _)| is_found(class)) {
        return Vec::new();
    }
    let is_declared = |class: &str| model.classes.iter().any(|one| one.declared && one.name == class);
    let undeclared = objects.iter().filter(|(_, class, _)| !is_declared(class));
    undeclared.map(|(name, class, place)| without_machine(name, class, *place, classes())).collect()
}

/// A file without any diagram is worth a word if it is empty or alone. Among files with diagrams, Markdown that holds none is
/// nothing to speak of; of a folder without any diagram one finding speaks.
fn no_diagrams(documents: &[Arc<Document>], sources: &Sources, said: &[Diagnostic]) -> Vec<Diagnostic> {
    let nothing_at_all = documents.iter().all(|document| document.is_empty());
    let is_blank = |file: FileId| sources.get(file).text.trim().is_empty();
    let said: BTreeSet<FileId> = said
        .iter()
        .filter(|one| matches!(one.code, Code::NoDiagram | Code::BadXml))
        .map(|one| one.span.file)
        .collect();
    let silent: Vec<FileId> = documents
        .iter()
        .filter(|document| document.is_empty() && !said.contains(&document.file))
        .map(|document| document.file)
        .collect();
    let finding = |file: FileId, message: &str| {
        Diagnostic::new(Code::NoDiagram, Span::new(file, 0, 0), message).hint(
            "diagrams are fenced blocks in Markdown, or whole files ending in .puml, .mmd, .uml or .xmi",
        )
    };
    match silent.as_slice() {
        [first, _, ..] if nothing_at_all => {
            vec![finding(*first, &format!("none of the {} files holds a diagram", silent.len()))]
        }
        silent => {
            let worth = silent.iter().filter(|file| nothing_at_all || is_blank(**file));
            worth.map(|file| finding(*file, "the file holds no diagram")).collect()
        }
    }
}

impl Reading {
    /// A model that comes from no text, as one that was read.
    pub fn of(model: Model, folders: Folders) -> Self {
        Reading {
            documents: Vec::new(),
            model,
            folders,
            diagnostics: Vec::new(),
            suppressions: Vec::new(),
            about: None,
            alone: None,
        }
    }

    /// Drops the questions that stand in some files, and those of the settings about diagrams in them.
    pub fn ask_only(&mut self, beside: &BTreeSet<FileId>) {
        let interactions = self.model.interactions.iter();
        let own = interactions.filter(|one| !beside.contains(&one.place.0.file));
        let own: BTreeSet<String> = own.map(|one| one.name.clone()).collect();
        self.model.checks.retain(|check| {
            let named = match &check.question {
                Question::Scenario(scenario) => scenario.interaction.as_ref(),
                Question::Triggers(named) => named.as_ref(),
                Question::Ltl(_)
                | Question::Reachable(_)
                | Question::Deadlock
                | Question::Safe(..)
                | Question::Consistent(_)
                | Question::Fragments
                | Question::Refines(_) => None,
            };
            let named = named.or(check.target.as_ref());
            !beside.contains(&check.place.0.file)
                && named.is_none_or(|name| beside.is_empty() || own.contains(&name.text))
        });
    }

    /// Whether a finding is told: what is about the meaning to a search only where something is asked, and to those who ask for it by its code;
    /// what settings say about other files only where those are checked.
    pub(crate) fn tells(&self, finding: &Diagnostic, settings: &Settings) -> bool {
        let is_of_settings = settings.file == Some(finding.span.file);
        let is_elsewhere = self.about.is_some() && is_of_settings && !settings.problems.contains(finding);
        !is_elsewhere && (settings.asks_for(finding) || !lint::is_idle(finding, &self.model, &self.folders))
    }

    /// What is wrong, as far as no search is needed to see it.
    pub(crate) fn linted(&self, settings: &Settings) -> Vec<Diagnostic> {
        let mut found = self.diagnostics.clone();
        let mut linted = match &self.alone {
            Some(alone) => lint::together(&self.model, &self.folders, alone),
            None => lint::lint(&self.model, &self.folders),
        };
        linted.retain(|one| self.tells(one, settings));
        found.extend(without_echoes(linted, &self.diagnostics));
        found
    }
}

/// A few words on what a document holds, diagram by diagram.
pub fn kinds(document: &Document) -> impl Iterator<Item = &'static str> {
    document.blocks.iter().map(|block| match block.content {
        DiagramContent::Sequence(_) => "sequence diagram",
        DiagramContent::State(_) => "state diagram",
        DiagramContent::Class(_) => "class diagram",
        DiagramContent::Other(_) => "other diagram",
    })
}
