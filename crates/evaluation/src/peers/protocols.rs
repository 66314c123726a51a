//! Protocols: questions about models that grow, each written for Sequent and by hand for SPIN, as one who knows SPIN would.

/// A question, twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Protocol {
    /// The model.
    pub text: String,
    /// Its settings, with the question.
    pub settings: String,
    /// Both for SPIN.
    pub promela: String,
    /// Whether SPIN looks for cycles, and not only for states.
    pub seeks_cycles: bool,
    /// What both must find out.
    pub finds: Finds,
}

/// What is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finds {
    /// There is no run of the kind that is looked for.
    Nothing,
    /// There is one.
    Run,
}

/// Settings of machines that send each other messages, which wait in queues; nothing comes from outside.
fn closed(capacity: usize, question: &str) -> String {
    format!(
        "[system]\ncommunication = \"queue\"\ncapacity = {capacity}\nclosed = true\nfairness = \"none\"\n\n[[check]]\n{question}\n"
    )
}

fn joined(count: usize, separator: &str, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(separator)
}

/// Two-phase commit: no two participants end differently.
pub(super) fn commit(count: usize) -> Protocol {
    let last = count - 1;
    let all = |message: &str| joined(count, "; ", |number| format!("^P{number}.{message}"));
    let (prepare, commit, abort) = (all("prepare"), all("commit"), all("abort"));
    let mut text = format!(
        "@startuml C\n' @attribute votes : 0..{count} = 0\n' @attribute acks : 0..{count} = 0\n[*] --> begin\n\
         begin --> voting : / {prepare}\nvoting --> voting : yes [votes < {last}] / votes++\n\
         voting --> committing : yes [votes == {last}] / {commit}\nvoting --> aborting : no / {abort}\n\
         aborting --> aborting : yes\naborting --> aborting : no\n\
         aborting --> aborting : ack [acks < {last}] / acks++\naborting --> aborted : ack [acks == {last}]\n\
         committing --> committing : ack [acks < {last}] / acks++\n\
         committing --> committed : ack [acks == {last}]\n@enduml\n"
    );
    for number in 0..count {
        text += &format!(
            "@startuml P{number}\n[*] --> idle\nidle --> refusing : after(1)\nidle --> ready : prepare / ^C.yes\n\
             idle --> aborted : prepare / ^C.no\nrefusing --> aborted : prepare / ^C.no\n\
             ready --> committed : commit / ^C.ack\nready --> aborted : abort / ^C.ack\n\
             aborted --> done : abort / ^C.ack\n@enduml\n"
        );
    }
    let committed = joined(count, " | ", |number| format!("in(P{number}, committed)"));
    let aborted = joined(count, " | ", |number| format!("in(P{number}, aborted) | in(P{number}, done)"));
    let promela = format!(
        "#define N {count}
mtype = {{ prepare, commit, abort, yes, no, ack }};
chan c = [2*N] of {{ mtype }};
chan p[N] = [2] of {{ mtype }};
byte committed = 0, aborted = 0;
active proctype C() {{
  byte i, votes = 0, acks = 0;
  for (i : 0 .. N-1) {{ p[i]!prepare }}
  do
  :: c?yes -> votes++; if :: votes == N -> break :: else fi
  :: c?no -> goto Abort
  od;
  for (i : 0 .. N-1) {{ p[i]!commit }}
  goto Collect;
Abort:
  skip; /* or the label would stand behind `i = 0`, which belongs to `for` */
  for (i : 0 .. N-1) {{ p[i]!abort }}
Collect:
  do :: c?yes :: c?no :: c?ack -> acks++; if :: acks == N -> break :: else fi od
}}
active [N] proctype P() {{
  byte me = _pid - 1;
  bool refuses = false;
  do
  :: atomic {{ !refuses -> refuses = true }}
  :: p[me]?prepare -> break
  od;
  if
  :: !refuses -> c!yes;
     if
     :: atomic {{ p[me]?commit -> committed++ }}
     :: atomic {{ p[me]?abort -> aborted++ }}
     fi;
     c!ack
  :: atomic {{ c!no -> aborted++ }};
     p[me]?abort; c!ack
  fi
}}
ltl safe {{ [] !(committed > 0 && aborted > 0) }}
"
    );
    Protocol {
        text,
        settings: closed(2 * count, &format!("ltl = \"G !(({committed}) & ({aborted}))\"")),
        promela,
        seeks_cycles: true,
        finds: Finds::Nothing,
    }
}

/// Stations that may want the token, and change their mind.
fn stations(count: usize) -> String {
    let one = |number: usize| {
        let next = (number + 1) % count;
        let start = match number {
            0 => format!("[*] --> first\nfirst --> idle : / ^N{next}.token"),
            _ => "[*] --> idle".to_owned(),
        };
        format!(
            "@startuml N{number}\n{start}\nidle --> wanting : after(1)\nwanting --> idle : after(1)\n\
             idle --> idle : token / ^N{next}.token\nwanting --> work : token\n\
             work --> idle : / ^N{next}.token\n@enduml\n"
        )
    };
    joined(count, "", one)
}

fn stations_by_hand(count: usize, formula: &str) -> String {
    format!(
        "#define N {count}
chan c[N] = [1] of {{ bit }};
byte state[N];  /* 0 idle, 1 wanting, 2 working */
byte got = 255;
active [N] proctype S() {{
  byte me = _pid; byte next = (_pid + 1) % N;
  if :: me == 0 -> c[next]!1 :: else fi;
  do
  :: atomic {{ state[me] == 0 -> state[me] = 1 }}
  :: atomic {{ state[me] == 1 -> state[me] = 0 }}
  :: atomic {{ c[me]?1 -> got = me; if :: state[me] == 1 -> state[me] = 2 :: else fi }};
     atomic {{ c[next]!1; state[me] = 0 }}
  od
}}
ltl p {{ {formula} }}
"
    )
}

/// Who wants the token works at some time: not if others move forever.
pub(super) fn ring(count: usize) -> Protocol {
    Protocol {
        text: stations(count),
        settings: closed(1, "ltl = \"G (in(N1, wanting) -> F in(N1, work))\""),
        promela: stations_by_hand(count, "[] (state[1] == 1 -> <> (state[1] == 2))"),
        seeks_cycles: true,
        finds: Finds::Run,
    }
}

/// If three stations get the token again and again, nobody wants it forever.
pub(super) fn fair_ring(count: usize) -> Protocol {
    let got = |number: usize| format!("GF received(token, to=N{number})");
    let (got, wanting) = (joined(3, " & ", got), "in(N1, wanting)");
    let formula = "([]<> (got == 0) && []<> (got == 1) && []<> (got == 2)) \
                   -> [] (state[1] == 1 -> <> (state[1] != 1))";
    Protocol {
        text: stations(count),
        settings: closed(1, &format!("ltl = \"({got}) -> G ({wanting} -> F !{wanting})\"")),
        promela: stations_by_hand(count, formula),
        seeks_cycles: true,
        finds: Finds::Nothing,
    }
}

/// Philosophers who all take the left fork first.
pub(super) fn dinner(count: usize) -> Protocol {
    let one = |number: usize| {
        let (left, right) = (number, (number + 1) % count);
        let question = if number == 0 { "' @deadlock\n" } else { "" };
        format!(
            "@startuml P{number}\n{question}[*] --> thinking\nthinking --> hungry : / ^F{left}.take\n\
             hungry --> eating : / ^F{right}.take\neating --> full : / ^F{left}.put\n\
             full --> thinking : / ^F{right}.put\n@enduml\n\
             @startuml F{number}\n[*] --> free\nfree --> taken : take\ntaken --> free : put\n@enduml\n"
        )
    };
    let promela = format!(
        "#define N {count}
bool taken[N];
active [N] proctype P() {{
  byte left = _pid; byte right = (_pid + 1) % N;
  do
  :: atomic {{ !taken[left] -> taken[left] = true }};
     atomic {{ !taken[right] -> taken[right] = true }};
     taken[left] = false;
     taken[right] = false
  od
}}
"
    );
    Protocol {
        text: joined(count, "", one),
        settings: "[system]\ncommunication = \"rendezvous\"\nsteps = \"direct\"\n".to_owned(),
        promela,
        seeks_cycles: false,
        finds: Finds::Run,
    }
}

/// Le Lann, Chang and Roberts: the greatest number comes round, and its owner leads.
pub(super) fn election(count: usize) -> Protocol {
    // The numbers rise towards the last node, so that many travel at the same time.
    let object = |node: usize| {
        let (id, next) = (node + 1, (node + 1) % count);
        format!("object \"n{node} : Node\" as n{node} {{\n  id = {id}\n  next = n{next}\n}}\n")
    };
    let objects = joined(count, "", object);
    let text = format!(
        "@startuml classes\nclass Node {{\n  id : 1..{count}\n  next : Node\n}}\n@enduml\n\
         @startuml ring\n{objects}@enduml\n@startuml Node\n[*] --> Candidate : / ^next.elect(id)\n\
         Candidate --> Candidate : elect(k) [k > id] / ^next.elect(k)\nCandidate --> Candidate : elect(k) [k < id]\n\
         Candidate --> Leader : elect(k) [k == id] / ^next.elected(id)\n\
         Candidate --> Follower : elected(k) / ^next.elected(k)\nLeader --> Settled : elected(k) [k == id]\n@enduml\n"
    );
    let nodes = joined(count, " ", |node| format!("run S({node}, {});", node + 1));
    let promela = format!(
        "#define N {count}
mtype = {{ elect, elected }};
chan q[N] = [N] of {{ mtype, byte }};
bool settled = false;
proctype S(byte me, own) {{
  byte k; byte next = (me + 1) % N;
  q[next]!elect(own);
  do
  :: q[me]?elect(k) ->
     if
     :: k > own -> q[next]!elect(k)
     :: k < own -> skip
     :: k == own -> q[next]!elected(own)
     fi
  :: q[me]?elected(k) ->
     if :: k == own -> settled = true :: else -> q[next]!elected(k) fi;
     break
  od
}}
init {{ atomic {{ {nodes} }} }}
ltl p {{ <> settled }}
"
    );
    Protocol {
        text,
        settings: closed(count, &format!("ltl = \"F in(n{}, Settled)\"", count - 1)),
        promela,
        seeks_cycles: true,
        finds: Finds::Nothing,
    }
}

/// Messages beside each other: whatever is sent, something is received afterwards.
pub(super) fn together(messages: usize) -> Protocol {
    let operands: Vec<String> =
        (0..messages).map(|number| format!("a{number} ->> b{number} : m{number}\n")).collect();
    let promela = format!(
        "#define N {messages}
bool sent, received;
bit sending[N], receiving[N];
active [N] proctype M() {{
  d_step {{ sending[_pid] = 1; sent = true; received = false }};
  d_step {{ receiving[_pid] = 1; received = true; sent = false }}
}}
ltl p {{ [] (sent -> <> received) }}
"
    );
    Protocol {
        text: format!("@startuml Par\npar\n{}end\n@enduml\n", operands.join("else\n")),
        settings: "[[check]]\nltl = \"G (sent() -> F received())\"\n".to_owned(),
        promela,
        seeks_cycles: true,
        finds: Finds::Nothing,
    }
}

/// Messages that a chain may hold.
const TOKENS: usize = 4;

/// A source, stages and a sink, from queue to queue: the source never forgets what is under way.
pub(super) fn queues(machines: usize) -> Protocol {
    let last = machines.max(3) - 1;
    let mut text = format!(
        "@startuml S0\n' @attribute out : 0..{TOKENS} = 0\n[*] --> on\non --> sending : after(1) [out < {TOKENS}] / out++\n\
         sending --> on : / ^S1.item(true)\nsending --> on : / ^S1.item(false)\n\
         on --> on : ack / out = out - 1\n@enduml\n"
    );
    for stage in 1..=last {
        let send = |kind: bool| match stage == last {
            true => "^S0.ack".to_owned(),
            false => format!("^S{}.item({kind})", stage + 1),
        };
        text += &format!(
            "@startuml S{stage}\n[*] --> idle\nidle --> yes : item(true)\nidle --> no : item(false)\n\
             yes --> idle : / {}\nno --> idle : / {}\n@enduml\n",
            send(true),
            send(false)
        );
    }
    let promela = format!(
        "#define LAST {last}
#define TOKENS {TOKENS}
chan item[LAST + 1] = [TOKENS] of {{ bit }};
chan ack = [TOKENS] of {{ bit }};
byte out = 0; bool busy = false;
active proctype Source() {{
  do
  :: out < TOKENS -> out++; if :: item[1]!1 :: item[1]!0 fi
  :: atomic {{ ack?1 -> out-- }}
  od
}}
active [LAST] proctype Stage() {{
  byte me = _pid; bit kind;
  do
  :: me < LAST -> atomic {{ item[me]?kind; if :: me == 1 -> busy = true :: else fi }};
     atomic {{ item[me + 1]!kind; if :: me == 1 -> busy = false :: else fi }}
  :: me == LAST -> item[me]?kind; ack!1
  od
}}
ltl p {{ [] !(out == 0 && busy) }}
"
    );
    Protocol {
        text,
        settings: closed(TOKENS, "ltl = \"G !(S0.out = 0 & (in(S1, yes) | in(S1, no)))\""),
        promela,
        seeks_cycles: true,
        finds: Finds::Nothing,
    }
}
