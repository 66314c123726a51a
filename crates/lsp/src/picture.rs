//! The picture of the diagram at the cursor, as the buffers are, with what stands on the cursor's line marked.

use std::collections::BTreeSet;

use sequent::picture::WORDING;
use sequent_kernel::source::Span;
use sequent_report::draw::{self, Highlight, Style, Theme};
use serde_json::{Value, json};

use crate::navigate::FolderView;
use crate::text;

/// A picture with the name of its diagram; null where there is none.
pub(crate) fn at(view: &FolderView, file: &std::path::Path, position: &Value, is_dark: bool) -> Value {
    let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) else { return Value::Null };
    let id = leaf.page.document.file;
    let source = view.sources.get(id);
    let offset = text::offset(&source.text, position) as u32;
    let line = source.position(offset).line;
    let is_here = |place: Span| place.file == id && place.start <= offset && offset <= place.end;
    let is_marked = |place: Span| place.file == id && source.position(place.start).line == line;
    let theme = if is_dark { Theme::Dark } else { Theme::Light };
    let model = &leaf.page.model;
    if let Some(one) = model.interactions.iter().find(|one| is_here(one.place.0)) {
        let marked = one.messages.enumerate().filter(|(_, message)| is_marked(message.place.0));
        let style = Style { theme, marked: marked.map(|(id, _)| id).collect(), ..Style::default() };
        return json!({ "name": one.name, "svg": draw::svg(one, &style) });
    }
    if let Some(one) = model.machines.iter().find(|one| is_here(one.place.0)) {
        let style = Style { theme, marked: BTreeSet::new(), ..Style::default() };
        let transitions = one.transitions.enumerate().filter(|(_, fired)| is_marked(fired.place.0));
        let highlight =
            Highlight { transitions: transitions.map(|(id, _)| id).collect(), ..Highlight::default() };
        return json!({ "name": one.name, "svg": draw::machine_svg(one, &WORDING, &style, &highlight) });
    }
    Value::Null
}
