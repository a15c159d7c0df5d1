"""Texts as people paste them, of the shells: each with the call that is in it.

The address, the ids and the answers are invented; the shapes are those of the programs named.
"""
# ruff: noqa: E501, UP031  the lines are as long as they come

from __future__ import annotations

import json

from tests.reports.pastes import PING, PLAIN, PRETTY, URL, Pastes

p = Pastes()
H = "-H 'Content-Type: application/json'"
CJ = {"content-type": "application/json"}


p(
    "long-eq-not-curl",
    f"curl --request=POST --url={URL} --header='Content-Type: application/json' --data='{PLAIN}'",
    url=URL,
    headers=CJ,
)
p("d-heredoc-subst", f"curl -X POST {URL} {H} -d \"$(cat <<'EOF'\n{PRETTY}\nEOF\n)\"", url=URL)
p("d-heredoc-subst-noq", f'curl -X POST {URL} {H} --data "$(cat <<EOF\n{PRETTY}\nEOF\n)" | jq .', url=URL)
p("cat-file-subst", f'curl -X POST {URL} {H} -d "$(cat body.json)"', outcome="refused")
p("cat-file-shown-subst", f'$ cat body.json\n{PRETTY}\n$ curl -X POST {URL} {H} -d "$(cat body.json)"', url=URL)
p("lt-file-shown", f"$ cat body.json\n{PRETTY}\n$ curl -X POST {URL} {H} -d @- < body.json", url=URL)
p("next", f"curl {URL} {H} -d '{PING}' --next {URL} {H} -d '{PLAIN}'", outcome="asked")
p("two-urls", f"curl {H} -d '{PLAIN}' {URL} https://other.example/mcp", outcome="asked")
p(
    "K-heredoc",
    f'curl -K - <<\'EOF\'\nurl = "{URL}"\nheader = "Content-Type: application/json"\ndata = {json.dumps(PLAIN)}\nEOF',
    url=URL,
)
p(
    "proto-default",
    f"curl --proto-default https onelifevibe.com/mcp {H} -d '{PLAIN}'",
    url="https://onelifevibe.com/mcp",
)
p("url-query", f"curl '{URL}' --url-query 'a=b c' {H} -d '{PLAIN}'", url=URL + "?a=b+c")
p(
    "fish-escape",
    f"""curl {URL} {H} -d '{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"t":"it\\'s"}}}}'""",
    body='{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"it\'s"}}',
)
p(
    "ps51-escaped",
    "curl.exe -X POST " + URL + ' -H "Content-Type: application/json" -d \'' + PLAIN.replace('"', '\\"') + "'",
    url=URL,
)
p(
    "ps-backtick-dq",
    "curl.exe -X POST " + URL + ' -H "Content-Type: application/json" -d "' + PLAIN.replace('"', '`"') + '"',
    url=URL,
)
p(
    "ps-backtick-bs",
    "curl.exe -X POST " + URL + ' -H "Content-Type: application/json" -d "' + PLAIN.replace('"', '\\`"') + '"',
    url=URL,
)
p(
    "ps-splat",
    """$params = @{
    Uri         = '%s'
    Method      = 'Post'
    ContentType = 'application/json'
    Headers     = @{ Accept = 'application/json, text/event-stream'; Authorization = "Bearer $token" }
    Body        = '%s'
}
Invoke-RestMethod @params"""
    % (URL, PLAIN),
    url=URL,
    headers={"content-type": "application/json", "accept": "application/json, text/event-stream"},
)
p(
    "ps-splat-body",
    """$body = @{ jsonrpc='2.0'; id=42; method='tools/call'; params=@{ name='olv_get_world'; arguments=@{ id='lantern' } } }
$params = @{ Uri = '%s'; Method = 'Post'; ContentType = 'application/json'; Body = ($body | ConvertTo-Json -Depth 10 -Compress) }
irm @params"""
    % URL,
    url=URL,
)
p(
    "ps-body-var-convert",
    """$body = @{ jsonrpc='2.0'; id=42; method='tools/call'; params=@{ name='olv_get_world'; arguments=@{ id='lantern' } } }
Invoke-RestMethod -Uri '%s' -Method POST -Body ($body | ConvertTo-Json -Depth 10) -ContentType 'application/json'"""
    % URL,
    url=URL,
)
p(
    "ps-inputobject",
    """$body = ConvertTo-Json -InputObject @{ jsonrpc='2.0'; id=42; method='tools/call'; params=@{ name='olv_get_world'; arguments=@{ id='lantern' } } } -Depth 5
Invoke-RestMethod -Uri '%s' -Method POST -Body $body -ContentType 'application/json'"""
    % URL,
    url=URL,
)
p(
    "ps-variable-body-assign",
    """$json = $body | ConvertTo-Json -Depth 5
irm %s -Method Post -Body $json"""
    % URL,
    outcome="refused",
)
p(
    "ps-arrays",
    """$b = [ordered]@{ jsonrpc='2.0'; id=1; method='m'; params=@(1,'two',$true,$null,@{a=1.5}) } | ConvertTo-Json -Depth 9
irm %s -Method Post -Body $b -ContentType 'application/json'"""
    % URL,
    body='{"jsonrpc":"2.0","id":1,"method":"m","params":[1,"two",true,null,{"a":1.5}]}',
)
p(
    "ps-session",
    """$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0"
Invoke-WebRequest -UseBasicParsing -Uri "%s" `
-Method "POST" `
-WebSession $session `
-Headers @{
"authority"="onelifevibe.com"
  "method"="POST"
  "path"="/mcp"
  "scheme"="https"
  "accept"="application/json, text/event-stream"
} `
-ContentType "application/json" `
-Body "%s\""""
    % (URL, PLAIN.replace('"', '`"')),
    url=URL,
    headers={"accept": "application/json, text/event-stream"},
)
p(
    "ps-body-concat",
    """irm -Uri %s -Method Post -ContentType application/json -Body ('{"jsonrpc":"2.0","id":42,' + '"method":"tools/call","params":{"name":"olv_get_world","arguments":{"id":"lantern"}}}')"""
    % URL,
)
p(
    "chrome-cmd-old",
    """curl "%s" -H "accept: */*" -H "content-type: application/json" --data-binary "%s" --compressed"""
    % (URL, PLAIN.replace('"', '^\\^"')),
    url=URL,
)
p(
    "chrome-cmd-newline",
    """curl ^"%s^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^

  ^\\^"jsonrpc^\\^":^\\^"2.0^\\^",^

  ^\\^"id^\\^":1,^\\^"method^\\^":^\\^"ping^\\^"^

^}^"
"""
    % URL,
    body=PING,
)
p("env-default", 'curl "${BASE_URL:-http://localhost:8000}/mcp" ' + H + f" -d '{PLAIN}'")
p("fish-set", "set URL https://a.example/mcp\ncurl $URL " + H + f" -d '{PLAIN}'", url="https://a.example/mcp")
p(
    "cmd-set",
    'set URL=https://a.example/mcp\ncurl %URL% -H "Content-Type: application/json" -d "'
    + PLAIN.replace('"', '\\"')
    + '"',
)
p("var-body-heredoc", f"BODY=$(cat <<'EOF'\n{PRETTY}\nEOF\n)\ncurl -X POST {URL} {H} -d \"$BODY\"", url=URL)
p("read-body-heredoc", f"read -r -d '' BODY <<'EOF'\n{PRETTY}\nEOF\ncurl -X POST {URL} {H} -d \"$BODY\"", url=URL)
p(
    "watch-curl",
    f"watch -n1 \"curl -s -X POST {URL} -H 'Content-Type: application/json' -d '{PLAIN.replace(chr(34), chr(92) + chr(34))}'\"",
    url=URL,
)
p(
    "ssh-curl",
    f"ssh host \"curl -s -X POST {URL} -H 'Content-Type: application/json' -d '{PLAIN.replace(chr(34), chr(92) + chr(34))}'\"",
    url=URL,
)
p(
    "bash-c",
    f"bash -c \"curl -s -X POST {URL} -H 'Content-Type: application/json' -d '{PLAIN.replace(chr(34), chr(92) + chr(34))}'\"",
    url=URL,
)
p(
    "curl-i-out",
    f'$ curl -i -X POST {URL} {H} -d \'{PLAIN}\'\nHTTP/1.1 401 Unauthorized\nwww-authenticate: Bearer\ncontent-type: application/json\n\n{{"error":"invalid_token"}}',
    url=URL,
    expected='{"error":"invalid_token"}',
)
p(
    "curl-err-out",
    f"$ curl -X POST {URL} {H} -d '{PLAIN}'\ncurl: (7) Failed to connect to onelifevibe.com port 443 after 3 ms: Couldn't connect to server",
    url=URL,
)
