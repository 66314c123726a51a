//! The worker: a thread for long searches, cancelled by the next edit.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use lsp_server::{Message, Notification};
use sequent::effort::Effort;
use sequent::pipeline;
use sequent_engine::portfolio::Choice;
use sequent_engine::search::Progress;
use serde_json::{Value, json};

use crate::publish::{self, Board};
use crate::{Desk, Drafts, Group};

/// What is to be checked.
pub struct Job {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The buffers.
    pub drafts: Drafts,
    /// The number of the edit after which it was asked for.
    pub edit: u64,
}

/// How a message reaches the editor.
pub type Outbox = Arc<dyn Fn(Message) + Send + Sync>;

/// Checks what comes, until nothing can come any more.
pub fn run(jobs: &Receiver<Job>, desk: &dyn Desk, board: &Mutex<Board>, outbox: &Outbox) {
    while let Ok(mut job) = jobs.recv() {
        // Only the latest counts.
        while let Ok(later) = jobs.try_recv() {
            job = later;
        }
        for file in &job.files {
            check(file, &job, desk, board, outbox);
        }
    }
}

fn check(file: &Path, job: &Job, desk: &dyn Desk, board: &Mutex<Board>, outbox: &Outbox) {
    let is_stale = || board.lock().unwrap_or_else(PoisonError::into_inner).edit != job.edit;
    let Ok(group) = desk.read(file, &job.drafts) else { return };
    let watch = |_: &Progress| if is_stale() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let effort = Effort { watch: &watch, engine: &Choice::Auto, ..Effort::default() };
    let Group { sources, systems } = &group;
    let mut found = Vec::new();
    let mut lenses = Vec::new();
    for system in systems {
        if is_stale() {
            return;
        }
        let mut outcome = pipeline::check(&system.reading, &system.settings, &effort);
        outcome.leave_out(&system.beside);
        lenses.extend(outcome.answers.iter().filter_map(|answer| publish::lens(answer, sources, file)));
        found.extend(outcome.diagnostics);
    }
    let shown = publish::shown(found, &group, file);
    let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
    if board.edit != job.edit {
        return;
    }
    outbox(publish::message(file, &shown));
    board.shown.insert(file.to_owned(), shown);
    let has_changed =
        board.lenses.insert(file.to_owned(), (job.edit, lenses.clone())).map(|(_, old)| old) != Some(lenses);
    if has_changed && board.can_refresh {
        board.requests += 1;
        let id = board.requests;
        outbox(request(id, "workspace/codeLens/refresh", Value::Null));
    }
    outbox(Message::Notification(Notification::new(
        "sequent/checked".to_owned(),
        json!({ "uri": crate::text::uri(file), "edit": job.edit }),
    )));
}

/// A request to the editor.
pub fn request(id: i32, method: &str, params: Value) -> Message {
    Message::Request(lsp_server::Request::new(id.into(), method.to_owned(), params))
}
