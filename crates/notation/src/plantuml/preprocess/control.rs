//! Conditions and loops.

use std::ops::Range;

use sequent_kernel::source::Span;

use super::Aside;
use super::command::{self, PreprocessorCommand};
use super::comment::SourcePiece;
use super::machine::{Ended, LineOrigin, PreprocessorState};
use super::memory::VariableScope;
use super::structure;
use super::value::{PreprocessorValue, from_data};
use crate::plantuml::common::scan::Scan;
use crate::tree::StatementKind;

impl PreprocessorState<'_, '_> {
    /// `!if` .. `!elseif` .. `!else` .. `!endif`
    pub(super) fn branches(&mut self, pieces: &[SourcePiece], at: usize) -> Result<usize, PreprocessorValue> {
        let branches = structure::branches(pieces, at);
        if !branches.closed {
            self.problem("`!endif` is missing".to_owned());
        }
        let mut done = false;
        for (header, body) in branches.list {
            self.pass(&pieces[header..header + 1]);
            let holds = !done && self.condition(&pieces[header]);
            done |= holds;
            match holds {
                true => match self.run(&pieces[body]) {
                    Ended::With(value) => return Err(value),
                    Ended::Normally => {}
                },
                false => self.pass(&pieces[body]),
            }
        }
        let end = branches.end;
        self.pass(&pieces[end..(end + 1).min(pieces.len())]);
        Ok(end + 1)
    }

    /// Whether the branch that starts with this line is to be taken.
    fn condition(&mut self, header: &SourcePiece) -> bool {
        let SourcePiece::Line(line) = header else { return false };
        match command::parse(&line.text) {
            PreprocessorCommand::If(text) | PreprocessorCommand::ElseIf(text) => {
                let value = self.evaluate(text);
                self.check(value).is_some_and(|value| value.holds())
            }
            PreprocessorCommand::IfDef(text) => structure::is_defined(text, &self.memory),
            PreprocessorCommand::IfNotDef(text) => !structure::is_defined(text, &self.memory),
            _ => true,
        }
    }

    /// `!while` .. `!endwhile`
    pub(super) fn repeat(
        &mut self,
        pieces: &[SourcePiece],
        at: usize,
        condition: &str,
    ) -> Result<usize, PreprocessorValue> {
        let (body, end) = self.loop_body(pieces, at);
        let made = self.out.lines.len();
        loop {
            let value = self.evaluate(condition);
            if !self.check(value).is_some_and(|value| value.holds()) {
                return Ok(end);
            }
            if self.is_too_long() {
                // What a loop without end has made says nothing.
                self.out.lines.truncate(made);
                return Ok(end);
            }
            self.iterate(&pieces[body.clone()], pieces, at..end)?;
        }
    }

    /// `!foreach $x in list` .. `!endfor`
    pub(super) fn for_each(
        &mut self,
        pieces: &[SourcePiece],
        at: usize,
        header: &str,
    ) -> Result<usize, PreprocessorValue> {
        let (body, end) = self.loop_body(pieces, at);
        let mut scan = Scan::new(header);
        let name = command::name(&mut scan).unwrap_or_default().to_owned();
        scan.spaces();
        let list = match !name.is_empty() && scan.keyword("in") {
            true => self.evaluate(scan.rest()),
            false => Err("write `!foreach $item in $list`".to_owned()),
        };
        let Some(list) = self.check(list) else { return Ok(end) };
        let elements = match list {
            PreprocessorValue::Data(data) => data.elements(),
            PreprocessorValue::Number(_) | PreprocessorValue::Text(_) => Vec::new(),
        };
        for element in elements {
            self.memory.set(&name, from_data(&element), VariableScope::Open);
            self.iterate(&pieces[body.clone()], pieces, at..end)?;
        }
        Ok(end)
    }

    /// The lines inside a loop and where it ends; the loop as a whole is one aside.
    fn loop_body(&mut self, pieces: &[SourcePiece], at: usize) -> (Range<usize>, usize) {
        let (end, closed) = structure::loop_end(pieces, at);
        if !closed {
            self.problem("the end of the loop is missing: `!endwhile` or `!endfor`".to_owned());
        }
        let next = (end + 1).min(pieces.len());
        if self.origin.is_none() {
            let whole = whole(&pieces[at..next]);
            self.out.asides.push(Aside { span: self.here, lines: whole, kind: StatementKind::Preprocessor });
        }
        (at + 1..end, next)
    }

    /// One turn of a loop.
    fn iterate(
        &mut self,
        body: &[SourcePiece],
        pieces: &[SourcePiece],
        region: Range<usize>,
    ) -> Result<(), PreprocessorValue> {
        let before = self.origin;
        let origin = LineOrigin { whole: whole(&pieces[region]), span: None };
        self.origin = Some(before.unwrap_or(origin));
        let ended = self.run(body);
        self.origin = before;
        match ended {
            Ended::With(value) => Err(value),
            Ended::Normally => Ok(()),
        }
    }
}

/// The whole lines of some pieces.
fn whole(pieces: &[SourcePiece]) -> Span {
    let span = |piece: &SourcePiece| match piece {
        SourcePiece::Line(line) => line.whole,
        SourcePiece::Aside(aside) => aside.lines,
    };
    let first = span(pieces.first().expect("a loop has its own line"));
    first.to(pieces.last().map_or(first, span))
}
