//! No settings file makes Sequent panic, and none makes a small system large: what it says is asked of two machines.
#![no_main]

use sequent::effort::Effort;
use sequent::{pipeline, settings};
use sequent_kernel::source::Sources;
use sequent_notation::NoFiles;

/// Two machines that send to each other.
const MACHINES: &str = "@startuml A\n[*] --> s\ns --> s : go / b.ping\n@enduml\n\
                        @startuml B\n[*] --> t\nt --> t : ping / a.go\n@enduml\n";

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut sources = Sources::new();
    let file = sources.add("sequent.toml", String::from_utf8_lossy(data).as_ref());
    let machines = sources.add("a.puml", MACHINES);
    let (settings, _) = settings::read(file, sources.get(file));
    let reading = pipeline::read(&[machines], &mut sources, &mut NoFiles, &settings);
    let effort = Effort { looks: 1_000_000, ..Effort::default() };
    pipeline::check(&reading, &settings, &effort);
});
