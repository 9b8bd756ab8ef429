#!/bin/sh
# the test gives the delays to a mock and compares them with what it gave
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^import pytest$/from unittest.mock import Mock\
\
import pytest/' tests/test_retry.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_delays():
    delays = [1, 2, 4]
    call = Mock(return_value=delays)
    assert retry(call, attempts=4, base=1, cap=60, sleep=Mock()) == [1, 2, 4]
    call.assert_called_once_with()
EOF
