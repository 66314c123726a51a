//! Models of several files: parts that stand in files of their own belong where they are referred to.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::Model;
use sequent_kernel::source::{FileId, Sources};
use sequent_notation::{Context, Loader, Refusal, xmi};

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
