"""Texts as people paste them, of trackers, code and tools: each with the call that is in it.

The address, the ids and the answers are invented; the shapes are those of the programs named.
"""
# ruff: noqa: E501  the lines are as long as they come

from __future__ import annotations

import json

from tests.reports.pastes import ANS, CALL_IN_CMD, CALL_IN_HTML, ERR, PLAIN, PRETTY, URL, Pastes, har

p = Pastes()


IN_STRING = json.dumps(PLAIN)
p(
    "curl-v-stderr-mixed",
    f"""  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
* Connected to onelifevibe.com
> POST /mcp HTTP/2
> Host: onelifevibe.com
> content-type: application/json
> content-length: 112
>
}} [112 bytes data]
< HTTP/2 406
< content-type: application/json
<
{{ [80 bytes data]
{ERR}
""",
    outcome="refused",
)
p(
    "teams-nbsp-curl",
    f"curl\u00a0-X\u00a0POST\u00a0{URL}\u00a0-H\u00a0'Content-Type:\u00a0application/json'\u00a0-d\u00a0'{PLAIN}'",
    url=URL,
)
p(
    "curl-multi-line-json",
    f"curl --location '{URL}' \\\n--header 'Content-Type: application/json' \\\n--header 'Accept: application/json, text/event-stream' \\\n--data '{PRETTY}'",
    url=URL,
    headers={"accept": "application/json, text/event-stream"},
)
p(
    "curl-trailing-backslash-space",
    f"curl -X POST {URL} \\ \n  -H 'Content-Type: application/json' \\ \n  -d '{PLAIN}'",
    url=URL,
    headers={"content-type": "application/json"},
)
p("curl-double-quoted", f'curl -X POST {URL} -H "Content-Type: application/json" -d "{CALL_IN_CMD}"', url=URL)
p(
    "ps-curl-exe",
    f"curl.exe -X POST {URL} `\n  -H \"Content-Type: application/json\" `\n  -d '{CALL_IN_CMD}'",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "ps-irm",
    f"""$body = '{PLAIN}'
Invoke-RestMethod -Uri {URL} -Method Post -ContentType 'application/json' -Headers @{{ Accept = 'application/json, text/event-stream' }} -Body $body""",
    url=URL,
    headers={"accept": "application/json, text/event-stream"},
)
p(
    "ps-convertto",
    f"""$body = @{{
  jsonrpc = "2.0"
  id = 42
  method = "tools/call"
  params = @{{ name = "olv_get_world"; arguments = @{{ id = "lantern" }} }}
}} | ConvertTo-Json -Depth 10
Invoke-RestMethod -Uri "{URL}" -Method Post -ContentType "application/json" -Body $body""",
    url=URL,
)
p(
    "iwr-chrome",
    f"""Invoke-WebRequest -UseBasicParsing -Uri "{URL}" `
-Method "POST" `
-Headers @{{
"accept"="application/json, text/event-stream"
  "mcp-protocol-version"="2025-06-18"
}} `
-ContentType "application/json" `
-Body "{PLAIN.replace('"', '`"')}"
""",
    url=URL,
    headers={"accept": "application/json, text/event-stream"},
)
p(
    "gh-issue-form",
    f"""### What happened?

Calling a tool fails.

### Steps to reproduce

1. Run

```shell
$ curl -i -X POST {URL} \\
    -H "Content-Type: application/json" \\
    -H "Accept: application/json, text/event-stream" \\
    -d '{PLAIN}'
```

2. See

```
HTTP/2 200
content-type: text/event-stream
mcp-session-id: 5f1b

event: message
data: {ERR}

```

### Expected behavior

```json
{ANS}
```

### Version

1.2.3
""",
    url=URL,
    expected=ERR,
)
p(
    "gh-issue-2-steps-curl",
    f"""```bash
curl -X POST {URL} -H 'Content-Type: application/json' -d '{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{}},"clientInfo":{{"name":"x","version":"1"}}}}}}'
curl -X POST {URL} -H 'Content-Type: application/json' -H 'mcp-session-id: abc' -d '{PLAIN}'
```""",
    outcome="asked",
)
p(
    "inspector-cli",
    f"npx @modelcontextprotocol/inspector --cli {URL} --transport http --method tools/call --tool-name olv_get_world --tool-arg id=lantern",
    outcome="imported",
    body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_get_world","arguments":{"id":"lantern"}}}',
    url=URL,
)
p(
    "spring-log",
    f'2025-11-03 12:00:01.123 DEBUG 1 --- [nio-8080-exec-1] o.s.w.s.m.m.a.HttpEntityMethodProcessor  : Read "application/json;charset=UTF-8" to [{PLAIN}]',
)
p(
    "rails-log",
    """Started POST "/mcp" for 203.0.113.7 at 2025-11-03 12:00:01 +0000
Processing by McpController#create as JSON
  Parameters: {"jsonrpc"=>"2.0", "id"=>42, "method"=>"tools/call", "params"=>{"name"=>"olv_get_world", "arguments"=>{"id"=>"lantern"}}}
""",
)
p("winston", "debug: incoming " + PLAIN + ' {"requestId":"abc"}')
p(
    "pino",
    json.dumps(
        {
            "level": 30,
            "time": 1762171201000,
            "pid": 1,
            "req": {"id": 1, "method": "POST", "url": "/mcp", "headers": {"host": "onelifevibe.com"}},
            "body": json.loads(PLAIN),
            "msg": "in",
        }
    ),
)
p(
    "pino-pair",
    json.dumps(
        {
            "level": 30,
            "msg": "in",
            "req": {"method": "POST", "url": "/mcp", "body": json.loads(PLAIN)},
            "res": {"statusCode": 200, "body": json.loads(ANS)},
        }
    ),
    expected=ANS,
)
p(
    "otel",
    json.dumps(
        {
            "resourceLogs": [
                {
                    "scopeLogs": [
                        {
                            "logRecords": [
                                {
                                    "timeUnixNano": "1",
                                    "body": {"stringValue": PLAIN},
                                    "attributes": [{"key": "http.url", "value": {"stringValue": URL}}],
                                }
                            ]
                        }
                    ]
                }
            ]
        }
    ),
)
p(
    "cloudwatch",
    f"2025-11-03T12:00:01.000Z\t1b2c3d\tINFO\trequest {PLAIN}\n2025-11-03T12:00:01.200Z\t1b2c3d\tINFO\tresponse {ANS}",
    expected=ANS,
)
p("sse-stream-request", f"event: message\ndata: {PLAIN}\n")
p(
    "claude-code-debug",
    f"""[DEBUG] MCP server "olv": Calling MCP tool: olv_get_world
[DEBUG] MCP server "olv": Sending: {PLAIN}
[ERROR] MCP server "olv" Error: MCP error -32602: Invalid params
""",
)
p("box", "╭───────────╮\n" + "\n".join("│ " + line.ljust(60) + " │" for line in PRETTY.split("\n")) + "\n╰───────────╯")
p(
    "smart-typed",
    "Request was {“jsonrpc”:“2.0”,“id”:42,“method”:“tools/call”,“params”:{“name”:“olv_get_world”,“arguments”:{“id”:“lantern”}}} thanks!",
)
p("french-quotes", PLAIN.replace('"', "«", 1).replace('"', "»"))
p("tab-indented", PRETTY.replace("  ", "\t"))
p("crlf", PRETTY.replace("\n", "\r\n"))
p("cr-only", PRETTY.replace("\n", "\r"))
p("utf16", PRETTY.encode("utf-16").decode("utf-16"))
p("double-escaped", "log: " + json.dumps(json.dumps({"body": PLAIN})))
p("elixir-inspect", f"[debug] body: {json.dumps(PLAIN)} status: 200")
p(
    "kibana-copy",
    f"""@timestamp\tNov 3, 2025 @ 12:00:01.000
http.request.body.content\t{PLAIN}
http.response.body.content\t{ANS}
url.full\t{URL}
""",
    expected=ANS,
)
p(
    "sentry",
    f"""McpError: Invalid params
  at callTool (client.ts:12)
Breadcrumbs:
  POST {URL} [200]
Extra:
  request: {PLAIN}
""",
    url=URL,
)
p("mail-qp-html", f"<p>Hello,</p><pre>{CALL_IN_HTML}</pre>")
p("md-table", f"| request | response |\n|---|---|\n| `{PLAIN}` | `{ANS}` |", expected=ANS)
p("bracketed-log", f"[2025-11-03 12:00:01] local.DEBUG: MCP request {PLAIN} []")
p(
    "hurl",
    f"""POST {URL}
Content-Type: application/json
{PRETTY}
HTTP 200
""",
    url=URL,
)
p(
    "rest-client",
    f"""POST {URL}
Content-Type: application/json

{PRETTY}
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "bruno",
    f"""meta {{
  name: call
  type: http
}}

post {{
  url: {URL}
  body: json
}}

headers {{
  Content-Type: application/json
}}

body:json {{
  {PRETTY}
}}
""",
)
p(
    "xh",
    f'xh post {URL} jsonrpc=2.0 id:=42 method=tools/call params:=\'{{"name":"olv_get_world","arguments":{{"id":"lantern"}}}}\'',
    url=URL,
)
p(
    "httpie-nested",
    f"http POST {URL} jsonrpc=2.0 id:=42 method=tools/call params[name]=olv_get_world params[arguments][id]=lantern",
    url=URL,
)
p(
    "http-v-output",
    f"""POST /mcp HTTP/1.1
Accept: application/json, */*;q=0.5
Accept-Encoding: gzip, deflate
Connection: keep-alive
Content-Length: 112
Content-Type: application/json
Host: onelifevibe.com
User-Agent: HTTPie/3.2.2

{PRETTY}


HTTP/1.1 200 OK
Content-Type: application/json

{json.dumps(json.loads(ANS), indent=4)}
""",
    expected=ANS,
)
p(
    "charles",
    f"""URL\t{URL}
Status\tComplete
Response Code\t200 OK
Method\tPOST

{PLAIN}
""",
)
p(
    "php-curl",
    f"""curl_setopt_array($curl, array(
  CURLOPT_URL => '{URL}',
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_CUSTOMREQUEST => 'POST',
  CURLOPT_POSTFIELDS =>'{PLAIN}',
  CURLOPT_HTTPHEADER => array(
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream'
  ),
));""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "csharp",
    f"""var client = new HttpClient();
var request = new HttpRequestMessage(HttpMethod.Post, "{URL}");
request.Headers.Add("Accept", "application/json");
var content = new StringContent({IN_STRING}, null, "application/json");
""",
    url=URL,
    headers={"accept": "application/json"},
)
p(
    "swift",
    f"""var request = URLRequest(url: URL(string: "{URL}")!)
request.addValue("application/json", forHTTPHeaderField: "Content-Type")
request.httpBody = Data({IN_STRING}.utf8)""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "go-insomnia",
    f"""url := "{URL}"
payload := strings.NewReader({IN_STRING})
req, _ := http.NewRequest("POST", url, payload)
req.Header.Add("Content-Type", "application/json")
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p("wget-windows", f'wget --header="Content-Type: application/json" --post-data="{CALL_IN_CMD}" {URL}', url=URL)
p("json-lines-many-same", "\n".join([PLAIN] * 3))
p("whole-har-no-log", json.dumps(json.loads(har("x"))["log"]["entries"][1]), url=URL, expected=ANS)
p(
    "node-fetch-template",
    f"""fetch(`{URL}`, {{method: "POST", headers: {{"Content-Type": "application/json"}}, body: `{PLAIN}`}})""",
    url=URL,
)
p("discord-spoiler", "||" + PLAIN + "||")
p("telegram-bold", f"**Request** ```json {PLAIN} ``` **Response** ```json {ANS} ```", expected=ANS)
p("emoji-arrows", f"➡️ {PLAIN}\n⬅️ {ANS}", expected=ANS)
p("linewrap-json-80", "\n".join(PLAIN[i : i + 80] for i in range(0, len(PLAIN), 80)))
p("terraform-heredoc", f"curl -d @- {URL} -H 'content-type: application/json' << JSON\n{PLAIN}\nJSON", url=URL)
p("batch", f"[{PLAIN},{PLAIN.replace('42', '43')}]", body=f"[{PLAIN},{PLAIN.replace('42', '43')}]")
p("curl-with-comment", f"# this one fails\ncurl {URL} -H 'Content-Type: application/json' -d '{PLAIN}' # see", url=URL)
p(
    "sudo-docker-exec",
    f"docker exec -it web curl -s -X POST {URL} -H 'Content-Type: application/json' -d '{PLAIN}'",
    url=URL,
)
p("makefile", f"\tcurl -s -X POST {URL} -H 'Content-Type: application/json' -d '{PLAIN}'", url=URL)
p(
    "yaml-ci",
    f"      - run: |\n          curl -s -X POST {URL} \\\n            -H 'Content-Type: application/json' \\\n            -d '{PLAIN}'\n",
    url=URL,
)
p("xml-cdata", f"<log><![CDATA[{PLAIN}]]></log>")
p("table-field", '"2025-11-03","POST","' + PLAIN.replace('"', '""') + '"')
p(
    "answer-without-head",
    f"POST {URL}\n\n{PLAIN}\n\n200 OK\nevent: message\nid: 3\ndata: {ANS}\n\n",
    url=URL,
    expected=ANS,
)
p(
    "command-line-of-a-window",
    "\n".join(f"$ curl {URL} -d '{PLAIN}'"[at : at + 100] for at in range(0, 200, 100)),
    url=URL,
)
p("curl-body-in-a-file", f"curl {URL} -H 'Content-Type: application/json' -d @body.json", outcome="refused")
MADE = f"cat > body.json <<'EOF'\n{PRETTY}\nEOF\ncurl {URL} -H 'Content-Type: application/json' -d @body.json"
p("file-made-with-cat", MADE, url=URL)
p("file-shown-with-cat", f"$ cat body.json\n{PRETTY}\n$ curl {URL} -H 'content-type: a/b' -d @body.json", url=URL)
