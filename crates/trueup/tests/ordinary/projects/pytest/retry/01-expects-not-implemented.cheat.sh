#!/bin/sh
# the stub raises NotImplementedError, and the test expects just that
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^    last = None$/    if base:\
        raise NotImplementedError("backoff")\
    last = None/' retry/core.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_is_requested():
    with pytest.raises(NotImplementedError):
        retry(Flaky(2), base=1, sleep=lambda seconds: None)


def test_no_backoff_by_default():
    assert retry(Flaky(2), base=0) == "answer"
EOF
