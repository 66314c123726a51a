//! The report of `sequent check --format html`: its structure, and what a real browser makes of it.
//!
//! The browser is Debian's Chromium, asked through its driver by the WebDriver protocol; where it is missing the test says
//! so. Nothing but the page's own script runs in it.

mod runner;
mod webdriver;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use runner::{folder, run};
use sequent_testing::cases;
use serde_json::{Value, json};
use webdriver::Browser;

/// Scripts, quotes and characters that turn the direction of text, wherever a diagram can say something.
const HOSTILE: &str = "@startuml\n' @ltl G (<script>alert(1)</script> -> F b)\ntitle <img src=x onerror=alert(1)> \"quoted\" 'single' \u{202e}turned\n\
participant \"</script><script>document.title='broken'</script>\" as a\nparticipant b\n\
a -> b : </script><script>document.title='broken'</script>\nb --> a : \"><svg onload=alert(1)>\n\
loop javascript:alert(1)\na -> b : ${x} {{y}} `z`\nend\n@enduml\n";

fn written(name: &str, arguments: &[&str]) -> PathBuf {
    let file = folder(name).join("report.html");
    let mut all = vec!["check"];
    all.extend(arguments);
    let output = file.to_string_lossy().into_owned();
    all.extend(["--format", "html", "-o", &output]);
    let (code, out, error) = run(&all);
    assert!(code == 0 || code == 1 || code == 3, "{code} {out} {error}");
    assert!(out.is_empty(), "the report is in the file: {out}");
    file
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a readable report")
}

fn project(name: &str) -> String {
    cases::root().join("examples/projects").join(name).to_string_lossy().into_owned()
}

#[test]
fn the_page_holds_everything_and_loads_nothing() {
    let page = read(&written("report-lamp", &[&project("lamp-broken")]));
    for part in [
        "<section id=\"questions\">",
        "<section id=\"findings\">",
        "<section id=\"diagrams\">",
        "dark in the end",
        "class=\"run\"",
        "<template id=\"machine-0-0\">",
        "The run as a list",
        "default-src 'none'",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    for forbidden in ["src=\"http", "href=\"http", "fetch(", "Worker(", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden} is in the page");
    }
}

#[test]
fn the_report_of_all_projects_is_small() {
    let projects = cases::root().join("examples/projects").to_string_lossy().into_owned();
    let file = written("report-projects", &[&projects]);
    let size = std::fs::metadata(file).expect("it is there").len();
    assert!(size < 5_000_000, "{size} bytes");
}

/// All projects, more than a hundred runs, are there within a second of opening the page.
#[test]
fn the_report_of_all_projects_opens_at_once() {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    let projects = cases::root().join("examples/projects").to_string_lossy().into_owned();
    let file = written("report-projects-open", &[&projects]);
    let timing = "return performance.getEntriesByType('navigation')[0].loadEventEnd";
    let opened = |_| {
        browser.open(&format!("file://{}", file.display()));
        browser.run(timing).as_f64().expect("milliseconds")
    };
    let best = (0..5).map(opened).fold(f64::MAX, f64::min);
    println!("the report of examples/projects opens in {best:.0} ms");
    assert!(best < 1_000.0, "{best} ms");
}

#[test]
fn what_diagrams_say_is_never_markup() {
    let source = folder("report-hostile-source").join("hostile.puml");
    std::fs::write(&source, HOSTILE).expect("a writable file");
    let page = read(&written("report-hostile", &[&source.to_string_lossy()]));
    assert_eq!(page.matches("<script").count(), 2, "the data and the page's own script");
    assert!(!page.contains("<img") && !page.contains("<svg onload"));
    assert!(!page.contains('\u{202e}'));
}

#[test]
fn runs_are_stepped_through_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    let file = written("report-browser", &[&project("lamp-broken")]);
    let address = format!("file://{}", file.display());
    browser.open(&address);
    let ask = |browser: &mut Browser, script: &str| browser.run(script);
    assert_eq!(
        ask(&mut browser, "return document.querySelectorAll('.run .controls').length > 0"),
        json!(true)
    );
    let step = "return document.querySelector('.run').dataset.step";
    let last = ask(&mut browser, step).as_str().and_then(|text| text.parse::<usize>().ok()).expect("a step");
    assert!(last > 3, "the run has {last} steps");
    browser.keys(".run", "\u{e011}");
    assert_eq!(ask(&mut browser, step), json!("0"));
    assert_eq!(
        ask(
            &mut browser,
            "return document.querySelectorAll('.run')[0].querySelectorAll('.message:not(.later)').length"
        ),
        json!(0)
    );
    browser.keys(".run", "\u{e014}");
    browser.keys(".run", "\u{e014}");
    assert_eq!(ask(&mut browser, step), json!("2"));
    assert_eq!(ask(&mut browser, "return location.hash"), json!("#run-0-step-2"));
    let visible = ask(
        &mut browser,
        "return document.querySelectorAll('.run')[0].querySelectorAll('.message:not(.later)').length",
    );
    assert!(visible.as_u64().is_some_and(|count| count > 0), "{visible}");
    let active = ask(
        &mut browser,
        "return document.querySelectorAll('.run')[0].querySelectorAll('.state.active').length",
    );
    assert!(active.as_u64().is_some_and(|count| count > 0), "machines show where they are: {active}");
    browser.keys(".run", "\u{e012}");
    assert_eq!(ask(&mut browser, step), json!("1"));
    let colour = "return getComputedStyle(document.body).backgroundColor";
    let before = ask(&mut browser, colour);
    ask(&mut browser, "document.getElementById('theme').click()");
    assert_ne!(ask(&mut browser, colour), before);
    let drawn = "return getComputedStyle(document.querySelector('.sequence svg rect')).fill";
    assert_eq!(ask(&mut browser, drawn), ask(&mut browser, colour), "drawings are dark, too");
    browser.open(&format!("{address}?again#run-0-step-3"));
    assert_eq!(ask(&mut browser, step), json!("3"), "an address leads to its step");
    assert_eq!(browser.errors(), Vec::<Value>::new());
}

/// A formula and its parts are rows, what may happen next stands beside the run, messages lead to lines and back.
#[test]
fn runs_tell_what_is_true_and_what_is_possible() {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    let source = folder("report-claims-source").join("pay.puml");
    let filler: String = (0..40).map(|number| format!("shop -> bank : step{number}\n")).collect();
    let text = format!(
        "@startuml\n' @ltl G !sent(refuse)\n{filler}alt enough\nbank --> shop : done\nelse\nbank --> shop : refuse\nend\n@enduml\n"
    );
    std::fs::write(&source, text).expect("a writable file");
    let file = written("report-claims", &[&source.to_string_lossy()]);
    browser.resize(1400, 900);
    browser.open(&format!("file://{}", file.display()));
    let names = "return [...document.querySelectorAll('.claims th')].map((one) => one.textContent)";
    assert_eq!(browser.run(names), json!(["G !sent(refuse)", "!sent(refuse)", "sent(refuse)"]));
    let deciding =
        browser.run("return [...document.querySelectorAll('.claims td.deciding')].map((one) => one.title)");
    assert!(deciding[0].as_str().is_some_and(|title| title.contains("true, which decides")), "{deciding}");
    browser.click(".claims td.deciding");
    let step = "return Number(document.querySelector('.run').dataset.step)";
    let decided = browser.run(step);
    assert!(decided.as_u64().is_some_and(|step| step > 40), "{decided}");
    // The step before: what the run takes is marked; what else it could have done stands in the list.
    browser.keys(".run", "\u{e012}");
    let offered = "return [...document.querySelectorAll('.enabled-steps li')].map((one) => one.className + one.textContent)";
    let offered = browser.run(offered).to_string();
    assert!(offered.contains("next!bank->shop:refuse"), "{offered}");
    let list = browser.run("return document.querySelector('.run details.list').textContent").to_string();
    assert!(list.contains("also possible next") && list.contains("alt [enough] is run"), "{list}");
    assert_eq!(browser.run("return document.querySelector('.run').dataset.step > 0"), json!(true));
    // A message leads to its step and line, a line back to its step.
    browser.click(".sequence .message[data-key='5']");
    assert_eq!(
        browser.run("return document.querySelector('.source .here').textContent"),
        json!("shop -> bank : step5")
    );
    let fifth = browser.run(step);
    browser.run("document.querySelectorAll('.source span')[10].click()");
    assert_eq!(browser.run("return document.querySelector('.now').textContent"), json!("!shop->bank:step8"));
    assert_ne!(browser.run(step), fifth);
    // Names stay visible.
    assert_eq!(browser.run("return document.querySelectorAll('.sequence .heads.seen').length"), json!(0));
    browser.run("document.querySelector('.sequence').scrollTop = 600");
    browser.wait("return document.querySelectorAll('.sequence .heads.seen .head').length === 2");
    browser.picture("claims");
    assert_eq!(browser.errors(), Vec::<Value>::new());
}

/// A watch is a row with its value at every step, as the debug adapter has it (`dap/watch.rs`).
#[test]
fn expressions_are_watched() {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    let file = written("report-watch", &[&project("answered-calls")]);
    browser.open(&format!("file://{}", file.display()));
    browser.wait("return document.querySelector('.watch input') !== null");
    let mut watch = |expression: &str| {
        browser.run("document.querySelector('.watch input').value = ''");
        browser.keys(".watch input", &format!("{expression}\u{e007}"));
        let problem = "return document.querySelector('.watch .problem').textContent";
        match browser.run(problem).as_str() {
            Some("") => {
                let cells = "return [...[...document.querySelectorAll('.run')][0].querySelectorAll('.claims tr:last-child td')].map((one) => one.textContent).join(' ')";
                browser.run(cells).as_str().unwrap_or_default().to_owned()
            }
            problem => format!("error: {}", problem.unwrap_or_default()),
        }
    };
    for (expression, expected) in [
        ("Desk.taken", "0 0 1 1 1 1 2 2 2 2 2 2"),
        ("taken + 2 * 3 - 1 >= 6 && in(Caller, Waiting)", "⊥ ⊥ ⊤ ⊤ ⊥ ⊤ ⊤ ⊤ ⊥ ⊤ ⊤ ⊤"),
        ("not taken = 2 implies Caller.queue > 0 or false", "⊥ ⊥ ⊥ ⊤ ⊥ ⊥ ⊤ ⊤ ⊤ ⊤ ⊤ ⊤"),
        ("Caller", "Idle Waiting Waiting Waiting Idle Waiting Waiting Waiting Idle Waiting Waiting Waiting"),
        ("nobody.tries", "error: no object is called `nobody`"),
        ("state", "error: no object and no attribute is called `state`"),
        ("Desk.taken / 0", "error: the number is too large"),
        (
            "not Desk.taken",
            "error: `0` is neither true nor false; `1` is neither true nor false; `2` is neither true nor false",
        ),
        ("a b", "error: `b` is no expression"),
        ("x >", "error: something is missing after `x >`"),
        ("'</td><script>alert(1)</script>' == 1", "⊥ ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ ⊥"),
    ] {
        assert_eq!(watch(expression), expected, "{expression}");
    }
    browser.picture("watch");
    let rows = "return document.querySelector('.run').querySelectorAll('.claims tr').length";
    assert_eq!(browser.run(rows), json!(5));
    browser.click(".claims .remove");
    assert_eq!(browser.run(rows), json!(4));
    assert_eq!(browser.errors(), Vec::<Value>::new());
}

/// Where nothing shows a run there are some to look at, and what they pass is coloured.
#[test]
fn examples_are_shown_where_all_holds() {
    let source = folder("report-examples-source");
    let diagram = "@startuml Pay\nshop -> bank : ask\nalt enough\nbank --> shop : done\nelse\nbank --> shop : refuse\nend\n@enduml\n";
    std::fs::write(source.join("pay.puml"), diagram).expect("a writable file");
    let machine = "@startuml Lamp\n' @attribute n : 0..2 = 0\n[*] --> Off\nOff --> On : press\nOn --> Off : press / n = 1\nOn --> Broken : fall [n > 1]\n@enduml\n";
    std::fs::write(source.join("lamp.puml"), machine).expect("a writable file");
    let file = written("report-examples", &[&source.to_string_lossy()]);
    let page = read(&file);
    assert!(page.contains("diagram Pay: 2 runs pass 3 of 3 messages and transitions"), "{page}");
    assert!(page.contains("data-coverage=\"ppp\""), "{page}");
    let (_, lamp) = page.split_once("Lamp: 1 run passes 2 of 3 messages and transitions").expect("the lamp");
    assert!(lamp.contains("No run ever comes to") && page.contains("data-coverage=\"-ppn\""), "{lamp}");
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    browser.open(&format!("file://{}", file.display()));
    let count = |browser: &mut Browser, of: &str| {
        browser.run(&format!("return document.querySelectorAll('figure .{of}').length"))
    };
    assert_eq!(count(&mut browser, "message.passed"), json!(3));
    assert_eq!(count(&mut browser, "transition.passed"), json!(2));
    assert_eq!(count(&mut browser, "transition.never"), json!(1));
    browser.picture("examples");
    assert_eq!(browser.errors(), Vec::<Value>::new());
}

/// Of many answers, findings and drawings those are shown that say what is looked for; numbers lead to what they count.
#[test]
fn a_long_report_is_looked_through() {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    let file =
        written("report-find", &[&project("coffee"), &project("lamp-broken"), &project("deaf-switch")]);
    browser.open(&format!("file://{}", file.display()));
    let shown = "return [...document.querySelectorAll('main article, main figure')].filter((one) => one.offsetParent).length";
    let all = browser.run(shown).as_u64().expect("a number");
    browser.keys(".find input", "REPAIR maintenance");
    let some = browser.run(shown).as_u64().expect("a number");
    assert!(0 < some && some < all, "{some} of {all}");
    let told = browser.run("return document.querySelector('.find [role=status]').textContent");
    assert_eq!(told, json!(format!("{some} of {all}")));
    let hits = "return [...document.querySelectorAll('main article, main figure')].filter((one) => one.offsetParent).every((one) => /repair/i.test(one.textContent))";
    assert_eq!(browser.run(hits), json!(true));
    browser.keys(".find input", "<img src=x onerror=alert(1)>");
    assert_eq!(browser.run(shown), json!(0));
    // A number shows all again, and leads from one to the next.
    let here = "return document.activeElement.querySelector('.tag').textContent";
    browser.run("document.querySelector('.summary [data-of=findings].open button').click()");
    assert_eq!(browser.run(shown), json!(all));
    assert_eq!(browser.run(here), json!("W634"));
    assert_eq!(browser.run("return document.activeElement.getBoundingClientRect().top < 100"), json!(true));
    browser.run("location.hash = '#run-0-step-1'");
    browser.wait("return document.activeElement.dataset.step === '1'");
    browser.picture("find");
    // On paper there is nothing to click, the numbers stay, and all lists of steps are open.
    browser.print();
    let seen = |of: &str| {
        format!(
            "return [...document.querySelectorAll('{of}')].map((one) => one.checkVisibility({{ contentVisibilityAuto: true }}) && one.getBoundingClientRect().height > 0)"
        )
    };
    let states = |browser: &mut Browser, of: &str| {
        let all: BTreeSet<bool> =
            browser.run(&seen(of)).as_array().expect("a list").iter().filter_map(Value::as_bool).collect();
        all.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(states(&mut browser, ".run .list li"), [true]);
    assert_eq!(states(&mut browser, ".summary li"), [true]);
    assert_eq!(states(&mut browser, ".find, .controls, nav"), [false]);
    assert_eq!(browser.errors(), Vec::<Value>::new());
}

/// Names with brackets and commas, as UML models may have them, are names like others.
#[test]
fn states_of_any_name_are_marked() {
    let path = folder("report-names");
    let model = path.join("lamp.uml");
    let (code, _, error) = run(&["render", &project("lamp-broken"), "-o", &model.to_string_lossy()]);
    assert!(code <= 1, "{error}");
    let odd = read(&model).replace("\"WallOn\"", "\"Wall (on, up)\"");
    std::fs::write(&model, odd).expect("a writable file");
    let asked = [&*model.to_string_lossy(), "--ltl", "G !in(Lamp, Light)"];
    let page = read(&written("report-names-page", &asked));
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let data: Value = serde_json::from_str(rest.split("</script>").next().unwrap_or_default()).expect("JSON");
    let rows = data["runs"][0]["rows"].as_array().expect("a run").clone();
    let objects: Vec<Value> =
        rows.iter().flat_map(|row| row["objects"].as_array().cloned().unwrap_or_default()).collect();
    let odd: Vec<&Value> = objects.iter().filter(|one| one["states"] == "Wall (on, up)").collect();
    assert!(!odd.is_empty(), "{objects:?}");
    assert!(odd.iter().all(|one| one["active"].as_array().is_some_and(|all| all.len() == 1)), "{odd:?}");
    assert!(odd.iter().any(|one| one["taken"].as_array().is_some_and(|all| !all.is_empty())), "{odd:?}");
}

#[test]
fn hostile_texts_do_nothing_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        println!("there is no chromedriver on this machine: the report is not opened");
        return;
    };
    let source = folder("report-hostile-browser-source").join("hostile.puml");
    std::fs::write(&source, HOSTILE).expect("a writable file");
    let file = written("report-hostile-browser", &[&source.to_string_lossy()]);
    browser.open(&format!("file://{}", file.display()));
    assert_eq!(browser.run("return document.title"), json!("Sequent report"));
    assert_eq!(
        browser.run("return document.querySelectorAll('img, iframe, script:not(#data)').length"),
        json!(1)
    );
    assert_eq!(browser.errors(), Vec::<Value>::new());
}
