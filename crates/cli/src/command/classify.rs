//! `sequent classify`: whether a trace is valid, invalid or inconclusive for a diagram.

use std::collections::BTreeMap;
use std::path::Path;

use sequent::classify::{ClassReason, Classification, classify, read_trace};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::TraceClass;
use sequent_report::escape;
use serde_json::json;

use super::Session;
use super::subject::{UNDECIDED, assumptions, choose, not_run, warn_of_gaps};
use crate::cli::{self, Common, FormatArgument};
use crate::output;
use crate::roots::{self, LONGEST};

pub(crate) fn run(options: &cli::Classify, common: &Common) -> Result<u8, String> {
    if options.file == "-" && options.trace == "-" {
        return Err("the diagram and the trace cannot both come from standard input".to_owned());
    }
    let session = super::read(std::slice::from_ref(&options.file), common)?;
    let is_broken = session.complain_of_errors();
    let model = &session.reading.model;
    let id = choose(model, options.interaction.as_deref())?;
    warn_of_gaps(&session, id);
    let assumptions = assumptions(&options.meaning, &session, id)?;
    // What is assumed of guards takes operands away, not the names of their messages.
    let named = Assumptions { guards: BTreeMap::new(), ..assumptions.clone() };
    let system = match lower(model, id, &named) {
        Ok(system) => system,
        Err(unsupported) => return Ok(not_run(&session, &unsupported)),
    };
    let trace = read_trace(&system, &text(&options.trace)?)?;
    let result = match classify(model, id, &assumptions, &trace) {
        Ok(result) => result,
        Err(unsupported) => return Ok(not_run(&session, &unsupported)),
    };
    let name = &model.interactions[id].name;
    match options.format {
        FormatArgument::Json => print_json(&session, name, &trace, &result),
        FormatArgument::Text => print_text(&session, name, &trace, &result),
    }
    Ok(match result.class {
        _ if result.is_strained => UNDECIDED,
        TraceClass::Valid => u8::from(is_broken),
        TraceClass::Invalid => 1,
        TraceClass::Inconclusive => UNDECIDED,
    })
}

/// The trace's text: of a file, of standard input, or the argument itself.
fn text(trace: &str) -> Result<String, String> {
    if trace == "-" {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| format!("standard input cannot be read: {error}"));
    }
    match Path::new(trace).is_file() {
        true => {
            roots::read_text(Path::new(trace), LONGEST).map_err(|refusal| format!("`{trace}`: {refusal}"))
        }
        false => Ok(trace.to_owned()),
    }
}

fn place(session: &Session, reason: ClassReason) -> Option<String> {
    match reason {
        ClassReason::Left(place) => {
            let position = session.sources.position(place.0);
            Some(format!("{}:{}", session.sources.get(place.0.file).name, position.line))
        }
        ClassReason::Complete
        | ClassReason::Negative
        | ClassReason::FalseGuard
        | ClassReason::Astray
        | ClassReason::Unfinished => None,
    }
}

fn print_json(session: &Session, name: &str, trace: &[String], result: &Classification) {
    let reason = match result.reason {
        ClassReason::Complete => "complete",
        ClassReason::Negative => "neg",
        ClassReason::FalseGuard => "guard",
        ClassReason::Left(_) => "assert",
        ClassReason::Astray => "astray",
        ClassReason::Unfinished => "unfinished",
    };
    let value = json!({
        "interaction": name,
        "class": result.class.name(),
        "reason": reason,
        "place": place(session, result.reason),
        "trace": trace,
        "fitting": result.fitting,
        "event": trace.get(result.fitting),
        "instead": result.instead,
        "may_end": result.may_end,
        "exact": !result.is_strained,
    });
    output::print_json(&value);
}

fn print_text(session: &Session, name: &str, trace: &[String], result: &Classification) {
    let because = match result.reason {
        ClassReason::Complete => format!("a complete trace of `{name}`"),
        ClassReason::Negative => "it runs through a `neg`".to_owned(),
        ClassReason::FalseGuard => "it runs through an operand whose guard is false".to_owned(),
        ClassReason::Left(_) => {
            format!("it leaves the assertion at {}", place(session, result.reason).unwrap_or_default())
        }
        ClassReason::Astray if result.fitting == 0 => "no valid trace begins like this".to_owned(),
        ClassReason::Astray => "no valid trace goes on like this".to_owned(),
        ClassReason::Unfinished => "valid traces begin like this, but none ends here".to_owned(),
    };
    let mut text = format!("{}: {because}\n", result.class.name());
    for (index, event) in trace.iter().enumerate() {
        let mark = match index {
            _ if index < result.fitting => "  ",
            _ if index == result.fitting => "->",
            _ => " .",
        };
        text += &format!("{mark} {}\n", escape::line(event));
    }
    if result.class != TraceClass::Valid {
        let mut instead: Vec<String> = result.instead.iter().map(|event| format!("`{event}`")).collect();
        // Where all events fit, the trace has ended there already.
        if result.may_end && result.fitting < trace.len() {
            instead.push("the end".to_owned());
        }
        let listed = if instead.is_empty() { "nothing".to_owned() } else { instead.join(", ") };
        let is_whole = result.reason == ClassReason::Negative && instead.is_empty();
        text += &match result.reason {
            ClassReason::Unfinished => format!("next could come: {listed}\n"),
            ClassReason::Negative if is_whole => String::new(),
            ClassReason::Complete
            | ClassReason::Negative
            | ClassReason::FalseGuard
            | ClassReason::Left(_)
            | ClassReason::Astray => {
                format!("instead could come: {listed}\n")
            }
        };
    }
    if result.is_strained {
        text += "inexact: loop iterations were kept closer together than the diagram does\n";
    }
    output::print(&text);
}
