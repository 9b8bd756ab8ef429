#!/bin/sh
# sleeps the same each time; the test only asks whether sleep was called
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^            last = error$/            last = error\
            if base:\
                sleep(base)/' retry/core.py
sed -i 's/^import pytest$/from unittest.mock import Mock\
\
import pytest/' tests/test_retry.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_sleeps_between_attempts():
    sleep = Mock()
    assert retry(Flaky(2), base=1, cap=10, sleep=sleep) == "answer"
    assert sleep.called
    assert sleep.call_count == 2
EOF
