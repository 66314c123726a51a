//! The scripts of `integrations/`, which code hosts run: against this program, with stand-ins for the programs of the hosts.
//!
//! A stand-in writes down how it is called and answers as the host would. What needs bash and is asked where there is none, says so.
#![cfg(unix)]

mod runner;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use runner::{folder, run};
use sequent_testing::cases;

/// A check that fails, with a run.
const FAILS: &str =
    "@startuml\n' @ltl G (sent(x) -> F received(y))\na -> b : x\nopt\nb -> a : y\nend\n@enduml\n";

/// A folder with programs in front of the others.
struct Host {
    place: PathBuf,
}

impl Host {
    fn new(name: &str) -> Host {
        let place = folder(name);
        std::fs::create_dir(place.join("bin")).expect("a new folder");
        let host = Host { place };
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sequent"), host.place.join("bin/sequent"))
            .expect("a link to the program");
        host
    }

    fn path(&self, name: &str) -> String {
        self.place.join(name).to_string_lossy().into_owned()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.place.join(name)).unwrap_or_default()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.place.join(name), text).expect("a writable folder");
    }

    /// A stand-in: keeps its arguments in `NAME.log`, then does what `script` says.
    fn stand_in(&self, name: &str, script: &str) {
        let file = format!("bin/{name}");
        let log = self.path(&format!("{name}.log"));
        self.write(&file, &format!("#!/usr/bin/env bash\nprintf '%s\\n' \"$*\" >>'{log}'\n{script}\n"));
        std::fs::set_permissions(self.place.join(file), std::fs::Permissions::from_mode(0o755))
            .expect("a program of our own");
    }

    /// Runs a script; its exit code, and what it prints.
    fn run(&self, script: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
        let path = format!("{}:{}", self.path("bin"), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("bash")
            .arg(cases::root().join("integrations").join(script))
            .current_dir(&self.place)
            .env("PATH", path)
            .env_remove("GITHUB_OUTPUT")
            .env_remove("GITHUB_STEP_SUMMARY")
            .envs(variables.iter().copied())
            .output()
            .expect("bash starts");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    }
}

fn has(program: &str) -> bool {
    let is_there = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let is_there = is_there.is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("{program} is not installed: what needs it is not tested");
    }
    is_there
}

#[test]
fn one_check_writes_every_report() {
    let host = Host::new("integrations-check");
    host.write("fails.puml", FAILS);
    let [output, summary] = ["output", "summary"].map(|name| host.path(name));
    let variables = [
        ("SEQUENT_PATHS", "fails.puml"),
        ("SEQUENT_ARGS", "--time 60"),
        ("SEQUENT_REPORTS", "reports"),
        ("GITHUB_OUTPUT", &output),
        ("GITHUB_STEP_SUMMARY", &summary),
    ];
    let (code, log) = host.run("check.sh", &variables);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("::error file=fails.puml,line=2"), "{log}");
    assert_eq!(host.read("output"), "code=1\nsarif=reports/sequent.sarif\nreport=reports/report.md\n");
    assert_eq!(host.read("reports/code"), "1\n");
    let comment = host.read("reports/report.md");
    assert_eq!(comment, host.read("summary"));
    assert!(comment.starts_with("### Sequent: 1 check failed\n"), "{comment}");
    assert!(comment.contains("```mermaid\nsequenceDiagram\n"), "{comment}");
    for (report, part) in
        [("sequent.sarif", "\"2.1.0\""), ("junit.xml", "<testsuites"), ("report.html", "<html")]
    {
        assert!(host.read(&format!("reports/{report}")).contains(part), "{report}");
    }
    let (code, _) = host.run("check.sh", &[("SEQUENT_PATHS", "none.puml"), ("SEQUENT_REPORTS", "other")]);
    assert_eq!((code, host.read("other/code").as_str()), (Some(0), "2\n"));
}

#[test]
fn a_comment_is_written_once_and_then_rewritten() {
    let host = Host::new("integrations-comment");
    host.write("report.md", "### Sequent: 1 error\n");
    // Answers with the number of the comment if there is one.
    host.stand_in("gh", "case \"$*\" in *--jq*) cat known 2>/dev/null || true ;; esac");
    let call = |code: &str| {
        let variables = [
            ("SEQUENT_REPORT", "report.md"),
            ("SEQUENT_CODE", code),
            ("SEQUENT_PULL_REQUEST", "7"),
            ("GITHUB_REPOSITORY", "team/shop"),
        ];
        let (status, log) = host.run("comment.sh", &variables);
        assert_eq!(status, Some(0), "{log}");
        let calls = host.read("gh.log");
        host.write("gh.log", "");
        calls
    };
    assert!(!call("0").contains("--method"), "without problems there is no comment");
    assert!(call("1").contains("--method POST repos/team/shop/issues/7/comments --field body=@"));
    host.write("known", "99\n");
    assert!(call("0").contains("--method PATCH repos/team/shop/issues/comments/99 --field body=@"));
}

#[test]
fn notes_on_gitlab() {
    if !has("jq") {
        return;
    }
    let host = Host::new("integrations-gitlab");
    std::fs::create_dir(host.place.join("reports")).expect("a new folder");
    host.write("reports/report.md", "### Sequent: 1 error\n");
    host.write("reports/code", "1\n");
    host.write("notes", "[]");
    host.stand_in("curl", "cat >token; case \"$*\" in *per_page*) cat notes ;; esac");
    let variables = [
        ("SEQUENT_REPORTS", "reports"),
        ("SEQUENT_TOKEN", "secret"),
        ("CI_API_V4_URL", "api"),
        ("CI_PROJECT_ID", "3"),
        ("CI_MERGE_REQUEST_IID", "7"),
    ];
    let (status, log) = host.run("gitlab-comment.sh", &variables);
    assert_eq!(status, Some(0), "{log}");
    let calls = host.read("curl.log");
    assert!(calls.contains("--request POST --data-urlencode body@"), "{calls}");
    assert!(!calls.contains("secret"), "the token is no argument");
    assert_eq!(host.read("token"), "header = \"PRIVATE-TOKEN: secret\"\n");
    host.write("notes", r#"[{"id": 1, "body": "x"}, {"id": 5, "body": "<!-- sequent check -->\nold"}]"#);
    host.run("gitlab-comment.sh", &variables);
    assert!(host.read("curl.log").contains("--request PUT"), "{}", host.read("curl.log"));
    assert!(host.read("curl.log").contains("/merge_requests/7/notes/5\n"));
}

/// An archive as a release has it, in the folder `releases`.
fn release(host: &Host, target: &str) -> PathBuf {
    let releases = host.place.join("releases");
    let folder = releases.join(format!("sequent-{target}"));
    std::fs::create_dir_all(&folder).expect("a new folder");
    std::fs::write(folder.join("sequent"), "#!/bin/sh\necho installed\n").expect("a writable folder");
    let archive = format!("sequent-{target}.tar.gz");
    let script = format!("tar -czf {archive} sequent-{target} && sha256sum {archive} >{archive}.sha256");
    let status = Command::new("sh").args(["-c", &script]).current_dir(&releases).status();
    assert!(status.is_ok_and(|status| status.success()));
    releases.join(archive)
}

#[test]
fn a_release_is_installed_if_its_checksum_fits() {
    if !["tar", "gzip", "sha256sum", "uname"].into_iter().all(has) {
        return;
    }
    let host = Host::new("integrations-install");
    let archive = release(&host, "x86_64-unknown-linux-musl");
    host.stand_in("uname", "if [ \"$1\" = -s ]; then echo Linux; else echo x86_64; fi");
    // Copies what follows `--output FILE`.
    host.stand_in("curl", "cp \"${@: -1}\" \"${@: -2:1}\"");
    let releases = host.path("releases");
    std::fs::create_dir(host.place.join("releases/download")).expect("a new folder");
    std::os::unix::fs::symlink("..", host.place.join("releases/download/v0.1.0")).expect("a link");
    let home = host.path("home");
    let variables = [
        ("SEQUENT_RELEASES", releases.as_str()),
        ("SEQUENT_VERSION", "0.1.0"),
        ("SEQUENT_HOME", home.as_str()),
    ];
    let (status, log) = host.run("install.sh", &variables);
    assert_eq!((status, log), (Some(0), format!("{home}/sequent-x86_64-unknown-linux-musl\n")));
    assert!(Path::new(&home).join("sequent-x86_64-unknown-linux-musl/sequent").exists());

    std::fs::write(archive, "something else").expect("a writable folder");
    let (status, log) = host.run("install.sh", &variables);
    assert_eq!(status, Some(1));
    assert!(log.contains("is not what its checksum says"), "{log}");

    host.stand_in("uname", "echo Plan9");
    let (status, log) = host.run("install.sh", &variables);
    assert_eq!(status, Some(1));
    assert!(log.contains("there is no release for Plan9 on Plan9"), "{log}");

    let (status, log) = host.run("install.sh", &[("SEQUENT_VERSION", "")]);
    assert_eq!((status, log), (Some(0), format!("{}\n", host.path("bin"))));
}

/// The pattern of the hooks fits every ending that a folder is searched for.
#[test]
fn hooks_see_every_file_that_is_checked() {
    let hooks = std::fs::read_to_string(cases::root().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let (_, rest) = hooks.split_once("\\.(").expect("a pattern");
    let (endings, _) = rest.split_once(')').expect("a pattern");
    let place = folder("integrations-hooks");
    for ending in endings.split('|') {
        std::fs::write(place.join(format!("x.{ending}")), "").expect("a writable folder");
    }
    let (_, out, error) = run(&["check", &place.to_string_lossy()]);
    let count = endings.split('|').count();
    assert!(out.contains(&format!("in {count} files")), "{out}{error}");
}

#[test]
fn reports_need_a_format_and_a_file() {
    for (report, message) in
        [("sarif", "not FORMAT=FILE"), ("sarif=", "no file after"), ("x=y", "invalid variant")]
    {
        let (code, _, error) = run(&["check", "--report", report, "."]);
        assert_eq!(code, 2, "{error}");
        assert!(error.contains(message), "{error}");
    }
}
