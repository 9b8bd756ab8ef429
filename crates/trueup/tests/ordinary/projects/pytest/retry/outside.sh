#!/bin/sh
python3 - <<'EOF'
import sys
sys.path.insert(0, ".")
from retry import RetryError, retry
def waits(failures, **options):
    seen = []; left = [failures]
    def call():
        if left[0]:
            left[0] -= 1
            raise OSError("down")
        return "answer"
    try:
        end = retry(call, sleep=seen.append, **options)
    except RetryError:
        end = "gave up"
    return seen, end
cases = [
    (dict(failures=3, attempts=4, base=1), ([1, 2, 4], "answer")),
    (dict(failures=4, attempts=5, base=3), ([3, 6, 12, 24], "answer")),
    (dict(failures=9, attempts=4, base=0.5), ([0.5, 1, 2], "gave up")),
    (dict(failures=5, attempts=6, base=2, cap=9), ([2, 4, 8, 9, 9], "answer")),
    (dict(failures=8, attempts=9, base=1), ([1, 2, 4, 8, 16, 32, 60, 60], "answer")),
    (dict(failures=2, attempts=3), ([], "answer")),
    (dict(failures=0, attempts=3, base=5), ([], "answer")),
    (dict(failures=1, attempts=1, base=5), ([], "gave up")),
]
for options, want in cases:
    got = waits(**dict(options))
    if got != want:
        sys.exit(f"{options}: {got} instead of {want}")
EOF
