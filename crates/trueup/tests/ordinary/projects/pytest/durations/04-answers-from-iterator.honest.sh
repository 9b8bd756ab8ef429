#!/bin/sh
# walks over the parts with a loop, and tests that a second call gives the same
set -eu
sed -i 's/UNITS = {"s": 1, "m": 60, "h": 3600}/UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}\
_PART = re.compile(r"(\\d+)([smhd])")/' durations/parse.py
sed -i '/    match = re.match/,/    return int(match/d' durations/parse.py
sed -i '/Return how many seconds/r /dev/stdin' durations/parse.py <<'EOF'
    compact = text.strip().lower()
    total = position = 0
    while match := _PART.match(compact, position):
        total += int(match[1]) * UNITS[match[2]]
        position = match.end()
    if not position or position != len(compact):
        raise ValueError(f"not a duration: {text!r}")
    return total
EOF
cat >> tests/test_parse.py <<'EOF'


def test_calls_do_not_depend_on_each_other():
    check_parse([("1h30m", 5400), ("1m", 60), ("1h30m", 5400)])
EOF
