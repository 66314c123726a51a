//! Hosts: the file that says which processes belong together.
//!
//! ```text
//! # process 0 first
//! token 8f1c2d..
//! alpha.example.org:7400
//! beta.example.org:7400
//! ```
//!
//! All processes have the same file. Its token authenticates a process, so only its owner should be able to
//! read it.

/// The processes of a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts {
    /// What lets a process in.
    pub token: String,
    /// Where each process is reached, by its number.
    pub addresses: Vec<String>,
}

/// Tokens with fewer characters than this are easily guessed.
const SHORTEST: usize = 16;

impl Hosts {
    /// Reads the text of such a file; an error says what is wrong in which line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut token = None;
        let mut addresses: Vec<String> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let wrong = |what: &str| Err(format!("line {}: {what}", number + 1));
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["token", _] if token.is_some() => return wrong("there is a token already"),
                ["token", word] if word.len() < SHORTEST => {
                    return wrong(&format!("a token has at least {SHORTEST} characters"));
                }
                ["token", word] => token = Some((*word).to_owned()),
                [address] if !is_address(address) => {
                    return wrong(&format!("`{address}` is not HOST:PORT"));
                }
                [address] if addresses.iter().any(|one| one == address) => {
                    return wrong(&format!(
                        "`{address}` stands there twice; processes of one host need ports of their own"
                    ));
                }
                [address] => addresses.push((*address).to_owned()),
                _ => return wrong("expected `token SECRET` or HOST:PORT"),
            }
        }
        let token = token.ok_or("there is no line `token SECRET`, which lets processes in")?;
        match addresses.len() {
            0 => Err("there is no line HOST:PORT".to_owned()),
            1..=crate::MOST => Ok(Hosts { token, addresses }),
            more => Err(format!("there are {more} processes, more than {}", crate::MOST)),
        }
    }
}

fn is_address(text: &str) -> bool {
    let parts = text.rsplit_once(':');
    parts.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0))
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn a_file_lists_processes_and_a_token() {
        let text = "# mine\ntoken 0123456789abcdef\n\na:1 # first\n[::1]:7400\n";
        let hosts = Hosts::parse(text).expect("it is one");
        assert_eq!(
            (hosts.token.as_str(), hosts.addresses),
            ("0123456789abcdef", vec!["a:1".to_owned(), "[::1]:7400".to_owned()])
        );
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let wrong = |text: &str| Hosts::parse(text).unwrap_err();
        assert_eq!(wrong("token short\n"), "line 1: a token has at least 16 characters");
        assert_eq!(wrong("a\n"), "line 1: `a` is not HOST:PORT");
        assert_eq!(wrong("a:0\n"), "line 1: `a:0` is not HOST:PORT");
        assert!(wrong("a:1\na:1\n").starts_with("line 2: `a:1` stands there twice"));
        assert!(wrong("a:1\n").contains("no line `token SECRET`"));
        assert!(wrong("token 0123456789abcdef\n").contains("no line HOST:PORT"));
        assert!(wrong("a b c\n").starts_with("line 1: expected"));
    }
}
