//! A mail client, its server and its user, after SMTP (P4, figure 5.2.2, which is lost).
//!
//! Machines of 9, 5 and 1 states follow from the numbers of goals in table 5.4.2. The connection up to
//! `identified` is in the text. Of the rest it is known that 10 of the 14 states of client and server are
//! reached and 3 pairs of them, that five transitions send `ok`, and that the nine messages of the scenario
//! have 21 sending transitions together: so sender and recipients share a state, and the transitions to
//! refusals are never reached. The last four transitions of the client and the last one of the server were
//! found by a search for the printed number of clauses per position; no reachable state takes `sQuit`.

use super::super::ensemble::{GeneratedEnsemble, MessageDiagram};
use super::{TransitionRow, diagram, ensemble, played};

const CLIENT: &[TransitionRow<'static>] = &[
    ("idle", "uCon", &["sCon"], "conPend"),
    ("conPend", "ok", &["sHello"], "connected"),
    ("connected", "ok", &[], "identified"),
    ("identified", "uMail", &["sFrom"], "fromPend"),
    ("fromPend", "ok", &[], "fromOk"),
    ("fromOk", "uRcpt", &["sRcpt"], "fromPend"),
    ("fromOk", "uData", &["sData"], "dataPend"),
    ("dataPend", "ok", &[], "identified"),
    ("identified", "uQuit", &["sQuit"], "idle"),
    ("dataPend", "ok", &["sQuit"], "idle"),
    ("fromOk", "ok", &["sHello"], "closing"),
    ("idle", "error", &["sQuit"], "rejected"),
];

const SERVER: &[TransitionRow<'static>] = &[
    ("waiting", "sCon", &["ok"], "ready"),
    ("ready", "sHello", &["ok"], "ready"),
    ("ready", "sFrom", &["ok"], "from"),
    ("from", "sRcpt", &["ok"], "from"),
    ("from", "sData", &["ok"], "ready"),
    ("broken", "sQuit", &["error"], "refusing"),
];

const USER: &[TransitionRow<'static>] = &[
    ("user", "", &["uCon"], "user"),
    ("user", "", &["uMail"], "user"),
    ("user", "", &["uRcpt"], "user"),
    ("user", "", &["uData"], "user"),
    ("user", "", &["uQuit"], "user"),
];

pub(super) fn mail() -> GeneratedEnsemble {
    ensemble(&[("Client", CLIENT), ("Server", SERVER), ("User", USER)])
}

/// One mail from an identified client.
const MAIL: [(&str, &str, &str); 9] = [
    ("u", "uMail", "c"),
    ("c", "sFrom", "s"),
    ("s", "ok", "c"),
    ("u", "uRcpt", "c"),
    ("c", "sRcpt", "s"),
    ("s", "ok", "c"),
    ("u", "uData", "c"),
    ("c", "sData", "s"),
    ("s", "ok", "c"),
];

/// Nine messages, once the client is identified.
pub(super) fn consistent() -> (GeneratedEnsemble, MessageDiagram) {
    scene("One mail", &MAIL)
}

/// The same without the sixth message.
pub(super) fn inconsistent() -> (GeneratedEnsemble, MessageDiagram) {
    scene("A recipient without answer", &[&MAIL[..5], &MAIL[6..]].concat())
}

fn scene(name: &str, messages: &[(&str, &str, &str)]) -> (GeneratedEnsemble, MessageDiagram) {
    let ensemble = played(mail(), &[("c", "Client"), ("s", "Server"), ("u", "User")]);
    let diagram = diagram(&ensemble, name, messages);
    (ensemble, diagram)
}
