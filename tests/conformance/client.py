"""The client that the MCP conformance suite drives: its scenarios, done with the session layer of olv-tui.

`python tests/conformance/client.py URL`; the suite gives the scenario in MCP_CONFORMANCE_SCENARIO, the protocol
version in MCP_CONFORMANCE_PROTOCOL_VERSION, and what a scenario needs to know in MCP_CONFORMANCE_CONTEXT (JSON).
It ends with 0 where everything that it was to do ended well.

Rules of this file:

* The session layer is what is tested: requests are made by `Session` only, and nothing is mended here.
* The era is the one under test, never what `auto` would find: the suite's servers speak one era each.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from olv_tui import jsontext
from olv_tui.history import History
from olv_tui.model import Era, Exchange, Object, Severity, Target, Tool, Value, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import InputRequest, Session, input_requests
from olv_tui.transport.http import HttpTransport

CAPABILITIES = '{"elicitation":{"form":{"applyDefaults":true}}}'
MODERN_FROM = "2026"
MOST_ROUNDS = 5


class UnexpectedError(Exception):
    """A server of the suite did not do what its scenario needs."""


async def tools(session: Session) -> tuple[Tool, ...]:
    """The tools of the server."""
    listing = await session.list_tools()
    if listing.verdict is not Verdict.RESULT:
        raise UnexpectedError(f"tools/list: {listing.verdict}")
    return listing.tools


async def call(session: Session, tool: str, arguments: str) -> Exchange:
    """A call that has to give a result, through as many rounds as it asks for."""
    exchange = await session.call(tool, arguments)
    for _ in range(MOST_ROUNDS):
        if exchange.verdict is not Verdict.INPUT_REQUIRED:
            break
        answers = {request.key: answer_to(request) for request in input_requests(exchange)}
        exchange = await session.answer_input(exchange, answers)
    if exchange.verdict is not Verdict.RESULT:
        summary = exchange.judgement.summary if exchange.judgement else ""
        raise UnexpectedError(f"{tool}: {exchange.verdict}, {summary}")
    return exchange


def answer_to(request: InputRequest) -> str:
    """The answer of a person who agrees to everything."""
    if request.method != "elicitation/create":
        raise UnexpectedError(f"{request.method} was not declared")
    return '{"action":"accept","content":{"confirmed":true}}'


async def defaults(method: str, params: Object) -> str | None:
    """The answer to an elicitation of a person who leaves every field as it is."""
    if method != "elicitation/create":
        return None
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, Object) else None
    fields = properties.items() if isinstance(properties, Object) else ()
    content = Object((name, one["default"]) for name, one in fields if isinstance(one, Object) and "default" in one)
    return f'{{"action":"accept","content":{jsontext.dumps(content)}}}'


def sample(schema: Value) -> str:
    """Arguments of the plainest kind for every property of a schema, as JSON text."""
    plain: dict[Value, object] = {"string": "text", "integer": 7, "number": 1.5, "boolean": True}
    properties = schema.get("properties") if isinstance(schema, Object) else None
    made: dict[str, object] = {}
    for name, one in properties.items() if isinstance(properties, Object) else ():
        kind = one.get("type") if isinstance(one, Object) else None
        made[name] = sample_object(one) if kind == "object" else plain.get(kind if isinstance(kind, str) else "")
    return json.dumps(made)


def sample_object(schema: Value) -> object:
    """The same for a nested object."""
    value: object = json.loads(sample(schema))
    return value


# --------------------------------------------------------------------------- scenarios


async def only_list(session: Session) -> None:
    """initialize, request-metadata, json-schema-ref-no-deref: what every client does."""
    await tools(session)


async def add_numbers(session: Session) -> None:
    """tools_call."""
    await tools(session)
    await call(session, "add_numbers", '{"a":5,"b":3}')


async def every_tool(session: Session) -> None:
    """http-standard-headers: a call of each tool that there is."""
    for tool in await tools(session):
        await call(session, tool.name, sample(tool.definition.get("inputSchema")))


async def told_calls(session: Session) -> None:
    """http-custom-headers: the calls that the suite wants, their arguments to the letter."""
    await tools(session)
    context = jsontext.loads(os.environ["MCP_CONFORMANCE_CONTEXT"])
    wanted = context.get("toolCalls") if isinstance(context, Object) else None
    for one in wanted if isinstance(wanted, list) else ():
        if isinstance(one, Object):
            await call(session, str(one["name"]), jsontext.dumps(one.get("arguments", Object())))


async def sound_tools(session: Session) -> None:
    """http-invalid-tool-headers: a call of each tool whose definition breaks no MUST about headers."""
    for tool in await tools(session):
        if not any(one.code == "D04" and one.severity is Severity.ERROR for one in tool.violations):
            await call(session, tool.name, sample(tool.definition.get("inputSchema")))


async def rounds(session: Session) -> None:
    """sep-2322-client-request-state: each tool in turn, which ask for input in four ways."""
    for tool in await tools(session):
        await call(session, tool.name, "{}")


async def echo_schema(session: Session) -> None:
    """json-schema-2020-12-preservation: a definition given back as it came."""
    schemas = {tool.name: tool.definition.get("inputSchema") for tool in await tools(session)}
    await call(session, "json_schema_echo", f'{{"schema":{jsontext.dumps(schemas["json_schema_2020_12_tool"])}}}')


async def elicitation(session: Session) -> None:
    """elicitation-sep1034-client-defaults: the server asks on the standalone stream."""
    failed = await session.listen()
    if failed is not None:
        raise UnexpectedError(f"listening: {failed.verdict}")
    await tools(session)
    await call(session, "test_client_elicitation_defaults", "{}")
    await session.settle()


async def reconnection(session: Session) -> None:
    """sse-retry: the answer comes on a stream that has to be taken up again."""
    await tools(session)
    await call(session, "test_reconnection", "{}")


SCENARIOS: dict[str, Callable[[Session], Awaitable[None]]] = {
    "initialize": only_list,
    "tools_call": add_numbers,
    "request-metadata": only_list,
    "http-standard-headers": every_tool,
    "http-custom-headers": told_calls,
    "http-invalid-tool-headers": sound_tools,
    "sep-2322-client-request-state": rounds,
    "json-schema-ref-no-deref": only_list,
    "json-schema-2020-12-preservation": echo_schema,
    "elicitation-sep1034-client-defaults": elicitation,
    "sse-retry": reconnection,
}


async def run(url: str, scenario: str, era: Era) -> None:
    """One scenario against the server at `url`. Raises UnexpectedError, and KeyError for an unknown one."""
    history = History(None, Redactor(b"conformance"))
    session = Session(Target("conformance", url, era=era, timeout=15), HttpTransport(), history)
    session.hear(None, defaults, CAPABILITIES)
    try:
        await SCENARIOS[scenario](session)
    finally:
        await session.close()
        history.close()


def main() -> int:
    """The exit code: 0 where all went well."""
    version = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "")
    era = Era.MODERN if version >= MODERN_FROM else Era.LEGACY
    try:
        asyncio.run(run(sys.argv[1], os.environ["MCP_CONFORMANCE_SCENARIO"], era))
    except (UnexpectedError, KeyError, IndexError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
