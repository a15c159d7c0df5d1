"""Texts as people paste them, of logs, mails and commands: each with the call that is in it.

The address, the ids and the answers are invented; the shapes are those of the programs named.
"""
# ruff: noqa: E501, W291  the lines are as long as they come

from __future__ import annotations

import json

from tests.reports.pastes import ANS, ERR, PLAIN, PRETTY, URL, Pastes

p = Pastes()


# 1 MCP inspector issue
p(
    "inspector-issue",
    f"""**Describe the bug**
When I call `olv_get_world` in the MCP Inspector the history shows:

Request:
```json
{PRETTY}
```

Response:
```json
{json.dumps(json.loads(ANS), indent=2)}
```

Inspector v0.17.2, Node v22.1.0
""",
    expected=ANS,
)
# inspector history panel shows method + params only, no jsonrpc/id
p(
    "inspector-history-request-only",
    """tools/call
Request:
{
  "method": "tools/call",
  "params": {
    "name": "olv_get_world",
    "arguments": {
      "id": "lantern"
    },
    "_meta": {
      "progressToken": 3
    }
  }
}
Response:
{
  "content": [
    {
      "type": "text",
      "text": "not linked"
    }
  ],
  "isError": true
}
""",
    body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_get_world","arguments":{"id":"lantern"},"_meta":{"progressToken":3}}}',
)
# Claude Desktop log
p(
    "claude-desktop-log",
    f"""2025-11-03T09:12:44.101Z [olv] [info] Message from client: {PLAIN} {{ metadata: undefined }}
2025-11-03T09:12:44.523Z [olv] [info] Message from server: {ANS} {{ metadata: undefined }}
""",
    expected=ANS,
)
p(
    "claude-desktop-log-2",
    f"""2025-11-03T09:12:40.001Z [info] [olv] Initializing server...
2025-11-03T09:12:44.101Z [info] [olv] Message from client: {{"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{}},"clientInfo":{{"name":"claude-ai","version":"0.1.0"}}}},"jsonrpc":"2.0","id":0}}
2025-11-03T09:12:44.201Z [info] [olv] Message from server: {{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"olv","version":"1"}}}}}}
2025-11-03T09:12:44.301Z [info] [olv] Message from client: {{"method":"notifications/initialized","jsonrpc":"2.0"}}
2025-11-03T09:12:45.101Z [info] [olv] Message from client: {PLAIN}
2025-11-03T09:12:45.523Z [info] [olv] Message from server: {ANS}
""",
    outcome="asked",
)
# VS Code MCP log
p(
    "vscode-log",
    f"""2025-11-03 10:01:22.113 [info] Connection state: Running
2025-11-03 10:01:25.889 [debug] [editor -> server] {PLAIN}
2025-11-03 10:01:26.120 [debug] [server -> editor] {ANS}
""",
    expected=ANS,
)
p(
    "vscode-log-trace",
    f"""2025-11-03 10:01:25.889 [trace] [editor -> server] {PLAIN}
2025-11-03 10:01:25.900 [trace] 200 https://onelifevibe.com/mcp
2025-11-03 10:01:25.900 [trace] Fetching {URL} with options: {{"method":"POST","headers":{{"Content-Type":"application/json","Content-Length":"112","Accept":"text/event-stream, application/json","Mcp-Session-Id":"abc-123","MCP-Protocol-Version":"2025-06-18"}}}}
2025-11-03 10:01:26.120 [trace] [server -> editor] {ANS}
""",
    expected=ANS,
)
# Cursor
p(
    "cursor-log",
    """2025-11-03 12:00:01.001 [info] user-olv: Handling CallTool action for tool 'olv_get_world'
2025-11-03 12:00:01.002 [info] user-olv: Calling tool 'olv_get_world' with toolCallId: toolu_01 and arguments: {"id":"lantern"}
2025-11-03 12:00:01.900 [error] user-olv: Error calling tool 'olv_get_world': MCP error -32602: Invalid params
""",
    outcome="asked",
)
# nginx
in_nginx = PLAIN.replace('"', "\\x22")
p(
    "nginx-x22",
    f"""203.0.113.7 - - [03/Nov/2025:12:00:01 +0000] "POST /mcp HTTP/1.1" 200 312 "-" "claude-ai/1.0" "{in_nginx}" 0.023
""",
)
p(
    "nginx-json-log",
    json.dumps(
        {"time": "2025-11-03T12:00:01+00:00", "request": "POST /mcp HTTP/1.1", "status": "200", "request_body": PLAIN}
    ),
)
p(
    "python-sdk-tb",
    f"""DEBUG:mcp.client.streamable_http:Sending client message: root=JSONRPCRequest(method='tools/call', params={{'name': 'olv_get_world', 'arguments': {{'id': 'lantern'}}}}, jsonrpc='2.0', id=42)
INFO:httpx:HTTP Request: POST {URL} "HTTP/1.1 200 OK"
DEBUG:mcp.client.streamable_http:SSE message: root=JSONRPCError(jsonrpc='2.0', id=42, error=ErrorData(code=-32602, message='Invalid params', data=None))
Traceback (most recent call last):
  File "a.py", line 12, in <module>
mcp.shared.exceptions.McpError: Invalid params
""",
    outcome="imported",
)
p(
    "js-sdk-tb",
    f"""McpError: MCP error -32602: Invalid params
    at Client._onresponse (file:///app/node_modules/@modelcontextprotocol/sdk/dist/esm/shared/protocol.js:155:27)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5) {{
  code: -32602,
  data: undefined
}}
request: {PLAIN}
response: {ERR}
""",
    expected=ERR,
)
p(
    "curl-v",
    f"""$ curl -v -X POST {URL} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{PLAIN}'
* Host onelifevibe.com:443 was resolved.
* IPv6: (none)
* IPv4: 203.0.113.9
*   Trying 203.0.113.9:443...
* Connected to onelifevibe.com (203.0.113.9) port 443
> POST /mcp HTTP/2
> Host: onelifevibe.com
> User-Agent: curl/8.5.0
> Content-Type: application/json
> Accept: application/json, text/event-stream
> Content-Length: 112
>
* upload completely sent off: 112 bytes
< HTTP/2 200
< content-type: application/json
< content-length: 200
<
* Connection #0 to host onelifevibe.com left intact
{ANS}
""",
    url=URL,
    headers={"content-type": "application/json"},
    expected=ANS,
)
p(
    "curl-v-sse",
    f"""$ curl -sv {URL} -H 'Content-Type: application/json' -H 'Accept: text/event-stream' --data-raw '{PLAIN}'
> POST /mcp HTTP/1.1
< HTTP/1.1 200 OK
< Content-Type: text/event-stream
<
event: message
data: {ANS}

""",
    url=URL,
    expected=ANS,
)
p(
    "curl-only-verbose-no-cmd",
    f"""> POST /mcp HTTP/1.1
> Host: onelifevibe.com
> Content-Type: application/json
> Content-Length: {len(PLAIN)}
>
{PLAIN}
< HTTP/1.1 200 OK
< Content-Type: application/json
<
{ANS}
""",
    expected=ANS,
)
p(
    "curl-trace-ascii",
    f"""== Info: Trying 127.0.0.1:8000...
=> Send header, 150 bytes (0x96)
0000: POST /mcp HTTP/1.1
0014: Host: 127.0.0.1:8000
002a: Content-Type: application/json
00aa: 
=> Send data, 112 bytes (0x70)
0000: {PLAIN[:64]}
0040: {PLAIN[64:]}
<= Recv header, 17 bytes (0x11)
0000: HTTP/1.1 200 OK
""",
)
p(
    "postman-fetch",
    f"""const myHeaders = new Headers();
myHeaders.append("Content-Type", "application/json");
myHeaders.append("Accept", "application/json, text/event-stream");

const raw = JSON.stringify({{
  "jsonrpc": "2.0",
  "id": 42,
  "method": "tools/call",
  "params": {{
    "name": "olv_get_world",
    "arguments": {{
      "id": "lantern"
    }}
  }}
}});

const requestOptions = {{
  method: "POST",
  headers: myHeaders,
  body: raw,
  redirect: "follow"
}};

fetch("{URL}", requestOptions)
  .then((response) => response.text())
  .then((result) => console.log(result))
  .catch((error) => console.error(error));
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "devtools-fetch",
    f"""fetch("{URL}", {{
  "headers": {{
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-06-18"
  }},
  "referrer": "http://localhost:6274/",
  "body": {json.dumps(PLAIN)},
  "method": "POST",
  "mode": "cors",
  "credentials": "omit"
}});
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "devtools-fetch-node-single",
    f"""await fetch('{URL}', {{
  method: 'POST',
  headers: {{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }},
  body: JSON.stringify({{ jsonrpc: '2.0', id: 42, method: 'tools/call', params: {{ name: 'olv_get_world', arguments: {{ id: 'lantern' }} }} }}),
}})
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "axios",
    f"""const axios = require('axios');
let data = JSON.stringify({{
  "jsonrpc": "2.0",
  "id": 42,
  "method": "tools/call",
  "params": {{
    "name": "olv_get_world",
    "arguments": {{
      "id": "lantern"
    }}
  }}
}});

let config = {{
  method: 'post',
  maxBodyLength: Infinity,
  url: '{URL}',
  headers: {{ 
    'Content-Type': 'application/json', 
    'Accept': 'application/json, text/event-stream'
  }},
  data : data
}};

axios.request(config)
.then((response) => {{
  console.log(JSON.stringify(response.data));
}})
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p(
    "axios-post",
    f"""axios.post("{URL}", {{ jsonrpc: "2.0", id: 42, method: "tools/call", params: {{ name: "olv_get_world", arguments: {{ id: "lantern" }} }} }}, {{ headers: {{ "Content-Type": "application/json" }} }})""",
    url=URL,
)
p(
    "wget",
    f"""wget --no-check-certificate --quiet \\
  --method POST \\
  --timeout=0 \\
  --header 'Content-Type: application/json' \\
  --header 'Accept: application/json, text/event-stream' \\
  --body-data '{PLAIN}' \\
   '{URL}'
""",
    url=URL,
    headers={"content-type": "application/json"},
)
p("wget-post-data", f"""wget -qO- --header="Content-Type: application/json" --post-data='{PLAIN}' {URL}""", url=URL)
p(
    "powershell-postman",
    f"""$headers = New-Object "System.Collections.Generic.Dictionary[[String],[String]]"
$headers.Add("Content-Type", "application/json")
$headers.Add("Accept", "application/json, text/event-stream")

$body = @"
{PRETTY}
"@

$response = Invoke-RestMethod '{URL}' -Method 'POST' -Headers $headers -Body $body
$response | ConvertTo-Json
""",
    url=URL,
    headers={"accept": "application/json, text/event-stream"},
)
