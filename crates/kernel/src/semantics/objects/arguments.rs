//! Arguments by name: `^b.m(y = 1, x = 2)` gives each parameter the value that is written for it, wherever it stands.

use crate::model::{Argument, Class, ClassKind, Model, Operation};

use super::body::triggers;
use super::structure::Structure;

/// Why the arguments of a send belong to no list of parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misplaced {
    /// No parameter has this name.
    Unknown(String),
    /// This parameter has two values.
    Twice(String),
}

/// The names of the parameters of a message, as classes declare them and triggers bind them.
pub(crate) fn parameter_lists(model: &Model, structure: &Structure, message: &str) -> Vec<Vec<String>> {
    let operations = model.classes.iter().flat_map(|class| &class.operations);
    let declared = operations.filter(|one| one.name == message);
    let names = |one: &Operation| -> Vec<String> {
        one.parameters.iter().map(|parameter| parameter.name.clone()).collect()
    };
    let is_it = |class: &&Class| class.kind == ClassKind::Signal && class.name == message;
    let signals = model.classes.iter().filter(is_it);
    let attributes =
        signals.map(|class| class.attributes.iter().map(|attribute| attribute.name.clone()).collect());
    let declared = declared.map(names).chain(attributes);
    let machines = structure.objects.iter().filter_map(|object| object.machine);
    let bound = machines.flat_map(|id| triggers(&model.machines[id]).remove(message).unwrap_or_default());
    let mut lists: Vec<Vec<String>> = Vec::new();
    for list in declared.chain(bound.map(<[String]>::to_vec)) {
        if !lists.contains(&list) {
            lists.push(list);
        }
    }
    lists
}

/// Arguments in the order of the parameters: named ones where the first list with all their names has them, the others where they are written. As
/// they are written, if none has a name or no list is known.
pub fn in_order(arguments: &[Argument], lists: &[Vec<String>]) -> Result<Vec<Argument>, Misplaced> {
    let lists: Vec<&Vec<String>> = lists.iter().filter(|list| !list.is_empty()).collect();
    if arguments.iter().all(|one| one.name.is_none()) || lists.is_empty() {
        return Ok(arguments.to_vec());
    }
    let mut reason = None;
    for list in lists {
        match placed(arguments, list) {
            Ok(placed) => return Ok(placed),
            Err(misplaced) => reason = reason.or(Some(misplaced)),
        }
    }
    reason.map_or_else(|| Ok(arguments.to_vec()), Err)
}

/// Arguments in the order of one list of parameters; what is left out has no value.
fn placed(arguments: &[Argument], list: &[String]) -> Result<Vec<Argument>, Misplaced> {
    let mut all: Vec<Option<Argument>> = vec![None; list.len().max(arguments.len())];
    for (at, argument) in arguments.iter().enumerate() {
        let at = match &argument.name {
            Some(name) => list.iter().position(|known| known == name),
            None => Some(at),
        };
        let name = || argument.name.clone().unwrap_or_else(|| argument.text.clone());
        let at = at.ok_or_else(|| Misplaced::Unknown(name()))?;
        if all[at].replace(argument.clone()).is_some() {
            return Err(Misplaced::Twice(list.get(at).cloned().unwrap_or_else(name)));
        }
    }
    let left_out = || Argument { name: None, text: String::new(), value: None };
    Ok(all.into_iter().map(|one| one.unwrap_or_else(left_out)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<Argument> {
        let one = |text: &str| match text.split_once('=') {
            Some((name, value)) => Argument { name: Some(name.into()), text: value.into(), value: None },
            None => Argument { name: None, text: text.into(), value: None },
        };
        text.split(' ').map(one).collect()
    }

    fn check(arguments: &str, lists: &[&str], expected: Result<&str, Misplaced>) {
        let lists: Vec<Vec<String>> =
            lists.iter().map(|list| list.split_whitespace().map(str::to_owned).collect()).collect();
        let found = in_order(&written(arguments), &lists);
        let text = |all: Vec<Argument>| all.iter().map(|one| one.text.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(found.map(text), expected.map(str::to_owned), "{arguments} {lists:?}");
    }

    #[test]
    fn names_say_where_arguments_belong() {
        check("1 2", &["x y"], Ok("1 2"));
        check("y=1 x=2", &["x y"], Ok("2 1"));
        check("x=1 y=2", &["x y"], Ok("1 2"));
        check("y=1", &["x y"], Ok(" 1"));
        check("1 y=2", &["x y"], Ok("1 2"));
        check("y=1 x=2", &["", "a b", "y x"], Ok("1 2"));
        check("y=1 x=2", &[], Ok("1 2"));
        check("z=1 y=2", &["x y"], Err(Misplaced::Unknown("z".into())));
        check("x=1 x=2", &["x y"], Err(Misplaced::Twice("x".into())));
        check("1 x=2", &["x y"], Err(Misplaced::Twice("x".into())));
    }
}
