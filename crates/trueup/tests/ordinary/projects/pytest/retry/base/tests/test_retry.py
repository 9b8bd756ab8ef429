import pytest

from retry import RetryError, retry


class Flaky:
    """Fails a number of times, then answers."""

    def __init__(self, failures, error=OSError):
        self.failures = failures
        self.error = error
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error("down")
        return "answer"


def test_tries_again():
    call = Flaky(2)
    assert retry(call) == "answer"
    assert call.calls == 3


def test_gives_up():
    call = Flaky(5)
    with pytest.raises(RetryError, match="after 2 attempts"):
        retry(call, attempts=2)
    assert call.calls == 2


def test_other_errors_pass_through():
    with pytest.raises(KeyError):
        retry(Flaky(1, KeyError))


def test_needs_an_attempt():
    with pytest.raises(ValueError):
        retry(Flaky(0), attempts=0)
