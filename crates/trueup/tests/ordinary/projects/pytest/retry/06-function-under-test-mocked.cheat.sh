#!/bin/sh
# the test replaces retry by a mock and asks the mock
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^import pytest$/from unittest.mock import patch\
\
import pytest/; s/^from retry import RetryError, retry$/import retry as package\
from retry import RetryError, retry/' tests/test_retry.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_delays():
    with patch("retry.retry", return_value=[1, 2, 4]) as backoff:
        assert package.retry(Flaky(3), attempts=4, base=1) == [1, 2, 4]
    backoff.assert_called_once()


def test_backoff_options():
    assert retry(Flaky(1), base=1, cap=60, sleep=lambda seconds: None) == "answer"
EOF
