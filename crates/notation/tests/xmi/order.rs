//! The order of messages where the file does not list it: taken from the drawing and said, or refused.

use std::path::PathBuf;

use sequent_kernel::diagnostic::Code;

use crate::samples;

const EA: &str = include_str!("../../../../examples/diagnostics/H124-drawn-order.xmi");
const LOOP: &str = include_str!("../../../../examples/diagnostics/E121-empty-loop.uml");

/// The messages in order, or nothing if the diagram is refused; and whether the drawing is said to tell it.
fn order(text: &str) -> (Option<Vec<String>>, bool) {
    let sample = samples::read_bytes(&PathBuf::from("model.xmi"), text.as_bytes());
    let is_said = sample.diagnostics.iter().any(|one| one.code == Code::OrderFromDiagram);
    let is_refused = sample.diagnostics.iter().any(|one| one.code == Code::OrderUnknown);
    assert_eq!(is_refused, !sample.refused.is_empty(), "what is refused is told");
    let diagram = sample.model.interactions.iter().next();
    (diagram.map(|one| one.messages.iter().map(|message| message.name.clone()).collect()), is_said)
}

fn names(names: &[&str]) -> (Option<Vec<String>>, bool) {
    (Some(names.iter().map(|name| (*name).to_owned()).collect()), true)
}

#[test]
fn drawings_tell_the_order_or_nothing_does() {
    let points = |id: usize| {
        if id == 1 {
            "PtStartY=-143;PtEndX=442;PtEndY=-143;"
        } else {
            "PtStartY=-190;PtEndX=174;PtEndY=-190;"
        }
    };
    assert_eq!(order(EA), names(&["heat", "ready"]));
    // Numbers alone.
    let numbers = EA.replace("sequence_points", "other_points");
    assert_eq!(order(&numbers), names(&["heat", "ready"]));
    assert_eq!(order(&numbers.replace("seqno=\"2\"", "seqno=\"0\"")), names(&["ready", "heat"]));
    // One has a height alone, the other a number alone.
    let half = EA.replacen("sequence_points", "other_points", 1).replace("seqno=\"1\"", "");
    assert_eq!(order(&half), (None, false));
    // Heights and numbers contradict each other.
    assert_eq!(order(&EA.replace("seqno=\"2\"", "seqno=\"0\"")), (None, false));
    // The same height twice; the same number twice.
    assert_eq!(order(&EA.replace(points(1), points(2))), (None, false));
    assert_eq!(order(&numbers.replace("seqno=\"2\"", "seqno=\"1\"")), (None, false));
    // No drawing, and one that leaves a message out.
    assert_eq!(
        order(&EA.replace("<connector ", "<other ").replace("</connector>", "</other>")),
        (None, false)
    );
    assert_eq!(order(&EA.replace("xmi:idref=\"EAID_M2\"", "xmi:idref=\"EAID_M9\"")), (None, false));
    // A message drawn in two diagrams at different heights.
    let twice = EA.replace(
        "</connectors>",
        "<connector xmi:idref=\"EAID_M1\"><appearance seqno=\"7\"/></connector></connectors>",
    );
    assert_eq!(order(&twice.replace("sequence_points", "other_points")), (None, false));
    // A fragment whose place is not in the drawing.
    let fragment = "<fragment xmi:type=\"uml:CombinedFragment\" xmi:id=\"f\" interactionOperator=\"opt\"><operand xmi:id=\"o\"/></fragment><message";
    assert_eq!(order(&EA.replacen("<message", fragment, 1)).0, None);
}

#[test]
fn arrows_that_take_time_may_cross() {
    // `heat` arrives below the start of `ready`, so each is sent before the other is received.
    let slow = EA.replace("PtStartY=-143;PtEndX=442;PtEndY=-143;", "PtStartY=-143;PtEndX=442;PtEndY=-200;");
    let slow = slow.replace("PtStartY=-190;PtEndX=174;PtEndY=-190;", "PtStartY=-190;PtEndX=174;PtEndY=-210;");
    let sample = samples::read_bytes(&PathBuf::from("model.xmi"), slow.as_bytes());
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    assert!(!diagram.orderings.is_empty(), "{:?}", diagram.body);
    // An arrow upwards is no drawing of a message.
    let up = EA.replace("PtStartY=-143;PtEndX=442;PtEndY=-143;", "PtStartY=-143;PtEndX=442;PtEndY=-100;");
    assert_eq!(order(&up.replace("seqno", "other")), (None, false));
}

#[test]
fn operands_that_are_empty_in_the_file_are_not_verified() {
    assert_eq!(order(LOOP).0, None);
    let door = include_str!("../../../../examples/gallery/door-papyrus.uml");
    let empty = "<operand xmi:type=\"uml:InteractionOperand\" xmi:id=\"_p9\"/></fragment>";
    let two = door
        .replacen("</operand>\n      </fragment>", &format!("</operand>{empty}"), 1)
        .replace("\"opt\"", "\"alt\"");
    assert_ne!(two, door);
    let count = |text: &str| samples::read_bytes(&PathBuf::from("door.uml"), text.as_bytes()).refused.len();
    // Papyrus writes what is drawn; MagicDraw may leave any operand empty.
    assert_eq!([count(door), count(&two)], [0, 0]);
    let magic = two.replace(
        "xmlns:uml=",
        "xmlns:MagicDraw_Profile=\"http://www.magicdraw.com/schemas/MagicDraw_Profile.xmi\" xmlns:uml=",
    );
    assert_eq!(count(&magic), 1);
}
