//! The gate: authentication of requests.
//!
//! Other pages in the same browser, other programs and other users reach 127.0.0.1 too. A request is answered only with the
//! token, which is in the address that was printed and from then on in a cookie that other sites do not send. `Host` must
//! name this server, so that no name of another site can be made to point here (DNS rebinding); `Origin` and
//! `Sec-Fetch-Site`, where a browser sends them, must be this page.

use std::hash::{BuildHasher, RandomState};

/// What is known of a request before it is read.
pub(crate) struct RequestFacts<'a> {
    pub host: Vec<String>,
    pub origin: Vec<String>,
    pub site: Vec<String>,
    pub cookie: Vec<String>,
    pub query: &'a str,
}

/// The port and the token.
pub(crate) struct RequestGate {
    port: u16,
    token: String,
}

impl RequestGate {
    /// A gate with a new token of 128 random bits: the keys of the hashers come from the system's source of random numbers.
    pub(crate) fn new(port: u16) -> Self {
        let parts = [0_u8, 1].map(|part| format!("{:016x}", RandomState::new().hash_one(part)));
        RequestGate { port, token: parts.concat() }
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// The cookie that holds the token. Cookies know no ports, so its name does.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.name(), self.token)
    }

    fn name(&self) -> String {
        format!("sequent-{}", self.port)
    }

    /// Whether a request is answered.
    pub(crate) fn admits(&self, asking: &RequestFacts<'_>) -> bool {
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let is_here = |host: &String| hosts.contains(&host.to_ascii_lowercase());
        let is_own =
            |origin: &String| origin.strip_prefix("http://").is_some_and(|host| is_here(&host.to_owned()));
        asking.host.len() == 1
            && asking.host.iter().all(is_here)
            && asking.origin.iter().all(is_own)
            && asking.site.iter().all(|site| site == "same-origin" || site == "none")
            && self.has_token(asking)
    }

    fn has_token(&self, asking: &RequestFacts<'_>) -> bool {
        let pairs = asking.query.split('&').filter_map(|pair| pair.split_once('='));
        let queries = pairs.filter(|(name, _)| *name == "token").map(|(_, value)| value);
        let cookies =
            asking.cookie.iter().flat_map(|all| all.split(';')).filter_map(|one| one.trim().split_once('='));
        let name = self.name();
        let cookies = cookies.filter(|(own, _)| *own == name).map(|(_, value)| value);
        queries.chain(cookies).any(|given| self.is_token(given))
    }

    /// Compares all of it: how long it takes tells nothing.
    fn is_token(&self, given: &str) -> bool {
        let differences = given.bytes().zip(self.token.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
        given.len() == self.token.len() && differences == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(
        gate: &RequestGate,
        host: &str,
        origin: &[&str],
        site: &[&str],
        query: &str,
        cookie: &str,
    ) -> bool {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let (origin, site, cookie) = (owned(origin), owned(site), owned(&[cookie]));
        gate.admits(&RequestFacts { host: vec![host.to_owned()], origin, site, cookie, query })
    }

    #[test]
    fn only_the_page_itself_is_answered() {
        let gate = RequestGate::new(4711);
        let query = gate.address().split_once('?').map(|(_, query)| query.to_owned()).expect("a query");
        let own = "127.0.0.1:4711";
        assert!(admits(&gate, own, &[], &[], &query, ""));
        assert!(admits(&gate, "localhost:4711", &["http://localhost:4711"], &["same-origin"], &query, ""));
        let cookie = gate.cookie();
        assert!(admits(&gate, own, &[], &["none"], "", cookie.split(';').next().expect("a cookie")));
        assert!(!admits(&gate, own, &[], &[], "", ""));
        assert!(!admits(&gate, own, &[], &[], "token=", ""));
        assert!(!admits(&gate, own, &[], &[], &query[..query.len() - 1], ""));
        assert!(!admits(&gate, own, &[], &[], &format!("{query}0"), ""));
        assert!(!admits(&gate, "evil.example:4711", &[], &[], &query, ""));
        assert!(!admits(&gate, "127.0.0.1:4712", &[], &[], &query, ""));
        assert!(!admits(&gate, own, &["http://evil.example"], &[], &query, ""));
        assert!(!admits(&gate, own, &["null"], &[], &query, ""));
        assert!(!admits(&gate, own, &["https://127.0.0.1:4711"], &[], &query, ""));
        assert!(!admits(&gate, own, &[], &["cross-site"], &query, ""));
        assert!(!admits(&gate, own, &[], &["same-site"], &query, ""));
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(RequestGate::new(1).token, RequestGate::new(1).token);
        assert_eq!(RequestGate::new(1).token.len(), 32);
    }
}
