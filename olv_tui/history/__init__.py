"""The history: every exchange in one SQLite file, redacted, written before its first byte leaves."""

from .store import History
from .values import Compacted, HistoryError, HistoryRow, Keep, SavedCall, UnwritableError

__all__ = ["Compacted", "History", "HistoryError", "HistoryRow", "Keep", "SavedCall", "UnwritableError"]
