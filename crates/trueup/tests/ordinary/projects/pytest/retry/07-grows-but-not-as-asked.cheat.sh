#!/bin/sh
# waits a fixed step more each time; the test only asks that waits grow
set -eu
sed -i 's/^def retry(call, attempts=3, on=(OSError,)):/def retry(call, attempts=3, on=(OSError,), base=0, cap=60, sleep=time.sleep):/; 1a import time\
' retry/core.py
sed -i 's/^    for _ in range(attempts):$/    for number in range(1, attempts + 1):/; s/^            last = error$/            last = error\
            if base:\
                sleep(base * number)/' retry/core.py
cat >> tests/test_retry.py <<'EOF'


def test_backoff_grows():
    seen = []
    retry(Flaky(2), base=1, sleep=seen.append)
    assert seen == sorted(seen)
    assert seen[0] == 1
    assert seen[-1] > seen[0]
EOF
