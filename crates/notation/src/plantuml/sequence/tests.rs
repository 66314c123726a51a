//! Lines of sequence diagrams and the statements they are read as.

use expect_test::{Expect, expect};
use sequent_kernel::model::{Arrow, Half, Side, Tip, TipShape};
use sequent_kernel::source::Sources;

use super::*;
use crate::line;
use crate::tree::sequence::{ArrowEnd, LifeShorthand, MessageStatement};

fn check(input: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", input);
    let lines = line::cut(file, sources.get(file), 0..input.len());
    let mut diagnostics = Vec::new();
    let mut out = String::new();
    for statement in read(&lines, &mut diagnostics) {
        out += &match statement.kind {
            StatementKind::Item(SequenceStatement::Message(message)) => show_message(&message),
            StatementKind::Item(item) => brief(&format!("{item:?}")),
            StatementKind::Title(title) => format!("title {title:?}"),
            StatementKind::Presentation => "looks".to_owned(),
            kind => format!("{kind:?}"),
        };
        out.push('\n');
    }
    for found in diagnostics {
        let place = sources.text(found.span);
        let hint = found.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        out += &format!("{} at {place:?}: {}{hint}\n", found.name(), found.message);
    }
    expected.assert_eq(&out);
}

/// `from [tail line head] to text`, then what is special.
fn show_message(message: &MessageStatement) -> String {
    let end = |end: &ArrowEnd| match end {
        ArrowEnd::Name(name) => show_name(name),
        ArrowEnd::Outside(outside) => {
            let side = if outside.side == Side::Left { "left" } else { "right" };
            format!("({side}{})", if outside.short { ", near" } else { "" })
        }
    };
    let LifeShorthand { activate, colour, deactivate, create, destroy } = &message.life;
    let marks = [(*activate, " ++"), (*deactivate, " --"), (*create, " **"), (*destroy, " !!")];
    let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    let colour = colour.as_ref().map_or(String::new(), |colour| format!(" {colour}"));
    let others: String = message.others.iter().map(|other| format!(" & {}", other.text)).collect();
    let parallel = if message.parallel { "& " } else { "" };
    let (from, to) = (end(&message.from), end(&message.to));
    let (arrow, sort) = (show_arrow(&message.arrow), message.sort);
    format!("{parallel}{from} {arrow} {to}{others}{marks}{colour} {:?} {sort:?}", message.text.text)
}

fn show_name(name: &Name) -> String {
    name.label.as_ref().map_or(name.text.clone(), |label| format!("{}={label:?}", name.text))
}

fn show_arrow(arrow: &Arrow) -> String {
    let tip = |tip: Tip| {
        let shape = match tip.shape {
            TipShape::None => "",
            TipShape::Filled => "filled",
            TipShape::Open => "open",
            TipShape::Cross => "cross",
        };
        let half = match tip.half {
            Some(Half::Upper) => "^",
            Some(Half::Lower) => "_",
            None => "",
        };
        format!("{shape}{half}{}", if tip.circle { "o" } else { "" })
    };
    let line = if arrow.dashed { "--" } else { "-" };
    let colour = arrow.colour.as_deref().unwrap_or_default();
    format!("[{} {line}{colour} {}]", tip(arrow.tail), tip(arrow.head))
}

/// The debug form without spans.
fn brief(debug: &str) -> String {
    let mut out = String::new();
    let mut rest = debug;
    while let Some(at) = rest.find("span: Span {") {
        out += rest[..at].trim_end_matches([' ', ',']);
        rest = rest[at..].split_once('}').map_or("", |(_, after)| after);
    }
    out + rest
}

#[test]
fn arrows() {
    check(
        r##"
            a -> b
            a --> b: x
            a ->> b : y
            a <- b
            a <<-- b
            a -\ b
            a -// b
            a /- b
            a <-> b
            a ->x b
            a ->o b
            a o<-->>o b
            a x-> b
            a -x b
            a-[#red]>b
            a -[#0000FF,dashed]-> b
            a -[hidden]> b
            a (10)<- b
            a ->(10) b
        "##,
        expect![[r##"
            a [ - filled] b "" Call
            a [ -- filled] b "x" Reply
            a [ - open] b "y" Signal
            b [ - filled] a "" Call
            b [ -- open] a "" Reply
            a [ - filled^] b "" Call
            a [ - open_] b "" Signal
            b [ - filled^] a "" Call
            a [filled - filled] b "" Call
            a [ - cross] b "" Signal
            a [ - filledo] b "" Call
            a [filledo -- openo] b "" Reply
            a [cross - filled] b "" Call
            a [ - cross] b "" Signal
            a [ -#red filled] b "" Call
            a [ --#0000FF filled] b "" Reply
            a [ - filled] b "" Call
            b [ - filled] a "" Call
            a [ - filled] b "" Call
        "##]],
    );
}

#[test]
fn names_and_labels() {
    check(
        r##"
            "A b" -> "C\nd" : a: b -> c\nd
            x as "Long" -> "Other" as y
            note -> end : x
            a->x : normal
            participant -> b
            DB.1@x -> ü
        "##,
        expect![[r##"
            A b [ - filled] C\nd="C\nd" "a: b -> c\nd" Call
            x="Long" [ - filled] y="Other" "" Call
            note [ - filled] end "x" Call
            a [ - filled] x "normal" Call
            participant [ - filled] b "" Call
            DB.1@x [ - filled] ü "" Call
        "##]],
    );
}

#[test]
fn from_and_to_the_outside() {
    check(
        r##"
            [-> a : x
            [<- a
            a ->]
            a <-]
            ?-> a
            a ->?
            a ->
            <-- a : y
            [o->o a
            a ->x]
            a -> : z
            ]-> a
            [->> a ++ #red : w
        "##,
        expect![[r#"
            (left) [ - filled] a "x" Call
            a [ - filled] (left) "" Call
            a [ - filled] (right) "" Call
            (right) [ - filled] a "" Call
            (left, near) [ - filled] a "" Call
            a [ - filled] (right, near) "" Call
            a [ - filled] (right) "" Call
            a [ -- filled] (left) "y" Reply
            (left) [o - filledo] a "" Call
            a [ - cross] (right) "" Signal
            a [ - filled] (right) "z" Call
            (right) [ - filled] a "" Call
            (left) [ - open] a ++ #red "w" Signal
            W105 at "a ->": this arrow of `a` has no receiver: it leaves the diagram (name the receiver, or write `->]` for a message that leaves the diagram)
            W105 at "a -> : z": this arrow of `a` has no receiver: it leaves the diagram (name the receiver, or write `->]` for a message that leaves the diagram)
        "#]],
    );
}

#[test]
fn around_a_message() {
    check(
        r##"
            & a -> b : x
            {start} a -> b : y
            a -> b & c & d : z
            a -> b ++ #LightBlue : on
            a --> b --++
            a -> b ** : new
            a -> b !! : kill
            a -> b <<s>> [[http://x]] : t
            a -> b++: u
            {a} <-> {b} : far
        "##,
        expect![[r#"
            & a [ - filled] b "x" Call
            a [ - filled] b "y" Call
            a [ - filled] b & c & d "z" Call
            a [ - filled] b ++ #LightBlue "on" Call
            a [ -- filled] b ++ -- "" Reply
            a [ - filled] b ** "new" Call
            a [ - filled] b !! "kill" Call
            a [ - filled] b "t" Call
            a [ - filled] b ++ "u" Call
            Duration(DurationStatement { from: "a", to: "b", text: Text { text: "far" } })
            H229 at "far": the duration `far` is drawn, and nothing is checked about it (runs are orders of events without time: say with `@order` what must come before what)
        "#]],
    );
}

#[test]
fn participants() {
    check(
        r##"
            actor A
            PARTICIPANT "Long\nname" as b <<x>> order -10 #red
            database c as "Label"
            queue Q as q
            entity "e f"
            create control g
            create h
            create participant
            participant i [
              = Title
              more
            ]
            participant j order 5 [[http://x]] #red/blue
        "##,
        expect![[r##"
            Participant(Participant { name: Name { text: "A", label: None }, kind: Actor, stereotypes: [], colour: None, order: 0, create: false })
            Participant(Participant { name: Name { text: "b", label: Some("Long\nname") }, kind: Participant, stereotypes: ["x"], colour: Some("#red"), order: -10, create: false })
            Participant(Participant { name: Name { text: "c", label: Some("Label") }, kind: Database, stereotypes: [], colour: None, order: 0, create: false })
            Participant(Participant { name: Name { text: "q", label: Some("Q") }, kind: Queue, stereotypes: [], colour: None, order: 0, create: false })
            Participant(Participant { name: Name { text: "e f", label: None }, kind: Entity, stereotypes: [], colour: None, order: 0, create: false })
            Participant(Participant { name: Name { text: "g", label: None }, kind: Control, stereotypes: [], colour: None, order: 0, create: true })
            Create(Name { text: "h", label: None })
            Create(Name { text: "participant", label: None })
            Participant(Participant { name: Name { text: "i", label: Some("= Title\nmore") }, kind: Participant, stereotypes: [], colour: None, order: 0, create: false })
            Participant(Participant { name: Name { text: "j", label: None }, kind: Participant, stereotypes: [], colour: Some("#red/blue"), order: 5, create: false })
        "##]],
    );
}

#[test]
fn blocks() {
    check(
        r##"
            alt ok
            else #red not ok
            also
            end alt
            loop#red #blue 3 times
            end
            group Caption [second]
            end
            GROUP [only]
            end group
            par2
            end
            box "In" #LightBlue
            end box
            box Plain text
            endbox
            partition p
            end
            parallel
        "##,
        expect![[r##"
            Open(BlockOpening { keyword: Alt, text: Text { text: "ok" }, subtitle: None, colour: None })
            Divide(Divide { keyword: Else, text: Text { text: "not ok" }, colour: Some("#red") })
            Divide(Divide { keyword: Else, text: Text { text: "" }, colour: None })
            Close
            Open(BlockOpening { keyword: Loop, text: Text { text: "3 times" }, subtitle: None, colour: Some("#blue") })
            Close
            Open(BlockOpening { keyword: Group, text: Text { text: "Caption" }, subtitle: Some("second"), colour: None })
            Close
            Open(BlockOpening { keyword: Group, text: Text { text: "" }, subtitle: Some("only"), colour: None })
            Close
            Open(BlockOpening { keyword: Par2, text: Text { text: "" }, subtitle: None, colour: None })
            Close
            BoxStart { label: "In", colour: Some("#LightBlue") }
            BoxEnd
            BoxStart { label: "Plain text", colour: None }
            BoxEnd
            Open(BlockOpening { keyword: Partition, text: Text { text: "p" }, subtitle: None, colour: None })
            Close
            Unknown
            E101 at "parallel": `parallel` is not a valid statement in a sequence diagram
        "##]],
    );
}

#[test]
fn notes_and_references() {
    check(
        r##"
            note left : x
            note right of a #red : y\nz
            hnote over a, "b c"
              one
                two
            end note
            / note over a : w
            note across : all
            rnote right
              r
            endnote
            ref over a, b : Init
            ref over a
              more
            end ref
            note over a
        "##,
        expect![[r##"
            Note(SequenceNote { position: Left, names: [], shape: Folded, text: Text { text: "x" }, colour: None, aligned: false })
            Note(SequenceNote { position: Right, names: [Name { text: "a", label: None }], shape: Folded, text: Text { text: "y\nz" }, colour: Some("#red"), aligned: false })
            Note(SequenceNote { position: Over, names: [Name { text: "a", label: None }, Name { text: "b c", label: None }], shape: Hexagon, text: Text { text: "one\n  two" }, colour: None, aligned: false })
            Note(SequenceNote { position: Over, names: [Name { text: "a", label: None }], shape: Folded, text: Text { text: "w" }, colour: None, aligned: true })
            Note(SequenceNote { position: Across, names: [], shape: Folded, text: Text { text: "all" }, colour: None, aligned: false })
            Note(SequenceNote { position: Right, names: [], shape: Rectangle, text: Text { text: "r" }, colour: None, aligned: false })
            Reference(UseStatement { names: [Name { text: "a", label: None }, Name { text: "b", label: None }], text: Text { text: "Init" } })
            Reference(UseStatement { names: [Name { text: "a", label: None }], text: Text { text: "more" } })
            Unknown
            E102 at "note over a": the note is never closed: `end note` is missing
        "##]],
    );
}

#[test]
fn life_numbers_and_separators() {
    check(
        r##"
            activate a #red
            deactivate a
            deactivate
            destroy "b c"
            a ++
            a--
            return done
            return
            autoactivate on
            autonumber 10 5 "<b>00"
            autonumber
            autonumber stop
            autonumber resume 2
            autonumber inc A
            autonumber 1.1
            == Part ==
            ...
            ...5 minutes...
            |||
            ||45||
            newpage Two
            hide footbox
            hide unlinked
            url of a is [[http://x]]
        "##,
        expect![[r##"
            Activate { name: Name { text: "a", label: None }, colour: Some("#red") }
            Deactivate(Some(Name { text: "a", label: None }))
            Deactivate(None)
            Destroy(Name { text: "b c", label: None })
            Activate { name: Name { text: "a", label: None }, colour: None }
            Deactivate(Some(Name { text: "a", label: None }))
            Return(Text { text: "done" })
            Return(Text { text: "" })
            AutoActivate(true)
            AutoNumber(Start { start: Some("10"), step: Some(5), format: Some("<b>00") })
            AutoNumber(Start { start: None, step: None, format: None })
            AutoNumber(Stop)
            AutoNumber(Resume { step: Some(2), format: None })
            AutoNumber(Increment("A"))
            AutoNumber(Start { start: Some("1.1"), step: None, format: None })
            Separator(Divider, "Part")
            Separator(Delay, "")
            Separator(Delay, "5 minutes")
            Separator(Space(None), "")
            Separator(Space(Some(45)), "")
            Separator(Page, "Two")
            looks
            HideUnlinked(true)
            looks
            W116 at "destroy \"b c\"": `b c` is not active: PlantUML refuses to end its bar here (activate it first)
        "##]],
    );
}

#[test]
fn what_is_wrong() {
    check(
        r##"
            a -> b hello
            my app -> b : x
            a -> my-app : x
            a -- b
            partcipant a
            ....
            alt #nocolour x
            actor a #grean
            a -[plain]> b
        "##,
        expect![[r##"
            Unknown
            Unknown
            Unknown
            a [ -- filled] b "" Reply
            Unknown
            Unknown
            Open(BlockOpening { keyword: Alt, text: Text { text: "x" }, subtitle: None, colour: Some("#nocolour") })
            Participant(Participant { name: Name { text: "a", label: None }, kind: Actor, stereotypes: [], colour: Some("#grean"), order: 0, create: false })
            a [ - filled] b "" Call
            E101 at "hello": `hello` follows the receiver without a colon (write `b : hello`)
            E101 at "my app": `my app` is not a valid participant name (put it in quotes: `"my app"`)
            E101 at "my-app": `my-app` is not a valid participant name (put it in quotes: `"my-app"`)
            E105 at "--": the arrow `--` has no head (write `->`, `-->` or `->>`)
            E101 at "partcipant a": `partcipant a` is not a valid statement in a sequence diagram (did you mean `participant`?)
            E101 at "....": `....` is not a valid statement in a sequence diagram
            E110 at "#nocolour": unknown colour `nocolour` (a colour is an HTML name or hexadecimal digits: `#LightBlue`, `#A0C4FF`)
            E110 at "#grean": unknown colour `grean` (did you mean `#Green`?)
            E110 at "plain": unknown colour `plain` (a colour is an HTML name or hexadecimal digits: `#LightBlue`, `#A0C4FF`)
        "##]],
    );
}

#[test]
fn what_plantuml_refuses() {
    check(
        r##"
            deactivate a
            activate b
            deactivate b
            a -> b
            ...
            activate b
            a -> b --
            activate a
            end box
            box
            end box
        "##,
        expect![[r#"
            Deactivate(Some(Name { text: "a", label: None }))
            Activate { name: Name { text: "b", label: None }, colour: None }
            Deactivate(Some(Name { text: "b", label: None }))
            a [ - filled] b "" Call
            Separator(Delay, "")
            Activate { name: Name { text: "b", label: None }, colour: None }
            a [ - filled] b -- "" Call
            Activate { name: Name { text: "a", label: None }, colour: None }
            BoxEnd
            BoxStart { label: "", colour: None }
            BoxEnd
            W116 at "deactivate a": `a` is not active: PlantUML refuses to end its bar here (activate it first)
            W116 at "activate b": PlantUML does not let a bar begin or end right after a delay (put it before the delay, or after the next message)
            W116 at "activate a": PlantUML does not let `a` become active again at once (put a message between the end of a bar and its next beginning)
            E103 at "end box": `end box` closes nothing: no box is open here (remove it, or open the box it was meant to close)
        "#]],
    );
}
