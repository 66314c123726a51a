//! The colours of states in Mermaid: `classDef name fill:red`, `class a, b name`, `style a fill:red`, `a:::name`.
//!
//! Of all that a style can say the fill is kept, as PlantUML writes colours (`#red`, `#f80`).

use std::collections::HashMap;

use sequent_kernel::model::Machine;
use sequent_kernel::source::Sources;

use crate::tree::state::StateStatement;
use crate::tree::{DiagramBlock, Notation, Statement, StatementKind};

/// Gives states the colours of their styles; what is said last counts, and `style` more than a class.
pub fn paint(
    machine: &mut Machine,
    block: &DiagramBlock,
    statements: &[Statement<StateStatement>],
    sources: &Sources,
) {
    let styles = StateStyles::of(block, statements, sources);
    for vertex in machine.vertices.iter_mut() {
        vertex.colour = styles.colour(&vertex.name).or(vertex.colour.take());
    }
}

/// What styles say, by the names of states (or of classes that are drawn) and of style classes.
#[derive(Default)]
pub struct StateStyles<'t> {
    fills: HashMap<&'t str, String>,
    classes: HashMap<&'t str, &'t str>,
    own: HashMap<&'t str, String>,
}

impl<'t> StateStyles<'t> {
    /// What a Mermaid diagram says.
    pub(crate) fn of<I>(block: &DiagramBlock, statements: &[Statement<I>], sources: &'t Sources) -> Self {
        let mut styles = Self::default();
        if block.notation != Notation::Mermaid {
            return styles;
        }
        for statement in statements {
            let text = sources.get(statement.span.file).text.get(statement.span.range()).unwrap_or_default();
            match &statement.kind {
                StatementKind::Presentation => {
                    styles.style(text);
                    styles.marks(text);
                }
                StatementKind::Item(_) => styles.marks(text),
                StatementKind::Comment
                | StatementKind::Directive(_)
                | StatementKind::Preprocessor
                | StatementKind::Title(_)
                | StatementKind::Caption(_)
                | StatementKind::Unknown => {}
            }
        }
        styles
    }

    /// The fill of what has this name.
    pub(crate) fn colour(&self, name: &str) -> Option<String> {
        let class = self.classes.get(name).and_then(|class| self.fills.get(class));
        self.own.get(name).or(class).cloned()
    }

    /// A line of looks.
    fn style(&mut self, text: &'t str) {
        let Some((word, rest)) = text.trim().split_once(char::is_whitespace) else { return };
        let rest = rest.trim();
        // The names stand before what is said of them; spaces may follow their commas.
        let cut = rest.char_indices().find(|(at, c)| c.is_whitespace() && !rest[..*at].ends_with(','));
        let Some((names, said)) = cut.map(|(at, _)| (&rest[..at], rest[at..].trim())) else { return };
        let names = names.trim_matches('"').split(',').map(str::trim).filter(|name| !name.is_empty());
        match word {
            "classDef" => {
                if let Some(fill) = fill(said) {
                    self.fills.extend(names.map(|name| (name, fill.clone())));
                }
            }
            "class" | "cssClass" => {
                let class = said.split(|c| !is_word(c)).next().unwrap_or_default();
                self.classes.extend(names.map(|name| (name, class)));
            }
            "style" => {
                if let Some(fill) = fill(said) {
                    self.own.extend(names.map(|name| (name, fill.clone())));
                }
            }
            _ => {}
        }
    }

    /// Every `state:::class` of a statement.
    fn marks(&mut self, text: &'t str) {
        for (at, mark) in text.match_indices(":::") {
            let before = text[..at].trim_end_matches(is_word);
            let (name, after) = (&text[before.len()..at], &text[at + mark.len()..]);
            let class = &after[..after.len() - after.trim_start_matches(is_word).len()];
            if !name.is_empty() && !class.is_empty() {
                self.classes.insert(name, class);
            }
        }
    }
}

/// Whether a character may stand in the name of a state or a class.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The fill in `fill:#f00,color:white`, as PlantUML writes colours.
fn fill(styles: &str) -> Option<String> {
    let mut said = styles.split([',', ';']).filter_map(|one| one.split_once(':'));
    let (_, value) = said.rfind(|(key, _)| key.trim() == "fill")?;
    let value = value.split_whitespace().next()?;
    let word = value.strip_prefix('#').unwrap_or(value);
    let is_colour = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
    is_colour.then(|| format!("#{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_the_fill_of_their_style() {
        assert_eq!(fill("fill:#f00,color:white"), Some("#f00".to_owned()));
        assert_eq!(fill("color:white, fill : LightBlue !important"), Some("#LightBlue".to_owned()));
        assert_eq!(fill("stroke:red"), None);
        assert_eq!(fill("fill:rgb(1,2,3)"), None);
        let mut styles = StateStyles::default();
        let lines =
            ["classDef bad, worse fill:red", "class a, b bad", "style c,d fill:#0f0,color:red", "style x"];
        lines.into_iter().for_each(|line| styles.style(line));
        styles.marks("e:::worse --> f:::bad : g");
        assert_eq!(styles.fills["worse"], "#red");
        assert_eq!(
            [styles.classes["a"], styles.classes["b"], styles.classes["e"], styles.classes["f"]],
            ["bad", "bad", "worse", "bad"]
        );
        assert_eq!([&styles.own["c"], &styles.own["d"]], ["#0f0", "#0f0"]);
    }
}
