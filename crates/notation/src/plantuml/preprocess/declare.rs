//! Functions, macros, variables, assertions.

use super::command::{self, PreprocessorCommand};
use super::comment::SourcePiece;
use super::machine::PreprocessorState;
use super::memory::{Function, FunctionKind, VariableScope};
use super::structure;
use super::value::PreprocessorValue;
use crate::line::Line;
use crate::plantuml::common::scan::{Scan, trim};

/// Name, parameters with defaults, and what follows.
type Signature<'a> = (String, Vec<(String, Option<PreprocessorValue>)>, &'a str);

impl PreprocessorState<'_, '_> {
    /// A function, procedure or long macro, up to its end.
    pub(super) fn declare(&mut self, pieces: &[SourcePiece], at: usize) -> usize {
        let SourcePiece::Line(line) = &pieces[at] else { return at + 1 };
        let (header, kind, unquoted) = match command::parse(&line.text) {
            PreprocessorCommand::Function(header, unquoted) => (header, FunctionKind::Function, unquoted),
            PreprocessorCommand::Procedure(header, unquoted) => (header, FunctionKind::Procedure, unquoted),
            PreprocessorCommand::DefineLong(header) => (header, FunctionKind::DefineLong, true),
            _ => return at + 1,
        };
        let declared = self.signature(header);
        let Some((name, parameters, rest)) = self.check(declared) else {
            self.pass(&pieces[at..at + 1]);
            return at + 1;
        };
        let rest = trim(rest);
        let short = rest.strip_prefix('!').unwrap_or(rest);
        if kind == FunctionKind::Function && short.starts_with("return") {
            self.pass(&pieces[at..at + 1]);
            let body = vec![Line { text: format!("!{short}"), exact: false, ..line.clone() }];
            self.memory.define(Function { name, parameters, kind, unquoted, body });
            return at + 1;
        }
        let (end, closed) = structure::function_end(pieces, at);
        if !closed {
            self.problem(format!("the end of `{name}` is missing"));
        }
        let next = (end + 1).min(pieces.len());
        self.pass(&pieces[at..next]);
        let body: Vec<Line> = pieces[at + 1..end].iter().filter_map(as_line).cloned().collect();
        let kind = match (kind, body.as_slice()) {
            (FunctionKind::DefineLong, [only]) => FunctionKind::Define(only.text.clone()),
            (kind, _) => kind,
        };
        self.memory.define(Function { name, parameters, kind, unquoted, body });
        next
    }

    /// `name($a, $b = 1)` and what follows.
    fn signature<'a>(&mut self, header: &'a str) -> Result<Signature<'a>, String> {
        let mut scan = Scan::new(header);
        let name = command::name(&mut scan).ok_or("a name is missing")?.to_owned();
        scan.spaces();
        let Some(mut rest) = scan.rest().strip_prefix('(') else {
            return Ok((name, Vec::new(), scan.rest()));
        };
        let mut parameters = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(')') {
                return Ok((name, parameters, after));
            }
            if let Some(after) = rest.strip_prefix(',') {
                rest = after;
                continue;
            }
            let start = rest;
            let mut scan = Scan::new(rest);
            let parameter =
                command::name(&mut scan).ok_or_else(|| format!("`{start}` is not a parameter"))?.to_owned();
            rest = rest[parameter.len()..].trim_start();
            let mut default = None;
            if let Some(after) = rest.strip_prefix('=') {
                let (value, after) = self.evaluate_start(after)?;
                default = Some(value);
                rest = after;
            }
            parameters.push((parameter, default));
        }
    }

    /// `NAME text`, `NAME(a, b) text`
    pub(super) fn define(&mut self, rest: &str) -> Result<(), String> {
        let mut scan = Scan::new(rest);
        let name = command::name(&mut scan).ok_or("a name is missing")?.to_owned();
        if scan.rest().starts_with('(') {
            let (name, parameters, text) = self.signature(rest)?;
            let kind = FunctionKind::Define(text.trim_start().to_owned());
            self.memory.define(Function { name, parameters, kind, unquoted: true, body: Vec::new() });
            return Ok(());
        }
        scan.spaces();
        let text = self.substitute(scan.rest())?.unwrap_or_default();
        self.memory.set(&name, PreprocessorValue::Text(text), VariableScope::Global);
        Ok(())
    }

    /// `$name = value`, `local name ?= value`
    pub(super) fn assign(&mut self, rest: &str) -> Result<(), String> {
        let mut scan = Scan::new(rest);
        let before = scan;
        let scope = match (scan.one_of(&["local", "global"]), scan.spaces()) {
            (Some("local"), true) => VariableScope::Local,
            (Some("global"), true) => VariableScope::Global,
            _ => {
                scan = before;
                VariableScope::Open
            }
        };
        let name = command::name(&mut scan).ok_or("a name is missing")?.to_owned();
        scan.spaces();
        let conditional = scan.literal("?");
        if !scan.literal("=") || (conditional && self.memory.get(&name).is_some()) {
            return Ok(());
        }
        let value = self.evaluate(scan.rest())?;
        if let PreprocessorValue::Text(text) = &value {
            self.count_work(text.len());
        }
        self.memory.set(&name, value, scope);
        Ok(())
    }

    /// `expression : message`
    pub(super) fn assertion(&mut self, text: &str) -> Result<(), String> {
        let (value, rest) = self.evaluate_start(text)?;
        if value.holds() {
            return Ok(());
        }
        let message = rest
            .trim()
            .strip_prefix(':')
            .map_or(Ok(PreprocessorValue::text(text)), |text| self.evaluate(text));
        Err(format!("the assertion fails: {}", message?))
    }
}

fn as_line(piece: &SourcePiece) -> Option<&Line> {
    match piece {
        SourcePiece::Line(line) => Some(line),
        SourcePiece::Aside(_) => None,
    }
}
