//! Messages and their arrows.

use sequent_kernel::model::{
    Arrow, Bound, End, Execution, Fragment, Half, LifelineId, MessageId, MessageSort, Operand, Outside, Side,
    Tip, TipShape,
};

use super::{PlantumlSequencePrinter, colour_after_space};
use crate::plantuml::print::text::line_text;

/// Whether the arrow is printed pointing left, so that its receiver is mentioned first: lifelines are numbered from left
/// to right, and an arrow that was written backwards mentions them in that order.
pub(crate) fn is_backwards(from: End, to: End, arrow: &Arrow) -> bool {
    let headless = arrow.tail.shape == TipShape::None && arrow.head.shape != TipShape::None;
    matches!((from, to), (End::Lifeline(from), End::Lifeline(to)) if to < from) && headless
}

impl PlantumlSequencePrinter<'_> {
    /// A message line; `marks` are its shorthands.
    pub(super) fn message(&mut self, id: MessageId, parallel: bool, marks: &str) {
        let message = &self.interaction.messages[id];
        let (from, to, arrow) = (message.from, message.to, &with_head(&message.arrow));
        let ends = match (from, to) {
            (End::Outside(outside), to) => {
                let name = self.end(to);
                at_border(outside, &name, arrow, true)
            }
            (from, End::Outside(outside)) => {
                let name = self.end(from);
                at_border(outside, &name, arrow, false)
            }
            (End::Lifeline(sender), End::Lifeline(receiver)) => self.between(sender, receiver, arrow),
        };
        let create = if message.sort == MessageSort::Create { " **" } else { "" };
        let parallel = if parallel { "& " } else { "" };
        let text = match line_text(&message.text) {
            text if text.is_empty() => text,
            text => format!(" : {text}"),
        };
        let anchor = self.anchor_of(id);
        self.line(&format!("{parallel}{anchor}{ends}{create}{marks}{text}"));
    }

    fn between(&mut self, sender: LifelineId, receiver: LifelineId, arrow: &Arrow) -> String {
        let news = |id: LifelineId| !self.mentioned.contains(&id);
        let (from, to) = (End::Lifeline(sender), End::Lifeline(receiver));
        if is_backwards(from, to, arrow) && news(sender) && news(receiver) {
            let (left, right) = (self.end(to), self.end(from));
            return format!(
                "{left} {}{}{} {right}",
                left_head(arrow.head),
                body(arrow),
                right_tip(arrow.tail)
            );
        }
        let (left, right) = (self.end(from), self.end(to));
        format!("{left} {}{}{} {right}", left_tip(arrow.tail), body(arrow), right_tip(arrow.head))
    }

    /// Messages drawn at the same height: each but the first starts with `&`, and what it does to its lifelines stands
    /// on its own line.
    pub(super) fn side_by_side(&mut self, operands: &[Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            let fragments = operand.block.0.as_slice();
            let (Some((Fragment::Message(id), rest)), true) = (fragments.split_first(), index > 0) else {
                self.block(&operand.block);
                continue;
            };
            let (marks, count) = self.shorthands(*id, rest);
            self.message(*id, true, &marks);
            rest[count..].iter().for_each(|fragment| self.fragment(fragment));
        }
    }

    /// The shorthands for the executions that follow a message, and how many fragments they stand for.
    fn shorthands(&self, id: MessageId, rest: &[Fragment]) -> (String, usize) {
        let message = &self.interaction.messages[id];
        let only = message.from.lifeline().xor(message.to.lifeline());
        let (sender, receiver) = (only.or(message.from.lifeline()), only.or(message.to.lifeline()));
        let is = |fragment: Option<&Fragment>, end: Option<LifelineId>, wanted: Bound| match fragment {
            Some(Fragment::Execution(Execution { lifeline, bound, .. })) => {
                end == Some(*lifeline) && *bound == wanted
            }
            _ => false,
        };
        let finish = is(rest.first(), sender, Bound::Finish);
        let after = &rest[usize::from(finish)..];
        let start = is(after.first(), receiver, Bound::Start) && !(finish && only.is_some());
        let colour = match after.first() {
            Some(Fragment::Execution(execution)) if start => colour_after_space(execution.colour.as_deref()),
            _ => String::new(),
        };
        let stop = matches!(rest.first(), Some(Fragment::Stop(stop)) if receiver == Some(stop.lifeline));
        match (finish, start) {
            (true, true) => (format!(" --++{colour}"), 2),
            (true, false) => (" --".to_owned(), 1),
            (false, true) => (format!(" ++{colour}"), 1),
            (false, false) if stop => (" !!".to_owned(), 1),
            (false, false) => (String::new(), 0),
        }
    }
}

/// A message from or to the outside.
fn at_border(outside: Outside, name: &str, arrow: &Arrow, found: bool) -> String {
    let (inner, outer) = if found { (arrow.head, arrow.tail) } else { (arrow.tail, arrow.head) };
    let border = match (outside.short, outside.side) {
        (true, _) => '?',
        (false, Side::Left) => '[',
        (false, Side::Right) => ']',
    };
    match outside.side {
        Side::Left => {
            let (left, right) = (head(outer, '<', !found), head(inner, '>', found));
            let body = body_at_border(arrow, &left, &right);
            format!("{border}{}{left}{body}{right}{} {name}", decoration(outer), decoration(inner))
        }
        Side::Right => {
            let (left, right) = (head(inner, '<', found), head(outer, '>', !found));
            let body = body_at_border(arrow, &left, &right);
            format!("{name} {}{left}{body}{right}{}{border}", decoration(inner), decoration(outer))
        }
    }
}

/// At a border PlantUML wants the line of an arrow that points only to the left behind its colour: `[<[#red]- a`.
fn body_at_border(arrow: &Arrow, left: &str, right: &str) -> String {
    let body = body(arrow);
    match body.strip_prefix('-') {
        Some(colour) if colour.ends_with(']') && !left.is_empty() && right.is_empty() => format!("{colour}-"),
        _ => body,
    }
}

/// `-`, `--`, with the colour in brackets.
fn body(arrow: &Arrow) -> String {
    let second = if arrow.dashed { "-" } else { "" };
    match colour_after_space(arrow.colour.as_deref()).trim() {
        "" => format!("-{second}"),
        colour => format!("-[{colour}]{second}"),
    }
}

fn left_tip(tip: Tip) -> String {
    format!("{}{}", decoration(tip), head(tip, '<', false))
}

/// The receiver's end on the left.
fn left_head(tip: Tip) -> String {
    format!("{}{}", decoration(tip), head(tip, '<', tip.shape == TipShape::Cross))
}

fn right_tip(tip: Tip) -> String {
    format!("{}{}", head(tip, '>', tip.shape == TipShape::Cross), decoration(tip))
}

/// `o` or `x`.
fn decoration(tip: Tip) -> &'static str {
    match (tip.circle, tip.shape) {
        (true, _) => "o",
        (false, TipShape::Cross) => "x",
        (false, TipShape::None | TipShape::Filled | TipShape::Open) => "",
    }
}

/// PlantUML has no arrow without any head: such a line gets the one its meaning has, open if solid, filled if dashed.
fn with_head(arrow: &Arrow) -> Arrow {
    let is_headless = arrow.head.shape == TipShape::None && arrow.tail.shape == TipShape::None;
    let shape = match (is_headless, arrow.dashed) {
        (false, _) => arrow.head.shape,
        (true, false) => TipShape::Open,
        (true, true) => TipShape::Filled,
    };
    Arrow { head: Tip { shape, ..arrow.head }, ..arrow.clone() }
}

/// The head at one end; `needed` where a cross has one behind it.
fn head(tip: Tip, full: char, needed: bool) -> String {
    let mark = match tip.half {
        None => full,
        Some(Half::Upper) => {
            if full == '>' {
                '\\'
            } else {
                '/'
            }
        }
        Some(Half::Lower) => {
            if full == '>' {
                '/'
            } else {
                '\\'
            }
        }
    };
    match tip.shape {
        TipShape::Filled => mark.to_string(),
        TipShape::Open => format!("{mark}{mark}"),
        TipShape::Cross | TipShape::None if needed => mark.to_string(),
        TipShape::Cross | TipShape::None => String::new(),
    }
}
