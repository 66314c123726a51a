//! Declarations: `class A<T> <<entity>> extends B implements C, D {`, `object "o : C" as o`, `package P {`.

use sequent_kernel::diagnostic::Diagnostic;

use crate::line::Line;
use crate::plantuml::common::scan::{Scan, is_quote, is_space, is_word};
use crate::plantuml::common::{colour, text};
use crate::plantuml::note::{link, tags};
use crate::tree::Name;
use crate::tree::class::{ClassDeclaration, ClassKeyword, Package};

/// What a declaration may start with.
const KEYWORDS: &[(&str, ClassKeyword)] = &[
    ("class", ClassKeyword::Class),
    ("interface", ClassKeyword::Interface),
    ("enum", ClassKeyword::Enum),
    ("annotation", ClassKeyword::Annotation),
    ("abstract", ClassKeyword::Abstract),
    ("entity", ClassKeyword::Entity),
    ("circle", ClassKeyword::Circle),
    ("diamond", ClassKeyword::Diamond),
    ("protocol", ClassKeyword::Protocol),
    ("struct", ClassKeyword::Struct),
    ("exception", ClassKeyword::Exception),
    ("metaclass", ClassKeyword::MetaClass),
    ("stereotype", ClassKeyword::Stereotype),
    ("dataclass", ClassKeyword::DataClass),
    ("record", ClassKeyword::Record),
    ("object", ClassKeyword::Object),
    ("map", ClassKeyword::Map),
];

/// The declaration on a line, and whether its body is closed on the same line (`class A {}`).
pub(crate) fn class(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<(ClassDeclaration, bool)> {
    let mut scan = Scan::new(&line.text);
    if scan.peek().is_some_and(|sign| matches!(sign, '-' | '#' | '+' | '~')) {
        scan.take(1);
        scan.spaces();
    }
    let keyword = keyword(&mut scan)?;
    let name = name(line, &mut scan)?;
    let generics = generics(&mut scan);
    scan.spaces();
    tags(&mut scan);
    let stereotypes = scan.stereotypes();
    scan.spaces();
    tags(&mut scan);
    scan.spaces();
    link(&mut scan);
    scan.spaces();
    let fill = colour::take(&mut scan);
    scan.spaces();
    border(&mut scan);
    let extends = parents(line, &mut scan, "extends");
    let implements = parents(line, &mut scan, "implements");
    scan.spaces();
    let opens = scan.literal("{");
    scan.spaces();
    let closes = opens && scan.literal("}");
    if !scan.is_done() || (keyword == ClassKeyword::Map && !opens) {
        return None;
    }
    if let Some(fill) = fill {
        colour::check(fill, line.span_of_part(fill), diagnostics);
    }
    let colour = fill.map(str::to_owned);
    Some((
        ClassDeclaration { keyword, name, generics, stereotypes, colour, extends, implements, opens },
        closes,
    ))
}

/// The keyword with the white space behind it.
fn keyword(scan: &mut Scan) -> Option<ClassKeyword> {
    if scan.literal("<>") {
        scan.spaces();
        return Some(ClassKeyword::Diamond);
    }
    if scan.literal("()") {
        return scan.spaces().then_some(ClassKeyword::Circle);
    }
    let (_, keyword) = KEYWORDS.iter().find(|(word, _)| scan.keyword(word)).copied().or_else(|| {
        // `static class` is a class.
        (scan.keyword("static") && scan.spaces() && scan.keyword("class"))
            .then_some(("", ClassKeyword::Class))
    })?;
    if !scan.spaces() {
        return None;
    }
    let mut ahead = *scan;
    if keyword == ClassKeyword::Abstract && ahead.keyword("class") && ahead.spaces() {
        *scan = ahead;
    }
    Some(keyword)
}

/// `A`, `A as "label"`, `"label" as A`, `"A"`.
fn name(line: &Line, scan: &mut Scan) -> Option<Name> {
    let named = |text: &str, label: Option<&str>| Name {
        text: text.to_owned(),
        label: label.map(text::unescape),
        span: line.span_of_part(text),
    };
    if let Some(label) = scan.quoted() {
        let alias = after_as(scan, code);
        return Some(match alias {
            Some(alias) => named(alias, Some(label)),
            None => named(label, None),
        });
    }
    let text = code(scan)?;
    let label = after_as(scan, |scan| scan.quoted());
    Some(named(text, label))
}

fn after_as<'a>(scan: &mut Scan<'a>, rest: impl Fn(&mut Scan<'a>) -> Option<&'a str>) -> Option<&'a str> {
    let mut ahead = *scan;
    if !(ahead.spaces() && ahead.keyword("as") && ahead.spaces()) {
        return None;
    }
    let found = rest(&mut ahead)?;
    *scan = ahead;
    Some(found)
}

/// A name without quotes: anything but white space, quotes, braces and angle brackets.
fn code<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    let is_code = |c: char| !is_space(c) && !is_quote(c) && !matches!(c, '{' | '}' | '<' | '>');
    Some(scan.take_while(is_code)).filter(|name| !name.is_empty())
}

/// `<K, V<T>>`, the text between the outer brackets.
fn generics(scan: &mut Scan) -> Option<String> {
    let mut ahead = *scan;
    ahead.spaces();
    if ahead.rest().starts_with("<<") || !ahead.literal("<") {
        return None;
    }
    let mut depth = 1;
    let end = ahead.rest().find(|c| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0
    })?;
    let inside = ahead.take(end).trim().to_owned();
    ahead.take(1);
    *scan = ahead;
    Some(inside)
}

/// `##[dashed]blue`
fn border(scan: &mut Scan) {
    if scan.literal("##") {
        scan.take_while(|c| is_word(c) || matches!(c, '[' | ']'));
    }
}

/// ` extends A, B<T>`
fn parents(line: &Line, scan: &mut Scan, word: &str) -> Vec<Name> {
    let mut ahead = *scan;
    ahead.spaces();
    if !(ahead.keyword(word) && ahead.spaces()) {
        return Vec::new();
    }
    let mut parents = Vec::new();
    loop {
        let is_part = |c: char| is_word(c) || matches!(c, '$' | '.' | ':' | '\\' | '/' | '-');
        let found =
            ahead.quoted().or_else(|| Some(ahead.take_while(is_part)).filter(|name| !name.is_empty()));
        let Some(found) = found else { return parents };
        parents.push(Name { text: found.to_owned(), label: None, span: line.span_of_part(found) });
        generics(&mut ahead);
        *scan = ahead;
        ahead.spaces();
        if !ahead.literal(",") {
            return parents;
        }
        ahead.spaces();
    }
}

/// Words that open a box around classes.
const BOXES: &[&str] = &[
    "package",
    "namespace",
    "together",
    "rectangle",
    "node",
    "folder",
    "frame",
    "cloud",
    "database",
    "component",
    "card",
];

/// The package that a line opens, and whether it is closed on the same line.
pub(crate) fn package(line: &Line) -> Option<(Package, bool)> {
    let mut scan = Scan::new(&line.text);
    let word = scan.one_of(BOXES)?;
    scan.spaces();
    let name = if word == "together" { None } else { name(line, &mut scan) };
    scan.spaces();
    tags(&mut scan);
    let stereotypes = scan.stereotypes();
    scan.spaces();
    tags(&mut scan);
    link(&mut scan);
    scan.spaces();
    let colour = colour::take(&mut scan).map(str::to_owned);
    scan.spaces();
    if !scan.literal("{") {
        return None;
    }
    scan.spaces();
    let closes = scan.literal("}");
    let nameless = || Name { text: String::new(), label: None, span: line.span };
    scan.is_done().then(|| (Package { name: name.unwrap_or_else(nameless), stereotypes, colour }, closes))
}
