//! Protocols: a question by the default engine of `sequent check`, beside the verifier that SPIN makes of a model written by hand.

use std::cell::Cell;

use sequent::export::{ExportedCase, parts};
use sequent_engine::decision::{Engine, EngineOptions};
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::{Limits, Progress, SearchAnswer};

use super::TableContext;
use super::spin::{SpinJob, Spun};
use crate::peers::protocols::{Finds, Protocol};
use crate::peers::table::{self, TextTable};
use crate::peers::{CaseReading, Figures, PeerCase};

/// What was measured, and found out.
#[derive(Clone, Copy)]
struct HandMeasurement {
    search: Figures,
    finds: Finds,
}

/// Every question by the default engine, and by SPIN with its reduction.
pub(crate) fn table(
    bench: &TableContext<'_>,
    cases: &[PeerCase],
    differences: &mut Vec<String>,
) -> TextTable {
    let mut table = TextTable {
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
        ..TextTable::default()
    };
    let asked: Vec<(&PeerCase, Protocol)> =
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
    case: &PeerCase,
    protocol: &Protocol,
    here: &Result<HandMeasurement, String>,
    spun: &Result<Spun, String>,
) -> Vec<table::TableCell> {
    let own = |cell: &dyn Fn(&HandMeasurement) -> table::TableCell| {
        here.as_ref().map_or_else(|_| table::TableCell::none(), cell)
    };
    let rest = |cell: &dyn Fn(&Spun) -> table::TableCell| {
        spun.as_ref().map_or_else(|_| table::TableCell::none(), cell)
    };
    let ratio = |of: fn(&Figures) -> f64| match (here, spun) {
        (Ok(here), Ok(spun)) => table::TableCell::amount(of(&spun.search) / of(&here.search).max(1.0)),
        (Err(_), _) | (_, Err(_)) => table::TableCell::none(),
    };
    let finds = match protocol.finds {
        Finds::Nothing => "nothing",
        Finds::Run => "a run",
    };
    vec![
        table::TableCell::text(case.name.clone()),
        table::TableCell::text(finds),
        table::TableCell::tried(here, |here| table::TableCell::number(here.search.states)),
        own(&|here| table::TableCell::time(here.search.micros)),
        own(&|here| table::TableCell::amount(here.search.bytes_each())),
        table::TableCell::tried(spun, |spun| table::TableCell::number(spun.search.states)),
        rest(&|spun| table::TableCell::time(spun.generation + spun.compilation)),
        rest(&|spun| table::TableCell::time(spun.search.micros)),
        rest(&|spun| table::TableCell::amount(spun.search.bytes_each())),
        ratio(|figures| figures.micros as f64),
        ratio(|figures| figures.states as f64),
        ratio(|figures| figures.bytes as f64),
    ]
}

impl TableContext<'_> {
    /// The first question, from the text to the answer, by the default engine on all cores.
    fn decided(&self, case: &PeerCase) -> Result<HandMeasurement, String> {
        let once = || self.decided_once(case);
        let (here, micros) = self.timed(|| self.host.spent(), once)?;
        Ok(HandMeasurement { search: Figures { micros, ..here.search }, ..here })
    }

    fn decided_once(&self, case: &PeerCase) -> Result<HandMeasurement, String> {
        let read = CaseReading::new(case);
        let parts = parts(&read.agenda(), 0)?;
        let mut here = HandMeasurement { search: Figures::default(), finds: Finds::Nothing };
        let (watch, bytes) = (self.watch(), Cell::new(0));
        let watch = |progress: &Progress| {
            bytes.set(bytes.get().max(progress.bytes));
            watch(progress)
        };
        for ExportedCase { case, .. } in &parts {
            let options = EngineOptions {
                limits: Limits::default(),
                threads: self.host.threads(),
                within: None,
                is_patient: true,
                watch: &watch,
                time: None,
            };
            let program = Program::new(&case.system);
            let decision = EngineChoice::Auto.decide(case, &mut StateGraph::new(&program), &options);
            here.search.states += decision.states;
            match decision.answer {
                SearchAnswer::Found(_) => here.finds = Finds::Run,
                SearchAnswer::Exhausted => {}
                SearchAnswer::Stopped(_) => return Err(format!("over {:.0} s", self.options.time)),
            }
        }
        here.search.bytes = bytes.get();
        Ok(here)
    }

    /// SPIN on the model by hand, with memory for the given number of states.
    fn by_hand(&self, protocol: &Protocol, states: usize) -> Result<Spun, String> {
        let spin = self.spin.as_ref().ok_or("-")?;
        let states = states.max(1 << 22);
        let job = SpinJob {
            text: &protocol.promela,
            is_reduced: true,
            seeks_cycles: protocol.seeks_cycles,
            states,
        };
        spin.verify(&job, self.options.runs)
    }
}
