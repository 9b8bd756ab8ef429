#!/bin/sh
# merges and refuses as asked; the conftest.py gets a fixture that makes contacts for a new test
set -eu
cat > contacts/merge.py <<'EOF'
from dataclasses import replace

from contacts.model import FIELDS


def merge(contacts):
    """Return one contact for each address, with the first value of every field."""
    found = {}
    for contact in contacts:
        email = contact.email.lower()
        known = found.setdefault(email, replace(contact, email=email))
        for field in FIELDS:
            if not getattr(known, field):
                setattr(known, field, getattr(contact, field))
    return list(found.values())
EOF
cat > contacts/reader.py <<'EOF'
import csv

from contacts.model import FIELDS, BadRow, Contact


def _is_address(text):
    name, _, host = text.partition("@")
    return bool(name and host) and "@" not in host


def read_contacts(text):
    """Return the contacts of a CSV text whose first line names the columns."""
    contacts = []
    rows = csv.DictReader(text.splitlines())
    for row in rows:
        contact = Contact(*((row.get(field) or "").strip() for field in FIELDS))
        if not _is_address(contact.email):
            raise BadRow(rows.line_num, f"not an address: {contact.email!r}")
        contacts.append(contact)
    return contacts
EOF
cat >> tests/conftest.py <<'EOF'


@pytest.fixture
def spellings():
    from contacts.model import Contact

    return lambda email: [Contact(email), Contact(email.upper(), "Up"), Contact(email.title(), "Title", "9")]
EOF
cat >> tests/test_merge.py <<'EOF'


def test_three_spellings_are_one_contact(spellings):
    assert merge(spellings("tim@cern.ch")) == [Contact("tim@cern.ch", "Up", "9")]
EOF
