"""The verdict on one exchange, what it means for the person, and when an answer is complete."""

from olv_tui.judge.advice import advice
from olv_tui.judge.stream import is_answer
from olv_tui.judge.verdict import all_rules, first_look, judge

__all__ = ["advice", "all_rules", "first_look", "is_answer", "judge"]
