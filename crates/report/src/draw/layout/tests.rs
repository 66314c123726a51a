//! What every layout promises: nothing lies on anything else, and all of it lies inside.

use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Footer, Layout, PlacedLabel, PlateKind, Rect, layout};
use crate::draw::sample::sample;

/// Something of everything.
const EVERYTHING: &str = include_str!("everything.txt");

#[test]
fn nothing_lies_on_anything_else() {
    let diagram = sample(EVERYTHING);
    for measures in [Measures::pixels(280), Measures::pixels(90), Measures::cells(30), Measures::cells(8)] {
        let layout = layout(&diagram, &measures, Footer::Always);
        let solid = solid(&layout);
        for (index, (name, rect)) in solid.iter().enumerate() {
            let fits =
                rect.x >= 0 && rect.y >= 0 && rect.right() <= layout.width && rect.bottom() <= layout.height;
            assert!(fits, "{name} sticks out");
            for (other, over) in &solid[..index] {
                assert!(!overlap(*rect, *over), "{name} lies on {other}");
            }
        }
    }
}

#[test]
fn frames_enclose_their_messages() {
    let diagram =
        sample("loop\na -> b : x\nb -> b : a message to oneself with a long label\nnote right : why\nend");
    let layout = layout(&diagram, &Measures::pixels(280), Footer::Never);
    let frame = layout.frames[0].rect;
    let inside = solid(&layout).into_iter().filter(|(name, _)| !name.starts_with("head"));
    for (name, rect) in inside {
        assert!(frame.x < rect.x && rect.right() < frame.right(), "{name} is wider than the frame");
        assert!(frame.y < rect.y && rect.bottom() < frame.bottom(), "{name} is higher than the frame");
    }
}

#[test]
fn thousands_of_messages_are_laid_out_at_once() {
    let lines = (0..10_000).map(|index| format!("l{} -> l{} : message {index}\n", index % 7, index % 11));
    let diagram = sample(&lines.collect::<String>());
    assert_eq!(layout(&diagram, &Measures::pixels(280), Footer::Auto).arrows.len(), 10_000);
}

/// Everything that may not be covered: heads, outlined texts, labels, lines of messages.
fn solid(layout: &Layout<'_>) -> Vec<(String, Rect)> {
    let text = |text: &PlacedLabel| Rect {
        x: text.x,
        y: text.y,
        width: text.label.width,
        height: text.label.height,
    };
    let mut solid = Vec::new();
    for line in &layout.lifelines {
        solid.extend(line.heads.iter().map(|head| (format!("head {}", line.lifeline.name), *head)));
    }
    for plate in &layout.plates {
        let is_boxed = !matches!(plate.kind, PlateKind::Divider | PlateKind::Delay | PlateKind::Page);
        let rect = if is_boxed { plate.rect } else { text(&plate.text) };
        solid.push((format!("plate {}", plate.text.label.text()), rect));
    }
    for arrow in &layout.arrows {
        solid.push((format!("label {}", arrow.message.text), text(&arrow.text)));
        let right = arrow.turn.unwrap_or(arrow.from.x.max(arrow.to.x));
        let x = arrow.from.x.min(arrow.to.x);
        let line = Rect { x, y: arrow.from.y, width: right - x, height: (arrow.to.y - arrow.from.y).max(1) };
        solid.push((format!("arrow {}", arrow.message.text), line));
    }
    for frame in &layout.frames {
        solid.extend(frame.guards.iter().map(|guard| (format!("guard {}", guard.label.text()), text(guard))));
    }
    solid.retain(|(_, rect)| rect.width > 0 && rect.height > 0);
    solid
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}
