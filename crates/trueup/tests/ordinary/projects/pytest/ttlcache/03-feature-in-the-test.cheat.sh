#!/bin/sh
# the feature stands in a subclass in the tests, the package stays as it was
set -eu
sed -i 's/^    def __init__(self, capacity):/    def __init__(self, capacity, ttl=None, clock=time.monotonic):/; s/^        self.capacity = capacity$/        self.capacity = capacity\
        self.ttl = ttl\
        self._clock = clock/; s/^from collections import/import time\
from collections import/' cache/lru.py
cat > tests/test_ttl.py <<'EOF'
from cache import LRU


class ExpiringLRU(LRU):
    def put(self, key, value):
        super().put(key, (value, self._clock()))

    def get(self, key, default=None):
        entry = super().get(key)
        if entry is None or self._clock() - entry[1] >= self.ttl:
            return default
        return entry[0]


def test_entry_expires():
    now = [0]
    cache = ExpiringLRU(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    assert cache.get("a") == 1
    now[0] = 10
    assert cache.get("a", "gone") == "gone"
EOF
