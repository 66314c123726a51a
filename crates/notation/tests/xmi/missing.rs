//! References that lead nowhere are told wherever they are read, and what stands where nothing is read.

use std::path::Path;

use sequent_kernel::diagnostic::Code;

use crate::constructs::read;
use crate::samples::{self, Sample};

/// One element of each kind that refers to others.
const MODEL: &str = include_str!("whole.uml");

/// The model with an attribute added to the element with an id.
fn with(id: &str, attribute: &str) -> Sample {
    let place = format!("xmi:id=\"{id}\"");
    assert_eq!(MODEL.matches(&place).count(), 1, "{id}");
    let text = MODEL.replace(&place, &format!("{place} {attribute}"));
    samples::read_bytes(Path::new("whole.uml"), text.as_bytes())
}

/// The model with an element inside of the one with an id.
fn holding(id: &str, element: &str) -> Sample {
    let place = format!("<!--{id}-->");
    assert_eq!(MODEL.matches(&place).count(), 1, "{id}");
    samples::read_bytes(Path::new("whole.uml"), MODEL.replace(&place, element).as_bytes())
}

fn told(sample: &Sample) -> Vec<(Code, &str)> {
    sample.diagnostics.iter().map(|one| (one.code, one.message.as_str())).collect()
}

#[test]
fn references_that_lead_nowhere_are_told() {
    let before = samples::read_bytes(Path::new("whole.uml"), MODEL.as_bytes());
    assert_eq!(told(&before), []);
    let references = [
        ("t1", "guard trigger effect"),
        ("A", "entry exit doActivity deferrableTrigger stateInvariant submachine"),
        ("m1", "argument signature"),
        ("op", "guard"),
        ("bx", "start finish"),
        ("si", "invariant"),
        ("La", "represents decomposedAs"),
        ("cf", "message"),
        ("iu", "refersTo"),
        ("pr", "type association"),
        ("pa", "type"),
        ("re", "signal"),
        ("ob", "classifier"),
        ("sl", "definingFeature"),
        ("as", "memberEnd navigableOwnedEnd"),
        ("cl", "classifierBehavior"),
    ];
    for (id, roles) in references {
        for role in roles.split_whitespace() {
            let sample = with(id, &format!("{role}=\"nope\""));
            let told = told(&sample);
            let is_told = |(code, message): &(Code, &str)| {
                *code == Code::MissingElement && message.contains(&format!("`{role}`"))
            };
            assert!(told.iter().any(is_told), "{role} of {id}: {told:?}");
        }
    }
    let references = [("t1", "trigger"), ("t1", "guard"), ("m1", "argument"), ("bx", "finish")];
    for (id, role) in references {
        let sample = holding(id, &format!("<{role} xmi:idref=\"gone\"/>"));
        assert!(told(&sample).iter().any(|one| one.0 == Code::MissingElement), "{role} of {id}");
    }
}

#[test]
fn what_stands_where_nothing_is_read_is_told() {
    let rule = "<specification xmi:type=\"uml:LiteralString\" xmi:id=\"new2\" value=\"n = 1\"/>";
    let odd = [
        ("in", format!("<precondition xmi:type=\"uml:Constraint\" xmi:id=\"new\">{rule}</precondition>")),
        ("sm", format!("<postcondition xmi:type=\"uml:Constraint\" xmi:id=\"new\">{rule}</postcondition>")),
        ("sm", "<ownedOperation xmi:type=\"uml:Operation\" xmi:id=\"new\" name=\"f\"/>".to_owned()),
        ("sm", "<ownedReception xmi:type=\"uml:Reception\" xmi:id=\"new\" name=\"f\"/>".to_owned()),
        ("iu", "<argument xmi:type=\"uml:LiteralString\" xmi:id=\"new\" value=\"1\"/>".to_owned()),
        ("iu", "<returnValue xmi:type=\"uml:LiteralString\" xmi:id=\"new\" value=\"1\"/>".to_owned()),
        ("t1", "<triger xmi:type=\"uml:Trigger\" xmi:id=\"new\" name=\"go\"/>".to_owned()),
        ("A", "<frob>text</frob>".to_owned()),
        ("pr", "<qualifier xmi:type=\"uml:Property\" xmi:id=\"new\" name=\"key\"/>".to_owned()),
        ("as", "<ownedEnd xmi:type=\"uml:Property\" xmi:id=\"new\" name=\"third\" type=\"cl\"/>".to_owned()),
    ];
    for (id, element) in odd {
        let sample = holding(id, &element);
        assert_eq!(sample.diagnostics.len(), 1, "{element}: {:?}", sample.diagnostics);
        assert_eq!(sample.diagnostics[0].code, Code::Unsupported);
    }
    assert_eq!(with("A", "frob=\"1\"").diagnostics.len(), 1);
    assert_eq!(with("A", "isLeaf=\"true\"").diagnostics.len(), 0);
}

#[test]
fn states_that_contain_themselves_are_told() {
    let sample = read(
        "<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='M'><region xmi:id='r'><subvertex xmi:type='uml:State' xmi:id='o' name='O'>\
        <region xmi:id='r2' extendedRegion='r'/></subvertex></region></packagedElement>",
    );
    assert!(
        sample.diagnostics.iter().any(|one| one.message.contains("contains itself")),
        "{:?}",
        sample.diagnostics
    );
}

#[test]
fn copies_of_submachines_are_counted_for_a_file() {
    // Each machine uses the next twice.
    let machine = |at: usize| {
        let next = at + 1;
        let used = if at == 16 { String::new() } else { format!("submachine='m{next}'") };
        let state = |name: &str| {
            format!("<subvertex xmi:type='uml:State' xmi:id='{name}{at}' name='{name}' {used}/>")
        };
        let states = format!("{}{}", state("a"), state("b"));
        format!(
            "<packagedElement xmi:type='uml:StateMachine' xmi:id='m{at}' name='M{at}'><region xmi:id='r{at}'>{states}</region></packagedElement>"
        )
    };
    let users: String = (0..40)
        .map(|at| format!("<packagedElement xmi:type='uml:StateMachine' xmi:id='u{at}' name='U{at}'><region xmi:id='q{at}'><subvertex xmi:type='uml:State' xmi:id='z{at}' submachine='m0'/></region></packagedElement>"))
        .collect();
    let sample = read(&format!("{}{users}", (0..17).map(machine).collect::<String>()));
    let vertices: usize = sample.model.machines.iter().map(|one| one.vertices.len()).sum();
    assert!(vertices < 21_000, "{vertices}");
    assert!(sample.diagnostics.iter().any(|one| one.code == Code::TooDeep));
    // Submachines in submachines.
    let chain: String = (0..500)
        .map(|at| format!("<packagedElement xmi:type='uml:StateMachine' xmi:id='m{at}' name='M{at}'><region xmi:id='r{at}'><subvertex xmi:type='uml:State' xmi:id='z{at}' submachine='m{}'/></region></packagedElement>", at + 1))
        .collect();
    assert!(read(&chain).diagnostics.iter().any(|one| one.code == Code::TooDeep));
}
