//! The merges of P4's evaluation (tables 5.6.1 to 5.6.3): all, some or none of the lifelines have their machines.
//!
//! P4 prints how many messages the three versions have, how many merges there are, and how long PicoSAT took to list them or the first 1,000.
//! The diagrams are lost. Those here were searched for: messages that the crafted models receive, in gaps as large as the numbers of merges without
//! machines demand, so that with all and with some machines there are as many merges as printed. (Mail 1 and Philosophers 1 and 2
//! are printed with sizes that contradict their own numbers of merges.)

mod print;

use num_bigint::BigUint;
use sequent::merge::RevisionSide;
use sequent::merge::order::{
    Acceptor, AcceptorId, MergeGraph, Merges, OrderElement, OrderProblem, Segment, StateSet, SymbolId, sat,
};
use sequent_kernel::id::{Id, IdVec};

pub use print::{json, text};

use super::Clock;
use super::instances::{Gap, Merging, instances};
use crate::generate::crafted::Crafted;
use crate::generate::{GeneratedEnsemble, PlainId, SymbolId as Symbol};

/// P4 stops after this number of merges.
pub const MOST: usize = 1_000;

/// Which lifelines have machines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Specified {
    All,
    Some,
    None,
}

impl Specified {
    /// As the tables have them.
    pub const ALL: [Specified; 3] = [Specified::All, Specified::Some, Specified::None];

    /// What stands above the column.
    pub fn word(self) -> &'static str {
        match self {
            Specified::All => "all",
            Specified::Some => "some",
            Specified::None => "none",
        }
    }
}

/// A merge of a table, done again; times in microseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// Its number in the table.
    pub number: usize,
    /// How many messages both sides added, gap by gap.
    pub added: String,
    /// Which lifelines have machines.
    pub specified: Specified,
    /// How many merges there are.
    pub count: BigUint,
    /// As it is printed.
    pub printed: &'static str,
    /// Until it was known whether there are any.
    pub existence: u64,
    /// Until they were counted.
    pub counting: u64,
    /// Until the first 1,000 were listed.
    pub listing: u64,
    /// Until a SAT solver had listed the first 1,000 by P4's encoding.
    pub solving: u64,
    /// Seconds as they are printed.
    pub seconds: &'static str,
    /// Whether both engines found the same merges, where they found all.
    pub is_agreed: bool,
}

/// The number of the table about the merges of a model.
pub fn number(model: Crafted) -> &'static str {
    match model {
        Crafted::Coffee => "5.6.1",
        Crafted::Mail => "5.6.2",
        Crafted::Philosophers => "5.6.3",
    }
}

/// Does all merges of a table.
pub fn run(model: Crafted, clock: Clock<'_>) -> Vec<Done> {
    let ensemble = model.ensemble();
    let all = instances(model).iter().enumerate();
    all.flat_map(|(at, merging)| {
        Specified::ALL.map(|specified| one(&ensemble, at + 1, merging, specified, clock))
    })
    .collect()
}

fn one(
    ensemble: &GeneratedEnsemble,
    number: usize,
    merging: &Merging,
    specified: Specified,
    clock: Clock<'_>,
) -> Done {
    let problem = problem(ensemble, merging, specified);
    let start = clock();
    let graph = MergeGraph::new(&problem).expect("these have a few hundred nodes");
    let existence = clock() - start;
    let count = graph.count();
    let counting = clock() - start;
    let listed: Vec<_> = Merges::new(&graph, RevisionSide::Ours).take(MOST).collect();
    let listing = clock() - start;
    let start = clock();
    let solved = sat::merges(&problem, MOST).expect("every message is read by one lifeline at most");
    let solving = clock() - start;
    let is_agreed = match listed.len() < MOST {
        true => listed.iter().cloned().collect::<std::collections::BTreeSet<_>>() == solved,
        false => solved.len() == MOST,
    };
    let added: Vec<String> = merging.gaps().map(|(ours, theirs)| format!("{ours}+{theirs}")).collect();
    let (printed, seconds) = merging.printed[specified as usize];
    Done {
        number,
        added: added.join(", "),
        specified,
        count,
        printed,
        existence,
        counting,
        listing,
        solving,
        seconds,
        is_agreed,
    }
}

/// The merge as a problem of orders.
pub fn problem(ensemble: &GeneratedEnsemble, merging: &Merging, specified: Specified) -> OrderProblem {
    let receives = |machine: PlainId, name: &str| {
        let mut arcs = ensemble.machines[machine].arcs.iter();
        arcs.any(|arc| arc.trigger.is_some_and(|trigger| ensemble.symbols[trigger] == name))
    };
    let machines: Vec<PlainId> = match specified {
        Specified::All => ensemble.machines.ids().collect(),
        Specified::Some => {
            ensemble.machines.ids().filter(|id| ensemble.machines[*id].name == merging.some).collect()
        }
        Specified::None => Vec::new(),
    };
    let item = |name: &&str| -> OrderElement {
        let thread = machines.iter().position(|machine| receives(*machine, name));
        let symbol = ensemble.symbols.find(|known| known == name).map_or(0, |symbol| symbol.index());
        let read = |thread| (AcceptorId::from_index(thread), SymbolId::from_index(symbol));
        thread.map(read).into_iter().collect()
    };
    let slot = |gap: &Gap| match gap {
        Gap::Kept(names) => names.iter().map(|name| Segment::Fixed(item(name))).collect::<Vec<Segment>>(),
        Gap::Added(ours, theirs) => {
            vec![Segment::Gap([ours, theirs].map(|names| names.iter().map(item).collect()))]
        }
    };
    let segments = merging.parts.iter().flat_map(slot).collect();
    let acceptors = machines.iter().map(|machine| acceptor(ensemble, *machine)).collect();
    OrderProblem { acceptors, segments }
}

/// What a machine receives; steps without trigger happen whenever they can (D14).
fn acceptor(ensemble: &GeneratedEnsemble, machine: PlainId) -> Acceptor {
    let plain = &ensemble.machines[machine];
    let count = plain.states.len();
    let mut settled: Vec<StateSet> = (0..count).map(|state| [state].into_iter().collect()).collect();
    // A way without trigger visits each state once.
    for _ in 0..count {
        for arc in plain.arcs.iter().filter(|arc| arc.trigger.is_none()) {
            for from in &mut settled {
                if from.contains(arc.from.index()) {
                    from.insert(arc.to.index());
                }
            }
        }
    }
    let row = |symbol: Symbol| -> Vec<StateSet> {
        let mut row = vec![StateSet::default(); count];
        for arc in plain.arcs.iter().filter(|arc| arc.trigger == Some(symbol)) {
            row[arc.from.index()].join(&settled[arc.to.index()]);
        }
        row
    };
    let moves: IdVec<SymbolId, Vec<StateSet>> = ensemble.symbols.ids().map(row).collect();
    Acceptor { start: StateSet::below(count), moves }
}
