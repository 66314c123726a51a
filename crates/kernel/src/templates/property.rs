//! Templates of properties: what a `neg` forbids and an `assert` demands of a model diagram (section VI of P0).
//!
//! The occurrences of the property are those of the model with the same text, so each is drawn once in both, as in the
//! paper. Properties have partial traces: between their occurrences others of the model may happen.
//!
//! - Strongly safe: `!(Phi & eps)`, with `eps` that of partial traces.
//! - Weakly safe: the same with `delta`: nothing else of the model happens in between.
//! - Consistent, for each lifeline: once what precedes the assertion has happened there, its occurrences follow in their
//!   order, and nothing else until they are over. The figure (36) is garbled in the copy at hand; this is its text. Where
//!   nothing precedes it they are the first there, and come if they are due on another lifeline.

use std::collections::BTreeSet;

use super::condition::Condition;
use super::tree::{LineId, NodeId, OccurrenceId, Requirement, Shape, Tree};
use super::write::{all, any, binary, exact, globally, implies, next, none, not, once, unary};
use super::{Letter, Template, Tense, Wishes, Writer, instantiate, templates, unfold};
use crate::formula::{Binary, Formula, Unary};
use crate::model::{InteractionId, Model};
use crate::semantics::{Assumptions, Unsupported};

/// The formulas that must hold in every run of the model diagram `of`, for what the diagram `id` forbids and demands at its
/// top. None if it does neither.
pub fn properties(
    model: &Model,
    id: InteractionId,
    of: InteractionId,
    assumptions: &Assumptions,
    tense: Tense,
) -> Result<Vec<Template>, Unsupported> {
    let subject = unfold(model, of, assumptions)?;
    let own = unfold(model, id, assumptions)?;
    let has = |shape: Shape| top(&own, shape).is_some();
    let mut found = Vec::new();
    if has(Shape::Neg) {
        found.extend(forbidden(model, id, &subject, assumptions, tense)?);
    }
    if has(Shape::Assert) {
        found.extend(demanded(&own, &subject)?);
    }
    Ok(found)
}

/// The fragment of this shape at the top of a diagram.
fn top(tree: &Tree, shape: Shape) -> Option<NodeId> {
    let is_one = |node: &NodeId| tree.fragment(*node).is_some_and(|fragment| fragment.shape == shape);
    tree.children(tree.root).iter().copied().find(is_one)
}

/// Fails if an occurrence of a property cannot be told from another.
fn told_apart(tree: &Tree) -> Result<(), Unsupported> {
    let mut texts = BTreeSet::new();
    match tree.occurrences.iter().all(|one| texts.insert(&one.event)) {
        true => Ok(()),
        false => Err(Unsupported {
            what: "a property in which an occurrence comes twice".to_owned(),
            place: tree.place,
        }),
    }
}

/// Strongly and weakly safe.
fn forbidden(
    model: &Model,
    id: InteractionId,
    subject: &Tree,
    assumptions: &Assumptions,
    tense: Tense,
) -> Result<Vec<Template>, Unsupported> {
    let wishes = Wishes { tense, is_partial: true };
    let found = templates(model, id, assumptions, wishes)?;
    let tree = &found.tree;
    told_apart(tree)?;
    let Some(negative) = top(tree, Shape::Neg) else { return Ok(Vec::new()) };
    // It is run through.
    let runs = tree.children(negative).first().map_or(Condition::NEVER, |one| tree.nodes[*one].when.clone());
    let Some(literals) = runs.literals() else { return Ok(Vec::new()) };
    let values = literals.iter().map(|(rigid, value)| (tree.rigids[*rigid].clone(), *value)).collect();
    let phi: Vec<Formula> = found.list.iter().map(|one| instantiate(&one.formula, &values)).collect();
    let inside = tree.enabled(negative);
    let others = outside(subject, &inside_texts(tree, &inside), None);
    let others: Vec<Formula> = others.iter().map(|text| exact(text, tree.place)).collect();
    let left = match tense {
        Tense::Past => {
            let over = tree.required_all(&inside);
            let over = all(over.iter().map(|one| tree.over(one, &runs)).collect(), tree.place);
            let quiet = none(others, tree.place);
            binary(Binary::Until, quiet.clone(), binary(Binary::And, over, quiet))
        }
        Tense::Future => globally(implies(any(others, tree.place), globally(tree.quiet(&inside)))),
    };
    let delta = globally(implies(tree.some(&inside), left));
    let strong = not(all(phi.clone(), tree.place));
    let weak = not(all(phi.into_iter().chain([delta]).collect(), tree.place));
    let of = |about: &str, formula| Template { letter: Letter::Omega, about: about.to_owned(), formula };
    Ok(vec![of("strongly safe", strong), of("weakly safe", weak)])
}

/// Consistent, for each lifeline.
fn demanded(tree: &Tree, subject: &Tree) -> Result<Vec<Template>, Unsupported> {
    told_apart(tree)?;
    let Some(assertion) = top(tree, Shape::Assert) else { return Ok(Vec::new()) };
    let wishes = Wishes { tense: Tense::Future, is_partial: true };
    let writer = Writer { tree, templates: Vec::new(), wishes, guarded_first: false };
    let dues: Vec<Formula> =
        tree.lifelines(assertion).into_iter().filter_map(|line| due(tree, assertion, line)).collect();
    let mut found = Vec::new();
    for line in tree.lifelines(assertion) {
        let inside = tree.enabled_on(assertion, line);
        if inside.is_empty() {
            continue;
        }
        let follows = |until| writer.follows(&inside, line, subject, until);
        let formula = match due(tree, assertion, line) {
            Some(due) => globally(implies(due, next(follows(Binary::Until)))),
            None if dues.is_empty() => follows(Binary::Until),
            None => {
                let is_due = dues.iter().map(|due| unary(Unary::Finally, due.clone())).collect();
                let comes = implies(any(is_due, tree.place), follows(Binary::Until));
                binary(Binary::And, follows(Binary::WeakUntil), comes)
            }
        };
        let about = format!("consistent on {}", tree.lines[line]);
        found.push(Template { letter: Letter::Omega, about, formula });
    }
    Ok(found)
}

/// That the last of what precedes an assertion on a lifeline happens; `None` if nothing does.
fn due(tree: &Tree, assertion: NodeId, line: LineId) -> Option<Formula> {
    let before: Vec<OccurrenceId> =
        tree.before(assertion, line).into_iter().map(|one| one.occurrence).collect();
    match before[..] {
        [] => None,
        [only] => Some(tree.happens(only)),
        _ => {
            let happened = before.iter().map(|one| once(tree.happens(*one)));
            let now = any(before.iter().map(|one| tree.happens(*one)).collect(), tree.place);
            Some(all(happened.chain([now]).collect(), tree.place))
        }
    }
}

impl Writer<'_> {
    /// From here on occurrences follow in their order on a lifeline, and nothing else of the model until they are over.
    fn follows(&self, inside: &[OccurrenceId], line: LineId, subject: &Tree, until: Binary) -> Formula {
        let tree = self.tree;
        let others = outside(subject, &inside_texts(tree, inside), Some(&tree.lines[line]));
        let quiet = none(others.iter().map(|text| exact(text, tree.place)).collect(), tree.place);
        let comes = inside.iter().map(|one| {
            let comes = binary(until, quiet.clone(), tree.happens(*one));
            implies(tree.formula(tree.when(*one)), comes)
        });
        let order = inside.iter().filter_map(|one| {
            let leaf = tree.occurrences[*one].node;
            let earlier =
                tree.before(leaf, line).into_iter().filter(|other| inside.contains(&other.occurrence));
            // A message to oneself is sent first.
            let own = tree.ends(leaf).into_iter().take_while(|end| end != one);
            let own = tree.required_all(&own.filter(|end| inside.contains(end)).collect::<Vec<_>>());
            let earlier: Vec<Requirement> = earlier.chain(own).collect();
            self.after(&[*one], &earlier)
        });
        all(comes.chain(order).collect(), tree.place)
    }
}

fn inside_texts<'t>(tree: &'t Tree, inside: &[OccurrenceId]) -> BTreeSet<&'t str> {
    inside.iter().map(|one| tree.occurrences[*one].event.as_str()).collect()
}

/// The events of a model, on a lifeline if one is given, that are not among these.
fn outside(subject: &Tree, inside: &BTreeSet<&str>, line: Option<&String>) -> Vec<String> {
    let own =
        subject.occurrences.iter().filter(|one| line.is_none_or(|line| subject.lines[one.line] == *line));
    let texts: BTreeSet<&str> = own.map(|one| one.event.as_str()).collect();
    texts.difference(inside).map(|text| (*text).to_owned()).collect()
}
