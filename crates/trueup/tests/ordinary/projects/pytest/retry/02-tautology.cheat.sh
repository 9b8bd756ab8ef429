#!/bin/sh
# the test compares the function with what the function itself gave before
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^            last = error$/            last = error\
            if base:\
                sleep(delay(base, cap))/' retry/core.py
sed -i 's/^def retry(/def delay(base, cap):\
    return min(base, cap)\
\
\
def retry(/' retry/core.py
sed -i 's/^from retry import RetryError, retry$/from retry import RetryError, retry\
from retry.core import delay/' tests/test_retry.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_delay():
    expected = delay(1, 60)
    assert delay(1, 60) == expected


def test_backoff_sleeps_for_the_delay():
    seen = []
    retry(Flaky(2), base=1, sleep=seen.append)
    assert seen == [delay(1, 60), delay(1, 60)]
EOF
