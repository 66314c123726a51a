//! `sequent explain`: what a finding means.

use sequent_kernel::diagnostic::{Code, nearest};

use crate::cli;
use crate::output;

pub fn run(options: &cli::Explain) -> Result<u8, String> {
    match &options.code {
        None => {
            let list: String =
                Code::ALL.iter().map(|code| format!("{}  {}\n", code.name(), code.title())).collect();
            output::print(&list);
        }
        Some(name) => {
            let code = Code::from_name(name).ok_or_else(|| unknown(name))?;
            let severity = code.severity().name();
            output::print(&format!(
                "{} ({severity}): {}\n\n{}\n",
                code.name(),
                code.title(),
                fill(code.explanation())
            ));
        }
    }
    Ok(0)
}

fn unknown(name: &str) -> String {
    let near = nearest(name, Code::ALL.iter().map(|code| code.name()));
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("`{name}` is no code{hint} (`sequent explain` lists all)")
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
