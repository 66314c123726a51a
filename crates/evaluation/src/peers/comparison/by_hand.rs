//! Protocols: a question by the default engine of `sequent check`, beside the verifier that SPIN makes of a model written by hand.

use std::cell::Cell;

use sequent::export::{Part, parts};
use sequent_engine::decision::{Engine, Options};
use sequent_engine::graph::Graph;
use sequent_engine::packed::Program;
use sequent_engine::portfolio::Choice;
use sequent_engine::search::{Answer, Limits, Progress};

use super::Bench;
use super::spin::{Job, Spun};
use crate::peers::protocols::{Finds, Protocol};
use crate::peers::table::{self, Table};
use crate::peers::{Case, Figures, Read};

/// What was measured, and found out.
#[derive(Clone, Copy)]
struct Here {
    search: Figures,
    finds: Finds,
}

/// Every question by the default engine, and by SPIN with its reduction.
pub fn table(bench: &Bench<'_>, cases: &[Case], differences: &mut Vec<String>) -> Table {
    let mut table = Table {
        name: "by-hand",
        title: "Questions that were written for SPIN by hand: from text to answer here, and SPIN's verifier (ms, bytes for a state)"
            .to_owned(),
        heads: vec![
            ["", "case"],
            ["", "finds"],
            ["here", "states"],
            ["", "ms"],
            ["", "bytes"],
            ["SPIN", "states"],
            ["", "made in"],
            ["", "verifies"],
            ["", "SPIN bytes"],
            ["ratio", "time"],
            ["ratio", "states"],
            ["ratio", "memory"],
        ],
        ..Table::default()
    };
    let asked: Vec<(&Case, Protocol)> =
        cases.iter().filter_map(|case| Some((case, case.family.protocol(case.size?)?))).collect();
    for (number, (case, protocol)) in asked.iter().enumerate() {
        bench.host.progress(number, asked.len());
        let here = bench.decided(case);
        let states = here.as_ref().map_or(0, |here| here.search.states);
        let spun = bench.by_hand(protocol, states);
        for (who, finds) in
            [("here", here.as_ref().map(|here| here.finds)), ("SPIN", spun.as_ref().map(found))]
        {
            if finds.is_ok_and(|finds| finds != protocol.finds) {
                differences.push(format!("{}: {who} does not find {:?}", case.name, protocol.finds));
            }
        }
        table.rows.push(row(case, protocol, &here, &spun));
    }
    table
}

fn found(spun: &Spun) -> Finds {
    if spun.is_found { Finds::Run } else { Finds::Nothing }
}

fn row(
    case: &Case,
    protocol: &Protocol,
    here: &Result<Here, String>,
    spun: &Result<Spun, String>,
) -> Vec<table::Cell> {
    let own = |cell: &dyn Fn(&Here) -> table::Cell| here.as_ref().map_or_else(|_| table::Cell::none(), cell);
    let rest = |cell: &dyn Fn(&Spun) -> table::Cell| spun.as_ref().map_or_else(|_| table::Cell::none(), cell);
    let ratio = |of: fn(&Figures) -> f64| match (here, spun) {
        (Ok(here), Ok(spun)) => table::Cell::amount(of(&spun.search) / of(&here.search).max(1.0)),
        (Err(_), _) | (_, Err(_)) => table::Cell::none(),
    };
    let finds = match protocol.finds {
        Finds::Nothing => "nothing",
        Finds::Run => "a run",
    };
    vec![
        table::Cell::text(case.name.clone()),
        table::Cell::text(finds),
        table::Cell::tried(here, |here| table::Cell::number(here.search.states)),
        own(&|here| table::Cell::time(here.search.micros)),
        own(&|here| table::Cell::amount(here.search.bytes_each())),
        table::Cell::tried(spun, |spun| table::Cell::number(spun.search.states)),
        rest(&|spun| table::Cell::time(spun.generation + spun.compilation)),
        rest(&|spun| table::Cell::time(spun.search.micros)),
        rest(&|spun| table::Cell::amount(spun.search.bytes_each())),
        ratio(|figures| figures.micros as f64),
        ratio(|figures| figures.states as f64),
        ratio(|figures| figures.bytes as f64),
    ]
}

impl Bench<'_> {
    /// The first question, from the text to the answer, by the default engine on all cores.
    fn decided(&self, case: &Case) -> Result<Here, String> {
        let once = || self.decided_once(case);
        let (here, micros) = self.timed(|| self.host.spent(), once)?;
        Ok(Here { search: Figures { micros, ..here.search }, ..here })
    }

    fn decided_once(&self, case: &Case) -> Result<Here, String> {
        let read = Read::new(case);
        let parts = parts(&read.agenda(), 0)?;
        let mut here = Here { search: Figures::default(), finds: Finds::Nothing };
        let (watch, bytes) = (self.watch(), Cell::new(0));
        let watch = |progress: &Progress| {
            bytes.set(bytes.get().max(progress.bytes));
            watch(progress)
        };
        for Part { case, .. } in &parts {
            let options = Options {
                limits: Limits::default(),
                threads: self.host.threads(),
                within: None,
                is_patient: true,
                watch: &watch,
                time: None,
            };
            let program = Program::new(&case.system);
            let decision = Choice::Auto.decide(case, &mut Graph::new(&program), &options);
            here.search.states += decision.states;
            match decision.answer {
                Answer::Found(_) => here.finds = Finds::Run,
                Answer::Exhausted => {}
                Answer::Stopped(_) => return Err(format!("over {:.0} s", self.options.time)),
            }
        }
        here.search.bytes = bytes.get();
        Ok(here)
    }

    /// SPIN on the model by hand, with memory for so many states.
    fn by_hand(&self, protocol: &Protocol, states: usize) -> Result<Spun, String> {
        let spin = self.spin.as_ref().ok_or("-")?;
        let states = states.max(1 << 22);
        let job =
            Job { text: &protocol.promela, is_reduced: true, seeks_cycles: protocol.seeks_cycles, states };
        spin.verify(&job, self.options.runs)
    }
}
