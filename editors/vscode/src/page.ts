// The page of the preview: a frame around the live page, and nothing else. No script runs in it but the one that the live page brings.

/** What stands between quotes in HTML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function page(policy: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; padding: 0; border: 0 } p { padding: 1em }</style>
<title>Sequent</title>
</head>
<body>${body}</body>
</html>`;
}

/** A frame with the live page at this address. */
export function framed(address: URL): string {
  const policy = `default-src 'none'; frame-src ${address.origin}; style-src 'unsafe-inline'`;
  return page(policy, `<iframe title="Live diagrams" src="${escaped(address.href)}"></iframe>`);
}

/** A picture; nothing in it can run or load anything. */
export function drawn(svg: string): string {
  return page("default-src 'none'; style-src 'unsafe-inline'", `<main style="padding: 1em">${svg}</main>`);
}

/** A message instead of the page. */
export function told(message: string): string {
  return page("default-src 'none'; style-src 'unsafe-inline'", `<p>${escaped(message)}</p>`);
}
