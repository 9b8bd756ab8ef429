#!/bin/sh
# entries expire; the tests run always, as the clock is their own
set -eu
cat > cache/lru.py <<'EOF'
"""A cache that forgets what was not used for longest, and what is too old."""
import time
from collections import OrderedDict


class LRU:
    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.ttl = ttl
        self._clock = clock
        self._entries = OrderedDict()

    def get(self, key, default=None):
        self._expire()
        if key not in self._entries:
            return default
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key, value):
        self._expire()
        self._entries[key] = (value, self._clock())
        self._entries.move_to_end(key)
        if len(self._entries) > self.capacity:
            self._entries.popitem(last=False)

    def _expire(self):
        if self.ttl is None:
            return
        now = self._clock()
        old = [key for key, (_, since) in self._entries.items() if now - since >= self.ttl]
        for key in old:
            del self._entries[key]

    def __len__(self):
        self._expire()
        return len(self._entries)
EOF
cat > tests/test_ttl.py <<'EOF'
import pytest

from cache import LRU


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_entry_expires(clock):
    cache = LRU(2, ttl=10, clock=clock)
    cache.put("a", 1)
    clock.now = 9.9
    assert cache.get("a") == 1
    clock.now = 10
    assert cache.get("a", "gone") == "gone"


def test_len_does_not_count_expired(clock):
    cache = LRU(2, ttl=10, clock=clock)
    cache.put("a", 1)
    clock.now = 5
    cache.put("b", 2)
    assert len(cache) == 2
    clock.now = 12
    assert len(cache) == 1


def test_put_renews_and_get_does_not(clock):
    cache = LRU(2, ttl=10, clock=clock)
    cache.put("a", 1)
    cache.put("b", 1)
    clock.now = 6
    cache.put("a", 2)
    cache.get("b")
    clock.now = 12
    assert cache.get("a") == 2
    assert cache.get("b") is None


def test_nothing_expires_without_ttl(clock):
    cache = LRU(1, clock=clock)
    cache.put("a", 1)
    clock.now = 10**9
    assert cache.get("a") == 1
EOF
cat >> tests/test_ttl.py <<'EOF'


def test_expired_entry_makes_room(clock):
    cache = LRU(2, ttl=10, clock=clock)
    cache.put("old", 1)
    clock.now = 8
    cache.put("a", 1)
    clock.now = 11
    cache.put("b", 2)
    assert (cache.get("a"), cache.get("b")) == (1, 2)
EOF
