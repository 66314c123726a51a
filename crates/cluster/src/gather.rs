//! Gathering: the coordinator waits until all workers have joined, and then receives the messages of all of
//! them.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{IpAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::hosts::Hosts;
use crate::link::{BEAT, Circle, LinkMessage, MessageKind, SILENCE, answer, receive, send};
use crate::report::write_addresses;

/// What a worker needs to join. The token is not passed on the command line, which is visible to all users of
/// a machine.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// Where the coordinator is reached.
    pub coordinator: String,
    /// What lets it in.
    pub token: String,
    /// The number of the worker.
    pub process: usize,
}

/// Starts a worker.
pub type Start<'s> = &'s dyn Fn(&Invitation) -> std::io::Result<Child>;

/// Something that comes from a worker: a message, or why there will be none any more.
pub(crate) type News = (usize, Result<LinkMessage, String>);

/// All workers.
pub(crate) struct Crowd {
    /// The connection by which each worker gets its orders.
    voices: Vec<Arc<Mutex<TcpStream>>>,
    /// What they are called.
    names: Vec<String>,
    news: Receiver<News>,
    children: Vec<(usize, Child)>,
}

impl Crowd {
    /// Starts `processes` workers on this machine.
    pub(crate) fn local(
        processes: usize,
        program: &str,
        wait: Duration,
        start: Start<'_>,
    ) -> Result<Self, String> {
        let said = |error: std::io::Error| error.to_string();
        let listener = TcpListener::bind("127.0.0.1:0").map_err(said)?;
        let coordinator = listener.local_addr().map_err(said)?.to_string();
        let circle = Circle { token: random_token(), program: program.to_owned() };
        let mut gathering = WorkerGathering::new(listener, processes, circle, wait)?;
        for process in 0..processes {
            gathering.start(process, &coordinator, start)?;
        }
        gathering.gather(None)
    }

    /// Waits for the workers of other hosts, and starts the one of this host.
    pub(crate) fn hosts(
        hosts: &Hosts,
        program: &str,
        wait: Duration,
        start: Start<'_>,
    ) -> Result<Self, String> {
        let coordinator = &hosts.addresses[0];
        let listener = TcpListener::bind(coordinator)
            .map_err(|error| format!("`{coordinator}` cannot be listened at: {error}"))?;
        let circle = Circle { token: hosts.token.clone(), program: program.to_owned() };
        let mut gathering = WorkerGathering::new(listener, hosts.addresses.len(), circle, wait)?;
        gathering.start(0, coordinator, start)?;
        gathering.gather(Some(&hosts.addresses))
    }

    /// How many workers there are.
    pub(crate) fn len(&self) -> usize {
        self.voices.len()
    }

    /// Tells a worker something; whether it could be sent.
    pub(crate) fn tell(&self, worker: usize, kind: MessageKind, bytes: &[u8]) -> Result<(), String> {
        let mut voice = self.voices[worker].lock().unwrap_or_else(PoisonError::into_inner);
        send(&mut *voice, kind, bytes).map_err(|error| format!("{} is lost: {error}", self.names[worker]))
    }

    /// Tells all workers something.
    pub(crate) fn tell_all(&self, kind: MessageKind, bytes: &[u8]) -> Result<(), String> {
        (0..self.len()).try_for_each(|worker| self.tell(worker, kind, bytes))
    }

    /// The next message; `None` if there is none for a while. An error says who is lost.
    pub(crate) fn hear(&mut self, wait: Duration) -> Result<Option<(usize, LinkMessage)>, String> {
        match self.news.recv_timeout(wait) {
            Ok((worker, Ok(message))) if message.kind == MessageKind::Trouble => {
                let words = String::from_utf8_lossy(&message.bytes).into_owned();
                Err(self.cause(worker, format!("says: {words}"), true))
            }
            Ok((worker, Ok(message))) if message.kind == MessageKind::GivenUp => {
                Err(self.given_up(worker, &message))
            }
            Ok((worker, Ok(message))) => Ok(Some((worker, message))),
            Ok((worker, Err(why))) => Err(self.cause(worker, why, false)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("all workers are lost".to_owned()),
        }
    }

    /// Why a worker has ended by itself.
    fn given_up(&self, worker: usize, message: &LinkMessage) -> String {
        format!("{} has given up: {}", self.names[worker], String::from_utf8_lossy(&message.bytes))
    }

    /// Who was lost first, as far as it can be told: a worker that is ended takes others with it, whose complaints may come first.
    /// What is known first `is_complaint` of a worker that still runs, or its loss.
    fn cause(&mut self, worker: usize, why: String, is_complaint: bool) -> String {
        let until = Instant::now() + Duration::from_millis(300);
        let mut first = (worker, why, is_complaint);
        while let Ok((worker, news)) = self.news.recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            match news {
                Ok(message) if message.kind == MessageKind::GivenUp => {
                    return self.given_up(worker, &message);
                }
                Err(why) if first.2 => first = (worker, why, false),
                Err(_) | Ok(_) => {}
            }
        }
        let mut killed = None;
        for (number, child) in &mut self.children {
            if let Ok(Some(status)) = child.try_wait() {
                // A worker that notices a loss ends with a code; one that is killed has none.
                if status.code().is_none() {
                    killed = killed.or(Some((*number, format!("has ended ({status})"))));
                }
            }
        }
        let (worker, why) = killed.unwrap_or((first.0, first.1));
        format!("{} {why}", self.names[worker])
    }

    /// Ends all workers that were started here, and the connections with the others.
    pub(crate) fn disband(&mut self) {
        for voice in &self.voices {
            if let Ok(voice) = voice.try_lock() {
                // It may be closed already.
                let _ = voice.shutdown(std::net::Shutdown::Both);
            }
        }
        end(&mut self.children);
    }

    /// Lets all workers go.
    pub(crate) fn dismiss(&mut self) {
        // A worker that is gone already needs no farewell.
        let _ = self.tell_all(MessageKind::Farewell, &[]);
        let until = Instant::now() + Duration::from_secs(1);
        let is_there = |child: &mut Child| matches!(child.try_wait(), Ok(None));
        while self.children.iter_mut().any(|(_, child)| is_there(child)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.disband();
    }
}

/// Ends programs that were started.
fn end(children: &mut Vec<(usize, Child)>) {
    for (_, mut child) in children.drain(..) {
        // Each may have ended already.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// A secret that cannot be guessed: the standard library seeds its hashes by the system's random numbers.
fn random_token() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// Workers that join.
struct WorkerGathering {
    listener: TcpListener,
    circle: Circle,
    until: Instant,
    wait: Duration,
    joined: Vec<Option<(TcpStream, u16)>>,
    children: Vec<(usize, Child)>,
}

impl Drop for WorkerGathering {
    fn drop(&mut self) {
        end(&mut self.children);
    }
}

impl WorkerGathering {
    fn new(listener: TcpListener, processes: usize, circle: Circle, wait: Duration) -> Result<Self, String> {
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        let joined = (0..processes).map(|_| None).collect();
        Ok(WorkerGathering {
            listener,
            circle,
            until: Instant::now() + wait,
            wait,
            joined,
            children: Vec::new(),
        })
    }

    fn start(&mut self, process: usize, coordinator: &str, start: Start<'_>) -> Result<(), String> {
        let invitation =
            Invitation { coordinator: coordinator.to_owned(), token: self.circle.token.clone(), process };
        let child = start(&invitation).map_err(|error| format!("a worker cannot be started: {error}"))?;
        self.children.push((process, child));
        Ok(())
    }

    /// Waits for all, and makes them known to each other. Where hosts are listed no others are let in.
    fn gather(mut self, listed: Option<&[String]>) -> Result<Crowd, String> {
        let name = |number: usize| match listed {
            Some(addresses) => format!("worker {number} ({})", addresses[number]),
            None => format!("worker {number}"),
        };
        let mut refused = String::new();
        while let Some(missing) = self.joined.iter().position(Option::is_none) {
            match answer(&self.listener, &self.circle) {
                Ok(Some((mut stream, hello))) => match self.objection(&stream, hello.process, listed) {
                    None => self.joined[hello.process] = Some((stream, hello.port)),
                    Some(why) => {
                        // It may not listen any more.
                        let _ = send(&mut stream, MessageKind::Refusal, why.as_bytes());
                        refused = format!("; a caller was refused: {why}");
                    }
                },
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(why) => refused = format!("; {why}"),
            }
            if let Some(gone) = self.children.iter_mut().find_map(|(number, child)| {
                child
                    .try_wait()
                    .ok()
                    .flatten()
                    .map(|status| format!("{} has ended ({status})", name(*number)))
            }) {
                return Err(format!("{gone}{refused}"));
            }
            if Instant::now() > self.until {
                let wait = self.wait.as_secs_f64();
                return Err(format!("{} has not joined within {wait} seconds{refused}", name(missing)));
            }
        }
        let count = self.joined.len();
        let ports = self.joined.iter().flatten().map(|(_, port)| format!("127.0.0.1:{port}"));
        let addresses: Vec<String> = listed.map_or_else(|| ports.collect(), <[String]>::to_vec);
        let welcome = write_addresses(&addresses);
        let (tell, news) = channel();
        let mut voices = Vec::with_capacity(count);
        for (number, (mut stream, _)) in self.joined.drain(..).flatten().enumerate() {
            let lost = |error: std::io::Error| format!("{} is lost: {error}", name(number));
            send(&mut stream, MessageKind::Welcome, &welcome).map_err(lost)?;
            stream.set_read_timeout(Some(SILENCE + self.wait)).map_err(lost)?;
            let ear = stream.try_clone().map_err(lost)?;
            let tell = tell.clone();
            std::thread::spawn(move || listen(number, ear, &tell));
            voices.push(Arc::new(Mutex::new(stream)));
        }
        let names = (0..count).map(name).collect();
        let children = std::mem::take(&mut self.children);
        let mut crowd = Crowd { voices, names, news, children };
        if let Err(why) = crowd.await_ready(Instant::now() + self.wait + SILENCE) {
            crowd.disband();
            return Err(why);
        }
        Ok(crowd)
    }

    /// Why a caller may not be the worker that it says it is.
    fn objection(&self, stream: &TcpStream, process: usize, listed: Option<&[String]>) -> Option<String> {
        match self.joined.get(process) {
            None => return Some(format!("there are only {} processes", self.joined.len())),
            Some(Some(_)) => return Some(format!("process {process} has joined already")),
            Some(None) => {}
        }
        let listed = listed?;
        let Ok(caller) = stream.peer_addr() else { return Some("it has no address".to_owned()) };
        let is_listed = listed[process]
            .to_socket_addrs()
            .is_ok_and(|mut places| places.any(|place| same_host(place.ip(), caller.ip())));
        (!is_listed).then(|| format!("{} is not the host of `{}`", caller.ip(), listed[process]))
    }
}

/// Whether two addresses are one host's, however they are written.
fn same_host(one: IpAddr, other: IpAddr) -> bool {
    one.to_canonical() == other.to_canonical() || one.is_loopback() && other.is_loopback()
}

/// Passes on what a worker says, until it is lost.
fn listen(worker: usize, mut from: TcpStream, tell: &Sender<News>) {
    loop {
        let news = receive(&mut from).map_err(|error| match error.kind() {
            std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => {
                format!("has not answered for {} seconds", SILENCE.as_secs())
            }
            std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::ConnectionReset => "is lost".to_owned(),
            _ => format!("is lost: {error}"),
        });
        if matches!(&news, Ok(message) if message.kind == MessageKind::Ready) {
            // From now on it says all the time that it is there.
            let _ = from.set_read_timeout(Some(SILENCE));
        }
        let is_last = news.is_err();
        if tell.send((worker, news)).is_err() || is_last {
            return;
        }
    }
}

impl Crowd {
    /// Waits until all workers are connected with each other; from then on they hear that the coordinator is there.
    fn await_ready(&mut self, until: Instant) -> Result<(), String> {
        let mut ready = vec![false; self.len()];
        while let Some(missing) = ready.iter().position(|ready| !ready) {
            match self.hear(BEAT)? {
                Some((worker, message)) if message.kind == MessageKind::Ready => {
                    ready[worker] = true;
                    let voice = Arc::clone(&self.voices[worker]);
                    std::thread::spawn(move || beat(&voice));
                }
                Some(_) | None => {}
            }
            if Instant::now() > until {
                return Err(format!("{} is not connected with the others in time", self.names[missing]));
            }
        }
        Ok(())
    }
}

/// Says again and again that the coordinator is there.
fn beat(voice: &Mutex<TcpStream>) {
    loop {
        let said = send(&mut *voice.lock().unwrap_or_else(PoisonError::into_inner), MessageKind::Beat, &[]);
        if said.is_err() {
            return;
        }
        std::thread::sleep(BEAT);
    }
}
