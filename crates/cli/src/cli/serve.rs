//! `sequent serve`: its options.

use std::path::PathBuf;

use clap::Args;

/// Look at the diagrams of a folder in a browser, edit them, and ask about them.
///
/// The first line of the output is the address to open. The page is for this machine alone: it listens on 127.0.0.1,
/// and answers nothing without the token in the address. Files are read and written in the folder and nowhere else.
/// It goes on until it is ended (Ctrl-C).
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent serve                    the diagrams of this folder
  sequent serve docs/pay.puml      those of docs/, this one first
  sequent serve docs/ --port 8080  always at the same port")]
pub(crate) struct Serve {
    /// The folder, or a file in it that is shown first.
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    /// The port; 0 is any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
}
