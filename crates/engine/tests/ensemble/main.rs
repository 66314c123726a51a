//! Ensembles of P4: its definitions written down directly, against the lowering and the searches; its crafted models; its
//! reduction of satisfiability (`SEQUENT_RANDOM=3000` for more).

mod crafted;
mod formulas;
mod goals;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::search::{Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_engine::transactions::Transactions;
use sequent_evaluation::generate::{EnsembleInstance, LoweredInstance};
use sequent_kernel::id::Id;
use sequent_kernel::system::ComponentId;
use sequent_testing::ensemble as naive;

/// The least number of transactions to a goal, by explicit search; `None` if it is never reached.
fn least(instance: &EnsembleInstance) -> Option<u32> {
    let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is flat");
    let goal = goal.expect("a goal is asked about");
    let program = Program::new(&objects.system);
    let count = objects.structure.objects.len();
    let counts = |component: ComponentId| component.index() < count;
    let transactions = Transactions::new(&counts, 5_000_000, &unwatched);
    let mut graph = StateGraph::new(&program);
    let is_wanted = &mut |graph: &mut StateGraph<'_>, node| graph.holds(goal, node);
    let found = transactions.nearest(&mut graph, None, is_wanted).expect("it is small");
    found.map(|reached| reached.distance)
}

/// Whether a goal is ever reached, by explicit search.
fn is_reachable(instance: &EnsembleInstance) -> bool {
    let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is flat");
    let program = Program::new(&objects.system);
    let options = SearchOptions { reduction: Reduction::None, ..SearchOptions::default() };
    let quest = SearchGoal::Goal(goal.expect("a goal is asked about"));
    match Search::run(&program, quest, &options, &unwatched).answer {
        SearchAnswer::Found(_) => true,
        SearchAnswer::Exhausted => false,
        SearchAnswer::Stopped(stop) => panic!("{stop:?}"),
    }
}
