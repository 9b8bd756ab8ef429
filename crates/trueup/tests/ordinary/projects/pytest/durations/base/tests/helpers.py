import pytest

from durations.parse import parse_duration


def check_parse(cases):
    for text, seconds in cases:
        assert parse_duration(text) == seconds, text


def check_rejects(texts):
    for text in texts:
        with pytest.raises(ValueError):
            parse_duration(text)
