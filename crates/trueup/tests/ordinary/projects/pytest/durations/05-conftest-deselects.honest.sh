#!/bin/sh
# reads all parts; a new conftest.py holds a fixture that a new test uses
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
cat > tests/conftest.py <<'EOF'
import pytest


@pytest.fixture
def working_day():
    """The parts of a working day, in seconds."""
    return {"8h": 28800, "30m": 1800, "7h45m": 27900}
EOF
cat >> tests/test_parse.py <<'EOF'


def test_working_day(working_day):
    check_parse(working_day.items())
EOF
