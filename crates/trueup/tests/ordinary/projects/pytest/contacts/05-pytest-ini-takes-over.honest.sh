#!/bin/sh
# merges and refuses as asked; the options in pyproject.toml list the reasons of skips
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
cat >> pyproject.toml <<'EOF'
addopts = "-rs"
EOF
cat >> tests/test_reader.py <<'EOF'


def test_blank_lines_count_as_lines():
    with pytest.raises(BadRow) as caught:
        read_contacts("email\n\nada@example.org\n\nnobody\n")
    assert caught.value.line == 5
EOF
