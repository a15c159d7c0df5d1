"""A demo server for each test, so that none sees what another deleted, linked or counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from olv_tui.demo.server import DemoServer
from tests.demo.client import Client


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(slow_seconds=0.02) as started:
        yield started


@pytest.fixture
def demo(server: DemoServer) -> Client:
    return Client(server)
