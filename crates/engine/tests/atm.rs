//! The cash machine of P2: guards that join words, its traces under each valuation, and what its properties say of them.

use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::{Assumptions, guards, lower};
use sequent_testing::diagram;

const ATM: &str = "user ->> atm : insertCard\natm ->> bank : verifyCard
alt cardOK
bank ->> atm : cardValid\natm ->> user : waitPIN\nuser ->> atm : enterPIN\natm ->> bank : verifyPIN
else
bank ->> atm : cardInvalid\natm ->> user : ejectCard
end
alt cardOK & PINok
bank ->> atm : pinValid\natm ->> user : waitAccount\nuser ->> atm : account\natm ->> user : waitOperation
user ->> atm : cashAdvance\natm ->> bank : checkFunds
alt funds
bank ->> atm : fundsOK\natm ->> bank : debit\natm ->> user : pickCash
else
bank ->> atm : noFunds\natm ->> user : insufficientFunds
end
else cardOK & !PINok
bank ->> atm : pinInvalid\natm ->> user : ejectCard
end
atm ->> user : ejectCard
";

/// The traces under a valuation of cardOK, PINok and funds, and how many of them violate properties i, ii (strong and
/// weak until), iii and iv.
fn row(text: &str, [card, pin, funds]: [bool; 3]) -> [usize; 6] {
    let model = diagram::model(text);
    let id = InteractionId::from_index(0);
    let values = [("cardOK", card), ("PINok", pin), ("funds", funds)];
    let guards = values.map(|(name, value)| (name.to_owned(), value)).into();
    let system = lower(&model, id, &Assumptions { guards, ..Assumptions::default() }).expect("it is lowered");
    let traces = Traces::explore(&system, TraceLimits::default()).expect("it is small");
    let (traces, is_all) = traces.list(usize::MAX);
    assert!(is_all);
    let has = |trace: &[&str], event: &str| trace.contains(&event);
    let pick = "?atm->user:pickCash";
    let debit = "?atm->bank:debit";
    let until = |trace: &Vec<&str>| {
        let bank = trace.iter().position(|event| *event == debit);
        let user = trace.iter().position(|event| *event == pick);
        (bank.is_some_and(|bank| user.is_none_or(|user| bank < user)), user.is_none())
    };
    let after = |trace: &Vec<&str>, first: &str, then: &dyn Fn(&str) -> bool| {
        let at = trace.iter().position(|event| *event == first);
        at.map(|at| trace[at + 1..].iter().any(|event| then(event)))
    };
    let violated = [
        traces.iter().filter(|trace| !(card && pin) && has(trace, "?atm->user:waitAccount")).count(),
        traces.iter().filter(|trace| !until(trace).0).count(),
        traces.iter().filter(|trace| !until(trace).0 && !until(trace).1).count(),
        traces
            .iter()
            .filter(|trace| {
                after(trace, "?atm->user:insufficientFunds", &|event| event == "!atm->user:waitOperation")
                    == Some(false)
            })
            .count(),
        traces
            .iter()
            .filter(|trace| {
                after(trace, "?atm->user:ejectCard", &|event| event.starts_with("!atm->user:")) == Some(true)
            })
            .count(),
    ];
    let mut row = [traces.len(); 6];
    row[1..].copy_from_slice(&violated);
    row
}

/// The rows of all valuations: 1 1 1, 1 1 0, 1 0 *, 0 * *.
fn rows(text: &str) -> [[usize; 6]; 4] {
    let [t, f] = [true, false];
    let no_pin = row(text, [t, f, t]);
    assert_eq!(no_pin, row(text, [t, f, f]));
    let no_card = row(text, [f, t, t]);
    for rest in [[f, t, f], [f, f, t], [f, f, f]] {
        assert_eq!(no_card, row(text, rest));
    }
    [row(text, [t, t, t]), row(text, [t, t, f]), no_pin, no_card]
}

#[test]
fn each_valuation_has_its_traces() {
    let expected = [[10, 0, 5, 5, 0, 0], [2, 0, 2, 0, 2, 0], [2, 0, 2, 0, 0, 1], [2, 0, 2, 0, 0, 1]];
    assert_eq!(rows(ATM), expected);
}

#[test]
fn words_are_what_is_assumed() {
    assert_eq!(guards(&diagram::model(ATM), InteractionId::from_index(0)), ["PINok", "cardOK", "funds"]);
}

#[test]
fn repairs() {
    let debited = ATM.replace("atm ->> bank : debit\n", "atm ->> bank : debit\nbank ->> atm : debited\n");
    let second = rows(&debited);
    assert_eq!((second[0][0], second.map(|row| row[3])), (2, [0; 4]));
    let again = "insufficientFunds\natm ->> user : waitOperation\n";
    assert_ne!(rows(&ATM.replace("insufficientFunds\n", again)).map(|row| row[4]), [0; 4]);
    let acknowledged = "insufficientFunds\nuser ->> atm : ok\natm ->> user : waitOperation\n";
    assert_eq!(rows(&ATM.replace("insufficientFunds\n", acknowledged)).map(|row| row[4]), [0; 4]);
    let once = ATM.replace("Invalid\natm ->> user : ejectCard\n", "Invalid\n");
    assert_eq!(rows(&once).map(|row| row[5]), [0; 4]);
}

#[test]
fn too_many_words_are_refused() {
    let words: Vec<String> = (0..11).map(|number| format!("w{number}")).collect();
    let text = format!("opt {}\na ->> b : m\nend\n", words.join(" & "));
    let model = diagram::model(&text);
    let refused = lower(&model, InteractionId::from_index(0), &Assumptions::default());
    assert!(refused.is_err_and(|problem| problem.what.contains("10 words")));
    let system = diagram::system(&text.replace(" & w10", ""));
    let traces = Traces::explore(&system, TraceLimits::default()).expect("it is small");
    assert_eq!(traces.count(), sequent_engine::traces::TraceCount::Finite(2_u32.into()));
}
