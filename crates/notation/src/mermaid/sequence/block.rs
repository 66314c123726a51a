//! Blocks: `alt`, `loop` .. `end`, their dividers, and boxes.
//!
//! The tree is flat, so a block is an opening, perhaps dividers, and a closing statement. Which divider belongs where is
//! checked here, against the stack of open blocks.

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};

use super::colour;
use super::reader::{SequenceProblem, SequenceReader};
use super::token::SequenceToken;
use crate::mermaid::text::trim;
use crate::tree::StatementKind;
use crate::tree::sequence::{BlockKeyword, BlockOpening, Divide, Divider, SequenceStatement};

impl SequenceReader<'_> {
    pub(super) fn box_start(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let rest = self.advance();
        let (colour, _) = colour::split(&self.script.text[rest.start..rest.end]);
        let caption = rest.start + colour.map_or(0, str::len);
        let label = self.text_of(caption..rest.end).text;
        let item = SequenceStatement::BoxStart { label, colour: colour.map(str::to_owned) };
        self.push(start..rest.end, StatementKind::Item(item));
        self.open.push((None, self.script.span(start..rest.end)));
        Ok(())
    }

    pub(super) fn open(&mut self, start: usize, keyword: BlockKeyword) -> Result<(), SequenceProblem> {
        let rest = self.advance();
        let mut text = self.text_of(rest.start..rest.end);
        let mut colour = None;
        if keyword == BlockKeyword::Rect && !text.text.is_empty() {
            colour = Some(std::mem::take(&mut text.text));
        }
        self.push(
            start..rest.end,
            StatementKind::Item(SequenceStatement::Open(BlockOpening {
                keyword,
                text,
                subtitle: None,
                colour,
            })),
        );
        self.open.push((Some(keyword), self.script.span(start..rest.end)));
        Ok(())
    }

    pub(super) fn divide(&mut self, token: SequenceToken, divider: Divider) -> Result<(), SequenceProblem> {
        let owner = match divider {
            Divider::Else => "alt",
            Divider::And => "par",
            Divider::Option => "critical",
        };
        let fits = match self.open.last().and_then(|(keyword, _)| *keyword) {
            Some(BlockKeyword::Alt) => divider == Divider::Else,
            Some(BlockKeyword::Par | BlockKeyword::ParOver) => divider == Divider::And,
            Some(BlockKeyword::Critical) => divider == Divider::Option,
            _ => false,
        };
        if !fits && self.foreign > 0 {
            // It belongs to a block that could not be read.
            let rest = self.advance();
            self.push(token.start..rest.end, StatementKind::Unknown);
            return Ok(());
        }
        if !fits {
            let word = trim(&self.script.text[token.start..token.end]).to_owned();
            let (place, label) = match self.open.last() {
                Some((keyword, span)) => {
                    let around = keyword.map_or("box", BlockKeyword::word);
                    (
                        format!("directly inside `{around}`"),
                        Some((*span, format!("this `{around}` is open here"))),
                    )
                }
                None => ("outside of any block".to_owned(), None),
            };
            let mut problem =
                self.problem(token, format!("`{word}` stands {place}, it belongs into `{owner}`"));
            problem.diagnostic.code = Code::StrayElse;
            if let Some((span, text)) = label {
                problem.diagnostic = problem.diagnostic.label(span, text);
            }
            return Err(problem);
        }
        let rest = self.advance();
        let text = self.text_of(rest.start..rest.end);
        let item = SequenceStatement::Divide(Divide { keyword: divider, text, colour: None });
        self.push(token.start..rest.end, StatementKind::Item(item));
        Ok(())
    }

    pub(super) fn close(&mut self, token: SequenceToken) -> Result<(), SequenceProblem> {
        let item = match self.open.pop() {
            Some((None, _)) => SequenceStatement::BoxEnd,
            Some((Some(_), _)) => SequenceStatement::Close,
            None if self.foreign > 0 => {
                self.foreign -= 1;
                self.push(token.start..token.end, StatementKind::Unknown);
                return Ok(());
            }
            None => {
                return Err(self
                    .problem(token, "`end` closes nothing: no block is open here")
                    .code(Code::StrayEnd)
                    .hint("remove it, or find the block that was closed too early"));
            }
        };
        self.push(token.start..token.end, StatementKind::Item(item));
        Ok(())
    }

    /// Reports a box that is still open at the end; other blocks are the resolver's business.
    pub(super) fn unclosed(&mut self) {
        for (_, span) in self.open.iter().filter(|(keyword, _)| keyword.is_none()) {
            let diagnostic = Diagnostic::new(Code::UnclosedBlock, *span, "`box` is never closed");
            self.diagnostics.push(diagnostic.hint("close it with `end`").remedy(Remedy::Close("end")));
        }
    }
}
