"""Texts as people paste them, of HTTPie, code and HTTP: each with the call that is in it.

The address, the ids and the answers are invented; the shapes are those of the programs named.
"""
# ruff: noqa: E501  the lines are as long as they come

from __future__ import annotations

import json

from tests.reports.pastes import ANS, PING, PLAIN, PRETTY, URL, Pastes

p = Pastes()
CJ = {"content-type": "application/json"}
PANS = json.dumps(json.loads(ANS), indent=2)
PARAMS = '{"name":"olv_get_world","arguments":{"id":"lantern"}}'
INIT = '{"jsonrpc":"2.0","id":0,"method":"initialize"}'


p(
    "httpie-bearer",
    f"http -A bearer -a tok123456 {URL} jsonrpc=2.0 id:=42 method=tools/call params:='{PARAMS}'",
    headers={"authorization": "Bearer tok123456"},
)
p(
    "httpie-bearer-eq",
    f"http --auth-type=bearer --auth=tok123456 {URL} jsonrpc=2.0 id:=42 method=tools/call params:='{PARAMS}'",
    headers={"authorization": "Bearer tok123456"},
)
p("httpie-redir", f"http POST {URL} < body.json", outcome="refused")
p("httpie-redir-shown", f"$ cat body.json\n{PRETTY}\n$ http POST {URL} < body.json", url=URL)
p(
    "httpie-nested-idx",
    f"http {URL} jsonrpc=2.0 id:=1 method=m 'params[a][1]=x' 'params[a][0]=y'",
    body='{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":["y","x"]}}',
)
p("httpie-rootlist", f"http {URL} '[]:={PING}' '[]:={PLAIN}'", body=f"[{PING},{PLAIN}]")
p(
    "httpie-headers",
    f"http {URL} 'X-A: b c' 'X-E;' X-Gone: jsonrpc=2.0 id:=42 method=tools/call params:='{PARAMS}'",
    headers={"x-a": "b c", "x-e": ""},
)
p(
    "httpie-output",
    f"$ http POST {URL} jsonrpc=2.0 id:=42 method=tools/call params:='{PARAMS}'\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{PANS}\n",
    url=URL,
    expected=ANS,
)
p(
    "httpie-opt-last",
    f"http POST {URL} jsonrpc=2.0 id:=42 method=tools/call params:='{PARAMS}' --verbose --pretty=all",
    url=URL,
)
p(
    "wget-auth",
    f"wget --user=u --password=p --auth-no-challenge --post-data='{PLAIN}' {URL}",
    url=URL,
    headers={"authorization": "Basic dTpw"},
)
p(
    "py-requests-json",
    f"""import requests
r = requests.post("{URL}", json={{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": "olv_get_world", "arguments": {{"id": "lantern"}}}}}}, headers={{"Authorization": f"Bearer {{token}}"}})
print(r.status_code, r.text)""",
    url=URL,
)
p(
    "py-session",
    f"""s = requests.Session()
s.headers.update({{"Accept": "application/json"}})
resp = s.post("{URL}", data=json.dumps({{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": "olv_get_world", "arguments": {{"id": "lantern"}}}}}}))""",
    url=URL,
)
p(
    "py-urllib",
    f"""import json, urllib.request
req = urllib.request.Request(
    "{URL}",
    data=json.dumps({{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": "olv_get_world", "arguments": {{"id": "lantern"}}}}}}).encode(),
    headers={{"Content-Type": "application/json"}},
    method="POST",
)
print(urllib.request.urlopen(req).read())""",
    url=URL,
    headers=CJ,
)
p(
    "py-httpx-async",
    f"""async with httpx.AsyncClient(timeout=30) as c:
    r = await c.post("{URL}", json={{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": "olv_get_world", "arguments": {{"id": "lantern"}}}}}})""",
    url=URL,
)
p(
    "py-ipython",
    f"""In [1]: import requests
In [2]: r = requests.post("{URL}", json={{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": "olv_get_world", "arguments": {{"id": "lantern"}}}}}})
In [3]: r.json()
Out[3]: {json.loads(ANS)!r}
""",
    url=URL,
    expected=ANS,
)
p(
    "py-func",
    f"""def call(name, args):
    return requests.post("{URL}", json={{"jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {{"name": name, "arguments": args}}}})
call("olv_get_world", {{"id": "lantern"}})""",
    outcome="refused",
)
p(
    "py-fstring-url",
    f"""BASE="https://onelifevibe.com"
requests.post(f"{{BASE}}/mcp", json={json.loads(PLAIN)!r})""",
    url=URL,
)
p(
    "js-fetch-const",
    f"""const url = '{URL}';
const body = {{ jsonrpc: '2.0', id: 42, method: 'tools/call', params: {{ name: 'olv_get_world', arguments: {{ id: 'lantern' }} }} }};
const res = await fetch(url, {{
  method: 'POST',
  headers: {{ 'Content-Type': 'application/json', Authorization: `Bearer ${{process.env.TOKEN}}` }},
  body: JSON.stringify(body),
}});""",
    url=URL,
    headers=CJ,
)
p(
    "node-https",
    """const https = require('https');
const options = { method: 'POST', hostname: 'onelifevibe.com', path: '/mcp', headers: { 'Content-Type': 'application/json' } };
const req = https.request(options, res => {});
req.write(JSON.stringify({jsonrpc: '2.0', id: 42, method: 'tools/call', params: {name: 'olv_get_world', arguments: {id: 'lantern'}}}));
req.end();""",
    url=URL,
    headers=CJ,
)
p(
    "ts-axios",
    f"""const {{ data }} = await axios.post<Answer>('{URL}', {{ jsonrpc: '2.0', id: 42, method: 'tools/call', params: {{ name: 'olv_get_world', arguments: {{ id: 'lantern' }} }} }}, {{ headers: {{ Accept: 'application/json' }} }});""",
    url=URL,
    headers={"accept": "application/json"},
)
p(
    "php-guzzle",
    f"""$client->post('{URL}', ['headers' => ['Content-Type' => 'application/json'], 'body' => '{PLAIN}']);""",
    url=URL,
)
p(
    "rust-reqwest",
    f"""let res = client.post("{URL}").header("content-type", "application/json").body(r#"{PLAIN}"#).send().await?;""",
    url=URL,
    headers=CJ,
)
p("rust-json", f"""let res = client.post("{URL}").json(&serde_json::json!({PRETTY})).send().await?;""", url=URL)
p(
    "csharp-raw",
    f'''var content = new StringContent("""{PLAIN}""", Encoding.UTF8, "application/json");
var r = await client.PostAsync("{URL}", content);''',
    url=URL,
)
p(
    "csharp-verbatim",
    'var content = new StringContent(@"'
    + PLAIN.replace('"', '""')
    + f'''", Encoding.UTF8, "application/json");
var r = await client.PostAsync("{URL}", content);''',
    url=URL,
)
p(
    "http2-pseudo",
    f":method: POST\n:path: /mcp\n:authority: onelifevibe.com\n:scheme: https\ncontent-type: application/json\n\n{PLAIN}",
    url=URL,
    headers=CJ,
)
p(
    "wireshark-stream",
    f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {len(PLAIN)}\r\n\r\n{PLAIN}HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(ANS)}\r\n\r\n{ANS}",
    url="http://127.0.0.1:8000/mcp",
    expected=ANS,
)
p(
    "wireshark-two",
    f'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Length: {len(INIT)}\r\n\r\n{INIT}HTTP/1.1 200 OK\r\n\r\n{{"jsonrpc":"2.0","id":0,"result":{{}}}}POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Length: {len(PLAIN)}\r\n\r\n{PLAIN}HTTP/1.1 200 OK\r\n\r\n{ANS}',
    outcome="asked",
)
p(
    "http-chunked",
    f"POST /mcp HTTP/1.1\nHost: localhost:3000\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n{len(PLAIN):x}\r\n{PLAIN}\r\n0\r\n\r\nHTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n{len(ANS):x}\r\n{ANS}\r\n0\r\n\r\n",
    url="http://localhost:3000/mcp",
    expected=ANS,
)
p(
    "insomnia-timeline",
    f"""* Preparing request to {URL}
* Current time is 2026-11-03T12:00:01.000Z
> POST /mcp HTTP/1.1
> Host: onelifevibe.com
> content-type: application/json
> accept: */*

| {PLAIN}

< HTTP/1.1 200 OK
< content-type: application/json

{ANS}""",
    url=URL,
    expected=ANS,
)
p(
    "insomnia-export",
    json.dumps(
        {
            "_type": "export",
            "__export_format": 4,
            "resources": [
                {
                    "_id": "req_1",
                    "_type": "request",
                    "method": "POST",
                    "url": URL,
                    "name": "x",
                    "headers": [{"name": "Content-Type", "value": "application/json"}],
                    "body": {"mimeType": "application/json", "text": PLAIN},
                }
            ],
        }
    ),
    url=URL,
)
