//! The page of `sequent serve` in a real browser: Debian's Chromium through its driver; where it is missing the tests say so.

mod runner;
mod server;
mod webdriver;

use std::path::{Path, PathBuf};

use runner::folder;
use sequent_testing::cases;
use serde_json::{Value, json};
use server::Server;
use webdriver::{Browser, patiently};

const PAY: &str = "@startuml\n' @ltl G !sent(refuse)\nparticipant shop\nparticipant bank\nshop -> bank : pay\nalt enough\nbank --> shop : done\nelse\nbank --> shop : refuse\nend\n@enduml\n";

/// Scripts, quotes and characters that turn the direction of text, wherever a diagram can say something.
const HOSTILE: &str = "@startuml\n' @ltl G !sent(x)\ntitle <img src=x onerror=alert(1)> \"quoted\" 'single' \u{202e}turned\n\
participant \"</script><script>document.title='broken'</script>\" as a\nparticipant \"b\u{202e}' onclick='alert(1)\" as b\n\
a -> b : </script><script>document.title='broken'</script>\nb --> a : \"><svg onload=alert(1)>\n\
loop javascript:alert(1)\na -> b : ${x} {{y}} `z`\nend\na -> b : x\n@enduml\n";

fn write(file: &Path, text: &str) {
    std::fs::write(file, text).expect("a writable file");
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("it is there")
}

/// A browser at the page of a folder; none if there is no browser.
fn opened(path: &Path) -> Option<(Server, Browser)> {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the page is not opened");
        return None;
    };
    let server = Server::start(path);
    browser.resize(1500, 1100);
    browser.open(&server.address);
    browser.wait("return document.body.dataset.ready === 'true'");
    Some((server, browser))
}

/// Replaces the text of the editor as typing does.
fn write_text(browser: &mut Browser, text: &str) {
    let text = json!(text);
    browser.run(&format!(
        "const area = document.getElementById('text'); area.value = {text}; area.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ));
}

fn copied(name: &str, from: &str) -> PathBuf {
    let path = folder(name);
    for entry in std::fs::read_dir(cases::root().join(from)).expect("an example").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), path.join(entry.file_name())).expect("a writable folder");
        }
    }
    path
}

#[test]
fn a_text_is_edited_with_its_picture_beside_it() {
    patiently(|| {
        let path = folder("live-edit");
        write(&path.join("pay.puml"), PAY);
        let Some((_server, mut browser)) = opened(&path) else { return };
        assert_eq!(browser.run("return document.querySelectorAll('#drawings .message').length"), json!(3));
        assert_eq!(browser.run("return document.querySelectorAll('#notes li').length"), json!(0));
        // A verdict with a run to step through.
        browser.wait("return document.querySelector('#questions article.bad .run .controls') !== null");
        let step = "return document.querySelector('#questions .run').dataset.step";
        browser.keys("#questions .run", "\u{e011}");
        assert_eq!(browser.run(step), json!("0"));
        browser.keys("#questions .run", "\u{e014}");
        assert_eq!(browser.run(step), json!("1"));
        browser.picture("edit");
        // From a message to its line and back.
        browser.click("#drawings .message[data-key='1'] text");
        let line = "const area = document.getElementById('text'); return area.value.slice(0, area.selectionStart).split('\\n').length";
        assert_eq!(browser.run(line), json!(7));
        assert_eq!(
            browser.run("return document.querySelector('#drawings .pointed').dataset.key"),
            json!("1")
        );
        // A fragment is folded and opened again; participants are chosen.
        browser.click("#drawings .frame[data-key='0'] text");
        browser.wait("return document.querySelectorAll('#drawings .message').length === 1");
        assert_eq!(
            browser.run("return /2 messages/.test(document.getElementById('drawings').textContent)"),
            json!(true)
        );
        browser.click("#drawings .frame[data-key='0'] text");
        browser.wait("return document.querySelectorAll('#drawings .message').length === 3");
        browser.run("const focus = document.getElementById('focus'); focus.selectedIndex = -1; focus.options[1].selected = true; focus.dispatchEvent(new Event('change'))");
        assert_eq!(browser.run("return document.querySelectorAll('#drawings .aside').length"), json!(0));
        // A finding appears as one types; the last good drawing stays, greyed.
        browser.keys("#text", "\u{e010}");
        write_text(&mut browser, &PAY.replace("shop -> bank : pay", "bank ?? what is this"));
        browser.wait("return document.querySelectorAll('#notes .bad').length > 0");
        assert_eq!(
            browser.run("return document.getElementById('drawings').classList.contains('stale')"),
            json!(true)
        );
        assert_eq!(browser.run("return document.querySelectorAll('#drawings .message').length"), json!(3));
        assert_eq!(browser.run("return document.querySelectorAll('.gutter .bad').length > 0"), json!(true));
        browser.picture("broken");
        // Zoom stays when the drawing changes.
        browser.click("#larger");
        let width = "return document.querySelector('#drawings svg').style.width";
        let zoomed = browser.run(width);
        let longer = PAY.replace("@enduml", "bank -> shop : bye\n@enduml");
        write_text(&mut browser, &longer);
        browser.wait("return document.querySelectorAll('#drawings .message').length === 4");
        assert_eq!(browser.run(width), zoomed);
        assert_eq!(browser.run("return document.querySelectorAll('#notes .bad').length"), json!(0));
        assert_eq!(read(&path.join("pay.puml")), PAY, "nothing is saved yet");
        browser.click("#save");
        browser.wait("return document.getElementById('standing').textContent === 'saved'");
        assert_eq!(read(&path.join("pay.puml")), longer);
        // What changes on the disk is shown.
        write(&path.join("pay.puml"), PAY);
        browser.wait("return document.querySelectorAll('#drawings .message').length === 3");
        write(&path.join("other.puml"), PAY);
        browser.wait("return document.querySelectorAll('#files .file').length === 2");
        let colour = "return getComputedStyle(document.body).backgroundColor";
        let light = browser.run(colour);
        browser.click("#theme");
        assert_ne!(browser.run(colour), light);
        // What is marked stands out in the dark too.
        browser.run("document.querySelector('#drawings .message').classList.add('pointed')");
        let marked = "const probe = document.createElement('i'); probe.style.color = 'var(--focus)'; document.body.append(probe); \
            return getComputedStyle(probe).color === getComputedStyle(document.querySelector('#drawings .pointed path')).stroke";
        assert_eq!(browser.run(marked), json!(true));
        browser.picture("dark");
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

/// A message of an included file leads there; the cursor shows what is far down.
#[test]
fn drawings_and_texts_lead_to_each_other() {
    patiently(|| {
        let path = folder("live-lead");
        write(&path.join("common.iuml"), "a -> b : shared\n");
        let long: String = (0..60).map(|number| format!("a -> b : m{number}\n")).collect();
        write(&path.join("main.puml"), &format!("@startuml\n!include common.iuml\n{long}@enduml\n"));
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.click("#files [data-file='main.puml']");
        browser.wait("return document.querySelectorAll('#drawings .message').length === 61");
        let scrolled = "return document.querySelector('#drawings .drawing').scrollTop";
        assert_eq!(browser.run(scrolled), json!(0));
        browser.run("const area = document.getElementById('text'); area.focus(); area.selectionStart = area.selectionEnd = area.value.length - 12; area.dispatchEvent(new Event('keyup'))");
        browser.wait("return document.querySelector('#drawings .drawing').scrollTop > 100");
        browser.run("document.querySelector(\"#drawings .message[data-key='0'] text\").dispatchEvent(new MouseEvent('click', { bubbles: true }))");
        browser.wait("return document.getElementById('name').textContent === 'common.iuml'");
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

/// Where nothing shows a run, some are there to look at, and what they pass is coloured until the text changes.
#[test]
fn examples_are_coloured_on_the_drawing() {
    patiently(|| {
        let path = folder("live-examples");
        let text = "@startuml Pay\nshop -> bank : ask\nalt enough\nbank --> shop : done\nelse\nbank --> shop : refuse\nend\n@enduml\n";
        write(&path.join("pay.puml"), text);
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.click("#tab-examples");
        browser.wait("return document.querySelectorAll('#examples .run .controls').length === 2");
        let passed = "return document.querySelectorAll('#drawings .message.passed').length";
        assert_eq!(browser.run(passed), json!(0));
        browser.click("#coverage");
        assert_eq!(browser.run(passed), json!(3));
        browser.picture("coverage");
        write_text(&mut browser, &text.replace("@enduml", "bank -> shop : bye\n@enduml"));
        browser.wait("return document.querySelectorAll('#drawings .message.passed').length === 4");
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

#[test]
fn questions_are_asked_and_cancelled() {
    patiently(|| {
        let path = folder("live-ask");
        let mut text = "@startuml\npar\n".to_owned();
        for branch in 0..9 {
            text += if branch == 0 { "" } else { "else\n" };
            (0..7).for_each(|number| text += &format!("a{branch} -> b{branch} : m{number}\n"));
        }
        text += "end\n@enduml\n";
        write(&path.join("par.puml"), &text);
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.click("#tab-ask");
        browser.keys("#question", "F sent(m");
        browser.wait("return document.querySelectorAll('#proposals li').length > 3");
        browser.keys("#question", "\u{e015}\u{e004}");
        let question = "return document.getElementById('question').value";
        assert_eq!(browser.run(question), json!("F sent(m1"), "the second proposal is taken");
        browser.run("document.getElementById('question').value = 'G (sent(m1) -> F received(m6))'");
        browser.click("#ask-now");
        browser.wait("return /states/.test(document.getElementById('progress').textContent)");
        browser.picture("progress");
        browser.click("#cancel");
        browser.wait("return document.getElementById('progress').textContent === 'cancelled'");
        browser.run("document.getElementById('question').value = 'F (('");
        browser.click("#ask-now");
        browser.wait("return document.querySelector('#answer article.bad') !== null");
        browser.run("document.getElementById('question').value = 'G !sent(m0)'");
        browser.click("#ask-now");
        browser.wait("return document.querySelector('#answer article.bad .run .controls') !== null");
        browser.picture("asked");
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

#[test]
fn a_run_is_made_step_by_step_and_kept() {
    patiently(|| {
        let path = copied("live-simulate", "examples/projects/lamp-broken");
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.click("#tab-simulate");
        browser.wait("return document.querySelectorAll('#simulate option').length > 0");
        browser.click("#begin");
        browser.wait("return document.querySelectorAll('#simulate .options button').length > 0");
        let last = "const run = document.querySelector('#simulate .run'); return run ? Number(run.dataset.step) : -1";
        browser.click("#simulate .options button");
        browser.wait("return !document.getElementById('undo').disabled && document.querySelectorAll('#simulate .options button').length > 0");
        let first = browser.run(last);
        browser.click("#simulate .options button");
        browser.wait(&format!("{}; return steps > {first}", last.replace("return run", "const steps = run")));
        browser.picture("simulate");
        browser.click("#simulate .keep-possible");
        browser.wait("return /saved as/.test(document.querySelector('#simulate .keep .status').textContent)");
        let kept: Vec<PathBuf> =
            std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()).collect();
        let kept = kept
            .iter()
            .find(|file| file.to_string_lossy().ends_with("-run.puml"))
            .expect("the run is a file");
        let file = kept.to_string_lossy().into_owned();
        let (code, out, error) = runner::run(&["check", &file]);
        assert_eq!(code, 0, "{out}{error}{}", read(kept));
        assert!(out.contains("holds: ") && out.contains("-run: possible"), "{out}{}", read(kept));
        browser.click("#undo");
        browser
            .wait(&format!("{}; return steps === {first}", last.replace("return run", "const steps = run")));
        // What may happen next is marked on the drawing.
        assert_eq!(
            browser.run("return document.querySelectorAll('#drawings .enabled').length > 0"),
            json!(true)
        );
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

#[test]
fn a_merge_is_chosen_and_saved() {
    patiently(|| {
        let path = copied("live-merge", "examples/merge/positions");
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.click("#tab-merge");
        browser.wait("return document.getElementById('merge-ours').value.includes('ours')");
        browser.click("#merge-now");
        browser.wait("return document.getElementById('merge-number') !== null");
        browser.picture("merge");
        let text = "return document.querySelector('#merge .result pre').textContent";
        let first = browser.run(text);
        browser.click("#merge-after");
        browser.run("document.getElementById('merge-name').value = 'chosen.puml'");
        let second = browser.run(text);
        assert_ne!(first, second, "there is a choice");
        browser.click("#merge-save");
        browser.wait("return /saved as/.test(document.querySelector('#merge .status').textContent)");
        assert_eq!(json!(read(&path.join("chosen.puml"))), second);
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

#[test]
fn hostile_texts_do_nothing() {
    patiently(|| {
        let path = folder("live-hostile");
        write(&path.join("hostile.puml"), HOSTILE);
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.wait("return document.querySelector('#questions article') !== null");
        for tab in ["#tab-findings", "#tab-simulate"] {
            browser.click(tab);
        }
        browser.click("#begin");
        browser.wait("return document.querySelectorAll('#simulate .options button').length > 0");
        assert_eq!(browser.run("return document.querySelectorAll('img, iframe, svg script, main script, [onclick], [onload], [onerror]').length"), json!(0));
        assert_eq!(browser.run("return document.title"), json!("hostile.puml"));
        let shown = browser.run("return document.getElementById('drawings').textContent");
        assert!(
            shown.as_str().is_some_and(|text| !text.contains('\u{202e}') && text.contains("<script>")),
            "{shown}"
        );
        browser.picture("hostile");
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

#[test]
fn runs_are_remembered_and_changes_reviewed() {
    patiently(|| {
        let path = folder("live-review");
        let text = PAY.replace("G !sent(refuse)", "F sent(done)");
        write(&path.join("pay.puml"), &text);
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.wait("return document.querySelector('#questions .run .remember') !== null");
        browser.click("#questions .run .remember");
        browser.click("#tab-compare");
        let fate =
            "const one = document.querySelector('#compare .fate'); return one ? one.textContent : null";
        assert_eq!(browser.wait(fate), json!("still fails"));
        // A text that cannot be read mends nothing.
        write_text(&mut browser, &text.replace("shop -> bank : pay", "bank ?? what is this"));
        browser.wait("return document.querySelector('#compare .fate').textContent === 'undecided: the text cannot be read'");
        assert_eq!(
            browser.run("return document.querySelector('#questions .keep button:not(.remember)')"),
            Value::Null,
            "no question asks for the run of a diagram"
        );
        // The run becomes longer: it differs from there on.
        write_text(
            &mut browser,
            &text.replace("shop -> bank : pay", "shop -> bank : pay\nbank -> shop : wait"),
        );
        browser.wait("return document.querySelector('#compare .fate').textContent === 'still fails, differs at step 3'");
        browser.run("document.getElementById('compare-right').value = '1'; document.getElementById('compare-right').dispatchEvent(new Event('change'))");
        browser.wait("return document.querySelectorAll('#compare .compared .run .controls').length === 2");
        assert_eq!(
            browser.run("return document.getElementById('compare-status').textContent"),
            json!("the runs differ at step 3")
        );
        browser.run("document.querySelector('#compare .compared .run [aria-label=\"First step\"]').click()");
        assert_eq!(
            browser.run("return [...document.querySelectorAll('#compare .compared .run')].map((one) => one.dataset.step).join()"),
            json!("0,0"),
            "both go together"
        );
        browser.picture("compare");
        // What the change does to verdicts, drawn.
        browser.click("#tab-review");
        write_text(
            &mut browser,
            &text.replace("bank --> shop : refuse", "bank --> shop : refuse\nbank --> shop : done"),
        );
        browser.click("#review-now");
        browser.wait(
            "return /1 verdicts gained, 0 lost/.test(document.getElementById('review-status').textContent)",
        );
        assert_eq!(
            browser.run("return document.querySelectorAll('#review .verdicts .gained').length"),
            json!(1)
        );
        assert_eq!(browser.run("return document.querySelectorAll('#review .drawing svg').length"), json!(1));
        browser.picture("review");
        browser.wait("return document.querySelector('#compare .fate').textContent === 'fixed'");
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}

#[test]
fn a_picture_is_dropped_on_the_page() {
    patiently(|| {
        let path = folder("live-drop");
        write(&path.join("pay.puml"), PAY);
        let svg = path.join("shown.svg");
        let (code, _, error) =
            runner::run(&["render", &path.join("pay.puml").to_string_lossy(), "-o", &svg.to_string_lossy()]);
        assert_eq!(code, 0, "{error}");
        let picture = json!(read(&svg).replace("pay.puml", "dropped.puml"));
        std::fs::remove_file(&svg).expect("it was there");
        let Some((_server, mut browser)) = opened(&path) else { return };
        browser.run(&format!(
            "const data = new DataTransfer(); data.items.add(new File([{picture}], 'shown.svg', {{ type: 'image/svg+xml' }})); \
             dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}))"
        ));
        browser.wait("return document.getElementById('name').textContent === 'dropped.puml'");
        assert_eq!(browser.run("return document.getElementById('text').value"), json!(PAY));
        browser.click("#save");
        browser.wait("return document.getElementById('standing').textContent === 'saved'");
        assert_eq!(read(&path.join("dropped.puml")), PAY);
        assert_eq!(browser.errors(), Vec::<Value>::new());
    });
}
