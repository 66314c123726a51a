//! The observer as a process: it receives each event, and accepts the runs that answer the question.
//!
//! It receives an event in the same atomic sequence in which the step happens, so it reads every event once.
//! `accept` labels are its accepting states. One that must be passed infinitely often is left at once, while
//! nothing else moves (`hold`): else the observer could stay there while other processes cycle. Once every
//! continuation is accepted it loops by itself. It may guess that nothing more will be seen (`deaf`); if
//! something is, the run ends without being accepted.

use std::fmt::Write;

use sequent_kernel::property::table::{MemoryNumber, ObserverTable};
use sequent_kernel::system::Step;

use super::super::super::names::Identifiers;
use super::super::super::question::Unwritten;
use super::super::author::{ObserverPlace, ObserverStateWriter, To};
use super::super::claim::{LONGEST, ObservedChange, complete, events, too_long};
use super::super::terms::PromelaTermWriter;
use super::bits::{self, Basic};
use super::states::{opening, state};

/// An observer process under construction.
pub(crate) struct ObserverProcess<'w> {
    writer: &'w PromelaTermWriter<'w>,
    table: &'w ObserverTable,
    author: ObserverStateWriter<'w>,
}

impl<'w> ObserverProcess<'w> {
    /// Nothing is written yet.
    pub(crate) fn new(
        writer: &'w PromelaTermWriter<'w>,
        steps: &[Step],
        table: &'w ObserverTable,
    ) -> Result<Self, Unwritten> {
        let author = ObserverStateWriter::new(writer, steps, table)?;
        let is_seen = |term| table.watched.contains(&term) || table.counts_steps;
        let ends = table.ends.iter().flat_map(|[_, stuck]| stuck).flatten();
        if ends.into_iter().any(|(term, _)| !is_seen(*term)) {
            return Err(Unwritten("what it looks at may change unseen; --shape steps can say it".to_owned()));
        }
        Ok(ObserverProcess { writer, table, author })
    }

    /// The number of a step that shows nothing, if every step is sent to the observer.
    pub(crate) fn silent(&self) -> Option<usize> {
        self.table.counts_steps.then(|| self.author.silent())
    }

    /// Whether a step changes something that is looked at.
    pub(crate) fn change(&self) -> ObservedChange {
        ObservedChange::new(self.writer, self.table, self.author.silent())
    }

    /// What is asked, in words.
    pub(crate) fn question(&self, is_basic: bool) -> Vec<String> {
        let what = match is_basic {
            true => {
                "The observer is the scenario: a bit for each occurrence, a counter for each lifeline of a loop."
            }
            false => "The observer accepts the runs that are looked for.",
        };
        vec![what.to_owned(), "`spin -run -a` reports an acceptance cycle if there is one.".to_owned()]
    }

    /// What machines and observer share.
    pub(crate) fn declarations(&self, names: &mut Identifiers) -> String {
        let mut text = format!("#define complete {}\n", complete(self.writer));
        text += &events(self.writer.system, &self.author.shows, names);
        text += "chan observer = [0] of { short }; /* what has happened */\n\
                 short shown; /* the same, where it depends on more; 0 but within a step */\n\
                 bool hold = 1; /* 1 while nothing moves but the observer */\n\
                 bool deaf; /* 1 if nothing more is to be seen */\n\
                 byte over; /* 1 once the run has ended, 2 once it is stuck */\n";
        text += &self.change().declarations();
        text + "inline tell(what) { if :: deaf -> hold = 1 :: else -> observer!what fi }\n"
    }

    /// The process that ends runs.
    fn ending(&self) -> String {
        let system = self.writer.system;
        let unbroken = match system.is_never(system.strained) {
            true => String::new(),
            false => format!(" && !({})", self.writer.term(system.strained)),
        };
        let way = |when: &str, how: usize| {
            format!(
                "  :: atomic {{ !hold && !over && timeout && {when}{unbroken} -> over = {how}; tell(0) }}\n"
            )
        };
        format!(
            "\n/* Runs end here: properly, or because nothing goes on. */\nactive proctype ending() {{\n  end: do\n{}{}  od\n}}\n",
            way("complete", 1),
            way("!complete", 2)
        )
    }

    /// The observer with a state for all that it may remember, and the process that ends runs.
    pub(crate) fn process(&mut self) -> Result<String, Unwritten> {
        let first = self.author.first();
        let mut ways: Vec<String> = first.iter().flat_map(|to| self.ways("true", *to)).collect();
        if ways.is_empty() {
            ways.push("true -> hold = 1; goto end_failed".to_owned());
        }
        let mut text = opening("", &ways);
        while let Some(sketch) = self.author.next() {
            if self.author.is_accepting(sketch.place) {
                let (memory, _) = sketch.place;
                let again = label(&self.author, (memory, 0));
                // The state with the same memory reads on; it may not have been met yet.
                let _ = writeln!(
                    text,
                    "{}:\n  atomic {{ hold = 0; goto {again} }};",
                    label(&self.author, sketch.place)
                );
                self.author.meet((memory, 0));
                continue;
            }
            let mut ways: Vec<String> = Vec::new();
            for when in &sketch.ends {
                ways.extend(self.ways(when, To::Accepted));
            }
            for (when, to) in &sketch.reads {
                ways.extend(self.ways(when, *to));
            }
            ways.push("else -> hold = 1; event = 0; goto end_failed".to_owned());
            text += &state(&label(&self.author, sketch.place), &ways);
            if text.len() > LONGEST {
                return Err(too_long());
            }
        }
        Ok(self.ending() + &text + CLOSING)
    }

    /// The observer of a basic scenario, and the process that ends runs.
    pub(crate) fn basic(&self, basic: &Basic) -> Result<String, Unwritten> {
        let numbers = |event| {
            let shown = self.author.shows.iter().enumerate();
            shown.filter(|(_, list)| list.as_slice() == [event]).map(|(number, _)| number).collect::<Vec<_>>()
        };
        if self.author.shows.iter().any(|list| list.len() > 1) {
            return Err(Unwritten("a step shows several events".to_owned()));
        }
        Ok(self.ending() + &bits::process(basic, &numbers) + CLOSING)
    }

    /// The ways to a state: to read on, and to guess that nothing more comes.
    fn ways(&self, when: &str, to: To) -> Vec<String> {
        let To::Place(place) = to else {
            return vec![format!("{when} -> hold = 1; event = 0; goto accept_found")];
        };
        let hold = usize::from(self.author.is_accepting(place));
        let on = format!("{when} -> hold = {hold}; event = 0; goto {}", label(&self.author, place));
        let guess =
            |rest: &String| format!("{when}{rest} -> deaf = 1; hold = 0; event = 0; goto accept_unread");
        let memory: MemoryNumber = place.0;
        [on].into_iter().chain(self.author.rests(memory).iter().map(guess)).collect()
    }
}

fn label(author: &ObserverStateWriter<'_>, place: ObserverPlace) -> String {
    match author.is_accepting(place) {
        true => author.label(place),
        false => format!("end_{}", author.label(place)),
    }
}

/// The end of the process.
const CLOSING: &str = "accept_found: /* whatever comes now */\n  do :: hold od;\n\
    accept_unread: /* nothing more is seen; who does nothing at all does not go on forever */\n  timeout -> goto end_failed;\n\
    end_failed: /* this run is not looked for */\n  false\n}\n";
