//! Random formulas: the automaton of what violates one accepts exactly the words on which it is false by its definition.

use sequent_engine::sat::encode::table;
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::random::Random;
use sequent_report::export::{Legend, ObserverReader, hoa_question};
use sequent_testing::seeds::seeds;

use crate::naive;
use crate::random;
use crate::reader::read;
use crate::spot::Spot;
use crate::syntax::text;
use crate::word::{Lasso, WordPosition, bound, lasso, system};
use crate::words::Word;

/// The letters of a lasso after its start.
pub(crate) fn word(lasso: &Lasso) -> Word {
    let letter = |position: &WordPosition| {
        let mut letter: Vec<String> =
            (0..3).filter(|state| position.holds[*state]).map(|state| format!("s{state}")).collect();
        letter.extend(match position.moment {
            Moment::Event(event) => Some(format!("!a->b:{}", ["p", "q", "r", "x"][event.index()])),
            Moment::End => Some("end".to_owned()),
            Moment::Stuck => Some("stuck".to_owned()),
            Moment::Start | Moment::Silent => None,
        });
        letter
    };
    Word {
        prefix: lasso.prefix[1..].iter().map(letter).collect(),
        cycle: lasso.cycle.iter().map(letter).collect(),
    }
}

#[test]
fn what_violates_a_formula_is_accepted_and_nothing_else() {
    let system = system();
    let (mut compared, mut accepted, mut deterministic, mut written) = (0, 0, 0, 0);
    let mut files = String::new();
    let seeds = seeds(400);
    let tries = seeds.count_left();
    for seed in seeds {
        let mut numbers = Random::new(seed);
        let depth = 1 + numbers.below(4);
        let formula = random::formula(&mut numbers, depth);
        let Ok(violation) = LtlAutomaton::violation(&bound(&formula, &system)) else { continue };
        let Ok(table) = table::written(&system, &violation) else { continue };
        let legend = Legend::new();
        let reader = ObserverReader { system: &system, legend: &legend, table: &table };
        let name = text(&formula);
        let file = hoa_question(&reader, &name, &[]).expect("it is small");
        let [automaton] = read(&file).try_into().expect("one automaton");
        assert_eq!(automaton.name, name);
        automaton.keeps_its_word();
        written += 1;
        files += &file;
        deterministic += u64::from(automaton.properties.contains("deterministic"));
        for _ in 0..6 {
            let mut lasso = lasso(&mut numbers);
            // Nothing is true where runs of this system begin.
            let start = lasso.prefix[0].holds;
            lasso.prefix[0].holds = [false; 3];
            if lasso.prefix.len() == 1 && lasso.cycle[0].holds == start && lasso.cycle.len() == 1 {
                lasso.cycle[0].holds = [false; 3];
            }
            let expected = !naive::holds(&formula, &lasso, 0);
            assert_eq!(
                automaton.accepts(&word(&lasso)),
                expected,
                "seed {seed}: {name} on {lasso:?}\n{file}"
            );
            compared += 1;
            accepted += u64::from(expected);
        }
    }
    if let Some(spot) = Spot::find("formulas") {
        let count = |property: &[&str]| spot.count(&files, property).map(|count| count as u64);
        assert!(count(&[]).is_none_or(|count| count == written));
        // Where it is hard to see we do not say so.
        assert!(count(&["--is-deterministic"]).is_none_or(|count| count >= deterministic));
    }
    assert!(compared > 5 * tries && accepted > tries, "{compared} compared, {accepted} accepted");
    assert!(deterministic > tries / 4 && deterministic < tries, "{deterministic} deterministic");
}
