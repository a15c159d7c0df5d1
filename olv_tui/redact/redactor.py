"""Exchanges, headers, addresses, texts and values with their secrets masked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from olv_tui.model import (
    Exchange,
    Frame,
    Header,
    Judgement,
    Number,
    Object,
    Reply,
    RequestId,
    Tool,
    WireResponse,
)

from .arguments import typed
from .known import Values
from .names import (
    LINKS,
    ODD_USERINFO,
    PARAMETER,
    SCHEME,
    USERINFO,
    is_secret_name,
    is_secret_parameter,
    secrets_in,
    unquote,
)
from .search import MASK, long_enough, same_or

_WORDS = re.compile(r"[^\s,;=\"]+")


class Redactor(Values):
    """Masks secrets of exchanges: those of secret names, and known values wherever they occur."""

    def learn_session(self, reply: Reply | None) -> None:
        """Know the session id that an answer gives from now on: servers repeat it where no header tells it."""
        session = reply.response.header("mcp-session-id") if reply and reply.response else None
        if session:
            self.learn((session,))

    def knowing(self, exchange: Exchange, *, arguments: bool = True) -> Redactor:
        """A redactor that also knows the secrets this exchange carries in its headers, its URL and its `arguments`.

        What is shown of it while it runs (frames as they come) is masked by that one.
        """
        own = frozenset(long_enough(_secrets_of(exchange, arguments)))
        if own <= self._secrets:
            return self
        knowing = Redactor(self._key, self._secrets | self._short | own)
        knowing._typed = self._typed
        return knowing

    def headers(self, headers: Iterable[Header]) -> tuple[Header, ...]:
        """Headers with the values of secret names masked; of `Bearer xyz` the scheme stays.

        Known values too short to be looked for everywhere are masked here where they stand as a word.
        """
        return tuple((name, self._words(self._header(name, value))) for name, value in headers)

    def url(self, url: str) -> str:
        """A URL, however broken, without userinfo, secret parameters and known values."""
        userinfo = USERINFO.match(url) or ODD_USERINFO.match(url)
        if userinfo:
            url = f"{userinfo[1]}{self.mask(userinfo[2])}{url[userinfo.end(2) :]}"
        return self.text(PARAMETER.sub(self._parameter, url))

    def frame(self, frame: Frame) -> Frame:
        """An SSE frame without known values; the same object where there is none."""
        raw = self.data(frame.raw)
        if raw is frame.raw:
            return frame
        return replace(
            frame,
            raw=raw,
            event=frame.event and self.text(frame.event),
            id=frame.id and self.text(frame.id),
            data=frame.data and self.text(frame.data),
        )

    def tool(self, tool: Tool) -> Tool:
        """A tool without known values, should the server have put one into its definition."""
        definition = self.value(tool.definition)
        return replace(
            tool,
            name=self.text(tool.name),
            title=self.text(tool.title),
            description=self.text(tool.description),
            definition=cast(Object, definition),
            violations=tuple(replace(item, message=self.text(item.message)) for item in tool.violations),
        )

    def exchange(self, exchange: Exchange, reply: Reply | None = None, *, arguments: bool = True) -> Exchange:
        """An exchange that may be stored, shown and exported. `reply` is its answer masked before, None to mask it now.

        Known are here also the secrets that this very exchange carries in its headers and its URL; with `arguments`,
        what stands under secret names in its body is masked as well.
        Where the body held one, the bytes of a content coding are dropped: they would give it back.
        """
        kept = self.knowing(exchange, arguments=arguments)._exchange(exchange, reply, arguments)
        if exchange.reply is not None and kept.reply is not None and is_changed(exchange.reply, kept.reply):
            self.hits += 1
        return kept

    # ----------------------------------------------------------------------- parts

    def _words(self, value: str) -> str:
        if not self._short or MASK.search(value):
            return value
        return _WORDS.sub(lambda match: self.mask(match[0]) if match[0] in self._short else match[0], value)

    def _header(self, name: str, value: str) -> str:
        if not is_secret_name(name):
            return self.url(value) if name.lower() in LINKS else self.text(value)
        kind = name.strip().lower()
        if kind == "cookie":
            return ";".join(self._cookie(part) for part in value.split(";"))
        if kind == "set-cookie":
            first, mark, attributes = value.partition(";")
            return self._cookie(first) + mark + self.text(attributes)
        scheme = SCHEME.fullmatch(value)
        return scheme[1] + self.mask(scheme[2].rstrip()) if scheme else self.mask(value)

    def _cookie(self, part: str) -> str:
        name, mark, value = part.partition("=")
        return name + mark + self.mask(value) if mark else self.mask(part)

    def _parameter(self, match: re.Match[str]) -> str:
        return f"{match[1]}={self.mask(unquote(match[2]))}" if is_secret_parameter(match[1]) else match[0]

    def _exchange(self, exchange: Exchange, kept: Reply | None, arguments: bool) -> Exchange:
        outgoing, request, reply = exchange.outgoing, exchange.request, exchange.reply
        kept = kept or (reply and self._reply(reply))
        hit = reply is not None and kept is not None and is_changed(reply, kept)
        return replace(
            exchange,
            target=self.url(exchange.target),
            outgoing=replace(
                outgoing,
                id=outgoing.id and RequestId(self.text(outgoing.id.text)),
                method=outgoing.method and self.text(outgoing.method),
                tool=outgoing.tool and self.text(outgoing.tool),
                ids=tuple(RequestId(self.text(item.text)) for item in outgoing.ids),
                asks=Object(),  # of use to the judge only, who has spoken
                hidden=frozenset(),
            ),
            request=replace(
                request,
                url=self.url(request.url),
                headers=self.headers(request.headers),
                body=self.body(request.body, outgoing.hidden) if arguments else self.data(request.body),
                method=self.text(request.method),
            ),
            protocol_version=exchange.protocol_version and self.text(exchange.protocol_version),
            reply=kept,
            judgement=exchange.judgement and self._judgement(exchange.judgement, hit),
        )

    def _reply(self, reply: Reply) -> Reply:
        error = reply.error and replace(reply.error, message=self.text(reply.error.message))
        return replace(reply, error=error, response=reply.response and self._response(reply.response))

    def _response(self, response: WireResponse) -> WireResponse:
        body = self.data(response.body)
        wire = response.wire and self.data(response.wire)
        return replace(
            response,
            reason=self.text(response.reason),
            headers=tuple((name, self._header(name, value)) for name, value in response.headers),
            body=body,
            coding=response.coding and self.text(response.coding),
            wire=wire if body is response.body else None,
            frames=same_or(response.frames, tuple(self.frame(frame) for frame in response.frames)),
            surplus=self.data(response.surplus),
        )

    def _judgement(self, judgement: Judgement, hit: bool) -> Judgement:
        """A judgement masked; the values read from the answer only where the answer held a secret."""
        tool, rpc = judgement.tool_error, judgement.rpc_error
        if hit and tool is not None:
            site = tool.site and self.text(tool.site)
            details = cast(Object, self.value(tool.details))
            tool = replace(tool, error=self.sentence(tool.error), site=site, details=details)
        if hit and rpc is not None:
            code = Number(self.text(rpc.code.text))
            rpc = replace(rpc, code=code, message=self.sentence(rpc.message), data=self.value(rpc.data))
        return replace(
            judgement,
            summary=self.sentence(judgement.summary),
            violations=tuple(
                replace(item, message=self.sentence(item.message), at=item.at and self.sentence(item.at))
                for item in judgement.violations
            ),
            message=self.value(judgement.message) if hit else judgement.message,
            tool_error=tool,
            rpc_error=rpc,
        )


def _secrets_of(exchange: Exchange, arguments: bool) -> Iterator[str]:
    """The secret values that an exchange carries openly."""
    for url in {exchange.target, exchange.request.url}:
        yield from secrets_in(url, ())
    yield from secrets_in("", exchange.request.headers)
    if arguments:
        yield from (value for value, is_sure in typed(exchange.request.body, exchange.outgoing.hidden) if is_sure)
    if exchange.reply and exchange.reply.response:
        for name, value in exchange.reply.response.headers:
            kind = name.strip().lower()
            if kind == "mcp-session-id":
                yield value
            elif kind == "set-cookie":
                yield from secrets_in("", [("cookie", value.partition(";")[0])])


def is_changed(old: Reply, new: Reply) -> bool:
    """Whether redaction changed bytes that the answer was read from."""
    if old.response is None or new.response is None:
        return False
    return old.response.body is not new.response.body or old.response.frames is not new.response.frames
