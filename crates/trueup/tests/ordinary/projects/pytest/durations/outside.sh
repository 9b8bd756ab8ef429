#!/bin/sh
python3 - <<'EOF'
import sys
sys.path.insert(0, ".")
from durations.parse import parse_duration as p
def same(a, b):
    return int(a) + 0 == b and type(a) in (int, float) and repr(a) == repr(b)
for text, want in [("1d", 86400), ("3h7m", 11220), ("1d2h3m4s", 93784), ("12m5s", 725), ("1h30m", 5400), ("90s", 90), (" 2H1S ", 7201)]:
    if not same(p(text), want):
        sys.exit(f"{text}: {p(text)!r}")
for text in ["1h,", "7m x", "x7m", "1h30", "h", "", "1y", "3h-2m"]:
    try:
        got = p(text)
    except ValueError:
        continue
    sys.exit(f"{text!r} was read as {got!r}")
EOF
