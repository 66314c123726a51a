//! Routes: which address asks what.

use std::sync::Arc;

use sequent_notation::picture;
use sequent_report::html;
use serde_json::{Value, json};

use super::jobs::ServeJob;
use super::join::{self, JoinedVersions};
use super::look::{self, EditedText};
use super::question::{self, PageQuestion};
use super::reply::{Reply, RequestProblem};
use super::review::{self, Revision};
use super::{Service, spawn, steps};

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/serve.css");

/// The scripts of the page, by their addresses.
const SCRIPTS: [(&str, &str); 12] = [
    ("/stepper.js", html::STEPPER),
    ("/serve.js", include_str!("page/serve.js")),
    ("/api.js", include_str!("page/api.js")),
    ("/editor.js", include_str!("page/editor.js")),
    ("/drawing.js", include_str!("page/drawing.js")),
    ("/answers.js", include_str!("page/answers.js")),
    ("/ask.js", include_str!("page/ask.js")),
    ("/simulate.js", include_str!("page/simulate.js")),
    ("/merge.js", include_str!("page/merge.js")),
    ("/compare.js", include_str!("page/compare.js")),
    ("/review.js", include_str!("page/review.js")),
    ("/drop.js", include_str!("page/drop.js")),
];

/// Answers a request: its method, its path, its query; its body.
pub(crate) fn answer(
    service: &Arc<Service>,
    (method, path, query): (&str, &str, &str),
    body: &[u8],
) -> Reply {
    match (method, path) {
        ("GET", "/") => {
            let cookie = Some(service.gate.cookie());
            Reply { cookie, ..Reply::new("text/html; charset=utf-8", PAGE) }
        }
        ("GET", "/serve.css") => Reply::new("text/css; charset=utf-8", format!("{}\n{STYLE}", html::style())),
        ("GET", _) => match SCRIPTS.iter().find(|(address, _)| *address == path) {
            Some((_, text)) => Reply::new("text/javascript; charset=utf-8", *text),
            None => told(got(service, path, query)),
        },
        ("POST", _) => told(read(body).and_then(|asked| posted(service, path, &asked))),
        (_, _) => Reply::problem(RequestProblem::Missing),
    }
}

fn told(result: Result<Value, RequestProblem>) -> Reply {
    match result {
        Ok(value) => Reply::json(&value),
        Err(problem) => Reply::problem(problem),
    }
}

fn read(body: &[u8]) -> Result<Value, RequestProblem> {
    serde_json::from_slice(body).map_err(|error| RequestProblem::Bad(format!("the body is no JSON: {error}")))
}

/// A number of a query.
fn number<T: std::str::FromStr>(query: &str, name: &str) -> Result<T, RequestProblem> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.into_iter().find(|(own, _)| *own == name).and_then(|(_, value)| value.parse().ok());
    value.ok_or_else(|| RequestProblem::Bad(format!("`{name}` is no number")))
}

fn got(service: &Service, path: &str, query: &str) -> Result<Value, RequestProblem> {
    match path {
        "/api/files" => look::overview(service),
        "/api/job" => Ok(service.jobs.get(number(query, "id")?)?.report()),
        "/api/changes" => {
            let (count, files) = service.changes.since(number(query, "since")?);
            Ok(json!({ "changes": count, "files": files }))
        }
        _ => Err(RequestProblem::Missing),
    }
}

fn posted(service: &Arc<Service>, path: &str, asked: &Value) -> Result<Value, RequestProblem> {
    match path {
        "/api/look" => look::look(service, asked),
        "/api/save" => save(service, asked),
        "/api/check" => {
            let subject = EditedText::of(service, asked)?;
            start(service, move |service, job| question::check(service, &subject, job))
        }
        "/api/ask" => {
            let (subject, asked) = (EditedText::of(service, asked)?, PageQuestion::of(asked)?);
            start(service, move |service, job| question::ask(service, &subject, &asked, job))
        }
        "/api/simulate" => steps::simulate(service, asked),
        "/api/merge" => {
            let versions = JoinedVersions::of(service, asked)?;
            start(service, move |service, job| join::merge(service, &versions, job))
        }
        "/api/review" => {
            let revision = Revision::of(service, asked)?;
            start(service, move |service, job| review::review(service, &revision, job))
        }
        "/api/picture" => picture(asked),
        "/api/cancel" => {
            let number =
                asked["job"].as_u64().ok_or_else(|| RequestProblem::Bad("no job is named".to_owned()))?;
            service.jobs.get(number)?.cancel();
            Ok(json!({}))
        }
        _ => Err(RequestProblem::Missing),
    }
}

/// Starts a job; its number.
fn start(
    service: &Arc<Service>,
    work: impl FnOnce(&Service, &ServeJob) -> Result<Value, String> + Send + 'static,
) -> Result<Value, RequestProblem> {
    let (number, job) = service.jobs.add()?;
    let service = service.clone();
    spawn(move || {
        let done = JobEnding(&job);
        let result = work(&service, &job);
        drop(done);
        job.end(result);
    })
    .map_err(RequestProblem::Failed)?;
    Ok(json!({ "job": number }))
}

/// A job that panics has failed.
struct JobEnding<'j>(&'j ServeJob);

impl Drop for JobEnding<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Err("Sequent failed; the terminal says more".to_owned()));
        }
    }
}

/// The diagram that a picture carries; its bytes come as two hexadecimal digits each.
fn picture(asked: &Value) -> Result<Value, RequestProblem> {
    let digits = asked["bytes"].as_str().map(str::as_bytes).unwrap_or_default();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    let bytes = bytes.ok_or_else(|| RequestProblem::Bad("the bytes are no hexadecimal digits".to_owned()))?;
    let carried = picture::carried(&bytes);
    let carried =
        carried.ok_or_else(|| RequestProblem::Failed("the picture carries no diagram".to_owned()))?;
    Ok(json!({ "file": carried.file, "text": carried.text }))
}

fn save(service: &Service, asked: &Value) -> Result<Value, RequestProblem> {
    let name = asked["file"].as_str().ok_or_else(|| RequestProblem::Bad("no file is named".to_owned()))?;
    let text = asked["text"].as_str().ok_or_else(|| RequestProblem::Bad("there is no text".to_owned()))?;
    service.folder.write(name, text, asked["known"].as_str())?;
    Ok(json!({ "file": name }))
}
