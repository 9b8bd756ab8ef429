from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


def pytest_generate_tests(metafunc):
    """A test that asks for `case` runs for each folder under data/."""
    if "case" in metafunc.fixturenames:
        folders = sorted(path for path in DATA.iterdir() if path.is_dir())
        metafunc.parametrize("case", folders, ids=[path.name for path in folders])


@pytest.fixture
def river():
    return (DATA / "two-hunks" / "before.txt").read_text()
