//! The server: takes messages from the editor one after the other, and answers from the buffers as they are then.
//!
//! Messages that have come already are looked at before the next is dealt with, so that a request that was cancelled is not worked
//! on, and of several edits in a row only the last is followed by findings.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use sequent::{pipeline, settings};
use sequent_kernel::source::Sources;
use serde_json::{Value, json};

use crate::navigate::{Spot, View};
use crate::publish::{self, Board, Shown};
use crate::worker::{self, Job, Outbox, request};
use crate::{Desk, Drafts, Group, System, complete, outline, text, tokens};

/// The name of settings files.
const SETTINGS: &str = "sequent.toml";

/// Speaks with an editor on standard input and output until it ends.
pub fn run(desk: Arc<dyn Desk>) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let parameters = connection.initialize(capabilities()).map_err(|error| error.to_string())?;
    let board = Arc::new(Mutex::new(Board::default()));
    let refresh = &parameters["capabilities"]["workspace"]["codeLens"]["refreshSupport"];
    lock(&board).can_refresh = refresh.as_bool().unwrap_or(false);
    let sender = connection.sender.clone();
    // Nothing can be done about an editor that is gone; the loop ends by itself then.
    let outbox: Outbox = Arc::new(move |message| drop(sender.send(message)));
    let (jobs, taken) = channel();
    let worker = {
        let (desk, board, outbox) = (desk.clone(), board.clone(), outbox.clone());
        std::thread::spawn(move || worker::run(&taken, &*desk, &board, &outbox))
    };
    let root = ["rootUri", "rootPath"].iter().find_map(|name| text::path(parameters[*name].as_str()?));
    let folder = parameters["workspaceFolders"][0]["uri"].as_str().and_then(text::path);
    let mut server = Server {
        desk,
        board,
        outbox,
        jobs,
        open: BTreeMap::new(),
        root: folder.or(root),
        view: None,
        queue: VecDeque::new(),
        watches: parameters["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"]
            == true,
    };
    let result = server.serve(&connection);
    // Ends what runs.
    lock(&server.board).edit += 1;
    drop(server);
    drop(connection);
    let has_ended = worker.join().is_ok();
    threads.join().map_err(|error| error.to_string())?;
    if has_ended { result } else { Err("the worker has failed".to_owned()) }
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": false },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["@", ":", ">"] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
    })
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Server {
    desk: Arc<dyn Desk>,
    board: Arc<Mutex<Board>>,
    outbox: Outbox,
    jobs: Sender<Job>,
    /// The buffers.
    open: BTreeMap<PathBuf, Arc<str>>,
    /// The folder that the editor works in.
    root: Option<PathBuf>,
    /// The folder that was asked about last, as it is after all edits.
    view: Option<(PathBuf, View)>,
    /// Messages that have come and are not dealt with.
    queue: VecDeque<Message>,
    /// Whether the editor tells of files that others change.
    watches: bool,
}

impl Server {
    fn serve(&mut self, connection: &Connection) -> Result<(), String> {
        self.watch_files();
        loop {
            if self.queue.is_empty() {
                match connection.receiver.recv() {
                    Ok(message) => self.queue.push_back(message),
                    Err(_) => return Ok(()),
                }
            }
            self.queue.extend(connection.receiver.try_iter());
            match self.queue.pop_front() {
                Some(Message::Request(request)) => {
                    if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        return Ok(());
                    }
                    let response = self.respond(&request);
                    (self.outbox)(Message::Response(response));
                }
                Some(Message::Notification(notification)) if notification.method == "exit" => return Ok(()),
                Some(Message::Notification(notification)) => self.notice(&notification),
                Some(Message::Response(_)) | None => {}
            }
        }
    }

    /// Asks for notifications of files that change on the disk.
    fn watch_files(&mut self) {
        if !self.watches {
            return;
        }
        let globs = ["**/*.{md,adoc,rst,puml,plantuml,iuml,mmd,mermaid,uml,xmi}", "**/sequent.toml"];
        let watchers: Vec<Value> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let registration = json!({
            "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers },
        });
        let mut board = lock(&self.board);
        board.requests += 1;
        let message =
            request(board.requests, "client/registerCapability", json!({ "registrations": [registration] }));
        (self.outbox)(message);
    }

    fn notice(&mut self, notification: &Notification) {
        let params = &notification.params;
        let file = params["textDocument"]["uri"].as_str().and_then(text::path);
        match (notification.method.as_str(), file) {
            ("textDocument/didOpen", Some(file)) => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                self.open.insert(file.clone(), text.into());
                self.edited(&file);
            }
            ("textDocument/didChange", Some(file)) => {
                let old = self.open.get(&file).cloned().unwrap_or_default();
                self.open.insert(file.clone(), text::change(&old, &params["contentChanges"]).into());
                self.edited(&file);
            }
            ("textDocument/didClose", Some(file)) => {
                self.open.remove(&file);
                (self.outbox)(publish::message(&file, &[]));
                self.edited(&file);
            }
            ("workspace/didChangeWatchedFiles", _) => {
                let folders = self.open.keys().filter_map(|file| file.parent()).map(Path::to_owned);
                for folder in folders.collect::<BTreeSet<_>>() {
                    self.edited(&folder.join("."));
                }
            }
            _ => {}
        }
    }

    /// Tells what is known at once about a file and those beside it, and lets the worker find out the rest.
    fn edited(&mut self, file: &Path) {
        self.view = None;
        let is_settings = file.file_name().is_some_and(|name| name == SETTINGS);
        let edit = {
            let mut board = lock(&self.board);
            board.edit += 1;
            board.edit
        };
        if self.queue.iter().any(|message| is_edit(message, file)) {
            return;
        }
        let beside = |other: &&PathBuf| is_settings || other.parent() == file.parent();
        let files: Vec<PathBuf> = self.open.keys().filter(beside).cloned().collect();
        for file in &files {
            let shown = self.findings(file);
            (self.outbox)(publish::message(file, &shown));
            lock(&self.board).shown.insert(file.clone(), shown);
        }
        let files =
            files.into_iter().filter(|file| file.file_name().is_none_or(|name| name != SETTINGS)).collect();
        // The worker lives as long as the server.
        let _ = self.jobs.send(Job { files, drafts: self.drafts(), edit });
    }

    fn drafts(&self) -> Drafts {
        self.open.clone()
    }

    /// The findings of a file that need no search.
    fn findings(&self, file: &Path) -> Vec<Shown> {
        if file.file_name().is_some_and(|name| name == SETTINGS) {
            let mut sources = Sources::new();
            let text = self.open.get(file).cloned().unwrap_or_default();
            let id = sources.add(file.to_string_lossy(), text);
            let (_, found) = settings::read(id, sources.get(id));
            return publish::shown(found, &Group { sources, systems: Vec::new() }, file);
        }
        let Ok(group) = self.desk.read(file, &self.drafts()) else { return Vec::new() };
        let of = |system: &System| {
            let mut found = pipeline::lint(&system.reading, &system.settings);
            found.retain(|finding| !system.beside.contains(&finding.span.file));
            found
        };
        let found = group.systems.iter().flat_map(of).collect();
        publish::shown(found, &group, file)
    }

    fn respond(&mut self, request: &Request) -> Response {
        let id = request.id.clone();
        let is_cancelled = self.queue.iter().any(|message| match message {
            Message::Notification(one) => one.method == "$/cancelRequest" && is_id(&one.params["id"], &id),
            Message::Request(_) | Message::Response(_) => false,
        });
        if is_cancelled {
            return Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned());
        }
        match self.answer(&request.method, &request.params) {
            Some(Ok(result)) => Response::new_ok(id, result),
            Some(Err(problem)) => Response::new_err(id, ErrorCode::RequestFailed as i32, problem),
            None => {
                let problem = format!("`{}` is not supported", request.method);
                Response::new_err(id, ErrorCode::MethodNotFound as i32, problem)
            }
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
                let new = params["newName"].as_str().unwrap_or_default();
                let view = self.view(&file);
                let spot = view.and_then(|view| view.spot(&file, position));
                return Some(spot.map_or(Ok(Value::Null), |spot| spot.rename(new)));
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
            _ => return None,
        }))
    }

    /// The folder of a file.
    fn view(&mut self, file: &Path) -> Option<&View> {
        let folder = file.parent()?.to_owned();
        if self.view.as_ref().is_none_or(|(known, _)| *known != folder) {
            let group = self.desk.read_folder(&folder, false, &self.drafts()).ok()?;
            self.view = Some((folder, View::new(group)));
        }
        self.view.as_ref().map(|(_, view)| view)
    }

    fn spot(&mut self, file: &Path, position: &Value, ask: impl FnOnce(Spot<'_>) -> Value) -> Value {
        self.view(file).and_then(|view| view.spot(file, position)).map_or(Value::Null, ask)
    }

    fn hover(&mut self, file: &Path, position: &Value) -> Value {
        let told = self.view(file).and_then(|view| view.spot(file, position)).and_then(|spot| spot.hover());
        let offset = self.open.get(file).map(|text| text::offset(text, position) as u32).unwrap_or_default();
        let board = lock(&self.board);
        let shown = board.shown.get(file).map(Vec::as_slice).unwrap_or_default();
        let here = shown.iter().filter(|one| one.place.start <= offset && offset <= one.place.end);
        let parts: Vec<String> = told.into_iter().chain(here.map(|one| one.meaning.clone())).collect();
        match parts.is_empty() {
            true => Value::Null,
            false => json!({ "contents": { "kind": "markdown", "value": parts.join("\n\n---\n\n") } }),
        }
    }

    fn completion(&mut self, file: &Path, position: &Value) -> Value {
        let offset = self.open.get(file).map(|text| text::offset(text, position)).unwrap_or_default();
        let Some(view) = self.view(file) else { return json!([]) };
        outline::id(view, file).map_or(json!([]), |id| complete::at(view, id, offset))
    }

    fn symbols(&mut self, query: &str) -> Value {
        let Some(root) = self.root.clone() else { return json!([]) };
        match self.desk.read_folder(&root, true, &self.drafts()) {
            Ok(group) => outline::workspace(&View { group, indices: Vec::new() }, query),
            Err(_) => json!([]),
        }
    }

    fn actions(&self, file: &Path, range: &Value) -> Value {
        let Some(source) = self.open.get(file) else { return json!([]) };
        let [start, end] = ["start", "end"].map(|end| text::offset(source, &range[end]) as u32);
        let board = lock(&self.board);
        let shown = board.shown.get(file).map(Vec::as_slice).unwrap_or_default();
        let here = shown.iter().filter(|one| one.place.start <= end && start <= one.place.end);
        json!(here.flat_map(|one| one.actions.clone()).collect::<Vec<_>>())
    }

    /// Verdicts; those of an older text say so.
    fn lenses(&self, file: &Path) -> Value {
        let board = lock(&self.board);
        let Some((edit, lenses)) = board.lenses.get(file) else { return json!([]) };
        let mut lenses = lenses.clone();
        if *edit != board.edit {
            for lens in &mut lenses {
                let title = lens["command"]["title"].as_str().unwrap_or_default();
                lens["command"]["title"] = json!(format!("{title} (before the last edit)"));
            }
        }
        json!(lenses)
    }
}

/// Whether a message edits a file.
fn is_edit(message: &Message, file: &Path) -> bool {
    match message {
        Message::Notification(one) if one.method == "textDocument/didChange" => {
            one.params["textDocument"]["uri"].as_str().and_then(text::path).is_some_and(|other| other == file)
        }
        Message::Notification(_) | Message::Request(_) | Message::Response(_) => false,
    }
}

fn is_id(value: &Value, id: &lsp_server::RequestId) -> bool {
    serde_json::to_value(id).is_ok_and(|id| id == *value)
}
