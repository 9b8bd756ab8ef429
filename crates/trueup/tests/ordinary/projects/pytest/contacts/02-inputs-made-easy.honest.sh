#!/bin/sh
# merges and refuses as asked; a further address book is added with its test
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
cat > tests/data/club.csv <<'EOF'
name,email
,Rosalind@example.net
Rosalind,rosalind@EXAMPLE.net
Lise,lise@example.net
EOF
cat >> tests/test_merge.py <<'EOF'


def test_club_is_merged(data):
    from contacts.reader import read_contacts

    merged = merge(read_contacts((data / "club.csv").read_text()))
    assert merged == [Contact("rosalind@example.net", "Rosalind"), Contact("lise@example.net", "Lise")]
EOF
