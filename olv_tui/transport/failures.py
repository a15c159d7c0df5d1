"""From an exception of the HTTP library to a kind and one clear sentence.

Rules of this file:

* The library's exceptions are known by their names, as only `http.py` may load it. What the system says
  (`OSError`, `ssl.SSLError`) is found in the chain below them and is trusted more.
* Every sentence says what happened and to which host and port, with the library's own words in parentheses.
* No sentence holds a URL, a header value or anything else that may be a secret.
"""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING, TypeVar

from olv_tui.model import TransportError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from olv_tui.transport.incoming import Incoming
    from olv_tui.transport.tap import Progress

_E = TypeVar("_E", bound=BaseException)

_QUOTED = 60


class NotSendable(ValueError):  # noqa: N818  it says what the request is
    """A request that cannot be put on the wire; the text is one sentence, `kind` that of the error."""

    def __init__(self, sentence: str, kind: str = "request") -> None:
        super().__init__(sentence)
        self.kind = kind


def timed_out(seconds: float, progress: Progress) -> TransportError:
    """The error for a timeout, with the phase it ended in; one in the handshake is a failure of TLS."""
    if progress.handshaking:
        return _silent(seconds, progress)
    return TransportError("timeout", f"The time of {seconds:g} s was over while {progress.phase} {progress.peer}.")


def classify(error: BaseException, progress: Progress, incoming: Incoming) -> TransportError:
    """The error for an exception that ended an exchange."""
    names = {cls.__name__ for cls in type(error).__mro__}
    peer = progress.peer
    if isinstance(error, NotSendable):
        return TransportError(error.kind, str(error))
    if names & {"LocalProtocolError", "InvalidURL", "UnsupportedProtocol"}:
        return TransportError("request", f"The request cannot be sent{_words(error)}.")
    if "ProxyError" in names:
        return TransportError("proxy", f"The proxy did not let the request through to {peer}{_words(error)}.")
    if not incoming.started and (progress.connecting or progress.handshaking):
        return _connecting(error, progress)
    if "RemoteProtocolError" in names:
        return _protocol(error, progress, incoming)
    return _broken(error, progress, incoming)


def _silent(seconds: float, progress: Progress) -> TransportError:
    told = f"{progress.peer} did not answer the TLS handshake in {seconds:g} s"
    return TransportError("tls", f"{told}; it does not seem to speak TLS there.")


def _connecting(error: BaseException, progress: Progress) -> TransportError:
    peer = progress.peer
    if progress.proxy and not progress.handshaking:
        words = _words(_find(error, OSError) or error)
        return TransportError("proxy", f"The proxy {progress.proxy} cannot be reached{words}.")
    if name := _find(error, socket.gaierror):
        return TransportError("name", f"The name of {peer} could not be resolved{_words(name)}.")
    if _find(error, UnicodeError):
        return TransportError("name", f"The name of {peer} is not a valid host name.")
    if progress.handshaking and _find(error, TimeoutError):
        return _silent(progress.handshake, progress)
    if certificate := _find(error, ssl.SSLCertVerificationError):
        reason = certificate.verify_message or _text(certificate)
        return TransportError("tls", f"The TLS certificate of {peer} is not trusted ({reason}).")
    if tls := _find(error, ssl.SSLError):
        plain = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG"}
        hint = "; it does not seem to speak TLS there" if tls.reason in plain else ""
        return TransportError("tls", f"No TLS connection to {peer} could be made{hint}{_words(tls)}.")
    if progress.handshaking:
        return TransportError("tls", f"{peer} ended the connection in the TLS handshake{_words(error)}.")
    if refused := _find(error, ConnectionRefusedError):
        return TransportError("connect", f"{peer} refused the connection: nothing listens there{_words(refused)}.")
    system: BaseException = next((item for item in _chain(error) if isinstance(item, OSError) and item.errno), error)
    return TransportError("connect", f"No connection to {peer} could be made{_words(system)}.")


def _protocol(error: BaseException, progress: Progress, incoming: Incoming) -> TransportError:
    peer, opening = progress.peer, progress.opening
    if incoming.started:
        if "peer closed connection" in str(error):
            came = f"after {incoming.size:,} bytes of the body, before its end"
            return TransportError("truncated", f"{peer} closed the connection {came}{_words(error)}.")
        return TransportError("framing", f"The body that {peer} sent breaks the rules of HTTP{_words(error)}.")
    if not opening:
        return TransportError("closed", f"{peer} closed the connection without any answer{_not_again(progress)}.")
    if not (opening.startswith(b"HTTP/") or b"HTTP/".startswith(opening)):
        quoted = ascii(opening[:_QUOTED].decode("latin-1"))
        return TransportError("framing", f"{peer} does not speak HTTP; its answer began with {quoted}.")
    if "disconnected" in str(error):
        return TransportError("truncated", f"{peer} closed the connection in the middle of the head of its answer.")
    return TransportError("framing", f"The head that {peer} sent breaks the rules of HTTP{_words(error)}.")


def _broken(error: BaseException, progress: Progress, incoming: Incoming) -> TransportError:
    peer = progress.peer
    if tls := _find(error, ssl.SSLError):
        return TransportError("tls", f"The TLS connection to {peer} broke{_words(tls)}.")
    reset = _find(error, ConnectionError) or "ReadError" in {cls.__name__ for cls in type(error).__mro__}
    if reset and incoming.started:
        words = f"after {incoming.size:,} bytes of the body"
        return TransportError("reset", f"{peer} reset the connection {words}{_words(_find(error, ConnectionError))}.")
    if reset:
        again = _not_again(progress)
        cause = _words(_find(error, ConnectionError))
        return TransportError("reset", f"{peer} reset the connection before any answer{again}{cause}.")
    return TransportError("other", f"The exchange with {peer} failed: {type(error).__name__}{_words(error)}.")


def _not_again(progress: Progress) -> str:
    # The one failure that a user takes for our fault: the server dropped an idle connection just then.
    return " (a kept one; the request was not sent again, it may have been taken)" if progress.kept else ""


def _words(error: BaseException | None) -> str:
    text = _text(error) if error is not None else ""
    return f" ({text})" if text else ""


def _text(error: BaseException) -> str:
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return words.strip().rstrip(".")


def _find(error: BaseException, kind: type[_E]) -> _E | None:
    """The first error of that kind in the chain of causes, groups included."""
    return next((item for item in _chain(error) if isinstance(item, kind)), None)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        item = waiting.pop(0)
        if id(item) in seen:
            continue
        seen.add(id(item))
        yield item
        # The pool re-raises with `from None`, which clears the cause but leaves the context.
        waiting += [link for link in (item.__cause__, item.__context__) if link is not None]
        if isinstance(item, BaseExceptionGroup):
            waiting += item.exceptions
