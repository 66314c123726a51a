//! The tree: an interaction with its references and loops written out, every occurrence and every choice with a number.
//!
//! What is not in it is not written: a construct that the processes of [these processes](super::lifelines()) cannot say is an error here,
//! never left out in silence.

mod operators;

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{
    Block, Condition, End, Fragment, Guard, Interaction, InteractionId, LifelineId, MessageId, Model,
    Occurrence, Operand, Operator,
};
use sequent_kernel::semantics::{event_text, is_compound, proposition_name, propositions};
use sequent_kernel::source::Place;

use super::Unwritten;

/// More occurrences than this are not written.
const MOST_EVENTS: usize = 200;

/// An interaction written out.
#[derive(Default)]
pub struct Tree {
    /// What happens.
    pub root: Vec<Node>,
    /// Occurrences.
    pub events: Vec<Event>,
    /// Choices, outer ones before inner ones.
    pub choices: Vec<Choice>,
    /// For each barrier the occurrences that come before it.
    pub barriers: Vec<BTreeSet<usize>>,
    /// Critical regions beside others: their occurrences.
    pub criticals: Vec<BTreeSet<usize>>,
    /// How many channels there are.
    pub channels: usize,
    /// Propositions that several guards ask for, or that are fixed.
    pub lasting: BTreeSet<String>,
}

/// A piece of what happens.
pub enum Node {
    /// An occurrence.
    Event(usize),
    /// One after the other on each lifeline.
    Seq(Vec<Node>),
    /// Beside each other, on one lifeline if it is a coregion.
    Par(Option<String>, Vec<Node>),
    /// One of these, by the value of a choice.
    Choice(usize, Vec<(usize, Node)>),
    /// The first instead of the second, if a choice is 1.
    Break(usize, Box<Node>, Box<Node>),
}

/// An occurrence.
pub struct Event {
    /// Whose it is.
    pub lifeline: String,
    /// Its text.
    pub text: String,
    /// What is done.
    pub action: Action,
    /// The message's name; empty for a termination.
    pub message: String,
    /// Who is at the other end, if anybody.
    pub partner: Option<String>,
    /// The channel between both ends.
    pub channel: Option<usize>,
    /// The choices that must have fallen so.
    pub alive: Vec<(usize, usize)>,
    /// The barriers it waits for.
    pub waits: Vec<usize>,
    /// Which end of a message it is, in which copy of a diagram, if of one that is drawn.
    drawn: Option<(usize, Occurrence)>,
    /// The loops around it, outermost first, each with the iteration.
    path: Path,
}

/// Loops, by their place in the tree, each with the iteration.
type Path = Vec<(usize, u32)>;

/// What an occurrence is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// `!`
    Send,
    /// `?`
    Receive,
    /// `x`
    End,
}

/// A choice that is made at set-up.
pub struct Choice {
    /// What it is.
    pub word: &'static str,
    /// Where it stands.
    pub place: Place,
    /// The choices around it that must have fallen so.
    pub alive: Vec<(usize, usize)>,
    /// Its values, each with a condition over lasting propositions.
    pub values: Vec<(usize, Option<Test>)>,
    /// What those propositions must satisfy, else the run does not count.
    pub must: Option<Test>,
}

/// A condition over lasting propositions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// A guard.
    Is(Condition),
    /// None of them.
    None(Vec<Condition>),
    /// Exactly one of them, or none if that may be.
    One(Vec<Condition>, bool),
}

/// Where a fragment stands.
#[derive(Clone, Default)]
struct Context {
    alive: Vec<(usize, usize)>,
    waits: Vec<usize>,
    path: Path,
    is_looped: bool,
    is_beside: bool,
}

/// What follows a block unless a break ends it.
type After<'a, 'm> = &'a mut dyn FnMut(&mut Builder<'m>, &Context) -> Result<Vec<Node>, Unwritten>;

struct Builder<'m> {
    model: &'m Model,
    inlining: Vec<InteractionId>,
    /// The copies of diagrams around, and how many there are.
    copies: Vec<usize>,
    copied: usize,
    /// The fragment that is looked at.
    place: Place,
    tree: Tree,
}

/// Writes an interaction out; propositions in `fixed` have values from the start.
pub fn tree(
    model: &Model,
    id: InteractionId,
    fixed: &BTreeSet<String>,
    at: &dyn Fn(Place) -> String,
) -> Result<Tree, Unwritten> {
    let place = model.interactions[id].place;
    let mut builder =
        Builder { model, inlining: Vec::new(), copies: Vec::new(), copied: 0, place, tree: Tree::default() };
    builder.tree.lasting = lasting(model, id, fixed);
    match builder.interaction(id, &Context::default()) {
        Ok(root) => Ok(Tree { root, ..builder.tree }),
        Err(Unwritten(what)) => {
            Err(Unwritten(format!("{what} ({}); `--shape steps` can", at(builder.place))))
        }
    }
}

fn unable(what: &str) -> Unwritten {
    Unwritten(format!("its lifelines as processes cannot say {what}"))
}

/// Propositions that more than one fragment asks for, that compounds are made of, or that are fixed; and those that stand in one
/// fragment with them.
fn lasting(model: &Model, id: InteractionId, fixed: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = fixed.clone();
    let mut asked: Vec<BTreeSet<String>> = Vec::new();
    let (mut open, mut seen) = (vec![id], BTreeSet::new());
    while let Some(id) = open.pop().filter(|id| seen.insert(*id)) {
        model.interactions[id].walk(&mut |fragment, _| match fragment {
            Fragment::Use(use_) => open.extend(use_.target.filter(|target| !seen.contains(target))),
            Fragment::Combined(combined) => {
                let conditions = combined.operands.iter().filter_map(condition);
                asked.push(conditions.clone().flat_map(propositions).collect());
                let is_more = |condition: &&Condition| {
                    is_compound(condition) || matches!(proposition_name(condition), "true" | "false")
                };
                found.extend(conditions.filter(is_more).flat_map(propositions));
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        });
    }
    let mut uses: BTreeMap<&String, usize> = BTreeMap::new();
    asked.iter().flatten().for_each(|name| *uses.entry(name).or_default() += 1);
    found.extend(uses.into_iter().filter(|(_, uses)| *uses > 1).map(|(name, _)| name.clone()));
    let mut before = usize::MAX;
    while std::mem::replace(&mut before, found.len()) != found.len() {
        let beside = asked.iter().filter(|names| !names.is_disjoint(&found)).flatten();
        found.extend(beside.cloned().collect::<Vec<String>>());
    }
    found.retain(|name| asked.iter().any(|names| names.contains(name)));
    found
}

fn condition(operand: &Operand) -> Option<&Condition> {
    match &operand.guard {
        Guard::Condition(condition) => Some(condition),
        Guard::Absent | Guard::Else => None,
    }
}

impl<'m> Builder<'m> {
    fn current(&self) -> &'m Interaction {
        &self.model.interactions[self.inlining[self.inlining.len() - 1]]
    }

    fn name(&self, lifeline: LifelineId) -> String {
        self.current().lifelines[lifeline].name.clone()
    }

    /// A diagram with its general orderings.
    fn interaction(&mut self, id: InteractionId, context: &Context) -> Result<Vec<Node>, Unwritten> {
        if self.inlining.contains(&id) {
            return Err(unable("a diagram that uses itself"));
        }
        self.copied += 1;
        self.inlining.push(id);
        self.copies.push(self.copied);
        let content = self.block(&self.model.interactions[id].body, context, None);
        self.inlining.pop();
        if let Some(copy) = self.copies.pop() {
            self.order(&self.model.interactions[id], copy);
        }
        content
    }

    /// What an ordering puts later waits for what it puts first, in the same iterations of the loops around both.
    fn order(&mut self, interaction: &Interaction, copy: usize) {
        for ordering in &interaction.orderings {
            let of = |tree: &Tree, wanted: Occurrence| -> Vec<usize> {
                (0..tree.events.len())
                    .filter(|event| tree.events[*event].drawn == Some((copy, wanted)))
                    .collect()
            };
            let earlier = of(&self.tree, ordering.before);
            for later in of(&self.tree, ordering.after) {
                let path = self.tree.events[later].path.clone();
                let is_same = |event: &&usize| is_same_round(&path, &self.tree.events[**event].path);
                let first: BTreeSet<usize> = earlier.iter().filter(is_same).copied().collect();
                self.tree.barriers.push(first);
                self.tree.events[later].waits.push(self.tree.barriers.len() - 1);
            }
        }
    }

    /// The fragments of a block; `after` is what follows unless a break ends it.
    fn block(
        &mut self,
        block: &'m Block,
        context: &Context,
        after: Option<After<'_, 'm>>,
    ) -> Result<Vec<Node>, Unwritten> {
        self.fragments(&block.0, context, after)
    }

    fn fragments(
        &mut self,
        fragments: &'m [Fragment],
        context: &Context,
        after: Option<After<'_, 'm>>,
    ) -> Result<Vec<Node>, Unwritten> {
        let mut nodes = Vec::new();
        for (at, fragment) in fragments.iter().enumerate() {
            if let Fragment::Combined(combined) = fragment {
                if combined.operator == Operator::Break && combined.operands.len() == 1 {
                    let choice = self.option(combined, context)?;
                    let broken = self.inside(context, choice, 1);
                    let taken = self.block(&combined.operands[0].block, &broken, None)?;
                    let unbroken = self.inside(context, choice, 2);
                    let rest = self.fragments(&fragments[at + 1..], &unbroken, after)?;
                    nodes.push(Node::Break(choice, Box::new(Node::Seq(taken)), Box::new(Node::Seq(rest))));
                    return Ok(nodes);
                }
            }
            nodes.extend(self.fragment(fragment, context)?);
        }
        if let Some(after) = after {
            nodes.extend(after(self, context)?);
        }
        Ok(nodes)
    }

    fn fragment(&mut self, fragment: &'m Fragment, context: &Context) -> Result<Vec<Node>, Unwritten> {
        match fragment {
            Fragment::Message(id) => self.message(*id, context),
            Fragment::Stop(stop) => {
                let lifeline = self.name(stop.lifeline);
                let text = format!("x:{lifeline}");
                let event = Event {
                    lifeline,
                    text,
                    action: Action::End,
                    message: String::new(),
                    partner: None,
                    channel: None,
                    alive: context.alive.clone(),
                    waits: context.waits.clone(),
                    drawn: None,
                    path: context.path.clone(),
                };
                Ok(vec![self.event(event)?])
            }
            // What nobody sees orders nothing that is seen.
            Fragment::Action(_) => Ok(Vec::new()),
            Fragment::Invariant(invariant) => {
                self.place = invariant.condition.place;
                Err(unable("a state invariant"))
            }
            Fragment::Use(use_) => {
                let Some(target) = use_.target else { return Ok(Vec::new()) };
                self.interaction(target, context)
            }
            Fragment::Combined(combined) => self.combined(combined, context),
            Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
                Ok(Vec::new())
            }
        }
    }

    fn event(&mut self, event: Event) -> Result<Node, Unwritten> {
        if self.tree.events.len() >= MOST_EVENTS {
            return Err(unable(&format!("more than {MOST_EVENTS} occurrences")));
        }
        self.tree.events.push(event);
        Ok(Node::Event(self.tree.events.len() - 1))
    }

    fn message(&mut self, id: MessageId, context: &Context) -> Result<Vec<Node>, Unwritten> {
        let message = &self.current().messages[id];
        let copy = self.copies.last().copied().unwrap_or_default();
        let line = |end: End| end.lifeline().map(|lifeline| self.name(lifeline));
        let (from, to) = (line(message.from), line(message.to));
        let text = event_text(self.current(), message);
        let channel = (from.is_some() && to.is_some()).then_some(self.tree.channels);
        self.tree.channels += usize::from(channel.is_some());
        let mut nodes = Vec::new();
        let ends = [
            ('!', Action::Send, &from, &to, Occurrence::Send(id)),
            ('?', Action::Receive, &to, &from, Occurrence::Receive(id)),
        ];
        for (sign, action, lifeline, partner, occurrence) in ends {
            let Some(lifeline) = lifeline.clone() else { continue };
            nodes.push(self.event(Event {
                lifeline,
                text: format!("{sign}{text}"),
                action,
                message: message.name.clone(),
                partner: partner.clone(),
                channel,
                alive: context.alive.clone(),
                waits: context.waits.clone(),
                drawn: Some((copy, occurrence)),
                path: context.path.clone(),
            })?);
        }
        Ok(nodes)
    }
}

/// Whether two occurrences stand in the same iterations of all loops that are around both.
fn is_same_round(one: &Path, other: &Path) -> bool {
    let mut around_both = one.iter().zip(other).take_while(|(one, other)| one.0 == other.0);
    around_both.all(|(one, other)| one.1 == other.1)
}
