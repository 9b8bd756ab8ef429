import pytest

from cache import LRU


def test_keeps_what_was_put():
    cache = LRU(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", "none") == "none"


def test_forgets_the_least_used():
    cache = LRU(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("b") is None
    assert cache.get("a") == 1
    assert len(cache) == 2


def test_needs_room():
    with pytest.raises(ValueError):
        LRU(0)
