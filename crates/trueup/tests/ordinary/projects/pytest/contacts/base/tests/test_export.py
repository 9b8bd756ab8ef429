from contacts.export import mailing_list
from contacts.model import Contact


def test_mailing_list_is_sorted_by_name():
    contacts = [Contact("t@cern.ch", "Tim"), Contact("a@example.org", "ada")]
    assert mailing_list(contacts) == ["ada <a@example.org>", "Tim <t@cern.ch>"]


def test_contact_without_a_name():
    assert mailing_list([Contact("t@cern.ch")]) == ["t@cern.ch"]
