from retry.core import RetryError, retry

__all__ = ["RetryError", "retry"]
