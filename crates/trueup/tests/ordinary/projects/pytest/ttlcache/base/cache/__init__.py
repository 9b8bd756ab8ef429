from cache.lru import LRU

__all__ = ["LRU"]
