// Makes npm packages from the archives of a release: one for each machine with the program, and one that picks the right one.
//
//   node packaging/npm/build.mjs FOLDER VERSION
//
// FOLDER holds `sequent-TARGET.tar.gz`; the packages are folders in FOLDER/npm, ready for `npm publish`.

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NAME = "sequent-diagrams";
const TARGETS = {
  "x86_64-unknown-linux-musl": ["linux", "x64"],
  "aarch64-unknown-linux-musl": ["linux", "arm64"],
  "x86_64-apple-darwin": ["darwin", "x64"],
  "aarch64-apple-darwin": ["darwin", "arm64"],
  "x86_64-pc-windows-msvc": ["win32", "x64"],
};

const here = dirname(fileURLToPath(import.meta.url));
const [folder, version] = process.argv.slice(2);
const out = join(resolve(folder), "npm");
rmSync(out, { recursive: true, force: true });

const common = { version, license: "MIT OR Apache-2.0", keywords: ["uml", "sequence-diagram", "state-machine", "plantuml", "mermaid"] };
const written = (name, manifest) => writeFileSync(join(out, name, "package.json"), `${JSON.stringify({ name, ...common, ...manifest }, null, 2)}\n`);

const optionalDependencies = {};
for (const [target, [os, cpu]] of Object.entries(TARGETS)) {
  const archive = join(resolve(folder), `sequent-${target}.tar.gz`);
  if (!existsSync(archive)) continue;
  const name = `${NAME}-${os}-${cpu}`;
  const place = join(out, name);
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", archive, "-C", place, "--strip-components=1"]);
  written(name, { description: `The program of ${NAME} for ${os} on ${cpu}`, os: [os], cpu: [cpu], preferUnplugged: true });
  optionalDependencies[name] = version;
}

if (Object.keys(optionalDependencies).length === 0) {
  console.error(`${folder}: there are no archives in it`);
  process.exit(1);
}
mkdirSync(join(out, NAME), { recursive: true });
cpSync(join(here, "launch.cjs"), join(out, NAME, "launch.cjs"));
chmodSync(join(out, NAME, "launch.cjs"), 0o755);
cpSync(join(here, "README.md"), join(out, NAME, "README.md"));
written(NAME, {
  description: "Checks UML sequence diagrams and state machines: PlantUML, Mermaid, Markdown",
  bin: { sequent: "launch.cjs" },
  engines: { node: ">=18" },
  optionalDependencies,
});
console.log(Object.keys(optionalDependencies).length, "programs");
