//! A worker: a process that joins a cluster and searches the tasks that the coordinator sends.
//!
//! It connects to the coordinator, then to the workers with higher numbers, and accepts connections from
//! those with lower ones; so a process that coordinates needs one port, and each other worker one. Then
//! timely runs on these connections. If a peer is lost timely panics, in threads of its own, and would leave
//! the other workers waiting: so a panic in any thread is reported to the coordinator, and ends the process.
//! So does a coordinator that is lost.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sequent_engine::packed::Program;
use sequent_engine::part::CycleExpander;
use sequent_engine::property::CycleSteps;
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Config, Hooks};
use timely::execute::execute_from;
use timely::worker::Worker;

use crate::bytes::ByteReader;
use crate::cycle::CycleSearch;
use crate::explore::{Explorer, Pulse};
use crate::link::{BEAT, Circle, Hello, LinkMessage, MessageKind, SILENCE, answer, dial, receive, send};
use crate::parcel::StateName;
use crate::report;
use crate::task;

/// How a worker joins.
#[derive(Clone, Debug)]
pub struct Joining {
    /// Where the coordinator is reached.
    pub coordinator: String,
    /// The number of the worker.
    pub process: usize,
    /// Where other workers reach it; they do not reach the first one, which calls them.
    pub address: String,
    /// What lets it in.
    pub circle: Circle,
    /// How long it waits for the others.
    pub wait: Duration,
    /// The folder for states that do not fit into memory.
    pub spill: Option<PathBuf>,
}

/// The number by which steps are asked for on which nothing is read.
pub(crate) const UNREAD: StateName = StateName(1);

/// How long the farewell may come later than the end of a connection.
const FAREWELL: Duration = Duration::from_secs(1);

/// Ends the process when it is lost, for a reason.
pub(crate) type LossHandler = fn(&str) -> !;

/// Works until there is nothing more to do; an error says why it could not join.
pub fn serve(joining: &Joining, lost: LossHandler) -> Result<(), String> {
    if let Some(folder) = &joining.spill {
        crate::disk::try_folder(folder)
            .map_err(|error| format!("the folder `{}` cannot be used: {error}", folder.display()))?;
    }
    let until = Instant::now() + joining.wait;
    let listener = TcpListener::bind(&joining.address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| format!("`{}` cannot be listened at: {error}", joining.address))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let hello = Hello { process: joining.process, port }.write(&joining.circle);
    let mut control = dial(&joining.coordinator, until)?;
    let welcome = introduce(&mut control, &hello, joining.wait + SILENCE)
        .map_err(|why| format!("the coordinator at `{}` {why}", joining.coordinator))?;
    let addresses = report::read_addresses(&welcome).ok_or("the coordinator's welcome cannot be read")?;
    let until = Instant::now() + joining.wait;
    let sockets = connect(joining, &addresses, &listener, &hello, until)?;
    drop(listener);
    let said = |error: std::io::Error| error.to_string();
    send(&mut control, MessageKind::Ready, &[]).map_err(said)?;
    control.set_read_timeout(Some(SILENCE)).map_err(said)?;
    let office = Arc::new(WorkerOffice {
        voice: Mutex::new(control.try_clone().map_err(said)?),
        pulse: Pulse::default(),
        is_over: AtomicBool::new(false),
        lost,
    });
    tell_panics(&office);
    let beating = Arc::clone(&office);
    std::thread::spawn(move || beating.beat());
    let (orders, ordered) = channel();
    let hearing = Arc::clone(&office);
    std::thread::spawn(move || hearing.hear(&mut control, &|order| orders.send(order).is_ok()));
    work(joining, sockets, ordered, &office)
}

/// Sends the identification; returns the answer.
fn introduce(stream: &mut TcpStream, hello: &[u8], wait: Duration) -> Result<Vec<u8>, String> {
    let said = |error: std::io::Error| format!("does not answer: {error}");
    stream.set_read_timeout(Some(wait)).map_err(said)?;
    send(stream, MessageKind::Hello, hello).map_err(said)?;
    let message = receive(stream).map_err(said)?;
    match message.kind {
        MessageKind::Welcome => Ok(message.bytes),
        MessageKind::Refusal => Err(format!("refuses: {}", String::from_utf8_lossy(&message.bytes))),
        other => Err(format!("says something else: {other:?}")),
    }
}

/// Connections with all other workers, by their numbers.
fn connect(
    joining: &Joining,
    addresses: &[String],
    listener: &TcpListener,
    hello: &[u8],
    until: Instant,
) -> Result<Vec<Option<TcpStream>>, String> {
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    for (number, address) in addresses.iter().enumerate().skip(joining.process + 1) {
        let mut stream = dial(address, until)?;
        introduce(&mut stream, hello, joining.wait)
            .map_err(|why| format!("worker {number} at `{address}` {why}"))?;
        sockets[number] = Some(stream);
    }
    let mut refused = String::new();
    while let Some(missing) = sockets[..joining.process].iter().position(Option::is_none) {
        match answer(listener, &joining.circle) {
            Ok(Some((mut stream, caller))) if caller.process < joining.process => {
                let welcomed = send(&mut stream, MessageKind::Welcome, &[]);
                sockets[caller.process] = welcomed.is_ok().then_some(stream);
            }
            Ok(Some(_)) => refused = "; a worker called that should have been called".to_owned(),
            Ok(None) if Instant::now() > until => {
                return Err(format!("worker {missing} did not call{refused}"));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(why) => refused = format!("; {why}"),
        }
    }
    let said = |error: std::io::Error| error.to_string();
    for stream in sockets.iter().flatten() {
        stream.set_read_timeout(None).map_err(said)?;
        stream.set_write_timeout(None).map_err(said)?;
    }
    Ok(sockets)
}

/// What the threads of a worker share.
struct WorkerOffice {
    voice: Mutex<TcpStream>,
    pulse: Pulse,
    is_over: AtomicBool,
    lost: LossHandler,
}

impl WorkerOffice {
    /// Tells the coordinator something.
    fn say(&self, kind: MessageKind, bytes: &[u8]) -> std::io::Result<()> {
        send(&mut *self.voice.lock().unwrap_or_else(PoisonError::into_inner), kind, bytes)
    }

    /// Says again and again that it is there.
    fn beat(&self) {
        while self.say(MessageKind::Beat, &report::write_pulse(&self.pulse)).is_ok() {
            std::thread::sleep(BEAT);
        }
        self.end("the coordinator is lost");
    }

    /// Hears what the coordinator says.
    fn hear(&self, control: &mut TcpStream, order: &dyn Fn(LinkMessage) -> bool) {
        loop {
            match receive(control) {
                Ok(LinkMessage { kind: MessageKind::Beat, .. }) => {}
                Ok(LinkMessage { kind: MessageKind::Stop, .. }) => {
                    self.pulse.stop.store(true, Ordering::Relaxed)
                }
                Ok(message) => {
                    match message.kind {
                        // Before anything that is said after it, which may be that it is to stop.
                        MessageKind::Task => self.pulse.reset(),
                        MessageKind::Farewell => self.is_over.store(true, Ordering::Relaxed),
                        _ => {}
                    }
                    if !order(message) {
                        return;
                    }
                }
                Err(error) => return self.end(&format!("the coordinator is lost: {error}")),
            }
        }
    }

    /// Ends the process because its disk fails.
    fn give_up(&self, error: &std::io::Error) -> ! {
        let why = format!("its states cannot be put on disk: {error}");
        // If the coordinator is lost, too, nobody is told.
        let _ = self.say(MessageKind::GivenUp, why.as_bytes());
        (self.lost)(&why)
    }

    /// Ends the process, if it has not come to its end anyway: who has heard the farewell closes its connections, which others may see
    /// before they hear it.
    fn end(&self, why: &str) {
        let until = Instant::now() + FAREWELL;
        while !self.is_over.load(Ordering::Relaxed) {
            if Instant::now() > until {
                (self.lost)(why);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Installs a hook that reports panics to the coordinator and ends the process.
fn tell_panics(office: &Arc<WorkerOffice>) {
    let office = Arc::clone(office);
    std::panic::set_hook(Box::new(move |panic| {
        let payload = panic.payload();
        let words = payload.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it panicked");
        if !office.is_over.load(Ordering::Relaxed) {
            // The stream may be held by the thread that panics.
            if let Ok(mut voice) = office.voice.try_lock() {
                let _ = send(&mut *voice, MessageKind::Trouble, words.as_bytes());
            }
            office.end(words);
        }
    }));
}

/// Runs timely on the connections, and does what is ordered.
fn work(
    joining: &Joining,
    sockets: Vec<Option<TcpStream>>,
    orders: Receiver<LinkMessage>,
    office: &Arc<WorkerOffice>,
) -> Result<(), String> {
    let (process, workers) = (joining.process, sockets.len());
    let spill = joining.spill.clone();
    let (builders, others) = match workers {
        1 => Config::Thread.try_build()?,
        _ => {
            let hooks = Hooks::default();
            let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
            let (builders, guard) = initialize_networking_from_sockets(inner, sockets, process, 1, hooks)
                .map_err(|error| error.to_string())?;
            let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
            (builders, Box::new(guard) as Box<dyn std::any::Any + Send>)
        }
    };
    let (done, is_done) = channel();
    let orders = Mutex::new(orders);
    let shared = Arc::clone(office);
    let guards = execute_from(builders, others, WorkerConfig::default(), move |worker| {
        let orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = orders.recv().ok();
        while let Some(order) = next.take().filter(|order| order.kind != MessageKind::Farewell) {
            next = obey(&order, worker, (process, workers, spill.as_deref()), &orders, &shared);
        }
        // If the receiver is gone the process is about to end.
        let _ = done.send(());
    })?;
    let ended = is_done.recv().map_err(|_| "the search broke off".to_owned());
    // Threads that hold connections end with the process; to wait for all peers would be to hang with them.
    std::mem::forget(guards);
    ended
}

/// Searches the task of `order` and answers the queries about it; returns the next order that is no such
/// query.
fn obey(
    order: &LinkMessage,
    worker: &mut Worker,
    (process, workers, spill): (usize, usize, Option<&Path>),
    orders: &Receiver<LinkMessage>,
    office: &WorkerOffice,
) -> Option<LinkMessage> {
    let unread = "the coordinator said something that cannot be read";
    let task = (order.kind == MessageKind::Task).then(|| task::read(&order.bytes)).flatten().expect(unread);
    let pulse = &office.pulse;
    let program = Program::new(&task.system);
    // The coordinator asks for nothing of which it cannot be told.
    let mut explorer = Explorer::new(&program, &task, process, workers).expect(unread);
    if let Some(folder) = spill {
        explorer.spill_to(folder);
    }
    let outcome = explorer.run(worker, pulse).unwrap_or_else(|error| office.give_up(&error));
    let told = report::write_outcome(&outcome, pulse);
    office.say(MessageKind::Outcome, &told).expect("the coordinator listens");
    loop {
        let question = orders.recv().ok()?;
        let name = ByteReader(&question.bytes).number().map(StateName);
        let told = match (question.kind, name) {
            (MessageKind::State, Some(name)) => {
                let state = explorer.state(name).expect("the coordinator asks for what is here");
                let (state, parent) = state.unwrap_or_else(|error| office.give_up(&error));
                report::write_state(&state, parent)
            }
            (MessageKind::Count, Some(bound)) => {
                let count = explorer.reached_before(bound);
                report::write_count(count.unwrap_or_else(|error| office.give_up(&error)))
            }
            (MessageKind::Cycle, Some(kind)) => {
                let steps = if kind == UNREAD { CycleSteps::Unread } else { CycleSteps::All };
                let automaton = task.goal.automaton().expect(unread);
                let steps = CycleExpander::new(&program, automaton, steps).expect(unread);
                let search = CycleSearch::new(steps, explorer.owned(), process, workers);
                report::write_cycle(&search.run(worker, pulse), pulse)
            }
            (_, _) => return Some(question),
        };
        office.say(question.kind, &told).expect("the coordinator listens");
    }
}
