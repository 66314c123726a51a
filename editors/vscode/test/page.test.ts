import assert from "node:assert/strict";
import { test } from "node:test";

import { FirstLine, isFrameable, localAddress } from "../src/address.js";
import { drawn, framed, told } from "../src/page.js";

test("the first line may come in parts", () => {
  const line = new FirstLine();
  assert.equal(line.add("http://127.0.0.1:"), undefined);
  assert.equal(line.add("4000/?token=x\r\nmore"), "http://127.0.0.1:4000/?token=x");
});

test("only pages of this machine are shown", () => {
  assert.equal(localAddress("http://127.0.0.1:4000/?token=a")?.search, "?token=a");
  for (const other of ["", "listening", "https://127.0.0.1:1/", "http://127.0.0.1.evil.example:80/", "http://10.0.0.1:4000/", "file:///etc/passwd"]) {
    assert.equal(localAddress(other), undefined, other);
  }
});

test("the page holds a frame and may load nothing else", () => {
  const html = framed(new URL('http://127.0.0.1:4000/?token=a&b="><script>'));
  assert.match(html, /frame-src http:\/\/127\.0\.0\.1:4000;/);
  assert.match(html, /default-src 'none'/);
  assert.ok(!html.includes("<script"), html);
  assert.ok(told("<b>&").includes("&lt;b&gt;&amp;"));
});

test("a picture can run and load nothing", () => {
  const html = drawn("<svg><text>a</text></svg>");
  assert.match(html, /default-src 'none'; style-src 'unsafe-inline'"/);
  assert.ok(html.includes("<svg><text>a</text></svg>"));
});

test("a page that refuses frames is not framed", () => {
  const headers = (all: Record<string, string>) => (name: string) => all[name] ?? null;
  assert.ok(isFrameable(headers({})));
  assert.ok(!isFrameable(headers({ "x-frame-options": "DENY" })));
  assert.ok(!isFrameable(headers({ "content-security-policy": "default-src 'none'; frame-ancestors 'none'" })));
  assert.ok(isFrameable(headers({ "content-security-policy": "frame-ancestors vscode-webview: vscode-file:", "x-frame-options": "DENY" })));
});
