//! Which kind of diagram a text is: its first word, as mermaid's detectors have it.
//!
//! The detectors are tried in mermaid's order and look at the beginning of the word only (`graphical` is a `graph`).

use sequent_kernel::diagnostic::nearest;

use super::text::{is_space, is_word};

/// The kinds that are read, and the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DiagramKind {
    /// `sequenceDiagram`
    Sequence,
    /// `stateDiagram`, `stateDiagram-v2`
    State,
    /// `classDiagram`, `classDiagram-v2`
    Class,
    /// A kind that mermaid knows and that is not read here.
    Other(&'static str),
}

/// The words that begin a diagram of another kind, in mermaid's order where one is a prefix of another.
const OTHERS: &[&str] = &[
    "C4Context",
    "C4Container",
    "C4Component",
    "C4Dynamic",
    "C4Deployment",
    "kanban",
    "erDiagram",
    "gantt",
    "info",
    "pie",
    "requirementDiagram",
    "requirement",
    "flowchart-elk",
    "flowchart",
    "graph",
    "timeline",
    "gitGraph",
    "journey",
    "quadrantChart",
    "sankey-beta",
    "sankey",
    "packet-beta",
    "packet",
    "xychart-beta",
    "xychart",
    "block-beta",
    "block",
    "eventmodeling",
    "treeView-beta",
    "radar-beta",
    "ishikawa",
    "treemap",
    "venn-beta",
    "wardley-beta",
    "mindmap",
    "architecture",
    "swimlane-beta",
    "cynefin-beta",
    "railroad-beta",
    "railroad-ebnf-beta",
    "railroad-abnf-beta",
    "railroad-peg-beta",
    "zenuml",
    "error",
];

/// The kind of a cleaned diagram text; `None` if no detector knows its beginning.
pub(crate) fn detect(text: &str) -> Option<DiagramKind> {
    let text = without_comments(text);
    let kinds = [
        ("classDiagram", DiagramKind::Class),
        ("sequenceDiagram", DiagramKind::Sequence),
        ("stateDiagram", DiagramKind::State),
    ];
    let read = kinds.iter().find(|(word, _)| text.starts_with(word)).map(|(_, kind)| *kind);
    read.or_else(|| OTHERS.iter().find(|word| text.starts_with(**word)).map(|word| DiagramKind::Other(word)))
}

/// A text from its first word on: comments that say nothing (`%%`) do not count.
fn without_comments(text: &str) -> &str {
    let mut text = text.trim_start_matches(is_space);
    while let Some((_, rest)) = text.split_once('\n').filter(|(line, _)| line.trim_end() == "%%") {
        text = rest.trim_start_matches(is_space);
    }
    text
}

/// Whether a word looks like the name of a kind that is newer than this program, and not like a slip in one that it knows.
pub(crate) fn is_like_a_kind(word: &str) -> bool {
    let known = ["sequence", "state", "class", "er", "requirement"];
    let is_new = |stem: &str| !stem.is_empty() && nearest(stem, known).is_none();
    word.strip_suffix("Diagram").is_some_and(is_new) || word.ends_with("-beta")
}

/// The first word of a text.
pub(crate) fn first_word(text: &str) -> &str {
    let text = without_comments(text);
    let length = text.find(|c: char| !is_word(c) && c != '-').unwrap_or(text.len());
    if length > 0 { &text[..length] } else { text.split(is_space).next().unwrap_or_default() }
}

/// The kind whose name is nearest to `word`.
pub(crate) fn suggestion(word: &str) -> Option<&'static str> {
    let read = ["sequenceDiagram", "stateDiagram-v2", "stateDiagram", "classDiagram"];
    nearest(word, read.into_iter().chain(OTHERS.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides() {
        assert_eq!(detect("\n  sequenceDiagram\n"), Some(DiagramKind::Sequence));
        assert_eq!(detect("stateDiagram-v2"), Some(DiagramKind::State));
        assert_eq!(detect("graph TD"), Some(DiagramKind::Other("graph")));
        assert_eq!(detect("SequenceDiagram"), None);
        assert_eq!(suggestion("SequenceDiagram"), Some("sequenceDiagram"));
    }
}
