//! Life of participants: `activate`, `deactivate`, `destroy`, `create`, `a ++`, `return`, `autoactivate`.

use sequent_kernel::diagnostic::Diagnostic;

use super::{name, take_colour, take_name, text};
use crate::line::Line;
use crate::plantuml::common::scan::Scan;
use crate::tree::sequence::SequenceStatement;

/// `activate a #colour #border`, `deactivate a`, `deactivate`, `destroy a`, `create a`
pub(crate) fn activation(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    let word = scan.one_of(&["activate", "deactivate", "destroy", "create"])?;
    if word == "deactivate" && scan.is_done() {
        return Some(SequenceStatement::Deactivate(None));
    }
    if !scan.spaces() {
        return None;
    }
    let name = name(line, take_name(&mut scan)?);
    scan.spaces();
    let said = diagnostics.len();
    let colour = take_colour(line, &mut scan, diagnostics);
    if scan.spaces() {
        take_colour(line, &mut scan, diagnostics);
    }
    if !scan.is_done() {
        diagnostics.truncate(said);
        return None;
    }
    Some(match word {
        "activate" => SequenceStatement::Activate { name, colour },
        "deactivate" => SequenceStatement::Deactivate(Some(name)),
        "destroy" => SequenceStatement::Destroy(name),
        _ => SequenceStatement::Create(name),
    })
}

/// `a ++ #colour`, `a --`
pub(crate) fn shorthand(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    let name = name(line, scan.name()?);
    scan.spaces();
    let activate = scan.literal("++");
    if !activate && !scan.literal("--") {
        return None;
    }
    scan.spaces();
    let said = diagnostics.len();
    let colour = take_colour(line, &mut scan, diagnostics);
    if !scan.is_done() {
        diagnostics.truncate(said);
        return None;
    }
    Some(if activate {
        SequenceStatement::Activate { name, colour }
    } else {
        SequenceStatement::Deactivate(Some(name))
    })
}

/// `return text`, `autoactivate on`
pub(crate) fn returning(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    if scan.keyword("autoactivate") && scan.spaces() {
        let on = scan.keyword("on");
        return ((on || scan.keyword("off")) && scan.is_done())
            .then_some(SequenceStatement::AutoActivate(on));
    }
    let mut scan = Scan::new(&line.text);
    let _ = scan.literal("&");
    scan.spaces();
    if !scan.literal("return") {
        return None;
    }
    scan.spaces();
    let before = scan;
    if scan.plain_colour().is_some() && !scan.is_done() {
        scan = before;
        take_colour(line, &mut scan, diagnostics);
        scan.spaces();
    } else {
        scan = before;
    }
    Some(SequenceStatement::Return(text(line, scan.rest())))
}
