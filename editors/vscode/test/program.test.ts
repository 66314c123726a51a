import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as program from "../src/program.js";

const settings = { path: "sequent", args: ["--set", "a=b"] };

test("the path of the program", () => {
  assert.equal(program.programPath("", undefined), "sequent");
  assert.equal(program.programPath(" /usr/bin/sequent ", "/w"), "/usr/bin/sequent");
  assert.equal(program.programPath("${workspaceFolder}/bin/sequent", "/w"), "/w/bin/sequent");
  assert.equal(program.programPath("~/bin/sequent", undefined), join(homedir(), "bin/sequent"));
  assert.equal(program.programPath("~other/sequent", undefined), "~other/sequent");
});

test("commands", () => {
  assert.deepEqual(program.server(settings, "/w").args, ["lsp", "--set", "a=b"]);
  assert.deepEqual(program.live(settings, "/w", "/w/a.puml").args, ["serve", "/w/a.puml"]);
  assert.deepEqual(program.check(settings, "/w", ["-x.puml"], ["--deny", "warnings"]).args, [
    "check", "--format", "concise", "--deny", "warnings", "--", "-x.puml",
  ]);
  assert.deepEqual(program.report(settings, "/w", "/w", "/t/r.html").args, ["check", "--format", "html", "-o", "/t/r.html", "--", "/w"]);
});

test("codes of findings", () => {
  assert.ok(program.isCode("W201"));
  assert.ok(!program.isCode("W2011"));
  assert.ok(!program.isCode("--help"));
});
