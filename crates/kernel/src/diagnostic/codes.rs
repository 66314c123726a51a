//! The table of diagnostic codes.
//!
//! The number is the kind, the letter the severity (error, warning, hint) that it mostly has: a finding that is less certain or less
//! bad than others of its kind is printed with the letter of its own severity. The hundreds tell the area: 0 files, 1 syntax, 2 interactions,
//! 3 state machines and classes, 4 directives and settings, 5 properties, 6 systems of objects. Each code has an example in
//! `examples/diagnostics`, or in `examples/projects` where it takes a folder of its own.

use super::Severity;

macro_rules! codes {
    ($($variant:ident = $code:literal, $title:literal, $explanation:literal;)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $variant,)*
        }

        impl Code {
            /// All codes in order.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The code as printed: `W201`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $code,)* }
            }

            /// The problem in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title,)* }
            }

            /// What it means, why it matters and what to do.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation,)* }
            }
        }
    };
}

impl Code {
    /// The severity the code's letter stands for.
    pub fn severity(self) -> Severity {
        match self.name().as_bytes()[0] {
            b'E' => Severity::Error,
            b'W' => Severity::Warning,
            _ => Severity::Hint,
        }
    }

    /// The number that tells the kind, whatever the letter: `201`.
    pub fn number(self) -> &'static str {
        &self.name()[1..]
    }

    /// The code printed as `name`, in any case; the letter may be that of any severity.
    pub fn from_name(name: &str) -> Option<Code> {
        let number = name.strip_prefix(['E', 'W', 'H', 'e', 'w', 'h'])?;
        Code::ALL.iter().copied().find(|code| code.number() == number)
    }
}

codes! {
    // Files.
    UnreadableFile = "E001", "file cannot be read",
        "The file does not exist, is not readable, or is a directory where a file was expected.";
    NotUtf8 = "W002", "file is not UTF-8",
        "The file contains bytes that are not valid UTF-8. They are read as the replacement character `�`, so that names with them look wrong, or are not accepted as names (E101). Save the file as UTF-8.";
    SkippedDiagram = "H003", "diagram of another kind",
        "The block is neither a sequence, a state, a class nor an object diagram, so it is not checked. `sequent check` only counts such diagrams in its summary; the hint itself appears in `--format json`, `junit` and `html`, in editors, and with `--deny H003`; in `sarif` it is a notification of the run, not a result.";
    NoDiagram = "H004", "no diagram found",
        "The file contains no diagram that could be read. Files of prose, unless empty, are not reported if other checked files contain diagrams.";
    IncludeNotFound = "E005", "included file not found",
        "The file named by `!include` does not exist or cannot be read. Paths are relative to the including file. Addresses on the network are not fetched (W108).";
    IncludeRefused = "E006", "included file refused",
        "The file named by `!include` is refused: diagrams may include only regular files of at most 4 MiB whose real path is inside the checked folder or repository. `--include-root DIR` allows files below another folder.";

    // Syntax.
    Syntax = "E101", "line not understood",
        "The line is not a valid statement of this kind of diagram, and is skipped. As a warning (W101): the original tool draws the diagram nevertheless, or the line may be defined in a file that could not be included.";
    UnclosedBlock = "E102", "block never closed",
        "A block (`alt`, `loop`, `box`, a composite state, a note) is opened and not closed before the diagram ends. As a warning (W102): a fragment or a composite state in PlantUML, which ends it with the diagram.";
    StrayEnd = "E103", "end without a block",
        "An `end` (or `}`) closes nothing: no block is open here.";
    StrayElse = "E104", "operand divider outside its block",
        "`else`, `and` or `option` is used outside of the block whose operands it separates: `else` belongs to alternatives (in PlantUML also to `par`), `and` to `par`, `option` to a Mermaid `critical`.";
    BadArrow = "E105", "unknown arrow",
        "The notation has no such arrow between two participants. As a warning (W105): an arrow without receiver, which PlantUML draws to the border of the diagram (`a ->` is `a ->]`); more often its receiver was forgotten. `<- a`, which begins with the arrow, is not reported.";
    MissingEnd = "W106", "diagram without its end",
        "The diagram starts with `@startuml` but the file ends (or the next diagram starts) before `@enduml`.";
    EmptyDiagram = "W107", "empty diagram",
        "The diagram contains no statement.";
    Unsupported = "W108", "construct not supported",
        "The original tool knows this construct, but Sequent does not read it; the message names it. What it would add to the diagram is missing. As a hint (H108): an element of a UML model that is not a constraint.";
    Preprocessor = "E109", "preprocessor error",
        "A preprocessor line is wrong: for example an unknown function, an `!if` without `!endif`, or a procedure with endless recursion.";
    UnknownColour = "E110", "unknown colour",
        "The name after `#` is not a colour. PlantUML refuses to draw the diagram.";
    InactiveDeactivation = "E111", "deactivation of something inactive",
        "A participant is deactivated that is not active. Mermaid refuses to draw the diagram. In PlantUML this code is for a `deactivate` without a name where no participant is active; `deactivate A` is W202.";
    CreateWithoutMessage = "E112", "creation without its message",
        "A participant is declared with `create`, but the next message does not go to it. As a warning (W112): in Mermaid, no message follows at all.";
    DestroyWithoutMessage = "E113", "destruction without its message",
        "A participant is destroyed, but the next message neither starts nor ends at it. In Mermaid the message that destroys a participant comes right after `destroy`.";
    NoteWithoutTarget = "E114", "note attached to nothing",
        "A note refers to the element above it, or to a named state, and there is none. PlantUML refuses a state diagram with such a note. As a warning (W114): in a sequence diagram, where PlantUML leaves the note out.";
    DuplicateName = "E115", "name declared twice",
        "Two elements of one diagram have the same name where the notation requires different ones: for example, `create` names a participant that exists already, or two boxes contain the same participant. As a warning (W115): a participant is declared again with another label, and only one of the labels is drawn.";
    Tolerated = "W116", "the original tool rejects this",
        "Sequent reads this, but the notation's own tool rejects it. The message says what to write instead.";
    BadMarkup = "W117", "unknown attribute",
        "A configuration (`@{ .. }` after a name, front matter, `%%{init}%%`) is malformed, or has a value that Mermaid does not know.";
    TooDeep = "E118", "blocks nested too deeply",
        "Blocks or composite states are nested more than 200 deep. The innermost ones are not read.";
    ColonInName = "W119", "colon inside a name",
        "PlantUML reads `B:go` in `A --> B:go` as the name of a state, not as the state `B` with the label `go`. Write `A --> B : go`.";
    BadXml = "E120", "UML model cannot be read",
        "The file is not well-formed XML, or it exceeds a limit: entities are not expanded, elements are nested at most 256 deep, and archives unpack to at most 256 MiB. The file, or the part that the message names, is not read.";
    OrderUnknown = "E121", "order of messages not given",
        "The UML model does not say in which order the messages come, or which fragment contains which messages: some tools keep this only in the drawing. The sequence diagram is not checked. Export it together with its diagrams, or from a tool that writes fragments in order.";
    MissingElement = "W122", "reference to a missing element",
        "The UML model refers to an id that no element of the file has, or to an element of a file that was not found next to it. The reference is ignored.";
    TwoNames = "W123", "contradiction in a UML model",
        "Two parts of the UML model contradict each other: for example, an event is named after one signal and refers to another, or a message is received above its sending. The message says which of the two is used.";
    OrderFromDiagram = "H124", "order taken from the drawing",
        "The UML model does not give a usable order of these messages. It is taken from their positions in the diagram that the file contains.";
    AliasReversed = "W125", "name and label of a participant swapped",
        "In Mermaid the name comes first and the displayed text after `as`: `participant SP as Status Page`. Mermaid takes all of `\"Status Page\" as SP` for one name, so that messages to `SP` go to another participant.";

    // Interactions.
    UnbalancedActivation = "W201", "activation never ended",
        "A lifeline is activated and never deactivated, although its call is answered or the diagram ends most other bars. PlantUML draws the bar down to the end of the diagram, Mermaid does not draw it at all. A bar that spans the whole diagram is not reported. As a hint (H201): the diagram ends no bar at all, or ends this one only in some branches of a fragment.";
    NeedlessDeactivation = "W202", "deactivation of something inactive",
        "The lifeline is not active here, so there is nothing to deactivate. Often an activation is missing or the name is misspelt. In Mermaid this is an error (E111).";
    ReplyWithoutCall = "W203", "reply that answers no call",
        "This dashed arrow answers no call, although nearly all dashed arrows of the diagram are replies. It looks like a wrong reply: its sender waits for its receiver, or its receiver waits for another lifeline. Reverse it, let it start at the lifeline that was called, or draw a solid line if it is a message of its own. Dashed arrows with open heads are not reported, nor are diagrams that use dashed arrows for other messages too. As an error (E203): a PlantUML `return` before any message.";
    CallWithoutReply = "H204", "call never answered",
        "Other calls between lifelines of this diagram are answered by a dashed arrow; this one is not, so it is read as asynchronous. It is told only where something is asked about the diagrams of the folder, or where `deny` names the code.";
    MessageAfterDestroy = "W205", "message on a destroyed lifeline",
        "The lifeline is destroyed above, or in one branch of a choice above. After that it can neither send nor receive.";
    MessageBeforeCreate = "W206", "message on a lifeline not yet created",
        "The lifeline is created further down; above its creation it can neither send nor receive.";
    EmptyOperand = "W207", "empty operand",
        "An operand contains no message or other event. That is legal, but often something was forgotten.";
    SingleAlternative = "H208", "alternatives that do not exclude each other",
        "Two `alt` with one operand each follow each other, with different conditions. An `alt` with one operand means the same as `opt`: both may happen, or none. If one excludes the other, write one `alt` with an `else`. An `alt` that stands alone is not reported. Guards in prose exclude each other only within one `alt`: `opt paid` and `opt not paid` are two texts, which is reported too; `!paid` is the negation of `paid`.";
    SameGuardTwice = "W209", "two operands with the same guard",
        "Two alternatives have the same guard, so that nothing distinguishes the second from the first.";
    IgnoredTypeUsed = "E210", "ignored message inside ignore",
        "A message of type `m` is drawn inside `ignore {m}`, which leaves these messages out of the diagram. Remove one of the two. Where no diagram shows who sends `m`, write `ignore {m: a -> b}` (W230).";
    UnconsideredTypeUsed = "E211", "unconsidered message inside consider",
        "A message is drawn inside `consider {..}` whose type is not in the list. Add it to the list, or move it out of the block.";
    OrderCycle = "E212", "order that can never be kept",
        "The order along the lifelines, from sending to receiving, and of the general orderings (`@order`) contains a cycle: each occurrence on it waits for another.";
    Overtaking = "H213", "messages that overtake",
        "Two messages from one lifeline to another are received in a different order than they are sent. That needs a channel that does not preserve order.";
    UnknownInteraction = "W214", "reference to an unknown interaction",
        "`ref` names an interaction that none of the checked files contains, but one has a similar name. The reference is treated as empty. As a hint (H214): no interaction has a similar name. Several words that resemble no name are taken for prose. The hint is told only where something is asked about the diagrams of the folder, or where `deny` names the code.";
    RecursiveUse = "E215", "interaction that contains itself",
        "Following the references leads back to the same interaction (recursion), so its content would be infinite.";
    WiderInside = "W216", "inner fragment wider than the outer",
        "A message or fragment reaches a lifeline that the fragment around it does not cover (`@covers`).";
    UnknownClass = "W217", "unknown class of a lifeline",
        "The lifeline is written `object : Class`, and the folder has classes or state machines, but none of this name. As a hint (H217): no name is similar.";
    NoLifeline = "E218", "coregion without a lifeline",
        "A coregion belongs to one lifeline. Name it (`group coregion Client`), or let all its messages have exactly one lifeline in common.";
    LikelySlip = "W219", "name like another",
        "The name is one letter away from one that is declared or used more often, or differs from another only in capitals, or is the label of another (after `participant \"Payment\" as P` messages name `P`), and is read as something of its own. Probably it is misspelt (a typo); if not, declare it too.";
    TooManyOperands = "W220", "more operands than the operator takes",
        "Only alternatives, parallel and sequential fragments have several operands. A loop, a break and the like have one: what follows the divider is read as if it followed the first operand. An `opt` with several operands is read as an `alt`.";
    LoopBounds = "W221", "loop that cannot run",
        "The lower bound of the loop is greater than its upper bound, or the upper bound is 0. Bounds in the wrong order are read as a guard, in a `group` as its caption. A loop with upper bound 0 is read as written: nothing in it happens.";
    Race = "W222", "messages that race",
        "Two messages from different senders reach a lifeline, and nothing ensures that they arrive in the order drawn: the sender of the second does not wait until the first has arrived (a race condition). What is drawn higher up need not happen earlier; only a message, or a lifeline's own sends, put one event after another. Let the receiver confirm the first message before the second is sent, or draw both in a coregion if their order does not matter. Only messages drawn as asynchronous are reported, and only if the second sender received something before. It is a warning if the order can matter: the receiver sends something between the two or directly after the second that does not just pass one of them on, or both are numbered. Otherwise it is a hint (H222), told only where something is asked about the diagrams of the folder, or where `deny` names the code. With `communication = \"rendezvous\"` nothing races: a message is taken when its receiver is ready for it.";
    NonLocalChoice = "H223", "choice that nobody makes alone",
        "Lifelines act differently depending on a choice, and no message tells them how it went: operands begin on different lifelines, or a lifeline begins to act in an operand without having heard from the one that chose it. When the diagram is carried out, each may choose differently. Let one lifeline choose, and let its messages tell the others. It is told only where something is asked about the diagrams of the folder, or where `deny` names the code.";
    RunAhead = "H224", "loop in which a sender runs ahead",
        "In a loop without an upper bound a lifeline sends and never receives an answer. It can be any number of rounds ahead of the receivers, so the number of messages in transit has no bound. Let the receiver answer inside the loop, or bound the loop. It is told only where something is asked about the diagrams of the folder, or where `deny` names the code.";
    UnsatisfiableGuard = "W225", "guard that is never true",
        "The guard contradicts itself or the guards of the operands around it, so that its operand never runs.";
    Stuck = "E226", "interaction that can get stuck",
        "A run reaches a point where something remains to happen and nothing can: lifelines wait for each other (a deadlock). Critical regions and assertions keep other events off their lifelines; with `calls=blocking` (`--switch`, or `[semantics]` in `sequent.toml`) a caller does nothing until its reply arrives. The run that leads there is drawn.";
    IdleOperand = "W227", "operand that can never run",
        "No complete run of the diagram goes through this operand: its guard contradicts the choices around it. A guard with the same text has the same value throughout a run, and the guards of one alternative exclude each other.";
    CallsInCircle = "H228", "calls that wait for each other",
        "The diagram can be run as drawn. But if every caller does nothing until its reply arrives (`--switch calls=blocking`), several callers wait for each other in a cycle: a deadlock where calls are synchronous. A caller that does something else between its call and the reply is not reported. It is told only where something is asked about the diagrams of the folder, or where `deny` names the code.";
    DurationUnchecked = "H229", "duration that is not checked",
        "A duration between two anchors, such as `{start} <-> {end} : < 5 s`, or a time or duration constraint of a UML model, is drawn but not checked: runs are orders of events without time. `@order` states what must come before what; `after` in a state machine is for time that triggers something.";
    UnknownIgnored = "W230", "unknown message type in ignore or consider",
        "`ignore {m}` allows messages of type `m` in between, but nothing says which lifeline sends them to which: neither this diagram nor another of its folder draws one between these lifelines, none of their classes has such an operation, and no state machine sends or takes it. So the entry has no effect. Write `ignore {m: a -> b}`, or correct the name. `consider {m}` where no message is called `m` changes nothing either; unless the name is nearly that of a message, that is a hint (H230).";
    UnknownEnd = "E231", "unknown lifeline in ignore or consider",
        "An entry such as `ignore {m: a -> b}` names a lifeline that the diagram does not have. The entry is left out.";
    UnwieldyUse = "E232", "reference too large to expand",
        "With its references written out, an interaction has at most 20000 fragments, nested at most 200 deep. This reference would exceed that, so it is not followed.";

    // State machines and classes.
    UnreachableState = "W301", "state that can never be reached",
        "The state is unreachable: no path of transitions leads to it from the initial state.";
    NoSource = "E302", "transition without source or target",
        "A transition starts or ends at something that is not a state of this machine, such as a substate of a composite state that is not declared.";
    TwoInitials = "E303", "two initial states",
        "A region must begin in one state, but several transitions leave its initial pseudostate. As a warning (W303): labels tell them apart, or the diagram is a sketch whose arrows have no labels.";
    Nondeterministic = "W304", "equal triggers without guards",
        "Two transitions leave the same state on the same trigger, both without guard or with the same guard, and nothing decides between them. Diagrams most of whose arrows have no label are sketches, and are not looked at. It is a hint (H304) where both send something and not the same: a vote, an answer or a refusal whose reason is left open.";
    TriggerNeverSent = "H305", "trigger that no machine sends",
        "State machines of the folder send messages to each other, but none sends this trigger, and no sequence diagram draws it. Reported only if most triggers are sent, or if the name is similar to that of a message that is sent.";
    SendNeverReceived = "W306", "send that no machine receives",
        "An effect sends a message to a machine that has no transition with this trigger. A send without a target is reported if no machine takes it, although machines take most other such sends.";
    NoInitial = "W307", "no initial state",
        "The region has states and labelled transitions, but no initial state. As a hint (H307): only one state has no incoming transition, so the reader can tell where it begins; this is told only where something is asked about the diagrams of the folder, where machines send to each other, or where `deny` names the code. Boxes and arrows without labels are not checked.";
    IgnoredTrigger = "H308", "trigger or guard without effect",
        "A transition that leaves an initial state, a fork, a join, a history, an entry or an exit point is taken immediately: it waits for no trigger, and only after choices, junctions and states do guards decide. To wait for a message, add a state: `[*] --> Waiting`, `Waiting --> S : go`. It is told only where something is asked about the diagrams of the folder, where machines send to each other, or where `deny` names the code.";
    CompletionFirst = "H309", "trigger beside a transition without trigger",
        "A state without a `do` activity completes as soon as it is entered. A transition with neither trigger nor guard fires then, before any message is taken, and the other transitions of the state never do. Give it a trigger or a guard. Not reported with `communication = \"rendezvous\"` or `completion = \"free\"`.";
    InheritanceCircle = "E310", "class that inherits from itself",
        "Following the arrows of inheritance and realisation, a class is a special case of itself. No program can be written like this.";
    TwoTypes = "W311", "attribute with two types",
        "A class has two attributes of one name with different types: it is declared twice, perhaps in two diagrams of a folder, which do not agree.";
    ClassSlip = "W312", "class name that is probably misspelt",
        "A relation names a class that no diagram of the folder declares, and one with nearly the same name is declared. It is drawn as a class of its own. Or a class has no state machine beside a machine of nearly the same name, or declares an operation that its machine does not take beside a trigger of nearly the same name.";

    // Directives and settings.
    UnknownDirective = "W401", "unknown directive",
        "A comment starts with `@` and a word that is not a directive, but similar to one. As a hint (H401): it is similar to none. If the comment is not meant for Sequent, put a word or another character, but not only a space, before the `@`.";
    BadDirective = "E402", "directive not understood",
        "The arguments of the directive do not have the form that it needs; the help below the message shows it. As a warning (W402): fairness is given for a question that is not about state machines.";
    UnknownSetting = "W403", "unknown setting",
        "`sequent.toml` contains a key that is not a setting in this place.";
    BadSetting = "E404", "setting not understood",
        "`sequent.toml` cannot be parsed, a value is not one that its key allows, or a `[[check]]` names a diagram that does not exist. As a hint (H404): the diagram may be in a file that was not given.";
    UnmetExpectation = "E405", "expectation not met",
        "`@expect CODE` says that a finding is reported, but it is not. (If a check has another verdict than expected, its answer says so.)";
    IdleDirective = "W406", "directive without its block",
        "A directive that gives the next block its operator, such as `@neg`, is not followed by a block.";
    UnknownOccurrence = "E407", "unknown occurrence",
        "An `@order` names a message that the diagram does not contain, or that it contains more than once. `?publish#2` is the receipt of the second `publish`.";
    IdleSuppression = "W408", "suppression that suppresses nothing",
        "A comment `sequent: allow CODE`, or a directive `@allow CODE`, matches no finding. Either the finding is gone, or the comment is in the wrong place: alone on its line it applies to the next line, before a fence in Markdown to the next diagram; `sequent: allow-file` applies to the whole file.";

    // Properties.
    BadFormula = "E501", "formula not understood",
        "The text is neither a temporal formula nor a pattern in words. docs/formulas.md has the grammar: operators, atoms such as `sent(pay, from=a)`, patterns such as `never A after B`. Formulas are linear-time: there is no `AG` or `EF`. A name that is spelt like an operator, or has several words, is written in quotes.";
    UnknownInFormula = "E502", "unknown name in a formula",
        "A formula names a message, a lifeline or a guard that neither its interaction nor one that it refers to has. The formula would be true or false for that reason alone.";
    IdleAtom = "W503", "atom that can never be true",
        "A formula asks for an event whose parts all exist, but not together: the message is drawn, but not between these lifelines, or not with these arguments. Or a formula or goal about objects compares an attribute with a value that it never has.";
    FreshGuard = "E504", "guard of a loop in a formula",
        "A guard inside a loop is evaluated anew in each round (rule I11 of docs/semantics.md), so it has no single value in a run. Let the formula refer to what happens if the guard is true.";
    NoStates = "E505", "state in a formula about messages",
        "A formula about a sequence diagram compares values, or asks in which state an object is. A sequence diagram has messages and guards only; states and attributes belong to state machines. A guard that looks like a comparison is written in quotes.";
    EmptyNegative = "W510", "property that forbids nothing",
        "The diagram is a `neg`, so it says what must not happen in other diagrams, but it contains no event. The empty trace is not meant: it is a part of every run.";
    EmptyAssertion = "W511", "property that demands nothing",
        "The diagram has an `assert` at its top level, so it says what must follow the messages above the `assert`, but the `assert` contains no event.";
    StrangerInProperty = "W512", "forbidden message that no diagram draws",
        "The diagram is a `neg`, so it says what must not happen in other diagrams, but none of those in the same folder draws this message between these lifelines. Probably a name is misspelt: messages are matched by their type and the names of their lifelines.";
    AskedOfNobody = "H513", "property that applies to no diagram",
        "The diagram is a `neg`, so it says what must not happen in the other diagrams of its folder, but none of them draws any of its messages. Put it into the folder of the diagrams that it is about, or name both in a `[[check]]` of `sequent.toml`. To ask about state machines, draw the messages without `neg` and use the directive `@forbidden`.";

    // Systems of objects.
    ContradictingObject = "E601", "object declared in two ways",
        "Object diagrams or `[system] objects` give one object two classes. The first declaration is used. As a warning (W601): they give two values to one of its attributes, or a scenario has a lifeline of its name with another class.";
    UnknownTarget = "E602", "send to an unknown target",
        "An effect sends to something that is not an object, class, role, port or attribute known to the object. Where objects are listed (object diagrams, `[system] objects`) every unknown name is reported. Elsewhere only a name similar to a known one is; any other is taken for something outside of the system.";
    UnknownObject = "E604", "link to an unknown object",
        "`[system] links` names something that is not an object of the system.";
    UnfitPorts = "W605", "ports that do not fit",
        "A link connects two ports through which no message can pass: their protocols have no operation in common, or both ports have the same direction. Give both the same protocol, and conjugate one of them (`line : ~Line <<port>>`). Also reported: a port with more links than its multiplicity allows.";
    UnlistedObject = "W606", "object that is not listed",
        "The folder lists its objects in an object diagram or in `[system] objects`, and the scenario has a lifeline that is not among them, although its class has a state machine. Such a lifeline is environment: it may do anything. Where no objects are listed, the lifelines are the objects.";
    DoubleMachine = "E607", "two state machines for one class",
        "Objects of a class behave as the state machine of that name, or the one with `@class`. The folder has two of them for the class of an object, and only the first is used.";
    TriggerMismatch = "W608", "message that a state machine cannot exchange",
        "The messages that a lifeline receives must be a path of its object's state machine: a sequence of triggers, beginning in any state, with steps in between that need no message. No way through the diagram is such a path. The finding names the first message that cannot be received, and the states in which the machine may be then. Guards are assumed to be satisfiable. Messages from objects outside of the diagram may come in between without being drawn. Mark a diagram that shows what must not happen with `neg` or `@forbidden`. Where a check asks about a scenario, a message whose name is nearly that of one which the state machines exchange is reported in any case: misspelt, it makes the scenario one that never happens.";
    PortRefuses = "W609", "message that the ports do not carry",
        "The object is linked to the receiver by ports, and their protocols do not carry this message in this direction. The operations of a protocol are its messages; `<<in>>` and `<<out>>` are seen from the base side, and a conjugated port (`~Line`) reverses them.";
    UnknownType = "W610", "attribute of an unknown type",
        "Attributes of state machines have finitely many values: `bool`, ranges such as `0..7`, enumerations, references to objects of a class; `int` is -8..7. With any other type, guards with the attribute may be true or false and assignments to it do nothing. As a hint (H610): the attribute of a class has a type that is similar to none of these.";
    ValueOutside = "E611", "value outside of its type",
        "An initial or assigned value is not one that the attribute may have, a trigger waits for a value that its parameter never has (`push(9)`), or a range is empty or too large. A first value is one literal of the type, no expression. `int` without a range is -8..7: give the attribute a range of its own.";
    TypeMismatch = "E612", "types that do not fit",
        "An expression compares or combines values of different types, uses a number as a condition, or an attribute or parameter is given a value of another type.";
    UnknownAttribute = "W613", "unknown name in an expression",
        "A guard or an effect uses a name that is not an attribute, parameter, literal or object. Either other names of the expression are declared, or the name is similar to a declared one; if both are true, it is E618. So is a name that nothing has in a contract (`@pre`, `@post`), which is not looked at then, and a value that an object gives to no attribute. A guard with an unknown name may be true or false, an assignment to one does nothing. Prose is not reported.";
    ArgumentCount = "E614", "wrong number of arguments",
        "A message is sent with more or fewer arguments than the receiver's class declares for it, or than its state machine takes, or gives an argument the name of no parameter; or a trigger has more parameters than any class declares.";
    MissingMachine = "E615", "object without state machine",
        "A listed object is of a class that is not declared and has no state machine, while a state machine has a similar name. Such an object is environment: it may do anything. If that is intended, declare the class. Reported only if another listed object has a state machine. As a warning (W615): no state machine has a similar name; or a check asks whether a scenario is possible, required or forbidden, and a lifeline with a similar name, or every lifeline, has no state machine in the same folder.";
    OpaqueData = "W616", "guard or effect not understood",
        "The text names an attribute and looks like an expression or assignment, but cannot be read as one. A guard that is not understood may be true or false, an effect does nothing. So is a trigger that names a sender, or one of several ports that let its message in (`left.a`): it is the name of an event that nothing sends. The result of a call that leaves the system is never given, so the attribute which keeps it stays as it is.";
    PlainInt = "H617", "number without range",
        "The attribute is an integer without a range. Attributes have finitely many values, so it is taken to be -8..7, and a run that leaves this range ends with a fault (W635). Give it a range of its own, such as `0..20`. Reported once for all state machines of a folder.";
    MisspeltName = "E618", "misspelt name in an expression",
        "An expression with declared names, an assignment, an argument of a send or an object diagram uses a name that is not an attribute, parameter or literal, but similar to one. A guard or an argument with it may have any value, and an assignment to it does nothing.";
    ForeignAttribute = "E619", "assignment to another object's attribute",
        "An object sets only its own attributes. An assignment to an attribute of another object does nothing: send the other object a message, and let its own state machine set the attribute.";
    OpenData = "H620", "undeclared names in guards and effects",
        "Guards, assignments or arguments use names as data that nothing declares: no attribute, parameter, enumeration literal or object has them. A condition with such a name is decided freely, an assignment to it does nothing, and an argument may be anything. Declare the names in the class of the machine, or with `@attribute count : 0..7`. Said once for each state machine. It is told only where something is asked about the diagrams of the folder, or where `deny` names the code.";
    OpenArgument = "H621", "argument whose value is not known",
        "A guard or an effect depends on a parameter of a message whose values are not known: no object sends the message and no class declares it, a send passes a name that is not declared, or the values that are sent grow without bound. What depends on it may go either way, and a verdict that rests on such a run is `unknown`. Declare the parameter with a type in the class of the receiver, as in `token(n : 0..7)`. Values that objects pass on to each other, even in a cycle, need no declaration.";
    SystemStuck = "E630", "objects that get stuck",
        "The state machines of a folder form a system (docs/objects.md). There is a run after which nothing can happen any more, although not every object is at its end: in a final state, in a state that nothing leaves, or where it began. Mostly objects wait for each other's messages. The run is a shortest one, unless there are too many states to look at all of them. It is a hint (H630) where some objects have come to states that they do not leave, and the others wait only for messages of these.";
    SilentForever = "W631", "endless steps without messages",
        "The objects may go on forever without sending or receiving anything (a livelock): transitions without triggers form a cycle. Completion comes before messages, so an object in such a cycle takes none of those that wait. Let one of the transitions wait for something.";
    NeverReached = "W632", "state that no run reaches",
        "Transitions lead to this state, but none of them ever fires: a guard is never true, or a message never comes while the object waits for it. All runs were searched.";
    NeverFires = "W633", "transition that never fires",
        "The source state of this transition is reached, but the transition never fires: its guard is never true there, its message never comes there, or another transition always comes first. All runs were searched.";
    LostMessage = "W634", "message that is lost",
        "An object receives a message from another object in a state in which no transition takes it, and that does not defer it. UML drops such messages silently, and the sender may wait for an answer that never comes.";
    SystemFault = "E635", "fault in a run",
        "A run comes to something that a model must not do: a value leaves the range of its attribute, a number is divided by zero, a queue is full (`[system] capacity`), a message is sent to a reference that names no object, a contract (`@pre`, `@post`) is broken, or no branch of a choice is open. The run ends there; values do not wrap around. As a warning (W635): an `int` without a range leaves -8..7.";
    GrowingQueue = "W636", "queue that grows in every round",
        "A run overflows a queue, and passes twice through the same states, with more messages in the queue the second time and nothing else changed. So the part in between can probably be repeated, and the queue grows without bound: more capacity would not help. Let the sender wait for an answer, or the receiver take the messages as quickly as they come.";
    OrderDecides = "H637", "outcome depends on the order of messages",
        "Two objects may send to the queue of a third at the same time, and the order in which the messages arrive decides in which state the third ends (a race condition). Often one of the two orders was not considered.";
    TwoEnabled = "H638", "two transitions enabled at once",
        "There is a run after which one message, or completion, enables two transitions that leave the same state, and nothing decides between them: the machine is nondeterministic.";
    PromptedQueue = "H639", "queue that grows with input from outside",
        "A run overflows a queue, and the part of it that can be repeated begins with a message from outside or with time that passes. A diagram does not say how often that happens; if it may happen quickly, the queue grows without bound. The run shows how. If no input is needed, it is W636.";
    UnknownTrigger = "E640", "message that no trigger takes, in a closed system",
        "In a closed system (`closed = true` in `[system]`) state machines receive messages only from each other, so a message that a lifeline receives must be a trigger of its machine. This one is not: it is misspelt, drawn to the wrong lifeline, or a transition is missing. If a check asks about the diagram, its verdict says so instead. In an open system the machine may leave out the message as a detail: there it is a warning (W608), and only if most messages of the lifeline are triggers or the name is similar to one.";
    EmptyTransition = "H641", "transition that nothing sets off, in a closed system",
        "Between two states there is a transition without trigger, guard and effect, in a closed system whose machines meet (`communication = \"rendezvous\"`, `closed = true`; `preset = \"P4\"`). The object may leave the first state at any time without being seen, so a message that only this state takes may come too late. The machines of P4 have no such transitions: their two states are one. It is reported only where another transition of the first state waits for a message.";
    LocalOutside = "W650", "local transition that leads outside",
        "A local transition does not leave its source, so it must lead from a composite state to something inside it. This one does not, and is read as an ordinary (external) transition.";
    TooWide = "W651", "state machine too large to run",
        "One step of the state machine can happen in too many ways, so its runs are not searched: many regions act at the same time, many junctions follow each other, or many messages are sent at once to many objects. The verdict of a check that needs a search is `unknown`. Let fewer things happen in one step.";
    LookedAtInPart = "H652", "runs searched only in part",
        "The state machines together have more states than `sequent check` searches without a question. What was found is true, but a deadlock, a full queue or a lost message further on was not seen, and states and transitions that are never reached (W632, W633) are not reported. `--time SECONDS` lets the search go on for that long; `@deadlock` or another question uses the other engines too.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_sorted_within_their_area() {
        let numbers: Vec<&str> = Code::ALL.iter().map(|code| code.number()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
        assert_eq!(Code::from_name("w201"), Some(Code::UnbalancedActivation));
        assert_eq!(Code::from_name("H201"), Some(Code::UnbalancedActivation));
        assert_eq!(Code::from_name("201"), None);
    }
}
