// The address of the live page: the first line that `sequent serve` prints.

/** Collects what a program prints until its first line is whole. */
export class FirstLine {
  private text = "";

  /** Adds a part; the first line as soon as it is whole. */
  add(part: string): string | undefined {
    this.text += part;
    const end = this.text.indexOf("\n");
    return end < 0 ? undefined : this.text.slice(0, end).trim();
  }
}

/** The address of a page on this machine, or undefined: nothing else is shown in the preview. */
export function localAddress(line: string): URL | undefined {
  if (!URL.canParse(line)) {
    return undefined;
  }
  const url = new URL(line);
  const isLocal = url.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return isLocal && url.port !== "" ? url : undefined;
}

/** The schemes of the pages around a preview. */
const AROUND = ["vscode-webview:", "vscode-file:"];

/** Whether the headers of a page let the editor show it within a page of its own. */
export function isFrameable(header: (name: string) => string | null): boolean {
  const policy = header("content-security-policy") ?? "";
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]*)/.exec(policy)?.[1]?.split(/\s+/);
  // A policy that names ancestors counts more than the older header.
  return ancestors === undefined ? header("x-frame-options") === null : AROUND.every((scheme) => ancestors.includes(scheme));
}
