"""What a test reads off the screen: the one place that touches the compositor's private parts."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App
    from textual.pilot import Pilot
    from textual.widget import Widget


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


def painted(app: App[Any]) -> list[str]:
    """The rows of the whole screen as they go to the terminal, through the line filters of the app."""
    strips = app.screen._compositor.render_strips()
    for line_filter in app.get_line_filters():
        strips = [strip.apply_filter(line_filter, app.screen.background_colors[1]) for strip in strips]
    return [strip.text for strip in strips]
