//! `sequent ast`: the model behind the diagrams, as JSON.

use crate::cli::{self, Common};
use crate::output;

pub(crate) fn run(options: &cli::Ast, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    let has_errors = session.complain_of_errors();
    match options.format {
        cli::AstFormat::Json => {
            let value = sequent_report::ast::json(&session.reading.model, &session.sources);
            output::print_json(&value);
        }
    }
    Ok(u8::from(has_errors))
}
