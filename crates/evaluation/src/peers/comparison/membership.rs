//! Whether a trace belongs to a diagram, here and by HIBOU.

use std::path::{Path, PathBuf};

use super::{Host, Ran, TableContext};
use crate::peers::table::{TableCell, TextTable};
use crate::peers::{Membership, PeerCase, belongs};

/// HIBOU, if it is there.
pub(crate) fn hibou(host: &dyn Host) -> Option<PathBuf> {
    host.find("hibou_label")
}

/// A trace of each diagram.
pub(crate) fn table(
    bench: &TableContext<'_>,
    cases: &[PeerCase],
    differences: &mut Vec<String>,
) -> TextTable {
    let mut table = TextTable {
        name: "membership",
        title: "Whether a trace belongs to the diagram (ms): from text to answer here, the whole process of HIBOU"
            .to_owned(),
        heads: vec![["", "case"], ["", "events"], ["here", "ms"], ["HIBOU", "ms"], ["ratio", "HIBOU/here"]],
        ..TextTable::default()
    };
    let Some(program) = hibou(bench.host) else { return table };
    let asked = cases.iter().filter_map(|case| Some((case, case.membership()?)));
    for (case, membership) in asked {
        let here = bench.timed(|| bench.processor(), || belongs(case, &membership));
        let there = bench.by_hibou(&program, &membership);
        for (trace, wanted) in [(&membership, true), (&membership.broken(), false)] {
            let ours = belongs(case, trace);
            let theirs = bench.by_hibou(&program, trace).map(|(says, _)| says);
            if ours != Ok(wanted) || theirs.as_ref().is_ok_and(|says| *says != wanted) {
                differences
                    .push(format!("{}: a trace belongs ({wanted}): {ours:?}, HIBOU {theirs:?}", case.name));
            }
        }
        let ratio = match (&here, &there) {
            (Ok((_, here)), Ok((_, there))) => TableCell::amount(*there as f64 / (*here).max(1) as f64),
            (Err(_), _) | (_, Err(_)) => TableCell::none(),
        };
        table.rows.push(vec![
            TableCell::text(case.name.clone()),
            TableCell::number(membership.len()),
            TableCell::tried(&here, |(_, micros)| TableCell::time(*micros)),
            TableCell::tried(&there, |(_, micros)| TableCell::time(*micros)),
            ratio,
        ]);
    }
    table
}

impl TableContext<'_> {
    /// What HIBOU says, and the microseconds that it took.
    fn by_hibou(&self, program: &Path, membership: &Membership) -> Result<(bool, u64), String> {
        let folder = self.host.folder()?;
        let files = [
            ("model.hsf", membership.signature.clone()),
            ("model.hif", membership.interaction.clone()),
            ("model.htf", membership.trace()),
        ];
        for (name, text) in files {
            folder.write(name, &text)?;
        }
        let arguments = ["analyze", "model.hsf", "model.hif", "model.htf"];
        let once = || folder.run(program, &arguments, self.time());
        let ran = self.best(|ran: &Ran| ran.micros, once)?;
        match (ran.said.contains("'Pass'"), ran.said.contains("'Fail'")) {
            (true, false) => Ok((true, ran.micros)),
            (false, true) => Ok((false, ran.micros)),
            (_, _) => Err("no verdict".to_owned()),
        }
    }
}
