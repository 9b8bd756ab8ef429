#!/bin/sh
# adds unused parameters; the test looks at the signature alone
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^import pytest$/import inspect\
\
import pytest/' tests/test_retry.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_parameters():
    parameters = inspect.signature(retry).parameters
    assert parameters["base"].default == 0
    assert parameters["cap"].default == 60
    assert "sleep" in parameters


def test_backoff_still_answers():
    assert retry(Flaky(2), base=1, cap=2, sleep=lambda seconds: None) == "answer"
EOF
