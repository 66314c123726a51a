//! The worker: a thread for long searches, cancelled by the next edit.
//!
//! Files whose check an edit elsewhere cancelled are checked after it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sequent::effort::Effort;
use sequent::{pipeline, settings, traces};
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::Progress;
use sequent_engine::traces::{TraceCount, TraceLimits};
use serde_json::{Value, json};

use crate::publish::{self, Board, CheckedFile, TraceNumber};
use crate::wire::{self, Outbox};
use crate::{BufferTexts, DiskTrust, ReadGroup, ServerHost, coverage, is_settings, lenses};

/// What takes longer shows how far it is.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often it shows that.
const PERIOD: Duration = Duration::from_millis(500);

/// Traces of diagrams that take more than this are not counted.
const TRACES: TraceLimits = TraceLimits { sets: 20_000, bytes: 64 << 20, looks: 2_000_000 };

/// What is to be checked.
pub(crate) struct CheckJob {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The buffers.
    pub drafts: BufferTexts,
    /// The number of the edit after which it was asked for.
    pub edit: u64,
}

/// What the worker works with.
pub(crate) struct CheckWorker {
    /// Reads files.
    pub desk: Arc<dyn ServerHost>,
    /// What the editor was told.
    pub(crate) board: Arc<Mutex<Board>>,
    /// Leads to the editor.
    pub outbox: Outbox,
}

impl CheckWorker {
    /// Checks what comes, until nothing can come any more.
    pub(crate) fn run(&self, jobs: &Receiver<CheckJob>) {
        let mut open: BTreeSet<PathBuf> = BTreeSet::new();
        while let Ok(mut job) = jobs.recv() {
            // Only the latest texts count.
            open.extend(job.files.iter().cloned());
            while let Ok(later) = jobs.try_recv() {
                open.extend(later.files.iter().cloned());
                job = later;
            }
            let first = job.files.iter().filter(|file| open.contains(*file)).cloned();
            let rest = open.iter().filter(|file| !job.files.contains(file)).cloned();
            for file in first.chain(rest).collect::<Vec<_>>() {
                if !job.drafts.contains_key(&file) || self.check(&file, &job) {
                    open.remove(&file);
                }
            }
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a file; false if an edit got in the way.
    fn check(&self, file: &Path, job: &CheckJob) -> bool {
        let is_stale = || self.board().edit != job.edit;
        if is_stale() {
            return false;
        }
        let Ok(group) = self.desk.read(file, &job.drafts, DiskTrust::Thorough) else { return true };
        let meter = Mutex::new(CheckMeter::new(self, file, job.edit));
        let watch = |progress: &Progress| {
            let board = self.board();
            let is_over = board.edit != job.edit || board.broken_off == Some(job.edit);
            drop(board);
            meter.lock().unwrap_or_else(PoisonError::into_inner).show(progress);
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let effort = Effort { watch: &watch, engine: &EngineChoice::Auto, ..Effort::default() };
        let ReadGroup { sources, systems } = &group;
        let mut found = Vec::new();
        let mut checked = CheckedFile::default();
        let mut number = 0;
        for system in systems {
            if is_stale() {
                break;
            }
            let mut outcome = pipeline::check(&system.reading, &system.settings, &effort);
            outcome.leave_out(&system.beside);
            let is_broken_off = self.board().broken_off == Some(job.edit);
            for answer in &outcome.answers {
                number += 1;
                checked.verdicts.extend(lenses::verdict((number, answer), sources, file, is_broken_off));
            }
            checked.passed.extend(coverage::passed(&outcome.answers, sources));
            found.extend(outcome.diagnostics);
        }
        drop(meter);
        // A check of settings is one of their folder; what is wrong with their own text is known without it.
        if let Some(id) = sources.named(&file.to_string_lossy()).filter(|_| is_settings(file)) {
            found.extend(settings::read(id, sources.get(id)).1);
        }
        let shown = publish::shown(found, &group, file);
        {
            let mut board = self.board();
            if board.edit != job.edit {
                return false;
            }
            (self.outbox)(publish::message(file, &shown));
            board.shown.insert(file.to_owned(), shown);
            checked.traces = board.checked.get(file).map(|old| old.traces.clone()).unwrap_or_default();
            self.tell(&mut board, file, checked.clone());
            let params = json!({ "uri": crate::text::uri(file), "edit": job.edit });
            (self.outbox)(wire::notification("sequent/checked", params));
        }
        self.count(file, &group, job, checked);
        true
    }

    /// Counts the traces of a file's diagrams, after everything else.
    fn count(&self, file: &Path, group: &ReadGroup, job: &CheckJob, mut checked: CheckedFile) {
        let watch = |_: &Progress| match self.board().edit == job.edit {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        checked.traces.clear();
        for system in &group.systems {
            for (id, one) in system.reading.model.interactions.enumerate() {
                if Path::new(&group.sources.get(one.place.0.file).name) != file {
                    continue;
                }
                let switches = &system.settings.switches;
                let number = match traces::count(&system.reading.model, id, switches, TRACES, &watch) {
                    Ok(TraceCount::Finite(number)) => Some(number.to_string()),
                    Ok(TraceCount::Infinite) => None,
                    Ok(TraceCount::Beyond) | Err(_) => continue,
                };
                checked.traces.push(TraceNumber { diagram: one.name.clone(), number, is_stale: false });
            }
        }
        let mut board = self.board();
        if board.edit == job.edit {
            self.tell(&mut board, file, checked);
        }
    }

    /// Notes what was found out about a file, and tells the editor that it has changed.
    fn tell(&self, board: &mut Board, file: &Path, checked: CheckedFile) {
        let old = board.checked.insert(file.to_owned(), checked.clone());
        if old == Some(checked) {
            return;
        }
        let abilities = board.abilities;
        let kinds = [("codeLens", abilities.refreshes_lenses), ("inlayHint", abilities.refreshes_hints)];
        for (kind, _) in kinds.into_iter().filter(|(_, can)| *can) {
            board.requests += 1;
            (self.outbox)(wire::request(board.requests, &format!("workspace/{kind}/refresh"), Value::Null));
        }
    }
}

/// Shows how far a check is, once it takes long.
struct CheckMeter<'w> {
    worker: &'w CheckWorker,
    file: String,
    edit: u64,
    start: Instant,
    last: Option<Instant>,
}

impl<'w> CheckMeter<'w> {
    fn new(worker: &'w CheckWorker, file: &Path, edit: u64) -> Self {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        CheckMeter { worker, file: name, edit, start: Instant::now(), last: None }
    }

    fn show(&mut self, progress: &Progress) {
        let message = format!("{} states", progress.states);
        match self.last {
            None if self.start.elapsed() < PATIENCE => {}
            None => {
                let mut board = self.worker.board();
                if !board.abilities.shows_progress {
                    return;
                }
                board.requests += 1;
                let token = json!({ "token": token(self.edit) });
                (self.worker.outbox)(wire::request(board.requests, "window/workDoneProgress/create", token));
                drop(board);
                let title = format!("Checking {}", self.file);
                self.tell(
                    json!({ "kind": "begin", "title": title, "message": message, "cancellable": true }),
                );
                self.last = Some(Instant::now());
            }
            Some(last) if last.elapsed() < PERIOD => {}
            Some(_) => {
                self.tell(json!({ "kind": "report", "message": message, "cancellable": true }));
                self.last = Some(Instant::now());
            }
        }
    }

    fn tell(&self, value: Value) {
        let params = json!({ "token": token(self.edit), "value": value });
        (self.worker.outbox)(wire::notification("$/progress", params));
    }
}

impl Drop for CheckMeter<'_> {
    fn drop(&mut self) {
        if self.last.is_some() {
            self.tell(json!({ "kind": "end" }));
        }
    }
}

/// What the editor calls the check after an edit.
fn token(edit: u64) -> String {
    format!("sequent-check-{edit}")
}

/// The edit after which the check runs that the editor calls so.
pub(crate) fn edit_of(token: &str) -> Option<u64> {
    token.strip_prefix("sequent-check-")?.parse().ok()
}
