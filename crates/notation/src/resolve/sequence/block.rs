//! Blocks while a diagram is read: opened, divided into operands, closed, and which operator each of them is.

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};
use sequent_kernel::model::{
    Block, Combined, Fragment, Frame, Guard, LifelineId, Loop, MessageType, Operand, Operator,
};
use sequent_kernel::source::{Place, Span};

use super::fragment::{self, Spec};
use super::{DEEPEST, InteractionBuilder, bounds};
use crate::resolve::condition;
use crate::tree::sequence::{self as tree, BlockKeyword};

/// A block whose end has not come yet.
pub(super) struct OpenBlock {
    spec: Spec,
    pub(super) frame: Frame,
    covers: Vec<LifelineId>,
    pub(super) span: Span,
    operands: Vec<Operand>,
    guard: Guard,
    title: Option<String>,
    colour: Option<String>,
    operand_span: Span,
    /// The fragments around the block, taken up again at its end.
    outer: Vec<Fragment>,
}

impl InteractionBuilder<'_> {
    pub(super) fn open_block(&mut self, open: &tree::BlockOpening, span: Span) {
        if self.open.len() >= DEEPEST {
            self.too_deep += 1;
            // What is inside of it is too deep as well.
            if self.too_deep == 1 {
                let message = format!("blocks are nested more than {DEEPEST} deep");
                self.report(Diagnostic::new(Code::TooDeep, span, message));
            }
            return;
        }
        self.report_reversed(open);
        let given = self.pending.take().map(|(spec, _)| spec);
        let known = |name: &str| self.participants.find(name).is_some();
        let header = fragment::header(self.notation, open, given, known);
        if matches!(header.spec, Spec::Plain(Operator::Loop(Loop { max: Some(0), .. }))) {
            let message = "this loop never runs: it has no iteration";
            let hint = "give it an upper bound of 1 or more, or leave it out";
            self.report(Diagnostic::new(Code::LoopBounds, span, message).hint(hint));
        }
        let guard = match header.guard {
            Some(text) => Guard::Condition(condition(&text, open.text.span)),
            None => Guard::Absent,
        };
        self.open.push(OpenBlock {
            spec: header.spec,
            frame: Frame {
                keyword: open.keyword.word().to_owned(),
                title: header.title,
                subtitle: header.subtitle,
                colour: open.colour.clone(),
            },
            covers: std::mem::take(&mut self.covers),
            span,
            operands: Vec::new(),
            guard,
            title: header.operand_title,
            colour: None,
            operand_span: span,
            outer: std::mem::take(&mut self.current),
        });
    }

    /// Bounds of a loop in the wrong order are none.
    fn report_reversed(&mut self, open: &tree::BlockOpening) {
        let instead = match open.keyword {
            BlockKeyword::Loop if bounds::is_reversed(&open.text.text) => "a guard",
            BlockKeyword::Group if bounds::is_reversed_group(&open.text.text) => "a frame without meaning",
            BlockKeyword::Loop
            | BlockKeyword::Group
            | BlockKeyword::Alt
            | BlockKeyword::Opt
            | BlockKeyword::Break
            | BlockKeyword::Par
            | BlockKeyword::Par2
            | BlockKeyword::ParOver
            | BlockKeyword::Critical
            | BlockKeyword::Partition
            | BlockKeyword::Rect => return,
        };
        let message = format!("the lower bound is greater than the upper one, so this is read as {instead}");
        self.report(Diagnostic::new(Code::LoopBounds, open.text.span, message).hint("write `(min,max)`"));
    }

    pub(super) fn divide(&mut self, divide: &tree::Divide, span: Span) {
        if self.too_deep > 0 {
            return;
        }
        let fragments = std::mem::take(&mut self.current);
        let Some(open) = self.open.last_mut() else {
            let word = divider(divide.keyword);
            self.current = fragments;
            self.report(
                Diagnostic::new(Code::StrayElse, span, format!("`{word}` stands in no block"))
                    .hint("open a block such as `alt` before it"),
            );
            return;
        };
        open.end_operand(fragments, span);
        let text = divide.text.text.trim();
        let (guard, title) = fragment::operand_header(&open.spec, text);
        open.guard = match guard {
            Some(text) if is_else(&text) => Guard::Else,
            Some(text) => Guard::Condition(condition(&text, divide.text.span)),
            None if open.spec.takes_guards() => Guard::Else,
            None => Guard::Absent,
        };
        open.title = title;
        open.colour = divide.colour.clone();
        open.operand_span = span;
    }

    pub(super) fn close(&mut self, span: Span) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        match self.open.pop() {
            Some(open) => self.close_block(open, span),
            None => self.report(
                Diagnostic::new(Code::StrayEnd, span, "`end` closes nothing: no block is open here")
                    .hint("remove it, or open the block it was meant to close"),
            ),
        }
    }

    pub(super) fn close_block(&mut self, mut open: OpenBlock, span: Span) {
        let fragments = std::mem::replace(&mut self.current, std::mem::take(&mut open.outer));
        open.end_operand(fragments, span);
        let operator = self.operator(&open);
        let place = Place(open.span.to(span));
        let combined = Combined::new(operator, open.operands, open.frame, place);
        let combined = Combined { covers: open.covers, ..combined };
        self.current.push(Fragment::Combined(combined));
    }

    /// The operator of a finished block; only now is a coregion's lifeline known.
    fn operator(&mut self, open: &OpenBlock) -> Operator {
        match open.spec.operator() {
            Ok(Operator::Ignore(types)) => Operator::Ignore(self.message_types(types, open.span)),
            Ok(Operator::Consider(types)) => Operator::Consider(self.message_types(types, open.span)),
            Ok(operator) => operator,
            Err(named) => match self.coregion(named.as_deref(), &open.operands) {
                Some(lifeline) => Operator::Coregion(lifeline),
                None => {
                    self.report(
                        Diagnostic::new(
                            Code::NoLifeline,
                            open.span,
                            "the coregion belongs to no single lifeline",
                        )
                        .hint("write `group coregion a` with the lifeline's name"),
                    );
                    Operator::Seq
                }
            },
        }
    }

    /// Message types whose lifelines have the names that messages use; those of no lifeline are left out.
    fn message_types(&mut self, types: Vec<MessageType>, span: Span) -> Vec<MessageType> {
        let mut found = Vec::new();
        for MessageType { name, ends } in types {
            let Some(ends) = ends else {
                found.push(MessageType::named(name));
                continue;
            };
            match self.ends_named(&ends) {
                Ok(ends) => found.push(MessageType { name, ends: Some(ends) }),
                Err(unknown) => {
                    let names = self.participants.lifelines.iter().map(|line| line.name.as_str());
                    let message = format!("`{unknown}` is no lifeline of this diagram");
                    let finding = Diagnostic::new(Code::UnknownEnd, span, message);
                    let finding = match nearest(&unknown, names) {
                        Some(near) => finding.meant(unknown, near),
                        None => finding.hint("name the lifelines as messages do: `ignore {m: a -> b}`"),
                    };
                    self.report(finding);
                }
            }
        }
        found
    }

    /// The lifelines of two names or labels; the one that there is not.
    fn ends_named(&self, ends: &[String; 2]) -> Result<[String; 2], String> {
        let lifelines = &self.participants.lifelines;
        let find = |name: &String| {
            let line = self.participants.find(name).or_else(|| lifelines.find(|line| line.label == *name));
            line.map(|line| lifelines[line].name.clone()).ok_or_else(|| name.clone())
        };
        Ok([find(&ends[0])?, find(&ends[1])?])
    }

    fn coregion(&self, named: Option<&str>, operands: &[Operand]) -> Option<LifelineId> {
        if let Some(name) = named {
            return self.participants.find(name);
        }
        fragment::shared_lifeline(&self.messages, operands)
    }
}

impl OpenBlock {
    fn end_operand(&mut self, fragments: Vec<Fragment>, end: Span) {
        let operand = Operand {
            guard: std::mem::replace(&mut self.guard, Guard::Absent),
            title: self.title.take(),
            colour: self.colour.take(),
            block: Block(fragments),
            place: Place(self.operand_span.to(end.at_start())),
        };
        self.operands.push(operand);
    }
}

/// Whether a guard says that it is the last one, as in `else else`.
fn is_else(guard: &str) -> bool {
    ["else", "otherwise"].iter().any(|word| guard.eq_ignore_ascii_case(word))
}

fn divider(divider: tree::Divider) -> &'static str {
    match divider {
        tree::Divider::Else => "else",
        tree::Divider::And => "and",
        tree::Divider::Option => "option",
    }
}
