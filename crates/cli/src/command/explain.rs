//! `sequent explain`: what a finding means, with examples, and how to suppress it.

use sequent_kernel::diagnostic::{Code, nearest};
use sequent_report::explanation;

use crate::cli;
use crate::output;

pub(crate) fn run(options: &cli::Explain) -> Result<u8, String> {
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

fn page(code: Code) -> String {
    explanation::text(code, output::width().min(100))
}

fn list(codes: impl Iterator<Item = Code>) -> String {
    codes.map(|code| format!("{}  {}\n", code.name(), code.title())).collect()
}

/// The codes that begin with a word, or whose explanation has one that begins with it; those whose title has one come first. The page of
/// the code if there is only one.
fn found(word: &str) -> Result<String, String> {
    let (start, inside) = (word.to_uppercase(), word.to_lowercase());
    let has = |text: &str| {
        let text = text.to_lowercase();
        let begins_word = |(at, _): (usize, &str)| !text[..at].ends_with(char::is_alphanumeric);
        text.match_indices(&inside).any(begins_word)
    };
    let is_named =
        |code: &Code| code.name().starts_with(&start) || code.number() == word || has(code.title());
    let is_told = |code: &Code| {
        has(code.explanation()) || explanation::advice(*code).is_some_and(|advice| has(&advice.why))
    };
    let (first, others): (Vec<Code>, Vec<Code>) = Code::ALL.iter().copied().partition(is_named);
    let codes: Vec<Code> = first.into_iter().chain(others.into_iter().filter(is_told)).collect();
    match codes.as_slice() {
        [] => Err(unknown(word)),
        [code] => Ok(page(*code)),
        codes => Ok(list(codes.iter().copied())),
    }
}

fn unknown(name: &str) -> String {
    let texts = Code::ALL.iter().flat_map(|code| [code.name(), code.title(), code.explanation()]);
    let is_mark = |letter: char| !letter.is_alphanumeric();
    let words = texts.flat_map(|text| text.split(is_mark)).filter(|word| word.len() > 3);
    let hint = nearest(name, words).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("`{name}` is not a code, and no explanation mentions it{hint} (`sequent explain` lists all)")
}
