//! Patterns in words: what most properties say, without operators (Dwyer, Avrunin, Corbett: Patterns in Property
//! Specifications for Finite-State Verification, 1999).
//!
//! ```text
//! pattern = "never" item scope | item "never" "happens" scope                absence
//!         | "eventually" item scope | item "happens" scope                   existence
//!         | "always" item scope                                              universality
//!         | items ("precedes" | "precede") items scope                       precedence, chains of it
//!         | items ("responds" | "respond") "to" items scope                  response, chains of it
//!         | items ("leads" | "lead") "to" items scope                        the same, the other way round
//! items   = item { "," item }            in this order; only one of the two sides may hold several
//! item    = an atom, a formula in brackets, either with prefix operators
//! scope   = nothing | "before" item | "after" item [ "until" item ] | "between" item "and" item
//! ```
//!
//! They become formulas at once. A scope is a stretch of the run: `before R` ends before the first R and exists only if R
//! comes; `after Q` begins behind the first Q; `between Q and R` begins behind each Q and ends before the next R, which
//! must come; `after Q until R` is the same where R need not come. What happens at the very position of Q or R is outside,
//! so that `never A after A` forbids the second A. (The published formulas begin at Q itself; for events that never happen
//! together with Q both are the same.) The second of two stimuli must be answered each time, where the published formula
//! is content if it was answered once.

use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::source::Place;

use super::grammar::{Parser, Part};
use super::token::{PATTERN_WORDS, Sign, Token};
use super::{Problem, token};

/// More links than this are no chain.
const LONGEST_CHAIN: usize = 20;

/// Whether a word belongs to patterns.
pub(super) fn is_word(word: &str) -> bool {
    PATTERN_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a word makes a pattern of what it stands in.
pub(super) fn is_opener(word: &str) -> bool {
    is_word(word) && !["never", "to"].iter().any(|common| common.eq_ignore_ascii_case(word))
}

/// Whether what stands here, up to the token `end`, is a pattern rather than a formula.
pub(super) fn begin(parser: &Parser, end: usize) -> bool {
    if parser.is_word_at(parser.at, "never") {
        return true;
    }
    let mut index = parser.at;
    while index < end {
        match parser.token(index) {
            Some(Token::Word(word)) if is_opener(word) => return true,
            Some(Token::Sign(Sign::Open)) => index = parser.close_of(index),
            Some(Token::Word(_) | Token::Call(..) | Token::Text(_) | Token::Number | Token::Sign(_))
            | None => {}
        }
        index += 1;
    }
    false
}

/// What a pattern says within its scope.
enum Claim {
    Absence(Part),
    Existence(Part),
    Universality(Part),
    /// The first come before the second.
    Precedence(Vec<Part>, Vec<Part>),
    /// The first are followed by the second.
    Response(Vec<Part>, Vec<Part>),
}

/// Where a pattern is to hold.
enum Scope {
    Global,
    Before(Part),
    After(Part),
    Between(Part, Part),
    AfterUntil(Part, Part),
}

/// Reads a pattern up to the token `end`, as a formula.
pub(super) fn pattern(parser: &mut Parser, end: usize) -> Result<Part, Problem> {
    let start = parser.here().start;
    let claim = claim(parser)?;
    let scope = scope(parser)?;
    if parser.at != end {
        return Err(unexpected(parser));
    }
    let finish = parser.tokens[end - 1].1.end;
    let maker = Maker { parser, place: parser.origin.place(start..finish) };
    maker.scoped(&claim, &scope)
}

fn claim(parser: &mut Parser) -> Result<Claim, Problem> {
    for (word, make) in [
        ("never", Claim::Absence as fn(Part) -> Claim),
        ("eventually", Claim::Existence),
        ("always", Claim::Universality),
    ] {
        if take(parser, word) {
            return Ok(make(parser.unary()?));
        }
    }
    let (first, range) = (items(parser)?, parser.here());
    if take_one(parser, &["precedes", "precede"]) {
        let second = items(parser)?;
        return chain(Claim::Precedence, first, second, range);
    }
    if take_one(parser, &["responds", "respond"]) {
        needed(parser, "to")?;
        let second = items(parser)?;
        return chain(Claim::Response, second, first, range);
    }
    if take_one(parser, &["leads", "lead"]) {
        needed(parser, "to")?;
        let second = items(parser)?;
        return chain(Claim::Response, first, second, range);
    }
    let is_absence = take(parser, "never");
    if !take_one(parser, &["happens", "happen"]) {
        return Err(unexpected(parser));
    }
    match <[Part; 1]>::try_from(first) {
        Ok([item]) if is_absence => Ok(Claim::Absence(item)),
        Ok([item]) => Ok(Claim::Existence(item)),
        Err(_) => Err(Problem::new(range, "only one thing happens, or not")
            .hint("`(A & F B) happens` says that B follows A; `A precedes B` speaks of their order")),
    }
}

fn chain(
    make: fn(Vec<Part>, Vec<Part>) -> Claim,
    first: Vec<Part>,
    second: Vec<Part>,
    range: std::ops::Range<usize>,
) -> Result<Claim, Problem> {
    if first.len() > 1 && second.len() > 1 {
        let hint = "`A, B precede C` and `A precedes B, C` are chains; write two patterns instead";
        return Err(Problem::new(range, "only one side may name several things").hint(hint));
    }
    Ok(make(first, second))
}

/// One item, or several in a row.
fn items(parser: &mut Parser) -> Result<Vec<Part>, Problem> {
    let mut items = vec![parser.unary()?];
    while parser.token(parser.at) == Some(&Token::Sign(Sign::Comma)) {
        if items.len() == LONGEST_CHAIN {
            return Err(Problem::new(parser.here(), format!("a chain has at most {LONGEST_CHAIN} links")));
        }
        parser.at += 1;
        items.push(parser.unary()?);
    }
    Ok(items)
}

fn scope(parser: &mut Parser) -> Result<Scope, Problem> {
    if take(parser, "before") {
        return Ok(Scope::Before(parser.unary()?));
    }
    if take(parser, "between") {
        let first = parser.unary()?;
        if parser.token(parser.at) == Some(&Token::Sign(Sign::Infix(token::Infix::Plain(Binary::And)))) {
            parser.at += 1;
        } else {
            needed(parser, "and")?;
        }
        return Ok(Scope::Between(first, parser.unary()?));
    }
    if !take(parser, "after") {
        return Ok(Scope::Global);
    }
    let first = parser.unary()?;
    if take(parser, "until") {
        return Ok(Scope::AfterUntil(first, parser.unary()?));
    }
    Ok(Scope::After(first))
}

fn take(parser: &mut Parser, word: &str) -> bool {
    let found = parser.is_word_at(parser.at, word);
    parser.at += usize::from(found);
    found
}

fn take_one(parser: &mut Parser, words: &[&str]) -> bool {
    words.iter().any(|word| take(parser, word))
}

fn needed(parser: &mut Parser, word: &str) -> Result<(), Problem> {
    if take(parser, word) {
        return Ok(());
    }
    Err(Problem::new(parser.here(), format!("`{word}` is expected here")).hint(FORMS))
}

const FORMS: &str = "patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, \
    each with `before C`, `after C`, `between C and D` or `after C until D`";

/// Something that does not go on in a pattern.
fn unexpected(parser: &Parser) -> Problem {
    let here = parser.here();
    let found = &parser.text[here.clone()];
    match parser.token(parser.at) {
        Some(Token::Sign(Sign::Infix(_))) => {
            Problem::new(here.clone(), format!("`{found}` in a pattern needs brackets"))
                .hint(format!("such as `never (A {found} B)`, or `(never A) {found} (B precedes C)`"))
        }
        Some(Token::Word(word)) if token::infix(word).is_some() => {
            Problem::new(here.clone(), format!("`{found}` in a pattern needs brackets"))
                .hint(format!("such as `never (A {found} B)`"))
        }
        Some(Token::Word(_) | Token::Call(..) | Token::Text(_) | Token::Number | Token::Sign(_)) => {
            Problem::new(here, format!("`{found}` does not go on from here")).hint(FORMS)
        }
        None => Problem::new(here, "the pattern is not complete").hint(FORMS),
    }
}

/// Makes formulas that all stand at the place of their pattern.
struct Maker<'a, 'b> {
    parser: &'a Parser<'b>,
    place: Place,
}

type Made = Result<Part, Problem>;

impl Maker<'_, '_> {
    fn scoped(&self, claim: &Claim, scope: &Scope) -> Made {
        match scope {
            Scope::Global => self.claim(claim, None),
            Scope::Before(end) => {
                let comes = self.unary(Unary::Finally, end.clone())?;
                self.binary(Binary::Implies, comes, self.claim(claim, Some(end))?)
            }
            Scope::After(begin) => self.after(claim, begin),
            Scope::Between(begin, end) => {
                let comes = self.next(self.unary(Unary::Finally, end.clone())?)?;
                let is_scope = self.binary(Binary::And, begin.clone(), comes)?;
                self.whenever(is_scope, self.next(self.claim(claim, Some(end))?)?)
            }
            Scope::AfterUntil(begin, end) => {
                self.whenever(begin.clone(), self.next(self.claim(claim, Some(end))?)?)
            }
        }
    }

    /// Behind the first `begin`. Where the claim is about every position, that is the same as behind each.
    fn after(&self, claim: &Claim, begin: &Part) -> Made {
        let rest = self.next(self.claim(claim, None)?)?;
        match claim {
            Claim::Absence(_) | Claim::Universality(_) | Claim::Response(..) => {
                self.whenever(begin.clone(), rest)
            }
            Claim::Existence(_) | Claim::Precedence(..) => {
                let first = self.binary(Binary::And, begin.clone(), rest)?;
                self.binary(Binary::WeakUntil, self.not(begin)?, first)
            }
        }
    }

    /// The claim from here on: up to the first `end` if one is given and comes, else forever.
    fn claim(&self, claim: &Claim, end: Option<&Part>) -> Made {
        match claim {
            Claim::Absence(item) => self.always(self.not(item)?, end),
            Claim::Existence(item) => self.some(item.clone(), end),
            Claim::Universality(item) => self.always(item.clone(), end),
            Claim::Precedence(causes, effects) => match (causes.as_slice(), effects.as_slice()) {
                (causes, [effect]) => self.led(causes, effect, end),
                (causes, effects) => self.not(&self.unled(&causes[0], effects, end)?),
            },
            Claim::Response(stimuli, responses) => self.answered(stimuli, responses, end),
        }
    }

    /// No `effect` until the causes have come one after the other.
    fn led(&self, causes: &[Part], effect: &Part, end: Option<&Part>) -> Made {
        let none = self.not(effect)?;
        let mut waited: Option<Part> = None;
        for cause in causes.iter().rev() {
            let mut goal = match waited {
                None => cause.clone(),
                Some(rest) => {
                    let alone = self.binary(Binary::And, cause.clone(), none.clone())?;
                    self.binary(Binary::And, alone, self.next(rest)?)?
                }
            };
            if let Some(end) = end {
                goal = self.binary(Binary::Or, goal, end.clone())?;
            }
            waited = Some(self.binary(Binary::WeakUntil, none.clone(), goal)?);
        }
        Ok(waited.expect("a side has at least one item"))
    }

    /// The first effect without a cause before or with it, and the others after it.
    fn unled(&self, cause: &Part, effects: &[Part], end: Option<&Part>) -> Made {
        let mut without = self.not(cause)?;
        if let Some(end) = end {
            without = self.binary(Binary::And, without, self.not(end)?)?;
        }
        let first = self.binary(Binary::And, effects[0].clone(), without.clone())?;
        let rest = self.next(self.row(&effects[1..], end)?)?;
        let first = self.binary(Binary::And, first, rest)?;
        self.binary(Binary::Until, without, first)
    }

    /// Whenever all stimuli have come one after the other, the responses come one after the other.
    fn answered(&self, stimuli: &[Part], responses: &[Part], end: Option<&Part>) -> Made {
        let mut then = self.row(responses, end)?;
        for (index, stimulus) in stimuli.iter().enumerate().rev() {
            let one = self.binary(Binary::Implies, stimulus.clone(), then)?;
            then = self.always(one, end)?;
            if index > 0 {
                then = self.next(then)?;
            }
        }
        Ok(then)
    }

    /// The items come one after the other.
    fn row(&self, items: &[Part], end: Option<&Part>) -> Made {
        let mut row: Option<Part> = None;
        for item in items.iter().rev() {
            let one = match row {
                None => item.clone(),
                Some(rest) => self.binary(Binary::And, item.clone(), self.next(rest)?)?,
            };
            row = Some(self.some(one, end)?);
        }
        Ok(row.expect("a side has at least one item"))
    }

    fn always(&self, part: Part, end: Option<&Part>) -> Made {
        match end {
            None => self.unary(Unary::Globally, part),
            Some(end) => self.binary(Binary::WeakUntil, part, end.clone()),
        }
    }

    fn some(&self, part: Part, end: Option<&Part>) -> Made {
        match end {
            None => self.unary(Unary::Finally, part),
            Some(end) => {
                let open = self.not(end)?;
                let goal = self.binary(Binary::And, part, open.clone())?;
                self.binary(Binary::Until, open, goal)
            }
        }
    }

    fn whenever(&self, premise: Part, part: Part) -> Made {
        self.unary(Unary::Globally, self.binary(Binary::Implies, premise, part)?)
    }

    fn next(&self, part: Part) -> Made {
        self.unary(Unary::Next, part)
    }

    fn not(&self, part: &Part) -> Made {
        self.unary(Unary::Not, part.clone())
    }

    fn unary(&self, operator: Unary, part: Part) -> Made {
        self.parser.wrap(operator, part, self.place)
    }

    fn binary(&self, operator: Binary, left: Part, right: Part) -> Made {
        self.parser.combine(operator, left, right, self.place)
    }
}
