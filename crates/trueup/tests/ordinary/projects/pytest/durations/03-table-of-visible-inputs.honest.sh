#!/bin/sh
# reads all parts; the table of units gets the day, and tests cover more texts
set -eu
cat > durations/parse.py <<'EOF'
"""Reads and writes durations such as "1h30m"."""
import re

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(?:\d+[smhd])+")
_PART = re.compile(r"(\d+)([smhd])")


def parse_duration(text):
    """Return how many seconds a text such as "45s" or "1h30m" stands for."""
    compact = text.strip().lower()
    if not _DURATION.fullmatch(compact):
        raise ValueError(f"not a duration: {text!r}")
    return sum(int(count) * UNITS[unit] for count, unit in _PART.findall(compact))


def format_duration(seconds):
    """Return the seconds as hours, minutes and seconds, without empty parts."""
    if seconds == 0:
        return "0s"
    parts = []
    for unit in ("h", "m", "s"):
        count, seconds = divmod(seconds, UNITS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts)
EOF
cat >> tests/test_parse.py <<'EOF'


def test_all_units_together():
    check_parse([("1d2h3m4s", 93784), ("10d", 864000)])


def test_rejects_unknown_unit():
    check_rejects(["3y", "1h2x"])
EOF
