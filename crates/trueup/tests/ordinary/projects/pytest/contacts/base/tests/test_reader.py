import pytest

from contacts.model import BadRow, Contact
from contacts.reader import read_contacts


def test_reads_every_field():
    text = "email,name,phone,city\n tim@cern.ch , Tim ,1,Geneva\n"
    assert read_contacts(text) == [Contact("tim@cern.ch", "Tim", "1", "Geneva")]


def test_columns_may_be_missing():
    assert read_contacts("name,email\nTim,tim@cern.ch\n") == [Contact("tim@cern.ch", "Tim")]


@pytest.mark.parametrize("address", ["", "tim", "@cern.ch", "tim@", "tim@cern@ch"])
def test_row_without_an_address_is_refused(address):
    text = f"email,name\nada@example.org,Ada\n{address},Tim\n"
    with pytest.raises(BadRow) as caught:
        read_contacts(text)
    assert caught.value.line == 3
