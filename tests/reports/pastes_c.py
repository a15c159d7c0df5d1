"""Texts as people paste them, of code, HAR files and mails: each with the call that is in it.

The address, the ids and the answers are invented; the shapes are those of the programs named.
"""
# ruff: noqa: E501  the lines are as long as they come

from __future__ import annotations

import base64
import json
import re
import textwrap
import urllib.parse
from typing import Any

from tests.reports.pastes import ANS, CALL_IN_CMD, CALL_IN_HTML, ERR, PLAIN, PRETTY, URL, Pastes, har

in_caret = PLAIN.replace('"', '^\\^"').replace("{", "^{").replace("}", "^}")
p = Pastes()

p(
    "python-requests-postman",
    f"""import requests
import json

url = "{URL}"

payload = json.dumps({{
  "jsonrpc": "2.0",
  "id": 42,
  "method": "tools/call",
  "params": {{
    "name": "olv_get_world",
    "arguments": {{
      "id": "lantern"
    }}
  }}
}})
headers = {{
  'Content-Type': 'application/json',
  'Accept': 'application/json, text/event-stream'
}}

response = requests.request("POST", url, headers=headers, data=payload)

print(response.text)
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "python-httpx-json",
    f"""import httpx
r = httpx.post(
    "{URL}",
    headers={{"Accept": "application/json, text/event-stream"}},
    json={{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": "olv_get_world", "arguments": {{"id": "lantern"}}}}}},
    timeout=30,
)
print(r.json())
""",
    url=URL,
)
p("har-firefox", har("Firefox"), url=URL, headers={"content-type": "application/json"}, expected=ANS)
p("har-chrome", har("WebInspector"), url=URL, expected=ANS)
chrome: Any = json.loads(har("WebInspector"))
chrome["log"]["entries"][1]["response"]["content"] = {
    "size": 200,
    "mimeType": "application/json",
    "text": base64.b64encode(ANS.encode()).decode(),
    "encoding": "base64",
}
p("har-b64-response", json.dumps(chrome), url=URL, expected=ANS)
p(
    "slack-quotes",
    "curl -X POST "
    + URL
    + " -H “Content-Type: application/json” -d ‘"
    + PLAIN.replace('"', "”", 1).replace('"', "“", 1).replace('"', "”")
    + "’",
    url=URL,
)
p("slack-json", PLAIN.replace('"', "“", 1).replace('"', "”"))
curl_line = f"curl -X POST {URL} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{PLAIN}'"
wrapped = "\n".join(curl_line[i : i + 80] for i in range(0, len(curl_line), 80))
p("curl-wrapped-80", wrapped, url=URL)
folded = "\n".join(textwrap.wrap(curl_line, 72, break_long_words=False, break_on_hyphens=False))
p("curl-wrapped-mail-72", folded, url=URL)
p(
    "cmd-carets",
    f"""C:\\Users\\me>curl -X POST "{URL}" ^
More? -H "Content-Type: application/json" ^
More? -d "{CALL_IN_CMD}"
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "cmd-chrome",
    f"""curl ^"{URL}^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"{in_caret}^"
""",
    url=URL,
)


def ansi(s: str) -> str:
    return re.sub(
        r'("[^"]*")(:?)',
        lambda m: ("\x1b[34;1m" + m[1] + "\x1b[0m\x1b[1;39m" + m[2]) if m[2] else "\x1b[0;32m" + m[1] + "\x1b[0m",
        s,
    )


p("jq-ansi", "\x1b[1;39m" + ansi(PRETTY) + "\x1b[0m")
p("jq-ansi-caret", ("\x1b[1;39m" + ansi(PLAIN)).replace("\x1b", "^["))
p("jq-ansi-noesc", ("\x1b[1;39m" + ansi(PLAIN)).replace("\x1b", ""))
p(
    "docker-compose",
    f"""olv-api-1  | INFO:     172.18.0.1:51822 - "POST /mcp HTTP/1.1" 200 OK
olv-api-1  | 2025-11-03 12:00:01 DEBUG request body={PLAIN}
olv-api-1  | 2025-11-03 12:00:01 DEBUG response body={ANS}
""",
    expected=ANS,
)
p(
    "k8s-escaped",
    json.dumps(
        {
            "log": "2025-11-03T12:00:01Z DEBUG rpc in: " + PLAIN + "\n",
            "stream": "stderr",
            "time": "2025-11-03T12:00:01.123Z",
        }
    ),
)
p(
    "k8s-cri-escaped",
    f"""2025-11-03T12:00:01.123456789Z stdout F {json.dumps({"level": "info", "msg": "incoming", "payload": PLAIN})}
2025-11-03T12:00:01.223456789Z stdout F {json.dumps({"level": "info", "msg": "outgoing", "payload": ANS})}
""",
    expected=ANS,
)
p("logfmt-escaped", f'time=2025-11-03T12:00:01Z level=debug msg="mcp request" body={json.dumps(PLAIN)} status=200')
p("docker-pretty-prefix", "\n".join("olv-api-1  | " + line for line in PRETTY.split("\n")))
p("k8s-pretty-prefix", "\n".join("2025-11-03T12:00:01.123Z stdout F " + line for line in PRETTY.split("\n")))
p("base64-body", "body_base64=" + base64.b64encode(PLAIN.encode()).decode())
p("base64-lone", base64.b64encode(PLAIN.encode()).decode())
p(
    "base64-lambda",
    json.dumps(
        {
            "version": "2.0",
            "rawPath": "/mcp",
            "headers": {"content-type": "application/json", "host": "onelifevibe.com"},
            "requestContext": {"http": {"method": "POST", "path": "/mcp"}},
            "body": base64.b64encode(PLAIN.encode()).decode(),
            "isBase64Encoded": True,
        }
    ),
)
p(
    "lambda-plain",
    json.dumps(
        {
            "version": "2.0",
            "rawPath": "/mcp",
            "headers": {"content-type": "application/json", "host": "onelifevibe.com"},
            "requestContext": {"http": {"method": "POST", "path": "/mcp"}},
            "body": PLAIN,
            "isBase64Encoded": False,
        }
    ),
)
p(
    "mail-quote",
    "On Mon, Nov 3, 2025 at 12:00 PM Jo <jo@x.org> wrote:\n\n"
    + "\n".join("> " + line for line in ("Hi, I sent\n\n" + PRETTY + "\n\nand got\n\n" + ANS).split("\n")),
    expected=ANS,
)
p(
    "mail-quote-curl",
    "Jo wrote:\n> this fails:\n>\n> curl -X POST "
    + URL
    + " \\\n>   -H 'Content-Type: application/json' \\\n>   -d '"
    + PLAIN
    + "'\n>\n> thanks\n",
    url=URL,
)
p("mail-quote-2", "\n".join(">> " + line for line in PRETTY.split("\n")))
p("json-string", json.dumps(PLAIN))
p("py-repr", str(json.loads(PLAIN)))
p("py-repr-bytes", "body: " + repr(PLAIN.encode()))
p(
    "js-inspect",
    """{
  jsonrpc: '2.0',
  id: 42,
  method: 'tools/call',
  params: { name: 'olv_get_world', arguments: { id: 'lantern' } }
}""",
)
p("url-encoded-form", "payload=" + urllib.parse.quote(PLAIN))
p("html-entities", PLAIN.replace('"', "&quot;"))
p("html-entities-curl", f"curl -d '{PLAIN}' {URL}".replace('"', "&quot;").replace("'", "&#39;"), url=URL)
p("nbsp-indent", PRETTY.replace("  ", "\xa0\xa0"))
p("zero-width", PLAIN.replace('{"jsonrpc"', '{\u200b"jsonrpc"'))
p("jira", "{code:json}\n" + PRETTY + "\n{code}")
p(
    "quoted-printable",
    "Content-Transfer-Encoding: quoted-printable\n\n" + PLAIN.replace("=", "=3D")[:70] + "=\n" + PLAIN[70:],
)
p("diff-plus", "\n".join("+" + line for line in PRETTY.split("\n")))
p("indent-rst", "Request::\n\n" + "\n".join("    " + line for line in PRETTY.split("\n")))
p(
    "http-file",
    f"""### call
POST {URL} HTTP/1.1
Content-Type: application/json
Accept: application/json, text/event-stream

{PRETTY}
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "raw-http-crlf",
    f"POST /mcp HTTP/1.1\r\nHost: onelifevibe.com\r\nContent-Type: application/json\r\nContent-Length: {len(PLAIN)}\r\n\r\n{PLAIN}",
)
p(
    "raw-http-pair",
    f"POST /mcp HTTP/1.1\r\nHost: onelifevibe.com\r\nContent-Type: application/json\r\n\r\n{PLAIN}\n\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{ANS}",
    expected=ANS,
)
p("ndjson-pair", PLAIN + "\n" + ANS, expected=ANS)
p("heredoc", f"curl -sS {URL} -H 'content-type: application/json' -d @- <<'EOF'\n{PRETTY}\nEOF\n", url=URL)
p(
    "echo-pipe",
    f"echo '{PLAIN}' | curl -sS -X POST -H 'Content-Type: application/json' --data-binary @- {URL} | jq .",
    url=URL,
)
p("curl-json-flag", f"curl --json '{PLAIN}' {URL}", url=URL, headers={"content-type": "application/json"})
p(
    "curl-var",
    f"""URL={URL}
TOKEN=abc
curl -s "$URL" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{PLAIN}'
""",
    url=URL,
)
p("fish-prompt", f"me@box ~/src> curl {URL} -H 'Content-Type: application/json' -d '{PLAIN}'", url=URL)
p(
    "httpie",
    f'http POST {URL} Accept:application/json jsonrpc=2.0 id:=42 method=tools/call params:=\'{{"name":"olv_get_world","arguments":{{"id":"lantern"}}}}\'',
    url=URL,
)
p("httpie-raw", f"http --raw '{PLAIN}' POST {URL} Content-Type:application/json", url=URL)
p(
    "issue-inline-curl",
    f"To reproduce run `curl -X POST {URL} -H 'Content-Type: application/json' -d '{PLAIN}'` and see the error `{ERR}`",
    url=URL,
)
p("go-escaped", f"2025/11/03 12:00:01 request body: {json.dumps(PLAIN)}")
p("wireshark-hex", "", outcome="refused")
p(
    "json-comments",
    '{\n  // the call\n  "jsonrpc": "2.0",\n  "id": 42, /* id */\n  "method": "tools/call",\n  "params": { "name": "olv_get_world", "arguments": { "id": "lantern" } }\n}',
)
p("truncated", PLAIN[:-20], outcome="refused")
p(
    "mcp-remote",
    f"[12345] [Local→Remote] tools/call\n[12345] {PRETTY}\n[12345] [Remote→Local] 42\n[12345] {json.dumps(json.loads(ANS), indent=2)}",
    expected=ANS,
)
p("fastmcp-proxy-arrow", f"--> {PLAIN}\n<-- {ANS}", expected=ANS)
p(
    "details-html",
    f"<details><summary>Request</summary>\n\n```json\n{PLAIN}\n```\n\n</details>\n<details>\n<summary>Response</summary>\n\n```\n{ANS}\n```\n</details>",
    expected=ANS,
)
p("pre-html", f"<pre><code>{CALL_IN_HTML}</code></pre>")
p(
    "postman-collection",
    json.dumps(
        {
            "info": {"name": "olv", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "item": [
                {
                    "name": "call",
                    "request": {
                        "method": "POST",
                        "header": [{"key": "Content-Type", "value": "application/json"}],
                        "body": {"mode": "raw", "raw": PRETTY, "options": {"raw": {"language": "json"}}},
                        "url": {"raw": URL, "protocol": "https", "host": ["onelifevibe", "com"], "path": ["mcp"]},
                    },
                    "response": [],
                }
            ],
        },
        indent=1,
    ),
    url=URL,
)
p(
    "insomnia-go",
    f"""url := "{URL}"
payload := strings.NewReader({json.dumps(PLAIN)})
req, _ := http.NewRequest("POST", url, payload)
req.Header.Add("Content-Type", "application/json")
""",
)
p(
    "go-backtick",
    f"""  url := "{URL}"
  method := "POST"

  payload := strings.NewReader(`{PRETTY}`)

  client := &http.Client {{}}
  req, err := http.NewRequest(method, url, payload)
  req.Header.Add("Content-Type", "application/json")
""",
)
p(
    "java-okhttp",
    f"""MediaType mediaType = MediaType.parse("application/json");
RequestBody body = RequestBody.create(mediaType, {json.dumps(PLAIN)});
Request request = new Request.Builder()
  .url("{URL}")
  .method("POST", body)
  .addHeader("Content-Type", "application/json")
  .build();
""",
)
p(
    "ruby-json",
    """request.body = JSON.dump({
  "jsonrpc": "2.0",
  "id": 42,
  "method": "tools/call",
  "params": { "name": "olv_get_world", "arguments": { "id": "lantern" } }
})""",
)
p(
    "mitmproxy",
    f"""2025-11-03 12:00:01 POST {URL} HTTP/2.0
    ← 200 OK application/json 200b 120ms
Request
content-type: application/json

{PRETTY}
""",
)
p(
    "ms-devtools-payload",
    f"""Request URL
{URL}
Request Method
POST
Status Code
200 OK
Request Payload
{PLAIN}
""",
)
p("langgraph-log", f"ERROR root: tool call failed request={PLAIN!s} exc=McpError('Invalid params')")
