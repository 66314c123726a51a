//! Numbers of messages: `autonumber 10 5 "<b>00"`, `autonumber stop`, `autonumber resume`, `autonumber inc A`.

use sequent_kernel::model::Numbering;

use crate::line::Line;
use crate::plantuml::common::scan::{Scan, is_space};
use crate::tree::sequence::SequenceStatement;

/// An `autonumber` line.
pub(crate) fn read(line: &Line) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    if !scan.literal("autonumber") {
        return None;
    }
    let spaced = scan.spaces();
    let word = if spaced { scan.one_of(&["stop", "resume", "inc"]) } else { None };
    let numbering = match word {
        Some("stop") => Numbering::Stop,
        Some("resume") => {
            scan.spaces();
            let step = step(&mut scan);
            Numbering::Resume { step, format: format(&mut scan) }
        }
        Some(_) => {
            scan.spaces();
            Numbering::Increment(scan.take_while(|c| c.is_ascii_alphabetic()).to_owned())
        }
        None => {
            let start = start(&mut scan);
            let step = start.is_some().then(|| step(&mut scan)).flatten();
            Numbering::Start { start, step, format: format(&mut scan) }
        }
    };
    scan.is_done().then_some(SequenceStatement::AutoNumber(numbering))
}

/// The first number: digits, with anything but letters and white space between them.
fn start(scan: &mut Scan) -> Option<String> {
    let mut ahead = *scan;
    let number = ahead.take_while(|c| !c.is_alphabetic() && !is_space(c));
    let is_number =
        number.starts_with(|c: char| c.is_ascii_digit()) && number.ends_with(|c: char| c.is_ascii_digit());
    if !is_number {
        return None;
    }
    *scan = ahead;
    Some(number.to_owned())
}

/// The step, if a number is next.
fn step(scan: &mut Scan) -> Option<u32> {
    scan.spaces();
    scan.number()?.parse().ok()
}

/// The format in quotes.
fn format(scan: &mut Scan) -> Option<String> {
    scan.spaces();
    scan.quoted().map(str::to_owned)
}
