//! Calls, and the replacement of variables and calls in a line of the diagram.
//!
//! A function gives a text that takes the place of its call. A procedure gives lines: what stands before the call goes in
//! front of the first of them and what stands behind it after the last.

use std::collections::HashMap;
use std::rc::Rc;

use super::builtin;
use super::command::is_name_part;
use super::machine::{DEEPEST_CALL, PreprocessorState};
use super::memory::{Function, FunctionKind};
use super::value::{CallArguments, LONGEST_TEXT, PreprocessorValue};
use crate::plantuml::common::scan::{Scan, is_space};

impl PreprocessorState<'_, '_> {
    /// The text with variables and calls replaced; `None` if a procedure in it has added its lines already.
    pub(crate) fn substitute(&mut self, text: &str) -> Result<Option<String>, String> {
        if self.has_nothing_to_do(text) {
            return Ok(Some(text.to_owned()));
        }
        self.deeper(|machine| machine.substitute_parts(text))
    }

    /// Whether no variable and no call can stand in the text.
    pub(crate) fn has_nothing_to_do(&self, text: &str) -> bool {
        self.memory.is_empty() && !text.contains('%')
    }

    fn substitute_parts(&mut self, text: &str) -> Result<Option<String>, String> {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            if out.len() > LONGEST_TEXT {
                return Err("the text grows without end".to_owned());
            }
            if text[at..].starts_with("\\n") {
                out += "\\n";
                at += 2;
                continue;
            }
            let name = name_at(text, at);
            let after = at + name.len();
            if !name.is_empty() && text[after..].starts_with('(') && self.is_function(name) {
                let (arguments, length) = self.arguments(name, &text[after..])?;
                let end = after + length;
                match self.lines_of(name, &arguments)? {
                    Some(function) => {
                        self.prefix.push_str(&out);
                        self.carry_out(&function, arguments)?;
                        if function.kind == FunctionKind::Procedure {
                            self.append(&text[end..]);
                        }
                        return Ok(None);
                    }
                    None => out += &self.call(name, arguments)?.to_string(),
                }
                at = end;
            } else if let Some((value, length)) = self.variable_at(text, at, name) {
                if out.ends_with("##") {
                    out.truncate(out.len() - 2);
                }
                out += &value;
                at += length;
                at += if text[at..].starts_with("##") { 2 } else { 0 };
            } else {
                let length = if name.is_empty() { c.len_utf8() } else { name.len() };
                out += &text[at..at + length];
                at += length;
            }
        }
        Ok(Some(out))
    }

    /// The value of the variable whose name stands at `at`, and how much of the text it takes.
    fn variable_at(&self, text: &str, at: usize, name: &str) -> Option<(String, usize)> {
        let value = self.memory.get(name)?;
        if let PreprocessorValue::Data(_) = value {
            let rest = &text[at..];
            let is_path = |c: char| is_name_part(c) || matches!(c, '$' | '.' | '[' | ']' | '"');
            let path = &rest[..rest.find(|c| !is_path(c)).unwrap_or(rest.len())];
            let path = path.trim_end_matches('.');
            if let Some(found) = self.path(path) {
                return Some((found.to_string(), path.len()));
            }
        }
        Some((value.to_string(), name.len()))
    }

    /// Whether calling `name` means something.
    fn is_function(&self, name: &str) -> bool {
        builtin::is_known(name) || !self.memory.functions(name).is_empty()
    }

    /// The arguments in parentheses at the start of `text`, and their length.
    fn arguments(&mut self, name: &str, text: &str) -> Result<(CallArguments, usize), String> {
        let functions = self.memory.functions(name);
        let legacy = functions
            .iter()
            .any(|function| matches!(function.kind, FunctionKind::Define(_) | FunctionKind::DefineLong));
        let unquoted = legacy || functions.iter().any(|function| function.unquoted);
        let mut arguments = CallArguments::default();
        let mut rest = text[1..].trim_start();
        if let Some(after) = rest.strip_prefix(')') {
            return Ok((arguments, text.len() - after.len()));
        }
        loop {
            rest = rest.trim_start();
            let named = if legacy { None } else { parameter(rest) };
            rest = named.map_or(rest, |(_, after)| after);
            let value = if unquoted { self.raw_argument(&mut rest)? } else { self.argument(&mut rest)? };
            match named {
                Some((name, _)) => arguments.named.push((name.to_owned(), value)),
                None => arguments.values.push(value),
            }
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(')') {
                return Ok((arguments, text.len() - after.len()));
            }
            rest = rest
                .strip_prefix(',')
                .ok_or_else(|| format!("`,` or `)` is missing in the call of `{name}`"))?;
        }
    }

    fn argument(&mut self, rest: &mut &str) -> Result<PreprocessorValue, String> {
        let (value, after) = self.evaluate_start(rest)?;
        *rest = after;
        Ok(value)
    }

    /// An argument that is taken as text up to the next comma, in quotes or not.
    fn raw_argument(&mut self, rest: &mut &str) -> Result<PreprocessorValue, String> {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let text = match quote {
            Some(quote) => {
                let (text, after) = rest[1..].split_once(quote).ok_or("a text is never closed")?;
                *rest = after;
                text
            }
            None => {
                let end = end_of_argument(rest).ok_or("`)` is missing")?;
                let (text, after) = rest.split_at(end);
                *rest = after;
                text.trim_matches(is_space)
            }
        };
        Ok(PreprocessorValue::Text(self.substitute(text)?.unwrap_or_default()))
    }

    /// The call of a function inside an expression: its value and the length of the arguments.
    pub(crate) fn call_in_expression(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<(PreprocessorValue, usize), String> {
        if !self.is_function(name) {
            return Err(format!("unknown function `{name}`"));
        }
        let (arguments, length) = self.arguments(name, text)?;
        Ok((self.call(name, arguments)?, length))
    }

    /// The function to carry out if a call adds lines rather than giving a value.
    fn lines_of(&self, name: &str, arguments: &CallArguments) -> Result<Option<Rc<Function>>, String> {
        if name == "%invoke_procedure" {
            let Some((target, rest)) = arguments.values.split_first() else {
                return Err("`%invoke_procedure` needs the name of a procedure".to_owned());
            };
            return self.find(&target.to_string(), rest.len(), &arguments.named).map(Some);
        }
        if builtin::is_known(name) {
            return Ok(None);
        }
        let function = self.find(name, arguments.values.len(), &arguments.named)?;
        Ok(match function.kind {
            FunctionKind::Procedure | FunctionKind::DefineLong => Some(function),
            FunctionKind::Function | FunctionKind::Define(_) => None,
        })
    }

    /// The function that fits a call.
    pub(crate) fn find(
        &self,
        name: &str,
        count: usize,
        named: &[(String, PreprocessorValue)],
    ) -> Result<Rc<Function>, String> {
        let functions = self.memory.functions(name);
        let fitting = functions.iter().find(|function| function.fits(count, named));
        fitting.cloned().ok_or_else(|| match functions.is_empty() {
            true => format!("unknown function `{name}`"),
            false => format!("`{name}` cannot be called with {} arguments", count + named.len()),
        })
    }

    /// The value of a call.
    pub(crate) fn call(&mut self, name: &str, arguments: CallArguments) -> Result<PreprocessorValue, String> {
        if builtin::is_known(name) {
            return self.builtin(name, &arguments.values);
        }
        let function = self.find(name, arguments.values.len(), &arguments.named)?;
        let parameters = bind(&function, arguments);
        self.memory.enter(parameters);
        let value = self.value_of(&function);
        self.memory.leave();
        value
    }

    fn value_of(&mut self, function: &Function) -> Result<PreprocessorValue, String> {
        if self.memory.depth() > DEEPEST_CALL {
            return Err(format!("`{}` calls itself without end", function.name));
        }
        match &function.kind {
            FunctionKind::Define(text) => {
                Ok(PreprocessorValue::Text(self.substitute(text)?.unwrap_or_default()))
            }
            FunctionKind::Function => {
                let returned = self.run_function(&function.body)?;
                returned.ok_or_else(|| format!("`{}` returns nothing", function.name))
            }
            FunctionKind::Procedure | FunctionKind::DefineLong => {
                Err(format!("`{}` is a procedure and has no value", function.name))
            }
        }
    }

    /// Adds the lines of a procedure.
    pub(crate) fn carry_out(
        &mut self,
        function: &Function,
        mut arguments: CallArguments,
    ) -> Result<(), String> {
        if self.memory.depth() >= DEEPEST_CALL {
            return Err(format!("`{}` calls itself without end", function.name));
        }
        // The name of the procedure itself was the first argument of `%invoke_procedure`.
        if arguments.values.len() > function.parameters.len() {
            arguments.values.remove(0);
        }
        let parameters = bind(function, arguments);
        self.memory.enter(parameters);
        let result = self.run_procedure(&function.body);
        self.memory.leave();
        result
    }
}

/// Puts arguments and parameters together; defaults fill the gaps.
fn bind(function: &Function, arguments: CallArguments) -> HashMap<String, PreprocessorValue> {
    let mut by_position = arguments.values.into_iter();
    let mut bound = HashMap::new();
    for (name, default) in &function.parameters {
        let named = arguments.named.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
        let value = named.or_else(|| by_position.next()).or_else(|| default.clone());
        bound.insert(name.clone(), value.unwrap_or(PreprocessorValue::text("")));
    }
    bound
}

/// The name that begins at `at`: `$name`, `%name`, `name`; empty if none begins there.
fn name_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let inside = rest.strip_prefix(['$', '%']).unwrap_or(rest);
    let length = inside.find(|c| !is_name_part(c)).unwrap_or(inside.len());
    let after_digit = inside.len() == rest.len() && text[..at].ends_with(|c: char| c.is_ascii_digit());
    let starts = inside.starts_with(|c: char| c.is_alphabetic() || c == '_') && !after_digit;
    if starts { &rest[..rest.len() - inside.len() + length] } else { "" }
}

/// `$name =`: a named argument, and what follows.
fn parameter(rest: &str) -> Option<(&str, &str)> {
    let mut scan = Scan::new(rest);
    let name = super::command::name(&mut scan)?;
    scan.spaces();
    let after = scan.rest().strip_prefix('=').filter(|after| !after.starts_with('='))?;
    let start = rest.len() - rest.trim_start().len();
    let at = rest[start..].find('=')? + start + 1;
    debug_assert!(rest[at..].starts_with(after.trim_end()), "the scanner only trims");
    Some((name, rest[at..].trim_start()))
}

/// Where an argument ends that may hold parentheses.
fn end_of_argument(rest: &str) -> Option<usize> {
    let mut level = 0;
    for (at, c) in rest.char_indices() {
        match c {
            ',' | ')' if level == 0 => return Some(at),
            '(' => level += 1,
            ')' => level -= 1,
            _ => {}
        }
    }
    None
}
