#!/usr/bin/env node
// Runs the program of the package for this machine, and ends as it does.
"use strict";
const { spawnSync } = require("node:child_process");

/** The package for a machine: on Linux the static one, which runs on any. */
const name = `sequent-diagrams-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "sequent.exe" : "sequent";

let program;
try {
  program = process.env.SEQUENT_BINARY || require.resolve(`${name}/${file}`);
} catch {
  console.error(`sequent: the package ${name} is not installed: there is none for this machine, or optional packages are left out`);
  process.exit(2);
}
const result = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (result.error) {
  console.error(`sequent: ${result.error.message}`);
  process.exit(2);
}
if (result.signal) {
  process.kill(process.pid, result.signal);
} else {
  process.exit(result.status);
}
