//! Renames leave no mention behind, and are refused where anything would say something else.

use std::path::{Path, PathBuf};

use sequent_testing::editor::{Client, changed, place, uri};
use serde_json::{Value, json};

use crate::runner::folder;
use crate::{SEQUENT, write};

/// Files that are open, and their texts.
struct Desk {
    client: Client,
    folder: PathBuf,
    files: Vec<(&'static str, &'static str)>,
}

impl Desk {
    fn new(name: &str, files: &[(&'static str, &'static str)]) -> Self {
        let folder = folder(name);
        std::fs::create_dir_all(folder.join(".git")).expect("writable");
        files.iter().for_each(|(name, text)| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            write(&folder, name, text);
        });
        let mut client = Client::within(SEQUENT, &folder);
        for (name, text) in files {
            client.open(&folder.join(name), text);
        }
        Desk { client, folder, files: files.to_vec() }
    }

    /// Asks for a new name of what stands in a file where some text begins.
    fn ask(&mut self, file: &str, at: &str, new: &str) -> Result<Value, Value> {
        let text = self.files.iter().find(|(name, _)| *name == file).expect("a file").1;
        let before = &text[..text.find(at).expect("it stands there")];
        let column = before.rsplit('\n').next().expect("a line").encode_utf16().count();
        let mut params = place(&self.folder.join(file), before.matches('\n').count() as u64, column as u64);
        params["newName"] = json!(new);
        self.client.ask("textDocument/rename", params)
    }

    /// All texts after the change.
    fn renamed(&mut self, file: &str, at: &str, new: &str) -> String {
        let edit = self.ask(file, at, new).expect("a change");
        let changes = edit["changes"].as_object().expect("changes").clone();
        let after = |(name, text): &(&str, &str)| match changes.get(&uri(&self.folder.join(name))) {
            Some(edits) => changed(text, edits),
            None => (*text).to_owned(),
        };
        self.files.iter().map(after).collect()
    }

    fn refused(&mut self, file: &str, at: &str, new: &str) -> String {
        let problem = self.ask(file, at, new).expect_err(new);
        problem["message"].as_str().expect("a text").to_owned()
    }

    fn end(self) {
        assert_eq!(self.client.end(), Some(0));
    }
}

const SHOP: &str = "@startuml Shop
' @attribute n : 0..3 = 0
' @pre order : n < 3
' @post order : n > 0
[*] --> Idle
Idle --> Busy : order [!in(Busy)] / n = n + 1
Busy --> Idle : done [inState(Busy)] / ^user.ready
@enduml
";

const QUESTIONS: &str = "@startuml questions
' @reachable Shop.Busy
' @reachable shop.Busy & shop.n = 1
' @ltl G (in(shop, Busy) -> F received(ready))
' @ltl G !(shop.Busy & shop.n = 0)
participant \"shop : Shop\" as shop
user -> shop : order
hnote over shop : inState(Busy)
note over user : {in(shop, Busy)}
alt [in(shop, Busy)]
shop -> user : ready
end
@enduml
";

const SETTINGS: &str = "[[check]]
ltl = \"G (in(shop, Busy) -> O received(order))\"

[[check]]
reachable = \"shop.Busy\"

[[check]]
refines = \"questions\"
target = \"questions\"
hide = [\"order\"]

[system]
objects = { shop = \"Shop\" }
";

const FILES: &[(&str, &str)] =
    &[("shop.puml", SHOP), ("questions.puml", QUESTIONS), ("sequent.toml", SETTINGS)];

#[test]
fn states_and_messages_are_renamed_in_everything_that_speaks_of_them() {
    let mut desk = Desk::new("rename-all", FILES);
    let whole: String = FILES.iter().map(|(_, text)| *text).collect();
    for (file, at) in
        [("shop.puml", "Busy : order"), ("questions.puml", "Busy)}"), ("sequent.toml", "Busy\"\n")]
    {
        assert_eq!(desk.renamed(file, at, "Working"), whole.replace("Busy", "Working"), "{file} {at}");
    }
    for (file, at) in
        [("shop.puml", "order : n > 0"), ("questions.puml", "order"), ("sequent.toml", "order\"]")]
    {
        assert_eq!(desk.renamed(file, at, "purchase"), whole.replace("order", "purchase"), "{file} {at}");
    }
    desk.end();
}

#[test]
fn participants_are_renamed_in_everything_that_speaks_of_them() {
    let other = "@startuml other\n' @ltl G !sent(ready, from=shop)\nactor user\nparticipant \"s\" as shop\nuser -> shop : order\n@enduml\n";
    let links = "links = [[\"shop\", \"user\"]]\n";
    let settings = SETTINGS.to_owned() + links;
    let files = [&FILES[..2], &[("other.puml", other), ("sequent.toml", settings.leak())]].concat();
    let mut desk = Desk::new("rename-participants", &files);
    let whole: String = files.iter().map(|(_, text)| *text).collect();
    for (file, at) in
        [("shop.puml", "user.ready"), ("questions.puml", "user -> shop"), ("other.puml", "user")]
    {
        assert_eq!(desk.renamed(file, at, "customer"), whole.replace("user", "customer"), "{file} {at}");
    }
    for (file, at) in [
        ("questions.puml", "shop : order"),
        ("other.puml", "shop)"),
        ("sequent.toml", "shop, Busy"),
        ("sequent.toml", "shop = "),
        ("sequent.toml", "shop\", \"user"),
    ] {
        // What is shown of a participant is no name of it.
        let expected = whole.replace("shop", "store").replace("store : Shop", "shop : Shop");
        assert_eq!(desk.renamed(file, at, "store"), expected, "{file} {at}");
    }
    assert!(desk.refused("other.puml", "user", "shop").contains("exists already"));
    let found = desk.client.at("textDocument/references", &desk.folder.join("other.puml"), 2, 7);
    assert_eq!(found.as_array().map(Vec::len), Some(whole.matches("user").count()));
    desk.end();
}

#[test]
fn a_participant_that_a_class_names_too_keeps_its_name() {
    let machine = "@startuml Shop\n[*] --> Idle\nIdle --> Idle : order / ^till.pay\n@enduml\n";
    let classes = "@startuml classes\nclass Shop\nclass Bank\nShop --> \"till\" Bank\n@enduml\n";
    let drawn = "@startuml q\nuser -> till : look\n@enduml\n";
    let mut desk = Desk::new("rename-roles", &[("m.puml", machine), ("c.puml", classes), ("q.puml", drawn)]);
    assert!(desk.refused("q.puml", "till", "desk").contains("part of a class"));
    assert!(desk.renamed("q.puml", "user", "guest").contains("guest -> till"));
    desk.end();
}

#[test]
fn calls_arguments_and_sets_keep_their_names_together() {
    let text = "@startuml Shop
' @attribute r : bool
[*] --> Idle
Idle --> Idle : go / r = bank.ask(1)
@enduml
@startuml Bank
[*] --> Idle
Idle --> Idle : ask(x)
@enduml
@startuml pay
' @ltl F received(ask(1))
' @order !go < ?ask
user -> shop : go
shop -> bank : ask
group ignore {beat: user -> bank, tick: user -> shop}
user -> shop : again
end
@enduml
@startuml other
' @ignore {beat}
opt
user -> shop : beat
end
@enduml
";
    let mut desk = Desk::new("rename-calls", &[("a.puml", text)]);
    assert_eq!(desk.renamed("a.puml", "ask(x)", "query"), text.replace("ask", "query"));
    assert_eq!(desk.renamed("a.puml", "beat: user", "pulse"), text.replace("beat", "pulse"));
    let after = desk.renamed("a.puml", "user -> shop : go", "customer");
    let whole = "group ignore {beat: customer -> bank, tick: customer -> shop}\ncustomer -> shop : again";
    assert!(after.contains(whole), "{after}");
    desk.end();
}

#[test]
fn words_of_the_notation_are_no_names() {
    let mermaid = "sequenceDiagram\n  a->>b: x\n  b-->>a: y\n";
    let states = "stateDiagram-v2\n  [*] --> s1\n  s1 --> s2: go\n";
    let plantuml = "@startuml\nc -> d : x\nd --> c : y\n@enduml\n";
    let files = &[("a.mmd", mermaid), ("s.mmd", states), ("p.puml", plantuml)];
    let mut desk = Desk::new("rename-words", files);
    for word in ["end", "alt", "loop", "note", "participant", "box", "title"] {
        let told = desk.refused("a.mmd", "a->>b", word);
        assert!(told.contains("a.mmd") && told.contains(word), "{word}: {told}");
    }
    for word in ["state", "note", "class"] {
        assert!(desk.refused("s.mmd", "s1", word).contains("s.mmd"), "{word}");
    }
    for word in ["title", "header", "footer"] {
        assert!(desk.refused("p.puml", "c -> d", word).contains("p.puml"), "{word}");
    }
    assert_eq!(desk.renamed("p.puml", "c -> d", "shop").matches("shop").count(), 2);
    desk.end();
}

#[test]
fn names_that_bind_or_reach_beyond_the_folder_are_kept() {
    let machine = "@startuml Shop\n[*] --> Idle\nIdle --> Idle : order\n@enduml\n@startuml q\nuser -> Shop : order\n@enduml\n";
    let common = "participant bank\n";
    let here = "@startuml here\n!include ../common/bank.iuml\nshop -> bank : pay\n@enduml\n";
    let files = &[("a.puml", machine), ("common/bank.iuml", common), ("sub/here.puml", here)];
    let mut desk = Desk::new("rename-bound", files);
    // The name alone says which machine it is.
    assert!(desk.refused("a.puml", "Shop : order", "store").contains("a.puml"));
    assert!(desk.renamed("a.puml", "user -> Shop", "customer").contains("customer -> Shop"));
    let told = desk.refused("sub/here.puml", "bank : pay", "till");
    assert!(told.contains("another folder") && told.contains("bank.iuml"), "{told}");
    // Addresses are plain.
    let target = desk.client.at("textDocument/definition", &desk.folder.join("sub/here.puml"), 1, 14);
    assert_eq!(target[0]["uri"], uri(Path::new(&desk.folder.join("common/bank.iuml"))));
    desk.end();
}

#[test]
fn a_state_that_could_be_of_several_machines_is_not_renamed() {
    let text = "@startuml A\n[*] --> Idle\nIdle --> Busy : go\n@enduml\n@startuml B\n[*] --> Idle\nIdle --> Busy : go\n@enduml\n";
    let settings =
        "[system]\nobjects = { a = \"A\", b = \"B\" }\n[[check]]\nreachable = \"a.Busy & b.Busy\"\n";
    let mut desk = Desk::new("rename-several", &[("m.puml", text), ("sequent.toml", settings)]);
    let after = desk.renamed("m.puml", "Busy : go", "Working");
    assert!(after.contains("a.Working & b.Busy") && after.matches("Working").count() == 2, "{after}");
    desk.end();
}

#[test]
fn a_message_that_settings_ask_about_in_several_folders_keeps_its_name() {
    let text = "@startuml\na -> b : pay\n@enduml\n";
    let settings = "[[check]]\nltl = \"F received(pay)\"\n";
    let mut desk = Desk::new(
        "rename-folders",
        &[("one/a.puml", text), ("two/b.puml", text), ("sequent.toml", settings)],
    );
    let told = desk.refused("one/a.puml", "pay", "settle");
    assert!(told.contains("other questions would be asked"), "{told}");
    desk.end();
}
