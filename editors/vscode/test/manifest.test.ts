// The manifest promises what the code does, and the problem matcher understands what the program prints.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

import * as program from "../src/program.js";

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
  for (const found of code.matchAll(/affectsConfiguration\("([\w.]+)"\)/g)) {
    assert.ok(found[1] !== undefined && names.includes(found[1]), found[1]);
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

test("every command of the program exists", { skip }, () => {
  const help = execFileSync(sequent ?? "", ["--help"], { encoding: "utf8" });
  for (const name of ["check", "explain", "lsp"]) {
    assert.match(help, new RegExp(`^  ${name}\\s`, "m"));
  }
});
