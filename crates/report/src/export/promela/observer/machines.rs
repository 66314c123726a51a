//! Machines as processes that send and receive.
//!
//! A step is a `d_step`, sent to the observer in the same atomic sequence. Steps that differ only in which
//! place of a queue is free are one send. Rendezvous is in [`meetings`](super::meetings).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::system::{ComponentId, Join, LabelId, Rule, RuleId, Step, System, TermId, VariableId};

use super::super::super::names::Identifiers;
use super::super::super::question::{WrittenSubject, shows};
use super::super::channels::{Filling, QueueOperation, compared, conjuncts, deed, filling};
use super::super::claim::ObservedChange;
use super::super::deeds::Deeds;
use super::super::lexicon::{comment, printed};
use super::super::terms::PromelaTermWriter;
use super::watch::ObserverProcess;

/// What the processes send to an observer.
pub(super) struct ObserverMessages {
    /// For each step the number of what it shows.
    pub(super) numbers: Vec<usize>,
    /// The number of a step that shows nothing, if all steps count.
    pub(super) silent: Option<usize>,
    pub(super) change: ObservedChange,
}

/// Tells the observer what two have shown, or that something has changed.
pub(super) const TELLS: &str = "if :: shown -> tell(shown) :: else fi";

/// The processes.
pub(crate) struct ObserverMachines<'m> {
    subject: &'m WrittenSubject<'m>,
    pub(super) deeds: Deeds<'m>,
    pub(super) steps: &'m [Step],
    /// Channels of labels, and the rules that offer them, by the number that the receiver gets.
    pub(super) labels: BTreeMap<LabelId, (String, Vec<RuleId>)>,
    pub(super) told: Option<ObserverMessages>,
    pub(super) widest: usize,
}

impl<'m> ObserverMachines<'m> {
    /// Processes without an observer.
    pub(crate) fn new(
        subject: &'m WrittenSubject<'m>,
        writer: &'m PromelaTermWriter<'m>,
        steps: &'m [Step],
        names: &mut Identifiers,
    ) -> Self {
        let deeds = Deeds { writer };
        let mut machines =
            ObserverMachines { subject, deeds, steps, labels: BTreeMap::new(), told: None, widest: 0 };
        machines.labels = machines.meetings(names);
        machines
    }

    /// The same with an observer.
    pub(crate) fn observed(&mut self, watch: &ObserverProcess<'_>) {
        let (_, numbers) = shows(self.system(), self.steps);
        self.told = Some(ObserverMessages { numbers, silent: watch.silent(), change: watch.change() });
    }

    /// Whether objects communicate by rendezvous.
    pub(crate) fn meets(&self) -> bool {
        !self.labels.is_empty()
    }

    pub(super) fn system(&self) -> &'m System {
        self.deeds.writer.system
    }

    /// All processes, and the variables that they need.
    pub(crate) fn text(&mut self, names: &mut Identifiers) -> String {
        let system = self.system();
        let mut own: BTreeMap<ComponentId, Vec<String>> = BTreeMap::new();
        let mut takers: BTreeSet<ComponentId> = BTreeSet::new();
        let (merged, left_out) = self.sends();
        for number in 0..self.steps.len() {
            let first = self.steps[number].0[0];
            let owner = system.rules[first].component;
            if self.offer(first).is_some() || left_out.contains(&number) {
                continue;
            }
            let option = self.step(number, merged.contains(&number));
            own.entry(owner).or_default().push(option);
        }
        for (rule, option) in self.handshakes() {
            let Rule { component, join, .. } = &system.rules[rule];
            own.entry(*component).or_default().push(option);
            takers.extend(matches!(join, Join::Take(_)).then_some(*component));
        }
        let mut text = String::new();
        for (component, options) in own {
            let title = &system.components[component];
            let end = if self.told.is_some() { "end: " } else { "" };
            let who = match takers.contains(&component) {
                true => "  byte who; /* whom it meets; 0 but within a step */\n",
                false => "",
            };
            let _ = write!(
                text,
                "\n/* {} */\nactive proctype {}() {{\n{who}  {end}do\n{}  od\n}}\n",
                comment(title),
                names.give(title),
                options.concat()
            );
        }
        self.declarations() + &text
    }

    fn declarations(&self) -> String {
        let mut text: String =
            (0..self.widest).map(|number| format!("int new_{number}; /* 0 but within a step */\n")).collect();
        for (label, (name, senders)) in &self.labels {
            let message = comment(&self.system().labels[*label]);
            let who: Vec<&str> = senders
                .iter()
                .map(|rule| self.system().components[self.system().rules[*rule].component].as_str())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect();
            let _ = writeln!(
                text,
                "chan {name}[3] = [0] of {{ byte }}; /* {message} of {}; [0] if whoever it is is ready */",
                comment(&who.join(", "))
            );
        }
        if self.meets() {
            text += "bool busy; /* 1 until the sender has done its part */\n";
        }
        text
    }

    /// What every step waits for.
    pub(super) fn always(&self) -> Vec<String> {
        let hold = self.told.as_ref().map(|_| "!hold".to_owned());
        hold.into_iter().chain(self.meets().then(|| "!busy".to_owned())).collect()
    }

    /// For steps that send the same to every place of a queue, the first of them; the others are left out.
    fn sends(&self) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let mut alike: BTreeMap<(usize, QueuedSend), Vec<usize>> = BTreeMap::new();
        for number in 0..self.steps.len() {
            if let Some((queue, sent)) = self.send(number) {
                let channel = self.deeds.writer.layout.places[&queue[0]].0;
                alike.entry((channel, sent)).or_default().push(number);
            }
        }
        let (mut first, mut rest) = (BTreeSet::new(), BTreeSet::new());
        for ((channel, _), numbers) in alike {
            let queue = &self.deeds.writer.layout.channels[channel].1;
            let places = numbers.iter().filter_map(|number| {
                match deed(self.system(), queue, self.steps[*number].0[0])? {
                    QueueOperation::Put(place, _) => Some(place),
                    QueueOperation::Take(_) => None,
                }
            });
            if places.collect::<BTreeSet<_>>().len() == queue.len() && numbers.len() == queue.len() {
                first.extend(numbers.first());
                rest.extend(numbers.iter().skip(1));
            }
        }
        (first, rest)
    }

    /// The queue that a step sends to, and all that it does but for the place.
    fn send(&self, number: usize) -> Option<(&'m [VariableId], QueuedSend)> {
        let system = self.system();
        let [rule] = self.steps[number].0.as_slice() else { return None };
        let mut channels = self.deeds.channels(*rule).into_iter();
        let (queue, code) = channels.find_map(|(_, places)| match deed(system, places, *rule)? {
            QueueOperation::Put(_, code) => Some((places.as_slice(), code)),
            QueueOperation::Take(_) => None,
        })?;
        let rule = &system.rules[*rule];
        let is_other = |part: &TermId| compared(system, *part).is_none_or(|one| !queue.contains(&one));
        let conditions = conjuncts(system, rule.guard).into_iter().filter(is_other);
        let updates = rule.updates.iter().copied().filter(|(variable, _)| !queue.contains(variable));
        let shown: Vec<usize> =
            system.events(&self.steps[number]).map(sequent_kernel::id::Id::index).collect();
        let owner = rule.component;
        Some((
            queue,
            QueuedSend { code, owner, conditions: conditions.collect(), updates: updates.collect(), shown },
        ))
    }

    /// A step as an option of its process.
    fn step(&mut self, number: usize, is_send: bool) -> String {
        let step = &self.steps[number];
        let note = (self.subject.note)(step);
        let sent = self.send(number).filter(|_| is_send).map(|(queue, _)| queue);
        let guard = self.guard(&step.0, sent);
        let updates = self.deeds.updates(&step.0, &mut self.widest);
        let print = (!note.is_empty()).then(|| format!("printf(\"{}\\n\")", printed(&note)));
        let (before, after, tells) = self.telling(number);
        let mut lines = [before, updates, after, Vec::from_iter(print)].concat();
        if lines.is_empty() {
            lines.push("skip".to_owned());
        }
        let lines = lines.join("; ");
        let option = match tells {
            Some(tells) => format!("atomic {{ {guard} ->\n       d_step {{ {lines} }}; {tells} }}"),
            None => format!("d_step {{ {guard} ->\n       {lines} }}"),
        };
        match note.is_empty() {
            true => format!("  :: {option}\n"),
            false => format!("  /* {} */\n  :: {option}\n", comment(&note)),
        }
    }

    /// When rules may fire together: what they ask of queues in the words of channels. Whether there is room in the queue that is sent to is
    /// all that counts of it.
    pub(super) fn guard(&self, rules: &[RuleId], sent: Option<&[VariableId]>) -> String {
        let (system, writer) = (self.system(), self.deeds.writer);
        let mut parts = self.always();
        let mut add = |text: String| parts.extend((text != "1" && !parts.contains(&text)).then_some(text));
        for rule in rules {
            let places = &writer.layout.places;
            let is_other =
                |part: &TermId| compared(system, *part).is_none_or(|one| !places.contains_key(&one));
            let others = conjuncts(system, system.rules[*rule].guard).into_iter().filter(is_other);
            others.for_each(|part| add(writer.term(part).to_owned()));
            for (name, queue) in self.deeds.channels(*rule) {
                if sent == Some(queue.as_slice()) {
                    add(format!("nfull({name})"));
                    continue;
                }
                let Filling { least, most, first, others } = filling(system, queue, *rule);
                let code = first.map(|code| format!("{name}?[{}]", writer.layout.value(queue[0], code)));
                match (least, most, code) {
                    (0 | 1, most, Some(code)) if most == queue.len() => add(code),
                    (least, most, code) => {
                        code.into_iter().for_each(&mut add);
                        if least == most {
                            add(format!("len({name}) == {least}"));
                        } else if least == queue.len() {
                            add(format!("full({name})"));
                        } else {
                            (least > 0)
                                .then(|| format!("len({name}) >= {least}"))
                                .into_iter()
                                .for_each(&mut add);
                            let is_bounded = most < queue.len();
                            is_bounded
                                .then(|| format!("len({name}) <= {most}"))
                                .into_iter()
                                .for_each(&mut add);
                        }
                    }
                }
                others.iter().for_each(|part| add(writer.term(*part).to_owned()));
            }
        }
        parts.extend(self.deeds.in_range(rules));
        if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
    }

    /// What is done for the observer before and after a step, and how the step is sent to it.
    fn telling(&self, number: usize) -> (Vec<String>, Vec<String>, Option<String>) {
        let nothing = (Vec::new(), Vec::new(), None);
        let Some(told) = &self.told else { return nothing };
        match (told.numbers[number], told.silent) {
            (0, None) if told.change.is_never() => nothing,
            (0, None) => {
                let after = vec![format!("shown = {}", told.change.number())];
                let after = [after, told.change.after()].concat();
                (told.change.before(), after, Some(TELLS.to_owned()))
            }
            (0, Some(silent)) => (Vec::new(), Vec::new(), Some(format!("tell({silent})"))),
            (shown, _) => (Vec::new(), Vec::new(), Some(format!("tell({shown})"))),
        }
    }
}

/// All that a step does but for the place in a queue that it sends to.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct QueuedSend {
    code: i32,
    owner: ComponentId,
    conditions: Vec<TermId>,
    updates: Vec<(VariableId, TermId)>,
    shown: Vec<usize>,
}
