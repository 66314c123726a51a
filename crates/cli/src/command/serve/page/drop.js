// Files that are dropped on the page: a picture that carries its diagram, or the text of one.

import { post } from "./api.js";

/** @param {ArrayBuffer} buffer */
function digits(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {(file: string, text: string) => void} taken the file that is proposed, and the text of the diagram
 * @param {(problem: unknown) => void} complain
 */
export function accept(taken, complain) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer ? event.dataTransfer.files[0] : null;
    if (!file) return;
    try {
      const isPicture = /\.(svg|png)$/i.test(file.name);
      const found = isPicture ? await post("/api/picture", { bytes: digits(await file.arrayBuffer()) }) : { file: file.name, text: await file.text() };
      const stem = file.name.replace(/\.[^.]*$/, "");
      // A block of a document is a diagram of its own.
      const isOwn = /\.(puml|plantuml|pu|iuml|wsd|mmd|mermaid)$/i.test(found.file);
      taken(isOwn ? found.file : `${stem}.${/^\s*@start/.test(found.text) ? "puml" : "mmd"}`, found.text);
    } catch (problem) {
      complain(problem);
    }
  });
}
