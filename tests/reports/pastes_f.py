"""Texts as people paste them, of logs, trackers and chats: each with the call that is in it.

The address, the ids and the answers are invented; the shapes are those of the programs named.
"""
# ruff: noqa: E501  the lines are as long as they come

from __future__ import annotations

import json

from tests.reports.pastes import ANS, PLAIN, PRETTY, URL, Pastes

p = Pastes()
ESC = PLAIN.replace('"', '\\"')
PANS = json.dumps(json.loads(ANS), indent=2)


p(
    "py-bytes-esc",
    "recv " + repr('{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"é it\'s \\"q\\""}}'.encode()),
    body='{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"é it\'s \\"q\\""}}',
)
p(
    "node-log-undefined",
    """{ jsonrpc: '2.0', id: 42, method: 'tools/call', params: { name: 'olv_get_world', arguments: { id: 'lantern' }, _meta: undefined } }""",
)
p(
    "node-log-object-ellipsis",
    """{ jsonrpc: '2.0', id: 42, method: 'tools/call', params: { name: 'olv_get_world', arguments: [Object] } }""",
    outcome="refused",
)
p("stern", "\n".join("api-5d › api " + line for line in PRETTY.split("\n")))
p(
    "inspector-no-env",
    json.dumps(
        {
            "request": {"method": "tools/call", "params": {"name": "olv_get_world", "arguments": {"id": "lantern"}}},
            "response": {"content": []},
        }
    ),
    body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_get_world","arguments":{"id":"lantern"}}}',
)
p(
    "ruby-symbols",
    """{:jsonrpc=>"2.0", :id=>42, :method=>"tools/call", :params=>{:name=>"olv_get_world", :arguments=>{:id=>"lantern"}}}""",
)
p(
    "elixir-map",
    """[debug] %{"id" => 42, "jsonrpc" => "2.0", "method" => "tools/call", "params" => %{"arguments" => %{"id" => "lantern"}, "name" => "olv_get_world"}}""",
)
p("gh-diff", "```diff\n" + "\n".join("+ " + line for line in PRETTY.split("\n")) + "\n```")
p(
    "gh-diff-mixed",
    '```diff\n {\n   "jsonrpc": "2.0",\n-  "id": 41,\n+  "id": 42,\n   "method": "ping"\n }\n```',
    body='{"jsonrpc":"2.0","id":42,"method":"ping"}',
)
p("slack-link", f"curl -X POST <{URL}> -H 'Content-Type: application/json' -d '{PLAIN}'", url=URL)
p("slack-link2", f"curl -X POST <{URL}|{URL}> -H 'Content-Type: application/json' -d '{PLAIN}'", url=URL)
p("md-link", f"curl -X POST [{URL}]({URL}) -H 'Content-Type: application/json' -d '{PLAIN}'", url=URL)
p("outlook-link", f"curl -X POST {URL}<{URL}> -H 'Content-Type: application/json' -d '{PLAIN}'", url=URL)
p("esc-pretty-noq", json.dumps(PRETTY)[1:-1])
p("missing-brace", PLAIN[:-1], outcome="refused")
p("missing-2brace", PLAIN[:-2], outcome="refused")
p("cut-log", f"2026-11-03 DEBUG POST body: {PLAIN[:70]}...(truncated)", outcome="refused")
p(
    "ellipsis-args",
    '{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"olv_get_world","arguments":{...}}}',
    outcome="refused",
)
p("gutter-alone", "\n".join(f"{i + 1}\n{line}" for i, line in enumerate(PRETTY.split("\n"))))
p(
    "gutter-cat-n",
    "\n".join(
        f"{i + 1:>6}\t{line}"
        for i, line in enumerate(
            f"curl -X POST {URL} \\\n  -H 'Content-Type: application/json' \\\n  -d '{PLAIN}'".split("\n")
        )
    ),
    url=URL,
)
p("gutter-in-fence", "```\n" + "\n".join(f"{i + 1}  {line}" for i, line in enumerate(PRETTY.split("\n"))) + "\n```")
p(
    "wrap-mail-prose",
    "Hello,\n\nthis fails for me:\n\n" + "\n".join(PLAIN[i : i + 72] for i in range(0, len(PLAIN), 72)) + "\n\nBye",
)
p("qp", "Content-Transfer-Encoding: quoted-printable\n\n" + PLAIN.replace("=", "=3D")[:75] + "=\n" + PLAIN[75:])
p("redacted-unq", f"curl {URL} -H Authorization:\\ Bearer\\ <token> -H 'Content-Type: application/json' -d '{PLAIN}'")
p("req-with-url-prose", f"POST to {URL} with body {PLAIN} gives {ANS}", url=URL, expected=ANS)
