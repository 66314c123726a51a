//! Races of random diagrams, against the definition written down as it stands.
//!
//! A diagram of messages, options and alternatives is run in every way; in each way the enforced order is closed by brute
//! force, and two neighbours among the messages a lifeline receives race if it does not order them. Told are those whose second
//! sender is drawn to receive something above.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::random::Random;

use super::findings;

const LIFELINES: usize = 4;

/// Sender, receiver, and its place in the text.
type Message = (usize, usize, usize);

enum Part {
    Plain(Message),
    /// One of several sequences.
    Choice(Vec<Vec<Message>>),
}

fn message(random: &mut Random) -> Message {
    (random.below(LIFELINES), random.below(LIFELINES), 0)
}

fn messages(random: &mut Random) -> Vec<Message> {
    (0..random.below(3)).map(|_| message(random)).collect()
}

fn part(random: &mut Random) -> Part {
    match random.below(4) {
        0 => Part::Choice(vec![messages(random), messages(random)]),
        _ => Part::Plain(message(random)),
    }
}

#[test]
fn races_are_those_of_the_definition() {
    let mut random = Random::new(7);
    let mut racing = 0;
    for _ in 0..1_500 {
        let mut parts: Vec<Part> = (0..1 + random.below(6)).map(|_| part(&mut random)).collect();
        let drawn = number(&mut parts);
        let expected = ways(&parts).iter().any(|way| has_race(way, &drawn));
        let text = text(&parts);
        let found = findings(&text).1.iter().any(|finding| finding.code == Code::Race);
        assert_eq!(found, expected, "{text}");
        racing += u32::from(expected);
    }
    assert!((300..1_200).contains(&racing), "{racing} of the diagrams have a race");
}

/// Gives each message its place, and returns all as they are drawn.
fn number(parts: &mut [Part]) -> Vec<Message> {
    let messages = parts.iter_mut().flat_map(|part| match part {
        Part::Plain(message) => vec![message],
        Part::Choice(operands) => operands.iter_mut().flatten().collect(),
    });
    let number = |(place, message): (usize, &mut Message)| {
        message.2 = place;
        *message
    };
    messages.enumerate().map(number).collect()
}

fn text(parts: &[Part]) -> String {
    let line = |(from, to, place): &Message| format!("p{from} ->> p{to} : m{place}\n");
    let mut text = String::from("participant p0\n");
    for part in parts {
        match part {
            Part::Plain(message) => text += &line(message),
            Part::Choice(operands) => {
                for (index, operand) in operands.iter().enumerate() {
                    text += if index == 0 { "alt x\n" } else { "else\n" };
                    operand.iter().for_each(|message| text += &line(message));
                }
                text += "end\n";
            }
        }
    }
    text
}

fn ways(parts: &[Part]) -> Vec<Vec<Message>> {
    parts.iter().fold(vec![Vec::new()], |ways, part| {
        let next = match part {
            Part::Plain(message) => vec![vec![*message]],
            Part::Choice(operands) => operands.clone(),
        };
        ways.iter().flat_map(|way| next.iter().map(|next| [way.as_slice(), next].concat())).collect()
    })
}

/// Occurrence `2 i` is the sending and `2 i + 1` the receiving of message `i`.
fn has_race(messages: &[Message], drawn: &[Message]) -> bool {
    let size = 2 * messages.len();
    let place = |at: usize| if at.is_multiple_of(2) { messages[at / 2].0 } else { messages[at / 2].1 };
    let is_send = |at: usize| at.is_multiple_of(2);
    let ends = |message: Message| (message.0, message.1);
    let is_prompted = |at: usize| {
        let (sender, _, place) = messages[at / 2];
        drawn[..place].iter().any(|one| one.1 == sender && one.0 != sender)
    };
    let is_direct = |a: usize, b: usize| {
        let is_message = is_send(a) && b == a + 1;
        let is_control = a < b && place(a) == place(b) && is_send(b);
        let is_channel =
            a < b && !is_send(a) && !is_send(b) && ends(messages[a / 2]) == ends(messages[b / 2]);
        is_message || is_control || is_channel
    };
    let mut before: Vec<Vec<bool>> =
        (0..size).map(|a| (0..size).map(|b| is_direct(a, b)).collect()).collect();
    for middle in 0..size {
        for a in 0..size {
            for b in 0..size {
                before[a][b] |= before[a][middle] && before[middle][b];
            }
        }
    }
    let from_others = |at: &usize| !is_send(*at) && messages[at / 2].0 != messages[at / 2].1;
    (0..LIFELINES).any(|lifeline| {
        let received: Vec<usize> = (0..size).filter(|at| from_others(at) && place(*at) == lifeline).collect();
        received.windows(2).any(|pair| !before[pair[0]][pair[1]] && is_prompted(pair[1]))
    })
}
