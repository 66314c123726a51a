//! The merges of tables 5.6.1 to 5.6.3: what was there, what both sides added, and what P4 prints.

use crate::generate::crafted::Crafted;

/// A merge of P4's evaluation.
pub struct Merging {
    /// What was kept and what was added, in order.
    pub parts: &'static [Gap],
    /// The lifeline that has a machine where only some have.
    pub some: &'static str,
    /// Numbers of merges and seconds, as printed: with machines for all, for some and for no lifelines.
    pub printed: [(&'static str, &'static str); 3],
}

/// Messages by name; who receives them follows from the name.
pub enum Gap {
    /// They were there.
    Kept(&'static [&'static str]),
    /// Our side and theirs added them.
    Added(&'static [&'static str], &'static [&'static str]),
}

impl Merging {
    /// How many messages our side and theirs have added, gap by gap.
    pub fn gaps(&self) -> impl Iterator<Item = (usize, usize)> {
        self.parts.iter().filter_map(|part| match part {
            Gap::Kept(_) => None,
            Gap::Added(ours, theirs) => Some((ours.len(), theirs.len())),
        })
    }
}

/// The five merges of a model.
pub(crate) fn instances(model: Crafted) -> &'static [Merging] {
    match model {
        Crafted::Coffee => COFFEE,
        Crafted::Mail => MAIL,
        Crafted::Philosophers => PHILOSOPHERS,
    }
}

const COFFEE: &[Merging] = &[
    Merging {
        parts: &[
            Gap::Kept(&["repaired", "done", "wantCoffee", "coffeeDone", "done"]),
            Gap::Added(&["coffeeDone"], &["cancel", "error", "wantCoffee", "wantCoffee"]),
        ],
        some: "PhD",
        printed: [("2", "<1"), ("2", "<1"), ("5", "<1")],
    },
    Merging {
        parts: &[
            Gap::Kept(&["coffeeDone", "error", "cancel", "money", "cancel"]),
            Gap::Added(&["repaired"], &["repaired"]),
        ],
        some: "PhD",
        printed: [("0", "<1"), ("0", "<1"), ("2", "<1")],
    },
    Merging {
        parts: &[Gap::Added(&["coffeeDone", "done"], &["repaired", "error"])],
        some: "CM",
        printed: [("2", "<1"), ("6", "<1"), ("6", "<1")],
    },
    Merging {
        parts: &[
            Gap::Kept(&["change", "wantCoffee", "money", "repaired", "cancel"]),
            Gap::Added(
                &["change", "money", "coffeeDone", "change"],
                &["change", "coffeeDone", "error", "cancel"],
            ),
        ],
        some: "CM",
        printed: [("2", "<1"), ("70", "6.0"), ("70", "6.0")],
    },
    Merging {
        parts: &[
            Gap::Kept(&["done", "money", "cancel", "cancel", "wantCoffee"]),
            Gap::Added(
                &["done", "repaired", "change", "coffeeDone"],
                &["done", "change", "repaired", "cancel"],
            ),
        ],
        some: "PhD",
        printed: [("34", "2.9"), ("34", "2.9"), ("70", "6.0")],
    },
];

const CONNECTED: &[&str] = &["uCon", "sCon", "ok", "sHello", "ok"];

const ONE_MAIL: &[&str] = &["uMail", "sFrom", "ok", "uRcpt", "sRcpt", "ok", "uData", "sData", "ok"];

const MAIL: &[Merging] = &[
    Merging {
        parts: &[Gap::Kept(CONNECTED), Gap::Added(&["uQuit", "uCon"], ONE_MAIL)],
        some: "Client",
        printed: [("1", "<1"), ("1", "<1"), ("55", "3.8")],
    },
    Merging {
        parts: &[
            Gap::Kept(&["uCon", "sCon", "ok", "sHello"]),
            Gap::Added(&["sFrom"], &["sHello"]),
            Gap::Kept(&["ok"]),
            Gap::Added(&["uMail", "ok"], ONE_MAIL),
        ],
        some: "Client",
        printed: [("0", "<1"), ("2", "<1"), ("110", "8.0")],
    },
    Merging {
        parts: &[Gap::Kept(CONNECTED), Gap::Added(ONE_MAIL, ONE_MAIL)],
        some: "Client",
        printed: [("2", "<1"), ("2", "<1"), (">1000", "205")],
    },
    Merging {
        parts: &[
            Gap::Kept(CONNECTED),
            Gap::Added(
                ONE_MAIL,
                &["uMail", "sFrom", "ok", "uRcpt", "sRcpt", "ok", "uData", "sData", "ok", "uQuit", "uCon"],
            ),
        ],
        some: "Client",
        printed: [("2", "<1"), ("2", "<1"), (">1000", "215")],
    },
    Merging {
        parts: &[
            Gap::Kept(CONNECTED),
            Gap::Added(
                ONE_MAIL,
                &[
                    "uMail", "sFrom", "ok", "uRcpt", "sRcpt", "ok", "uRcpt", "sRcpt", "ok", "uData", "sData",
                    "ok", "uQuit",
                ],
            ),
        ],
        some: "Client",
        printed: [("2", "1.5"), ("2", "<1"), (">1000", "232")],
    },
];

const PHILOSOPHERS: &[Merging] = &[
    Merging {
        parts: &[Gap::Added(
            &["takeLeft0", "putLeft0"],
            &["takeLeft1", "takeRight2", "putRight2", "putRight0"],
        )],
        some: "F1",
        printed: [("6", "<1"), ("15", "1.4"), ("15", "1.8")],
    },
    Merging {
        parts: &[Gap::Added(&["putRight0"], &["putLeft1", "takeLeft0", "putLeft0", "takeRight2"])],
        some: "F0",
        printed: [("0", "<1"), ("5", "<1"), ("5", "<1")],
    },
    Merging {
        parts: &[Gap::Added(
            &[
                "putLeft0",
                "putLeft1",
                "takeLeft0",
                "putRight2",
                "takeRight0",
                "takeLeft0",
                "putRight2",
                "takeRight2",
                "putLeft0",
            ],
            &[
                "takeLeft0",
                "takeLeft1",
                "putRight2",
                "putRight0",
                "takeLeft1",
                "putRight0",
                "takeRight0",
                "putLeft1",
                "takeLeft1",
            ],
        )],
        some: "F0",
        printed: [("506", "90"), (">1000", "201"), (">1000", "164")],
    },
    Merging {
        parts: &[Gap::Added(
            &[
                "putLeft1",
                "takeLeft1",
                "takeLeft2",
                "putLeft0",
                "putLeft1",
                "putRight1",
                "takeRight2",
                "takeRight0",
                "putLeft0",
            ],
            &["putLeft2", "takeLeft0", "takeLeft2", "putLeft2", "takeRight1"],
        )],
        some: "F0",
        printed: [("253", "33"), (">1000", "167"), (">1000", "120")],
    },
    Merging {
        parts: &[Gap::Added(
            &[
                "takeLeft2",
                "putLeft0",
                "takeRight0",
                "takeRight2",
                "putLeft1",
                "putRight2",
                "takeRight2",
                "putLeft0",
                "takeRight0",
            ],
            &["putRight0", "takeRight0", "takeLeft2", "putRight0", "takeLeft1"],
        )],
        some: "F0",
        printed: [("0", "<1"), (">1000", "168"), (">1000", "121")],
    },
];
