//! Queues as they are written: a process whose parameter is what waits.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{RuleId, TermId, TermNode, VariableId};

use super::super::promela::{literal, read};
use super::alphabet::ScriptAlphabet;
use super::branches::{BranchInput, inputs, over};
use super::buffers::{Buffer, BufferChange, Deal};
use super::parties::PartyDeed;
use super::terms::CspmTermWriter;
use super::{Unwritten, comment};

/// Functions that queues need.
pub(crate) const HELPERS: &[(&str, &str)] = &[
    (
        "nth(",
        "\n-- One of those that wait, from 0.\nnth(waiting, place) = if place == 0 then head(waiting) else nth(tail(waiting), place - 1)\n",
    ),
    (
        "without(",
        "\n-- The others.\nwithout(waiting, place) =\n  if place == 0 then tail(waiting) else <head(waiting)> ^ without(tail(waiting), place - 1)\n",
    ),
];

impl Buffer {
    /// The process with which it begins.
    pub(crate) fn first(&self, name: &str, writer: &CspmTermWriter<'_>) -> String {
        let others: Vec<String> = self.others.iter().map(|variable| writer.first(*variable)).collect();
        call(name, "<>", &others)
    }

    /// The process.
    pub(crate) fn write(
        &self,
        name: &str,
        writer: &CspmTermWriter<'_>,
        alphabet: &ScriptAlphabet,
        written: &dyn Fn(PartyDeed) -> String,
    ) -> Result<String, Unwritten> {
        let text = WaitingText { buffer: self, name, writer, alphabet, written };
        let owner = comment(&writer.system.components[self.owner]);
        let variables: Vec<String> = self.others.iter().map(|id| writer.variables[*id].clone()).collect();
        let lines = text.lines()?;
        let lines = if lines.is_empty() { "STOP".to_owned() } else { lines.join("\n  [] ") };
        Ok(format!("-- What waits for {owner}.\n{} =\n     {lines}\n\n", call(name, "waiting", &variables)))
    }
}

fn call(name: &str, waiting: &str, others: &[String]) -> String {
    let all: Vec<&str> = [waiting].into_iter().chain(others.iter().map(String::as_str)).collect();
    format!("{name}({})", all.join(", "))
}

/// When something is put, its channel and that of the message that waits then, and what else is known.
type WaitingLink = (Vec<String>, String, String, Vec<String>);

/// Deals that differ only in how many wait.
type AlikeDeals = (PartyDeed, i32, Vec<TermId>, Vec<(VariableId, TermId)>);

struct WaitingText<'t> {
    buffer: &'t Buffer,
    name: &'t str,
    writer: &'t CspmTermWriter<'t>,
    alphabet: &'t ScriptAlphabet,
    written: &'t dyn Fn(PartyDeed) -> String,
}

impl WaitingText<'_> {
    fn lines(&self) -> Result<Vec<String>, Unwritten> {
        let mut lines: Vec<(RuleId, String)> = self.puts()?;
        let (heads, others) = self.heads();
        for deal in others {
            let guard = self.guard(deal, None)?;
            lines.push((deal.rule, self.line(&guard, &(self.written)(deal.deed), &self.after(deal))));
        }
        lines.sort_by_key(|(rule, _)| *rule);
        Ok(lines.into_iter().map(|(_, line)| line).chain(heads).collect())
    }

    fn line(&self, guard: &[String], event: &str, after: &str) -> String {
        let guard = if guard.is_empty() { String::new() } else { format!("{} & ", guard.join(" and ")) };
        format!("{guard}{event} -> {after}")
    }

    fn item(&self, code: i32) -> &str {
        let event = self.buffer.items[&code];
        self.alphabet.event(&self.writer.system.events[event].text)
    }

    /// What is sent to it: a line for a message, whatever place it comes to; or for all values of its arguments.
    fn puts(&self) -> Result<Vec<(RuleId, String)>, Unwritten> {
        let room = self.buffer.places.len();
        let mut alike: BTreeMap<AlikeDeals, BTreeMap<usize, &Deal>> = BTreeMap::new();
        for deal in &self.buffer.deals {
            if let BufferChange::Put(code) = deal.change {
                let updates = deal.updates.iter().map(|(variable, term)| (*variable, *term)).collect();
                alike
                    .entry((deal.deed, code, deal.asks.clone(), updates))
                    .or_default()
                    .insert(deal.least, deal);
            }
        }
        let mut lines = Vec::new();
        let mut links: BTreeMap<WaitingLink, Vec<(&Deal, i32)>> = BTreeMap::new();
        for ((_, code, ..), places) in alike {
            let Some((_, deal)) = places.first_key_value() else { continue };
            if places.len() < room {
                for (place, deal) in places {
                    let guard = self.guard(deal, Some(format!("#waiting == {place}")))?;
                    lines.push((deal.rule, self.line(&guard, &(self.written)(deal.deed), &self.after(deal))));
                }
                continue;
            }
            let guard = self.guard(deal, Some(format!("#waiting < {room}")))?;
            let link = match deal.deed {
                PartyDeed::Event(event) => {
                    self.alphabet.link(&self.writer.system.events[event].text).to_owned()
                }
                PartyDeed::Way(_) | PartyDeed::Fault(_) => (self.written)(deal.deed),
            };
            let item = &self.writer.system.events[self.buffer.items[&code]].text;
            let key = (guard, link, self.alphabet.link(item).to_owned(), self.others(deal));
            links.entry(key).or_default().push((deal, code));
        }
        for ((guard, link, item, others), deals) in links {
            let first = deals.iter().map(|(deal, _)| deal.rule).min();
            match (self.inputs(&deals), first) {
                (Some(inputs), Some(first)) => {
                    let names: String = inputs.iter().map(|(name, _)| format!(".{name}")).collect();
                    let after = call(self.name, &format!("waiting ^ <{item}{names}>"), &others);
                    let is_whole = deals.iter().any(|(deal, _)| self.is_whole(deal));
                    let over = over(&inputs, &link, is_whole, &after);
                    lines.push((first, format!("{} & {over}", guard.join(" and "))));
                }
                (_, _) => {
                    for (deal, _) in deals {
                        lines.push((
                            deal.rule,
                            self.line(&guard, &(self.written)(deal.deed), &self.after(deal)),
                        ));
                    }
                }
            }
        }
        Ok(lines)
    }

    /// Whether what is seen of a deal is an event whose message is a constructor.
    fn is_whole(&self, deal: &Deal) -> bool {
        match deal.deed {
            PartyDeed::Event(event) => self.alphabet.is_whole(&self.writer.system.events[event].text),
            PartyDeed::Way(_) | PartyDeed::Fault(_) => false,
        }
    }

    /// Names for the arguments of events that differ in nothing else, if they are all that there may be.
    fn inputs(&self, deals: &[(&Deal, i32)]) -> Option<Vec<BranchInput>> {
        let system = self.writer.system;
        let mut given = BTreeSet::new();
        let mut columns = None;
        for (deal, code) in deals {
            let PartyDeed::Event(event) = deal.deed else { return None };
            let text = &system.events[event].text;
            let arguments = self.alphabet.parts(text).1;
            if arguments != self.alphabet.parts(&system.events[self.buffer.items[code]].text).1 {
                return None;
            }
            given.insert(arguments);
            columns = Some(self.alphabet.columns(text));
        }
        let columns = columns?;
        let count: usize = columns.iter().map(Vec::len).product();
        (count > 1 && given.len() == count).then(|| inputs(columns))
    }

    /// Lines for messages that are received when they are first, and all other deals that put nothing.
    fn heads(&self) -> (Vec<String>, Vec<&Deal>) {
        let is_put = |deal: &&Deal| matches!(deal.change, BufferChange::Put(_));
        let (puts, others): (Vec<&Deal>, Vec<&Deal>) = self.buffer.deals.iter().partition(is_put);
        let plain = |deal: &Deal| -> Option<i32> {
            let code = *deal.found.get(&0)?;
            let is_plain = deal.change == BufferChange::Take(0)
                && deal.found.len() == 1
                && (deal.least, deal.most) == (1, self.buffer.places.len())
                && deal.asks.is_empty()
                && deal.deed == PartyDeed::Event(self.buffer.items[&code]);
            is_plain.then_some(code)
        };
        let mut groups: BTreeMap<Vec<String>, BTreeSet<&str>> = BTreeMap::new();
        let mut taken: BTreeSet<i32> = BTreeSet::new();
        for (deal, code) in others.iter().filter_map(|deal| Some((deal, plain(deal)?))) {
            groups.entry(self.others(deal)).or_default().insert(self.item(code));
            taken.insert(code);
        }
        let is_taken = |deal: &&Deal| match deal.change {
            BufferChange::Put(code) => taken.contains(&code),
            BufferChange::Nothing | BufferChange::Take(_) | BufferChange::Clear => true,
        };
        if taken.is_empty() || !puts.iter().all(is_taken) {
            return (Vec::new(), others);
        }
        let is_one = groups.len() == 1;
        let line = |(others, items): (Vec<String>, BTreeSet<&str>)| {
            let items = items.into_iter().collect::<Vec<&str>>().join(", ");
            let which =
                if is_one { String::new() } else { format!(" and member(head(waiting), {{{items}}})") };
            let after = call(self.name, "tail(waiting)", &others);
            format!("#waiting > 0{which} & head(waiting) -> {after}")
        };
        let rest = others.into_iter().filter(|deal| plain(deal).is_none()).collect();
        (groups.into_iter().map(line).collect(), rest)
    }

    /// When something is done; how many wait may be told already.
    fn guard(&self, deal: &Deal, told: Option<String>) -> Result<Vec<String>, Unwritten> {
        let room = self.buffer.places.len();
        let mut all = match (told, deal.least, deal.most) {
            (Some(told), ..) => vec![told],
            (None, least, most) if least == most => vec![format!("#waiting == {least}")],
            (None, least, most) => {
                let least = (least > 0).then(|| format!("#waiting > {}", least - 1));
                least.into_iter().chain((most < room).then(|| format!("#waiting <= {most}"))).collect()
            }
        };
        for (place, code) in &deal.found {
            all.push(format!("{} == ({})", at(*place), self.item(*code)));
        }
        let mut asks = deal.asks.clone();
        // What waits nowhere.
        for code in self.buffer.items.keys() {
            let is_absent = |place: &VariableId| {
                let is_it =
                    |term: &TermId| literal(self.writer.system, *term) == Some((*place, *code, false));
                asks.iter().any(is_it)
            };
            if self.buffer.places.iter().all(is_absent) {
                let is_other = |term: &TermId| {
                    let known = literal(self.writer.system, *term);
                    !known.is_some_and(|(variable, value, is)| {
                        self.buffer.places.contains(&variable) && value == *code && !is
                    })
                };
                asks.retain(is_other);
                all.push(format!("not elem({}, waiting)", self.item(*code)));
            }
        }
        for term in asks {
            all.push(self.condition(term)?);
        }
        Ok(all)
    }

    fn condition(&self, term: TermId) -> Result<String, Unwritten> {
        let system = self.writer.system;
        if !read(system, term).iter().any(|variable| self.buffer.places.contains(variable)) {
            return Ok(self.writer.truth(term));
        }
        if let Some((variable, value, is)) = literal(system, term) {
            let place = self.buffer.places.iter().position(|one| *one == variable).unwrap_or(0);
            return Ok(match (self.buffer.items.get(&value), value, is) {
                (_, 0, true) => format!("#waiting <= {place}"),
                (_, 0, false) => format!("#waiting > {place}"),
                (None, _, is) => (!is).to_string(),
                (Some(_), _, true) => {
                    format!("(#waiting > {place} and {} == ({}))", at(place), self.item(value))
                }
                (Some(_), _, false) => {
                    format!("(#waiting <= {place} or {} != ({}))", at(place), self.item(value))
                }
            });
        }
        let joined = |parts: &[TermId], word: &str| -> Result<String, Unwritten> {
            let parts = parts.iter().map(|part| self.condition(*part)).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("({})", parts.join(word)))
        };
        match system.terms.node(term) {
            TermNode::And(parts) => joined(parts, " and "),
            TermNode::Or(parts) => joined(parts, " or "),
            TermNode::Not(inner) => Ok(format!("not ({})", self.condition(*inner)?)),
            TermNode::Constant(_)
            | TermNode::Variable(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..)
            | TermNode::If(..) => Err(Unwritten("a queue is used otherwise than a queue".to_owned())),
        }
    }

    fn others(&self, deal: &Deal) -> Vec<String> {
        let value = |variable: &VariableId| match deal.updates.get(variable) {
            Some(term) => self.writer.given(*variable, *term),
            None => self.writer.variables[*variable].clone(),
        };
        self.buffer.others.iter().map(value).collect()
    }

    fn after(&self, deal: &Deal) -> String {
        if matches!(deal.deed, PartyDeed::Fault(_)) {
            return "STOP".to_owned();
        }
        let waiting = match deal.change {
            BufferChange::Nothing => "waiting".to_owned(),
            BufferChange::Put(code) => format!("waiting ^ <{}>", self.item(code)),
            BufferChange::Take(0) => "tail(waiting)".to_owned(),
            BufferChange::Take(place) => format!("without(waiting, {place})"),
            BufferChange::Clear => "<>".to_owned(),
        };
        call(self.name, &waiting, &self.others(deal))
    }
}

fn at(place: usize) -> String {
    if place == 0 { "head(waiting)".to_owned() } else { format!("nth(waiting, {place})") }
}
