//! A coffee machine, its user and a service technician (P4, figure 5.2.1, which is lost).
//!
//! Three machines of 3, 3 and 2 states follow from the numbers of goals in table 5.4.1, nine transitions of the first from table 5.5.1.
//! What sections 4.3 and 4.4 draw was filled up to 18 transitions over 10 symbols by a search for the printed numbers of
//! reachable goals and of clauses per position. So some transitions are odd; all of them can fire.

use super::super::ensemble::{GeneratedEnsemble, MessageDiagram};
use super::{TransitionRow, diagram, ensemble, played};

const PHD: &[TransitionRow<'static>] = &[
    ("working", "", &["wantCoffee"], "waiting"),
    ("waiting", "coffeeDone", &[], "working"),
    ("waiting", "error", &[], "desperate"),
    ("desperate", "repaired", &[], "working"),
    ("working", "change", &["complain"], "waiting"),
    ("working", "change", &["cancel"], "desperate"),
    ("waiting", "change", &["wantCoffee"], "desperate"),
    ("waiting", "", &["money", "complain"], "waiting"),
    ("desperate", "", &["cancel", "complain"], "desperate"),
];

const MACHINE: &[TransitionRow<'static>] = &[
    ("idle", "wantCoffee", &[], "preparing"),
    ("preparing", "", &["coffeeDone"], "idle"),
    ("preparing", "", &["error"], "error"),
    ("preparing", "money", &["change"], "error"),
    ("preparing", "done", &["repair"], "preparing"),
    ("error", "cancel", &["change"], "preparing"),
];

const MAINTENANCE: &[TransitionRow<'static>] = &[
    ("idle", "repair", &[], "repairing"),
    ("repairing", "", &["done"], "idle"),
    ("idle", "complain", &["repaired"], "repairing"),
];

pub(super) fn coffee() -> GeneratedEnsemble {
    ensemble(&[("PhD", PHD), ("CM", MACHINE), ("Maintenance", MAINTENANCE)])
}

/// Six messages; they can follow from the start.
pub(super) fn consistent() -> (GeneratedEnsemble, MessageDiagram) {
    let ensemble = played(coffee(), &[("alice", "PhD"), ("cm", "CM"), ("m", "Maintenance")]);
    let round = [("alice", "wantCoffee", "cm"), ("cm", "coffeeDone", "alice")];
    let diagram = diagram(&ensemble, "Three coffees", &[round, round, round].concat());
    (ensemble, diagram)
}

/// Five messages, of which three can follow: bob has ordered, and alice is served.
pub(super) fn inconsistent() -> (GeneratedEnsemble, MessageDiagram) {
    let players = [("alice", "PhD"), ("bob", "PhD"), ("cm", "CM"), ("m", "Maintenance")];
    let ensemble = played(coffee(), &players);
    let messages = [
        ("alice", "wantCoffee", "cm"),
        ("cm", "coffeeDone", "alice"),
        ("bob", "wantCoffee", "cm"),
        ("cm", "coffeeDone", "alice"),
        ("cm", "coffeeDone", "bob"),
    ];
    let diagram = diagram(&ensemble, "Served in place of another", &messages);
    (ensemble, diagram)
}
