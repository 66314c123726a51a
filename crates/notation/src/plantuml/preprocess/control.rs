//! Conditions and loops.

use std::ops::Range;

use sequent_kernel::source::Span;

use super::Aside;
use super::command::{self, Command};
use super::comment::Piece;
use super::machine::{Ended, Machine, Origin};
use super::memory::Scope;
use super::structure;
use super::value::{Value, from_data};
use crate::plantuml::common::scan::Scan;
use crate::tree::Kind;

impl Machine<'_, '_> {
    /// `!if` .. `!elseif` .. `!else` .. `!endif`
    pub(super) fn branches(&mut self, pieces: &[Piece], at: usize) -> Result<usize, Value> {
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
    fn condition(&mut self, header: &Piece) -> bool {
        let Piece::Line(line) = header else { return false };
        match command::parse(&line.text) {
            Command::If(text) | Command::ElseIf(text) => {
                let value = self.evaluate(text);
                self.check(value).is_some_and(|value| value.holds())
            }
            Command::IfDef(text) => structure::is_defined(text, &self.memory),
            Command::IfNotDef(text) => !structure::is_defined(text, &self.memory),
            _ => true,
        }
    }

    /// `!while` .. `!endwhile`
    pub(super) fn repeat(&mut self, pieces: &[Piece], at: usize, condition: &str) -> Result<usize, Value> {
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
    pub(super) fn for_each(&mut self, pieces: &[Piece], at: usize, header: &str) -> Result<usize, Value> {
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
            Value::Data(data) => data.elements(),
            Value::Number(_) | Value::Text(_) => Vec::new(),
        };
        for element in elements {
            self.memory.set(&name, from_data(&element), Scope::Open);
            self.iterate(&pieces[body.clone()], pieces, at..end)?;
        }
        Ok(end)
    }

    /// The lines inside a loop and where it ends; the loop as a whole is one aside.
    fn loop_body(&mut self, pieces: &[Piece], at: usize) -> (Range<usize>, usize) {
        let (end, closed) = structure::loop_end(pieces, at);
        if !closed {
            self.problem("the end of the loop is missing: `!endwhile` or `!endfor`".to_owned());
        }
        let next = (end + 1).min(pieces.len());
        if self.origin.is_none() {
            let whole = whole(&pieces[at..next]);
            self.out.asides.push(Aside { span: self.here, lines: whole, kind: Kind::Preprocessor });
        }
        (at + 1..end, next)
    }

    /// One turn of a loop.
    fn iterate(&mut self, body: &[Piece], pieces: &[Piece], region: Range<usize>) -> Result<(), Value> {
        let before = self.origin;
        let origin = Origin { whole: whole(&pieces[region]), span: None };
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
fn whole(pieces: &[Piece]) -> Span {
    let span = |piece: &Piece| match piece {
        Piece::Line(line) => line.whole,
        Piece::Aside(aside) => aside.lines,
    };
    let first = span(pieces.first().expect("a loop has its own line"));
    first.to(pieces.last().map_or(first, span))
}
