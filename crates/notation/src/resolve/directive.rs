//! Directives: comments that start with `@` and speak to Sequent (DESIGN sections 6 and 7).
//!
//! One table names them all, with the form of each. Those that shape a sequence diagram (`@neg`, `@order`) are applied
//! where the diagram is resolved; those that ask something become [`Check`]s here, whatever the kind of diagram.

use std::borrow::Cow;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::model::{
    Alphabet, Anchor, AskedDirective, Check, Effects, Expectation, KnownFinding, Mode, Model, Property,
    Quantifier, Question, Scenario, Scheduling, StateGoal, Subject,
};
use sequent_kernel::source::{Place, Span};

use crate::formula;
use crate::tree::{Directive, Statement, StatementKind};

/// Every directive with its form.
pub const TABLE: &[(&str, &str)] = &[
    ("action", "@action, on the line before `note over a : what a does`"),
    ("allow", "@allow CODE, or how codes begin; several after commas"),
    ("alt", "@alt"),
    ("assert", "@assert"),
    ("attribute", "@attribute name : type = value"),
    ("break", "@break"),
    ("class", "@class Name"),
    ("consider", "@consider {m1, m2}"),
    ("consistent", "@consistent"),
    ("coregion", "@coregion lifeline"),
    ("covers", "@covers a, b"),
    ("critical", "@critical"),
    ("deadlock", "@deadlock"),
    ("expect", "@expect holds|fails|unknown|CODE"),
    (
        "forbidden",
        "@forbidden [anchor=anywhere|start] [alphabet=all|own|channels|own-objects] [within=K] [effects=ordered|unordered|together] [preset=P1|P3|P4] [fair=weak|strong|none]",
    ),
    ("ignore", "@ignore {m1, m2}"),
    ("loop", "@loop (min,max)"),
    ("ltl", "@ltl [fair=weak|strong|none] FORMULA"),
    ("name", "@name NAME"),
    ("neg", "@neg"),
    ("not", "@not"),
    ("opt", "@opt"),
    ("order", "@order !first < ?second"),
    ("par", "@par"),
    (
        "possible",
        "@possible [anchor=anywhere|start] [alphabet=all|own|channels|own-objects] [within=K] [effects=ordered|unordered|together] [preset=P1|P3|P4] [fair=weak|strong|none]",
    ),
    ("post", "@post operation : condition"),
    ("pre", "@pre operation : condition"),
    ("property", "@property [fair=weak|strong|none] FORMULA, or words such as `never A after B`"),
    ("reachable", "@reachable object.State & object.attribute = value"),
    ("ref", "@ref, on the line before `note over a, b : Name`"),
    (
        "required",
        "@required [anchor=anywhere|start] [alphabet=all|own|channels|own-objects] [within=K] [effects=ordered|unordered|together] [preset=P1|P3|P4] [fair=weak|strong|none]",
    ),
    ("safe", "@safe [strongly|weakly]"),
    ("seq", "@seq"),
    ("sloop", "@sloop (min,max)"),
    ("stop", "@stop lifeline"),
    ("strict", "@strict"),
    ("together", "@together"),
    ("triggers", "@triggers"),
    (
        "whenever",
        "@whenever [anchor=anywhere|start] [alphabet=all|own|channels|own-objects] [effects=ordered|unordered|together] [preset=P1|P3|P4] [fair=weak|strong|none]",
    ),
];

/// The form of a directive, as a hint.
pub fn form(word: &str) -> String {
    let form = TABLE.iter().find(|(name, _)| *name == word).map_or("", |(_, form)| form);
    format!("its form is `{form}`")
}

/// The directives among the statements of a diagram.
pub fn all<I>(statements: &[Statement<I>]) -> impl Iterator<Item = &Directive> {
    statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Directive(directive) => Some(directive),
        StatementKind::Comment
        | StatementKind::Preprocessor
        | StatementKind::Presentation
        | StatementKind::Title(_)
        | StatementKind::Caption(_)
        | StatementKind::Unknown
        | StatementKind::Item(_) => None,
    })
}

/// The name that `@name` gives to a diagram.
pub fn name<I>(statements: &[Statement<I>]) -> Option<String> {
    let mut named = all(statements).filter(|directive| directive.name == "name");
    named.find(|directive| !directive.argument.is_empty()).map(|directive| directive.argument.clone())
}

/// Adds what the directives of one diagram ask to the model.
pub fn ask<'a>(
    directives: impl Iterator<Item = &'a Directive>,
    diagram: Span,
    subject: Option<Subject>,
    model: &mut Model,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let first = model.checks.len();
    // What is expected of a question that could not be read is expected of nothing else.
    let mut is_lost = false;
    for directive in directives {
        if is_question(&directive.name) {
            let text = format!("{} {}", directive.name, directive.argument).trim_end().to_owned();
            model.asked.push(AskedDirective { subject, text });
        }
        let place = Place(directive.name_span.to(directive.argument_span));
        let check = |question| Check {
            name: None,
            subject,
            target: None,
            question,
            fairness: None,
            expected: None,
            place,
        };
        match scheduled(directive).and_then(|(directive, fairness)| Ok((interpret(&directive)?, fairness))) {
            Ok((DirectiveMeaning::Question(question), fairness)) => {
                model.checks.push(Check { fairness, ..check(question) });
                is_lost = false;
            }
            Ok((DirectiveMeaning::Expect(_), _)) if is_lost => is_lost = false,
            Ok((DirectiveMeaning::Expect(expectation), _)) => match model.checks[first..].last_mut() {
                Some(last) if last.expected.is_none() => last.expected = Some(expectation),
                _ => model.checks.push(Check { expected: Some(expectation), ..check(Question::Fragments) }),
            },
            Ok((DirectiveMeaning::Known(codes, must_come), _)) => {
                let known = |code| KnownFinding { code, must_come, diagram: Place(diagram), place };
                model.known.extend(codes.into_iter().map(known));
            }
            Ok((DirectiveMeaning::Elsewhere, _)) => {}
            Err(diagnostic) => {
                is_lost |= QUESTIONS.contains(&directive.name.as_str());
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// Directives that ask something.
const QUESTIONS: &[&str] = &[
    "possible",
    "forbidden",
    "required",
    "ltl",
    "property",
    "reachable",
    "deadlock",
    "triggers",
    "whenever",
];

/// Whether a directive of this name asks something of a diagram, or says what is expected of it.
pub(crate) fn is_question(word: &str) -> bool {
    QUESTIONS.contains(&word) || matches!(word, "safe" | "consistent" | "expect" | "allow")
}

/// What a directive means.
enum DirectiveMeaning {
    Question(Question),
    Expect(Expectation),
    Known(Vec<Code>, bool),
    /// Interpreted where the diagram is resolved.
    Elsewhere,
}

/// A question without its `fair=..`, and what that says: the first word of a formula, any word of a scenario.
fn scheduled(directive: &Directive) -> Result<(Cow<'_, Directive>, Option<Scheduling>), Diagnostic> {
    let argument = &directive.argument;
    let word = match directive.name.as_str() {
        "ltl" | "property" => argument.split_whitespace().next(),
        "possible" | "forbidden" | "required" | "whenever" => {
            argument.split_whitespace().find(|word| word.starts_with("fair="))
        }
        _ => None,
    };
    let found = word.and_then(|word| Some((argument.find(word)?, word, word.strip_prefix("fair=")?)));
    let Some((at, word, value)) = found else { return Ok((Cow::Borrowed(directive), None)) };
    let Some(scheduling) = Scheduling::from_word(value) else {
        return Err(bad(directive, format!("`{value}` is not a fairness: it is weak, strong or none")));
    };
    let mut rest = directive.clone();
    // What stands before it is blanked, so that places in what follows stay right.
    rest.argument.replace_range(at..at + word.len(), &" ".repeat(word.len()));
    let blank = rest.argument.len() - rest.argument.trim_start().len();
    let Span { file, start, end } = rest.argument_span;
    rest.argument_span = Span::new(file, (start as usize + blank).min(end as usize), end as usize);
    rest.argument.drain(..blank);
    Ok((Cow::Owned(rest), Some(scheduling)))
}

fn interpret(directive: &Directive) -> Result<DirectiveMeaning, Diagnostic> {
    let argument = directive.argument.trim();
    match directive.name.as_str() {
        "possible" => scenario(directive, Quantifier::Possible),
        "forbidden" => scenario(directive, Quantifier::Forbidden),
        "required" => scenario(directive, Quantifier::Required),
        "whenever" => scenario(directive, Quantifier::Whenever),
        "ltl" | "property" => property(directive, argument),
        "reachable" => reachable(directive, argument),
        "deadlock" if argument.is_empty() => Ok(DirectiveMeaning::Question(Question::Deadlock)),
        "deadlock" => Err(bad(directive, "`@deadlock` takes no argument".to_owned())),
        "name" if argument.is_empty() => Err(bad(directive, "`@name` needs a name".to_owned())),
        "safe" if argument.is_empty() => Ok(DirectiveMeaning::Question(Question::Safe(None, Mode::Strong))),
        "safe" => match Mode::of(argument) {
            Some(mode) => Ok(DirectiveMeaning::Question(Question::Safe(None, mode))),
            None => Err(bad(directive, format!("`{argument}` is neither `strongly` nor `weakly`"))),
        },
        "consistent" if argument.is_empty() => Ok(DirectiveMeaning::Question(Question::Consistent(None))),
        "consistent" => Err(bad(directive, "`@consistent` takes no argument".to_owned())),
        "triggers" if argument.is_empty() => Ok(DirectiveMeaning::Question(Question::Triggers(None))),
        "triggers" => Err(bad(directive, "`@triggers` takes no argument".to_owned())),
        "together" if !argument.is_empty() => Err(bad(directive, "`@together` takes no argument".to_owned())),
        "expect" => expectation(directive, argument),
        "allow" => codes(directive, argument).map(|codes| DirectiveMeaning::Known(codes, false)),
        word if TABLE.iter().any(|(name, _)| *name == word) => Ok(DirectiveMeaning::Elsewhere),
        word => Err(unknown(word, directive.name_span)),
    }
}

/// A formula, parsed at once so that a mistake in it is reported at its place.
fn property(directive: &Directive, argument: &str) -> Result<DirectiveMeaning, Diagnostic> {
    if argument.is_empty() {
        return Err(bad(directive, format!("`@{}` needs a formula", directive.name)));
    }
    let formula = formula::parse(argument, directive.argument_span)?;
    Ok(DirectiveMeaning::Question(Question::Ltl(Property {
        text: argument.to_owned(),
        formula: Box::new(formula),
    })))
}

/// A goal, read at once too.
fn reachable(directive: &Directive, argument: &str) -> Result<DirectiveMeaning, Diagnostic> {
    if argument.is_empty() {
        return Err(bad(directive, "`@reachable` needs a goal".to_owned()));
    }
    let goal = Box::new(formula::goal(argument, directive.argument_span)?);
    let goal = Property { text: argument.to_owned(), formula: goal };
    Ok(DirectiveMeaning::Question(Question::Reachable(StateGoal { goal, from: None, within: None })))
}

/// An unknown directive is probably misspelt if it is near a known one, and meant for another tool if not.
fn unknown(word: &str, span: Span) -> Diagnostic {
    if word.is_empty() {
        let finding = Diagnostic::new(Code::UnknownDirective, span, "a directive has no name");
        return finding.hint("the order of occurrences is written as in `@order !m < ?n`");
    }
    let diagnostic = Diagnostic::new(Code::UnknownDirective, span, format!("`@{word}` is not a directive"));
    match nearest(word, TABLE.iter().map(|(name, _)| *name)) {
        Some(near) => diagnostic.meant(word, near).hint(format!("did you mean `@{near}`?")),
        None => diagnostic
            .severity(Severity::Hint)
            .hint("if it is not meant for Sequent, put another character before the `@`"),
    }
}

fn bad(directive: &Directive, message: String) -> Diagnostic {
    let span = if directive.argument.is_empty() { directive.name_span } else { directive.argument_span };
    Diagnostic::new(Code::BadDirective, span, message).hint(form(&directive.name))
}

fn expectation(directive: &Directive, argument: &str) -> Result<DirectiveMeaning, Diagnostic> {
    match argument {
        "holds" => Ok(DirectiveMeaning::Expect(Expectation::Holds)),
        "fails" => Ok(DirectiveMeaning::Expect(Expectation::Fails)),
        "unknown" => Ok(DirectiveMeaning::Expect(Expectation::Unknown)),
        _ => code(directive, argument).map(|code| DirectiveMeaning::Known(vec![code], true)),
    }
}

/// The codes that begin with words.
fn codes(directive: &Directive, argument: &str) -> Result<Vec<Code>, Diagnostic> {
    let mut codes = Vec::new();
    for word in argument.split([',', ' ']).filter(|word| !word.is_empty()) {
        let start = word.to_ascii_uppercase();
        let before = codes.len();
        match Code::from_name(word) {
            Some(code) => codes.push(code),
            None => codes.extend(Code::ALL.iter().copied().filter(|code| code.name().starts_with(&start))),
        }
        if codes.len() == before {
            return Err(bad(directive, format!("`{word}` is not a code")));
        }
    }
    if codes.is_empty() { Err(bad(directive, "`@allow` needs a code".to_owned())) } else { Ok(codes) }
}

fn code(directive: &Directive, argument: &str) -> Result<Code, Diagnostic> {
    Code::from_name(argument)
        .ok_or_else(|| bad(directive, format!("`{argument}` is neither a verdict nor a code")))
}

fn scenario(directive: &Directive, quantifier: Quantifier) -> Result<DirectiveMeaning, Diagnostic> {
    let mut scenario = Scenario {
        interaction: None,
        quantifier,
        anchor: Anchor::Anywhere,
        alphabet: Alphabet::All,
        within: None,
        effects: Effects::default(),
    };
    // What a preset says is overridden by single settings, wherever they stand.
    let words =
        || directive.argument.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")));
    let twice = words().enumerate().find(|(at, (key, _))| words().take(*at).any(|(known, _)| known == *key));
    if let Some((_, (key, _))) = twice {
        return Err(bad(directive, format!("`{key}` is given twice")));
    }
    let presets = words().filter(|(key, _)| *key == "preset");
    for (key, value) in presets.chain(words().filter(|(key, _)| *key != "preset")) {
        let word = if value.is_empty() { key.to_owned() } else { format!("{key}={value}") };
        if !set_knob(&mut scenario, key, value) {
            return Err(bad(directive, format!("`{word}` is not an option of a scenario")));
        }
    }
    if quantifier == Quantifier::Whenever && scenario.within.is_some() {
        return Err(bad(directive, "`@whenever` is about whole runs: it has no `within`".to_owned()));
    }
    Ok(DirectiveMeaning::Question(Question::Scenario(scenario)))
}

/// Sets one of a scenario's knobs, or several as one of the papers does (`preset`); false if the key or the value is unknown.
pub fn set_knob(scenario: &mut Scenario, key: &str, value: &str) -> bool {
    match (key, value) {
        ("anchor", "anywhere") => scenario.anchor = Anchor::Anywhere,
        ("anchor", "start") => scenario.anchor = Anchor::Start,
        ("alphabet", "all") => scenario.alphabet = Alphabet::All,
        ("alphabet", "own") => scenario.alphabet = Alphabet::Own,
        ("alphabet", "channels") => scenario.alphabet = Alphabet::Channels,
        ("alphabet", "own-objects") => scenario.alphabet = Alphabet::OwnObjects,
        ("preset", "P1") => (scenario.anchor, scenario.alphabet) = (Anchor::Anywhere, Alphabet::Channels),
        ("preset", "P3") => (scenario.anchor, scenario.alphabet) = (Anchor::Start, Alphabet::All),
        ("preset", "P4") => {
            (scenario.anchor, scenario.alphabet) = (Anchor::Anywhere, Alphabet::All);
            scenario.effects = Effects::Together;
        }
        ("effects", word) => match Effects::from_word(word) {
            Some(effects) => scenario.effects = effects,
            None => return false,
        },
        ("within", number) => match number.parse() {
            Ok(number) => scenario.within = Some(number),
            Err(_) => return false,
        },
        _ => return false,
    }
    true
}
