"""Known values and their masks: in texts, bytes and JSON values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from olv_tui.model import Number, Value

from .arguments import masked, typed
from .leaves import map_leaves
from .names import SHORTEST
from .search import MASK, Search, long_enough


class Values:
    """Masks known values wherever they occur, and what is typed under secret names.

    `key` is the key of the installation; `secrets` are values that must appear nowhere (from `${VAR}`,
    --bearer-env, keyring). May be used from several threads.
    """

    def __init__(self, key: bytes, secrets: Iterable[str] = ()) -> None:
        secrets = tuple(secrets)
        self._key = key
        self._secrets = frozenset(long_enough(secrets))
        self._short = frozenset(_short(secrets))
        self._known = Search(self._secrets, self.mask)
        self._typed: dict[str, str] = {}
        self.hits = 0
        """How many answers held a known secret so far."""

    def learn(self, secrets: Iterable[str]) -> None:
        """Know further secrets from now on, such as those of another target that is turned to."""
        secrets = tuple(secrets)
        self._short |= frozenset(_short(secrets))
        new = frozenset(long_enough(secrets))
        if not new <= self._secrets:
            self._secrets |= new
            self._known = Search(self._secrets, self.mask)

    @property
    def known(self) -> frozenset[str]:
        """The values that are known."""
        return self._secrets | self._short

    def mask(self, secret: str) -> str:
        """The mask of a secret; a mask is its own mask, and nothing needs none."""
        if not secret or MASK.fullmatch(secret):
            return secret
        import hmac  # loads OpenSSL, 5 ms that a run without secrets need not spend

        digest = hmac.digest(self._key, secret.encode("utf-8", "surrogatepass"), "sha256")
        return f"‹hidden {digest.hex()[:6]}›"

    def text(self, text: str) -> str:
        """Text without known values; the same object where there is none."""
        return self._known.text(text)

    def sentence(self, text: str) -> str:
        """What is told of an answer, without known values, also where one was cut short by an ellipsis."""
        return self._known.sentence(text)

    def reveal(self, text: str) -> str:
        """JSON text with the masks of known values and of those typed in this run filled in again.

        Only for sending it where it went before.
        """
        return self._known.reveal(text, self._typed)

    def body(self, body: bytes, names: Collection[str] = ()) -> bytes:
        """The body of a request without known values, and without the secrets typed into it: those under secret names
        and under `names`. They are remembered in memory, for `reveal`.
        """
        for value, _ in typed(body, names):
            self._typed[self.mask(value)] = value
        return self.data(masked(body, self.mask, names))

    def picture(self, text: str) -> str:
        """What the screen shows, without known values and without those that were typed into calls of this run."""
        return Search(long_enough((*self._secrets, *self._typed.values())), self.mask).text(text)

    def data(self, data: bytes) -> bytes:
        """Bytes without known values; the same object where there is none."""
        return self._known.data(data)

    @property
    def reach(self) -> int:
        """Bytes that a known value takes at most, however it is escaped; 0 where none is known."""
        return self._known.reach

    def uncut(self, data: bytes, at: int) -> int:
        """The place at or before `at` where bytes can be cut without cutting a known value in two.

        It is certain where `reach` bytes follow `at`.
        """
        return self._known.uncut(data, at)

    def open_end(self, data: bytes) -> int:
        """How many bytes at the end of `data` look like the beginning of a known value whose rest is still to come."""
        return self._known.open_end(data)

    def value(self, value: Value) -> Value:
        """A JSON value without known values in names, strings and numbers, of any depth.

        A number that held a secret becomes the string that its mask is.
        """
        return map_leaves(value, self._leaf)

    def _leaf(self, leaf: str | Number) -> Value:
        if isinstance(leaf, str):
            return self.text(leaf)
        told = self.text(leaf.text)
        return leaf if told == leaf.text else told


def _short(secrets: Iterable[str]) -> Iterator[str]:
    """Those that are looked for as words in headers alone."""
    return (plain for secret in secrets if 0 < len(plain := secret.strip()) < SHORTEST)
