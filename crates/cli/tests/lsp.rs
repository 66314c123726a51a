//! The language server, driven by a script and by Neovim.

mod neovim;
mod rename;
mod runner;
mod wire;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use runner::{folder, run};
use sequent_kernel::random::Random;
use sequent_testing::editor::{Client, changed, offset, place, uri};
use serde_json::{Value, json};

/// The program.
const SEQUENT: &str = env!("CARGO_BIN_EXE_sequent");

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("writable");
    path
}

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().filter_map(|one| one["code"].as_str()).collect()
}

const MACHINE: &str = "@startuml Door\n[*] --> Closed\nClosed --> Open : unlock / ^user.opened\nOpen --> Closed : lock\n@enduml\n";

#[test]
fn findings_have_exact_columns_and_fixes() {
    let folder = folder("lsp-columns");
    let text = "# 🎉\n\n```mermaid\nsequenceDiagram\n  A->>B: 🎉🎉 a; b\n  A->>B: c\n```\n";
    let file = write(&folder, "page.md", "nothing is saved yet\n");
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&file, text);
    let found = client.checked(&file);
    assert_eq!(codes(&found), ["E101"]);
    // `;` stands behind two characters of two units each.
    let range = json!({ "start": { "line": 4, "character": 15 }, "end": { "line": 4, "character": 16 } });
    assert_eq!(found[0]["range"], range);
    let params =
        json!({ "textDocument": { "uri": uri(&file) }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params).expect("a result");
    let titles: Vec<&str> =
        actions.as_array().expect("actions").iter().filter_map(|one| one["title"].as_str()).collect();
    assert_eq!(titles, ["Change `;` to `#59;`", "Suppress E101 on this line", "Expect E101 in this diagram"]);
    for number in 0..3 {
        let edits = &actions[number]["edit"]["changes"][uri(&file)];
        client.change(&file, json!([{ "text": changed(text, edits) }]));
        let left = client.checked(&file);
        assert!(left.is_empty(), "{} {left:?}", changed(text, edits));
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn names_lead_across_files() {
    let folder = folder("lsp-names");
    let door = write(&folder, "door.puml", MACHINE);
    let scenario = "@startuml\nparticipant \"d : Door\" as d\nactor user\n' @ltl F received(unlock)\nuser -> d : unlock\nd -> user : opened\nref over d, user : Later\n@enduml\n";
    let scenario = write(&folder, "a.puml", scenario);
    let later = "# Later\n\n```mermaid\nsequenceDiagram\n  participant user\n  user->>Door: unlock\n  Note over user: unlock is said here\n```\n";
    let later = write(&folder, "b.md", later);
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&scenario, &std::fs::read_to_string(&scenario).expect("readable"));
    client.checked(&scenario);
    // A lifeline leads to its machine, `ref` to its diagram, a message to its trigger.
    let target = |answer: &Value| {
        (answer[0]["uri"].as_str().map(str::to_owned), answer[0]["range"]["start"]["line"].as_u64())
    };
    let machine = client.at("textDocument/definition", &scenario, 4, 8);
    assert_eq!(target(&machine), (Some(uri(&door)), Some(0)));
    let used = client.at("textDocument/definition", &scenario, 6, 22);
    assert_eq!(target(&used).0, Some(uri(&later)));
    let trigger = client.at("textDocument/definition", &scenario, 4, 14);
    assert_eq!(target(&trigger), (Some(uri(&door)), Some(2)));
    let references = client.at("textDocument/references", &door, 2, 20);
    assert_eq!(references.as_array().map(Vec::len), Some(4), "{references}");
    let hover = client.at("textDocument/hover", &scenario, 4, 14);
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(said.contains("from `user` to `d`") && said.contains("`Door` takes it in `Closed`"), "{said}");
    // A message is renamed in all three files, and nowhere else.
    let mut params = place(&scenario, 4, 14);
    params["newName"] = json!("open");
    let edit = client.ask("textDocument/rename", params.clone()).expect("a result");
    let after = |file: &Path| {
        let text = std::fs::read_to_string(file).expect("readable");
        changed(&text, &edit["changes"][uri(file)])
    };
    assert!(after(&door).contains("Closed --> Open : open / ^user.opened"));
    assert!(
        after(&scenario).contains("received(open)")
            && after(&scenario).contains("user -> d : open\nd -> user : opened")
    );
    assert!(
        after(&later).contains("user->>Door: open") && after(&later).contains("user: unlock is said here")
    );
    params["newName"] = json!("two words");
    assert!(client.ask("textDocument/rename", params.clone()).is_err());
    // Two messages do not become one by a change of name.
    params["newName"] = json!("opened");
    let refusal = client.ask("textDocument/rename", params).expect_err("`opened` is there already");
    assert!(refusal.to_string().contains("`opened` exists already"), "{refusal:?}");
    // What a file and the workspace hold.
    let symbols = client
        .ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&door) } }))
        .expect("a result");
    assert_eq!(symbols[0]["name"], "Door");
    assert_eq!(symbols[0]["children"].as_array().map(Vec::len), Some(2));
    let symbols = client.ask("workspace/symbol", json!({ "query": "LATER" })).expect("a result");
    assert_eq!(symbols[0]["location"]["uri"], uri(&later));
    let folds = client
        .ask("textDocument/foldingRange", json!({ "textDocument": { "uri": uri(&door) } }))
        .expect("a result");
    assert_eq!(folds[0], json!({ "startLine": 0, "endLine": 4 }));
    let tokens =
        client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri(&door) } }));
    // `Closed` behind `[*] -->` is declared there.
    let data = tokens.expect("a result")["data"].clone();
    assert_eq!(
        data.as_array().map(|all| all[..5].to_vec()),
        Some([1, 8, 6, 1, 1].map(Value::from).to_vec()),
        "{data}"
    );
    let completion = client.at("textDocument/completion", &scenario, 4, 12);
    assert!(completion.as_array().expect("items").iter().any(|one| one["label"] == "lock"), "{completion}");
    let lenses = client
        .ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&scenario) } }))
        .expect("a result");
    let titles = titles(&lenses);
    assert_eq!(titles[..2], ["check", "step through"]);
    assert!(titles.iter().any(|title| title.starts_with("holds")), "{lenses}");
    assert_eq!(client.end(), Some(0));
}

/// A UML model with a machine, and settings.
const MODEL: &str = r#"<?xml version="1.0"?>
<xmi:XMI xmi:version="2.1" xmlns:xmi="http://schema.omg.org/spec/XMI/2.1" xmlns:uml="http://www.eclipse.org/uml2/3.0.0/UML">
<uml:Model xmi:id="m" name="m">
  <packagedElement xmi:type="uml:Class" xmi:id="c" name="Door" classifierBehavior="s">
    <ownedBehavior xmi:type="uml:StateMachine" xmi:id="s" name="Door">
      <region xmi:id="r">
        <subvertex xmi:type="uml:Pseudostate" xmi:id="i"/>
        <subvertex xmi:type="uml:State" xmi:id="Closed_1" name="Closed"/>
        <subvertex xmi:type="uml:State" xmi:id="Open_1" name="Open"/>
        <transition xmi:id="t0" source="i" target="Closed_1"/>
        <transition xmi:id="t1" name="unlock" source="Closed_1" target="Open_1"/>
      </region>
    </ownedBehavior>
  </packagedElement>
</uml:Model>
</xmi:XMI>
"#;

#[test]
fn models_and_settings_are_explained() {
    let folder = folder("lsp-models");
    let model = write(&folder, "door.uml", MODEL);
    let text = "[system]\ncapacity = 3\nobjects = { d = \"Dor\" }\n";
    let settings = write(&folder, "sequent.toml", text);
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&model, MODEL);
    client.checked(&model);
    let said = |hover: &Value| hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let line = MODEL.lines().position(|line| line.contains("\"Closed\"")).expect("a state") as u64;
    let column =
        MODEL.lines().nth(line as usize).and_then(|text| text.find("\"Closed\"")).expect("a name") as u64 + 2;
    let hover = client.at("textDocument/hover", &model, line, column);
    assert!(said(&hover).contains("state `Closed` of `Door`"), "{hover}");
    let mut params = place(&model, line, column);
    params["newName"] = json!("Shut");
    let refusal = client.ask("textDocument/rename", params).expect_err("models are not changed");
    assert!(refusal.to_string().contains("UML models are changed in their own tool"), "{refusal:?}");
    // Keys are explained and completed, and what the folder says about them is found.
    client.open(&settings, text);
    let (_, out, _) = run(&["check", "--format", "json", settings.to_str().expect("a plain path")]);
    let value: Value = serde_json::from_str(&out).expect("JSON");
    let all = value["diagnostics"].as_array().expect("findings").iter();
    let here = all.filter(|one| one["file"].as_str().is_some_and(|file| file.ends_with("sequent.toml")));
    let expected: Vec<&str> = here.filter_map(|one| one["code"].as_str()).collect();
    assert!(!expected.is_empty(), "{out}");
    assert_eq!(codes(&client.checked(&settings)), expected);
    let hover = client.at("textDocument/hover", &settings, 1, 2);
    assert!(said(&hover).contains("`system.capacity`: a whole number"), "{hover}");
    let completion = client.at("textDocument/completion", &settings, 1, 0);
    let has =
        |name: &str| completion.as_array().is_some_and(|all| all.iter().any(|one| one["label"] == name));
    assert!(has("fairness") && !has("within"), "{completion}");
    assert_eq!(client.end(), Some(0));
}

/// What may follow in directives and declarations.
#[test]
fn completion_knows_what_directives_take() {
    let folder = folder("lsp-completion");
    write(&folder, "door.puml", MACHINE);
    let scenario = write(&folder, "scenario.puml", "");
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&scenario, "");
    let mut labels = |line: &str| {
        let text = format!(
            "@startuml\nparticipant \"d : Door\" as d\nactor user\n{line}\nuser -> d : unlock\n@enduml\n"
        );
        client.change(&scenario, json!([{ "text": text }]));
        let items = client.at("textDocument/completion", &scenario, 3, line.encode_utf16().count() as u64);
        let all = items.as_array().expect("items").iter();
        all.filter_map(|one| one["label"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(labels("' @reachable d."), ["Closed", "Open"]);
    assert_eq!(labels("' @ltl G !in(d, Cl"), ["Closed", "Open"]);
    let goal = labels("' @reachable ");
    assert!(goal.contains(&"d".to_owned()) && goal.contains(&"Door".to_owned()), "{goal:?}");
    let expected = labels("' @expect ");
    assert_eq!(expected[..3], ["fails", "holds", "unknown"]);
    assert!(expected.contains(&"E502".to_owned()), "{expected:?}");
    assert!(labels("' @possible ").contains(&"anchor=start".to_owned()));
    let formula = labels("' @ltl G (");
    assert!(["unlock", "sent", "d"].iter().all(|word| formula.contains(&(*word).to_owned())), "{formula:?}");
    assert_eq!(labels("participant \"e : "), ["Door"]);
    assert_eq!(labels("ref over d : "), ["scenario"]);
    assert_eq!(labels("activate "), ["d", "user"]);
    assert_eq!(labels("note over "), ["d", "user"]);
    assert_eq!(labels("hnote over d : "), ["Closed", "Open"]);
    assert!(
        labels("return ").contains(&"unlock".to_owned()) && !labels("return ").contains(&"alt".to_owned())
    );
    // An object of the settings has the states of its class.
    write(&folder, "sequent.toml", "[system]\nobjects = { front = \"Door\" }\n");
    assert_eq!(labels("' @reachable front."), ["Closed", "Open"]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn completion_knows_where_transitions_lead_and_puts_names_first() {
    let folder = folder("lsp-completion-states");
    let text = MACHINE.replace("@enduml", "Open --> \nC\n@enduml");
    let door = write(&folder, "door.puml", &text);
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&door, &text);
    let labels = |items: &Value| -> Vec<String> {
        let all = items.as_array().expect("items").iter();
        all.filter_map(|one| one["label"].as_str().map(str::to_owned)).collect()
    };
    let leads = client.at("textDocument/completion", &door, 4, 9);
    assert!(
        labels(&leads).contains(&"[*]".to_owned()) && !labels(&leads).contains(&"state".to_owned()),
        "{leads}"
    );
    let begins = client.at("textDocument/completion", &door, 5, 1);
    let mut items = begins.as_array().expect("items").clone();
    items.sort_by_key(|one| one["sortText"].as_str().expect("an order").to_owned());
    assert_eq!(labels(&json!(items))[..2], ["Closed", "Open"]);
    assert_eq!(items.last().map(|one| &one["label"]), Some(&json!("state")));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn fixes_in_quotes_keep_the_quote_and_tear_nothing() {
    let folder = folder("lsp-quotes");
    let text = "> ```mermaid\n> sequenceDiagram\n>   A->>B: x\n>   loop often\n>     B->>A: y\n>   opt z\n>   end\n> ```\n";
    let file = write(&folder, "page.md", text);
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&file, text);
    let found = client.checked(&file);
    assert!(!found.is_empty());
    let mut applied = 0;
    for finding in &found {
        let params = json!({ "textDocument": { "uri": uri(&file) }, "range": finding["range"], "context": { "diagnostics": [] } });
        let actions = client.ask("textDocument/codeAction", params).expect("a result");
        for action in actions.as_array().expect("actions") {
            let after = changed(text, &action["edit"]["changes"][uri(&file)]);
            assert!(after.lines().all(|line| line.starts_with('>')), "{}:\n{after}", action["title"]);
            client.change(&file, json!([{ "text": after }]));
            let left = client.checked(&file);
            let same = left
                .iter()
                .filter(|one| one["message"] == finding["message"] && one["code"] == finding["code"]);
            assert_eq!(same.count(), 0, "{} {left:?}\n{after}", action["title"]);
            client.change(&file, json!([{ "text": text }]));
            client.checked(&file);
            applied += 1;
        }
    }
    assert!(applied >= 3, "{found:?}");
    // A word of the notation in prose: the change would break the diagram.
    let prose = "sequenceDiagram\n  A->>B: x\n  and then the desk answers\n";
    let file = write(&folder, "prose.mmd", prose);
    client.open(&file, prose);
    let found = client.checked(&file);
    let range = &found[0]["range"];
    let params =
        json!({ "textDocument": { "uri": uri(&file) }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params).expect("a result");
    assert!(!actions.to_string().contains("Change `and`"), "{actions}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn comments_that_suppress_nothing_are_removed_and_not_suppressed() {
    let folder = folder("lsp-idle");
    let text = "@startuml\n' sequent: allow W203\nA -> B : x\n@enduml\n";
    let file = write(&folder, "a.puml", text);
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&file, text);
    let found = client.checked(&file);
    assert_eq!(codes(&found), ["W408"]);
    let params = json!({ "textDocument": { "uri": uri(&file) }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params).expect("a result");
    let titles: Vec<&str> =
        actions.as_array().expect("actions").iter().filter_map(|one| one["title"].as_str()).collect();
    assert_eq!(titles, ["Remove this line"]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_server_that_starts_in_its_folder_knows_where_its_settings_are() {
    let folder = folder("lsp-within");
    let settings =
        "[system]\ncomunication = \"queue\"\n\n[[check]]\nltl = \"G (sent(pay) -> F received(pay))\"\n";
    let settings_file = write(&folder, "sequent.toml", settings);
    let text = "@startuml\nshop -> bank : pay\n@enduml\n";
    let file = write(&folder, "a.puml", text);
    let mut client = Client::within(SEQUENT, &folder);
    client.open(&settings_file, settings);
    client.open(&file, text);
    client.checked(&file);
    let mut params = place(&file, 1, 15);
    params["newName"] = json!("settle");
    let edit = client.ask("textDocument/rename", params).expect("a result");
    let after = |file: &Path, text: &str| changed(text, &edit["changes"][uri(file)]);
    assert!(after(&settings_file, settings).contains("G (sent(settle) -> F received(settle))"), "{edit}");
    assert!(after(&file, text).contains(": settle"), "{edit}");
    let references = client.at("textDocument/references", &settings_file, 4, 15);
    assert_eq!(references.as_array().map(Vec::len), Some(3), "{references}");
    // What is found at once is there after the check, too, and its question has a verdict.
    client.change(&settings_file, json!([{ "text": settings }]));
    assert_eq!(codes(&client.checked(&settings_file)), ["W403"]);
    let lenses =
        client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&settings_file) } }));
    let lenses = titles(&lenses.expect("a result"));
    assert!(lenses.iter().any(|title| title.starts_with("holds")), "{lenses:?}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn symbols_are_found_in_all_folders_of_a_workspace() {
    let [one, other] = ["lsp-folder-one", "lsp-folder-two"].map(folder);
    write(&one, "first.puml", "@startuml first\na -> b : x\n@enduml\n");
    write(&other, "second.puml", "@startuml second\na -> b : x\n@enduml\n");
    let mut client = Client::new(SEQUENT, &one);
    let names = |client: &mut Client| {
        let symbols = client.ask("workspace/symbol", json!({ "query": "s" })).expect("a result");
        let all = symbols.as_array().expect("symbols").iter();
        all.filter_map(|one| one["name"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(names(&mut client), ["first"]);
    let event = |added: &Path, removed: &Path| json!({ "event": { "added": [{ "uri": uri(added), "name": "" }], "removed": [{ "uri": uri(removed), "name": "" }] } });
    client.tell("workspace/didChangeWorkspaceFolders", event(&other, &folder("lsp-folder-none")));
    assert_eq!(names(&mut client), ["first", "second"]);
    client.tell("workspace/didChangeWorkspaceFolders", event(&other, &one));
    assert_eq!(names(&mut client), ["second"]);
    assert_eq!(client.end(), Some(0));
}

fn titles(lenses: &Value) -> Vec<String> {
    let all = lenses.as_array().expect("lenses").iter();
    all.filter_map(|one| one["command"]["title"].as_str()).map(str::to_owned).collect()
}

/// Waits until what the server tells on the side contains something.
fn wait_for(client: &mut Client, method: &str, file: &Path, has_come: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let answer = client.ask(method, json!({ "textDocument": { "uri": uri(file) }, "range": range }));
        let answer = answer.expect("a result");
        if has_come(&answer) {
            return answer;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn verdicts_and_numbers_stand_beside_the_text() {
    let folder = folder("lsp-lenses");
    let text = "@startuml pay\n' @ltl G (sent(pay) -> F received(receipt))\na -> b : pay\nloop (2,3)\nb -> a : receipt\nend\npar\na -> c : x\nelse\nd -> e : y\nend\n@enduml\n";
    let file = write(&folder, "pay.puml", text);
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&file, text);
    client.checked(&file);
    let lenses = wait_for(&mut client, "textDocument/codeLens", &file, |all| {
        titles(all).iter().any(|title| title.ends_with("traces"))
    });
    let (_, counted, _) = run(&["traces", file.to_str().expect("a plain path")]);
    let number = counted.trim().rsplit(": ").next().expect("a number").to_owned();
    assert!(titles(&lenses).contains(&number), "{lenses} {number}");
    let hints = wait_for(&mut client, "textDocument/inlayHint", &file, |all| {
        all.as_array().is_some_and(|all| all.len() == 2)
    });
    let labels: Vec<&str> =
        hints.as_array().expect("hints").iter().filter_map(|one| one["label"].as_str()).collect();
    assert_eq!(labels, ["2 to 3 times", number.as_str()], "{hints}");
    assert_eq!(hints[0]["position"], json!({ "line": 3, "character": 10 }));
    // After an edit what was found out before says so, until it is found out again.
    let holds = titles(&lenses).into_iter().find(|title| title.starts_with("holds")).expect("a verdict");
    client.change(&file, json!([{ "text": text.replace("pay\nloop", "pay()\nloop") }]));
    let id = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&file) } }));
    let after = titles(&client.answer(id).expect("a result"));
    assert!(
        after.contains(&holds) || after.contains(&format!("{holds} (before the last edit)")),
        "{after:?}"
    );
    client.checked(&file);
    assert!(client.heard.iter().any(|method| method == "workspace/codeLens/refresh"), "{:?}", client.heard);
    // The lens `check` asks the server to look again.
    client.edits += 1;
    let command = json!({ "command": "sequent.check", "arguments": [uri(&file)] });
    client.ask("workspace/executeCommand", command).expect("a result");
    client.checked(&file);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn included_files_are_followed() {
    let folder = folder("lsp-include");
    let common = write(&folder, "common.iuml", "participant shop\nparticipant bank\n");
    let one = "@startuml one\n!include common.iuml\nshop -> bank : pay\n@enduml\n";
    let other = "@startuml other\n!include common.iuml\nbank -> shop : paid\n@enduml\n";
    let (first, second) = (write(&folder, "one.puml", one), write(&folder, "two.puml", other));
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&first, one);
    client.checked(&first);
    let target = client.at("textDocument/definition", &first, 1, 12);
    assert_eq!(target[0]["uri"], uri(&common), "{target}");
    let declared = client.at("textDocument/definition", &first, 2, 1);
    assert_eq!(
        (&declared[0]["uri"], &declared[0]["range"]["start"]["line"]),
        (&json!(uri(&common)), &json!(0))
    );
    let paths = client.at("textDocument/completion", &first, 1, 9);
    assert!(paths.as_array().expect("items").iter().any(|one| one["label"] == "common.iuml"), "{paths}");
    // A participant of an included text is renamed in every diagram that includes it, from wherever one asks.
    for (file, line, column) in [(&first, 2, 1), (&common, 0, 13)] {
        let mut params = place(file, line, column);
        params["newName"] = json!("store");
        let edit = client.ask("textDocument/rename", params).expect("a result");
        let after = |file: &Path, text: &str| changed(text, &edit["changes"][uri(file)]);
        assert_eq!(
            after(&common, "participant shop\nparticipant bank\n"),
            "participant store\nparticipant bank\n"
        );
        assert!(after(&first, one).contains("store -> bank : pay"), "{edit}");
        assert!(after(&second, other).contains("bank -> store : paid"), "{edit}");
    }
    // An unsaved change of the included file counts in those that include it.
    client.open(&common, "participant shop\nparticipant bank\nparticipant bank\n");
    client.checked(&first);
    let inside = client.at("textDocument/completion", &common, 1, 0);
    assert!(inside.as_array().expect("items").iter().any(|one| one["label"] == "shop"), "{inside}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn formatting_indents_and_changes_nothing_else() {
    let folder = folder("lsp-format");
    let text = "# A\n\n```mermaid\nsequenceDiagram\n  A->>B: x  \nloop 3\n  A->>B: y\nalt z\nB->>A: w\n      else\n  B->>A: v\n end\nend\n  Note over A: a\n```\n   prose   \n";
    let file = write(&folder, "page.md", text);
    let options =
        json!({ "textDocument": { "uri": uri(&file) }, "options": { "tabSize": 4, "insertSpaces": true } });
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&file, text);
    let edits = client.ask("textDocument/formatting", options.clone()).expect("a result");
    let formatted = changed(text, &edits);
    let expected = "# A\n\n```mermaid\nsequenceDiagram\n  A->>B: x\n  loop 3\n      A->>B: y\n      alt z\n          B->>A: w\n      else\n          B->>A: v\n      end\n  end\n  Note over A: a\n```\n   prose   \n";
    assert_eq!(formatted, expected);
    client.change(&file, json!([{ "text": formatted }]));
    assert_eq!(client.ask("textDocument/formatting", options).expect("a result"), json!([]));
    assert_eq!(client.end(), Some(0));
    // Nobody who has not asked for it is offered formatting.
    let mut plain = Client::with_options(SEQUENT, &folder, Value::Null);
    plain.open(&file, text);
    let lenses = plain.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&file) } }));
    assert!(!titles(&lenses.expect("a result")).contains(&"step through".to_owned()));
}

#[test]
fn edits_elsewhere_leave_nothing_unchecked() {
    let folder = folder("lsp-folders");
    let texts = ["@startuml\nA -> B : x\nopt\nend\n@enduml\n", "@startuml\nA -> B : x\n@enduml\n"];
    let mut files = Vec::new();
    for (name, text) in [("one", texts[0]), ("two", texts[1])] {
        std::fs::create_dir(folder.join(name)).expect("a new folder");
        files.push(write(&folder.join(name), "a.puml", text));
    }
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&files[0], texts[0]);
    client.open(&files[1], texts[1]);
    client.change(&files[1], json!([{ "text": texts[1].replace("x", "y") }]));
    client.checked(&files[1]);
    let start = Instant::now();
    while client.findings.get(&uri(&files[0])).is_none_or(Vec::is_empty) {
        client.hear();
        assert!(start.elapsed() < Duration::from_secs(60));
    }
    assert_eq!(codes(&client.findings[&uri(&files[0])]), ["W207"]);
    // A file that others change is noticed with the next look, whatever the server remembers of it.
    let beside =
        write(&folder.join("two"), "b.puml", "@startuml B\n[*] --> Idle\nIdle --> Idle : x\n@enduml\n");
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    client.edits += 2;
    client.checked(&files[1]);
    let lines = client.at("textDocument/hover", &files[1], 1, 5);
    assert!(
        lines["contents"]["value"].as_str().is_some_and(|text| text.contains("state machine `B`")),
        "{lines}"
    );
    std::fs::remove_file(beside).expect("it is there");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn findings_are_those_of_check() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/diagnostics");
    let examples = examples.canonicalize().expect("examples");
    let mut client = Client::new(SEQUENT, &examples);
    let mut compared = 0;
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&examples).expect("readable").map(|one| one.expect("readable").path()).collect();
    files.sort();
    for file in
        files.iter().filter(|file| file.is_file() && file.extension().is_some_and(|ending| ending != "out"))
    {
        let bytes = std::fs::read(file).expect("readable");
        // Editors have no buffers with other bytes.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let (_, out, err) = run(&["check", "--format", "json", file.to_str().expect("a plain path")]);
        let value: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        let here = |one: &&Value| one["file"].as_str().is_some_and(|name| Path::new(name) == file);
        let mut expected: Vec<String> = value["diagnostics"]
            .as_array()
            .expect("findings")
            .iter()
            .filter(here)
            .map(|one| format!("{}:{} {} {}", one["line"], one["column"], one["code"], one["message"]))
            .collect();
        client.open(file, &text);
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut found: Vec<String> = client
            .checked(file)
            .iter()
            .map(|one| {
                let start = &one["range"]["start"];
                let line = offset(&units, &json!({ "line": start["line"], "character": 0 }));
                let column =
                    String::from_utf16_lossy(&units[line..offset(&units, start)]).chars().count() + 1;
                let message = one["message"].as_str().expect("a message").split('\n').next().expect("a line");
                format!(
                    "{}:{column} {} {}",
                    start["line"].as_u64().expect("a line") + 1,
                    one["code"],
                    json!(message)
                )
            })
            .collect();
        client.close(file);
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", file.display());
        compared += 1;
    }
    assert!(compared > 80, "{compared}");
}

/// Pieces of which random diagrams and edits are made.
const PIECES: &[&str] = &[
    "A->>B: x\n",
    "B-->>A: 🎉\n",
    "  participant Payment\n",
    "Paymnt->>A: é\n",
    "loop 3\n",
    "end\n",
    "alt a\r\n",
    "else b\n",
    "note over A: hm\n",
    ";",
    "\n",
    "%% @ltl F sent(x)\n",
    "activate A\n",
    "deactivate A\n",
    "```\n",
    "```mermaid\nsequenceDiagram\n",
    "🎉",
    "@",
    "->>",
];

#[test]
fn random_edits_end_where_reading_the_final_text_does() {
    let folder = folder("lsp-random");
    let file = write(&folder, "page.md", "");
    let mut client = Client::new(SEQUENT, &folder);
    let sequences = 200;
    for seed in 0..sequences {
        let mut random = Random::new(seed);
        let piece = |random: &mut Random| PIECES[random.below(PIECES.len())];
        let mut text = "```mermaid\nsequenceDiagram\n".to_owned();
        (0..random.below(8)).for_each(|_| text += piece(&mut random));
        client.open(&file, &text);
        for _ in 0..1 + random.below(6) {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let mut ends = [starts[random.below(starts.len())], starts[random.below(starts.len())]];
            ends.sort_unstable();
            let end = ends[1].min(starts[starts.len() - 1]).min(ends[0] + 20);
            let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).expect("the end");
            // A position inside of a line break is none.
            let is_split = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
            if is_split(ends[0]) || is_split(end) {
                continue;
            }
            let position = |at: usize| {
                let before = &text[..at];
                let line = before.rsplit('\n').next().expect("a line");
                json!({ "line": before.matches('\n').count(), "character": line.encode_utf16().count() })
            };
            let new = piece(&mut random);
            let change =
                json!([{ "range": { "start": position(ends[0]), "end": position(end) }, "text": new }]);
            client.change(&file, change);
            text.replace_range(ends[0]..end, new);
        }
        let edited = client.checked(&file);
        client.close(&file);
        client.open(&file, &text);
        assert_eq!(edited, client.checked(&file), "seed {seed}: {text:?}");
        client.close(&file);
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn edits_end_what_runs_and_requests_can_be_cancelled() {
    let folder = folder("lsp-cancel");
    let large = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/diagnostics/H652-abacus.puml"),
    );
    let file = write(&folder, "large.puml", "");
    let mut client = Client::new(SEQUENT, &folder);
    let large = large.expect("readable");
    let asked = large.replace("' @expect H652", "' @ltl G !(ones = 99 & tens = 99 & hundreds = 99)");
    // The user ends the check that the first edit began: the question stays open for that reason.
    client.open(&file, &asked);
    client.tell("window/workDoneProgress/cancel", json!({ "token": "sequent-check-1" }));
    client.checked(&file);
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&file) } }));
    let lenses = titles(&lenses.expect("a result"));
    assert!(lenses.iter().any(|title| title.ends_with("(the check was cancelled)")), "{lenses:?}");
    client.change(&file, json!([{ "text": large }]));
    client.change(&file, json!([{ "text": "@startuml\nA -> B : x\n@enduml\n" }]));
    let start = Instant::now();
    assert!(client.checked(&file).is_empty());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let id = client.request("textDocument/hover", place(&file, 1, 0));
    client.tell("$/cancelRequest", json!({ "id": id }));
    // It may have been answered before.
    match client.answer(id) {
        Ok(result) => {
            assert!(result["contents"]["value"].as_str().is_some_and(|text| text.contains("participant `A`")))
        }
        Err(error) => assert_eq!(error["code"], -32800),
    }
    let unknown = client.ask("textDocument/nonsense", json!({}));
    assert_eq!(unknown.expect_err("no result")["code"], -32601);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn settings_and_new_files_are_read_from_buffers() {
    let folder = folder("lsp-buffers");
    let settings = write(&folder, "sequent.toml", "");
    let fresh = folder.join("fresh.mmd");
    let mut client = Client::new(SEQUENT, &folder);
    let text = "sequenceDiagram\n  A->>B: x\n  opt y\n  end\n";
    client.open(&fresh, text);
    assert_eq!(codes(&client.checked(&fresh)), ["W207"]);
    client.open(&settings, "[lint]\nallow = [\"W207\"]\nalow = 1\n");
    assert!(client.checked(&fresh).is_empty());
    let told = client.findings.get(&uri(&settings)).cloned().unwrap_or_default();
    assert_eq!(codes(&told), ["W403"]);
    client.close(&settings);
    assert_eq!(codes(&client.checked(&fresh)), ["W207"]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_buffer_is_read_whatever_its_file_is_called() {
    let folder = folder("lsp-patterns");
    let text = "@startuml\nparticipant a\na -> b : m\nalt x\na -> b : n\n@enduml\n";
    let mut client = Client::new(SEQUENT, &folder);
    for name in ["a[1].puml", "q?.puml", "all*.puml", "{x,y}.puml"] {
        let file = folder.join(name);
        client.open(&file, text);
        assert_eq!(codes(&client.checked(&file)), ["W102"], "{name}");
        client.close(&file);
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_session_begins_and_ends_once() {
    let folder = folder("lsp-order");
    let mut client = Client::new(SEQUENT, &folder);
    let invalid = json!(-32600);
    assert_eq!(client.ask("initialize", json!({})).expect_err("it has begun")["code"], invalid);
    client.ask("shutdown", Value::Null).expect("a result");
    for method in ["shutdown", "textDocument/hover", "no/such"] {
        let problem = client.ask(method, place(&folder.join("a.puml"), 0, 0)).expect_err(method);
        assert_eq!(problem["code"], invalid, "{method}");
    }
    client.tell("exit", Value::Null);
    assert_eq!(client.hang_up(), Some(0));
    let mut client = Client::new(SEQUENT, &folder);
    client.tell("exit", Value::Null);
    assert_eq!(client.hang_up(), Some(1));
    assert_eq!(Client::new(SEQUENT, &folder).hang_up(), Some(0));
}
