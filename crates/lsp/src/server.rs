//! The server: takes messages from the editor one after the other, and answers from the buffers as they are then.
//!
//! Messages that have come already are looked at before the next is dealt with, so that a request that was cancelled is not worked
//! on, and of several edits in a row only the last is followed by findings.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sequent::{fix, settings};
use sequent_kernel::diagnostic::{Diagnostic, Fix, Severity};
use sequent_kernel::source::Sources;
use serde_json::{Value, json};

use crate::navigate::{FolderView, Indices, ViewPlace};
use crate::publish::{self, Abilities, Board, ShownFinding};
use crate::rename::{FolderMeaning, NewName};
use crate::wire::{self, EditorMessage, EditorNotice, EditorRequest, Outbox, RefusalKind};
use crate::worker::{self, CheckJob, CheckWorker};
use crate::{
    BufferTexts, DiskTrust, ReadGroup, SETTINGS, ServerHost, complete, coverage, format, hints, is_settings,
    lenses, outline, picture, text, tokens, trial,
};

/// Speaks with an editor on standard input and output until it ends; whether it ended in order: with `shutdown` before `exit`, or by
/// hanging up.
pub fn run(desk: Arc<dyn ServerHost>) -> Result<bool, String> {
    let (inbox, outbox, writer) = wire::open();
    let board = Arc::new(Mutex::new(Board::default()));
    let (jobs, taken) = channel();
    let worker = CheckWorker { desk: desk.clone(), board: board.clone(), outbox: outbox.clone() };
    let worker = std::thread::spawn(move || worker.run(&taken));
    let mut server = Server {
        desk,
        board,
        outbox,
        jobs,
        open: BTreeMap::new(),
        roots: BTreeSet::new(),
        view: None,
        indices: Indices::default(),
        queue: VecDeque::new(),
        is_begun: false,
        is_ending: false,
    };
    let result = server.serve(&inbox);
    // Ends what runs.
    lock(&server.board).edit += 1;
    drop(server);
    let has_ended = worker.join().is_ok() && writer.join().is_ok();
    if has_ended { result } else { Err("a thread of the server has failed".to_owned()) }
}

/// The paths of some workspace folders.
fn folders(listed: &Value) -> BTreeSet<PathBuf> {
    let addresses = listed.as_array().into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
    addresses.filter_map(text::path).collect()
}

/// What the editor says that it can do.
fn abilities(parameters: &Value) -> Abilities {
    let workspace = &parameters["capabilities"]["workspace"];
    let commands = parameters["initializationOptions"]["commands"].as_array();
    Abilities {
        refreshes_lenses: workspace["codeLens"]["refreshSupport"] == true,
        refreshes_hints: workspace["inlayHint"]["refreshSupport"] == true,
        shows_progress: parameters["capabilities"]["window"]["workDoneProgress"] == true,
        watches: workspace["didChangeWatchedFiles"]["dynamicRegistration"] == true,
        steps: commands.is_some_and(|all| all.iter().any(|one| one == lenses::STEP)),
    }
}

/// What the server can do; it formats only if that is wished for.
fn capabilities(wishes: &Value) -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": false },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["@", ":", ">", " "] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "inlayHintProvider": true,
        "documentFormattingProvider": wishes["format"] == true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "executeCommandProvider": { "commands": [lenses::CHECK] },
        "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Server {
    desk: Arc<dyn ServerHost>,
    board: Arc<Mutex<Board>>,
    outbox: Outbox,
    jobs: Sender<CheckJob>,
    /// The buffers.
    open: BTreeMap<PathBuf, Arc<str>>,
    /// The folders that the editor works in.
    roots: BTreeSet<PathBuf>,
    /// The folder that was asked about last, as it is after all edits.
    view: Option<(PathBuf, FolderView)>,
    /// The names of files that have not changed since they were looked at.
    indices: Indices,
    /// Messages that have come and are not dealt with.
    queue: VecDeque<EditorMessage>,
    /// Whether `initialize` came: nothing is answered before.
    is_begun: bool,
    /// Whether `shutdown` came: nothing is answered any more.
    is_ending: bool,
}

impl Server {
    fn serve(&mut self, inbox: &Receiver<EditorMessage>) -> Result<bool, String> {
        loop {
            if self.queue.is_empty() {
                match inbox.recv() {
                    Ok(message) => self.queue.push_back(message),
                    Err(_) => return Ok(true),
                }
            }
            self.queue.extend(inbox.try_iter());
            match self.queue.pop_front() {
                Some(EditorMessage::Request(request)) => {
                    let response = self.respond(&request);
                    (self.outbox)(response);
                }
                Some(EditorMessage::Notification(told)) if told.method == "exit" => return Ok(self.is_ending),
                Some(EditorMessage::Notification(told)) if self.is_begun => self.notice(&told),
                Some(EditorMessage::Broken(answer)) => (self.outbox)(answer),
                Some(EditorMessage::Lost(problem)) => return Err(problem),
                Some(EditorMessage::Notification(_)) | None => {}
            }
        }
    }

    /// Takes what the editor says of itself; what the server can do.
    fn begin(&mut self, parameters: &Value) -> Value {
        self.is_begun = true;
        lock(&self.board).abilities = abilities(parameters);
        let root = ["rootUri", "rootPath"].iter().find_map(|name| text::path(parameters[*name].as_str()?));
        let folders = folders(&parameters["workspaceFolders"]);
        self.roots = if folders.is_empty() { root.into_iter().collect() } else { folders };
        let capabilities = capabilities(&parameters["initializationOptions"]);
        json!({ "capabilities": capabilities, "serverInfo": { "name": "sequent" } })
    }

    /// Asks for notifications of files that change on the disk.
    fn watch_files(&mut self) {
        if !lock(&self.board).abilities.watches {
            return;
        }
        let globs = [format!("**/*.{{{}}}", self.desk.endings().join(",")), format!("**/{SETTINGS}")];
        let watchers: Vec<Value> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let registration = json!({
            "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers },
        });
        let mut board = lock(&self.board);
        board.requests += 1;
        let message = wire::request(
            board.requests,
            "client/registerCapability",
            json!({ "registrations": [registration] }),
        );
        (self.outbox)(message);
    }

    fn notice(&mut self, notification: &EditorNotice) {
        let params = &notification.params;
        let file = params["textDocument"]["uri"].as_str().and_then(text::path);
        match (notification.method.as_str(), file) {
            ("initialized", _) => self.watch_files(),
            ("textDocument/didOpen", Some(file)) => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                self.open.insert(file.clone(), text.into());
                self.edited(&file, DiskTrust::Thorough);
            }
            ("textDocument/didChange", Some(file)) => {
                let old = self.open.get(&file).cloned().unwrap_or_default();
                self.open.insert(file.clone(), text::change(&old, &params["contentChanges"]).into());
                self.edited(&file, DiskTrust::Quick);
            }
            ("textDocument/didClose", Some(file)) => {
                self.open.remove(&file);
                (self.outbox)(publish::message(&file, &[]));
                lock(&self.board).checked.remove(&file);
                self.edited(&file, DiskTrust::Thorough);
            }
            ("workspace/didChangeWatchedFiles", _) => {
                let folders = self.open.keys().filter_map(|file| file.parent()).map(Path::to_owned);
                for folder in folders.collect::<BTreeSet<_>>() {
                    self.changed(&folder, None, DiskTrust::Thorough);
                }
            }
            ("workspace/didChangeWorkspaceFolders", _) => {
                let gone = folders(&params["event"]["removed"]);
                self.roots.retain(|folder| !gone.contains(folder));
                self.roots.extend(folders(&params["event"]["added"]));
            }
            ("window/workDoneProgress/cancel", _) => {
                lock(&self.board).broken_off = params["token"].as_str().and_then(worker::edit_of);
            }
            _ => {}
        }
    }

    fn edited(&mut self, file: &Path, look: DiskTrust) {
        if let Some(folder) = file.parent() {
            self.changed(folder, Some(file), look);
        }
    }

    /// Tells what is known at once about a file that was edited, and lets the worker find out the rest about it and those beside it.
    fn changed(&mut self, folder: &Path, file: Option<&Path>, look: DiskTrust) {
        self.view = None;
        let is_about_settings = file.is_some_and(is_settings);
        let beside = |other: &&PathBuf| is_about_settings || other.parent() == Some(folder);
        let mut files: Vec<PathBuf> = self.open.keys().filter(beside).cloned().collect();
        // The file that is edited comes first.
        files.sort_by_key(|other| Some(other.as_path()) != file);
        let edit = {
            let mut board = lock(&self.board);
            board.edit += 1;
            for (_, checked) in board.checked.iter_mut().filter(|(file, _)| files.contains(file)) {
                checked.age();
            }
            board.edit
        };
        if self.queue.iter().any(|message| file.is_some_and(|file| is_edit(message, file))) {
            return;
        }
        // Between two keystrokes there is time for one file; the worker looks at the others.
        let now = if look == DiskTrust::Quick { 1 } else { files.len() };
        for file in files.iter().take(now) {
            let shown = self.findings(file, look);
            (self.outbox)(publish::message(file, &shown));
            lock(&self.board).shown.insert(file.clone(), shown);
        }
        // The worker lives as long as the server.
        let _ = self.jobs.send(CheckJob { files, drafts: self.drafts(), edit });
    }

    fn drafts(&self) -> BufferTexts {
        self.open.clone()
    }

    /// The findings of a file that need no search.
    fn findings(&self, file: &Path, look: DiskTrust) -> Vec<ShownFinding> {
        if is_settings(file) {
            let mut sources = Sources::new();
            let text = self.open.get(file).cloned().unwrap_or_default();
            let id = sources.add(file.to_string_lossy(), text);
            let (_, found) = settings::read(id, sources.get(id));
            return publish::shown(found, &ReadGroup { sources, systems: Vec::new() }, file);
        }
        let Ok(group) = self.desk.read(file, &self.drafts(), look) else { return Vec::new() };
        publish::shown(trial::findings(&group), &group, file)
    }

    fn respond(&mut self, request: &EditorRequest) -> Value {
        let EditorRequest { id, method, params } = request;
        let is_cancelled = self.queue.iter().any(|message| match message {
            EditorMessage::Notification(one) => one.method == "$/cancelRequest" && one.params["id"] == *id,
            EditorMessage::Request(_) | EditorMessage::Broken(_) | EditorMessage::Lost(_) => false,
        });
        if is_cancelled {
            return wire::refusal(id, RefusalKind::Cancelled, "cancelled");
        }
        match method.as_str() {
            "initialize" if !self.is_begun => return wire::result(id, self.begin(params)),
            _ if !self.is_begun => {
                return wire::refusal(id, RefusalKind::NotBegun, "`initialize` must come first");
            }
            // Until `exit` comes, editors may still answer what they were asked.
            "shutdown" if !self.is_ending => {
                self.is_ending = true;
                return wire::result(id, Value::Null);
            }
            _ if self.is_ending || method == "initialize" => {
                let problem = "`initialize` comes once, and no request after `shutdown`";
                return wire::refusal(id, RefusalKind::NoRequest, problem);
            }
            _ => {}
        }
        match self.answer(method, params) {
            Some(Ok(result)) => wire::result(id, result),
            Some(Err(problem)) => wire::refusal(id, RefusalKind::Failed, &problem),
            None => wire::refusal(id, RefusalKind::NoMethod, &format!("`{method}` is not supported")),
        }
    }

    fn answer(&mut self, method: &str, params: &Value) -> Option<Result<Value, String>> {
        let file = params["textDocument"]["uri"].as_str().and_then(text::path).unwrap_or_default();
        let position = &params["position"];
        Some(Ok(match method {
            "textDocument/hover" => self.hover(&file, position),
            "textDocument/definition" => self.spot(&file, position, |spot| spot.definition()),
            "textDocument/references" => self.spot(&file, position, |spot| spot.references()),
            "textDocument/prepareRename" => self.spot(&file, position, |spot| spot.renamed()),
            "textDocument/rename" => {
                return Some(self.rename(&file, position, params["newName"].as_str().unwrap_or_default()));
            }
            "textDocument/completion" => self.completion(&file, position),
            "textDocument/documentSymbol" => {
                self.view(&file).map(|view| outline::document(view, &file)).unwrap_or(json!([]))
            }
            "textDocument/foldingRange" => {
                self.view(&file).map(|view| outline::folds(view, &file)).unwrap_or(json!([]))
            }
            "textDocument/semanticTokens/full" => {
                self.view(&file).map(|view| tokens::tokens(view, &file)).unwrap_or(json!({ "data": [] }))
            }
            "workspace/symbol" => self.symbols(params["query"].as_str().unwrap_or_default()),
            "textDocument/codeAction" => self.actions(&file, &params["range"]),
            "textDocument/codeLens" => self.lenses(&file),
            "textDocument/inlayHint" => self.hints(&file, &params["range"]),
            "textDocument/formatting" => self.format(&file, &params["options"]),
            "sequent/draw" => {
                let is_dark = params["dark"] == true;
                self.view(&file).map_or(Value::Null, |view| picture::at(view, &file, position, is_dark))
            }
            "sequent/coverage" => self.coverage(&file),
            "workspace/executeCommand" if params["command"] == lenses::CHECK => {
                let file = params["arguments"][0].as_str().and_then(text::path);
                file.iter().for_each(|file| self.edited(file, DiskTrust::Thorough));
                Value::Null
            }
            _ => return None,
        }))
    }

    /// The folder of a file.
    fn view(&mut self, file: &Path) -> Option<&FolderView> {
        let folder = file.parent()?.to_owned();
        if self.view.as_ref().is_none_or(|(known, _)| *known != folder) {
            let read = self.desk.read_folder(&folder, false, &self.drafts(), DiskTrust::Quick).ok()?;
            self.view = Some((folder, FolderView::new(read, &mut self.indices)));
        }
        self.view.as_ref().map(|(_, view)| view)
    }

    fn spot(&mut self, file: &Path, position: &Value, ask: impl FnOnce(ViewPlace<'_>) -> Value) -> Value {
        self.view(file).and_then(|view| view.spot(file, position)).map_or(Value::Null, ask)
    }

    /// The changes that rename what stands at a position, if everything says the same after them.
    fn rename(&mut self, file: &Path, position: &Value, new: &str) -> Result<Value, String> {
        if self.view(file).is_none() {
            return Ok(Value::Null);
        }
        let Some((_, view)) = &self.view else { return Ok(Value::Null) };
        let Some(spot) = view.spot(file, position) else { return Ok(Value::Null) };
        let (old, edits) = spot.rename(new)?;
        let mut changed: BufferTexts = BTreeMap::new();
        for (file, text) in fix::apply(&edits, &view.sources) {
            changed.insert(PathBuf::from(&view.sources.get(file).name), text.into());
        }
        let fix = Fix { title: String::new(), edits, is_certain: true };
        let changes = publish::changes(&fix, &view.sources);
        let Some(folder) = file.parent() else { return Ok(Value::Null) };
        // Settings above the folder are those of others, too.
        let above = changed.keys().filter_map(|file| file.parent()).filter(|above| folder.starts_with(above));
        let whole = above.min_by_key(|above| above.components().count()).unwrap_or(folder).to_owned();
        let drafts = self.drafts();
        let group = self.desk.read(&whole, &drafts, DiskTrust::Quick)?;
        let before = FolderMeaning { view, group: &group };
        // What would be is read apart: the texts of the buffers are those of the next keystroke.
        let trial = self.desk.fork();
        let drafts = drafts.into_iter().chain(changed).collect();
        let read = trial.read_folder(folder, false, &drafts, DiskTrust::Quick)?;
        let view = FolderView::new(read, &mut self.indices.clone());
        let group = trial.read(&whole, &drafts, DiskTrust::Quick)?;
        NewName { old: &old, new }.keeps(before, FolderMeaning { view: &view, group: &group })?;
        Ok(changes)
    }

    fn hover(&mut self, file: &Path, position: &Value) -> Value {
        let told = self.view(file).and_then(|view| view.spot(file, position)).and_then(|spot| spot.hover());
        let text = self.open.get(file).cloned().unwrap_or_default();
        let offset = text::offset(&text, position) as u32;
        let setting = Some(&*text).filter(|_| is_settings(file));
        let setting = setting.and_then(|text| settings::key::at(text, offset as usize)).map(|key| {
            let name = if key.table.is_empty() { String::new() } else { format!("{}.", key.table) };
            format!("`{name}{}`: {}\n\n{}", key.name, key.values, key.meaning)
        });
        let board = lock(&self.board);
        let shown = board.shown.get(file).map(Vec::as_slice).unwrap_or_default();
        let here = shown.iter().filter(|one| one.place.start <= offset && offset <= one.place.end);
        let told = told.into_iter().chain(setting);
        let parts: Vec<String> = told.chain(here.map(|one| one.meaning.clone())).collect();
        match parts.is_empty() {
            true => Value::Null,
            false => json!({ "contents": { "kind": "markdown", "value": parts.join("\n\n---\n\n") } }),
        }
    }

    fn completion(&mut self, file: &Path, position: &Value) -> Value {
        let text = self.open.get(file).cloned().unwrap_or_default();
        let offset = text::offset(&text, position);
        if is_settings(file) {
            return complete::setting(&text, offset);
        }
        let Some(view) = self.view(file) else { return json!([]) };
        view.id(file).map_or(json!([]), |id| complete::at(view, id, offset))
    }

    fn symbols(&mut self, query: &str) -> Value {
        let mut found: Vec<Value> = Vec::new();
        for root in &self.roots {
            if let Ok(folder) = self.desk.read_folder(root, true, &self.drafts(), DiskTrust::Quick) {
                found.extend(outline::workspace(&folder, query));
            }
        }
        // A folder may lie in another.
        let mut known = BTreeSet::new();
        found.retain(|symbol| known.insert(symbol.to_string()));
        json!(found)
    }

    fn actions(&self, file: &Path, range: &Value) -> Value {
        let Some(source) = self.open.get(file) else { return json!([]) };
        let [start, end] = ["start", "end"].map(|end| text::offset(source, &range[end]) as u32);
        let board = lock(&self.board);
        let shown = board.shown.get(file).map(Vec::as_slice).unwrap_or_default();
        let here = shown.iter().filter(|one| one.place.start <= end && start <= one.place.end);
        let actions: Vec<Value> = here.flat_map(|one| one.actions.clone()).collect();
        drop(board);
        if actions.is_empty() {
            return json!([]);
        }
        let drafts = self.drafts();
        let Ok(before) = self.desk.read(file, &drafts, DiskTrust::Quick) else { return json!([]) };
        let trial = self.desk.fork();
        // What tears a diagram is no remedy.
        let is_sound = |action: &Value| {
            let drafts = publish::changed(&action["edit"], &drafts);
            let is_error = |one: &Diagnostic| one.severity == Severity::Error;
            let after = trial.read(file, &drafts, DiskTrust::Quick);
            after.is_ok_and(|after| trial::news(&before, &after, str::to_owned, is_error).is_none())
        };
        json!(actions.into_iter().filter(is_sound).collect::<Vec<_>>())
    }

    fn lenses(&mut self, file: &Path) -> Value {
        let (checked, can_step) = {
            let board = lock(&self.board);
            (board.checked.get(file).cloned(), board.abilities.steps)
        };
        self.view(file).map_or(json!([]), |view| lenses::lenses(view, file, checked.as_ref(), can_step))
    }

    fn hints(&mut self, file: &Path, range: &Value) -> Value {
        let traces = lock(&self.board).checked.get(file).map(|one| one.traces.clone()).unwrap_or_default();
        self.view(file).map_or(json!([]), |view| hints::hints(view, file, range, &traces))
    }

    /// What the runs pass that show verdicts of open files.
    fn coverage(&mut self, file: &Path) -> Value {
        let board = self.board.clone();
        let board = lock(&board);
        let passed = board.checked.values().map(|checked| &checked.passed);
        self.view(file).map_or(Value::Null, |view| coverage::of_file(view, file, passed))
    }

    fn format(&mut self, file: &Path, options: &Value) -> Value {
        let Some(view) = self.view(file) else { return json!([]) };
        let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) else { return json!([]) };
        format::edits(&leaf.page.document, view.sources.get(leaf.page.document.file), options)
    }
}

/// Whether a message edits a file.
fn is_edit(message: &EditorMessage, file: &Path) -> bool {
    match message {
        EditorMessage::Notification(one) if one.method == "textDocument/didChange" => {
            one.params["textDocument"]["uri"].as_str().and_then(text::path).is_some_and(|other| other == file)
        }
        EditorMessage::Notification(_)
        | EditorMessage::Request(_)
        | EditorMessage::Broken(_)
        | EditorMessage::Lost(_) => false,
    }
}
