import assert from "node:assert/strict";
import { test } from "node:test";

import { items, result, type Check } from "../src/checks.js";
import { isStep, launch, resolved } from "../src/session.js";

const check: Check = { name: "F x", target: "pay", verdict: "holds", welcome: true, file: "a.mmd", line: 3, column: 1, millis: 2, run: null };

test("questions become tests, each with a name of its own", () => {
  const found = items(JSON.stringify({ checks: [check, check, { ...check, target: null, line: null }] }));
  assert.deepEqual(found.map((item) => [item.id, item.number, item.line]), [["pay: F x", 1, 2], ["pay: F x (2)", 2, 2], ["F x", 3, 0]]);
  for (const other of ["", "error: no file", "{}", "null", '{"checks":1}']) {
    assert.deepEqual(items(other), [], other);
  }
});

test("a failure shows its run", () => {
  assert.deepEqual(result(check), { kind: "passed" });
  const run = { prefix: ["!x", "?x"], cycle: ["!y"], because: ["y never comes"] };
  assert.deepEqual(result({ ...check, welcome: false, verdict: "fails", run }), {
    kind: "failed",
    message: "y never comes\n!x, ?x\nagain and again: !y",
  });
  assert.deepEqual(result({ ...check, welcome: false, verdict: "fails" }), { kind: "failed", message: "fails" });
  assert.deepEqual(result({ ...check, welcome: false, verdict: "unknown", reason: "time is over" }), { kind: "undecided", message: "time is over" });
});

test("sessions are launched for a file and a question", () => {
  assert.deepEqual(launch("/a.mmd", 2), { type: "sequent", request: "launch", name: "Sequent: question 2", program: "/a.mmd", question: 2, stopOnEntry: true });
  assert.equal(resolved({}, undefined), undefined);
  assert.deepEqual(resolved({ line: 4, stopOnEntry: false }, "/a.mmd"), {
    type: "sequent", request: "launch", name: "Sequent", program: "/a.mmd", line: 4, stopOnEntry: false,
  });
  assert.ok(isStep({ uri: "file:///a.mmd", question: 1 }));
  assert.ok(!isStep(undefined) && !isStep({ uri: 1 }) && !isStep("file:///a.mmd"));
});
