//! Random properties of random diagrams against the definitions, taken literally: traces of the property are listed by the
//! naive reference, and looked for in each listed trace of the model as they are.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::{find, find_by_order};
use sequent_engine::search::{self, SearchAnswer, unwatched};
use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Block, Fragment, Guard, Interaction, InteractionId, MessageId, MessageType, Mode, Model, Operand,
    Operator,
};
use sequent_kernel::property::{AssertGoal, Assertion, Negative, Observer};
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::{EventId, System, TraceClass};
use sequent_notation::plantuml::print::sequence;
use sequent_testing::seeds::seeds;

use crate::simulate::Reader;
use crate::{naive, random};

/// An event text, taken apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Parts {
    sign: String,
    from: String,
    to: String,
    name: String,
    arguments: Vec<String>,
}

fn parts(text: &str) -> Parts {
    if let Some(name) = text.strip_prefix("x:") {
        let (sign, from) = ("x".to_owned(), name.to_owned());
        return Parts { sign, from, to: String::new(), name: String::new(), arguments: Vec::new() };
    }
    let (sign, rest) = text.split_at(1);
    let (from, rest) = rest.split_once("->").expect("an arrow");
    let (to, rest) = rest.split_once(':').expect("a message");
    let (name, arguments) = rest.split_once('(').unwrap_or((rest, ")"));
    let arguments = arguments.trim_end_matches(')').split(',').filter(|one| !one.is_empty());
    let [sign, from, to, name] = [sign, from, to, name].map(str::to_owned);
    Parts { sign, from, to, name, arguments: arguments.map(str::to_owned).collect() }
}

impl Parts {
    fn lifeline(&self) -> &str {
        if self.sign == "?" { &self.to } else { &self.from }
    }

    /// Whether an event of a run is this one of a property.
    fn matches(&self, event: &Parts) -> bool {
        let end = |asked: &String, known: &String| asked.is_empty() || asked == known;
        self.sign == event.sign
            && self.name == event.name
            && end(&self.from, &event.from)
            && end(&self.to, &event.to)
            && event.arguments.starts_with(&self.arguments)
    }
}

type Word = Vec<Parts>;

fn is_prefix(trace: &[Parts], run: &[Parts]) -> bool {
    trace.len() <= run.len() && trace.iter().zip(run).all(|(asked, event)| asked.matches(event))
}

fn is_subsequence(trace: &[Parts], run: &[Parts]) -> bool {
    let mut run = run.iter();
    trace.iter().all(|asked| run.any(|event| asked.matches(event)))
}

fn named(types: &[String]) -> Vec<MessageType> {
    types.iter().map(MessageType::named).collect()
}

/// Which types may lie in between, and which may not although anything may.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Between {
    Plain,
    Ignore(Vec<String>),
    Consider(Vec<String>),
}

impl Between {
    fn of(seed: u64) -> Between {
        let types = vec![format!("m{}", 1 + seed / 3 % 6), format!("m{}", 1 + seed / 18 % 6)];
        match seed % 3 {
            0 => Between::Plain,
            1 => Between::Ignore(types),
            _ => Between::Consider(types),
        }
    }

    fn allows(&self, event: &Parts, mode: Mode) -> bool {
        let is_message = event.sign != "x";
        match self {
            Between::Plain => mode == Mode::Strong,
            Between::Ignore(types) => mode == Mode::Strong || (is_message && types.contains(&event.name)),
            Between::Consider(types) => (mode == Mode::Strong || is_message) && !types.contains(&event.name),
        }
    }

    /// The content of a property, with what it says about what lies in between.
    fn around(&self, content: Block) -> Block {
        let operator = match self {
            Between::Plain => return content,
            Between::Ignore(types) => Operator::Ignore(named(types)),
            Between::Consider(types) => Operator::Consider(named(types)),
        };
        Block(vec![around(operator, Guard::Absent, content)])
    }
}

/// Whether what is left of a trace goes on here, or after what may lie in between.
fn continues(trace: &[Parts], run: &[Parts], between: &Between, mode: Mode) -> bool {
    let Some((asked, rest)) = trace.split_first() else { return true };
    let Some((event, run)) = run.split_first() else { return false };
    let is_next = asked.matches(event) && continues(rest, run, between, mode);
    let lies_between = || between.allows(event, mode) && continues(trace, run, between, mode);
    is_next || lies_between()
}

/// What a run contains, by the definition.
fn contains(invalid: &BTreeSet<Word>, run: &[Parts], between: &Between, mode: Mode) -> bool {
    invalid.iter().filter(|trace| !trace.is_empty()).any(|trace| {
        let begins = |at: &usize| trace[0].matches(&run[*at]);
        (0..run.len()).filter(begins).any(|at| continues(&trace[1..], &run[at + 1..], between, mode))
    })
}

/// What precedes an assertion on a lifeline, with what may then follow there.
type Pairs = BTreeMap<Word, BTreeSet<Word>>;

/// Whether something precedes an assertion on a lifeline.
fn has_trigger(pairs: &Pairs) -> bool {
    pairs.keys().any(|before| !before.is_empty())
}

/// What may follow an event of a run on a lifeline, for each way in which it completes what precedes the assertion.
fn due<'p>(pairs: &'p Pairs, run: &[Parts], at: usize) -> Vec<&'p BTreeSet<Word>> {
    let happened = pairs.iter().filter(|(before, _)| {
        before
            .split_last()
            .is_some_and(|(last, rest)| last.matches(&run[at]) && is_subsequence(rest, &run[..at]))
    });
    happened.map(|(_, after)| after).collect()
}

/// Whether a run on a lifeline, on which something precedes an assertion, leaves it, by the definition.
fn leaves(pairs: &Pairs, run: &[Parts]) -> bool {
    (0..run.len()).any(|at| {
        let due = due(pairs, run, at);
        let comes = |after: &&BTreeSet<Word>| after.iter().any(|trace| is_prefix(trace, &run[at + 1..]));
        !due.is_empty() && !due.iter().any(comes)
    })
}

/// Whether a run on a lifeline, on which nothing precedes an assertion, leaves it; it may be that nothing need come.
fn leaves_first(pairs: &Pairs, run: &[Parts], must_come: bool) -> bool {
    let begins = |trace: &Word| trace.len() > run.len() && is_prefix(&trace[..run.len()], run);
    let fits = |trace: &Word| is_prefix(trace, run) || (!must_come && begins(trace));
    pairs.values().any(|after| !after.iter().any(fits))
}

/// Whether a run leaves an assertion, by the definition.
fn leaves_any(all: &BTreeMap<String, Pairs>, run: &[Parts]) -> bool {
    let on = |name: &str| run.iter().filter(|event| event.lifeline() == name).cloned().collect::<Word>();
    let is_due = |name: &str, pairs: &Pairs| {
        let run = on(name);
        (0..run.len()).any(|at| !due(pairs, &run, at).is_empty())
    };
    let must_come = !all.values().any(has_trigger) || all.iter().any(|(name, pairs)| is_due(name, pairs));
    all.iter().any(|(name, pairs)| match has_trigger(pairs) {
        true => leaves(pairs, &on(name)),
        false => leaves_first(pairs, &on(name), must_come),
    })
}

/// A small model and its runs; `None` if there are too many.
struct Subject {
    model: Model,
    interaction: Interaction,
    system: System,
    runs: Vec<(Vec<EventId>, Word)>,
}

fn subject(seed: u64, assumptions: &Assumptions) -> Option<Subject> {
    let model = random::model(seed);
    let system = lower(&model, InteractionId::from_index(0), assumptions).ok()?;
    let traces = Traces::explore(&system, TraceLimits { sets: 3_000, ..TraceLimits::default() }).ok()?;
    let (listed, is_all) = traces.list_of(TraceClass::Valid, 300);
    let interaction = model.interactions[InteractionId::from_index(0)].clone();
    if !is_all || traces.is_strained() || listed.is_empty() || interaction.messages.is_empty() {
        return None;
    }
    let ids: BTreeMap<&str, EventId> =
        system.events.enumerate().map(|(id, event)| (event.text.as_str(), id)).collect();
    let runs = listed.iter().map(|trace| {
        let events = trace.iter().map(|text| ids[text]).collect();
        (events, trace.iter().map(|text| parts(text)).collect())
    });
    let runs = runs.collect();
    Some(Subject { model, interaction, system, runs })
}

/// A small diagram whose messages are mostly those of another, perhaps without their arguments.
fn property(seed: u64, subject: &Interaction) -> Option<Interaction> {
    let model = random::model(seed ^ 0x00ab_cdef);
    if model.interactions.len() > 1 {
        return None;
    }
    let mut own = model.interactions[InteractionId::from_index(0)].clone();
    own.lifelines = random::lifelines();
    own.orderings.clear();
    for (index, message) in own.messages.iter_mut().enumerate() {
        let pick = (seed as usize).wrapping_mul(31).wrapping_add(index * 7) % subject.messages.len();
        *message = subject.messages[MessageId::from_index(pick)].clone();
        if (seed as usize + index).is_multiple_of(3) {
            message.arguments = None;
        }
    }
    Some(own)
}

/// Takes out of a block what is told otherwise in a property, or not at all.
fn without(block: &Block, unwanted: &dyn Fn(&Fragment) -> bool) -> Block {
    let kept = block.0.iter().filter(|fragment| !unwanted(fragment)).cloned();
    let kept = kept.map(|mut fragment| {
        if let Fragment::Combined(combined) = &mut fragment {
            combined
                .operands
                .iter_mut()
                .for_each(|operand| operand.block = without(&operand.block, unwanted));
        }
        fragment
    });
    Block(kept.collect())
}

fn is_told_otherwise(fragment: &Fragment) -> bool {
    matches!(fragment, Fragment::Combined(combined)
        if matches!(combined.operator, Operator::Ignore(_) | Operator::Consider(_) | Operator::Not))
}

fn is_endless(block: &Block) -> bool {
    block.0.iter().any(|fragment| match fragment {
        Fragment::Combined(combined) => {
            let is_loop = matches!(combined.operator, Operator::Loop(bounds)
                if bounds.min.is_none() || bounds.max.is_none_or(|max| max >= 1_000));
            is_loop || combined.operands.iter().any(|operand| is_endless(&operand.block))
        }
        _ => false,
    })
}

fn around(operator: Operator, guard: Guard, block: Block) -> Fragment {
    let place = random::place();
    Fragment::Combined(random::combined(
        operator,
        vec![Operand { guard, title: None, colour: None, block, place }],
    ))
}

/// Both diagrams as one model.
fn together(subject: &Subject, property: &Interaction) -> (Model, InteractionId) {
    let mut model = subject.model.clone();
    let id = model.interactions.push(property.clone());
    (model, id)
}

/// A length that no trace of a finite set has.
const ALL: usize = 64;

/// The traces of a diagram up to a length, by the naive reference.
fn classes(
    property: &Interaction,
    assumptions: &Assumptions,
    length: usize,
) -> Option<naive::ClassifiedTraces> {
    let interactions: IdVec<InteractionId, Interaction> = [property.clone()].into_iter().collect();
    let model = Model { interactions, ..Model::default() };
    let bounds = naive::ListingBounds { choices: 1_000, steps: 6_000, length };
    naive::traces(&model, assumptions, bounds)
}

fn words(traces: &naive::TraceSet) -> BTreeSet<Word> {
    traces.iter().map(|trace| trace.iter().map(|text| parts(text)).collect()).collect()
}

fn shown(seed: u64, subject: &Subject, property: &Interaction, assumptions: &Assumptions) -> String {
    format!("seed {seed} {assumptions:?}\n{}{}", sequence(&subject.interaction), sequence(property))
}

fn assumptions(seed: u64) -> Assumptions {
    if seed.is_multiple_of(2) { Assumptions::default() } else { random::assumptions(seed) }
}

/// Compares an observer of `neg` with the definition; how many runs contained something, and did not.
/// To leave out orders of events that an observer does not care for changes no answer.
fn in_any_order<O: Observer>(system: &System, observer: &O, what: impl Fn() -> String) {
    let program = Program::new(system);
    let limits = search::Limits::default();
    let full = find(&mut StateGraph::new(&program), observer, &limits, &unwatched).answer;
    let Some(reduced) = find_by_order(&program, observer, &limits, &unwatched) else { return };
    match (&full, &reduced.answer) {
        (SearchAnswer::Found(_), SearchAnswer::Found(run)) => {
            replay(system, run).expect("it is a run");
        }
        (full, reduced) => assert_eq!(full, reduced, "{}", what()),
    }
}

fn compare_negative(seed: u64) -> Option<[usize; 2]> {
    let assumptions = assumptions(seed);
    let subject = subject(seed, &assumptions)?;
    let mut own = property(seed, &subject.interaction)?;
    let content = without(&own.body, &is_told_otherwise);
    // What is longer than every run is in none of them.
    let longest = subject.runs.iter().map(|(run, _)| run.len()).max().unwrap_or(0);
    let length = if is_endless(&content) { longest } else { ALL };
    if is_endless(&content) && longest > 6 {
        return None;
    }
    let between = Between::of(seed);
    // A frame around the content encloses it as `ignore` does, and adds nothing.
    let framed = match between {
        Between::Plain => content.clone(),
        Between::Ignore(_) | Between::Consider(_) => {
            Block(vec![around(Operator::Seq, Guard::Absent, content.clone())])
        }
    };
    own.body = Block(vec![around(Operator::Neg, Guard::Absent, framed)]);
    own.body.number_fragments();
    let invalid = words(&classes(&own, &assumptions, length)?.invalid);
    own.body = Block(vec![around(Operator::Neg, Guard::Absent, between.around(content))]);
    own.body.number_fragments();
    let (model, id) = together(&subject, &own);
    let mut counts = [0; 2];
    for mode in [Mode::Strong, Mode::Weak] {
        let negative = Negative::new(&model, id, &subject.system, &assumptions, mode).expect("it is lowered");
        in_any_order(&subject.system, &negative, || shown(seed, &subject, &own, &assumptions));
        let mut reader = Reader::new(&negative);
        for (run, word) in &subject.runs {
            let expected = contains(&invalid, word, &between, mode);
            counts[usize::from(expected)] += 1;
            let what = || shown(seed, &subject, &own, &assumptions);
            let accepts = reader.accepts(run);
            // With a narrow window something may be missed, and that is told.
            if expected && negative.is_strained() {
                continue;
            }
            assert_eq!(accepts, expected, "{mode:?} {word:?}\n{}", what());
            let witness = negative.witness(run);
            assert_eq!(witness.is_some(), expected, "witness {mode:?} {word:?}\n{}", what());
            if let Some(witness) = witness {
                let trace: Word = witness.iter().map(|at| word[*at].clone()).collect();
                assert!(invalid.iter().any(|one| one.len() == trace.len() && is_prefix(one, &trace)));
                let is_one = || witness.windows(2).all(|pair| pair[0] + 1 == pair[1]);
                assert!(mode == Mode::Strong || between != Between::Plain || is_one());
            }
        }
    }
    Some(counts)
}

/// What precedes and follows on each lifeline of the assertion; the messages of the assertion are told by a sign.
fn pairs(
    own: &Interaction,
    above: &Block,
    inside: &Block,
    assumptions: &Assumptions,
) -> Option<BTreeMap<String, Pairs>> {
    let mut drawn = Vec::new();
    random::messages(inside, &mut drawn);
    let mut marked = own.clone();
    drawn.iter().for_each(|id| marked.messages[*id].name += "'");
    let alone = Interaction { body: above.clone(), ..own.clone() };
    let mut body = above.0.clone();
    body.push(around(Operator::Seq, Guard::Absent, inside.clone()));
    marked.body = Block(body);
    marked.body.number_fragments();
    let ends = |id: &MessageId| [own.messages[*id].from, own.messages[*id].to];
    let mut lifelines: Vec<_> = drawn.iter().flat_map(ends).filter_map(|end| end.lifeline()).collect();
    Interaction { body: inside.clone(), ..own.clone() }.walk(&mut |fragment, _| {
        if let Fragment::Invariant(invariant) = fragment {
            lifelines.extend(&invariant.lifelines);
        }
    });
    let mut all: BTreeMap<String, Pairs> =
        lifelines.into_iter().map(|id| (own.lifelines[id].name.clone(), Pairs::new())).collect();
    // What precedes may happen although nothing that follows is allowed then.
    for trace in words(&classes(&alone, assumptions, ALL)?.valid) {
        for (name, pairs) in &mut all {
            pairs
                .entry(trace.iter().filter(|event| event.lifeline() == name).cloned().collect())
                .or_default();
        }
    }
    for trace in words(&classes(&marked, assumptions, ALL)?.valid) {
        for (name, pairs) in &mut all {
            let on = trace.iter().filter(|event| event.lifeline() == name);
            let (after, before): (Word, Word) = on.cloned().partition(|event| event.name.ends_with('\''));
            let unmarked =
                |event: Parts| Parts { name: event.name.trim_end_matches('\'').to_owned(), ..event };
            pairs.entry(before).or_default().insert(after.into_iter().map(unmarked).collect());
        }
    }
    Some(all)
}

/// A run without one of its events, and without those of one lifeline. No model has such runs, but whoever reads them does
/// not know: here what is due on a lifeline does not come although it does on the others.
fn shortened((run, word): &(Vec<EventId>, Word), at: usize) -> Vec<(Vec<EventId>, Word)> {
    let Some(cut) = at.checked_rem(word.len()) else { return Vec::new() };
    let kept = |keeps: &dyn Fn(usize) -> bool| {
        let kept = (0..word.len()).filter(|at| keeps(*at));
        kept.map(|at| (run[at], word[at].clone())).unzip()
    };
    vec![kept(&|at| at != cut), kept(&|at| word[at].lifeline() != word[cut].lifeline())]
}

fn compare_assertion(seed: u64) -> Option<[usize; 2]> {
    let assumptions = assumptions(seed);
    let subject = subject(seed, &assumptions)?;
    let mut own = property(seed, &subject.interaction)?;
    let unwanted = |fragment: &Fragment| {
        let is_negative =
            matches!(fragment, Fragment::Combined(combined) if combined.operator == Operator::Neg);
        is_told_otherwise(fragment) || is_negative || matches!(fragment, Fragment::Stop(_))
    };
    let content = without(&own.body, &unwanted);
    // A second assert at the top would be the property, and after a break there would be none.
    let is_other = |fragment: &Fragment| matches!(fragment, Fragment::Combined(one) if matches!(one.operator, Operator::Assert | Operator::Break));
    if is_endless(&content) || content.0.iter().any(is_other) {
        return None;
    }
    let cut = content.0.len() / 2;
    let (above, inside) = (Block(content.0[..cut].to_vec()), Block(content.0[cut..].to_vec()));
    // What is demanded are valid traces.
    let mut allowed = assumptions.clone();
    allowed.switches.invalid_if_false = false;
    let pairs = pairs(&own, &above, &inside, &allowed)?;
    // Guards that contradict each other demand what cannot be, or after what cannot be.
    if pairs.values().any(|pairs| pairs.is_empty() || pairs.values().any(|after| after.is_empty())) {
        return None;
    }
    let mut body = above.0;
    body.push(around(Operator::Assert, Guard::Absent, inside));
    own.body = Block(body);
    own.body.number_fragments();
    let (model, id) = together(&subject, &own);
    let assertion = Assertion::new(&model, id, &subject.system, &assumptions, AssertGoal::Violation)
        .expect("it is lowered");
    in_any_order(&subject.system, &assertion, || shown(seed, &subject, &own, &assumptions));
    let mut reader = Reader::new(&assertion);
    let mut counts = [0; 2];
    let cut = (0..subject.runs.len()).flat_map(|at| shortened(&subject.runs[at], at + seed as usize));
    for (run, word) in subject.runs.iter().cloned().chain(cut) {
        let (run, word) = (&run, &word);
        let expected = leaves_any(&pairs, word);
        counts[usize::from(expected)] += 1;
        let what = || shown(seed, &subject, &own, &assumptions);
        assert_eq!(reader.accepts(run), expected, "{word:?}\n{}{pairs:#?}", what());
        assert_eq!(assertion.breach(run).is_some(), expected, "breach {word:?}\n{}", what());
    }
    Some(counts)
}

fn agree(usual: u64, compare: impl Fn(u64) -> Option<[usize; 2]>) {
    let mut compared = 0;
    let mut counts = [0; 2];
    for seed in seeds(usual) {
        if let Some([without, with]) = compare(seed) {
            compared += 1;
            counts = [counts[0] + without, counts[1] + with];
        }
    }
    println!("{compared} properties, {} runs without and {} with a violation", counts[0], counts[1]);
    assert!(
        compared * 5 > usual as usize && counts.iter().all(|count| *count > 100),
        "{compared} {counts:?}"
    );
}

#[test]
fn what_is_forbidden() {
    agree(250, compare_negative);
}

#[test]
fn what_is_demanded() {
    agree(400, compare_assertion);
}
