//! One sequence diagram of a script: its parts, how they are put together, and how its choices fall.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::formula::Formula;
use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{
    From, OccurrenceDemand, OccurrenceId, Requirement, RigidCondition, RigidId, TemplateTree, Why,
};

use super::super::names::Identifiers;
use super::super::rigid::PropositionSpelling;
use super::super::unfolded::UnfoldedDiagram;
use super::comment;

/// Whether sending and receiving are two events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventForm {
    /// They are, and a message is a process between them.
    Apart,
    /// A message is one event of sender and receiver, as in paper 001.
    Joint,
}

/// How CSPm joins propositions.
pub(crate) const SPELLING: PropositionSpelling =
    PropositionSpelling { and: " and ", or: " or ", not: "not " };

/// What stands for a diagram in a script.
pub(crate) struct ScriptWords {
    /// The whole.
    pub whole: String,
    occurrence: String,
    alphabet: String,
    part: String,
    parts: String,
    together: String,
    ways: String,
}

impl ScriptWords {
    pub(crate) fn new(whole: String, names: &mut Identifiers) -> Self {
        let mut give = |word: &str| names.give(word);
        ScriptWords {
            whole,
            occurrence: give("occurrence"),
            alphabet: give("Alphabet"),
            part: give("Part"),
            parts: give("Parts"),
            together: give("Together"),
            ways: give("Ways"),
        }
    }
}

/// How an occurrence is seen.
pub(crate) struct OccurrenceForm {
    /// How its event is written.
    pub outside: String,
    /// Channel, sender and receiver, if alphabets are told by them.
    pub link: Option<String>,
    /// Other events are written alike.
    pub is_alike: bool,
    /// The number of its event: that of another occurrence if both are one event.
    pub event: usize,
}

/// Writes a diagram.
pub(crate) struct DiagramWriter<'d> {
    diagram: &'d UnfoldedDiagram<'d>,
    pub tree: &'d TemplateTree,
    words: ScriptWords,
    /// How occurrences are written inside.
    pub written: IdVec<OccurrenceId, String>,
    /// Channel, sender and receiver of each, where alphabets are told by them.
    links: BTreeMap<OccurrenceId, String>,
    /// Occurrences that look alike, and how they are seen.
    renamed: Vec<(String, String)>,
    /// The names of guards and choices.
    pub rigids: IdVec<RigidId, String>,
}

/// A process of the composition: what it is, its alphabet, what it does.
struct ProcessPart {
    told: String,
    name: String,
    alphabet: Vec<OccurrenceId>,
    /// Whether it has a say in all that goes through the same channels between the same two.
    has_links: bool,
    process: String,
}

impl<'d> DiagramWriter<'d> {
    /// An author who knows how occurrences are seen.
    pub(crate) fn new(
        diagram: &'d UnfoldedDiagram<'d>,
        tree: &'d TemplateTree,
        words: ScriptWords,
        looks: &IdVec<OccurrenceId, OccurrenceForm>,
        names: &mut Identifiers,
    ) -> Self {
        let mut renamed: Vec<(String, String)> = Vec::new();
        let mut known: BTreeMap<usize, String> = BTreeMap::new();
        let mut write = |look: &OccurrenceForm| match (look.is_alike, known.get(&look.event)) {
            (false, _) => look.outside.clone(),
            (true, Some(inside)) => inside.clone(),
            (true, None) => {
                let inside = format!("{}.{}", words.occurrence, renamed.len());
                renamed.push((inside.clone(), look.outside.clone()));
                known.insert(look.event, inside.clone());
                inside
            }
        };
        let written = looks.iter().map(&mut write).collect();
        // What is renamed has no channel of its own inside.
        let told = looks.enumerate().filter(|_| renamed.is_empty());
        let links = told.filter_map(|(one, look)| Some((one, look.link.clone()?))).collect();
        let rigids = tree.rigids.iter().map(|name| names.give(name)).collect();
        DiagramWriter { diagram, tree, words, written, links, renamed, rigids }
    }

    /// All of it, but for what several diagrams share.
    pub(crate) fn write(&self, form: EventForm, names: &mut Identifiers) -> String {
        let mut text = String::new();
        if !self.renamed.is_empty() {
            let _ = writeln!(
                text,
                "\n-- Occurrences that look alike.\nchannel {} : {{0..{}}}",
                self.words.occurrence,
                self.renamed.len() - 1
            );
        }
        let mut parts = self.lines(names);
        if form == EventForm::Apart {
            parts.extend(self.messages(names));
        }
        let is_guarded_first = self.diagram.assumptions.switches.guarded_first;
        let demands = self.tree.demands(is_guarded_first);
        parts.extend(demands.iter().map(|demand| self.demanded(demand, names)));
        text += &self.composition(&parts);
        text += &self.choices();
        text
    }

    /// Guards and choices, each behind a comma.
    fn arguments(&self) -> String {
        self.rigids.iter().map(|name| format!(", {name}")).collect()
    }

    /// The same as one argument.
    fn way(&self) -> String {
        let names: Vec<&str> = self.rigids.iter().map(String::as_str).collect();
        match names.as_slice() {
            [one] => (*one).to_owned(),
            all => format!("({})", all.join(", ")),
        }
    }

    fn lines(&self, names: &mut Identifiers) -> Vec<ProcessPart> {
        let mut parts = Vec::new();
        for (line, name) in self.tree.lines.enumerate() {
            let alphabet = self.tree.enabled_on(self.tree.root, line);
            if !alphabet.is_empty() {
                parts.push(ProcessPart {
                    told: format!("Lifeline {name}."),
                    name: names.give(&format!("line_{name}")),
                    alphabet,
                    has_links: true,
                    process: self.on(self.tree.root, line),
                });
            }
        }
        parts
    }

    fn messages(&self, names: &mut Identifiers) -> Vec<ProcessPart> {
        let mut parts = Vec::new();
        for node in self.tree.nodes.ids().filter(|node| self.tree.is_live(*node)) {
            let alphabet = self.tree.ends(node);
            let [send, receive] = alphabet.as_slice() else { continue };
            let sent = &self.tree.occurrences[*send];
            let told = sent.kind.unsigned(&sent.event);
            let order = format!("{} -> {} -> SKIP", self.written[*send], self.written[*receive]);
            parts.push(ProcessPart {
                told: format!("The message {told}: sent, then received."),
                name: names.give("message"),
                process: self.only_if(&self.tree.nodes[node].when, order),
                has_links: false,
                alphabet,
            });
        }
        parts
    }

    /// What keeps some occurrences waiting.
    fn demanded(&self, demand: &OccurrenceDemand, names: &mut Identifiers) -> ProcessPart {
        let (tree, none) = (self.tree, Vec::new());
        let (told, word) = match demand.why {
            Why::Strict => ("What comes strictly before something else.".to_owned(), "order"),
            Why::Meeting(_) => ("Lifelines meet: all before is over.".to_owned(), "meeting"),
            Why::Region(node, line) => {
                let name = tree.fragment(node).map(|fragment| fragment.name.as_str()).unwrap_or_default();
                (format!("Nothing else on {} while it is in {name}.", tree.lines[line]), "region")
            }
            Why::Ordering => ("One before the other.".to_owned(), "order"),
            Why::Call(line) => (format!("{} waits for a reply.", tree.lines[line]), "call"),
            Why::First => ("What stands right below a guard is first.".to_owned(), "first"),
        };
        let always = |one: &OccurrenceId| (*one, tree.when(*one).clone());
        let (before, inside) = match &demand.from {
            From::Start => (&none, Vec::new()),
            From::Any(inside) => (&none, inside.iter().map(always).collect()),
            From::All(_, before) => (before, Vec::new()),
        };
        let waiting: Vec<_> = demand.waiting.iter().map(always).collect();
        let required = |list: &[Requirement]| -> Vec<(OccurrenceId, RigidCondition)> {
            list.iter().map(|one| (one.occurrence, one.when.clone())).collect()
        };
        let (over, before) = (required(&demand.over), required(before));
        let [first, last, outer] = [&inside, &over, &waiting].map(|list| self.set(list));
        let all = [&inside, &before, &over, &waiting].map(Vec::as_slice).concat();
        let alphabet: Vec<OccurrenceId> =
            all.iter().map(|(one, _)| *one).collect::<BTreeSet<_>>().into_iter().collect();
        let process = match &demand.from {
            From::Start => format!("First({last}, {outer})"),
            From::Any(_) => format!("Region({first}, {last}, {outer})"),
            From::All(..) => format!("After({}, {last}, {outer})", self.set(&before)),
        };
        let process = self.with_free(process, &all, &alphabet);
        let process = match &demand.from {
            From::All(when, _) if !when.is_always() => {
                let everything: Vec<_> = alphabet.iter().map(always).collect();
                format!(
                    "if {} then {process} else Once({})",
                    SPELLING.condition(&self.rigids, when),
                    self.set(&everything)
                )
            }
            From::All(..) | From::Start | From::Any(_) => process,
        };
        ProcessPart { told, name: names.give(word), alphabet, has_links: false, process }
    }

    /// A process beside occurrences of its alphabet that happen where it does not ask for them.
    fn with_free(
        &self,
        process: String,
        asked: &[(OccurrenceId, RigidCondition)],
        alphabet: &[OccurrenceId],
    ) -> String {
        let mut free = Vec::new();
        for one in alphabet {
            let alive = self.tree.when(*one);
            let asked: Vec<&RigidCondition> =
                asked.iter().filter(|(other, _)| other == one).map(|(_, when)| when).collect();
            if asked.iter().any(|when| alive.implies(when)) {
                continue;
            }
            let asked: Vec<String> =
                asked.iter().map(|when| format!("({})", SPELLING.condition(&self.rigids, when))).collect();
            let alive = SPELLING.condition(&self.rigids, alive);
            let event = &self.written[*one];
            free.push(format!("(if ({alive}) and not ({}) then {{{event}}} else {{}})", asked.join(" or ")));
        }
        match united(free) {
            None => process,
            Some(free) => format!("({process} ||| Once({free}))"),
        }
    }

    /// The occurrences of some that are asked for.
    fn set(&self, occurrences: &[(OccurrenceId, RigidCondition)]) -> String {
        let mut groups: BTreeMap<&RigidCondition, BTreeSet<&str>> = BTreeMap::new();
        for (one, when) in occurrences {
            groups.entry(when).or_default().insert(&self.written[*one]);
        }
        let one = |(when, events): (&RigidCondition, BTreeSet<&str>)| {
            let events: Vec<&str> = events.into_iter().collect();
            let set = format!("{{{}}}", events.join(", "));
            match when.is_always() {
                true => set,
                false => format!("(if {} then {set} else {{}})", SPELLING.condition(&self.rigids, when)),
            }
        };
        united(groups.into_iter().map(one).collect()).unwrap_or_else(|| "{}".to_owned())
    }

    fn composition(&self, parts: &[ProcessPart]) -> String {
        let ScriptWords { alphabet: of, part, parts: all, together, .. } = &self.words;
        let arguments = self.arguments();
        let call = if arguments.is_empty() { String::new() } else { format!("({})", self.way()) };
        if parts.is_empty() {
            return format!("\n-- Nothing happens.\n{together}{call} = SKIP\n");
        }
        let list: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let mut text = format!("\n-- What runs beside each other.\ndatatype {all} = {}\n", list.join(" | "));
        // The clauses of a function stand together.
        let (mut alphabets, mut processes) = (String::new(), String::new());
        for ProcessPart { told, name, alphabet, has_links, process } in parts {
            let _ = writeln!(alphabets, "{of}({name}) = {}", self.events(alphabet, *has_links));
            let _ = writeln!(processes, "-- {}\n{part}({name}{arguments}) = {process}", comment(told));
        }
        let _ = write!(text, "\n-- What each has a say in.\n{alphabets}\n{processes}");
        let _ = writeln!(
            text,
            "\n-- Everything, once choices are made.\n{together}{call} = || e : {all} @ [{of}(e)] {part}(e{arguments})"
        );
        text
    }

    /// Some occurrences as a set of events: by their channels, senders and receivers if that is wished and all of them have some.
    fn events(&self, occurrences: &[OccurrenceId], has_links: bool) -> String {
        let links: Option<BTreeSet<&str>> =
            occurrences.iter().map(|one| self.links.get(one).map(String::as_str)).collect();
        match links.filter(|links| has_links && !links.is_empty()) {
            Some(links) => format!("{{| {} |}}", links.into_iter().collect::<Vec<_>>().join(", ")),
            None => {
                let events: Vec<&str> = occurrences.iter().map(|one| self.written[*one].as_str()).collect();
                format!("{{{}}}", events.join(", "))
            }
        }
    }

    /// How guards and choices fall, and the whole.
    fn choices(&self) -> String {
        let ScriptWords { whole, together, ways, .. } = &self.words;
        let title = &self.diagram.model.interactions[self.diagram.id].name;
        let mut text = String::new();
        let inner = match self.rigids.is_empty() {
            _ if self.tree.is_contradictory() => {
                text += "\n-- Its guards contradict each other: there is no run.";
                "STOP".to_owned()
            }
            true => together.clone(),
            false => {
                text += "\n-- Guards and choices.\n";
                for (rigid, name) in self.rigids.enumerate() {
                    let _ = writeln!(text, "--   {name}: {}", comment(&self.tree.rigids[rigid]));
                }
                let _ = writeln!(text, "{ways} =\n  {{{} |\n{}}}", self.way(), self.rules());
                format!("|~| way : {ways} @ {together}(way)")
            }
        };
        let _ = writeln!(text, "\n-- {}, the whole; choices are made first.", comment(title));
        if self.renamed.is_empty() {
            let _ = writeln!(text, "{whole} =\n  {inner}");
            return text;
        }
        let pairs: Vec<String> =
            self.renamed.iter().map(|(inside, outside)| format!("{inside} <- {outside}")).collect();
        let _ = writeln!(text, "{whole} =\n  ({inner})\n  [[ {} ]]", pairs.join(", "));
        text
    }

    /// The values that guards and choices may have: each rule as soon as all its propositions have a value.
    fn rules(&self) -> String {
        let due = self.tree.rules_by_last();
        let rule = |rule: &&Formula| SPELLING.rule(self.tree, &self.rigids, rule);
        let mut lines = Vec::new();
        for (rigid, name) in self.rigids.enumerate() {
            let rules = due.get(&Some(rigid)).into_iter().flatten().map(rule);
            let generator = format!("{name} <- Bool");
            lines.push([generator].into_iter().chain(rules).collect::<Vec<String>>().join(", "));
        }
        let lines: Vec<String> = lines.iter().map(|line| format!("    {line}")).collect();
        lines.join(",\n")
    }
}

/// The union of some sets.
fn united(sets: Vec<String>) -> Option<String> {
    sets.into_iter().reduce(|left, right| format!("union({left}, {right})"))
}
