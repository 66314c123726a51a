//! Observers that read together accept what each of them accepts.

use sequent_kernel::property::Observer;
use sequent_kernel::property::joint::{Both, Joint};
use sequent_kernel::property::ltl::Automaton;

use crate::random::{self, Numbers};
use crate::syntax::{formula, text};
use crate::word::{accepts, bound, lasso, system};

#[test]
fn observers_read_together() {
    let system = system();
    for seed in 0..150 {
        let mut numbers = Numbers(seed);
        let formulas: Vec<_> = (0..3).map(|_| random::formula(&mut numbers, 2)).collect();
        let automata: Vec<Automaton> =
            formulas.iter().map(|one| Automaton::of(&bound(one, &system)).expect("it is small")).collect();
        let joint = Joint::new(automata.clone()).expect("they have few marks");
        let both = Both::new(automata[0].clone(), joint.clone()).expect("they have few marks");
        for _ in 0..8 {
            let lasso = lasso(&mut numbers);
            let expected = automata.iter().all(|automaton| accepts(automaton, &lasso));
            let name = || format!("{:?} on {lasso:?}", formulas.iter().map(text).collect::<Vec<_>>());
            assert_eq!(accepts(&joint, &lasso), expected, "{}", name());
            assert_eq!(accepts(&both, &lasso), expected, "{}", name());
        }
    }
}

/// A hundred things that must each come once need one mark; a hundred that come again and again need too many.
#[test]
fn observers_that_settle_share_a_mark() {
    let system = system();
    let automaton = |text: &str| Automaton::of(&bound(&formula(text), &system)).expect("it is small");
    let once = Joint::new(vec![automaton("F p"); 100]).expect("one is enough");
    assert_eq!((once.marks(), once.settles()), (1, true));
    let mixed =
        Joint::new(vec![automaton("F p"), automaton("G F q"), automaton("G !r")]).expect("two are enough");
    assert_eq!((mixed.marks(), mixed.settles()), (2, false));
    assert!(Joint::new(vec![automaton("G F p"); 65]).is_err());
    assert!(Joint::new(vec![automaton("G F p"); 64]).is_ok());
    assert_eq!(Joint::<Automaton>::new(Vec::new()).map(|none| none.marks()), Ok(0));
}
