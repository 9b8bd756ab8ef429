#!/bin/sh
# reads all parts, and adds a helper that checks the way back
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
cat >> tests/helpers.py <<'EOF'


def check_round_trip(texts):
    for text in texts:
        assert format_duration(parse_duration(text)) == text, text
EOF
sed -i 's/^from durations.parse import parse_duration$/from durations.parse import format_duration, parse_duration/' tests/helpers.py
sed -i 's/^from tests.helpers import .*/from tests.helpers import check_parse, check_rejects, check_round_trip/' tests/test_parse.py
cat >> tests/test_parse.py <<'EOF'


def test_round_trip():
    check_round_trip(["1h30m", "2m5s", "7h"])
EOF
