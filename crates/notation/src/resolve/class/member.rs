//! Members: one line of a class's body as an attribute or an operation.
//!
//! UML writes `name : Type = value` and `name(x : Type) : Result`, programmers write `Type name = value` and
//! `Result name(Type x)`, Mermaid `name(Type x) Result`; all are read. Round brackets before any `=` make an operation;
//! `{field}` and `{method}` overrule that. `{static}`, `{abstract}`, `$` and `*` are kept, words like `final` say nothing;
//! `private` and the like are visibilities. A word `signal` in front, or the stereotype, makes an operation the
//! reception of a signal. P1 writes `method name : [from : A; to : {self}; x? : Type; y! : Type]` for what an object takes and `chan` for
//! what it sends; `?` and `!` behind a parameter's name are `in` and `out`, in round brackets too.

use sequent_kernel::model::{Attribute, Operation, Parameter, ParameterDirection, Visibility};
use sequent_kernel::source::Span;

/// What a line of a body says.
pub(super) enum ClassMember {
    Attribute(Attribute),
    Operation(Operation),
}

/// Reads a member; `None` if the line holds no name.
pub(super) fn member(text: &str, span: Span) -> Option<ClassMember> {
    let mut prepared = PreparedMember::of(text);
    if let Some(operation) = signature(&mut prepared, span) {
        return Some(ClassMember::Operation(operation));
    }
    let is_operation = match prepared.forced {
        Some(forced) => forced,
        None => prepared.text.split('=').next().unwrap_or_default().contains('(') || prepared.is_signal,
    };
    if let Some(operation) = is_operation.then(|| operation(&mut prepared, span)).flatten() {
        return Some(ClassMember::Operation(operation));
    }
    // Brackets without a name in front are told to be no declaration, by the name of what they make.
    attribute(&mut prepared, span).map(ClassMember::Attribute)
}

/// Reads an attribute, whatever brackets it holds.
pub(super) fn attribute_only(text: &str, span: Span) -> Option<Attribute> {
    attribute(&mut PreparedMember::of(text), span)
}

/// A member's text without the signs around it.
struct PreparedMember {
    text: String,
    visibility: Option<Visibility>,
    stereotypes: Vec<String>,
    /// `{method}` or `{field}`.
    forced: Option<bool>,
    is_signal: bool,
    is_static: bool,
    is_abstract: bool,
}

impl PreparedMember {
    fn of(text: &str) -> Self {
        let (mut forced, mut is_static, mut is_abstract) = (None, false, false);
        let (text, stereotypes) = without_stereotypes(text);
        let mut text = text.trim().trim_end_matches(';').to_owned();
        for (word, is_method) in [
            ("{method}", Some(true)),
            ("{field}", Some(false)),
            ("{static}", None),
            ("{classifier}", None),
            ("{abstract}", None),
        ] {
            if let Some(at) = text.to_lowercase().find(word) {
                text.replace_range(at..at + word.len(), "");
                forced = is_method.or(forced);
                is_static |= matches!(word, "{static}" | "{classifier}");
                is_abstract |= word == "{abstract}";
            }
        }
        let text = text.trim().trim_start_matches('\\');
        let visibility = text.chars().next().and_then(visibility);
        let text = if visibility.is_some() { &text[1..] } else { text };
        // Mermaid's signs for what belongs to the class, and for what is abstract.
        let shown = text.trim().trim_end_matches(['$', '*']);
        let signs = &text.trim()[shown.len()..];
        is_static |= signs.contains('$');
        is_abstract |= signs.contains('*');
        let text = shown.trim();
        let is_signal = stereotypes.iter().any(|word| word.eq_ignore_ascii_case("signal"));
        let mut prepared = PreparedMember {
            text: String::new(),
            visibility,
            stereotypes,
            forced,
            is_signal,
            is_static,
            is_abstract,
        };
        prepared.stereotypes.retain(|word| !word.eq_ignore_ascii_case("signal"));
        prepared.text = prepared.without_modifiers(text).to_owned();
        prepared
    }

    /// The text without the words in front that are no type.
    fn without_modifiers<'a>(&mut self, mut text: &'a str) -> &'a str {
        while let Some((word, rest)) = text.split_once(char::is_whitespace) {
            match word {
                "static" => self.is_static = true,
                "abstract" => self.is_abstract = true,
                "final" | "virtual" | "readonly" => {}
                "public" => self.visibility = Some(Visibility::Public),
                "private" => self.visibility = Some(Visibility::Private),
                "protected" => self.visibility = Some(Visibility::Protected),
                "signal" if !rest.trim_start().starts_with([':', '=']) => self.is_signal = true,
                _ => return text,
            }
            text = rest.trim_start();
        }
        text
    }
}

fn visibility(sign: char) -> Option<Visibility> {
    Some(match sign {
        '+' => Visibility::Public,
        '-' => Visibility::Private,
        '#' => Visibility::Protected,
        '~' => Visibility::Package,
        _ => return None,
    })
}

/// The text without its `<<stereotypes>>`, and those.
fn without_stereotypes(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut found, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, inside, after)) = rest
        .split_once("<<")
        .and_then(|(before, rest)| rest.split_once(">>").map(|(inside, after)| (before, inside, after)))
    {
        plain.push_str(before);
        found.push(inside.trim().to_owned());
        rest = after;
    }
    (plain + rest, found)
}

fn attribute(prepared: &mut PreparedMember, span: Span) -> Option<Attribute> {
    let (declared, initial) = match prepared.text.split_once('=') {
        Some((declared, initial)) => (declared.trim(), Some(initial.trim().to_owned())),
        None => (prepared.text.as_str(), None),
    };
    let (declared, multiplicity) = without_multiplicity(declared);
    let (name, type_name) = name_and_type(&declared);
    if name.is_empty() {
        return None;
    }
    Some(Attribute {
        name,
        type_name,
        initial,
        multiplicity,
        visibility: prepared.visibility,
        is_static: prepared.is_static,
        stereotypes: std::mem::take(&mut prepared.stereotypes),
        place: span.into(),
    })
}

/// The text without `[0..*]`, and what is in the brackets. `int[]` stays a type.
fn without_multiplicity(text: &str) -> (String, Option<String>) {
    let bracket = text.split_once('[').and_then(|(before, rest)| {
        let (inside, after) = rest.split_once(']')?;
        (!inside.trim().is_empty()).then(|| (format!("{before}{after}"), inside.trim().to_owned()))
    });
    match bracket {
        Some((rest, inside)) => (rest.trim().to_owned(), Some(inside)),
        None => (text.trim().to_owned(), None),
    }
}

/// `name : Type`, `Type name`, `name`.
fn name_and_type(text: &str) -> (String, Option<String>) {
    let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(at) = lone_colon(text) {
        return (text[..at].trim().to_owned(), some(&text[at + 1..]));
    }
    match text.trim().rsplit_once(char::is_whitespace) {
        Some((type_name, name)) => (name.to_owned(), some(type_name)),
        None => (text.trim().to_owned(), None),
    }
}

/// The first colon that is not part of `::`.
fn lone_colon(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|at| {
        bytes[*at] == b':' && bytes.get(at + 1) != Some(&b':') && (*at == 0 || bytes[at - 1] != b':')
    })
}

fn operation(prepared: &mut PreparedMember, span: Span) -> Option<Operation> {
    let (before, parameters, after) = match prepared.text.split_once('(') {
        Some((before, rest)) => {
            let (parameters, after) = rest.rsplit_once(')')?;
            (before.trim(), parameters, after.trim())
        }
        None => (prepared.text.as_str(), "", ""),
    };
    let (result, name) = before.rsplit_once(char::is_whitespace).unwrap_or(("", before));
    // Mermaid writes its signs between the brackets and the result.
    let behind = after.trim_start_matches(['$', '*']);
    prepared.is_static |= after[..after.len() - behind.len()].contains('$');
    prepared.is_abstract |= after[..after.len() - behind.len()].contains('*');
    let behind = behind.trim_start();
    let behind = behind.strip_prefix(':').unwrap_or(behind).trim_end_matches(['$', '*']).trim();
    if name.is_empty() {
        return None;
    }
    let result = [behind, result.trim()].into_iter().find(|text| !text.is_empty()).map(str::to_owned);
    Some(Operation {
        name: name.to_owned(),
        parameters: all_parameters(parameters),
        result,
        is_signal: prepared.is_signal,
        visibility: prepared.visibility,
        is_static: prepared.is_static,
        is_abstract: prepared.is_abstract,
        stereotypes: std::mem::take(&mut prepared.stereotypes),
        place: span.into(),
    })
}

/// `method name : [from : A; to : {self}; x? : Type]`, or `chan`. Who calls whom is no argument of the message.
fn signature(prepared: &mut PreparedMember, span: Span) -> Option<Operation> {
    let (word, rest) = prepared.text.split_once(char::is_whitespace)?;
    let is_sent = match word {
        "method" => false,
        "chan" => true,
        _ => return None,
    };
    let (name, inside) = rest.split_once('[')?;
    let name = name.trim().trim_end_matches(':').trim();
    let parts: Vec<&str> = inside.trim().strip_suffix(']')?.split(';').map(str::trim).collect();
    if name.is_empty() || name.contains(char::is_whitespace) || !parts.iter().all(|part| part.contains(':')) {
        return None;
    }
    let (ends, parameters): (Vec<Parameter>, Vec<Parameter>) = parts
        .into_iter()
        .filter_map(parameter)
        .partition(|one| one.direction.is_none() && (one.name == "from" || one.name == "to"));
    let mut stereotypes = std::mem::take(&mut prepared.stereotypes);
    stereotypes.extend(is_sent.then(|| "out".to_owned()));
    stereotypes
        .extend(ends.iter().map(|end| format!("{} {}", end.name, end.type_name.as_deref().unwrap_or(""))));
    Some(Operation {
        name: name.to_owned(),
        parameters,
        result: None,
        is_signal: prepared.is_signal,
        visibility: prepared.visibility,
        is_static: prepared.is_static,
        is_abstract: prepared.is_abstract,
        stereotypes,
        place: span.into(),
    })
}

/// The parameters between brackets; what stands empty between two commas is one without name.
fn all_parameters(text: &str) -> Vec<Parameter> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let unnamed = || Parameter { name: String::new(), type_name: None, direction: None };
    split(text).map(|one| parameter(one).unwrap_or_else(unnamed)).collect()
}

/// The parameters, divided by commas outside of brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        depth +=
            i32::from(matches!(c, '<' | '(' | '[' | '{')) - i32::from(matches!(c, '>' | ')' | ']' | '}'));
        c == ',' && depth == 0
    })
    .map(str::trim)
}

/// `x : Type`, `in x : Type`, `x? : Type`, `Type x`, `x`, `int`.
fn parameter(text: &str) -> Option<Parameter> {
    let declared = text.split_once('=').map_or(text, |(declared, _)| declared).trim();
    let (direction, declared) = direction(declared);
    let (name, type_name) = match declared.ends_with(':') {
        // A type was meant, so this is no name.
        true => (declared.to_owned(), None),
        false => name_and_type(declared),
    };
    let only_type = type_name.is_none() && PRIMITIVES.iter().any(|word| word.eq_ignore_ascii_case(&name));
    let (name, type_name) = if only_type { (String::new(), Some(name)) } else { (name, type_name) };
    let marked = [('?', ParameterDirection::In), ('!', ParameterDirection::Out)]
        .into_iter()
        .find_map(|(sign, way)| name.strip_suffix(sign).map(|name| (name.trim().to_owned(), Some(way))));
    let (name, direction) = match marked {
        Some(marked) if direction.is_none() => marked,
        Some(_) | None => (name, direction),
    };
    (!name.is_empty() || type_name.is_some()).then_some(Parameter { name, type_name, direction })
}

const PRIMITIVES: &[&str] = &[
    "int", "integer", "bool", "boolean", "string", "float", "double", "char", "byte", "long", "short",
    "void", "object",
];

fn direction(text: &str) -> (Option<ParameterDirection>, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let direction = match word {
        "in" => ParameterDirection::In,
        "out" => ParameterDirection::Out,
        "inout" => ParameterDirection::InOut,
        _ => return (None, text),
    };
    if rest.is_empty() { (None, text) } else { (Some(direction), rest.trim()) }
}

/// The literal on a line of an enumeration: a name, perhaps with a value; `None` if the line says something else.
pub(super) fn literal(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches([',', ';']);
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim();
    let has_value = rest.is_empty()
        || rest.starts_with('=')
        || (rest.starts_with('(') && rest.ends_with(')') && rest != "()");
    (!name.is_empty() && has_value).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;

    fn check(input: &str, expected: Expect) {
        let file = Sources::new().add("m", input);
        let span = Span::new(file, 0, input.len());
        expected.assert_eq(&match member(input, span) {
            None => "nothing".to_owned(),
            Some(ClassMember::Attribute(one)) => format!(
                "{:?} {} : {:?} [{:?}] = {:?} {:?}",
                one.visibility, one.name, one.type_name, one.multiplicity, one.initial, one.stereotypes
            ),
            Some(ClassMember::Operation(one)) => {
                let parameters: Vec<String> = one
                    .parameters
                    .iter()
                    .map(|one| {
                        format!(
                            "{:?} {}:{}",
                            one.direction,
                            one.name,
                            one.type_name.as_deref().unwrap_or("-")
                        )
                    })
                    .collect();
                let signal = if one.is_signal { "signal " } else { "" };
                format!(
                    "{:?} {signal}{}({}) : {:?} {:?}",
                    one.visibility,
                    one.name,
                    parameters.join(", "),
                    one.result,
                    one.stereotypes
                )
            }
        });
    }

    #[test]
    fn signatures() {
        check(
            "method auth : [ from : ATM ; to : {self}; id? : ID ; ok ! : B ]",
            expect![[r#"None auth(Some(In) id:ID, Some(Out) ok:B) : None ["from ATM", "to {self}"]"#]],
        );
        check(
            "chan start [from: {self}; to: ATM]",
            expect![[r#"None start() : None ["out", "from {self}", "to ATM"]"#]],
        );
        check("go(x? : 0..3, ok! : bool)", expect!["None go(Some(In) x:0..3, Some(Out) ok:bool) : None []"]);
        check("method lines [0..3]", expect![[r#"None lines : Some("method") [Some("0..3")] = None []"#]]);
    }

    #[test]
    fn attributes() {
        check(
            "- maxNumIncorrect : int = 2",
            expect![[r#"Some(Private) maxNumIncorrect : Some("int") [None] = Some("2") []"#]],
        );
        check("int numIncorrect = 0", expect![[r#"None numIncorrect : Some("int") [None] = Some("0") []"#]]);
        check("+cardValid", expect!["Some(Public) cardValid : None [None] = None []"]);
        check(
            "wd : Withdraw_P <<port>>",
            expect![[r#"None wd : Some("Withdraw_P") [None] = None ["port"]"#]],
        );
        check(
            "{static} accounts : Account [0..*]",
            expect![[r#"None accounts : Some("Account") [Some("0..*")] = None []"#]],
        );
        check("std::string name", expect![[r#"None name : Some("std::string") [None] = None []"#]]);
        check("+", expect!["nothing"]);
    }

    #[test]
    fn operations() {
        check("verifyPIN()", expect!["None verifyPIN() : None []"]);
        check(
            "+ auth(in id : ID, pin : PIN, out ok : bool) : bool",
            expect![[
                r#"Some(Public) auth(Some(In) id:ID, None pin:PIN, Some(Out) ok:bool) : Some("bool") []"#
            ]],
        );
        check(
            "abstract void pay(int amount, Map<K, V> m)",
            expect![[r#"None pay(None amount:int, None m:Map<K, V>) : Some("void") []"#]],
        );
        check("signal done", expect!["None signal done() : None []"]);
        check("signal done()", expect!["None signal done() : None []"]);
        check("<<signal>> abort()", expect!["None signal abort() : None []"]);
        check("~isMammal() bool*", expect![[r#"Some(Package) isMammal() : Some("bool") []"#]]);
        check("{method} run", expect!["None run() : None []"]);
        check("resize(int)", expect!["None resize(None :int) : None []"]);
        check("resize(to : )", expect!["None resize(None to ::-) : None []"]);
        // Without its second bracket it is none, which is told.
        check("resize(to : 0..3", expect![[r#"None resize(to : Some("0..3") [None] = None []"#]]);
    }

    #[test]
    fn literals() {
        assert_eq!(literal("RED,"), Some("RED".to_owned()));
        assert_eq!(literal("RED = 1"), Some("RED".to_owned()));
        assert_eq!(literal("RED(1)"), Some("RED".to_owned()));
        assert_eq!(literal("+ name : String"), None);
        assert_eq!(literal("values()"), None);
    }
}
