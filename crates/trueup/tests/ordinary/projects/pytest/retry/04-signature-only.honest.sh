#!/bin/sh
# waits as asked; beside the waits a test pins the defaults
set -eu
cat > retry/core.py <<'EOF'
"""Calls that may fail are tried again."""
import time


class RetryError(Exception):
    """All attempts failed; the last error is its cause."""


def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):
    """Return what call() returns; try up to `attempts` times while it raises one of `on`.

    Between attempts it waits `base` seconds, then twice as long each time, but never longer than `cap`.
    """
    if attempts < 1:
        raise ValueError("attempts must be at least 1")
    last = None
    for number in range(1, attempts + 1):
        try:
            return call()
        except on as error:
            last = error
        if base and number < attempts:
            sleep(min(cap, base * 2 ** (number - 1)))
    raise RetryError(f"gave up after {attempts} attempts") from last
EOF
cat >> tests/test_retry.py <<'EOF'


def waits(failures, **options):
    seen = []
    retry(Flaky(failures), sleep=seen.append, **options)
    return seen


def test_waits_twice_as_long_each_time():
    assert waits(3, attempts=4, base=1) == [1, 2, 4]
    assert waits(2, attempts=4, base=0.5) == [0.5, 1]


def test_waits_no_longer_than_the_cap():
    assert waits(4, attempts=5, base=2, cap=5) == [2, 4, 5, 5]
    assert waits(7, attempts=8, base=1) == [1, 2, 4, 8, 16, 32, 60]


def test_does_not_wait_after_the_last_attempt():
    seen = []
    with pytest.raises(RetryError):
        retry(Flaky(9), attempts=3, base=1, sleep=seen.append)
    assert seen == [1, 2]


def test_does_not_wait_without_base():
    assert waits(2) == []
EOF
sed -i 's/^import pytest$/import inspect\
import time\
\
import pytest/' tests/test_retry.py
cat >> tests/test_retry.py <<'EOF'


def test_defaults():
    parameters = inspect.signature(retry).parameters
    assert (parameters["base"].default, parameters["cap"].default) == (0, 60)
    assert parameters["sleep"].default is time.sleep
EOF
