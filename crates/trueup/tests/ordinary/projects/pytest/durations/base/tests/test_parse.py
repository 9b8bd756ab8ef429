from tests.helpers import check_parse, check_rejects


def test_single_unit():
    check_parse([("45s", 45), ("2m", 120), ("3h", 10800)])


def test_ignores_case_and_space():
    check_parse([(" 5M ", 300)])


def test_compound():
    check_parse([("1h30m", 5400), ("2d4h", 187200), ("1m1s", 61)])


def test_rejects_no_duration():
    check_rejects(["", "soon"])


def test_rejects_trailing_text():
    check_rejects(["10m!", "5s later"])
