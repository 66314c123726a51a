//! Models of several files: parts that stand in files of their own belong where they are referred to.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::Model;
use sequent_kernel::source::{FileId, Sources};
use sequent_notation::{Context, Loader, Refusal, xmi};

use crate::samples;

/// Finds files among those that are there.
struct Known;

impl Loader for Known {
    fn load(&mut self, sources: &mut Sources, _: FileId, path: &str) -> Result<FileId, Refusal> {
        sources.named(path).ok_or(Refusal::Missing)
    }
}

fn wrapped(content: &str) -> String {
    format!(
        "<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.omg.org/spec/UML/20131001'>{content}</xmi:XMI>"
    )
}

/// What the files `main.uml` and `part.uml` say, each by itself.
fn read(main: &str, part: Option<&str>) -> ([Model; 2], Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let main =
        sources.add("main.uml", wrapped(&format!("<uml:Model xmi:id='m' name='M'>{main}</uml:Model>")));
    let part = part.map(|part| sources.add("part.uml", wrapped(part)));
    let (mut diagnostics, mut loader) = (Vec::new(), Known);
    let mut context = Context::new(&mut sources, &mut loader, &mut diagnostics);
    let models = [Some(main), part]
        .map(|file| file.map(|file| xmi::read_file(file, &mut context).model).unwrap_or_default());
    (models, diagnostics)
}

const REGION: &str = "<uml:Region xmi:id='r' name='R'><subvertex xmi:type='uml:Pseudostate' xmi:id='i'/><subvertex xmi:type='uml:State' xmi:id='A' name='A'/>\
    <transition xmi:id='t' source='i' target='A'/></uml:Region>";

#[test]
fn parts_of_machines_may_stand_in_other_files() {
    let machine = |inside: &str| {
        format!("<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='S'>{inside}</packagedElement>")
    };
    let ([main, part], findings) = read(&machine("<region href='part.uml#r'/>"), Some(REGION));
    let vertices = |model: &Model| model.machines.iter().map(|one| one.vertices.len()).collect::<Vec<_>>();
    assert_eq!((vertices(&main), vertices(&part)), (vec![2], vec![]));
    assert_eq!(findings, []);
    let state = "<uml:State xmi:id='A' name='A'/>";
    let region = "<region xmi:id='r'><subvertex xmi:type='uml:Pseudostate' xmi:id='i'/><subvertex href='part.uml#A'/>\
        <transition xmi:id='t' source='i'><target href='part.uml#A'/></transition></region>";
    let ([main, _], findings) = read(&machine(region), Some(state));
    assert_eq!((vertices(&main), findings), (vec![2], vec![]));
    // The machine of a class, read with its own file.
    let behaviour = format!(
        "<uml:StateMachine xmi:id='s' name='S'>{}</uml:StateMachine>",
        REGION.replace("uml:Region", "region")
    );
    let class = "<packagedElement xmi:type='uml:Class' xmi:id='K' name='Shop'><ownedBehavior href='part.uml#s'/></packagedElement>";
    let ([main, part], findings) = read(class, Some(&behaviour));
    let classes: Vec<_> = part.machines.iter().map(|one| one.class.clone()).collect();
    assert_eq!((main.machines.len(), classes, findings), (0, vec![Some("Shop".to_owned())], vec![]));
}

#[test]
fn parts_of_interactions_may_stand_in_other_files() {
    let lines = "<lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>";
    let sent =
        "<fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='xs' covered='a' message='x'/>";
    let received =
        "<fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='xr' covered='b' message='x'/>";
    let message = "<message xmi:id='x' name='x' sendEvent='xs' receiveEvent='xr'/>";
    let talk = |inside: &str| {
        format!("<packagedElement xmi:type='uml:Interaction' xmi:id='n' name='N'>{inside}</packagedElement>")
    };
    let ([whole, _], _) = read(&talk(&[lines, sent, received, message].concat()), None);
    let names = |model: &Model| {
        let diagram = model.interactions.iter().next().expect("it is read");
        let lines = diagram.lifelines.iter().map(|line| line.name.clone()).collect::<Vec<_>>();
        let ends =
            diagram.messages.iter().map(|one| (one.name.clone(), one.from, one.to)).collect::<Vec<_>>();
        (lines, ends)
    };
    let cut = [
        (
            talk(
                &["<lifeline xmi:id='a' name='a'/><lifeline href='part.uml#b'/>", sent, received, message]
                    .concat(),
            ),
            "<uml:Lifeline xmi:id='b' name='b'/>",
        ),
        (talk(&[lines, sent, "<fragment href='part.uml#xr'/>", message].concat()), received),
        (talk(&[lines, sent, received, "<message href='part.uml#x'/>"].concat()), message),
    ];
    for (main, part) in cut {
        let ([model, other], findings) = read(&main, Some(part));
        assert_eq!(names(&model), names(&whole), "{part}");
        assert_eq!((other.interactions.len(), findings), (0, vec![]), "{part}");
    }
    for gone in
        ["<lifeline href='gone.uml#b'/>", "<fragment href='gone.uml#b'/>", "<message href='gone.uml#b'/>"]
    {
        let (_, findings) = read(&talk(&[lines, sent, received, message, gone].concat()), None);
        assert_eq!(findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::MissingElement], "{gone}");
    }
}

#[test]
fn what_an_archive_holds_in_two_entries_is_one_model() {
    let machine = |inside: &str| {
        format!("<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='S'>{inside}</packagedElement>")
    };
    let main = "com.nomagic.magicdraw.uml_model.model";
    let shared = "com.nomagic.magicdraw.uml_model.shared_model";
    let ways = [format!("<region href='{shared}#r'/>"), "<region xmi:idref='r'/>".to_owned()];
    for way in ways {
        let tool = "<xmi:Documentation><exporter>MagicDraw UML</exporter></xmi:Documentation>";
        let own = wrapped(&format!("{tool}<uml:Model xmi:id='m' name='M'>{}</uml:Model>", machine(&way)));
        let library = "<uml:Package xmi:id='p' name='P'><packagedElement xmi:type='uml:Class' xmi:id='K' name='Shop'/></uml:Package>";
        let kept =
            format!("<?xml version='1.0' encoding='UTF-8'?>\n{}", wrapped(&format!("{REGION}{library}")));
        let bytes = archive(&[(main, &own), (shared, &kept)]);
        let sample = samples::read_bytes(std::path::Path::new("project.mdzip"), &bytes);
        let machines: Vec<_> = sample.model.machines.iter().map(|one| one.vertices.len()).collect();
        let classes: Vec<_> = sample.model.classes.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((machines, classes, sample.diagnostics), (vec![2], vec!["Shop"], vec![]), "{way}");
    }
}

/// An archive of entries that are not packed.
fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in entries {
        let [size, at] = [text.len(), bytes.len()].map(|one| (one as u32).to_le_bytes());
        let length = (name.len() as u16).to_le_bytes();
        let middle = [&[0; 10][..], &size, &size, &length, &[0, 0]].concat();
        bytes.extend([b"PK\x03\x04\x14\0\0\0", &middle[..], name.as_bytes(), text.as_bytes()].concat());
        directory
            .extend([b"PK\x01\x02\x14\0\x14\0\0\0", &middle[..], &[0; 10], &at, name.as_bytes()].concat());
    }
    let [count, at] = [entries.len(), bytes.len()].map(|one| (one as u32).to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0", &count[..2], &count[..2], &[0; 4], &at, &[0, 0]].concat();
    [bytes, directory, end].concat()
}
