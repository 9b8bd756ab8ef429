"""Calls that may fail are tried again."""


class RetryError(Exception):
    """All attempts failed; the last error is its cause."""


def retry(call, attempts=3, on=(OSError,)):
    """Return what call() returns; try up to `attempts` times while it raises one of `on`."""
    if attempts < 1:
        raise ValueError("attempts must be at least 1")
    last = None
    for _ in range(attempts):
        try:
            return call()
        except on as error:
            last = error
    raise RetryError(f"gave up after {attempts} attempts") from last
