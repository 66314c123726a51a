//! `sequent explain`: what a finding means, with an example, and how to suppress it.

mod examples;

use sequent_kernel::diagnostic::{Code, nearest};

use crate::cli;
use crate::output;

pub fn run(options: &cli::Explain) -> Result<u8, String> {
    let text = match &options.code {
        None if options.all => {
            Code::ALL.iter().map(|code| page(*code)).collect::<Vec<_>>().join("\n----\n\n")
        }
        None => list(Code::ALL.iter().copied()),
        Some(word) => match Code::from_name(word) {
            Some(code) => page(code),
            None => found(word)?,
        },
    };
    output::print(&text);
    Ok(0)
}

fn list(codes: impl Iterator<Item = Code>) -> String {
    codes.map(|code| format!("{}  {}\n", code.name(), code.title())).collect()
}

/// The codes that begin with a word, or whose explanation holds it.
fn found(word: &str) -> Result<String, String> {
    let (start, inside) = (word.to_uppercase(), word.to_lowercase());
    let holds = |code: &Code| {
        code.name().starts_with(&start)
            || code.number() == word
            || code.title().to_lowercase().contains(&inside)
            || code.explanation().to_lowercase().contains(&inside)
    };
    let codes: Vec<Code> = Code::ALL.iter().copied().filter(holds).collect();
    if codes.is_empty() { Err(unknown(word)) } else { Ok(list(codes.into_iter())) }
}

fn page(code: Code) -> String {
    let name = code.name();
    let mut text =
        format!("{name} ({}): {}\n\n{}\n", code.severity().name(), code.title(), fill(code.explanation()));
    if let Some((_, file, bad)) = examples::BAD.iter().find(|(known, ..)| *known == name) {
        // What the example announces is no part of it.
        let lines = bad.lines().filter(|line| !line.contains("@expect"));
        text += &format!("\nExample ({file}):\n\n{}", indented(lines));
    }
    if let Some((_, good)) = examples::GOOD.iter().find(|(known, _)| *known == name) {
        text += &format!("\nWithout it:\n\n{}", indented(good.lines()));
    }
    text += &format!("\nTo suppress it:\n\n{}", indented(suppressions(name).lines()));
    text
}

fn suppressions(name: &str) -> String {
    format!(
        "' sequent: allow {name}            a comment on the line before (%% in Mermaid, <!-- --> in Markdown)\n\
         ' sequent: allow-file {name}       for the whole file\n\
         [lint] allow = [\"{name}\"]         in sequent.toml, for a folder\n\
         sequent check --allow {name}       for one run\n"
    )
}

fn indented<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}

fn unknown(name: &str) -> String {
    let near = nearest(name, Code::ALL.iter().map(|code| code.name()));
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("`{name}` is not a code, and no explanation mentions it{hint} (`sequent explain` lists all)")
}

/// Breaks a text into lines that fit the screen.
fn fill(text: &str) -> String {
    let width = output::width().min(100);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use sequent::effort::Effort;
    use sequent::pipeline;
    use sequent_kernel::source::Sources;
    use sequent_notation::NoFiles;

    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        let mut sources = Sources::new();
        let file = sources.add("a", text);
        let settings = Default::default();
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
        let outcome = pipeline::check(&reading, &settings, &Effort::default());
        outcome.diagnostics.iter().map(|finding| finding.code.name()).collect()
    }

    #[test]
    fn good_examples_are_clean() {
        for (code, good) in examples::GOOD {
            assert_eq!(codes(good), [""; 0], "{code}");
            assert!(Code::from_name(code).is_some(), "{code}");
        }
    }

    #[test]
    fn every_example_is_of_a_code() {
        for (code, file, _) in examples::BAD {
            assert!(Code::from_name(code).is_some() && file.starts_with(code), "{file}");
        }
    }
}
