//! What processes do: the operational semantics of CSP (A. W. Roscoe, "Understanding Concurrent Systems", 2010, chapter 9).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::parser::{Expr, Field, Id, Script};
use super::value::{Scope, Value, dots};

/// A set of events.
pub(crate) type Events = Rc<BTreeSet<Value>>;

/// A process as far as it has come.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Process {
    Stop,
    Skip,
    /// It is over.
    Over,
    Call(Rc<str>, Vec<Value>),
    /// A prefix, and what its names stand for.
    Prefix(Id, Scope),
    External(Vec<Process>),
    Internal(Vec<Process>),
    /// Beside each other, each with the events that it has a say in.
    Alphabetised(Vec<(Process, Events)>),
    Parallel(Rc<(Process, Process)>, Events),
    Then(Rc<Process>, Rc<Process>),
    Throw(Rc<Process>, Events, Rc<Process>),
    Hide(Rc<Process>, Events),
    Rename(Rc<Process>, Rc<BTreeMap<Value, Value>>),
}

/// The name of a process, and its parameters.
type Call = (Rc<str>, Vec<Value>);

/// What is seen of a step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Label {
    Silent,
    End,
    Event(Value),
}

/// A script that runs.
pub(crate) struct Machine {
    pub script: Script,
    unfolded: RefCell<HashMap<Call, Process>>,
    /// All events of the channels.
    known: BTreeSet<Value>,
}

impl Machine {
    pub(crate) fn new(script: Script) -> Self {
        let channels = script.channels.keys().cloned();
        let known = channels.flat_map(|name| script.productions(&[Value::Name(name)])).collect();
        Machine { script, unfolded: RefCell::default(), known }
    }

    /// The process that an expression stands for.
    pub(crate) fn process(&self, id: Id, scope: &Scope) -> Process {
        let script = &self.script;
        let process = |id: &Id| self.process(*id, scope);
        let set = |id: &Id| -> Events {
            let set = script.value(*id, scope).set();
            assert!(set.is_subset(&self.known), "{set:?} are not all events");
            set
        };
        match &script.nodes[id] {
            Expr::Call(name, arguments) => match (&**name, arguments) {
                ("STOP", None) => Process::Stop,
                ("SKIP", None) => Process::Skip,
                _ => {
                    let values = arguments.iter().flatten().map(|id| script.value(*id, scope)).collect();
                    Process::Call(name.clone(), values)
                }
            },
            Expr::If(condition, yes, no) => {
                if script.value(*condition, scope).truth() {
                    process(yes)
                } else {
                    process(no)
                }
            }
            Expr::Guard(condition, after) => {
                if script.value(*condition, scope).truth() {
                    process(after)
                } else {
                    Process::Stop
                }
            }
            Expr::Prefix(..) => Process::Prefix(id, scope.clone()),
            Expr::Join(sign, left, right) => self.joined(sign, vec![process(left), process(right)]),
            Expr::Parallel(left, events, right) => {
                Process::Parallel(Rc::new((process(left), process(right))), set(events))
            }
            Expr::Alphabetised(left, one, other, right) => {
                Process::Alphabetised(vec![(process(left), set(one)), (process(right), set(other))])
            }
            Expr::Throw(left, events, right) => {
                Process::Throw(Rc::new(process(left)), set(events), Rc::new(process(right)))
            }
            Expr::Hide(inner, events) => Process::Hide(Rc::new(process(inner)), set(events)),
            Expr::Rename(inner, pairs) => {
                let value = |id: &Id| script.value(*id, scope);
                let pairs: BTreeMap<Value, Value> =
                    pairs.iter().map(|(from, to)| (value(from), value(to))).collect();
                let are_events =
                    pairs.iter().all(|(from, to)| self.known.contains(from) && self.known.contains(to));
                assert!(are_events, "{pairs:?} are not all events");
                Process::Rename(Rc::new(process(inner)), Rc::new(pairs))
            }
            Expr::Each(sign, name, from, alphabet, body) => {
                let mut parts = Vec::new();
                for value in script.value(*from, scope).set().iter() {
                    let mut scope = scope.clone();
                    scope.insert(name.clone(), value.clone());
                    let events = alphabet.map(|alphabet| script.value(alphabet, &scope).set());
                    parts.push((self.process(*body, &scope), events));
                }
                match sign.as_str() {
                    "||" => Process::Alphabetised(
                        parts.into_iter().map(|(part, events)| (part, events.unwrap_or_default())).collect(),
                    ),
                    sign => self.joined(sign, parts.into_iter().map(|(part, _)| part).collect()),
                }
            }
            value => panic!("{value:?} is no process"),
        }
    }

    fn joined(&self, sign: &str, parts: Vec<Process>) -> Process {
        let nested = |left: Process, right: Process| match sign {
            ";" => Process::Then(Rc::new(left), Rc::new(right)),
            "|||" => Process::Parallel(Rc::new((left, right)), Events::default()),
            _ => panic!("{sign} joins nothing"),
        };
        match sign {
            "[]" => Process::External(parts),
            "|~|" => {
                assert!(!parts.is_empty(), "a choice between nothing");
                Process::Internal(parts)
            }
            _ => parts.into_iter().reduce(nested).unwrap_or(Process::Skip),
        }
    }

    /// What a call stands for.
    fn unfold(&self, name: &Rc<str>, values: &[Value]) -> Process {
        let key = (name.clone(), values.to_vec());
        if let Some(known) = self.unfolded.borrow().get(&key) {
            return known.clone();
        }
        let found = self.script.clause_for(name, values);
        let (body, scope) = found.unwrap_or_else(|| panic!("{name} is no process"));
        let process = self.process(body, &scope);
        self.unfolded.borrow_mut().insert(key, process.clone());
        process
    }

    /// The steps of a process.
    pub(crate) fn steps(&self, process: &Process) -> Vec<(Label, Process)> {
        match process {
            Process::Stop | Process::Over => Vec::new(),
            Process::Skip => vec![(Label::End, Process::Over)],
            Process::Call(name, values) => self.steps(&self.unfold(name, values)),
            Process::Prefix(id, scope) => self.prefix(*id, scope),
            Process::Internal(parts) => parts.iter().map(|part| (Label::Silent, part.clone())).collect(),
            Process::External(parts) => {
                let mut steps = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    for (label, next) in self.steps(part) {
                        let next = match label {
                            Label::Silent => {
                                let mut parts = parts.clone();
                                parts[at] = next;
                                Process::External(parts)
                            }
                            Label::End | Label::Event(_) => next,
                        };
                        steps.push((label, next));
                    }
                }
                steps
            }
            Process::Alphabetised(parts) => self.alphabetised(parts),
            Process::Parallel(both, events) => self.parallel(&both.0, &both.1, events),
            Process::Then(first, second) => {
                let steps = self.steps(first).into_iter();
                steps
                    .map(|(label, next)| match label {
                        Label::End => (Label::Silent, (**second).clone()),
                        label => (label, Process::Then(Rc::new(next), second.clone())),
                    })
                    .collect()
            }
            Process::Throw(inner, events, other) => {
                let steps = self.steps(inner).into_iter();
                steps
                    .map(|(label, next)| match &label {
                        Label::Event(event) if events.contains(event) => (label, (**other).clone()),
                        Label::End => (label, Process::Over),
                        Label::Event(_) | Label::Silent => {
                            (label, Process::Throw(Rc::new(next), events.clone(), other.clone()))
                        }
                    })
                    .collect()
            }
            Process::Rename(inner, pairs) => {
                let steps = self.steps(inner).into_iter();
                steps
                    .map(|(label, next)| match label {
                        Label::End => (Label::End, Process::Over),
                        Label::Event(event) => {
                            let event = pairs.get(&event).cloned().unwrap_or(event);
                            (Label::Event(event), Process::Rename(Rc::new(next), pairs.clone()))
                        }
                        Label::Silent => (Label::Silent, Process::Rename(Rc::new(next), pairs.clone())),
                    })
                    .collect()
            }
            Process::Hide(inner, events) => {
                let steps = self.steps(inner).into_iter();
                steps
                    .map(|(label, next)| match label {
                        Label::End => (Label::End, Process::Over),
                        Label::Event(event) if !events.contains(&event) => {
                            (Label::Event(event), Process::Hide(Rc::new(next), events.clone()))
                        }
                        Label::Event(_) | Label::Silent => {
                            (Label::Silent, Process::Hide(Rc::new(next), events.clone()))
                        }
                    })
                    .collect()
            }
        }
    }

    fn alphabetised(&self, parts: &[(Process, Events)]) -> Vec<(Label, Process)> {
        if parts.iter().all(|(part, _)| *part == Process::Over) {
            return vec![(Label::End, Process::Over)];
        }
        let with = |changes: &[(usize, Process)]| {
            let mut parts = parts.to_vec();
            for (at, next) in changes {
                parts[*at].0 = next.clone();
            }
            Process::Alphabetised(parts)
        };
        let own: Vec<Vec<(Label, Process)>> = parts.iter().map(|(part, _)| self.steps(part)).collect();
        let mut steps = Vec::new();
        let mut events: BTreeSet<&Value> = BTreeSet::new();
        for (at, moves) in own.iter().enumerate() {
            for (label, next) in moves {
                match label {
                    // Each ends by itself; the whole ends when all have.
                    Label::Silent | Label::End => steps.push((Label::Silent, with(&[(at, next.clone())]))),
                    Label::Event(event) => {
                        assert!(parts[at].1.contains(event), "{event:?} is outside of its own alphabet");
                        events.insert(event);
                    }
                }
            }
        }
        for event in events {
            let mut ways: Vec<Vec<(usize, Process)>> = vec![Vec::new()];
            for (at, (_, alphabet)) in parts.iter().enumerate() {
                if !alphabet.contains(event) {
                    continue;
                }
                let nexts = own[at].iter().filter(|(label, _)| *label == Label::Event(event.clone()));
                let nexts: Vec<&Process> = nexts.map(|(_, next)| next).collect();
                let longer = |way: &Vec<(usize, Process)>| -> Vec<Vec<(usize, Process)>> {
                    nexts.iter().map(|next| [way.clone(), vec![(at, (*next).clone())]].concat()).collect()
                };
                ways = ways.iter().flat_map(longer).collect();
            }
            steps.extend(ways.iter().map(|way| (Label::Event(event.clone()), with(way))));
        }
        steps
    }

    fn parallel(&self, left: &Process, right: &Process, shared: &Events) -> Vec<(Label, Process)> {
        if *left == Process::Over && *right == Process::Over {
            return vec![(Label::End, Process::Over)];
        }
        let both = |left: &Process, right: &Process| {
            Process::Parallel(Rc::new((left.clone(), right.clone())), shared.clone())
        };
        let own = [self.steps(left), self.steps(right)];
        let mut steps = Vec::new();
        for (side, moves) in own.iter().enumerate() {
            for (label, next) in moves {
                let after = if side == 0 { both(next, right) } else { both(left, next) };
                match label {
                    Label::Silent | Label::End => steps.push((Label::Silent, after)),
                    Label::Event(event) if !shared.contains(event) => steps.push((label.clone(), after)),
                    Label::Event(_) if side == 1 => {}
                    Label::Event(_) => {
                        let same = own[1].iter().filter(|(other, _)| other == label);
                        steps.extend(same.map(|(_, other)| (label.clone(), both(next, other))));
                    }
                }
            }
        }
        steps
    }

    fn prefix(&self, id: Id, scope: &Scope) -> Vec<(Label, Process)> {
        let Expr::Prefix(channel, fields, after) = &self.script.nodes[id] else { panic!("no prefix") };
        let start = self.script.value(*channel, scope).flat();
        let mut ways = vec![(start, scope.clone())];
        for field in fields {
            let mut longer = Vec::new();
            for (event, scope) in ways {
                match field {
                    Field::Given(value) => {
                        let value = self.script.value(*value, &scope).flat();
                        longer.push(([event, value].concat(), scope));
                    }
                    Field::Any(name, set) => {
                        let allowed = set.map(|set| self.script.value(set, &scope).set());
                        for value in self.values_after(&event) {
                            if allowed.as_ref().is_none_or(|set| set.contains(&value)) {
                                let mut scope = scope.clone();
                                scope.insert(name.clone(), value.clone());
                                longer.push(([event.clone(), value.flat()].concat(), scope));
                            }
                        }
                    }
                }
            }
            ways = longer;
        }
        let step = |(event, scope): (Vec<Value>, Scope)| {
            let event = dots(event);
            assert!(self.known.contains(&event), "{event:?} does not fit its channel");
            (Label::Event(event), self.process(*after, &scope))
        };
        ways.into_iter().map(step).collect()
    }

    /// The values of the field that comes after a beginning of an event.
    fn values_after(&self, start: &[Value]) -> BTreeSet<Value> {
        let Some(Value::Name(channel)) = start.first() else { panic!("{start:?} is no event") };
        let mut at = 1;
        let mut fields = self.script.channels[channel].iter();
        while at < start.len() {
            fields.next().unwrap_or_else(|| panic!("{start:?} is too long"));
            at += 1 + self.extent(&start[at]);
        }
        let field = fields.next().unwrap_or_else(|| panic!("{start:?} is complete"));
        self.script.value(*field, &Scope::new()).set().iter().cloned().collect()
    }

    /// How many values follow a constructor.
    fn extent(&self, value: &Value) -> usize {
        match value {
            Value::Name(name) => self.script.clause(name).map_or(0, <[Id]>::len),
            _ => 0,
        }
    }
}
