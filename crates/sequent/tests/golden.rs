//! The golden suite: every file in `examples/` is a case.
//!
//! A case is a file a user could have written. What `sequent check` says about it stands beside it in `NAME.out`; a
//! folder in `examples/projects` is one case, with its result in `expected.out`. `UPDATE_EXPECT=1 cargo test` rewrites
//! the results; the diff is the review. For every case besides: the file comes back byte for byte from the lossless
//! tree, printing and re-reading gives the same model, and a second run gives the same bytes.

use expect_test::expect_file;
use sequent::{picture, pipeline};
use sequent_kernel::model::{Block, Fragment, Interaction, Machine, Model};
use sequent_kernel::source::Sources;
use sequent_notation::tree::{DiagramContent, Notation, lossless};
use sequent_notation::{mermaid, plantuml};
use sequent_report::{answers, draw, findings};
use sequent_testing::cases::{self, ExampleCase, ExampleIncludes, ReadCase, read};

#[test]
fn every_example_gives_what_stands_beside_it() {
    for case in cases::all() {
        let report = report(&case);
        assert_eq!(report, self::report(&case), "{}: two runs differ", case.name);
        expect_file![case.expected].assert_eq(&report);
    }
}

#[test]
fn every_example_comes_back_from_the_lossless_tree() {
    for case in cases::all().into_iter().chain(cases::pssm()) {
        let ReadCase { sources, reading, .. } = read(&case);
        for document in &reading.documents {
            let text = &sources.get(document.file).text;
            let tree = lossless::cut(document, text.len());
            let joined: String = tree.leaves().iter().map(|leaf| sources.text(leaf.span)).collect();
            assert_eq!(joined, **text, "{}", case.name);
        }
    }
}

/// Each diagram is printed in its own notation; only what a `ref` leads to and what other diagrams know is lost, as each is read
/// alone.
#[test]
fn printing_and_reading_again_gives_the_same_model() {
    let cases = cases::all().into_iter().chain(cases::pssm());
    for case in cases.filter(|case| !case.name.starts_with("diagnostics")) {
        let reading = read(&case).reading;
        let mut interactions = reading.model.interactions.iter();
        let mut machines = reading.model.machines.iter();
        for block in reading.documents.iter().flat_map(|document| &document.blocks) {
            match &block.content {
                DiagramContent::Sequence(_) => {
                    let interaction = unlinked(interactions.next().expect("one per block"));
                    let text = print_sequence(block.notation, &interaction);
                    let again = reread(block.notation, &text);
                    let again = again.interactions.iter().next();
                    assert_eq!(again, Some(&interaction), "{}:\n{text}", case.name);
                }
                DiagramContent::State(_) => {
                    let machine = machines.next().expect("one per block");
                    let text = print_state(block.notation, machine);
                    let again = reread(block.notation, &text);
                    assert_eq!(again.machines.iter().next(), Some(machine), "{}:\n{text}", case.name);
                }
                DiagramContent::Class(_) | DiagramContent::Other(_) => {}
            }
        }
        let text = plantuml::print::class(&reading.model);
        let again = reread(Notation::PlantUml, &text);
        assert_eq!(again.classes, reading.model.classes, "{}:\n{text}", case.name);
        assert_eq!(again.associations, reading.model.associations, "{}:\n{text}", case.name);
        assert_eq!(again.objects, reading.model.objects, "{}:\n{text}", case.name);
        assert_eq!(again.links, reading.model.links, "{}:\n{text}", case.name);
    }
}

fn print_sequence(notation: Notation, interaction: &Interaction) -> String {
    match notation {
        Notation::PlantUml => plantuml::print::sequence(interaction),
        Notation::Mermaid => mermaid::print::sequence(interaction),
    }
}

fn print_state(notation: Notation, machine: &Machine) -> String {
    match notation {
        Notation::PlantUml => plantuml::print::state(machine),
        Notation::Mermaid => mermaid::print::state(machine),
    }
}

fn reread(notation: Notation, text: &str) -> Model {
    let name = match notation {
        Notation::PlantUml => "again.puml",
        Notation::Mermaid => "again.mmd",
    };
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    pipeline::read(&[file], &mut sources, &mut ExampleIncludes, &Default::default()).model
}

/// An interaction whose references lead nowhere.
fn unlinked(interaction: &Interaction) -> Interaction {
    fn visit(block: &mut Block) {
        for fragment in &mut block.0 {
            if let Fragment::Use(use_) = fragment {
                use_.target = None;
            }
            if let Fragment::Combined(combined) = fragment {
                combined.operands.iter_mut().for_each(|operand| visit(&mut operand.block));
            }
        }
    }
    let mut interaction = Interaction { known: Vec::new(), ..interaction.clone() };
    visit(&mut interaction.body);
    interaction
}

/// What `sequent check` prints without colours, with the findings that the author announced; drawings in the gallery.
fn report(case: &ExampleCase) -> String {
    let session = read(case);
    let outcome = session.check();
    let mut text = String::new();
    if case.name.contains("gallery") {
        for interaction in session.reading.model.interactions.iter() {
            text += &draw::text(interaction, &draw::TextStyle { width: 100, ..Default::default() });
            text.push('\n');
        }
        let model = &session.reading.model;
        if !model.classes.is_empty() || !model.objects.is_empty() {
            let style = draw::TextStyle { width: 100, ..Default::default() };
            text += &draw::classes_text(model, &picture::WORDING, &style);
            text.push('\n');
        }
    }
    let look = findings::FindingStyle { colour: false, width: 100 };
    for diagnostic in &outcome.diagnostics {
        text += &findings::text(diagnostic, &session.sources, look);
        text.push('\n');
    }
    for diagnostic in &outcome.known {
        text += "announced: ";
        text += &findings::text(diagnostic, &session.sources, look);
        text.push('\n');
    }
    for answer in &outcome.answers {
        text += &answers::text(answer, &session.sources, 100);
    }
    text += &format!("exit code: {}\n", pipeline::exit_code(&outcome));
    text
}

/// Every line of an example that is not blank belongs to a statement.
#[test]
fn no_line_of_an_example_is_lost() {
    for case in cases::all().into_iter().chain(cases::pssm()) {
        let ReadCase { sources, reading, .. } = read(&case);
        for document in &reading.documents {
            let tree = lossless::cut(document, sources.get(document.file).text.len());
            for leaf in tree.leaves() {
                let is_blank = leaf.kind == lossless::LeafKind::Blank;
                assert!(
                    !is_blank || sources.text(leaf.span).trim().is_empty(),
                    "{}: {:?}",
                    case.name,
                    sources.text(leaf.span)
                );
            }
        }
    }
}

#[test]
fn the_picture_of_the_readme_is_drawn_by_render() {
    let cases = cases::all();
    let case =
        cases.iter().find(|case| case.name.ends_with("web-shop-order.puml")).expect("the example is there");
    let session = read(case);
    let interaction = session.reading.model.interactions.iter().next().expect("it holds a diagram");
    expect_file![cases::root().join("docs/picture.svg")]
        .assert_eq(&draw::svg(interaction, &Default::default()));
}
