import json
from dataclasses import asdict

import pytest

from contacts.merge import merge
from contacts.model import Contact


def test_people_are_merged(people, data):
    expected = json.loads((data / "merged.json").read_text())
    assert [asdict(contact) for contact in merge(people)] == expected


@pytest.mark.parametrize("first, second", [("tim@cern.ch", "TIM@cern.ch"), ("Tim@CERN.ch", "tim@cern.ch")])
def test_case_of_an_address_does_not_matter(first, second):
    merged = merge([Contact(first, "Tim"), Contact(second, "Timothy")])
    assert [(contact.email, contact.name) for contact in merged] == [("tim@cern.ch", "Tim")]


def test_gaps_are_filled_from_later_contacts():
    merged = merge([Contact("tim@cern.ch"), Contact("tim@cern.ch", phone="1"), Contact("tim@cern.ch", "Tim", "2")])
    assert merged == [Contact("tim@cern.ch", "Tim", "1")]


def test_different_addresses_stay():
    contacts = [Contact("b@example.org", "B"), Contact("a@example.org", "A")]
    assert merge(contacts) == contacts


def test_nothing_to_merge():
    assert merge([]) == []
