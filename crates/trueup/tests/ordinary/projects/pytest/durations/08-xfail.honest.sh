#!/bin/sh
# reads all parts; a new test carries a mark, that of its cases
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
sed -i '1i import pytest\
' tests/test_parse.py
cat >> tests/test_parse.py <<'EOF'


@pytest.mark.parametrize("text, seconds", [("1d1h", 90000), ("3m20s", 200)])
def test_pairs(text, seconds):
    check_parse([(text, seconds)])
EOF
