//! The server driven by Neovim without a screen; says so where there is none.

use std::process::Command;

use serde_json::Value;

use crate::runner::folder;
use crate::write;

/// Opens files, waits for findings, applies a fix, jumps and renames; writes down what came of it.
const SCRIPT: &str = r#"
local root, server, out = os.getenv('ROOT'), os.getenv('SERVER'), os.getenv('OUT')
local told = {}
local client = vim.lsp.start_client({ name = 'sequent', cmd = { server, 'lsp' }, root_dir = root })
local function edit(name)
  vim.cmd('edit ' .. root .. '/' .. name)
  vim.lsp.buf_attach_client(0, client)
  return vim.api.nvim_get_current_buf()
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  local answer = answers[client] or {}
  return answer.result
end
local function at(line, character)
  return { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = character } }
end
local function run()
  local page = edit('page.md')
  vim.wait(60000, function() return #vim.diagnostic.get(page) > 0 end, 50)
  told.found = vim.diagnostic.get(page)
  local one = told.found[1]
  local text = vim.api.nvim_buf_get_lines(page, one.lnum, one.lnum + 1, true)[1]
  local _, units = vim.str_utfindex(text, one.col)
  local params = at(one.lnum, units)
  params.range = { start = params.position, ['end'] = params.position }
  params.context = { diagnostics = {} }
  local actions = ask('textDocument/codeAction', params)
  told.action = actions[1].title
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  vim.wait(60000, function() return #vim.diagnostic.get(page) == 0 end, 50)
  told.left = #vim.diagnostic.get(page)
  local scenario = edit('scenario.puml')
  local definition = ask('textDocument/definition', at(2, 9))
  vim.lsp.util.jump_to_location(definition[1], 'utf-16')
  told.jumped = vim.api.nvim_buf_get_name(0)
  vim.cmd('buffer ' .. scenario)
  local renaming = at(2, 15)
  renaming.newName = 'open'
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', renaming), 'utf-16')
  vim.cmd('silent wall')
end
local is_good, problem = pcall(run)
told.problem = not is_good and tostring(problem) or nil
vim.fn.writefile({ vim.fn.json_encode(told) }, out)
vim.lsp.stop_client(client)
vim.cmd('qall!')
"#;

#[test]
fn neovim_shows_fixes_jumps_and_renames() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("Neovim is not installed: the server is not driven by it");
        return;
    }
    let folder = folder("lsp-neovim");
    let script = write(&folder, "script.lua", SCRIPT);
    let page = "# 🎉 Page\n\n```mermaid\nsequenceDiagram\n  participant user\n  user->>door: 🎉 please; now\n  user->>door: unlock\n```\n";
    let page = write(&folder, "page.md", page);
    let scenario = write(&folder, "scenario.puml", "@startuml\nactor user\nuser -> door : unlock\n@enduml\n");
    let door = "@startuml door\n[*] --> Closed\nClosed --> Open : unlock\nOpen --> Closed : lock\n@enduml\n";
    let door = write(&folder, "door.puml", door);
    let out = folder.join("out.json");
    let status = Command::new("nvim")
        .args(["--headless", "--clean", "-n", "-c"])
        .arg(format!("luafile {}", script.display()))
        .env("ROOT", &folder)
        .env("SERVER", env!("CARGO_BIN_EXE_sequent"))
        .env("OUT", &out)
        .env("XDG_STATE_HOME", &folder)
        .env("XDG_CACHE_HOME", &folder)
        .output()
        .expect("it starts");
    let text = std::fs::read_to_string(&out).unwrap_or_else(|_| panic!("{status:?}"));
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told["problem"], Value::Null, "{told}");
    let found = &told["found"][0];
    // Neovim counts bytes: the party popper takes four of them.
    let place = ["lnum", "col", "end_lnum", "end_col"].map(|name| found[name].as_u64().expect("a number"));
    let line = "  user->>door: 🎉 please; now";
    let at = line.find(';').expect("it is there") as u64;
    assert_eq!(place, [5, at, 5, at + 1], "{told}");
    assert_eq!((&told["action"], &told["left"]), (&"Change `;` to `#59;`".into(), &0.into()), "{told}");
    assert_eq!(told["jumped"], door.to_str().expect("a plain path"));
    let read = |path| std::fs::read_to_string(path).expect("readable");
    assert!(read(&page).contains("please#59; now\n  user->>door: open\n"), "{}", read(&page));
    assert!(read(&scenario).contains("user -> door : open\n"), "{}", read(&scenario));
    assert!(read(&door).contains("Closed --> Open : open\n"), "{}", read(&door));
}
