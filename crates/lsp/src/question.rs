//! What could stand in a directive: its own words as its form in the table tells, codes of findings, and what formulas and goals
//! speak of. After `shop.` and `in(shop, ` come the states of `shop`.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::{Model, VertexKind};
use sequent_notation::{formula, resolve::directive};
use serde_json::{Value, json};

use crate::item::{KEYWORD, METHOD, VALUE, VARIABLE, add, messages};
use crate::navigate::FolderView;

/// The words that could follow in a comment, written up to the cursor.
pub(crate) fn directive(comment: &str, view: &FolderView) -> Vec<Value> {
    let Some((_, written)) = comment.split_once('@') else { return Vec::new() };
    let Some((name, argument)) = written.split_once(' ') else {
        let known = directive::TABLE.iter();
        return known.map(|(name, form)| json!({ "label": name, "kind": KEYWORD, "detail": form })).collect();
    };
    let form = directive::TABLE.iter().find(|(own, _)| *own == name).map_or("", |(_, form)| *form);
    let mut items = Vec::new();
    if let Some(object) = owner(argument) {
        add(&mut items, VALUE, states(view, object));
        return items;
    }
    add(&mut items, KEYWORD, form.split([' ', '[', ']', ',']).flat_map(choices));
    if form.contains("CODE") {
        let code = |code: &Code| json!({ "label": code.name(), "kind": VALUE, "detail": code.title() });
        items.extend(Code::ALL.iter().map(code));
    }
    let is_formula = form.contains("FORMULA");
    if is_formula || ["consider", "ignore", "order"].contains(&name) {
        add(&mut items, METHOD, messages(view));
    }
    if is_formula {
        add(&mut items, KEYWORD, formula::WORDS.iter().map(|word| word.trim_end_matches('(').to_owned()));
    }
    let names_lifelines = ["coregion", "covers", "stop"].contains(&name);
    if is_formula || names_lifelines || form.contains("object.State") {
        add(&mut items, VARIABLE, view.models().flat_map(objects));
    }
    items
}

/// `anchor=anywhere|start` gives `anchor=anywhere` and `anchor=start`, `strongly|weakly` both words.
fn choices(part: &str) -> Vec<String> {
    let (key, values) = part.split_once('=').map_or(("", part), |(key, values)| (key, values));
    let words = values.split('|').filter(|word| values.contains('|') && *word != "CODE");
    words.map(|word| if key.is_empty() { word.to_owned() } else { format!("{key}={word}") }).collect()
}

/// The object whose states come next: `in(shop, `, `shop.`
fn owner(argument: &str) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = argument.trim_end_matches(is_word);
    let asked = before.trim_end().strip_suffix(',').and_then(|rest| rest.rsplit_once("in("));
    let name = match (asked, before.strip_suffix('.')) {
        (Some((_, name)), _) => name.trim(),
        (None, Some(rest)) => &rest[rest.trim_end_matches(is_word).len()..],
        (None, None) => return None,
    };
    (!name.is_empty()).then_some(name)
}

/// Lifelines, objects, and machines that are objects themselves.
fn objects(model: &Model) -> Vec<String> {
    let lifelines = model.interactions.iter().flat_map(|one| one.lifelines.iter().map(|line| &line.name));
    let objects = model.objects.iter().map(|object| &object.name);
    let machines = model.machines.iter().map(|machine| &machine.name);
    lifelines.chain(objects).chain(machines).cloned().collect()
}

/// The states and attributes of an object, by its machine.
pub(crate) fn states(view: &FolderView, object: &str) -> Vec<String> {
    let names = view.classes_of(object);
    let machines = view.models().flat_map(|model| model.machines.iter());
    let words = machines.filter(|machine| names.contains(machine.name.as_str())).flat_map(|machine| {
        let states = machine.vertices.iter().filter(|one| matches!(one.kind, VertexKind::State(_)));
        let attributes = machine.attributes.iter().map(|one| &one.name);
        states.map(|one| &one.name).chain(attributes)
    });
    words.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_tell_the_words_of_directives() {
        assert_eq!(choices("holds|fails|unknown|CODE"), ["holds", "fails", "unknown"]);
        assert_eq!(choices("anchor=anywhere|start"), ["anchor=anywhere", "anchor=start"]);
        assert!(choices("within=K").is_empty() && choices("@class").is_empty());
    }

    #[test]
    fn states_follow_their_object() {
        assert_eq!(owner("G !in(shop, Wa"), Some("shop"));
        assert_eq!(owner("shop.Waiting & bank."), Some("bank"));
        assert_eq!(owner("shop.Wait"), Some("shop"));
        assert_eq!(owner("G (sent(pay, "), None);
        assert_eq!(owner("shop"), None);
    }
}
