//! Variables and functions.
//!
//! Inside a function only its own variables and the global ones are seen. Assigning without saying `local` or `global`
//! changes the variable that is there, the function's own first, and makes a new one where the assignment stands.

use std::collections::HashMap;
use std::rc::Rc;

use super::value::PreprocessorValue;
use crate::line::Line;

/// A function, procedure or macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Function {
    /// How it is called.
    pub name: String,
    /// Names of its parameters with their defaults.
    pub parameters: Vec<(String, Option<PreprocessorValue>)>,
    /// What calling it does.
    pub kind: FunctionKind,
    /// Arguments are texts rather than expressions.
    pub(crate) unquoted: bool,
    /// Its lines.
    pub body: Vec<Line>,
}

/// What calling a function does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FunctionKind {
    /// Gives the value of its `!return`.
    Function,
    /// Adds its lines.
    Procedure,
    /// `!define`: gives its text.
    Define(String),
    /// `!definelong`: adds its lines.
    DefineLong,
}

impl Function {
    /// Whether it can be called with `count` positional arguments and the named ones.
    pub(crate) fn fits(&self, count: usize, named: &[(String, PreprocessorValue)]) -> bool {
        let is_named = |name: &String| named.iter().any(|(other, _)| other == name);
        let known = named.iter().all(|(name, _)| self.parameters.iter().any(|(other, _)| other == name));
        let open = self.parameters.iter().filter(|(name, _)| !is_named(name));
        let needed = open.clone().filter(|(_, default)| default.is_none()).count();
        known && count <= open.count() && needed <= count
    }
}

/// How long a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VariableScope {
    /// As the surroundings say.
    Open,
    /// As long as the function runs.
    Local,
    /// To the end.
    Global,
}

/// All variables and functions.
#[derive(Default)]
pub(crate) struct PreprocessorMemory {
    globals: HashMap<String, PreprocessorValue>,
    locals: Vec<HashMap<String, PreprocessorValue>>,
    functions: HashMap<String, Vec<Rc<Function>>>,
}

impl PreprocessorMemory {
    /// The variable's value.
    pub(crate) fn get(&self, name: &str) -> Option<&PreprocessorValue> {
        self.locals.last().and_then(|locals| locals.get(name)).or_else(|| self.globals.get(name))
    }

    /// Sets a variable.
    pub(crate) fn set(&mut self, name: &str, value: PreprocessorValue, scope: VariableScope) {
        let is_global = self.globals.contains_key(name);
        let variables = match (scope, self.locals.last_mut()) {
            (VariableScope::Local, Some(locals)) => locals,
            (VariableScope::Open, Some(locals)) if locals.contains_key(name) || !is_global => locals,
            (VariableScope::Open | VariableScope::Local | VariableScope::Global, _) => &mut self.globals,
        };
        variables.insert(name.to_owned(), value);
    }

    /// Forgets a variable.
    pub(crate) fn remove(&mut self, name: &str) {
        self.globals.remove(name);
        if let Some(locals) = self.locals.last_mut() {
            locals.remove(name);
        }
    }

    /// Enters a function with its parameters.
    pub(crate) fn enter(&mut self, parameters: HashMap<String, PreprocessorValue>) {
        self.locals.push(parameters);
    }

    /// Leaves a function.
    pub(crate) fn leave(&mut self) {
        self.locals.pop();
    }

    /// How many functions are being carried out.
    pub(crate) fn depth(&self) -> usize {
        self.locals.len()
    }

    /// Adds a function; one with the same name and number of parameters is replaced.
    pub(crate) fn define(&mut self, function: Function) {
        let same_name = self.functions.entry(function.name.clone()).or_default();
        same_name.retain(|other| other.parameters.len() != function.parameters.len());
        same_name.push(Rc::new(function));
    }

    /// The functions of that name.
    pub(crate) fn functions(&self, name: &str) -> &[Rc<Function>] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a name is that of a variable or function.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.get(name).is_some() || self.functions.contains_key(name)
    }

    /// Whether nothing has been defined yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.locals.is_empty() && self.functions.is_empty()
    }
}
