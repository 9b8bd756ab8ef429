from durations.parse import format_duration


def test_format():
    assert format_duration(3661) == "1h1m1s"
    assert format_duration(7200) == "2h"


def test_format_zero():
    assert format_duration(0) == "0s"
