//! An ensemble as a model: state machines, a sequence diagram, how they communicate, and the question.

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord};
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Alphabet, Anchor, Arrow, Block, Check, Communication, Effect, Effects, End, Fragment, Interaction,
    Lifeline, LifelineId, LifelineKind, LineLook, Machine, Message, MessageId, MessageSort, Model, Property,
    Quantifier, Question, Region, RegionId, Scenario, Send, StateBody, StateGoal, Steps, SystemSettings, Tip,
    Transition, TransitionKind, Trigger, Vertex, VertexId, VertexKind,
};
use sequent_kernel::source::{FileId, Place, Span};

use super::ensemble::{
    Arc, DiagramExchange, EnsembleInstance, EnsembleQuestion, FlatMachine, GeneratedEnsemble, MessageDiagram,
    ObjectInState, PlayerId, SymbolId,
};

impl EnsembleInstance {
    /// The model, with the question as its only check.
    pub fn model(&self) -> Model {
        let mut model = self.ensemble.model();
        let question = match &self.asked {
            EnsembleQuestion::Goal(goal) => {
                let goal = self.ensemble.goal(goal);
                Question::Reachable(StateGoal { goal, from: None, within: self.within })
            }
            EnsembleQuestion::Scenario(diagram) => {
                model.interactions.push(self.ensemble.interaction(diagram));
                Question::Scenario(Scenario {
                    interaction: Some(FormulaWord { text: diagram.name.clone(), place: place() }),
                    quantifier: Quantifier::Possible,
                    anchor: Anchor::Anywhere,
                    alphabet: Alphabet::All,
                    within: self.within,
                    effects: Effects::Together,
                })
            }
        };
        let check = Check {
            name: None,
            subject: None,
            target: None,
            question,
            fairness: None,
            expected: None,
            place: place(),
        };
        model.checks.push(check);
        model
    }
}

impl GeneratedEnsemble {
    /// The machines that some object behaves as, and who meets whom: rendezvous with intermediate states, nothing from
    /// outside (D16 to D22).
    pub fn model(&self) -> Model {
        let is_played =
            |name: &String| self.players.iter().any(|player| self.machines[player.machine].name == *name);
        let played = self.machines.iter().filter(|plain| is_played(&plain.name));
        let machines = played.map(|plain| self.machine(plain)).collect();
        let object = |player: &super::Player| {
            (player.name.clone(), self.machines[player.machine].name.clone(), place())
        };
        let system = SystemSettings {
            communication: Some(Communication::Rendezvous),
            steps: Some(Steps::Intermediate),
            closed: Some(true),
            objects: self.players.iter().map(object).collect(),
            ..SystemSettings::default()
        };
        Model { machines, system, ..Model::default() }
    }

    fn machine(&self, plain: &FlatMachine) -> Machine {
        let region = RegionId::from_index(0);
        let initial = Vertex {
            name: "[*]".to_owned(),
            label: String::new(),
            kind: VertexKind::Initial,
            ..vertex(region)
        };
        let declared = !is_in_order(plain);
        let state = |name: &String| Vertex {
            declared,
            name: name.clone(),
            label: name.clone(),
            kind: VertexKind::State(StateBody::default()),
            ..vertex(region)
        };
        let vertices: IdVec<VertexId, Vertex> =
            std::iter::once(initial).chain(plain.states.iter().map(state)).collect();
        let at = |state: super::StateId| VertexId::from_index(state.index() + 1);
        let begin = transition(VertexId::from_index(0), VertexId::from_index(1));
        let arc = |arc: &Arc| {
            let trigger = |symbol: SymbolId| Trigger::Event {
                name: self.symbols[symbol].clone(),
                parameters: Vec::new(),
            };
            Transition {
                text: self.label(arc),
                triggers: arc.trigger.map(trigger).into_iter().collect(),
                effects: arc.effects.iter().map(|symbol| send(&self.symbols[*symbol])).collect(),
                ..transition(at(arc.from), at(arc.to))
            }
        };
        let transitions = std::iter::once(begin).chain(plain.arcs.iter().map(arc)).collect();
        let all = Region { owner: None, vertices: vertices.ids().collect(), place: place() };
        Machine {
            name: plain.name.clone(),
            title: None,
            captions: Vec::new(),
            class: None,
            attributes: Vec::new(),
            contracts: Vec::new(),
            regions: std::iter::once(all).collect(),
            vertices,
            transitions,
            notes: Vec::new(),
            flow: None,
            place: place(),
        }
    }

    /// The label of a transition: `taken / ^sent; ^too`.
    fn label(&self, arc: &Arc) -> String {
        let taken = arc.trigger.map(|symbol| self.symbols[symbol].clone()).unwrap_or_default();
        let sent: Vec<String> =
            arc.effects.iter().map(|symbol| format!("^{}", self.symbols[*symbol])).collect();
        match (taken.is_empty(), sent.is_empty()) {
            (_, true) => taken,
            (true, false) => format!("/ {}", sent.join("; ")),
            (false, false) => format!("{taken} / {}", sent.join("; ")),
        }
    }

    /// A diagram with all objects as lifelines.
    pub fn interaction(&self, diagram: &MessageDiagram) -> Interaction {
        let lifelines = self.players.iter().map(|player| {
            let class = self.machines[player.machine].name.clone();
            Lifeline {
                name: player.name.clone(),
                label: format!("{} : {class}", player.name),
                class: Some(class),
                kind: LifelineKind::Participant,
                stereotypes: Vec::new(),
                colour: None,
                declared: true,
                place: place(),
            }
        });
        let messages: IdVec<MessageId, Message> =
            diagram.messages.iter().map(|exchange| self.message(exchange)).collect();
        Interaction {
            name: diagram.name.clone(),
            title: None,
            captions: Vec::new(),
            place: place(),
            lifelines: lifelines.collect(),
            body: Block(messages.ids().map(Fragment::Message).collect()),
            messages,
            orderings: Vec::new(),
            timings: Vec::new(),
            boxes: Vec::new(),
            known: Vec::new(),
        }
    }

    fn message(&self, exchange: &DiagramExchange) -> Message {
        let end = |player: PlayerId| End::Lifeline(LifelineId::from_index(player.index()));
        let name = self.symbols[exchange.symbol].clone();
        Message {
            text: name.clone(),
            name,
            arguments: None,
            number: None,
            sort: MessageSort::Signal,
            from: end(exchange.from),
            to: end(exchange.to),
            arrow: Arrow { dashed: false, head: Tip::OPEN, tail: Tip::NONE, colour: None },
            place: place(),
            label_place: place(),
        }
    }

    /// A goal as a property.
    pub fn goal(&self, goal: &[ObjectInState]) -> Property {
        let atom = |spot: &ObjectInState| {
            FormulaNode::Atom(Atom::Name(FormulaWord { text: self.goal_text(&[*spot]), place: place() }))
        };
        let formula = |node: FormulaNode| Formula { node, place: place() };
        let both = |left: FormulaNode, right: FormulaNode| {
            FormulaNode::Binary(Binary::And, Box::new(formula(left)), Box::new(formula(right)))
        };
        let node = goal.iter().map(atom).reduce(both).unwrap_or(FormulaNode::Constant(true));
        Property { text: self.goal_text(goal), formula: Box::new(formula(node)) }
    }
}

/// Whether the transitions mention all states, in their order: then declarations are redundant.
fn is_in_order(plain: &FlatMachine) -> bool {
    let mut seen = vec![super::StateId::from_index(0)];
    for state in plain.arcs.iter().flat_map(|arc| [arc.from, arc.to]) {
        if !seen.contains(&state) {
            seen.push(state);
        }
    }
    seen.into_iter().eq(plain.states.ids())
}

fn vertex(region: RegionId) -> Vertex {
    Vertex {
        name: String::new(),
        label: String::new(),
        region,
        kind: VertexKind::Initial,
        stereotypes: Vec::new(),
        colour: None,
        declared: false,
        place: place(),
    }
}

fn transition(source: VertexId, target: VertexId) -> Transition {
    Transition {
        source,
        target,
        kind: TransitionKind::External,
        text: String::new(),
        triggers: Vec::new(),
        guard: None,
        effects: Vec::new(),
        look: LineLook::default(),
        place: place(),
    }
}

fn send(name: &str) -> Effect {
    Effect::Send(Send { target: Vec::new(), name: name.to_owned(), arguments: None, place: place() })
}

/// The place of a generated element: the start of file 0.
fn place() -> Place {
    Place(Span::new(FileId::from_index(0), 0, 0))
}
