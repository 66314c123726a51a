//! What every SVG file promises.

use resvg::usvg::{Options, Tree};
use sequent_kernel::id::Id;
use sequent_kernel::model::{MessageId, Occurrence, Timing, TimingKind};

use crate::draw::sample::{place, sample};
use crate::draw::{Style, Theme, svg};

const EVERYTHING: &str = include_str!("../layout/everything.txt");

#[test]
fn files_are_valid_and_always_the_same() {
    let diagram = sample(EVERYTHING);
    for theme in [Theme::Light, Theme::Dark] {
        let style = Style { theme, ..Style::default() };
        let file = svg(&diagram, &style);
        Tree::from_str(&file, &Options::default()).expect("it is SVG");
        assert_eq!(file, svg(&diagram, &style));
    }
}

#[test]
fn empty_diagrams_are_drawings_too() {
    Tree::from_str(&svg(&sample(""), &Style::default()), &Options::default()).expect("it is SVG");
}

#[test]
fn texts_are_escaped_and_marks_are_not_shown() {
    let file = svg(&sample("title A <b>big</b> title\na -> b : x < y && **z**<br/>\"q\""), &Style::default());
    assert!(file.contains("<title>A big title</title>"));
    assert!(file.contains("x &lt; y &amp;&amp; "));
    assert!(file.contains("<tspan font-weight=\"bold\">z</tspan>"));
    assert!(!file.contains("&lt;br"));
}

#[test]
fn times_stand_below_their_message_or_beside_a_line() {
    let mut diagram = sample("a -> b : x\nb -> a : y");
    let height = |svg: &str| {
        let (_, rest) = svg.split_once(" height=\"").expect("a height");
        rest.split('"').next().and_then(|text| text.parse::<i32>().ok()).expect("a number")
    };
    let before = svg(&diagram, &Style::default());
    let [first, second] = [0, 1].map(MessageId::from_index);
    let timing = |to| Timing {
        kind: TimingKind::Constraint,
        from: Occurrence::Send(first),
        to: Some(to),
        text: "0..13".to_owned(),
        place: place(),
    };
    diagram.timings = vec![timing(Occurrence::Receive(first)), timing(Occurrence::Receive(second))];
    let after = svg(&diagram, &Style::default());
    assert_eq!(after.matches("{0..13}").count(), 2, "{after}");
    assert!(height(&after) > height(&before), "there is room for the text below a message");
}

#[test]
fn marked_messages_stand_out() {
    let style = Style { marked: [MessageId::from_index(1)].into(), ..Style::default() };
    let file = svg(&sample("a -> b : x\na -> b : y"), &style);
    assert_eq!(file.matches("class=\"message marked\" data-key=\"1\"").count(), 1);
    assert_eq!(file.matches("class=\"message\"").count(), 1);
}

#[test]
fn bars_go_on_behind_texts() {
    let bar = "a -> b : x\n+ b\na -> c : a text that is far too long for the gap between two of them, and stands on the bar\nb --> a : r\n- b";
    let file = svg(&sample(bar), &Style::default());
    let palette = Theme::Light.palette();
    let whole = format!("fill=\"{}\"", palette.bar.fill);
    assert_eq!(file.matches(&whole).count(), 1, "the bar is one area");
}
