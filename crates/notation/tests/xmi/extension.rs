//! State machines that extend others hold what they inherit.

use std::path::PathBuf;

use sequent_notation::plantuml::print;

use crate::samples;

/// The machine of a name, as PlantUML.
fn printed(content: &str, name: &str) -> String {
    let text = format!(
        "<uml:Model xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.eclipse.org/uml2/5.0.0/UML' xmi:id='m' name='M'>{content}</uml:Model>"
    );
    let sample = samples::read_bytes(&PathBuf::from("model.uml"), text.as_bytes());
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
    let machine = sample.model.machines.iter().find(|one| one.name == name).expect("the machine");
    let printed = print::state(machine);
    let lines = printed.lines().filter(|line| !line.is_empty() && !line.starts_with('@'));
    lines.map(str::trim).collect::<Vec<_>>().join("\n")
}

const BASE: &str = "<packagedElement xmi:type='uml:Signal' xmi:id='go' name='go'/><packagedElement xmi:type='uml:SignalEvent' xmi:id='ego' signal='go'/>\
    <packagedElement xmi:type='uml:StateMachine' xmi:id='b' name='Base'><region xmi:id='br'>\
    <subvertex xmi:type='uml:Pseudostate' xmi:id='bi'/>\
    <subvertex xmi:type='uml:State' xmi:id='bo' name='Off'><entry xmi:type='uml:OpaqueBehavior' xmi:id='boe'><body>dark</body></entry></subvertex>\
    <subvertex xmi:type='uml:State' xmi:id='bn' name='On'><region xmi:id='bnr'><subvertex xmi:type='uml:Pseudostate' xmi:id='bni'/><subvertex xmi:type='uml:State' xmi:id='dim' name='Dim'/><transition xmi:id='bnt' source='bni' target='dim'/></region></subvertex>\
    <transition xmi:id='b0' source='bi' target='bo'/>\
    <transition xmi:id='b1' source='bo' target='bn'><trigger xmi:id='b1t' event='ego'/><effect xmi:type='uml:OpaqueBehavior' xmi:id='b1e'><body>click</body></effect></transition>\
    <transition xmi:id='b2' source='bn' target='bo'><trigger xmi:id='b2t' event='ego'/></transition></region></packagedElement>";

#[test]
fn what_is_not_redefined_is_inherited() {
    let whole =
        "<packagedElement xmi:type='uml:StateMachine' xmi:id='e' name='Whole' extendedStateMachine='b'/>";
    let base = printed(BASE, "Base");
    assert_eq!(printed(&format!("{BASE}{whole}"), "Whole"), base);
    // A generalization says the same, and so does one step more.
    let general = whole.replace(
        " extendedStateMachine='b'/>",
        "><generalization xmi:id='eg' general='b'/></packagedElement>",
    );
    assert_eq!(printed(&format!("{BASE}{general}"), "Whole"), base);
    let further =
        "<packagedElement xmi:type='uml:StateMachine' xmi:id='f' name='Further' redefinedClassifier='e'/>";
    assert_eq!(printed(&format!("{BASE}{whole}{further}"), "Further"), base);
}

#[test]
fn what_is_redefined_replaces_what_it_redefines() {
    let content = "<packagedElement xmi:type='uml:StateMachine' xmi:id='e' name='Lamp' extendedStateMachine='b'><region xmi:id='er' extendedRegion='br'>\
        <subvertex xmi:type='uml:State' xmi:id='en' name='On' redefinedState='bn'><region xmi:id='enr' extendedRegion='bnr'><subvertex xmi:type='uml:State' xmi:id='full' name='Full'/>\
        <transition xmi:id='ent' source='dim' target='full'><trigger xmi:id='entt' event='ego'/></transition></region></subvertex>\
        <subvertex xmi:type='uml:State' xmi:id='br0' name='Broken'/>\
        <transition xmi:id='e1' source='bo' target='en' redefinedTransition='b1' guard='e1g'><ownedRule xmi:id='e1g'><specification xmi:type='uml:LiteralString' xmi:id='e1s' value='ok'/></ownedRule></transition>\
        <transition xmi:id='e2' source='en' target='br0' redefinedTransition='b2'><trigger xmi:id='e2t' event='ego'/></transition></region></packagedElement>";
    let lamp = printed(&format!("{BASE}{content}"), "Lamp");
    for line in [
        "Off : entry / dark",
        "state Full",
        "state Dim",
        "Dim --> Full : go",
        "Off --> On : go [ok] / click",
        "On --> Broken : go",
        "[*] --> Off",
        "[*] --> Dim",
    ] {
        assert!(lamp.contains(line), "{line}: {lamp}");
    }
    assert!(!lamp.contains("On --> Off"), "{lamp}");
    // The machine that is extended stays as it is.
    assert_eq!(printed(&format!("{BASE}{content}"), "Base"), printed(BASE, "Base"));
}

#[test]
fn submachines_and_circles_are_extended_too() {
    let used = "<packagedElement xmi:type='uml:StateMachine' xmi:id='e' name='Whole' extendedStateMachine='b'/>\
        <packagedElement xmi:type='uml:StateMachine' xmi:id='u' name='User'><region xmi:id='ur'><subvertex xmi:type='uml:Pseudostate' xmi:id='ui'/><subvertex xmi:type='uml:State' xmi:id='us' name='Inside' submachine='e'/>\
        <transition xmi:id='ut' source='ui' target='us'/></region></packagedElement>";
    let user = printed(&format!("{BASE}{used}"), "User");
    assert!(user.contains("Off --> On : go / click"), "{user}");
    let circle = "<packagedElement xmi:type='uml:StateMachine' xmi:id='x' name='X' extendedStateMachine='y'/><packagedElement xmi:type='uml:StateMachine' xmi:id='y' name='Y' extendedStateMachine='x'><region xmi:id='yr'><subvertex xmi:type='uml:State' xmi:id='ys' name='S'/></region></packagedElement>";
    assert!(printed(circle, "X").contains("state S"));
}
