//! Semantic tokens: the editor colours names by what they name.

use std::path::Path;

use serde_json::{Value, json};

use crate::index::{Mention, MentionRole, Symbol};
use crate::navigate::FolderView;
use crate::text;

/// The kinds of tokens that the protocol knows, as far as they fit; their numbers are their places here.
const KINDS: &[&str] = &["variable", "enumMember", "function", "class", "namespace"];

/// What the numbers mean.
pub(crate) fn legend() -> Value {
    json!({ "tokenTypes": KINDS, "tokenModifiers": ["declaration"] })
}

/// The number of a symbol's kind; none for words that may be prose.
fn kind(symbol: &Symbol) -> Option<u32> {
    match symbol {
        Symbol::Lifeline(..) => Some(0),
        Symbol::State(..) => Some(1),
        Symbol::Message(_) => Some(2),
        Symbol::Class(_) => Some(3),
        Symbol::Diagram(_) => Some(4),
        Symbol::Object(_) | Symbol::Said(..) => None,
    }
}

/// The names of a file, each relative to the one before it; a name over several lines is left out.
pub(crate) fn tokens(view: &FolderView, file: &Path) -> Value {
    let Some(id) = view.id(file) else { return json!({ "data": [] }) };
    let source = view.sources.get(id);
    let own = view.leaf(id).into_iter().flat_map(|leaf| leaf.index.in_file(id));
    let others = view.including(id).flat_map(|leaf| leaf.index.in_file(id));
    let mut names: Vec<&Mention> = own.chain(others).collect();
    names.sort();
    let number = |place: &Value, name: &str| place[name].as_u64().unwrap_or(0);
    let mut data: Vec<u64> = Vec::new();
    let (mut line, mut column, mut end) = (0, 0, 0);
    for (one, kind) in names.into_iter().filter_map(|one| Some((one, kind(&one.symbol)?))) {
        let [from, to] = [one.span.start, one.span.end].map(|at| text::position(source, at));
        let is_one_line = number(&from, "line") == number(&to, "line");
        if !is_one_line || one.span.start < end {
            continue;
        }
        let (own_line, own_column) = (number(&from, "line"), number(&from, "character"));
        let shift = if own_line == line { own_column - column } else { own_column };
        let is_declared = u64::from(one.role == MentionRole::Defines);
        let length = number(&to, "character") - own_column;
        data.extend([own_line - line, shift, length, u64::from(kind), is_declared]);
        (line, column, end) = (own_line, own_column, one.span.end);
    }
    json!({ "data": data })
}
