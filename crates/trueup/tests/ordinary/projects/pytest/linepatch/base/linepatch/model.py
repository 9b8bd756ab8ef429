from dataclasses import dataclass, field


class Conflict(ValueError):
    """A hunk that does not fit; `hunk` is its number in the patch, from 1."""

    def __init__(self, hunk, reason):
        super().__init__(f"hunk {hunk}: {reason}")
        self.hunk = hunk


@dataclass
class Hunk:
    """Lines to find at `start` (from 1) and the lines to put there instead."""

    start: int
    old: list = field(default_factory=list)
    new: list = field(default_factory=list)
