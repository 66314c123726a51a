// The manifest promises what the code does, and the problem matcher understands what the program prints.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

import { items, result } from "../src/checks.js";
import * as program from "../src/program.js";
import { launch } from "../src/session.js";

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, unknown> };
    problemMatchers: { pattern: { regexp: string } }[];
  };
}

// Compiled tests are in out/test.
const root = resolve(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const code = readFileSync(join(root, "src/extension.ts"), "utf8");

test("every command is registered, and no other", () => {
  const promised = manifest.contributes.commands.map((one) => one.command.replace("sequent.", "")).sort();
  const registered = [...code.matchAll(/\bcommand\("(\w+)"/g)].map((found) => found[1]).sort();
  assert.deepEqual(registered, promised);
});

test("the settings that are read exist", () => {
  const names = Object.keys(manifest.contributes.configuration.properties);
  const read = [...code.matchAll(/"(sequent\.(?:path|arguments|format\.\w+))"/g)].map((found) => found[1] ?? "");
  assert.ok(read.length >= 3, code);
  for (const name of read) {
    assert.ok(names.includes(name), name);
  }
});

test("the lock file names no addresses", () => {
  assert.ok(!/"resolved"/.test(readFileSync(join(root, "package-lock.json"), "utf8")));
});

const sequent = process.env["SEQUENT"];
const skip = sequent === undefined ? "the variable SEQUENT names no program" : false;

test("the problem matcher finds what the program reports", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sequent-vscode-"));
  writeFileSync(join(folder, "a.mmd"), "sequenceDiagram\n  a->>b: x\n  end\n");
  const command = program.check({ path: sequent ?? "", args: [] }, folder, ["a.mmd"], []);
  const printed = spawnSync(command.program, command.args, { cwd: folder, encoding: "utf8" }).stdout;
  const pattern = new RegExp(manifest.contributes.problemMatchers[0]?.pattern.regexp ?? "", "gm");
  const [first] = [...printed.matchAll(pattern)];
  assert.deepEqual(first?.slice(1, 5), ["a.mmd", "3", "3", "E103"], printed);
});

test("the explorer reads what the program reports", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sequent-vscode-"));
  const file = join(folder, "a.mmd");
  writeFileSync(file, "sequenceDiagram\n  %% @ltl G (sent(x) -> F received(y))\n  %% @ltl F sent(x)\n  a->>b: x\n  opt\n  b->>a: y\n  end\n");
  const command = program.answers({ path: sequent ?? "", args: [] }, folder, file);
  const printed = spawnSync(command.program, command.args, { encoding: "utf8" }).stdout;
  const found = items(printed);
  assert.deepEqual(found.map((item) => [item.number, item.line, result(item.check).kind]), [[1, 1, "failed"], [2, 2, "passed"]], printed);
  const [first] = found;
  const came = first === undefined ? undefined : result(first.check);
  assert.ok(came?.kind === "failed" && came.message.includes("x"), JSON.stringify(came));
});

test("the debug adapter launches what the extension configures", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "sequent-vscode-"));
  const file = join(folder, "a.mmd");
  writeFileSync(file, "sequenceDiagram\n  %% @ltl G (sent(x) -> F received(y))\n  a->>b: x\n  opt\n  b->>a: y\n  end\n");
  const command = program.debug({ path: sequent ?? "", args: [] }, folder);
  const child = spawn(command.program, command.args, { stdio: ["pipe", "pipe", "inherit"] });
  let printed = "";
  const send = (request: object): void => {
    const text = JSON.stringify(request);
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  // Whoever disconnects before the run is there ends the search for it.
  child.stdout.on("data", (part: Buffer) => {
    const before = printed.includes('"event":"stopped"');
    printed += part.toString();
    if (!before && printed.includes('"event":"stopped"')) {
      send({ seq: 4, type: "request", command: "disconnect" });
    }
  });
  send({ seq: 1, type: "request", command: "initialize", arguments: {} });
  send({ seq: 2, type: "request", command: "launch", arguments: launch(file, 1) });
  send({ seq: 3, type: "request", command: "configurationDone" });
  const code = await new Promise((done) => child.once("exit", done));
  assert.equal(code, 0, printed);
  assert.match(printed, /"event":"initialized"/);
  assert.match(printed, /"reason":"entry"/);
});

test("every command of the program exists", { skip }, () => {
  const help = execFileSync(sequent ?? "", ["--help"], { encoding: "utf8" });
  for (const name of ["check", "dap", "explain", "lsp", "serve"]) {
    assert.match(help, new RegExp(`^  ${name}\\s`, "m"));
  }
});
