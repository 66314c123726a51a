//! A model in which everything occurs: every variant of every enum, every optional value once given and once not.
//!
//! It makes no sense as a system. The macro [`every!`] lists the variants of an enum and does not compile when one is
//! missing, so a construct that is new in the kernel has to be added here.

mod interaction;
mod machine;
mod picture;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::formula::{Atom, Formula, FormulaNode, FormulaWord, Unary};
use sequent_kernel::model::*;
use sequent_kernel::source::{Place, Sources, Span};

/// One value of each variant of an enum, in a vector; a missing variant does not compile.
macro_rules! every {
    ($type:ident { $($variant:ident $(($($data:tt)*))? $({$($field:tt)*})?),* $(,)? }) => {{
        fn _is_complete(value: &$type) {
            match value { $($type::$variant { .. } => {})* }
        }
        vec![$($type::$variant $(($($data)*))? $({$($field)*})?),*]
    }};
}
pub(crate) use every;

/// The model and the one file all its places lie in.
pub(crate) fn model() -> (Model, Sources) {
    let mut sources = Sources::new();
    let file = sources.add("everything.puml", "één\nzwei\n");
    let place = Place(Span::new(file, 2, 8));
    let mut model = Model::default();
    let interaction = model.interactions.push(interaction::bare(place));
    model.interactions.push(interaction::full(place, interaction));
    let machine = model.machines.push(machine::bare(place));
    model.machines.push(machine::full(place));
    for flow in every!(Flow { Down, Right }) {
        model.machines.push(Machine { flow: Some(flow), ..machine::bare(place) });
    }
    model.system = SystemSettings {
        communication: Some(Communication::Queue),
        capacity: Some(3),
        steps: Some(Steps::Direct),
        completion: Some(Completion::Free),
        closed: Some(true),
        fairness: Some(Scheduling::Weak),
        effects: Effects::default(),
        objects: vec![(text("b"), text("Bank"), place)],
        links: vec![(text("a1.port"), text("b"), place)],
    };
    structure(&mut model, place);
    picture::add(&mut model, place);
    model.checks = checks(place, interaction, machine);
    for must_come in [false, true] {
        model.known.push(KnownFinding { code: Code::UnbalancedActivation, must_come, diagram: place, place });
    }
    (model, sources)
}

/// Models that differ from [`model`] in what can occur only once.
pub(crate) fn media() -> Vec<Model> {
    let media = every!(Communication { Queue, Bag, Rendezvous });
    let system = |medium| SystemSettings { communication: Some(medium), ..SystemSettings::default() };
    let steps = every!(Steps { Intermediate, Direct });
    let taken = |steps| SystemSettings { steps: Some(steps), ..SystemSettings::default() };
    let orders = every!(Completion { Queued, Free });
    let ordered = |order| SystemSettings { completion: Some(order), ..SystemSettings::default() };
    let systems = media.into_iter().map(system).chain(steps.into_iter().map(taken));
    let systems = systems.chain(orders.into_iter().map(ordered));
    let scheduled = |how| SystemSettings { fairness: Some(how), ..SystemSettings::default() };
    let systems = systems.chain(every!(Scheduling { Weak, Strong, Unfair }).into_iter().map(scheduled));
    let systems = systems.map(|system| Model { system, ..Model::default() });
    systems.chain(picture::flows()).collect()
}

/// An owned text.
pub(crate) fn text(text: &str) -> String {
    text.to_owned()
}

/// Conditions with and without an expression, over every kind of expression.
pub(crate) fn conditions(place: Place) -> Vec<Condition> {
    let prose = Condition { text: text("the card is valid"), expression: None, place };
    let parsed = |expression| Condition { text: text("x"), expression: Some(expression), place };
    std::iter::once(prose).chain(expressions().into_iter().map(parsed)).collect()
}

/// Arguments: named and not, values and prose; also no list and an empty one.
pub(crate) fn argument_lists() -> Vec<Option<Vec<Argument>>> {
    let named =
        Argument { name: Some(text("ok")), text: text("false"), value: Some(Expression::Bool(false)) };
    let prose = Argument { name: None, text: text("all of it"), value: None };
    vec![None, Some(Vec::new()), Some(vec![named, prose])]
}

fn expressions() -> Vec<Expression> {
    let x = || Box::new(Expression::Name(vec![text("x")]));
    let mut all = every!(Expression {
        Bool(true),
        Int(i64::MIN),
        Text(text("hello")),
        Name(vec![text("atm"), text("amount")]),
        Unary(UnaryOperator::Not, x()),
        Binary(BinaryOperator::Or, x(), x()),
        Call(vec![text("in")], vec![*x()]),
    });
    let unary = every!(UnaryOperator { Not, Minus });
    all.extend(unary.into_iter().map(|operator| Expression::Unary(operator, x())));
    let binary = every!(BinaryOperator {
        Or,
        And,
        Implies,
        Equal,
        Unequal,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Plus,
        Minus,
        Times,
        Divide,
        Modulo
    });
    all.extend(binary.into_iter().map(|operator| Expression::Binary(operator, x(), x())));
    all
}

/// Classes, relations, objects and links.
fn structure(model: &mut Model, place: Place) {
    let kinds = every!(ClassKind { Class, Abstract, Interface, Enumeration, Signal, Capsule, Protocol });
    for kind in kinds {
        model.classes.push(class(kind, place));
    }
    let first = model.classes.ids().next().expect("there is a class");
    let relations = every!(AssociationKind {
        Association,
        Aggregation,
        Composition,
        Generalization,
        Realization,
        Dependency
    });
    for kind in relations {
        let bare = AssociationEnd { class: first, role: None, multiplicity: None, navigable: false };
        let role = Some(text("owner"));
        let full = AssociationEnd { role, multiplicity: Some(text("0..*")), navigable: true, class: first };
        let name = (kind == AssociationKind::Association).then(|| text("has"));
        model.associations.push(Association { kind, name, ends: [full, bare], place });
    }
    let (name, class) = (text("account"), Some(text("Account")));
    let values = vec![(text("balance"), text("3"))];
    let full = model.objects.push(Object { name, class, values, stereotypes: vec![text("active")], place });
    let bare = Object { name: text("bank"), class: None, values: Vec::new(), stereotypes: Vec::new(), place };
    let bare = model.objects.push(bare);
    let roles = [Some(text("left")), None];
    model.links.push(Link { ends: [full, bare], roles, name: Some(text("holds")), place });
    model.links.push(Link { ends: [bare, bare], roles: [None, None], name: None, place });
}

/// A class with every kind of member; all have the same name, so that ids are numbered.
fn class(kind: ClassKind, place: Place) -> Class {
    let directions = every!(ParameterDirection { In, Out, InOut });
    let parameter = |direction| Parameter { name: text("p"), type_name: Some(text("int")), direction };
    let bare = Operation {
        name: text("stop"),
        parameters: vec![Parameter { name: text("p"), type_name: None, direction: None }],
        result: None,
        is_signal: true,
        visibility: None,
        is_static: false,
        is_abstract: false,
        stereotypes: Vec::new(),
        place,
    };
    let full = Operation {
        parameters: directions.into_iter().map(|direction| parameter(Some(direction))).collect(),
        result: Some(text("bool")),
        stereotypes: vec![text("query")],
        visibility: Some(Visibility::Public),
        is_static: true,
        is_abstract: true,
        ..bare.clone()
    };
    Class {
        name: text("Account"),
        label: text("Bank\naccount"),
        kind,
        stereotypes: vec![text("persistent")],
        attributes: attributes(place),
        operations: vec![bare, full],
        literals: vec![text("Red")],
        declared: kind == ClassKind::Class,
        place,
    }
}

/// Attributes of every visibility, and one with nothing but a name.
pub(crate) fn attributes(place: Place) -> Vec<Attribute> {
    let bare = Attribute {
        name: text("balance"),
        type_name: None,
        initial: None,
        multiplicity: None,
        visibility: None,
        is_static: false,
        stereotypes: Vec::new(),
        place,
    };
    let full = |visibility| Attribute {
        type_name: Some(text("0..10")),
        initial: Some(text("0")),
        multiplicity: Some(text("1")),
        visibility: Some(visibility),
        is_static: true,
        stereotypes: vec![text("port")],
        ..bare.clone()
    };
    let visibilities = every!(Visibility { Public, Private, Protected, Package });
    visibilities.into_iter().map(full).chain([bare.clone()]).collect()
}

fn checks(place: Place, interaction: InteractionId, machine: MachineId) -> Vec<Check> {
    let questions = every!(Question {
        Scenario(scenarios(place).remove(0)),
        Ltl(property(place)),
        Reachable(StateGoal { goal: property(place), from: Some(property(place)), within: Some(3) }),
        Deadlock,
        Safe(Some(FormulaWord { text: text("Twice"), place }), Mode::Strong),
        Consistent(Some(FormulaWord { text: text("Always"), place })),
        Fragments,
        Refines(refines(place).remove(0)),
        Triggers(Some(FormulaWord { text: text("Twice"), place })),
    });
    let bare_goal = Question::Reachable(StateGoal { goal: property(place), from: None, within: None });
    let unnamed =
        [Question::Safe(None, Mode::Weak), Question::Consistent(None), Question::Triggers(None), bare_goal];
    let bare = |question| Check {
        name: None,
        subject: None,
        target: None,
        question,
        fairness: None,
        expected: None,
        place,
    };
    let mut checks: Vec<Check> = questions
        .into_iter()
        .chain(unnamed)
        .chain(scenarios(place).into_iter().map(Question::Scenario))
        .chain(refines(place).into_iter().map(Question::Refines))
        .map(bare)
        .collect();
    for subject in every!(Subject { Interaction(interaction), Machine(machine) }) {
        for expected in every!(Expectation { Holds, Fails, Unknown }) {
            let name = Some(text("never stuck"));
            let fairness = match expected {
                Expectation::Holds => Scheduling::Weak,
                Expectation::Fails => Scheduling::Strong,
                Expectation::Unknown => Scheduling::Unfair,
            };
            checks.push(Check {
                name,
                subject: Some(subject),
                target: Some(FormulaWord { text: text("Pay"), place }),
                fairness: Some(fairness),
                expected: Some(expected),
                ..bare(Question::Deadlock)
            });
        }
    }
    checks
}

fn refines(place: Place) -> Vec<Refines> {
    let specification = FormulaWord { text: text("Protocol"), place };
    let aspects = every!(Aspect { Traces, Failures, FailuresDivergences });
    let with = |aspect| Refines {
        specification: specification.clone(),
        aspect,
        hidden: vec![FormulaWord { text: text("tick"), place }],
    };
    aspects.into_iter().map(with).collect()
}

fn property(place: Place) -> Property {
    let start = Box::new(Formula { node: FormulaNode::Atom(Atom::Start), place });
    let formula = Formula { node: FormulaNode::Unary(Unary::Finally, start), place };
    Property { text: text("F start"), formula: Box::new(formula) }
}

fn scenarios(place: Place) -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for quantifier in every!(Quantifier { Possible, Forbidden, Required, Whenever }) {
        for anchor in every!(Anchor { Anywhere, Start }) {
            for alphabet in every!(Alphabet { All, Own, Channels, OwnObjects }) {
                let is_full = anchor == Anchor::Start;
                let interaction = is_full.then(|| FormulaWord { text: text("Pay"), place });
                let within = is_full.then_some(5);
                let [first, second] = if is_full {
                    [Effects::Together, Effects::Unordered]
                } else {
                    [Effects::Ordered, Effects::Ordered]
                };
                let effects = if alphabet == Alphabet::All { first } else { second };
                scenarios.push(Scenario { interaction, quantifier, anchor, alphabet, within, effects });
            }
        }
    }
    scenarios
}
