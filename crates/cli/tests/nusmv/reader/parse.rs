//! Text to modules.

use std::collections::BTreeMap;

/// An expression as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(i64),
    Truth(bool),
    /// `l_a.par1.state`
    Path(Vec<String>),
    Next(Box<Expression>),
    Not(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    Set(Vec<Expression>),
}

/// What a variable is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Truth,
    Range(i64, i64),
    Words(Vec<String>),
    Module(String, Vec<Expression>),
}

/// A module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    pub parameters: Vec<String>,
    pub variables: Vec<(String, Kind, bool)>,
    pub definitions: BTreeMap<String, Expression>,
    /// `init(x) := ..`, `next(x) := ..`
    pub assigned: Vec<(bool, Vec<String>, Expression)>,
    pub first: Vec<Expression>,
    pub transitions: Vec<Expression>,
    pub invariants: Vec<Expression>,
    /// How many specifications there are.
    pub specifications: usize,
}

/// The modules of a text, by name.
pub(crate) fn parse(text: &str) -> BTreeMap<String, Module> {
    let mut parser = Parser { words: words(text), at: 0 };
    let mut modules = BTreeMap::new();
    while parser.at < parser.words.len() {
        parser.expect("MODULE");
        let name = parser.word();
        let known = modules.insert(name.clone(), parser.module());
        assert!(known.is_none(), "{name} is there twice");
    }
    modules
}

const SECTIONS: &[&str] =
    &["MODULE", "VAR", "FROZENVAR", "DEFINE", "ASSIGN", "INIT", "TRANS", "INVAR", "INVARSPEC", "LTLSPEC"];

const SIGNS: &[&str] = &["<->", "->", ":=", "!=", "<=", ">=", ".."];

/// The words of a text without comments.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.lines() {
        let mut rest = line.split("--").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                first if first.is_ascii_alphanumeric() || first == '_' => rest
                    .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                    .unwrap_or(rest.len()),
                _ => SIGNS
                    .iter()
                    .find(|sign| rest.starts_with(**sign))
                    .map_or(first.len_utf8(), |sign| sign.len()),
            };
            words.push(rest[..length].to_owned());
            rest = rest[length..].trim_start();
        }
    }
    words
}

struct Parser {
    words: Vec<String>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn word(&mut self) -> String {
        self.at += 1;
        self.words[self.at - 1].clone()
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_it = self.peek() == word;
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, word: &str) {
        assert!(
            self.takes(word),
            "{word} is missing before {:?}",
            &self.words[self.at..][..8.min(self.words.len() - self.at)]
        );
    }

    fn module(&mut self) -> Module {
        let mut module = Module::default();
        if self.takes("(") {
            while !self.takes(")") {
                module.parameters.push(self.word());
                self.takes(",");
            }
        }
        while !matches!(self.peek(), "" | "MODULE") {
            let section = self.word();
            match section.as_str() {
                "VAR" | "FROZENVAR" => {
                    while !self.is_section() {
                        let name = self.word();
                        self.expect(":");
                        let kind = self.kind();
                        self.expect(";");
                        module.variables.push((name, kind, section == "FROZENVAR"));
                    }
                }
                "DEFINE" => {
                    while !self.is_section() {
                        let name = self.word();
                        self.expect(":=");
                        let value = self.expression();
                        self.expect(";");
                        assert!(
                            module.definitions.insert(name.clone(), value).is_none(),
                            "{name} is defined twice"
                        );
                    }
                }
                "ASSIGN" => {
                    while !self.is_section() {
                        let is_next = self.word() == "next";
                        self.expect("(");
                        let path = self.path();
                        self.expect(")");
                        self.expect(":=");
                        let value = self.expression();
                        self.expect(";");
                        module.assigned.push((is_next, path, value));
                    }
                }
                "INIT" => module.first.push(self.expression()),
                "TRANS" => module.transitions.push(self.expression()),
                "INVAR" => module.invariants.push(self.expression()),
                "INVARSPEC" | "LTLSPEC" => {
                    while !self.is_section() {
                        self.at += 1;
                    }
                    module.specifications += 1;
                }
                other => panic!("{other} is no section"),
            }
        }
        module
    }

    fn is_section(&self) -> bool {
        self.peek().is_empty() || SECTIONS.contains(&self.peek())
    }

    fn kind(&mut self) -> Kind {
        if self.takes("boolean") {
            return Kind::Truth;
        }
        if self.takes("{") {
            let mut all = Vec::new();
            while !self.takes("}") {
                all.push(self.word());
                self.takes(",");
            }
            return Kind::Words(all);
        }
        let first = self.peek().chars().next().unwrap_or(' ');
        if first.is_ascii_digit() || first == '-' {
            let low = self.number();
            self.expect("..");
            return Kind::Range(low, self.number());
        }
        let name = self.word();
        let mut values = Vec::new();
        if self.takes("(") {
            while !self.takes(")") {
                values.push(self.expression());
                self.takes(",");
            }
        }
        Kind::Module(name, values)
    }

    fn number(&mut self) -> i64 {
        let sign = if self.takes("-") { -1 } else { 1 };
        sign * self.word().parse::<i64>().expect("a number")
    }

    fn path(&mut self) -> Vec<String> {
        let mut path = vec![self.word()];
        while self.takes(".") {
            path.push(self.word());
        }
        path
    }

    fn expression(&mut self) -> Expression {
        self.binary(0)
    }

    /// Operators, those that bind least first; `->` leans to the right.
    fn binary(&mut self, level: usize) -> Expression {
        const LEVELS: &[&[&str]] = &[
            &["->"],
            &["<->"],
            // A condition with two ways to go on.
            &["?"],
            &["|", "xor"],
            &["&"],
            &["=", "!=", "<", ">", "<=", ">="],
            &["in"],
            &["+", "-"],
            &["*", "/", "mod"],
        ];
        let Some(signs) = LEVELS.get(level) else { return self.primary() };
        let mut left = self.binary(level + 1);
        if signs.contains(&"?") && self.takes("?") {
            let yes = self.binary(level);
            self.expect(":");
            let no = self.binary(level);
            return Expression::If(Box::new(left), Box::new(yes), Box::new(no));
        }
        while let Some(sign) = signs.iter().find(|sign| self.peek() == **sign) {
            self.at += 1;
            let right = if level == 0 { self.binary(0) } else { self.binary(level + 1) };
            left = Expression::Binary(sign, Box::new(left), Box::new(right));
        }
        left
    }

    fn primary(&mut self) -> Expression {
        if self.takes("!") {
            return Expression::Not(Box::new(self.primary()));
        }
        if self.takes("-") {
            return Expression::Number(-self.word().parse::<i64>().expect("a number"));
        }
        if self.takes("(") {
            let inner = self.expression();
            self.expect(")");
            return inner;
        }
        if self.takes("{") {
            let mut all = Vec::new();
            while !self.takes("}") {
                all.push(self.expression());
                self.takes(",");
            }
            return Expression::Set(all);
        }
        if self.takes("case") {
            let mut cases = Vec::new();
            while !self.takes("esac") {
                let condition = self.expression();
                self.expect(":");
                cases.push((condition, self.expression()));
                self.expect(";");
            }
            let (_, last) = cases.pop().expect("a case");
            return cases.into_iter().rev().fold(last, |rest, (condition, value)| {
                Expression::If(Box::new(condition), Box::new(value), Box::new(rest))
            });
        }
        match self.peek() {
            "TRUE" | "FALSE" => Expression::Truth(self.word() == "TRUE"),
            "next" => {
                self.at += 1;
                self.expect("(");
                let inner = self.expression();
                self.expect(")");
                Expression::Next(Box::new(inner))
            }
            word if word.starts_with(|letter: char| letter.is_ascii_digit()) => {
                Expression::Number(self.number())
            }
            _ => Expression::Path(self.path()),
        }
    }
}
