//! Diagrams for tests, written in a few words.
//!
//! A line is a statement; lifelines appear in order of first use unless declared. No reader is involved: this crate knows
//! no notation, and these words exist only here.
//!
//! ```text
//! actor a A long name      a -> b : text (also ->> --> <-> ->x ->o \- with [ ] for outside, ? for near outside)
//! alt guard / else / end   create b, stop b, + b, - b     note left|right|over a,b : text, hnote, rnote
//! ref a,b : text           state a : text, do a : text    == text ==, ... text ..., ||| , page
//! box a,b : text           title text                     number 1 (before a message), same .. end
//! header text              legend text                    caption text, footer text
//! ```

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Action, Arrow, Block, Bound, Caption, CaptionKind, CaptionSide, Combined, Condition, End, Execution,
    Fragment, Frame, Guard, Interaction, Invariant, Lifeline, LifelineBox, LifelineId, LifelineKind, Loop,
    Message, MessageId, MessageSort, MessageType, Note, NotePosition, NoteShape, Operand, Operator, Outside,
    Separator, SeparatorKind, Side, Stop, Tip, Use,
};
use sequent_kernel::source::{FileId, Place, Span};

/// The diagram a text describes.
pub(crate) fn sample(text: &str) -> Interaction {
    let mut sample = Sample {
        interaction: empty(),
        blocks: vec![Block::default()],
        open: Vec::new(),
        create: false,
        number: None,
    };
    text.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| sample.line(line));
    assert!(sample.open.is_empty(), "a block is not closed");
    sample.interaction.body = sample.blocks.pop().expect("a block is open");
    sample.interaction
}

/// Nowhere in particular.
pub(crate) fn place() -> Place {
    Place(Span::new(FileId::from_index(0), 0, 0))
}

fn empty() -> Interaction {
    Interaction {
        name: "sample".to_owned(),
        title: None,
        captions: Vec::new(),
        place: place(),
        lifelines: Default::default(),
        messages: Default::default(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: Vec::new(),
        known: Vec::new(),
    }
}

struct Sample {
    interaction: Interaction,
    blocks: Vec<Block>,
    open: Vec<Combined>,
    create: bool,
    number: Option<String>,
}

impl Sample {
    fn caption(&mut self, kind: CaptionKind, side: CaptionSide, text: &str) {
        self.interaction.captions.push(Caption { kind, side, text: text.replace("\\n", "\n") });
    }

    fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (names, text) = rest.split_once(':').unwrap_or((rest, ""));
        let text = text.trim().replace("\\n", "\n");
        match word {
            "title" => self.interaction.title = Some(rest.to_owned()),
            "header" => self.caption(CaptionKind::Header, CaptionSide::Right, rest),
            "legend" => self.caption(CaptionKind::Legend, CaptionSide::Left, rest),
            "caption" => self.caption(CaptionKind::Caption, CaptionSide::Centre, rest),
            "footer" => self.caption(CaptionKind::Footer, CaptionSide::Centre, rest),
            "number" => self.number = Some(rest.to_owned()),
            "create" => self.create = true,
            "box" => {
                let lifelines = self.names(names);
                self.interaction.boxes.push(LifelineBox {
                    label: text,
                    colour: None,
                    lifelines,
                    place: place(),
                });
            }
            "+" | "-" => {
                let bound = if word == "+" { Bound::Start } else { Bound::Finish };
                let lifeline = self.lifeline(rest);
                self.push(Fragment::Execution(Execution { lifeline, bound, colour: None, place: place() }));
            }
            "stop" => {
                let lifeline = self.lifeline(rest);
                self.push(Fragment::Stop(Stop { lifeline, place: place() }));
            }
            "note" | "hnote" | "rnote" => self.note(word, names, text),
            "ref" => {
                let lifelines = self.names(names);
                self.push(Fragment::Use(Use { name: text, target: None, lifelines, place: place() }));
            }
            "state" => {
                let lifelines = self.names(names);
                let condition = Condition { text, expression: None, place: place() };
                self.push(Fragment::Invariant(Invariant { lifelines, condition, place: place() }));
            }
            "do" => {
                let lifeline = self.lifeline(names);
                self.push(Fragment::Action(Action { lifeline, name: text, place: place() }));
            }
            "==" => self.separator(SeparatorKind::Divider, rest.trim_end_matches('=')),
            "..." => self.separator(SeparatorKind::Delay, rest.trim_end_matches('.')),
            "|||" => self.separator(SeparatorKind::Space(None), ""),
            "page" => self.separator(SeparatorKind::Page, rest),
            "else" | "and" => self.operand(guard(rest, word == "else")),
            "end" => self.end(),
            _ => {
                if let Some(kind) = kind(word) {
                    let (name, label) = rest.split_once(' ').unwrap_or((rest, rest));
                    self.declare(name, label, kind);
                } else if let Some(operator) = self.operator(word, rest) {
                    self.begin(word, operator, rest);
                } else {
                    self.message(line);
                }
            }
        }
    }

    fn push(&mut self, fragment: Fragment) {
        self.blocks.last_mut().expect("a block is open").0.push(fragment);
    }

    fn separator(&mut self, kind: SeparatorKind, text: &str) {
        self.push(Fragment::Separator(Separator { kind, text: text.trim().to_owned(), place: place() }));
    }

    fn declare(&mut self, name: &str, label: &str, kind: LifelineKind) -> LifelineId {
        self.interaction.lifelines.push(Lifeline {
            name: name.to_owned(),
            label: label.to_owned(),
            class: None,
            kind,
            stereotypes: Vec::new(),
            colour: None,
            declared: true,
            place: place(),
        })
    }

    fn lifeline(&mut self, name: &str) -> LifelineId {
        let name = name.trim();
        let known = self.interaction.lifelines.find(|lifeline| lifeline.name == name);
        known.unwrap_or_else(|| self.declare(name, name, LifelineKind::Participant))
    }

    fn names(&mut self, names: &str) -> Vec<LifelineId> {
        names.split(',').map(|name| self.lifeline(name)).collect()
    }

    fn note(&mut self, word: &str, names: &str, text: String) {
        let (side, names) = names.trim().split_once(' ').unwrap_or((names.trim(), ""));
        let position = match side {
            "left" => NotePosition::Left,
            "right" => NotePosition::Right,
            "across" => NotePosition::Across,
            _ => NotePosition::Over,
        };
        let shape = match word {
            "hnote" => NoteShape::Hexagon,
            "rnote" => NoteShape::Rectangle,
            _ => NoteShape::Folded,
        };
        let lifelines = if names.is_empty() { Vec::new() } else { self.names(names) };
        let message = self.interaction.messages.ids().next_back().filter(|_| names.is_empty());
        self.push(Fragment::Note(Note {
            position,
            lifelines,
            message,
            shape,
            text,
            colour: None,
            place: place(),
        }));
    }

    fn operator(&mut self, word: &str, rest: &str) -> Option<Operator> {
        let list = || rest.split(',').map(|name| MessageType::named(name.trim())).collect();
        Some(match word {
            "group" | "rect" | "same" => Operator::Seq,
            "alt" => Operator::Alt,
            "opt" => Operator::Opt,
            "par" => Operator::Par,
            "strict" => Operator::Strict,
            "break" => Operator::Break,
            "critical" => Operator::Critical,
            "neg" => Operator::Neg,
            "assert" => Operator::Assert,
            "ignore" => Operator::Ignore(list()),
            "consider" => Operator::Consider(list()),
            "coregion" => Operator::Coregion(self.lifeline(rest)),
            "loop" => Operator::Loop(Loop { min: Some(0), max: None, strict: false }),
            _ => return None,
        })
    }

    fn begin(&mut self, word: &str, operator: Operator, rest: &str) {
        let is_guarded = ["alt", "opt", "loop", "break"].contains(&word);
        let title = matches!(word, "group" | "neg").then(|| rest.to_owned());
        let colour = (word == "rect").then(|| rest.to_owned());
        let keyword = if word == "same" { "" } else { word }.to_owned();
        let frame = Frame { keyword, title, subtitle: None, colour };
        self.open.push(Combined::new(operator, Vec::new(), frame, place()));
        self.operand(if is_guarded { guard(rest, false) } else { Guard::Absent });
        self.blocks.push(Block::default());
    }

    fn operand(&mut self, guard: Guard) {
        let open = self.open.last_mut().expect("an operand stands in a block");
        if let Some(last) = open.operands.last_mut() {
            last.block = self.blocks.pop().expect("a block is open");
            self.blocks.push(Block::default());
        }
        open.operands.push(Operand {
            guard,
            title: None,
            colour: None,
            block: Block::default(),
            place: place(),
        });
    }

    fn end(&mut self) {
        let mut combined = self.open.pop().expect("an end follows a block");
        combined.operands.last_mut().expect("it has operands").block =
            self.blocks.pop().expect("a block is open");
        self.push(Fragment::Combined(combined));
    }

    fn message(&mut self, line: &str) {
        let (ends, text) = line.split_once(':').unwrap_or((line, ""));
        let parts: Vec<&str> = ends.split_whitespace().collect();
        let [from, arrow, to] = parts.as_slice() else { panic!("not understood: {line}") };
        let arrow = self::arrow(arrow);
        let text = text.trim().replace("\\n", "\n");
        let sort = match (std::mem::take(&mut self.create), arrow.dashed) {
            (true, _) => MessageSort::Create,
            (false, true) => MessageSort::Reply,
            (false, false) => MessageSort::Call,
        };
        let (from, to) = (self.end_at(from, true), self.end_at(to, false));
        let number = self.number.take();
        let (name, place) = (text.clone(), place());
        let message =
            Message { name, arguments: None, text, number, sort, from, to, arrow, place, label_place: place };
        let id: MessageId = self.interaction.messages.push(message);
        self.push(Fragment::Message(id));
    }

    fn end_at(&mut self, name: &str, is_sender: bool) -> End {
        match name {
            "[" => End::Outside(Outside { side: Side::Left, short: false }),
            "]" => End::Outside(Outside { side: Side::Right, short: false }),
            "?" => {
                End::Outside(Outside { side: if is_sender { Side::Left } else { Side::Right }, short: true })
            }
            name => End::Lifeline(self.lifeline(name)),
        }
    }
}

fn guard(text: &str, is_else: bool) -> Guard {
    match (text.is_empty(), is_else) {
        (true, true) => Guard::Else,
        (true, false) => Guard::Absent,
        (false, _) => Guard::Condition(Condition { text: text.to_owned(), expression: None, place: place() }),
    }
}

fn kind(word: &str) -> Option<LifelineKind> {
    Some(match word {
        "participant" => LifelineKind::Participant,
        "actor" => LifelineKind::Actor,
        "boundary" => LifelineKind::Boundary,
        "control" => LifelineKind::Control,
        "entity" => LifelineKind::Entity,
        "database" => LifelineKind::Database,
        "collections" => LifelineKind::Collections,
        "queue" => LifelineKind::Queue,
        _ => return None,
    })
}

fn arrow(text: &str) -> Arrow {
    let tip = |text: &str, head: char| {
        let circle = text.contains('o');
        let tip = match text {
            text if text.contains('x') => Tip::CROSS,
            text if text.matches(head).count() == 2 => Tip::OPEN,
            text if text.contains(head) => Tip::FILLED,
            _ => Tip::NONE,
        };
        Tip { circle, ..tip }
    };
    let middle = text.find('-').expect("an arrow has a line");
    let end = text.rfind('-').expect("an arrow has a line");
    Arrow {
        dashed: text.contains("--"),
        head: tip(&text[end..], '>'),
        tail: tip(&text[..middle], '<'),
        colour: None,
    }
}
