//! `sequent render`: draws diagrams, or prints them in another notation.

mod left_out;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) use sequent::picture::WORDING;
use sequent_kernel::diagnostic::nearest;
use sequent_kernel::meter::{self, Work};
use sequent_kernel::model::{Interaction, Machine, Model, Subject};
use sequent_kernel::source::{FileId, Place};
use sequent_notation::tree::{DiagramBlock, DiagramContent, Notation};
use sequent_notation::{Refusal, mermaid, picture, plantuml, xmi};
use sequent_report::draw;

use super::Session;
use crate::cli::{self, Common, RenderTarget, ThemeArgument};
use crate::roots::{self, LONGEST};
use crate::{files, fonts, output};

pub(crate) fn run(options: &cli::Render, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    let has_errors = session.complain_of_errors();
    let target = target(options.to, options.output.as_deref())?;
    spare(&options.input.paths, options.output.as_deref())?;
    if options.in_place {
        return beside(&session, options, has_errors);
    }
    let model = read(&session, options);
    if target == RenderTarget::Xmi {
        let model = whole(&model, options)?;
        deliver(vec![model], target, options.output.as_deref())?;
        return Ok(u8::from(has_errors));
    }
    let chosen = choose(&model, options.diagram.as_deref())?;
    if target == RenderTarget::Mermaid {
        chosen.iter().for_each(complain_of_objects);
    }
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err("--scale is a number greater than 0".to_owned());
    }
    let width = options.width.unwrap_or(session.look.width);
    let is_alone = chosen.len() == 1;
    let mut results = Vec::new();
    for diagram in chosen {
        if meter::leaves(Work::Drawings, 1) {
            continue;
        }
        left_out::complain(&diagram, target, &session);
        let made = make(diagram, target, options, width, is_alone, &session)?;
        results.push((diagram.name().to_owned(), made));
    }
    deliver(results, target, options.output.as_deref())?;
    Ok(u8::from(has_errors))
}

/// What was read, with the machines as they are wished.
fn read<'s>(session: &'s Session, options: &cli::Render) -> Cow<'s, Model> {
    let mut model = Cow::Borrowed(&session.reading.model);
    if options.extended {
        for machine in model.to_mut().machines.iter_mut() {
            *machine = machine.extended();
        }
    }
    model
}

/// Tells which objects and links are left out where classes are printed in a notation that has no diagram for them.
fn complain_of_objects(diagram: &RenderedDiagram) {
    let RenderedDiagram::Classes(model) = diagram else { return };
    let names: Vec<String> = model.objects.iter().map(|object| format!("`{}`", object.name)).collect();
    if names.is_empty() {
        return;
    }
    let links = if model.links.is_empty() { "" } else { ", and their links" };
    let names = names.join(", ");
    output::complain(&format!(
        "Mermaid has no objects: {names}{links} are left out; name them in `[system]` of sequent.toml"
    ));
}

/// Everything that was read as one UML model: machines, diagrams and classes refer to each other.
fn whole(model: &Model, options: &cli::Render) -> Result<(String, Vec<u8>), String> {
    if options.diagram.is_some() {
        return Err("--to xmi writes all diagrams as one model; leave --diagram out".to_owned());
    }
    let first = options.input.paths.first().map(Path::new);
    let stem = first.and_then(Path::file_stem).map_or("model".into(), |stem| stem.to_string_lossy());
    Ok((stem.clone().into_owned(), xmi::print::model(model, &stem).into_bytes()))
}

/// Something that can be rendered.
#[derive(Clone, Copy)]
enum RenderedDiagram<'a> {
    Interaction(&'a Interaction),
    Machine(&'a Machine),
    /// Everything about classes and objects.
    Classes(&'a Model),
}

impl RenderedDiagram<'_> {
    fn name(&self) -> &str {
        match self {
            RenderedDiagram::Interaction(interaction) => &interaction.name,
            RenderedDiagram::Machine(machine) => &machine.name,
            RenderedDiagram::Classes(_) => "classes",
        }
    }

    /// Whether there is nothing to draw.
    fn is_empty(&self) -> bool {
        match self {
            RenderedDiagram::Interaction(one) => {
                one.lifelines.is_empty() && one.body.0.is_empty() && one.title.is_none()
            }
            RenderedDiagram::Machine(_) | RenderedDiagram::Classes(_) => false,
        }
    }

    /// What questions about it are about: the diagram of the model that stands where it does.
    fn subject(&self, model: &Model) -> Option<Subject> {
        let is_same = |place: Place| self.place().is_some_and(|own| own.0 == place.0);
        match self {
            RenderedDiagram::Interaction(_) => {
                model.interactions.find(|one| is_same(one.place)).map(Subject::Interaction)
            }
            RenderedDiagram::Machine(_) => {
                model.machines.find(|one| is_same(one.place)).map(Subject::Machine)
            }
            RenderedDiagram::Classes(_) => None,
        }
    }

    /// Where it stands; classes stand in many places.
    fn place(&self) -> Option<Place> {
        match self {
            RenderedDiagram::Interaction(interaction) => Some(interaction.place),
            RenderedDiagram::Machine(machine) => Some(machine.place),
            RenderedDiagram::Classes(_) => None,
        }
    }
}

/// A text drawing that fits the width.
pub(crate) fn drawing(interaction: &Interaction, width: usize) -> String {
    draw::text(interaction, &draw::TextStyle { width, ..draw::TextStyle::default() })
}

/// The same under the diagram's name, where no title of its own tells it from others.
pub(crate) fn headed(interaction: &Interaction, width: usize) -> String {
    let drawing = drawing(interaction, width);
    match interaction.title {
        Some(_) => drawing,
        None => format!("── {} ──\n\n{drawing}", interaction.name),
    }
}

/// A diagram of any kind as SVG.
fn svg(diagram: RenderedDiagram, style: &draw::Style) -> String {
    match diagram {
        RenderedDiagram::Interaction(interaction) => draw::svg(interaction, style),
        RenderedDiagram::Machine(machine) => {
            draw::machine_svg(machine, &WORDING, style, &draw::Highlight::default())
        }
        RenderedDiagram::Classes(model) => draw::classes_svg(model, &WORDING, style),
    }
}

/// A machine or classes for the terminal, under their name if there are other diagrams.
fn chart(diagram: RenderedDiagram, width: usize, is_alone: bool) -> String {
    let style = draw::TextStyle { width, ..draw::TextStyle::default() };
    let (drawing, has_title) = match diagram {
        RenderedDiagram::Interaction(interaction) => {
            (draw::text(interaction, &style), interaction.title.is_some())
        }
        RenderedDiagram::Machine(machine) => {
            let drawing = draw::machine_text(machine, &WORDING, &style, &draw::Highlight::default());
            (drawing, machine.title.is_some())
        }
        RenderedDiagram::Classes(model) => {
            (draw::classes_text(model, &WORDING, &style), !model.picture.titles.is_empty())
        }
    };
    if is_alone || has_title { drawing } else { format!("── {} ──\n\n{drawing}", diagram.name()) }
}

/// An error if the file to be written is one of those that are read.
pub(crate) fn spare(read: &[String], output: Option<&Path>) -> Result<(), String> {
    let Some(output) = output.filter(|output| output.is_file()) else { return Ok(()) };
    let is_input = |path: &String| std::fs::canonicalize(path).ok() == std::fs::canonicalize(output).ok();
    match read.iter().any(is_input) {
        true => Err(format!("`{}` is the input itself; name another file with -o", output.display())),
        false => Ok(()),
    }
}

/// What to make: what was asked for, else what the ending of the output says, else text.
pub(crate) fn target(to: Option<RenderTarget>, output: Option<&Path>) -> Result<RenderTarget, String> {
    if let Some(target) = to.or_else(|| by_ending(output)) {
        return Ok(target);
    }
    let ending = output.filter(|path| !path.is_dir()).and_then(Path::extension);
    match ending {
        Some(ending) => {
            let ending = ending.to_string_lossy();
            Err(format!(
                "`.{ending}` is not a file ending for drawings: use .svg, .png, .txt, .mmd, .puml or .uml, or say --to"
            ))
        }
        None => Ok(RenderTarget::Text),
    }
}

fn by_ending(output: Option<&Path>) -> Option<RenderTarget> {
    match output?.extension()?.to_str()? {
        "svg" => Some(RenderTarget::Svg),
        "png" => Some(RenderTarget::Png),
        "txt" => Some(RenderTarget::Text),
        "mmd" | "mermaid" => Some(RenderTarget::Mermaid),
        "puml" | "plantuml" => Some(RenderTarget::Plantuml),
        "uml" | "xmi" => Some(RenderTarget::Xmi),
        _ => None,
    }
}

/// The ending of a file that holds what is made.
pub(crate) fn ending(target: RenderTarget) -> &'static str {
    match target {
        RenderTarget::Svg => "svg",
        RenderTarget::Png => "png",
        RenderTarget::Text => "txt",
        RenderTarget::Mermaid => "mmd",
        RenderTarget::Plantuml => "puml",
        RenderTarget::Xmi => "uml",
    }
}

/// The diagrams that were asked for.
fn choose<'a>(model: &'a Model, name: Option<&str>) -> Result<Vec<RenderedDiagram<'a>>, String> {
    let mut all: Vec<RenderedDiagram> = model.interactions.iter().map(RenderedDiagram::Interaction).collect();
    all.extend(model.machines.iter().map(RenderedDiagram::Machine));
    if !model.classes.is_empty() || !model.objects.is_empty() {
        all.push(RenderedDiagram::Classes(model));
    }
    let Some(name) = name else {
        return if all.is_empty() { Err("there is no diagram to render".to_owned()) } else { Ok(all) };
    };
    let chosen: Vec<RenderedDiagram> =
        all.iter().copied().filter(|diagram| diagram.name().eq_ignore_ascii_case(name)).collect();
    if chosen.is_empty() {
        let near = nearest(name, all.iter().map(|diagram| diagram.name()));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("no diagram is called `{name}`{hint}"));
    }
    Ok(chosen)
}

fn make(
    diagram: RenderedDiagram,
    target: RenderTarget,
    options: &cli::Render,
    width: usize,
    is_alone: bool,
    session: &Session,
) -> Result<Vec<u8>, String> {
    let style = style(options);
    let text = match (target, diagram) {
        (RenderTarget::Text, RenderedDiagram::Interaction(interaction)) if is_alone => {
            drawing(interaction, width)
        }
        (RenderTarget::Text, RenderedDiagram::Interaction(interaction)) => headed(interaction, width),
        (RenderTarget::Text, RenderedDiagram::Machine(_) | RenderedDiagram::Classes(_)) => {
            chart(diagram, width, is_alone)
        }
        (RenderTarget::Svg, diagram) => {
            let svg = svg(diagram, &style);
            let svg = if options.moving_heads { draw::moving_heads(&svg) } else { svg };
            origin(diagram, session, !options.extended).add_to_svg(svg)
        }
        (RenderTarget::Png, diagram) => {
            let png = fonts::png(&svg(diagram, &style), options.scale)?;
            return Ok(origin(diagram, session, !options.extended).add_to_png(png));
        }
        (RenderTarget::Mermaid, diagram) => {
            let text = match diagram {
                RenderedDiagram::Interaction(interaction) => mermaid::print::sequence(interaction),
                RenderedDiagram::Machine(machine) => mermaid::print::state(machine),
                RenderedDiagram::Classes(model) => mermaid::print::class(model),
            };
            asking(&text, "    %% @", diagram, session)
        }
        (RenderTarget::Plantuml, diagram) => asking(&printed(diagram), "' @", diagram, session),
        (RenderTarget::Xmi, _) => return Err("--to xmi writes all diagrams as one model".to_owned()),
    };
    Ok(text.into_bytes())
}

fn style(options: &cli::Render) -> draw::Style {
    let theme = match options.theme {
        ThemeArgument::Light => draw::Theme::Light,
        ThemeArgument::Dark => draw::Theme::Dark,
    };
    draw::Style { theme, ..draw::Style::default() }
}

/// A diagram as PlantUML.
fn printed(diagram: RenderedDiagram) -> String {
    match diagram {
        RenderedDiagram::Interaction(interaction) => plantuml::print::sequence(interaction),
        RenderedDiagram::Machine(machine) => plantuml::print::state(machine),
        RenderedDiagram::Classes(model) => plantuml::print::class(model),
    }
}

/// A diagram in another notation with the questions that it asks in its own, below its first line.
fn asking(text: &str, mark: &str, diagram: RenderedDiagram, session: &Session) -> String {
    let model = &session.reading.model;
    let lines: String =
        model.directives(diagram.subject(model)).map(|question| format!("{mark}{question}\n")).collect();
    // A front matter stands above the first line of a diagram.
    let matter = text.strip_prefix("---\n").and_then(|rest| rest.find("\n---\n")).map_or(0, |end| end + 9);
    let first = text[matter..].find('\n').map_or(text.len(), |end| matter + end + 1);
    let (head, rest) = text.split_at(first);
    format!("{head}{lines}{rest}")
}

/// The blocks that a diagram stands in: one, or all that draw classes and objects.
fn blocks<'s>(diagram: &RenderedDiagram, session: &'s Session) -> Vec<&'s DiagramBlock> {
    let all = session.reading.documents.iter().flat_map(|document| &document.blocks);
    match diagram.place() {
        Some(place) => all.filter(|block| block.span.encloses(place.0)).take(1).collect(),
        None => all.filter(|block| matches!(block.content, DiagramContent::Class(_))).collect(),
    }
}

/// The block that a diagram stands in, if it is one alone.
fn block<'s>(diagram: RenderedDiagram, session: &'s Session) -> Option<&'s DiagramBlock> {
    let has_models = session.reading.documents.iter().any(|document| document.model.is_some());
    match blocks(&diagram, session)[..] {
        [block] if diagram.place().is_some() || !has_models => Some(block),
        _ => None,
    }
}

/// The text of a diagram as it is written, for its picture: the block of its file that it stands in. What stands in no block, as
/// in a UML model, or is not drawn as it is written, is printed.
fn origin(diagram: RenderedDiagram, session: &Session, is_written: bool) -> draw::PictureOrigin {
    let own = block(diagram, session);
    let file = diagram.place().map(|place| place.0.file).or(own.map(|block| block.span.file));
    let source = file.map(|file| session.sources.get(file));
    let written = own.filter(|_| is_written).and_then(|block| {
        let text = session.sources.get(block.span.file).text.get(block.span.range())?;
        Some(whole_block(text, block, diagram.name()))
    });
    let file = source.map(|source| source.name.rsplit('/').next().unwrap_or_default().to_owned());
    draw::PictureOrigin {
        mark: picture::MARK,
        file: file.unwrap_or_default(),
        text: written.unwrap_or_else(|| asking(&printed(diagram), "' @", diagram, session)),
    }
}

/// A block as a file of its own: what stands in a fence of a document may lack its first and last line.
fn whole_block(text: &str, block: &DiagramBlock, name: &str) -> String {
    let is_whole = text.trim_start().starts_with("@start");
    match block.notation {
        Notation::PlantUml if !is_whole => {
            let name = name.replace(['\n', '\r'], " ");
            format!("@startuml {name}\n{}\n@enduml\n", text.trim_end_matches(['\n', '\r']))
        }
        Notation::PlantUml | Notation::Mermaid => text.to_owned(),
    }
}

/// A picture beside a file.
struct PictureFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Writes the pictures beside their files, or looks whether they are up to date.
fn beside(session: &Session, options: &cli::Render, has_errors: bool) -> Result<u8, String> {
    let (pictures, files) = pictures(session, options)?;
    let mut told = String::new();
    let mut is_stale = false;
    for picture in &pictures {
        let name = files::display(&picture.path);
        let found = match roots::read_up_to(&picture.path, LONGEST) {
            Err(Refusal::NotRegular) => return Err(format!("`{name}` is not a regular file")),
            found => found.ok(),
        };
        match (found, options.check) {
            (Some(bytes), _) if bytes == picture.bytes => {}
            (found, true) => {
                is_stale = true;
                told += &format!("{name}: {}\n", if found.is_some() { "out of date" } else { "missing" });
            }
            (_, false) => {
                output::write(&picture.path, &picture.bytes)?;
                told += &format!("{name}\n");
            }
        }
    }
    for path in left_over(&pictures, &files) {
        is_stale = true;
        let name = files::display(&path);
        match options.check {
            true => told += &format!("{name}: left over, its diagram is gone\n"),
            false => output::complain(&format!("`{name}` is left over: its diagram is gone; remove it")),
        }
    }
    if options.check && is_stale {
        output::complain("pictures are not up to date; `sequent render --in-place` writes them");
    }
    output::print(&told);
    Ok(u8::from(has_errors || (options.check && is_stale)))
}

/// The pictures of all sequence diagrams and state machines beside their files, and those files.
fn pictures(
    session: &Session,
    options: &cli::Render,
) -> Result<(Vec<PictureFile>, BTreeSet<PathBuf>), String> {
    let model = &session.reading.model;
    let read: BTreeSet<FileId> = session.reading.documents.iter().map(|document| document.file).collect();
    let mut taken: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let (mut pictures, mut files) = (Vec::new(), BTreeSet::new());
    let mut has_classes = false;
    for diagram in choose(model, None)?.into_iter().filter(|diagram| !diagram.is_empty()) {
        let Some(place) = diagram.place().filter(|place| read.contains(&place.0.file)) else {
            has_classes = true;
            continue;
        };
        let source = &session.sources.get(place.0.file).name;
        if source.starts_with('<') {
            return Err("--in-place writes beside files; standard input has no place".to_owned());
        }
        let path = PathBuf::from(source);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = match diagram.name() == stem {
            true => stem,
            false => format!("{stem}-{}", diagram.name()),
        };
        let name = link_name(&name, taken.entry(folder.clone()).or_default());
        let svg = origin(diagram, session, true).add_to_svg(svg(diagram, &style(options)));
        pictures.push(PictureFile { path: folder.join(name), bytes: svg.into_bytes() });
        files.insert(path);
    }
    if has_classes {
        output::complain(
            "classes and objects of several files are one drawing, which stands beside none of them: leave --in-place out",
        );
    }
    Ok((pictures, files))
}

/// A file name that can stand in a link of a document as it is, different from those taken.
fn link_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let words =
        name.split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c)).filter(|word| !word.is_empty());
    let stem = words.collect::<Vec<_>>().join("-");
    let stem = if stem.is_empty() { "diagram" } else { output::cut_name(&stem) };
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!("-{number}")));
    let mut candidates = numbers.map(|number| format!("{stem}{number}.svg"));
    candidates.find(|candidate| taken.insert(candidate.to_lowercase())).expect("numbers do not end")
}

/// Pictures beside these files that show a diagram of one of them which is no longer there.
fn left_over(pictures: &[PictureFile], files: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let mut found = Vec::new();
    for folder in folders {
        let real = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = std::fs::read_dir(real).into_iter().flatten().flatten();
        let paths = entries.map(|entry| folder.join(entry.file_name()));
        let svgs = paths.filter(|path| path.extension().is_some_and(|ending| ending == "svg"));
        let unknown = svgs.filter(|path| pictures.iter().all(|picture| picture.path != *path));
        found.extend(unknown.filter(|path| {
            let carried = files::bytes(path).ok().and_then(|bytes| picture::carried(&bytes));
            carried.is_some_and(|carried| files.contains(&folder.join(carried.file)))
        }));
    }
    found.sort();
    found
}

fn deliver(
    results: Vec<(String, Vec<u8>)>,
    target: RenderTarget,
    output: Option<&Path>,
) -> Result<(), String> {
    match (output, results.as_slice()) {
        (None, [(_, bytes)]) => print(bytes, target),
        (None, several) if matches!(target, RenderTarget::Svg | RenderTarget::Png) => {
            let hint = "name one with --diagram, or a directory with -o";
            return Err(format!("there are {} diagrams: {hint}", several.len()));
        }
        (None, several) => {
            for (name, bytes) in several {
                print_one(name, bytes, target);
            }
        }
        (Some(file), [(_, bytes)]) if !file.is_dir() && (file.exists() || file.extension().is_some()) => {
            output::write(file, bytes)?
        }
        (Some(folder), several) => {
            if folder.exists() && !folder.is_dir() || by_ending(Some(folder)).is_some() {
                return Err(format!("there are {} diagrams: -o must name a directory", several.len()));
            }
            let mut taken = BTreeSet::new();
            for (name, bytes) in several {
                output::write(&folder.join(file_name(name, target, &mut taken)), bytes)?;
            }
        }
    }
    Ok(())
}

/// One of several diagrams on standard output. Mermaid has no way to keep diagrams apart, so they become Markdown.
fn print_one(name: &str, bytes: &[u8], target: RenderTarget) {
    match target {
        RenderTarget::Mermaid => {
            output::print(&format!("## {name}\n\n```mermaid\n"));
            print(bytes, target);
            output::print("```\n\n");
        }
        RenderTarget::Text
        | RenderTarget::Plantuml
        | RenderTarget::Svg
        | RenderTarget::Png
        | RenderTarget::Xmi => {
            print(bytes, target);
            output::print("\n");
        }
    }
}

/// Prints a diagram; a drawing of characters is always escaped.
fn print(bytes: &[u8], target: RenderTarget) {
    match std::str::from_utf8(bytes) {
        Ok(text) if target == RenderTarget::Text => output::print(text),
        Ok(_) | Err(_) => output::print_source(bytes),
    }
}

/// A file name after the diagram's, different from those taken also where case does not count.
fn file_name(name: &str, target: RenderTarget, taken: &mut BTreeSet<String>) -> String {
    let safe: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_() ".contains(c) { c } else { '_' }).collect();
    let stem = output::cut_name(safe.trim());
    let stem = if stem.is_empty() { "diagram" } else { stem };
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!(" ({number})")));
    let mut candidates = numbers.map(|number| format!("{stem}{number}.{}", ending(target)));
    candidates.find(|candidate| taken.insert(candidate.to_lowercase())).expect("numbers do not end")
}
