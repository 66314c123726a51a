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
        "The file holds bytes that are not UTF-8 text. They were read as the replacement character; names that contain them will look odd. Save the file as UTF-8.";
    SkippedDiagram = "H003", "diagram of another kind",
        "The block holds a diagram that is neither a sequence, a state, a class nor an object diagram. It is left alone.";
    NoDiagram = "H004", "no diagram found",
        "The file holds no diagram that could be read.";
    IncludeNotFound = "E005", "included file not found",
        "The file named by `!include` is not there or cannot be read. Paths are relative to the including file; addresses on the network are not fetched.";
    IncludeRefused = "E006", "included file refused",
        "The file named by `!include` is there, or may be, and is not read: diagrams include only regular files of a few megabytes whose real path lies in the checked folder or repository. That keeps a diagram written by a stranger from printing what else lies on the machine. `--include-root DIR` allows files below another folder.";

    // Syntax.
    Syntax = "E101", "line not understood",
        "The line is not a valid statement of this kind of diagram. The rest of the diagram was read as if the line were not there.";
    UnclosedBlock = "E102", "block never closed",
        "A block (`alt`, `loop`, `box`, a composite state, a note ..) is opened and the diagram ends before it is closed.";
    StrayEnd = "E103", "end without a block",
        "An `end` (or `}`) closes nothing: no block is open here.";
    StrayElse = "E104", "operand divider outside its block",
        "`else`, `and` and `option` divide the operands of the blocks they belong to: `else` of alternatives, `and` of a `par`, `option` of a Mermaid `critical`.";
    BadArrow = "E105", "unknown arrow",
        "The arrow between the two participants is none that the notation knows.";
    MissingEnd = "W106", "diagram without its end",
        "The diagram starts with `@startuml` but the file ends (or the next diagram starts) before `@enduml`.";
    EmptyDiagram = "W107", "empty diagram",
        "The diagram holds no statement.";
    Unsupported = "W108", "construct not supported",
        "The original tool knows this construct, but it was not read here; the message names it. What it would contribute to the diagram is missing.";
    Preprocessor = "E109", "preprocessor error",
        "A preprocessor line is wrong: an unknown function, an unbalanced `!if`, a procedure that calls itself without end.";
    UnknownColour = "E110", "unknown colour",
        "The name after `#` is not a colour. PlantUML refuses to draw the diagram.";
    InactiveDeactivation = "E111", "deactivation of something inactive",
        "A participant is deactivated that is not active. Mermaid refuses to draw the diagram; PlantUML ignores the line.";
    CreateWithoutMessage = "E112", "creation without its message",
        "A participant is declared by `create` but the next message does not go to it.";
    DestroyWithoutMessage = "E113", "destruction without its message",
        "A participant is destroyed but the message that destroys it is missing: the next message must start or end at it.";
    NoteWithoutTarget = "E114", "note attached to nothing",
        "A note is placed beside the last element, but there is none. PlantUML refuses a state diagram with such a note; from a sequence diagram it leaves the note out.";
    DuplicateName = "E115", "name declared twice",
        "Two elements of one diagram have the same name where the notation demands different ones.";
    Tolerated = "W116", "the original tool rejects this",
        "The meaning is plain and was read as meant, but the notation's own tool does not accept it.";
    BadMarkup = "W117", "unknown attribute",
        "A configuration attached to an element (`@{ .. }`, front matter, `%%{init}%%`) has a form that is not understood.";
    TooDeep = "E118", "blocks nested too deeply",
        "Blocks or composite states are nested deeper than any diagram a person could read. The innermost ones were left out.";
    ColonInName = "W119", "colon inside a name",
        "PlantUML takes `B:go` in `A --> B:go` for the name of a state, not for the state `B` and a label. Write `A --> B : go`.";
    BadXml = "E120", "UML model cannot be read",
        "The file is not well-formed XML, or it is refused: entities are not expanded, elements may not be nested without end, and archives may not unpack to more than any model holds. Nothing of the file, or of the part named, was read.";
    OrderUnknown = "E121", "the file does not say what happens when",
        "Some tools keep the order of messages, or which messages lie in which fragment, only in the drawing. Then the model alone does not say what the sequence diagram shows, and checking it would check another diagram. It is left out. Export it with its diagrams, or from a tool that writes fragments in order.";
    MissingElement = "W122", "reference to an element that is not there",
        "The UML model refers to an element by an id that no element of the file has, or that stands in a file that is not beside it. What depends on it is read as if nothing were written.";
    TwoNames = "W123", "UML element says two things",
        "Two parts of the UML model contradict each other: an event is named after one signal and refers to another, or a message is received above its sending. The message says which of them counts.";
    OrderFromDiagram = "H124", "order taken from the drawing",
        "The UML model does not give the order of these messages; the positions in the diagram that the file holds do, and were used.";
    AliasReversed = "W125", "name and text the wrong way round",
        "Mermaid writes the name first and what is shown after `as`: `participant SP as Status Page`. In `participant \"Status Page\" as SP` all of it is one name, so that messages to `SP` go to another participant.";

    // Interactions.
    UnbalancedActivation = "W201", "activation never ended",
        "A lifeline is activated and never deactivated, though its call is answered or the diagram ends nearly all other bars: PlantUML draws the bar down to the foot of the diagram, Mermaid does not draw it at all. A bar that spans the diagram is no finding. As a hint (H201): no bar of the diagram is ever ended, or one is ended in some branches of a fragment only, so that its end depends on the branch taken.";
    NeedlessDeactivation = "W202", "deactivation of something inactive",
        "The lifeline is not active here, so there is nothing to deactivate. Often an activation is missing or a lifeline is misspelt.";
    ReplyWithoutCall = "W203", "reply that answers no call",
        "Nearly all dashed arrows of the diagram are replies. This one answers nothing, and looks like a reply that went wrong: its sender waits for its receiver, or its receiver waits for somebody else. Turn it round, let it come from the one that was called, or draw it with a solid line if it is a message of its own. Dashed arrows with open heads, and in diagrams that dash other messages too, are no findings.";
    CallWithoutReply = "H204", "call never answered",
        "Other calls between lifelines of this diagram are answered by a dashed arrow, this one is not. It is read as asynchronous.";
    MessageAfterDestroy = "W205", "message on a destroyed lifeline",
        "The lifeline has ended above, or in one branch of a choice above; then it can neither send nor receive any more.";
    MessageBeforeCreate = "W206", "message on a lifeline not yet created",
        "The lifeline is created further down; above its creation it can neither send nor receive.";
    EmptyOperand = "W207", "empty operand",
        "An operand contains nothing that happens. An alternative without content is legal, but often something was forgotten.";
    SingleAlternative = "H208", "alternative with one operand",
        "`alt` with a single operand means the same as `opt`.";
    SameGuardTwice = "W209", "two operands with the same guard",
        "Two alternatives have the same guard: the second can never be told from the first.";
    IgnoredTypeUsed = "E210", "ignored message inside ignore",
        "Inside `ignore {m}` no message of type m may be drawn.";
    UnconsideredTypeUsed = "E211", "unconsidered message inside consider",
        "Inside `consider {m}` only messages of the listed types may be drawn.";
    OrderCycle = "E212", "order that can never be kept",
        "The order along the lifelines, the messages and the general orderings form a circle: each occurrence on it waits for another.";
    Overtaking = "H213", "messages that overtake",
        "Two messages from one lifeline to another are received in another order than they were sent. That needs a channel that does not keep order.";
    UnknownInteraction = "W214", "reference to an unknown interaction",
        "`ref` names an interaction that is in none of the files given, and nearly that of one that is. Its content counts as empty. As a hint (H214): the name is like that of no other. Prose that says what happens there is no name.";
    RecursiveUse = "E215", "interaction that contains itself",
        "Following the references leads back to the same interaction; its content would be infinite.";
    WiderInside = "W216", "inner fragment wider than the outer",
        "A fragment covers lifelines that the fragment around it does not cover.";
    UnknownClass = "W217", "unknown class of a lifeline",
        "The lifeline is written `object : Class`, and classes are given, but none has this name.";
    NoLifeline = "E218", "coregion on no lifeline",
        "A coregion belongs to one lifeline: name it, or let all its messages share exactly one.";
    LikelySlip = "W219", "name like another",
        "The name stands for something of its own, but it is only a letter away from one that is declared or used more, or differs from another in capitals only. Probably it is misspelt; if not, declare it too.";
    TooManyOperands = "W220", "more operands than the operator takes",
        "Only alternatives, parallel and sequential fragments have several operands. A loop, a break and the like have one; what stands behind the divider is read as if it followed the first operand. An option with several operands is read as an alternative.";
    LoopBounds = "W221", "loop that cannot run",
        "The lower bound of the loop is greater than its upper bound, or the upper bound is 0. Bounds in the wrong order were read as the text of its guard, in a `group` as its caption; a loop without iterations is read as written, and nothing in it happens.";
    Race = "W222", "messages that race",
        "Two messages from different senders reach a lifeline in the order drawn only by luck: the sender of the second does not wait until the first has arrived. What is drawn above need not happen earlier; only a message, or a lifeline's own sends, put one thing after another. Let the receiver confirm the first message before the second is sent, or draw both in a coregion if their order does not matter. Told are messages that are drawn as asynchronous and whose second sender was sent something before. It is a warning where the order can matter: the receiver sends something between them or next after the second, or the author has numbered both. Otherwise it is a hint (H222). Nothing races where objects meet (`communication = \"rendezvous\"`): a message is taken when its receiver is ready for it.";
    NonLocalChoice = "H223", "choice that nobody makes alone",
        "Lifelines act differently depending on a choice, and no message tells them how it went: operands begin on different lifelines, or a lifeline begins to act in an operand without having heard from the one that chose it. When the diagram is carried out, each may choose differently. Let one lifeline choose, and let its messages tell the others. It is told only where something is asked about the diagrams of the folder.";
    RunAhead = "H224", "loop in which one runs ahead",
        "In a loop without upper bound a lifeline sends and never hears back, so it can be any number of rounds ahead of those that receive, and whatever keeps the messages between them has no bound. Let the receiver answer inside the loop, or bound the loop.";
    UnsatisfiableGuard = "W225", "guard that is never true",
        "The guard contradicts itself or the guards of the operands around it, so that its operand can never run.";
    Stuck = "E226", "interaction that can get stuck",
        "A run comes to a point where something is left to happen and nothing can: lifelines wait for each other. With `calls=blocking` a caller does nothing until the reply comes; critical regions and assertions keep others off a lifeline. The run that leads there is drawn.";
    IdleOperand = "W227", "operand that can never run",
        "No complete run of the diagram goes through this operand: its guard contradicts the choices around it. The same text has the same value throughout a run, and the texts of one alternative exclude each other.";
    CallsInCircle = "H228", "calls that wait for each other",
        "As drawn the diagram can be run, but if every caller does nothing until its reply comes (`--switch calls=blocking`), several callers wait for each other in a circle. That is a deadlock where calls are synchronous. A caller that does something else between its call and the reply is no finding: people draw that.";
    DurationUnchecked = "H229", "duration that is not checked",
        "A distance between two anchors has a text, such as `{start} <-> {end} : < 5 s`. It is drawn and means nothing here: runs are orders of events, and no time passes in them. What must come before what can be said with `@order`; time that triggers something is said in a state machine, with `after`.";
    UnknownIgnored = "W230", "ignored message that is known from nowhere",
        "`ignore {m}` lets messages of type m happen in between, but neither this diagram nor another of its folder draws one between its lifelines, no class of theirs has such an operation, and no state machine sends or takes it. So nothing tells who would send it to whom, and nothing happens in between. Write `ignore {m: a -> b}`, or correct the name.";
    UnknownEnd = "E231", "message type between lifelines that are not there",
        "The list of `ignore` or `consider` says who sends a message to whom (`ignore {m: a -> b}`), but one of these is no lifeline of the diagram. The entry is left out.";
    UnwieldyUse = "E232", "reference that cannot be written out",
        "A reference stands for the interaction that it names, and that for those that it refers to in turn. Written out, this is nested too deeply or has more parts than any diagram a person could follow, so the reference is not followed.";

    // State machines and classes.
    UnreachableState = "W301", "state that can never be reached",
        "No path of transitions leads from the initial state to this state.";
    NoSource = "E302", "transition without source or target",
        "A transition starts or ends at something that is not a state of this machine.";
    TwoInitials = "E303", "two initial states",
        "A region may begin in one place only: one transition leads from its initial pseudostate. It is a warning (W303) where labels tell the beginnings apart, and in sketches whose arrows have no labels.";
    Nondeterministic = "W304", "equal triggers without guards",
        "Two transitions leave the same state on the same trigger, both without guard or with the same guard, and nothing decides between them. Diagrams most of whose arrows have no label are sketches, and are not looked at. It is a hint (H304) where both send something and not the same: a vote, an answer or a refusal whose reason is left open.";
    TriggerNeverSent = "H305", "trigger that nobody sends",
        "The model has machines that send, but none sends this trigger.";
    SendNeverReceived = "W306", "send that nobody receives",
        "An effect sends something that no transition of any machine takes.";
    NoInitial = "W307", "no initial state",
        "The region has states and labelled transitions, but nothing says in which state it begins. It is a hint (H307) where only one state is entered by no transition: there the reader knows. Boxes and arrows without labels are not looked at.";
    IgnoredTrigger = "H308", "trigger or guard that does not count",
        "A transition that leaves an initial state, a fork, a join, a history, an entry or an exit point follows on from what led there: nothing triggers it, and guards decide only behind choices, junctions and states. A region begins whatever its first arrow waits for. To wait for a message, add a state: `[*] --> Waiting`, `Waiting --> S : go`.";
    CompletionFirst = "H309", "trigger beside a transition without trigger",
        "A state without `do` completes as soon as it is entered. If one of its transitions has neither trigger nor guard it fires then, before any message is taken, and the other transitions of the state never do. Give it a trigger, or a guard. Not so where objects meet (`communication = \"rendezvous\"`) or completion is free (`completion = \"free\"`).";
    InheritanceCircle = "E310", "class that inherits from itself",
        "Following the arrows of inheritance and realisation, a class is a special case of itself. No program can be written like this.";
    TwoTypes = "W311", "attribute with two types",
        "A class has two attributes of one name with different types: it is declared twice, perhaps in two diagrams of a folder, which do not agree.";
    ClassSlip = "W312", "class name that is probably misspelt",
        "A relation names a class that no diagram of the folder declares, and one with nearly the same name is declared. It is drawn as a class of its own.";

    // Directives and settings.
    UnknownDirective = "W401", "unknown directive",
        "A comment starts with `@` and a word that is not a directive. If it is not meant for Sequent, put a space or any other character before the `@`.";
    BadDirective = "E402", "directive not understood",
        "The directive's arguments do not have the form it needs.";
    UnknownSetting = "W403", "unknown setting",
        "`sequent.toml` holds a key that means nothing here.";
    BadSetting = "E404", "setting not understood",
        "`sequent.toml` cannot be read, or a value is none of those its key allows.";
    UnmetExpectation = "E405", "expectation not met",
        "`@expect CODE` announces a finding that was not found. (A verdict that is not the expected one is told with the answer.)";
    IdleDirective = "W406", "directive without its block",
        "A directive that gives the next block its operator is followed by something that is not a block.";
    UnknownOccurrence = "E407", "unknown occurrence",
        "A general ordering names a message that is not in the diagram, or that is there more than once.";
    IdleSuppression = "W408", "suppression that suppresses nothing",
        "A comment `sequent: allow CODE`, or a directive `@allow CODE`, leaves findings out, but there is no such finding here. What it was written for is gone, or it stands in the wrong place: a comment alone on its line is for the next line, in Markdown in front of a fence for the next diagram; `sequent: allow-file` is for the whole file.";

    // Properties.
    BadFormula = "E501", "formula not understood",
        "The text is neither a temporal formula nor a pattern in words. docs/formulas.md has the grammar: operators, atoms such as `sent(pay, from=a)`, patterns such as `never A after B`. A name that is spelt like an operator, or of several words, is written in quotes.";
    UnknownInFormula = "E502", "unknown name in a formula",
        "A formula names a message, a lifeline or a guard that the interaction it is about does not have, and that no interaction has to which it refers. The formula would be true or false for that reason alone.";
    IdleAtom = "W503", "atom that can never be true",
        "A formula asks for an event whose parts are all known, but not together: the message is drawn, but not between these lifelines, or not with these arguments. Or a formula or goal about objects compares attributes with what they can never be.";
    FreshGuard = "E504", "guard that a formula cannot speak of",
        "A guard inside a loop is asked anew in each round (rule I11), so it has no one value in a run. Let the formula speak of what happens if it is true.";
    NoStates = "E505", "states of something that has none",
        "A formula about a sequence diagram compares values, or asks in which state an object is. A sequence diagram has messages and guards; states and attributes belong to state machines. A guard that looks like a comparison is named by its text, in quotes.";
    EmptyNegative = "W510", "property that forbids nothing",
        "The diagram is a `neg`, so it says what must not happen in other diagrams, but nothing happens in it. The empty trace is not meant: it is part of every run.";
    EmptyAssertion = "W511", "property that demands nothing",
        "The diagram has an `assert` at its top, so it says what must follow what stands above it, but nothing happens in it.";
    StrangerInProperty = "W512", "forbidden message that nobody draws",
        "The diagram is a `neg`, so it says what must not happen in other diagrams, but none of those in the same folder draws this message between these lifelines. What never happens need not be forbidden: probably a name is misspelt. Messages are matched by their type and the names of their lifelines.";
    AskedOfNobody = "H513", "property that is asked of no diagram",
        "The diagram is a `neg`, so it says what must not happen in the other diagrams of its folder, but none of them draws any of its messages. A folder is a system: put the property beside the diagram it speaks of, or name both in a `[[check]]` of `sequent.toml`. State machines are asked by a scenario: the messages without the `neg`, and the directive `@forbidden`.";

    // Systems of objects.
    ContradictingObject = "E601", "object declared in two ways",
        "Object diagrams, `[system] objects` of the settings, or a scenario give one object two classes, or two values to one of its attributes. The first declaration counts.";
    UnknownTarget = "E602", "send to an unknown target",
        "An effect sends to something that is not an object, class, role, port or attribute known to the object. Where objects are listed (object diagrams, `[system] objects`) there are no others; elsewhere only a name that is nearly that of something else is a mistake, and any other leads out of the system.";
    UnknownObject = "E604", "link to an unknown object",
        "`[system] links` names something that is not an object of the system.";
    UnfitPorts = "W605", "ports that do not fit",
        "A link connects two ports through which no message can pass: their protocols share no operation, or both ports see it from the same side. Give both the same protocol, and conjugate one of them (`wd : ~Withdraw <<port>>`). Or a port has more links than its multiplicity allows.";
    UnlistedObject = "W606", "object that is not listed",
        "The folder lists its objects in an object diagram or in `[system] objects`, and the scenario has a lifeline of a class with a state machine that is not among them. What such a lifeline does is anything: it is environment. Where nothing is listed, the lifelines are the objects.";
    DoubleMachine = "E607", "two state machines for one class",
        "Objects of a class behave as the state machine of that name, or the one with `@class`. The folder has two of them, and only the first counts.";
    TriggerMismatch = "W608", "message that a state machine cannot receive",
        "The messages that a lifeline receives must be a path of its object's state machine: a sequence of triggers, from any state on, with steps in between that need no message. No way through the diagram is such a path; the first message that cannot be received is named, with the states in which the machine may be by then. Guards count as satisfiable. Messages that objects outside of the diagram send may come in between without being drawn. A diagram that shows what must not happen says so with `neg` or `@forbidden`.";
    PortRefuses = "W609", "message that the ports do not carry",
        "The object is linked to the receiver by ports, and their protocols do not carry this message in this direction. The operations of a protocol are its messages; `<<in>>` and `<<out>>` are as the base side sees them, and a conjugated port turns them round.";
    UnknownType = "W610", "attribute of an unknown type",
        "Data of state machines has finitely many values: `bool`, ranges such as `0..7`, enumerations, references to objects of a class; `int` is -8..7. Guards and effects that use an attribute of another type are left open: guards may be true or false, assignments do nothing.";
    ValueOutside = "E611", "value outside of its type",
        "A first value, or one that is assigned, is none of those that the attribute may have, or its range is empty or too large. `int` without range is -8..7: give the attribute a range of its own.";
    TypeMismatch = "E612", "types that do not fit",
        "An expression compares or combines values of different types, uses a number as a condition, or an attribute or parameter is given a value of another type.";
    UnknownAttribute = "W613", "unknown name in an expression",
        "A guard or an effect uses a name that is not an attribute, parameter, literal or object, although it evidently means data, since other names in it are declared, or it is nearly one of them. A guard with an unknown name is decided freely, an assignment to one does nothing. Prose is no expression, and is never reported.";
    ArgumentCount = "E614", "wrong number of arguments",
        "A message is sent with a list of arguments that is longer or shorter than the parameters with which the receiver's class declares it, or with which its state machine takes it.";
    MissingMachine = "E615", "object without state machine",
        "A listed object is of a class that nobody declares and that no state machine has. Such an object is environment: it may do anything. If that is meant, declare the class. Or it is asked whether a scenario is possible, required or forbidden, and none of its lifelines has a state machine in the same folder, so that there is nobody to ask.";
    OpaqueData = "W616", "guard or effect not understood",
        "The text names an attribute and has the signs of an expression or assignment, but cannot be read as one. A guard that is not understood is decided freely, an effect does nothing.";
    PlainInt = "H617", "number without range",
        "The attribute is a whole number without range. Data of state machines has finitely many values, so it is taken to be -8..7, and a run that leaves this range ends there with a fault. Give it a range of its own, such as `0..20`.";
    MisspeltName = "E618", "misspelt name in an expression",
        "An expression about data, an assignment, an argument of a send or an object diagram uses a name that is not an attribute, parameter or literal, but nearly one. As it stands a guard or an argument with it would be left open, and an assignment would do nothing.";
    ForeignAttribute = "E619", "assignment to another object's attribute",
        "An object sets its own attributes only. An assignment to an attribute of another object does nothing: send the other object a message, and let its own state machine set the attribute.";
    OpenData = "H620", "undeclared names in guards and effects",
        "Guards, assignments or arguments use names as data that nothing declares: no attribute, parameter, enumeration literal or object has them. A condition with such a name is decided freely, an assignment to it does nothing, and an argument may be anything. Declare the names in the class of the machine, or with `@attribute count : 0..7`. Said once for each state machine. It is told only where something is asked about the diagrams of the folder.";
    OpenArgument = "H621", "argument whose value is not known",
        "A guard or an effect depends on a parameter of a message, and nothing says which values it has: no object sends the message and no class declares it, one send passes a name that is not declared, or the values that are sent grow without end. What depends on it is decided freely, and a run that goes through it proves nothing: such a verdict is `unknown`. Declare the parameter with a type in the class of the receiver, as in `token(n : 0..7)`. Values that objects pass on to each other, also in a circle, need no declaration.";
    SystemStuck = "E630", "objects that get stuck",
        "The state machines of a folder form a system (docs/objects.md). There is a run after which nothing can happen any more, although not every object is at its end: in a final state, in a state that nothing leaves, or where it began. Mostly objects wait for each other's messages. The run is a shortest one. It is a hint (H630) where some objects have come to states that they do not leave, and the others wait only for messages of these.";
    SilentForever = "W631", "steps forever with nothing to be seen",
        "The objects may go on forever without sending or receiving anything: transitions without trigger lead in a circle. Completion comes before messages, so an object that goes round like this takes none of those that wait. Let one of the transitions wait for something.";
    NeverReached = "W632", "state that no run reaches",
        "Transitions lead to this state, but none of them ever fires: a guard is never true, or a message never comes while the object waits for it. All runs were looked at.";
    NeverFires = "W633", "transition that never fires",
        "The state in which this transition begins is reached, but the transition never fires: its guard is never true there, its message never comes there, or another transition always comes first. All runs were looked at.";
    LostMessage = "W634", "message that is lost",
        "An object receives a message of another in a state in which no transition takes it, and that does not defer it. UML drops such messages silently, and whoever sent it may wait for an answer in vain.";
    SystemFault = "E635", "fault in a run",
        "A run comes to something that a model must not do: a value leaves the range of its attribute, a queue is full (`[system] capacity`), something is sent to nobody, or no branch of a choice is open. The run ends there. Nothing wraps around silently.";
    GrowingQueue = "W636", "queue that grows in every round",
        "A run overflows a queue, and on its way is twice in the same states, with more messages in the queue the second time and nothing else changed. So the part between may probably be repeated, and the queue grows without bound: more capacity would not help. Let the sender wait for an answer, or the receiver take the messages as quickly as they come.";
    OrderDecides = "H637", "order of messages decides",
        "Two objects may send to the queue of a third at the same time. Which message comes first decides in which state the third ends. Mostly one of the two orders is not thought of.";
    TwoEnabled = "H638", "two transitions enabled at once",
        "There is a run after which one message, or completion, enables two transitions that leave the same state, and nothing says which is taken.";
    PromptedQueue = "H639", "queue that grows if it is prompted often",
        "A run overflows a queue, and the part of it that may be repeated begins with a message from outside or with time that passes. A diagram does not say how slowly that comes; if it may come quickly, the queue grows without bound. The run shows how. See also W636.";
    UnknownTrigger = "E640", "message that no trigger takes, in a closed system",
        "In a closed system (`closed = true`) machines hear of nothing but each other, so a message that a lifeline receives must be a trigger of its machine. This one is none: it is misspelt, drawn to the wrong lifeline, or a transition is missing. Where a check asks about the diagram, its verdict says so instead. In an open system it may be a detail that the machine leaves out; there it is a warning (W608), and only if most messages of the lifeline are triggers or the name is nearly one.";
    LocalOutside = "W650", "local transition that leads outside",
        "A local transition does not leave its source, so it must lead from a composite state to something inside it. This one does not, and is read as an ordinary transition.";
    TooWide = "W651", "state machine too large to run",
        "The state machine may go through one of its steps in so many ways that its runs are not searched: many regions that act at the same time, many junctions one after the other, or many messages that are sent at once to many objects. What needs a search is unknown. Let fewer things happen at the same time.";
    LookedAtInPart = "H652", "machines looked at in part",
        "The machines have more states together than a search without a question looks at. What it found is true; but a deadlock, a full queue or a lost message that comes later was not seen, and states and transitions that seem never to be reached are not told. `--time` lets the search go on for so many seconds; `@deadlock` or a question about what matters asks the other engines too.";
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
