//! Messages with their length before them, as language servers and debug adapters read and write them.
//!
//! The length comes from outside: what it promises is read piece by piece and never taken for granted, and a length beyond [`LONGEST`]
//! is refused. Behind a header that cannot be read no message can be found again.

use std::io::{BufRead, Read, Write};

use serde_json::Value;

/// Longer messages are not read.
pub const LONGEST: usize = 64 << 20;

/// Longer lines of a header are not read.
const LONGEST_LINE: u64 = 4096;

/// The next message; none at the end of the input. Fails if something else stands there.
pub fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut length = None;
    let mut is_begun = false;
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) if !is_begun => return Ok(None),
            Ok(_) if line.ends_with(b"\n") => is_begun = true,
            Ok(_) | Err(_) if line.len() < LONGEST_LINE as usize => {
                return Err("the input ends in a message".to_owned());
            }
            Ok(_) | Err(_) => return Err(NO_HEADER.to_owned()),
        }
        let line = String::from_utf8_lossy(&line);
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => {
                length = value.trim().parse::<usize>().ok().filter(|length| *length <= LONGEST);
                if length.is_none() {
                    return Err(format!("a message needs a length of at most {LONGEST} bytes"));
                }
            }
            Some(_) => {}
            None if line.trim().is_empty() => break,
            None => return Err(NO_HEADER.to_owned()),
        }
    }
    let length = length.ok_or(NO_HEADER)?;
    let mut text = Vec::new();
    match input.by_ref().take(length as u64).read_to_end(&mut text) {
        Ok(read) if read == length => Ok(Some(text)),
        Ok(_) | Err(_) => Err("the input ends in a message".to_owned()),
    }
}

/// What is said where no message begins.
const NO_HEADER: &str = "a message must begin with `Content-Length: ` and its length";

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Value) -> std::io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], expected: Result<Option<&str>, &str>) {
        let found = read(&mut &*input);
        let found = found.map(|text| text.map(|text| String::from_utf8_lossy(&text).into_owned()));
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)).map_err(str::to_owned));
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        check(b"", Ok(None));
        check(b"Content-Length: 2\r\n\r\n{}more", Ok(Some("{}")));
        check(b"content-length:2\nContent-Type: x; charset=utf-8\n\n{}", Ok(Some("{}")));
        check(b"Content-Length: 0\r\n\r\n", Ok(Some("")));
        let mut written = Vec::new();
        assert!(write(&mut written, &serde_json::json!({ "a": "\u{e4}" })).is_ok());
        check(&written, Ok(Some("{\"a\":\"\u{e4}\"}")));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let too_long = format!("a message needs a length of at most {LONGEST} bytes");
        for length in ["100000000000000", "-1", "", "99999999999999999999999999", "0x10"] {
            check(format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes(), Err(&too_long));
        }
        // A promise within the limit costs no memory before it is kept.
        check(
            format!("Content-Length: {LONGEST}\r\n\r\n{{}}").as_bytes(),
            Err("the input ends in a message"),
        );
        check(b"Content-Length: 2\r\n", Err("the input ends in a message"));
        check(b"hello\r\n\r\n", Err(NO_HEADER));
        check(b"\r\n\r\n", Err(NO_HEADER));
        check(b"X: 1\r\n\r\n{}", Err(NO_HEADER));
        check(&vec![b'A'; 1 << 20], Err(NO_HEADER));
    }
}
