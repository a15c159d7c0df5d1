"""The history: every exchange in one SQLite file, redacted, written before its first byte leaves."""

from .store import History
from .values import HistoryError, HistoryRow

__all__ = ["History", "HistoryError", "HistoryRow"]
