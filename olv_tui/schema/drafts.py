"""A first text of arguments, made up from a schema: the required ones, or all.

Rules of this file:

* Asked for, never put in unasked. What the schema itself offers goes before what is made up: `const`, the first of
  `examples`, `default` where it is of the right type, the first of `enum`, then the emptiest value of the type.
* Where no right value can be made up an empty one stands there and `gaps` says why.
* Comes to an end for schemas that contain themselves, and nothing is fetched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from olv_tui import jsontext
from olv_tui.mcp import patterns
from olv_tui.model import Number, Object, Value
from olv_tui.schema.equal import decimal
from olv_tui.schema.fields import Field, Kind
from olv_tui.schema.fit import fits_type
from olv_tui.schema.shape import Shape, count

_PLACES = 2_000
_DEPTH = 40
_ITEMS = 20  # `minItems` up to which items are made up
_OPTIONAL_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Gap:
    """A place in a template whose value is not right yet, and why none can be made up."""

    pointer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A template and what is still to be filled in. Without gaps the text is right by the schema as far as
    types, constants and bounds go."""

    text: str
    gaps: tuple[Gap, ...]


def template(root: Field, *, full: bool = False) -> str:
    """The JSON text of an object with the required properties (`full`: with all), two blanks an indent."""
    return draft(root, full=full).text


def draft(root: Field, *, full: bool = False, defaults: bool = False) -> Draft:
    """The same with its gaps. `defaults`: optional properties too that have a default of the right type."""
    maker = _Maker(full, defaults)
    # An example or default of the whole may hold more than what is required: it is offered by itself.
    value = maker.below(root) if root.kind is Kind.OBJECT else maker.value(root)
    if not isinstance(value, Object):
        value = Object()
    return Draft(jsontext.dumps(value, indent=2) if value else "{}", tuple(maker.gaps))


def first_value(of: Field) -> str:
    """A value to begin with, as JSON text: for a new item of an array or a chosen alternative."""
    return jsontext.dumps(_Maker().value(of))


@dataclass(slots=True)
class _Maker:
    full: bool = False
    defaults: bool = False
    gaps: list[Gap] = field(default_factory=list)
    left: int = _PLACES
    path: list[int] = field(default_factory=list)

    def value(self, of: Field) -> Value:
        """A value for a field."""
        self.left -= 1
        if self.left < 0 or len(self.path) > _DEPTH:
            return self._gap(of, "the schema leads too deep")
        if of.kind is Kind.CONST and of.options:
            return of.options[0]
        if self.defaults and of.default_fits:
            return of.default
        for example in of.examples:
            if fits_type(example, of.shape):
                return example
        if of.default_fits:
            return of.default
        if of.options:
            return of.options[0]
        match of.kind:
            case Kind.OBJECT | Kind.MAP | Kind.UNION | Kind.ARRAY:
                return self.below(of)
            case Kind.INTEGER | Kind.NUMBER:
                return self._number(of)
            case Kind.STRING:
                return self._string(of)
            case Kind.BOOLEAN:
                return False
            case Kind.NULL:
                return None
        return self._gap(of, of.reason) if of.reason else ""

    def _gap(self, of: Field, reason: str, value: Value = "") -> Value:
        self.gaps.append(Gap(of.pointer, reason))
        return value

    def below(self, of: Field) -> Value:
        """A container, with the guard against schemas that contain themselves."""
        mark = self._mark(of)
        if mark in self.path:
            return self._gap(of, "the schema requires itself without end", [] if of.kind is Kind.ARRAY else Object())
        self.path.append(mark)
        made: Value
        if of.kind is Kind.UNION:
            made = self._alternative(of)
        elif of.kind is Kind.ARRAY:
            made = self._array(of)
        else:
            made = self._object(of)
        self.path.pop()
        return made

    def _mark(self, of: Field) -> int:
        """Tells a schema from others: the last source is what references lead to, a union is not its branch."""
        return hash((of.kind, len(of.opened), id(of.sources[-1].schema) if of.sources else id(of)))

    def _alternative(self, of: Field) -> Value:
        sound = [one.field for one in of.branches if one.field.kind is not Kind.NEVER and not one.field.reason]
        return self.value(sound[0]) if sound else self._gap(of, "none of its alternatives can be made up")

    def _object(self, of: Field) -> Object:
        names = list(of.shape.required)
        if (self.full or self.defaults) and len(self.path) <= _OPTIONAL_DEPTH:
            more = [name for name in of.shape.properties if name not in names]
            names += more if self.full else [name for name in more if of.entry(name).default_fits]
        members = []
        for name in names:
            child = of.entry(name)
            if not child.required and (child.kind is Kind.NEVER or self._mark(child) in self.path):
                continue
            members.append((name, self.value(child)))
        for note in of.shape.asks:
            self._gap(of, note)
        least = count(of.shape, "minProperties")
        if least is not None and least > len(members):
            self._gap(of, f"at least {least} members must be given")
        return Object(members)

    def _array(self, of: Field) -> list[Value]:
        least = count(of.shape, "minItems") or 0
        if least > _ITEMS:
            self._gap(of, f"at least {least} items must be given")
            return []
        wanted = max(least, 1 if self.full and count(of.shape, "maxItems") != 0 else 0)
        if wanted and self.full:
            wanted = max(wanted, len(of.shape.prefix))
        made = [self.value(of.item(index)) for index in range(wanted)]
        if len(made) > 1 and True in of.shape.limits.get("uniqueItems", ()):
            self._gap(of, "its items must all be different")
        if not made and of.shape.limits.get("contains"):
            self._gap(of, "an item of a certain kind must be in it")
        return made

    def _string(self, of: Field) -> Value:
        limits = of.shape.limits
        unmet = [one for one in limits.get("pattern", ()) if isinstance(one, str) and not patterns.found(one, "")]
        if (count(of.shape, "minLength") or 0) > 0 or of.format or unmet or limits.get("not"):
            return self._gap(of, "; ".join(of.constraints) or "no text can be made up for it")
        return ""

    def _number(self, of: Field) -> Value:
        found = _number(of.shape, of.kind is Kind.INTEGER)
        return found if found is not None else self._gap(of, "; ".join(of.constraints), Number("0"))


# --------------------------------------------------------------------------- numbers


def _number(shape: Shape, whole: bool) -> Number | None:
    """The number nearest to zero that the bounds allow, None where none was found."""
    steps = _bounds(shape, "multipleOf")
    step = max(steps, default=Decimal(1))
    edges = [Decimal(0), *(bound for word in _EDGES for bound in _bounds(shape, word))]
    tried = [Decimal(0)]
    for edge in edges[1:]:
        if abs(edge.adjusted()) > 300 or step <= 0:
            continue
        if not whole:
            tried += [edge, edge + step / 2, edge - step / 2]
        for rounding in (ROUND_CEILING, ROUND_FLOOR):
            near = (edge / step).to_integral_value(rounding) * step
            tried += [near, near + step, near - step]
    tried += [(one + other) / 2 for one in edges for other in edges] if not whole else []
    right = [one for one in tried if _allowed(one, shape, whole, steps)]
    if not right:
        return None
    best = min(right, key=abs)
    return Number(f"{best.to_integral_value() if best == best.to_integral_value() else best.normalize():f}")


_EDGES = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


def _bounds(shape: Shape, word: str) -> list[Decimal]:
    found = [decimal(value.text) for value in shape.limits.get(word, ()) if isinstance(value, Number)]
    return [bound for bound in found if bound is not None]


def _allowed(number: Decimal, shape: Shape, whole: bool, steps: list[Decimal]) -> bool:
    if whole and number != number.to_integral_value():
        return False
    if any(step > 0 and number % step != 0 for step in steps):
        return False
    low, over, high, under = (_bounds(shape, word) for word in _EDGES)
    return (
        all(number >= bound for bound in low)
        and all(number > bound for bound in over)
        and all(number <= bound for bound in high)
        and all(number < bound for bound in under)
    )
