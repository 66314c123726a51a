//! `sequent serve`: a page on this machine to look at diagrams, edit them and ask about them.
//!
//! | module | holds |
//! |---|---|
//! | [`connection`] | requests and their answers, as bytes |
//! | [`gate`] | who may ask: the token, `Host` and `Origin` |
//! | [`folder`] | the names of files in the folder; nothing else is read or written |
//! | [`changes`] | which files changed on the disk |
//! | [`jobs`] | questions that take a while: progress, cancelling |
//! | [`look`] | what every keystroke asks: reading, findings, drawings |
//! | [`question`] | checks and questions, with their runs |
//! | [`steps`] | simulation: a run step by step |
//! | [`join`] | the merge view |
//! | [`routes`] | which address asks what |
//! | `page/` | what the browser gets |
//!
//! Every connection has a thread of its own. The page asks by JSON; parts of the page come as HTML from the report, in which
//! everything that diagrams say is escaped, and the page may run no script but its own.

mod changes;
mod connection;
mod folder;
mod gate;
mod jobs;
mod join;
mod look;
mod question;
mod reply;
mod review;
mod routes;
mod steps;

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

use crate::cli::{self, Common};
use crate::guard::STACK;
use crate::output;
use changes::Changes;
use connection::{HttpConnection, HttpHead};
use folder::ServedFolder;
use gate::{RequestFacts, RequestGate};
use jobs::Jobs;
use reply::{Reply, RequestProblem};

/// At most this many connections and jobs are served at once.
const MOST_SERVED: usize = 64;

/// How long a connection may be without a request: one that has shown the token, and one that has not.
const QUIET: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(5)];

/// Everything that requests need.
struct Service {
    folder: ServedFolder,
    /// The options that all commands share, with paths that hold in the folder.
    common: Common,
    gate: RequestGate,
    changes: Changes,
    jobs: Jobs,
}

pub(crate) fn run(options: &cli::Serve, common: &Common) -> Result<u8, String> {
    let common = settled(common)?;
    let folder = ServedFolder::enter(&options.path)?;
    let cannot = |error: std::io::Error| format!("port {} cannot be used: {error}", options.port);
    let listener = TcpListener::bind(("127.0.0.1", options.port)).map_err(cannot)?;
    let gate = RequestGate::new(listener.local_addr().map_err(cannot)?.port());
    // What changes once somebody may ask is noticed.
    let before = changes::stamps(&folder);
    output::print_bytes(format!("{}\n", gate.address()).as_bytes());
    let service =
        Arc::new(Service { folder, common, gate, changes: Changes::default(), jobs: Jobs::default() });
    let watching = service.clone();
    spawn(move || watching.changes.watch(&watching.folder, before))?;
    for stream in listener.incoming() {
        match stream.and_then(HttpConnection::new) {
            Ok(connection) => begin(&service, connection),
            // There are no more files to be had; some are closed soon.
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    Ok(0)
}

/// Serves a connection, unless there are too many.
fn begin(service: &Arc<Service>, mut connection: HttpConnection) {
    if Arc::strong_count(service) > MOST_SERVED {
        connection.send(&Reply::problem(RequestProblem::Busy), &HEADERS, None);
        return;
    }
    let service = service.clone();
    // Without memory for a thread the connection is closed; the next one may find some.
    let _ = spawn(move || converse(&service, connection));
}

/// A thread whose stack is deep enough for what readers let through.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let thread = Builder::new().stack_size(STACK).spawn(work);
    thread.map(drop).map_err(|error| format!("there is no memory for a thread: {error}"))
}

/// The options with absolute paths: the folder becomes the current one.
fn settled(common: &Common) -> Result<Common, String> {
    let mut common = common.clone();
    for path in common.config.iter_mut().chain(&mut common.include_root) {
        *path = std::path::absolute(&*path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    }
    Ok(common)
}

/// Answers the requests of a connection, one after the other.
fn converse(service: &Arc<Service>, mut connection: HttpConnection) {
    let mut is_known = false;
    while let Some(head) = connection.head(QUIET[usize::from(!is_known)]).transpose() {
        let (reply, head) = match head {
            Ok(head) => (replied(service, &mut connection, &head), Some(head)),
            Err(problem) => (Reply::last(problem), None),
        };
        if !connection.send(&reply, &HEADERS, head.as_ref()) {
            break;
        }
        is_known = true;
    }
    connection.end();
}

fn replied(service: &Arc<Service>, connection: &mut HttpConnection, head: &HttpHead) -> Reply {
    let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
    let asking = RequestFacts {
        host: head.values("Host"),
        origin: head.values("Origin"),
        site: head.values("Sec-Fetch-Site"),
        cookie: head.values("Cookie"),
        query,
    };
    if !service.gate.admits(&asking) {
        return Reply::last(RequestProblem::Forbidden);
    }
    match connection.body(head) {
        Ok(body) => routes::answer(service, (&head.method, path, query), &body),
        Err(problem) => Reply::last(problem),
    }
}

/// What holds for every answer: nothing is loaded from elsewhere, kept, or shown inside of other pages.
const HEADERS: [(&str, &str); 6] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];
