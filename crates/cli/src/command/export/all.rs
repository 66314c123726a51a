//! Each question as a file of its own: the observers of paper 003, or whatever the format has for a question.

use super::{ExportResult, question, written};
use crate::cli::Export;
use crate::command::Session;
use crate::output;

/// Writes all questions into a folder. One of several parts that are no file together is a file for each part; what cannot be written is told.
pub(crate) fn write(session: &Session, options: &Export) -> Result<u8, String> {
    let Some(folder) = &options.output else {
        return Err("--question all writes a file for each question; --output names their folder".to_owned());
    };
    let Some(format) = options.to else { return Err("--to says what to write".to_owned()) };
    let all = question::with_agenda(session, options, |agenda| Ok(question::numbered(agenda)))?;
    std::fs::create_dir_all(folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    let mut count = 0;
    for (title, number, parts) in all {
        let one = |wished: String| {
            let options = Export { question: Some(wished), ..options.clone() };
            written(session, &options)
        };
        let made = match one(number.to_string()) {
            Ok(whole) => vec![(number.to_string(), Ok(whole))],
            Err(_) if parts > 1 => {
                let names = (1..=parts).map(|part| format!("{number}.{part}"));
                names.map(|name| (name.clone(), one(name))).collect()
            }
            Err(reason) => vec![(number.to_string(), Err(reason))],
        };
        for (name, written) in made {
            match written.map(ExportResult::bytes) {
                Ok(Ok(bytes)) => {
                    let path = folder.join(format!("{name}.{}", format.extension()));
                    output::write(&path, &bytes)?;
                    output::print(&format!("{}  {title}\n", path.display()));
                    count += 1;
                }
                // It has said why itself.
                Ok(Err(_)) => {}
                Err(reason) => output::complain(&format!("{name} is left out: {reason}")),
            }
        }
    }
    match count {
        0 => Err("no question can be written in this format".to_owned()),
        _ => Ok(0),
    }
}
