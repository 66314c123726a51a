//! A reader of Hanoi Omega-Automata, as far as we write them: explicit labels, and sets that are all met again and again.

use std::collections::{BTreeMap, BTreeSet};

/// Propositions with their values, all of which must be so.
pub(crate) type Cube = BTreeMap<usize, bool>;

/// An edge: the ways to satisfy its label, where it leads, the sets it lies in.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub label: Vec<Cube>,
    pub to: usize,
    pub marks: u64,
}

/// An automaton as it was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automaton {
    pub name: String,
    pub propositions: Vec<String>,
    pub start: Vec<usize>,
    pub sets: u32,
    pub properties: BTreeSet<String>,
    /// The edges of each state.
    pub states: Vec<Vec<Edge>>,
}

/// Reads all automata of a file.
pub(crate) fn read(text: &str) -> Vec<Automaton> {
    let mut reader = Reader { tokens: tokens(text), at: 0, aliases: BTreeMap::new() };
    let mut all = Vec::new();
    while reader.at < reader.tokens.len() {
        all.push(reader.automaton());
    }
    all
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// `HOA:`
    Header(String),
    Word(String),
    Text(String),
    Number(usize),
    Alias(String),
    /// `--BODY--`, `--END--`
    Mark(String),
    Sign(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let word = |from: usize| -> String { letters[from..].iter().take_while(|one| is_word(**one)).collect() };
    let (mut all, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        let rest: String = letters[at..].iter().take(8).collect();
        match letters[at] {
            letter if letter.is_whitespace() => at += 1,
            '/' if rest.starts_with("/*") => {
                let mut depth = 0;
                loop {
                    match (letters[at], letters.get(at + 1)) {
                        ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
                        ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
                        _ => at += 1,
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            '"' => {
                let mut text = String::new();
                at += 1;
                while letters[at] != '"' {
                    at += usize::from(letters[at] == '\\');
                    text.push(letters[at]);
                    at += 1;
                }
                at += 1;
                all.push(Token::Text(text));
            }
            '-' => {
                let mark = ["--BODY--", "--END--"].into_iter().find(|mark| rest.starts_with(mark));
                let mark = mark.expect("a mark");
                at += mark.len();
                all.push(Token::Mark(mark.to_owned()));
            }
            '@' => {
                let name = word(at + 1);
                at += 1 + name.len();
                all.push(Token::Alias(name));
            }
            letter if letter.is_ascii_digit() => {
                let digits: String = letters[at..].iter().take_while(|one| one.is_ascii_digit()).collect();
                at += digits.len();
                all.push(Token::Number(digits.parse().expect("a number")));
            }
            letter if letter.is_ascii_alphabetic() => {
                let name = word(at);
                at += name.len();
                let is_header = letters.get(at) == Some(&':');
                at += usize::from(is_header);
                all.push(if is_header { Token::Header(name) } else { Token::Word(name) });
            }
            sign @ ('!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}') => {
                at += 1;
                all.push(Token::Sign(sign));
            }
            other => panic!("`{other}` begins nothing"),
        }
    }
    all
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    aliases: BTreeMap<String, Label>,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn takes(&mut self, token: &Token) -> bool {
        let is_it = self.peek() == Some(token);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, token: &Token) {
        assert!(self.takes(token), "{token:?} is expected at {:?}", self.peek());
    }

    fn number(&mut self) -> usize {
        match self.next() {
            Token::Number(number) => number,
            other => panic!("{other:?} is no number"),
        }
    }

    fn text(&mut self) -> String {
        match self.next() {
            Token::Text(text) => text,
            other => panic!("{other:?} is no text"),
        }
    }

    fn automaton(&mut self) -> Automaton {
        self.expect(&Token::Header("HOA".to_owned()));
        self.expect(&Token::Word("v1".to_owned()));
        self.aliases.clear();
        let mut made = Automaton::default();
        let (mut count, mut seen) = (0, BTreeSet::new());
        while let Some(Token::Header(name)) = self.peek().cloned() {
            self.at += 1;
            let is_new = seen.insert(name.clone());
            assert!(is_new || ["Start", "Alias", "properties"].contains(&name.as_str()), "{name} twice");
            match name.as_str() {
                "name" => made.name = self.text(),
                "tool" => drop(self.text()),
                "States" => count = self.number(),
                "Start" => made.start.push(self.number()),
                "AP" => {
                    let own = self.number();
                    made.propositions = (0..own).map(|_| self.text()).collect();
                    let different: BTreeSet<&String> = made.propositions.iter().collect();
                    assert_eq!(different.len(), own, "propositions differ");
                }
                "acc-name" => {
                    while matches!(self.peek(), Some(Token::Word(_) | Token::Number(_))) {
                        self.at += 1;
                    }
                }
                "Acceptance" => made.sets = self.acceptance(),
                "properties" => {
                    while let Some(Token::Word(word)) = self.peek().cloned() {
                        self.at += 1;
                        made.properties.insert(word);
                    }
                }
                "Alias" => {
                    let Token::Alias(name) = self.next() else { panic!("an alias has a name") };
                    let meaning = self.label(made.propositions.len());
                    assert!(self.aliases.insert(name, meaning).is_none(), "an alias is given once");
                }
                other => panic!("{other} is not known"),
            }
        }
        assert!(seen.contains("Acceptance"), "it must be there");
        self.expect(&Token::Mark("--BODY--".to_owned()));
        made.states = vec![Vec::new(); count];
        let mut met = BTreeSet::new();
        while self.takes(&Token::Header("State".to_owned())) {
            let state = self.number();
            assert!(state < count && met.insert(state), "a state is there, and once");
            if matches!(self.peek(), Some(Token::Text(_))) {
                self.at += 1;
            }
            let own = self.marks(made.sets);
            while self.takes(&Token::Sign('[')) {
                let label = self.label(made.propositions.len()).ways(true);
                self.expect(&Token::Sign(']'));
                let to = self.number();
                assert!(to < count, "a state is there");
                let marks = own | self.marks(made.sets);
                made.states[state].push(Edge { label, to, marks });
            }
        }
        self.expect(&Token::Mark("--END--".to_owned()));
        assert_eq!(met.len(), count, "all states are there");
        assert!(made.start.iter().all(|state| *state < count), "runs begin in states");
        made
    }

    /// `2 Inf(0)&Inf(1)`: how many sets there are, all of which are met again and again.
    fn acceptance(&mut self) -> u32 {
        let sets = self.number();
        if sets == 0 {
            self.expect(&Token::Word("t".to_owned()));
        }
        for set in 0..sets {
            if set > 0 {
                self.expect(&Token::Sign('&'));
            }
            self.expect(&Token::Word("Inf".to_owned()));
            self.expect(&Token::Sign('('));
            assert_eq!(self.number(), set);
            self.expect(&Token::Sign(')'));
        }
        sets as u32
    }

    fn marks(&mut self, sets: u32) -> u64 {
        let mut marks = 0;
        if self.takes(&Token::Sign('{')) {
            while !self.takes(&Token::Sign('}')) {
                let set = self.number();
                assert!(set < sets as usize, "a set is there");
                marks |= 1 << set;
            }
        }
        marks
    }

    fn label(&mut self, count: usize) -> Label {
        let mut parts = vec![self.product(count)];
        while self.takes(&Token::Sign('|')) {
            parts.push(self.product(count));
        }
        Label::Or(parts)
    }

    fn product(&mut self, count: usize) -> Label {
        let mut parts = vec![self.factor(count)];
        while self.takes(&Token::Sign('&')) {
            parts.push(self.factor(count));
        }
        Label::And(parts)
    }

    fn factor(&mut self, count: usize) -> Label {
        match self.next() {
            Token::Sign('!') => Label::Not(Box::new(self.factor(count))),
            Token::Sign('(') => {
                let inner = self.label(count);
                self.expect(&Token::Sign(')'));
                inner
            }
            Token::Word(word) if word == "t" => Label::And(Vec::new()),
            Token::Word(word) if word == "f" => Label::Or(Vec::new()),
            Token::Number(number) => {
                assert!(number < count, "a proposition is there");
                Label::Proposition(number)
            }
            Token::Alias(name) => self.aliases.get(&name).expect("an alias is known").clone(),
            other => panic!("{other:?} is no label"),
        }
    }
}

/// A label as it stands there.
#[derive(Clone)]
enum Label {
    Proposition(usize),
    Not(Box<Label>),
    And(Vec<Label>),
    Or(Vec<Label>),
}

impl Label {
    /// The ways in which it has a value.
    fn ways(&self, value: bool) -> Vec<Cube> {
        match (self, value) {
            (Label::Proposition(number), _) => vec![Cube::from([(*number, value)])],
            (Label::Not(inner), _) => inner.ways(!value),
            (Label::And(parts), true) | (Label::Or(parts), false) => {
                parts.iter().fold(vec![Cube::new()], |all, part| both(&all, &part.ways(value)))
            }
            (Label::Or(parts), true) | (Label::And(parts), false) => {
                parts.iter().flat_map(|part| part.ways(value)).collect()
            }
        }
    }
}

fn both(one: &[Cube], other: &[Cube]) -> Vec<Cube> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs.filter_map(|(one, other)| meet(one, other)).collect()
}

/// What is so in both, if that can be.
pub(crate) fn meet(one: &Cube, other: &Cube) -> Option<Cube> {
    let mut met = one.clone();
    for (proposition, value) in other {
        if *met.entry(*proposition).or_insert(*value) != *value {
            return None;
        }
    }
    Some(met)
}
