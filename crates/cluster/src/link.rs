//! Links: connections between processes, and their messages.
//!
//! A process that connects identifies itself first: by a token that only the processes of one cluster know, a
//! fingerprint of the program, and its number. The other side accepts, or answers with the reason for its
//! refusal. Everything has a deadline: a process that is silent for too long is lost. The token is sent in
//! plain text: it keeps out mistakes and other users, not an attacker who reads the network.

use std::hash::{DefaultHasher, Hasher};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::bytes::{ByteReader, ByteWriter};

/// How often processes say that they are there.
pub(crate) const BEAT: Duration = Duration::from_millis(250);

/// A process that sends nothing for this long counts as lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(6);

/// How long an unidentified connection may take to identify itself.
const COURTESY: Duration = Duration::from_secs(2);

/// The longest message that is believed, in bytes.
const LONGEST: usize = 1 << 30;

/// The longest message of a process that has not identified itself.
const LONGEST_HELLO: usize = 1 << 12;

/// The first words of a process of this kind.
const MAGIC: &str = "sequent cluster 1";

/// What is sent: what kind it is, and the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LinkMessage {
    /// The kind.
    pub kind: MessageKind,
    /// The rest.
    pub bytes: Vec<u8>,
}

/// The kinds of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum MessageKind {
    /// The identification of a caller.
    Hello,
    /// The caller is welcome; to a worker, with the addresses of all.
    Welcome,
    /// The caller is not welcome, and why.
    Refusal,
    /// A worker is connected with all others.
    Ready,
    /// I am here; from a worker, with how far it has come.
    Beat,
    /// What is to be searched.
    Task,
    /// Stop searching.
    Stop,
    /// What a worker knows at the end of a search.
    Outcome,
    /// Tell me of a state; and the answer.
    State,
    /// Tell me how many states were reached from some; and the answer.
    Count,
    /// Look for runs that go on forever, by which steps; and what was found.
    Cycle,
    /// What went wrong with another worker.
    Trouble,
    /// What went wrong here, before the worker ends.
    GivenUp,
    /// There is nothing more to do.
    Farewell,
}

impl MessageKind {
    const ALL: [MessageKind; 14] = [
        MessageKind::Hello,
        MessageKind::Welcome,
        MessageKind::Refusal,
        MessageKind::Ready,
        MessageKind::Beat,
        MessageKind::Task,
        MessageKind::Stop,
        MessageKind::Outcome,
        MessageKind::State,
        MessageKind::Count,
        MessageKind::Cycle,
        MessageKind::Trouble,
        MessageKind::GivenUp,
        MessageKind::Farewell,
    ];
}

/// Sends a message.
pub(crate) fn send(to: &mut impl Write, kind: MessageKind, bytes: &[u8]) -> std::io::Result<()> {
    let mut whole = Vec::with_capacity(bytes.len() + 9);
    whole.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    whole.push(kind as u8);
    whole.extend_from_slice(bytes);
    to.write_all(&whole)
}

/// The next message.
pub(crate) fn receive(from: &mut impl Read) -> std::io::Result<LinkMessage> {
    receive_up_to(from, LONGEST)
}

fn receive_up_to(from: &mut impl Read, longest: usize) -> std::io::Result<LinkMessage> {
    let wrong = |what: &str| std::io::Error::new(ErrorKind::InvalidData, what.to_owned());
    let mut head = [0; 9];
    from.read_exact(&mut head)?;
    let [length @ .., kind] = head;
    let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
    let kind = MessageKind::ALL.into_iter().find(|one| *one as u8 == kind);
    let kind = kind.ok_or_else(|| wrong("it is no message of ours"))?;
    if length > longest {
        return Err(wrong("the message is too long"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(LinkMessage { kind, bytes })
}

/// What the processes of a cluster have in common: the secret, and the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circle {
    /// The secret.
    pub token: String,
    /// The program, as [`fingerprint`] tells it.
    pub program: String,
}

/// The identification of a caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hello {
    /// Its number.
    pub process: usize,
    /// The port at which other workers reach it.
    pub port: u16,
}

impl Hello {
    /// In bytes.
    pub(crate) fn write(&self, circle: &Circle) -> Vec<u8> {
        let mut out = ByteWriter::default();
        out.text(MAGIC);
        out.text(&circle.token);
        out.text(&circle.program);
        out.number(self.process as u64);
        out.number(self.port);
        out.0
    }

    /// The identification in `bytes`, if it fits the circle; else the reason for the refusal.
    pub(crate) fn read(bytes: &[u8], circle: &Circle) -> Result<Self, String> {
        let mut from = ByteReader(bytes);
        let read = |from: &mut ByteReader<'_>| -> Option<[String; 3]> {
            Some([from.text()?.to_owned(), from.text()?.to_owned(), from.text()?.to_owned()])
        };
        let stranger = || "it speaks another language".to_owned();
        let [magic, token, program] = read(&mut from).ok_or_else(stranger)?;
        if magic != MAGIC {
            return Err(stranger());
        }
        if !is_same(&token, &circle.token) {
            return Err("the token is another one".to_owned());
        }
        if program != circle.program {
            return Err(format!(
                "the programs differ: `{program}` there, `{}` here; install the same build everywhere",
                circle.program
            ));
        }
        let process = from.count().ok_or_else(stranger)?;
        let port = from.number().and_then(|port| u16::try_from(port).ok()).ok_or_else(stranger)?;
        Ok(Hello { process, port })
    }
}

/// Whether two secrets are the same; how long that takes tells nothing about where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// The version of a program, and a hash of its file: two programs with the same are the same.
pub fn fingerprint(version: &str, program: &Path) -> std::io::Result<String> {
    let bytes = std::fs::read(program)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    let hash = hasher.finish();
    Ok(format!("{version} {hash:016x}"))
}

/// Connects to an address, again and again until a deadline.
pub(crate) fn dial(address: &str, until: Instant) -> Result<TcpStream, String> {
    loop {
        let problem = match connect(address) {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if Instant::now() >= until {
            return Err(format!("`{address}` cannot be reached: {problem}"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn connect(address: &str) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::new(ErrorKind::NotFound, "the name has no address");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, COURTESY) {
            Ok(stream) => {
                prepare(&stream)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Nothing waits for more to be sent, and nothing is waited for forever.
fn prepare(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(COURTESY))?;
    stream.set_write_timeout(Some(SILENCE))
}

/// The next caller that identifies itself in time; `None` if there is none now. Fails if a caller was
/// refused.
pub(crate) fn answer(listener: &TcpListener, circle: &Circle) -> Result<Option<(TcpStream, Hello)>, String> {
    let (mut stream, from) = match listener.accept() {
        Ok(caller) => caller,
        Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let refused = |why: &str| Err(format!("a caller from {} was refused: {why}", from.ip()));
    let hello = prepare(&stream).and_then(|()| receive_up_to(&mut stream, LONGEST_HELLO));
    match hello {
        Ok(LinkMessage { kind: MessageKind::Hello, bytes }) => match Hello::read(&bytes, circle) {
            Ok(hello) => Ok(Some((stream, hello))),
            Err(why) => {
                // It may not listen any more.
                let _ = send(&mut stream, MessageKind::Refusal, why.as_bytes());
                refused(&why)
            }
        },
        Ok(_) => refused("it did not say who it is"),
        Err(error) => refused(&format!("it did not say who it is ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Circle, Hello, MessageKind, receive, send};

    fn circle(token: &str, program: &str) -> Circle {
        Circle { token: token.to_owned(), program: program.to_owned() }
    }

    #[test]
    fn only_those_who_belong_together_are_let_in() {
        let ours = circle("secret", "1.0 aa");
        let hello = Hello { process: 2, port: 77 };
        assert_eq!(Hello::read(&hello.write(&ours), &ours), Ok(hello.clone()));
        let refused = |theirs: &Circle| Hello::read(&hello.write(theirs), &ours).unwrap_err();
        assert!(refused(&circle("secres", "1.0 aa")).contains("token"));
        assert!(refused(&circle("", "1.0 aa")).contains("token"));
        assert!(refused(&circle("secret", "1.1 bb")).contains("`1.1 bb` there, `1.0 aa` here"));
        assert!(Hello::read(b"GET / HTTP/1.1\r\n", &ours).is_err());
    }

    #[test]
    fn messages_come_as_they_were_sent_and_others_not_at_all() {
        for kind in MessageKind::ALL {
            let mut wire = Vec::new();
            send(&mut wire, kind, b"abc").expect("memory takes it");
            let message = receive(&mut wire.as_slice()).expect("it is one");
            assert_eq!((message.kind, message.bytes.as_slice()), (kind, &b"abc"[..]));
        }
        assert!(receive(&mut &b"GET / HTTP/1.1\r\n\r\n"[..]).is_err());
        assert!(receive(&mut &[3, 0, 0, 0, 0, 0, 0, 0, 0, 1][..]).is_err());
    }
}
