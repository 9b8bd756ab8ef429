from pathlib import Path

import pytest

from contacts.reader import read_contacts


@pytest.fixture
def data():
    return Path(__file__).parent / "data"


@pytest.fixture
def people(data):
    return read_contacts((data / "people.csv").read_text())
