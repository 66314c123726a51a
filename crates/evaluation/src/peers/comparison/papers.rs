//! The cases of the papers: all their questions, here and by tools that check models.

use std::path::Path;

use sequent::effort::Effort;
use sequent::export::parts;
use sequent::tools;
use sequent_kernel::system::System;
use sequent_report::export::{Unwritten, WantedGoal};

use super::membership::hibou;
use super::spin::{SpinJob, Spun};
use super::{Host, HostFolder, Ran, TableContext};
use crate::peers::table::{TableCell, TextTable};
use crate::peers::{CaseReading, Family, PeerCase};

/// The tools that are not there.
pub(crate) fn absent(host: &dyn Host) -> impl Iterator<Item = &'static str> {
    [("NuSMV", host.nusmv()), ("HIBOU", hibou(host))]
        .into_iter()
        .filter(|(_, program)| program.is_none())
        .map(|(name, _)| name)
}

/// What is measured here.
struct PaperMeasurement {
    /// Microseconds of a whole process, its start included.
    process: u64,
    /// Microseconds from the text to the answers.
    inside: u64,
    /// How many questions were answered.
    questions: usize,
    /// Bytes of the process.
    peak: Option<usize>,
}

/// How another tool did with all questions.
#[derive(Clone, Copy, Default)]
struct There {
    generation: u64,
    compilation: u64,
    verification: u64,
    questions: usize,
    /// Bytes that it took at most.
    peak: Option<usize>,
}

impl There {
    fn micros(&self) -> u64 {
        self.generation + self.compilation + self.verification
    }
}

/// All questions of each case.
pub(crate) fn table(bench: &TableContext<'_>, cases: &[PeerCase], _: &mut Vec<String>) -> TextTable {
    let mut table = TextTable {
        name: "papers",
        title: "The cases of the papers, all their questions (ms): the whole process here, and from text to answers within it".to_owned(),
        heads: vec![
            ["", "case"],
            ["", "answers"],
            ["here", "process"],
            ["", "inside"],
            ["here", "MB"],
            ["SPIN", "models"],
            ["", "generation"],
            ["", "compilation"],
            ["", "verification"],
            ["ratio", "all/process"],
            ["NuSMV", "models"],
            ["NuSMV", "ms"],
            ["NuSMV", "MB"],
            ["ratio", "NuSMV/process"],
            ["ratio", "NuSMV/inside"],
        ],
        ..TextTable::default()
    };
    let mut least: Vec<(Family, f64)> = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        bench.host.progress(number, cases.len());
        let here = bench.paper(case);
        let spun = bench.by_spin(case);
        let smv = bench.by_nusmv(case);
        if let (Ok(here), Ok(spun)) = (&here, &spun) {
            least.push((case.family, spun.micros() as f64 / here.process.max(1) as f64));
        }
        let own = |cell: &dyn Fn(&PaperMeasurement) -> TableCell| {
            here.as_ref().map_or_else(|_| TableCell::none(), cell)
        };
        let rest =
            |cell: &dyn Fn(&There) -> TableCell| spun.as_ref().map_or_else(|_| TableCell::none(), cell);
        let third =
            |cell: &dyn Fn(&There) -> TableCell| smv.as_ref().map_or_else(|_| TableCell::none(), cell);
        let ratio = |there: &Result<There, String>, of: fn(&PaperMeasurement) -> u64| match (&here, there) {
            (Ok(here), Ok(there)) => TableCell::amount(there.micros() as f64 / of(here).max(1) as f64),
            (Err(_), _) | (_, Err(_)) => TableCell::none(),
        };
        table.rows.push(vec![
            TableCell::text(case.name.clone()),
            own(&|here| TableCell::number(here.questions)),
            TableCell::tried(&here, |here| TableCell::time(here.process)),
            own(&|here| TableCell::time(here.inside)),
            own(&|here| megabytes(here.peak)),
            TableCell::tried(&spun, |spun| TableCell::number(spun.questions)),
            rest(&|spun| TableCell::time(spun.generation)),
            rest(&|spun| TableCell::time(spun.compilation)),
            rest(&|spun| TableCell::time(spun.verification)),
            ratio(&spun, |here| here.process),
            TableCell::tried(&smv, |smv| TableCell::number(smv.questions)),
            third(&|smv| TableCell::time(smv.verification)),
            third(&|smv| megabytes(smv.peak)),
            ratio(&smv, |here| here.process),
            ratio(&smv, |here| here.inside),
        ]);
    }
    if let Some((_, ratio)) = least.iter().min_by(|one, other| one.1.total_cmp(&other.1)) {
        table.notes.push(format!(
            "at least {ratio:.0} times as quick as SPIN with generation and compilation, our whole process counted"
        ));
    }
    table
}

fn megabytes(bytes: Option<usize>) -> TableCell {
    bytes.map_or_else(TableCell::none, |bytes| TableCell::amount(bytes as f64 / f64::from(1 << 20)))
}

/// Writes the files of a case into a folder.
fn write(case: &PeerCase, folder: &dyn HostFolder) -> Result<(), String> {
    case.files.iter().try_for_each(|(name, text)| folder.write(name, text))
}

/// The models of all questions that a case asks.
fn models<M>(case: &PeerCase, write: impl Fn(&System, &WantedGoal<'_>) -> Result<M, Unwritten>) -> Vec<M> {
    let read = CaseReading::new(case);
    let agenda = read.agenda();
    let parts = (0..agenda.queries.len()).filter_map(|query| parts(&agenda, query).ok()).flatten();
    parts.filter_map(|part| write(&part.case.system, &part.target.wanted()).ok()).collect()
}

impl TableContext<'_> {
    fn paper(&self, case: &PeerCase) -> Result<PaperMeasurement, String> {
        let folder = self.host.folder()?;
        write(case, folder.as_ref())?;
        let own = self.host.own()?;
        let once = || {
            let ran = folder.run(&own, &["check", ".", "--threads", "1"], self.time())?;
            match ran.code {
                Some(0 | 1) => Ok(ran),
                _ => Err("undecided".to_owned()),
            }
        };
        let Ran { micros: process, peak, .. } = self.best(|ran: &Ran| ran.micros, once)?;
        let answer = || Ok(CaseReading::new(case).check(&Effort::default()).answers.len());
        let (questions, inside) = self.timed(|| self.processor(), answer)?;
        Ok(PaperMeasurement { process, inside, questions, peak })
    }

    fn by_spin(&self, case: &PeerCase) -> Result<There, String> {
        let spin = self.spin.as_ref().ok_or("-")?;
        let mut sum = There::default();
        for (text, seeks_cycles) in models(case, |system, wanted| {
            let model = tools::spin::model(system, wanted)?;
            Ok((model.text, model.seeks_cycles))
        }) {
            let job = SpinJob { text: &text, is_reduced: false, seeks_cycles, states: 1 << 16 };
            let Spun { generation, compilation, search, .. } = spin.verify(&job, self.options.runs)?;
            sum.generation += generation;
            sum.compilation += compilation;
            sum.verification += search.micros;
            sum.questions += 1;
        }
        Ok(sum)
    }

    /// Lets NuSMV look at a model.
    pub(crate) fn ask_nusmv(
        &self,
        program: &Path,
        folder: &dyn HostFolder,
        text: &str,
    ) -> Result<Ran, String> {
        folder.write("model.smv", text)?;
        self.best(|ran: &Ran| ran.micros, || folder.run(program, &["model.smv"], self.time()))
    }

    fn by_nusmv(&self, case: &PeerCase) -> Result<There, String> {
        let program = self.host.nusmv().ok_or("-")?;
        let mut sum = There::default();
        let folder = self.host.folder()?;
        for text in models(case, |system, wanted| Ok(tools::nusmv::model(system, wanted)?.text)) {
            let ran = self.ask_nusmv(&program, folder.as_ref(), &text)?;
            sum.verification += ran.micros;
            sum.peak = sum.peak.max(ran.peak);
            sum.questions += 1;
        }
        match sum.questions {
            0 => Err("not asked".to_owned()),
            _ => Ok(sum),
        }
    }
}
