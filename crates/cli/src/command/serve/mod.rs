//! `sequent serve`: a page on this machine to look at diagrams, edit them and ask about them.
//!
//! | module | holds |
//! |---|---|
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
//! Every request has a thread of its own. The page asks by JSON; parts of the page come as HTML from the report, in which
//! everything that diagrams say is escaped, and the page may run no script but its own.

mod changes;
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

use std::io::Read;
use std::sync::Arc;
use std::thread::Builder;

use tiny_http::{Header, Request, Response, Server};

use crate::cli::{self, Common};
use crate::guard::STACK;
use crate::output;
use changes::Changes;
use folder::ServedFolder;
use gate::{RequestFacts, RequestGate};
use jobs::Jobs;
use reply::{Reply, RequestProblem};

/// Bodies of requests are no longer than this.
const MOST_BYTES: usize = 4 << 20;

/// At most this many requests are answered at once.
const MOST_REQUESTS: usize = 64;

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
    let server = Server::http(("127.0.0.1", options.port))
        .map_err(|error| format!("port {} cannot be used: {error}", options.port))?;
    let address = server.server_addr().to_ip().ok_or("the server has no address")?;
    let gate = RequestGate::new(address.port());
    output::print_bytes(format!("{}\n", gate.address()).as_bytes());
    let service =
        Arc::new(Service { folder, common, gate, changes: Changes::default(), jobs: Jobs::default() });
    let watching = service.clone();
    spawn(move || watching.changes.watch(&watching.folder))?;
    for request in server.incoming_requests() {
        if Arc::strong_count(&service) > MOST_REQUESTS {
            send(request, Reply::problem(RequestProblem::Busy));
            continue;
        }
        let service = service.clone();
        spawn(move || answer(&service, request))?;
    }
    Ok(0)
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

fn answer(service: &Arc<Service>, mut request: Request) {
    let reply = replied(service, &mut request);
    send(request, reply);
}

fn replied(service: &Arc<Service>, request: &mut Request) -> Reply {
    let url = request.url().to_owned();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    let header = |name: &'static str| {
        let found = request.headers().iter().filter(|header| header.field.equiv(name));
        found.map(|header| header.value.as_str().to_owned()).collect::<Vec<_>>()
    };
    let asking = RequestFacts {
        host: header("Host"),
        origin: header("Origin"),
        site: header("Sec-Fetch-Site"),
        cookie: header("Cookie"),
        query,
    };
    if !service.gate.admits(&asking) {
        return Reply::problem(RequestProblem::Forbidden);
    }
    let method = request.method().as_str().to_owned();
    let body = match body(request) {
        Ok(body) => body,
        Err(problem) => return Reply::problem(problem),
    };
    routes::answer(service, (&method, path, query), &body)
}

/// The body, if it is not too long.
fn body(request: &mut Request) -> Result<Vec<u8>, RequestProblem> {
    if request.body_length().is_some_and(|length| length > MOST_BYTES) {
        return Err(RequestProblem::TooLong);
    }
    let mut bytes = Vec::new();
    let read = request.as_reader().take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes);
    match read {
        Ok(_) if bytes.len() > MOST_BYTES => Err(RequestProblem::TooLong),
        Ok(_) => Ok(bytes),
        Err(error) => Err(RequestProblem::Bad(error.to_string())),
    }
}

fn send(request: Request, reply: Reply) {
    let response = Response::from_data(reply.body).with_status_code(reply.status);
    let mut response = response.with_chunked_threshold(usize::MAX);
    let fixed = HEADERS.iter().map(|(name, value)| (*name, (*value).to_owned()));
    let own = [("Content-Type", reply.kind.to_owned())].into_iter();
    for (name, value) in fixed.chain(own).chain(reply.cookie.map(|cookie| ("Set-Cookie", cookie))) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // A reader that went away misses its answer.
    let _ = request.respond(response);
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
