//! Which question is written: one of those that `sequent check` answers, by its number there or by its name.

use sequent::ask::{Agenda, Query};
use sequent::export::{ExportedCase, parts};
use sequent::pipeline;
use sequent_kernel::system::System;

use crate::cli::Export;
use crate::command::Session;
use crate::command::subject::set_switches;
use crate::output;

/// A question that is written.
pub(crate) struct ChosenQuestion {
    /// What is asked, in words.
    pub title: String,
    /// The part that is written.
    pub part: ExportedCase,
}

/// Calls `see` with all questions under the switches of the options; fails if the options fix guards.
pub(crate) fn with_agenda<T>(
    session: &Session,
    options: &Export,
    see: impl FnOnce(&Agenda<'_>) -> Result<T, String>,
) -> Result<T, String> {
    if !options.meaning.assume.is_empty() {
        return Err("--assume is for diagrams; a question is asked for all values of guards".to_owned());
    }
    for_all_guards(session, options, see)
}

/// Calls `see` with all questions under the switches of the options; fixed guards are ignored.
pub(crate) fn for_all_guards<T>(
    session: &Session,
    options: &Export,
    see: impl FnOnce(&Agenda<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let mut settings = session.settings.clone();
    set_switches(&mut settings.switches, &options.meaning.switch)?;
    see(&pipeline::agenda(&session.reading, &settings))
}

/// All questions with their numbers, one per line, and their parts where there are some.
pub(crate) fn list(agenda: &Agenda<'_>) -> String {
    let line = |(number, query): (usize, &Query<'_>)| {
        let parts = match parts(agenda, number) {
            Ok(parts) if parts.len() == 1 => String::new(),
            Ok(parts) => {
                let part = |(at, part): (usize, &ExportedCase)| {
                    format!("    {}.{}  {}\n", number + 1, at + 1, part.case.part)
                };
                parts.iter().enumerate().map(part).collect()
            }
            Err(reason) => format!("    cannot be written: {reason}\n"),
        };
        format!("{:>3}  {} ({})\n{parts}", number + 1, query.text(), query.kind)
    };
    let all = &agenda.queries;
    match all.is_empty() {
        true => "nothing is asked here\n".to_owned(),
        false => all.iter().enumerate().map(line).collect(),
    }
}

/// All questions as texts, with their numbers and how many parts they have.
pub(crate) fn numbered(agenda: &Agenda<'_>) -> Vec<(String, usize, usize)> {
    let count = |number| parts(agenda, number).map_or(1, |parts| parts.len());
    let queries = agenda.queries.iter().enumerate();
    queries.map(|(number, query)| (query.text(), number + 1, count(number))).collect()
}

/// The question that was asked for, and the part of it that is to be written.
pub(crate) fn choose(agenda: &Agenda<'_>, wished: &str) -> Result<ChosenQuestion, String> {
    let Posed { title, mut parts, number, at } = pose(agenda, wished)?;
    let at = at.ok_or_else(|| several(&title, number, &parts))?;
    Ok(ChosenQuestion { title, part: parts.swap_remove(at) })
}

/// A question with all its parts.
pub(crate) struct Posed {
    /// What is asked, in words.
    pub title: String,
    /// The parts.
    pub parts: Vec<ExportedCase>,
    /// Its place on the agenda.
    pub number: usize,
    /// The part that was asked for, or the only one.
    pub at: Option<usize>,
}

/// The question that was asked for.
pub(crate) fn pose(agenda: &Agenda<'_>, wished: &str) -> Result<Posed, String> {
    let (number, part) = find(&agenda.queries, wished)?;
    let title = agenda.queries[number].text();
    let parts = parts(agenda, number).map_err(|reason| format!("`{title}` cannot be written: {reason}"))?;
    let count = parts.len();
    let at = match (part, count) {
        (Some(part), _) if (1..=count).contains(&part) => Some(part - 1),
        (Some(_), 1) => return Err(format!("`{title}` has no parts")),
        (Some(part), _) => return Err(format!("`{title}` has {count} parts, and no part {part}")),
        (None, 1) => Some(0),
        (None, _) => None,
    };
    Ok(Posed { title, parts, number, at })
}

/// The number of a question that is asked as a whole.
pub(crate) fn number(agenda: &Agenda<'_>, wished: &str) -> Result<usize, String> {
    find(&agenda.queries, wished).map(|(number, _)| number)
}

/// That a part must be named.
pub(crate) fn several(title: &str, number: usize, parts: &[ExportedCase]) -> String {
    let part = |(at, part): (usize, &ExportedCase)| format!("{}.{} ({})", number + 1, at + 1, part.case.part);
    let listed: Vec<String> = parts.iter().enumerate().map(part).collect();
    format!(
        "`{title}` has {} parts, and a run for any of them is the answer; name one: {}",
        parts.len(),
        listed.join(", ")
    )
}

/// The place of a question, and the number of its part if one is given.
fn find(all: &[Query<'_>], wished: &str) -> Result<(usize, Option<usize>), String> {
    let named: Vec<usize> =
        (0..all.len()).filter(|at| all[*at].name == wished || all[*at].text() == wished).collect();
    let listed = || {
        let line = |(at, query): (usize, &Query<'_>)| format!("\n  {}  {}", at + 1, query.text());
        all.iter().enumerate().map(line).collect::<String>()
    };
    match named.as_slice() {
        [only] => return Ok((*only, None)),
        [_, _, ..] => {
            return Err(format!("several questions are called `{wished}`, give a number:{}", listed()));
        }
        [] => {}
    }
    let (number, part) = match wished.split_once('.') {
        Some((number, part)) => (number, part.parse().ok().map(Some)),
        None => (wished, Some(None)),
    };
    match (number.parse::<usize>(), part) {
        (Ok(number), Some(part)) if (1..=all.len()).contains(&number) => Ok((number - 1, part)),
        (_, _) if all.is_empty() => {
            Err("nothing is asked here; without --question it is whether it gets stuck".to_owned())
        }
        (_, _) => Err(format!("no question is called `{wished}`; there are{}", listed())),
    }
}

/// Says that runs may break off, where they may: then it is not enough that none is found.
pub(crate) fn warn_of_breaks(system: &System) {
    if !system.is_never(system.strained) {
        output::complain(
            "runs may break off here (a queue is full, a value leaves its range, a loop runs far ahead): if one does, a tool that finds \
             nothing has proved nothing; `sequent check` says so",
        );
    }
}
