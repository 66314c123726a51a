//! The grammar of CSPm, as far as Sequent writes it: levels of operators as in FDR's own.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::lexer::{Token, tokens};
use super::value::{Scope, Value};

/// The number of an expression.
pub(crate) type Id = usize;

/// An expression: a value, a set, or a process.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    Int(i64),
    Bool(bool),
    Call(Rc<str>, Option<Vec<Id>>),
    Dot(Id, Id),
    Set(Vec<Id>),
    Range(Id, Id),
    Productions(Vec<Id>),
    Sequence(Vec<Id>),
    Tuple(Vec<Id>),
    /// Values of an expression, for each choice of some names.
    Comprehension(Id, Vec<Statement>),
    Binary(String, Id, Id),
    Not(Id),
    Minus(Id),
    Length(Id),
    If(Id, Id, Id),
    Prefix(Id, Vec<Field>, Id),
    Guard(Id, Id),
    /// `[]`, `|~|`, `;`, `|||`
    Join(String, Id, Id),
    Parallel(Id, Id, Id),
    Alphabetised(Id, Id, Id, Id),
    Throw(Id, Id, Id),
    Hide(Id, Id),
    Rename(Id, Vec<(Id, Id)>),
    /// An operator over all values of a name; the alphabet of each, if it is parallel.
    Each(String, Rc<str>, Id, Option<Id>, Id),
}

/// What follows the channel of a prefix.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Field {
    Given(Id),
    Any(Rc<str>, Option<Id>),
}

/// What stands behind the bar of a comprehension.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// A name has each value of a set.
    Each(Rc<str>, Id),
    /// Only where this is true.
    Only(Id),
}

/// What is claimed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Claim {
    Refines(Id, String, Id),
    DeadlockFree(Id),
    DivergenceFree(Id),
}

/// A clause of a definition: its parameters and its body.
pub(crate) type Clause = (Vec<Rc<str>>, Id);

/// A constructor with the types of its fields.
pub(crate) type Constructor = (Rc<str>, Vec<Id>);

/// A script.
#[derive(Default)]
pub(crate) struct Script {
    pub nodes: Vec<Expr>,
    /// Clauses: parameters, of which a constructor fits only itself, and bodies.
    pub definitions: BTreeMap<Rc<str>, Vec<Clause>>,
    /// Channels with the types of their fields.
    pub channels: BTreeMap<Rc<str>, Vec<Id>>,
    /// Datatypes: constructors with the types of their fields.
    pub datatypes: BTreeMap<Rc<str>, Vec<Constructor>>,
    /// Functions whose one argument is a tuple.
    pub tuples: BTreeSet<Rc<str>>,
    /// Claims, each negated or not.
    pub claims: Vec<(bool, Claim)>,
}

/// Reads a script; panics where it is none.
pub(crate) fn parse(text: &str) -> Script {
    let mut parser = Parser { tokens: tokens(text), at: 0, script: Script::default(), last: None };
    while parser.at < parser.tokens.len() {
        parser.declaration();
    }
    parser.script
}

impl Script {
    /// The clause of a definition that fits some values, and what its parameters stand for.
    pub(crate) fn clause_for(&self, name: &Rc<str>, values: &[Value]) -> Option<(Id, Scope)> {
        let clauses = self.definitions.get(name)?;
        let values = match (self.tuples.contains(name), values) {
            (true, [Value::Tuple(parts)]) => parts.as_slice(),
            (true, _) => panic!("{name} takes a tuple, not {values:?}"),
            (false, _) => values,
        };
        for (parameters, body) in clauses {
            assert_eq!(parameters.len(), values.len(), "{name}");
            let fits = |(parameter, value): (&Rc<str>, &Value)| {
                self.clause(parameter).is_none() || *value == Value::Name(parameter.clone())
            };
            if parameters.iter().zip(values).all(fits) {
                return Some((*body, parameters.iter().cloned().zip(values.iter().cloned()).collect()));
            }
        }
        panic!("no clause of {name} fits {values:?}")
    }
}

/// Reads one more expression.
pub(crate) fn parse_expression(script: &mut Script, text: &str) -> Id {
    let mut parser =
        Parser { tokens: tokens(&format!(" {text}")), at: 0, script: std::mem::take(script), last: None };
    let id = parser.level(0);
    assert_eq!(parser.at, parser.tokens.len(), "{text}");
    *script = parser.script;
    id
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    script: Script,
    /// The function whose clause was read last.
    last: Option<Rc<str>>,
}

/// Operators that join two processes, loosest first.
const LEVELS: &[&[&str]] = &[&["\\"], &["|||"], &["[|", "["], &["|~|"], &["[]"], &[";"]];

/// Operators on values, loosest first.
const VALUES: &[&[&str]] =
    &[&["or"], &["and"], &["==", "!=", "<", "<=", ">", ">="], &["+", "-"], &["*", "/", "%"], &["^"]];

impl Parser {
    fn fail(&self, wanted: &str) -> ! {
        let token = self.tokens.get(self.at);
        panic!("{wanted} expected, not {token:?}")
    }

    /// The next token within the declaration.
    fn peek(&self) -> &str {
        match self.tokens.get(self.at) {
            Some(token) if !token.is_first => &token.text,
            Some(_) | None => "",
        }
    }

    fn is(&self, text: &str) -> bool {
        self.peek() == text
    }

    fn next(&mut self) -> String {
        let text = self.peek().to_owned();
        if text.is_empty() {
            self.fail("more");
        }
        self.at += 1;
        text
    }

    fn skip(&mut self, text: &str) -> bool {
        let is = self.is(text);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, text: &str) {
        if !self.skip(text) {
            self.fail(text);
        }
    }

    fn name(&mut self) -> Rc<str> {
        match self.tokens.get(self.at) {
            Some(token) if token.is_name() && !token.is_first => Rc::from(self.next()),
            Some(_) | None => self.fail("a name"),
        }
    }

    fn add(&mut self, node: Expr) -> Id {
        self.script.nodes.push(node);
        self.script.nodes.len() - 1
    }

    fn declaration(&mut self) {
        let first = self.tokens[self.at].clone();
        assert!(first.is_first && first.is_name(), "{first:?} begins no declaration");
        self.at += 1;
        if ["channel", "datatype", "assert"].contains(&first.text.as_str()) {
            self.last = None;
        }
        match first.text.as_str() {
            "channel" => {
                let mut names = vec![self.name()];
                while self.skip(",") {
                    names.push(self.name());
                }
                let fields = if self.skip(":") { self.fields() } else { Vec::new() };
                for name in names {
                    self.fresh(&name);
                    self.script.channels.insert(name, fields.clone());
                }
            }
            "datatype" => {
                let name = self.name();
                self.fresh(&name);
                self.expect("=");
                let mut clauses = Vec::new();
                loop {
                    let clause = self.name();
                    self.fresh(&clause);
                    let fields = if self.skip(".") { self.fields() } else { Vec::new() };
                    assert!(!clauses.iter().any(|(known, _)| *known == clause), "{clause} twice");
                    clauses.push((clause, fields));
                    if !self.skip("|") {
                        break;
                    }
                }
                self.script.datatypes.insert(name, clauses);
            }
            "assert" => {
                let is_negated = self.skip("not");
                let process = self.level(0);
                let claim = match self.next().as_str() {
                    ":[deadlock free [F]]" => Claim::DeadlockFree(process),
                    ":[divergence free [FD]]" => Claim::DivergenceFree(process),
                    model @ ("[T=" | "[F=" | "[FD=") => {
                        let model = model[1..model.len() - 1].to_owned();
                        Claim::Refines(process, model, self.level(0))
                    }
                    _ => self.fail("a claim"),
                };
                self.script.claims.push((is_negated, claim));
            }
            _ => {
                let name: Rc<str> = Rc::from(first.text.as_str());
                // Clauses of one function follow each other.
                if self.last.as_ref() != Some(&name) {
                    self.fresh(&name);
                }
                self.last = Some(name.clone());
                let mut parameters = Vec::new();
                if self.skip("(") {
                    let is_tuple = self.skip("(");
                    parameters.push(self.name());
                    while self.skip(",") {
                        parameters.push(self.name());
                    }
                    self.expect(")");
                    if is_tuple {
                        self.expect(")");
                        self.script.tuples.insert(name.clone());
                    }
                }
                self.expect("=");
                let body = self.level(0);
                let clauses = self.script.definitions.entry(name).or_default();
                assert!(!parameters.is_empty() || clauses.is_empty(), "{first:?} is declared twice");
                clauses.push((parameters, body));
            }
        }
        let is_over = self.tokens.get(self.at).is_none_or(|token| token.is_first);
        if !is_over {
            self.fail("the end of the declaration");
        }
    }

    /// A name that nothing else has.
    fn fresh(&self, name: &str) {
        let script = &self.script;
        let is_taken = script.definitions.contains_key(name)
            || script.channels.contains_key(name)
            || script.datatypes.contains_key(name)
            || script.datatypes.values().flatten().any(|(clause, _)| **clause == *name);
        assert!(!is_taken, "{name} is declared twice");
    }

    /// The types of a channel or constructor.
    fn fields(&mut self) -> Vec<Id> {
        let mut fields = vec![self.primary()];
        while self.skip(".") {
            fields.push(self.primary());
        }
        fields
    }

    /// Processes joined by operators of a level and tighter ones.
    fn level(&mut self, level: usize) -> Id {
        let Some(signs) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.level(level + 1);
        while signs.contains(&self.peek()) {
            left = match self.next().as_str() {
                "\\" => {
                    let set = self.primary();
                    self.add(Expr::Hide(left, set))
                }
                "[|" => {
                    let set = self.value(0);
                    let is_throw = !self.skip("|]");
                    if is_throw {
                        self.expect("|>");
                    }
                    let right = self.level(level + 1);
                    self.add(match is_throw {
                        true => Expr::Throw(left, set, right),
                        false => Expr::Parallel(left, set, right),
                    })
                }
                "[" => {
                    let one = self.value(0);
                    self.expect("||");
                    let other = self.value(0);
                    self.expect("]");
                    let right = self.level(level + 1);
                    self.add(Expr::Alphabetised(left, one, other, right))
                }
                sign => {
                    let right = self.level(level + 1);
                    self.add(Expr::Join(sign.to_owned(), left, right))
                }
            };
        }
        left
    }

    /// `e -> P`, `b & P`, or a value.
    fn prefix(&mut self) -> Id {
        if self.is("if") {
            self.next();
            let condition = self.value(0);
            self.expect("then");
            let yes = self.level(0);
            self.expect("else");
            let no = self.level(0);
            return self.add(Expr::If(condition, yes, no));
        }
        if ["[]", "|~|", "||", "|||", ";"].contains(&self.peek()) {
            let sign = self.next();
            let name = self.name();
            self.expect(":");
            let set = self.value(0);
            self.expect("@");
            let alphabet = (sign == "||").then(|| {
                self.expect("[");
                let alphabet = self.value(0);
                self.expect("]");
                alphabet
            });
            let body = self.level(0);
            return self.add(Expr::Each(sign, name, set, alphabet, body));
        }
        let value = self.value(0);
        let mut fields = Vec::new();
        loop {
            if self.skip("?") {
                let name = self.name();
                let set = self.skip(":").then(|| self.primary());
                fields.push(Field::Any(name, set));
            } else if self.skip("!") {
                fields.push(Field::Given(self.dotted()));
            } else {
                break;
            }
        }
        if self.skip("->") {
            let after = self.prefix();
            return self.add(Expr::Prefix(value, fields, after));
        }
        assert!(fields.is_empty(), "fields without prefix, before {:?}", self.tokens.get(self.at));
        match self.skip("&") {
            true => {
                let after = self.prefix();
                self.add(Expr::Guard(value, after))
            }
            false => value,
        }
    }

    /// Values joined by operators of a level and tighter ones; dots are loosest.
    fn value(&mut self, level: usize) -> Id {
        if level == 0 { self.dotted() } else { self.operation(level - 1) }
    }

    fn dotted(&mut self) -> Id {
        self.dotted_from(0)
    }

    /// What a sequence holds: nothing that compares.
    fn item(&mut self) -> Id {
        self.dotted_from(3)
    }

    /// Values of a level and tighter ones, joined by dots.
    fn dotted_from(&mut self, level: usize) -> Id {
        let left = self.operation(level);
        match self.skip(".") {
            true => {
                let right = self.dotted_from(level);
                self.add(Expr::Dot(left, right))
            }
            false => left,
        }
    }

    fn operation(&mut self, level: usize) -> Id {
        if level == 2 && self.is("not") {
            self.next();
            let inner = self.operation(level);
            return self.add(Expr::Not(inner));
        }
        let Some(signs) = VALUES.get(level) else { return self.primary() };
        let mut left = self.operation(level + 1);
        while signs.contains(&self.peek()) {
            let sign = self.next();
            let right = self.operation(level + 1);
            left = self.add(Expr::Binary(sign, left, right));
        }
        left
    }

    fn list(&mut self, end: &str, inner: fn(&mut Parser) -> Id) -> Vec<Id> {
        let mut items = Vec::new();
        while !self.skip(end) {
            items.push(inner(self));
            if !self.is(end) {
                self.expect(",");
            }
        }
        items
    }

    fn statement(&mut self) -> Statement {
        if self.tokens.get(self.at + 1).is_some_and(|token| token.text == "<-") {
            let name = self.name();
            self.expect("<-");
            return Statement::Each(name, self.value(0));
        }
        Statement::Only(self.value(0))
    }

    fn primary(&mut self) -> Id {
        if self.is("if") {
            return self.prefix();
        }
        let text = self.next();
        match text.as_str() {
            "(" => {
                let inner = self.level(0);
                if self.skip(",") {
                    let more = self.list(")", |parser| parser.value(0));
                    return self.add(Expr::Tuple([vec![inner], more].concat()));
                }
                self.expect(")");
                if !self.skip("[[") {
                    return inner;
                }
                let mut pairs = Vec::new();
                while !self.skip("]]") {
                    let from = self.value(0);
                    self.expect("<-");
                    pairs.push((from, self.value(0)));
                    if !self.is("]]") {
                        self.expect(",");
                    }
                }
                self.add(Expr::Rename(inner, pairs))
            }
            "-" => {
                let inner = self.primary();
                self.add(Expr::Minus(inner))
            }
            "#" => {
                let inner = self.primary();
                self.add(Expr::Length(inner))
            }
            "{" => {
                if self.skip("}") {
                    return self.add(Expr::Set(Vec::new()));
                }
                let first = self.value(0);
                if self.skip("..") {
                    let last = self.value(0);
                    self.expect("}");
                    return self.add(Expr::Range(first, last));
                }
                if self.skip("|") {
                    let mut statements = vec![self.statement()];
                    while self.skip(",") {
                        statements.push(self.statement());
                    }
                    self.expect("}");
                    return self.add(Expr::Comprehension(first, statements));
                }
                let mut items = vec![first];
                if self.skip(",") {
                    items.extend(self.list("}", |parser| parser.value(0)));
                } else {
                    self.expect("}");
                }
                self.add(Expr::Set(items))
            }
            "{|" => {
                let items = self.list("|}", |parser| parser.value(0));
                self.add(Expr::Productions(items))
            }
            "<" => {
                let items = self.list(">", Parser::item);
                self.add(Expr::Sequence(items))
            }
            "true" | "false" => self.add(Expr::Bool(text == "true")),
            number if number.starts_with(|letter: char| letter.is_ascii_digit()) => {
                let number = number.parse().expect("it is a number");
                self.add(Expr::Int(number))
            }
            name if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) => {
                let name = Rc::from(name);
                let arguments = self.skip("(").then(|| self.list(")", |parser| parser.level(0)));
                self.add(Expr::Call(name, arguments))
            }
            _ => {
                self.at -= 1;
                self.fail("an expression")
            }
        }
    }
}
