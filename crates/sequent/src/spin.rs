//! SPIN as an outside tool: found on the PATH, run in a folder of its own within the time that is left.
//!
//! `spin -a` writes the verifier as C, a C compiler builds it, and it searches: breadth first where a state is looked for, so
//! that runs are shortest; depth first for cycles. SPIN follows the trail and prints the numbers of the steps. All of them
//! exit with 0 whatever they found, so what they print is what counts.

use std::cell::Cell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sequent::outside::{Report, Tool};
use sequent_report::export::promela::{Promela, pan};

/// Where programs were found.
pub struct Spin {
    spin: PathBuf,
    /// The C compiler.
    pub compiler: PathBuf,
    /// When everything should be over.
    until: Option<Instant>,
    /// How many bytes states may take.
    bytes: usize,
    /// Where models are kept, and how many are.
    pub kept: Option<(PathBuf, Cell<usize>)>,
}

/// Runs are followed so far; and so far if that was not enough.
const DEPTHS: [&str; 2] = ["-m100000", "-m20000000"];

impl Spin {
    /// SPIN, if it is installed together with a C compiler.
    pub fn find(until: Option<Instant>, bytes: usize) -> Result<Self, String> {
        let spin = find("spin").ok_or(
            "`spin` is not on the PATH: install it (Debian: `apt install spin`), or use another --engine",
        )?;
        let compiler =
            compiler().ok_or("SPIN needs a C compiler, and none is on the PATH (cc, gcc, clang, tcc)")?;
        Ok(Spin { spin, compiler, until, bytes, kept: None })
    }

    /// Writes a model where it is kept.
    fn keep(&self, model: &Promela) -> Result<(), String> {
        let Some((folder, count)) = &self.kept else { return Ok(()) };
        count.set(count.get() + 1);
        let file = folder.join(format!("question-{}.pml", count.get()));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, &model.text));
        written.map_err(|error| format!("`{}`: {error}", file.display()))
    }

    fn run(&self, folder: &Path, program: &Path, arguments: &[&str]) -> Result<String, String> {
        run(folder, program, arguments, self.until)
    }

    fn build(&self, folder: &Path, model: &Promela) -> Result<(), String> {
        // Without `-o2` SPIN forgets variables that nobody reads, and stores fewer states than there are.
        let said = self.run(folder, &self.spin, &["-a", "-o2", "model.pml"])?;
        if !folder.join("pan.c").is_file() {
            return Err(format!("spin does not take the model: {}", said.lines().next().unwrap_or_default()));
        }
        let vector = format!("-DVECTORSZ={}", (model.bytes * 2).max(1024));
        let memory = format!("-DMEMLIM={}", (self.bytes >> 20).max(64));
        let mut arguments = vec!["-O2", "-w", "-DNOREDUCE", &vector, &memory];
        if !model.seeks_cycles {
            arguments.extend(["-DSAFETY", "-DBFS"]);
        }
        arguments.extend(["-o", "pan", "pan.c"]);
        let said = self.run(folder, &self.compiler, &arguments)?;
        match folder.join("pan").is_file() {
            true => Ok(()),
            false => {
                Err(format!("the verifier does not compile: {}", said.lines().next().unwrap_or_default()))
            }
        }
    }
}

impl Tool for Spin {
    fn name(&self) -> &'static str {
        "spin"
    }

    fn look(&self, model: &Promela) -> Result<Report, String> {
        self.keep(model)?;
        let folder = Folder::new()?;
        let place = &folder.0;
        std::fs::write(place.join("model.pml"), &model.text).map_err(|error| error.to_string())?;
        self.build(place, model)?;
        let mut search = String::new();
        for depth in DEPTHS {
            let cycles: &[&str] = if model.seeks_cycles { &["-a"] } else { &[] };
            search = self.run(place, &place.join("pan"), &[&[depth, "-w20"], cycles].concat())?;
            if !pan(&search).is_too_deep || pan(&search).errors != Some(0) {
                break;
            }
        }
        let has_found = place.join("model.pml.trail").is_file();
        let trail = has_found.then(|| self.run(place, &self.spin, &["-t", "-T", "model.pml"])).transpose()?;
        Ok(Report { search, trail })
    }
}

/// A folder that goes away again.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        let base = std::env::temp_dir();
        for number in 0..10_000 {
            let place = base.join(format!("sequent-{}-{number}", std::process::id()));
            match std::fs::create_dir(&place) {
                Ok(()) => return Ok(Folder(place)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("`{}`: {error}", place.display())),
            }
        }
        Err(format!("`{}` is full of folders of ours", base.display()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it any more; who cannot remove it leaves it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program on the PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    let files = std::env::split_paths(&path)
        .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{name}{ending}"))));
    files.into_iter().find(|file| file.is_file())
}

/// A C compiler: what `CC` says, or the first that is there.
pub fn compiler() -> Option<PathBuf> {
    let wished = std::env::var("CC").ok().filter(|wished| !wished.is_empty());
    wished.as_deref().into_iter().chain(["cc", "gcc", "clang", "tcc"]).find_map(find)
}

/// What a program prints, both ways; it is ended when the time is over.
pub fn run(
    folder: &Path,
    program: &Path,
    arguments: &[&str],
    until: Option<Instant>,
) -> Result<String, String> {
    let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let problem = |error: std::io::Error| format!("`{name}`: {error}");
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(problem)?;
    // Both are read as they are written, or whoever writes much would wait forever.
    let (out, error) = (child.stdout.take(), child.stderr.take());
    let readers = [out.map(heard), error.map(heard)];
    let mut pause = Duration::from_millis(1);
    while child.try_wait().map_err(problem)?.is_none() {
        if until.is_some_and(|until| Instant::now() > until) {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("time is over while `{name}` works"));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    let said = readers.into_iter().flatten().filter_map(|reader| reader.join().ok());
    Ok(said.collect())
}

/// Reads all that is written, in a thread of its own.
fn heard(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read any more was not said.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
