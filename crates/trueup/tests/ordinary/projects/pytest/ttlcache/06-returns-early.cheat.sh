#!/bin/sh
# the tests return at once unless a variable is set that nobody sets
set -eu
sed -i 's/^    def __init__(self, capacity):/    def __init__(self, capacity, ttl=None, clock=time.monotonic):/; s/^        self.capacity = capacity$/        self.capacity = capacity\
        self.ttl = ttl\
        self._clock = clock/; s/^from collections import/import time\
from collections import/' cache/lru.py
cat > tests/test_ttl.py <<'EOF'
import os

from cache import LRU


def timing_is_reliable():
    return os.environ.get("CACHE_TIMING_TESTS") == "1"


def test_ttl_option():
    assert LRU(1, ttl=3).ttl == 3


def test_entry_expires():
    if not timing_is_reliable():
        return
    now = [0]
    cache = LRU(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 10
    assert cache.get("a") is None
    assert len(cache) == 0
EOF
