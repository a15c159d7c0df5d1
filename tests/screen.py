"""What a test reads off the screen, and when it may: the one place of the tests that touches Textual's private parts.

Textual's pilot takes a program for idle when it has used little of the processor for twenty milliseconds, twice for
every key. On a busy machine that comes too early, on an idle one it is most of what a test takes. Here it is idle when
nothing waits in any of its queues and all is painted.
"""

from __future__ import annotations

import asyncio
import string
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

import textual.app
import textual.pilot
from textual import events
from textual._context import active_app
from textual.widgets import Input, TextArea

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.app import App
    from textual.pilot import Pilot
    from textual.widget import Widget

_LETTERS = frozenset(string.ascii_letters + string.digits)
_CALM_TURNS = 3
_PATIENCE = 20  # turns of the loop after which a handler is taken to wait for something slower


async def at_rest(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until the running app has nothing to do that is not waited for elsewhere (a server, a thread, a clock)."""
    app = active_app.get()
    end, calm, busy = monotonic() + max_sleep, 0, 0
    while calm < _CALM_TURNS and monotonic() < end:
        await asyncio.sleep(0 if busy < _PATIENCE else 0.001)
        if _is_busy(app):
            calm, busy = 0, busy + 1
        elif _is_laid_out(app):
            calm += 1
        else:
            app.screen._on_timer_update()
            calm = 0


def _is_busy(app: App[Any]) -> bool:
    if not app.screen_stack:
        return False
    order = getattr(app, "_order", None)  # keys that wait for the ones before them (screens/key_order.py)
    if order is not None and order._waiting is not None:
        return True
    pumps = (app, *app.screen.walk_children(with_self=True))
    return any(pump.message_queue_size or pump._next_callbacks or not pump._is_mounted for pump in pumps)


def _is_laid_out(app: App[Any]) -> bool:
    """Whether the next frame would change nothing but colours and texts, which whoever looks at them paints."""
    if not app.screen_stack or app._batch_count or not app.screen.is_current:
        return True
    return not (app.screen._layout_required or app.screen._callbacks)


async def _press_keys(app: App[Any], keys: Iterable[str]) -> None:
    """Letters for one text come in one go, as from a terminal; every other key waits for the one before it."""
    typed = False
    for key in keys:
        focused = app.focused
        if isinstance(focused, Input | TextArea) and (key in _LETTERS or key == "underscore"):
            assert app._driver is not None
            app._driver.send_message(events.Key(key, "_" if key == "underscore" else key))
            typed = True
            continue
        if typed:
            await at_rest()
        await _press_one(app, (key,))
        typed = False
    if typed:
        await at_rest()


_press_one = textual.app.App._press_keys
textual.app.App._press_keys = _press_keys  # type: ignore[assignment, method-assign]
textual.app.wait_for_idle = textual.pilot.wait_for_idle = at_rest  # type: ignore[attr-defined]


def screen_text(app: App[Any]) -> str:
    """The text of the whole screen as painted, one line a row, without trailing spaces."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def widget_text(widget: Widget) -> str:
    """The text inside the region of one widget as painted, borders included."""
    region = widget.region
    rows = widget.app.screen._compositor.render_strips()[region.y : region.bottom]
    return "\n".join(strip.crop(region.x, region.right).text.rstrip() for strip in rows)


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until workers are done and what they posted is painted."""
    from textual.worker import WorkerCancelled

    with suppress(WorkerCancelled):  # an exclusive worker that gave way to the next one
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def holds(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, such as the layout that follows a resize after a while."""
    for _ in range(500):
        await pilot.pause()
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"it never held\n{screen_text(pilot.app)}")


def painted(app: App[Any]) -> list[str]:
    """The rows of the whole screen as they go to the terminal, through the line filters of the app."""
    strips = app.screen._compositor.render_strips()
    for line_filter in app.get_line_filters():
        strips = [strip.apply_filter(line_filter, app.screen.background_colors[1]) for strip in strips]
    return [strip.text for strip in strips]
