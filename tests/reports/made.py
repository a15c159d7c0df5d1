"""Exchanges and what a report must give back of them, for the tests of reports."""

from __future__ import annotations

from hypothesis import strategies as st

from olv_tui.jsonrpc import read_request
from olv_tui.judge import judge
from olv_tui.model import Era, Exchange, Header, Reply, Timing, WireRequest, WireResponse
from olv_tui.reports.read import ReportedCall

URL = "https://example.test/mcp"
SENT = (
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("User-Agent", "olv-tui/0.1.0"),
)
BODY = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"probe","arguments":{"site":"helpbless.com"}}}'
ANSWER = b'{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid params"}}'


def exchange(
    body: bytes = BODY,
    headers: tuple[Header, ...] = SENT,
    url: str = URL,
    answer: bytes | None = ANSWER,
    *,
    method: str = "POST",
    status: int = 200,
    era: Era = Era.BARE,
    media: str = "application/json",
) -> Exchange:
    """A finished exchange, judged as it would be."""
    outgoing = read_request(body)
    response = None if answer is None else WireResponse(status, "OK", (("Content-Type", media),), answer)
    reply = Reply(response, timing=Timing(1.0, 2.0, 3.5))
    return Exchange(
        serial=3,
        target=url,
        outgoing=outgoing,
        request=WireRequest(url, headers, body, method),
        started="2026-12-02T08:00:00.000Z",
        era=era,
        reply=reply,
        judgement=judge(outgoing, reply, era=era, version=None),
    )


def mattering(headers: tuple[Header, ...]) -> list[tuple[str, str]]:
    """Headers that matter, names without case, in their order; blanks at the ends of values do not travel."""
    unsent = ("accept-encoding", "content-length", "host")
    return [(name.lower(), value.strip()) for name, value in headers if name.lower() not in unsent]


def as_told(given: Exchange, call: ReportedCall) -> tuple[object, ...]:
    """What has to be equal, of the call that came back."""
    return call.method, call.url, mattering(call.headers), call.body


def as_sent(given: Exchange) -> tuple[object, ...]:
    """What has to be equal, of the exchange."""
    request = given.request
    return request.method, request.url, mattering(request.headers), request.body


# --------------------------------------------------------------------------- anything that can be sent

names = st.from_regex(r"[Xx]-[A-Za-z0-9!#$&.^_`|~-]{1,12}", fullmatch=True)
values = st.text(st.characters(blacklist_categories=("Cc", "Cs")), max_size=20).map(str.strip)
nasty = st.sampled_from(
    [
        "'", '"', "\\", "$HOME", "`id`", "$(id)", "%s%%", "!!", "\n", "\r\n", "\t", "\x00", "’", "‘x", "@x", "-d",
        "=?", ";", "^", "\u202e", "é🙂", "```", "~~~", "{{x}}",
    ]
)  # fmt: skip
marks = st.sampled_from(
    [
        "@'\n", "\n'@", "`\n", "\\\n", "^\n", '^"', '{""', "\n$x = 1\n", "\n> ", ">> ", "\n$ ", "\nPS C:\\> ",
        "\nC:\\>", "\ncurl -d x http://other.test\n", "\nirm http://other.test\n", "\nwget http://other.test\n",
        "\nhttp other.test a=b\n", "<<'EOF'\n", "\nEOF\n", "\ncat x.json\n{", "| jq", "&& ", "# x",
        "import httpx\n", "fetch('http://other.test')", "\n```\n", "\nPOST /mcp HTTP/1.1\n", "HTTP/1.1 200 OK\n",
        "\n\n", "data: {", "Body:", "{'a': None}", "/* x */", "// x", ",}", "\n1 | ",
        '{"jsonrpc":"2.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"result":{}}', "\x1b[31m", "&quot;",
        "<pre>", "=\n",
    ]
)  # fmt: skip
"""What dialects, and mends of broken texts, are known by: inside of a body it says nothing about the text."""
texts = st.lists(nasty | marks | st.text(max_size=5), max_size=8).map("".join)
bodies = st.one_of(
    st.just(BODY),
    st.binary(max_size=60),
    texts.map(lambda text: text.encode("utf-8", "replace")),
    texts.map(lambda text: BODY.replace(b"helpbless.com", repr(text).encode("utf-8", "replace"))),
)
urls = st.builds(
    "{}://{}/{}".format,
    st.sampled_from(["http", "https"]),
    st.sampled_from(["example.test", "127.0.0.1:8080", "[::1]:99", "xn--e1afmkfd.test"]),
    st.from_regex(r"[A-Za-z0-9._~!$&'()*+,;=:@%/?{}\[\]-]{0,20}", fullmatch=True),
)
some_headers = st.lists(st.tuples(names, values), max_size=4).map(tuple)
usual = st.sampled_from([SENT, SENT[:1], SENT[1:], (), (("content-type", "text/plain"), ("Accept", "a/b;q=1"))])


@st.composite
def exchanges(draw: st.DrawFn) -> Exchange:
    """An exchange with any body and any headers that HTTP can carry."""
    return exchange(draw(bodies), (*draw(usual), *draw(some_headers)), draw(urls), draw(st.none() | st.just(ANSWER)))
