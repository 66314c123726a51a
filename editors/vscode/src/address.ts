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
