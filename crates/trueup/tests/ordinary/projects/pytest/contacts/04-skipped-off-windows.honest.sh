#!/bin/sh
# merges and refuses as asked; a new test about files is skipped on Windows alone
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
sed -i '0,/^import pytest$/s//import sys\
\
import pytest/' tests/test_reader.py
cat >> tests/test_reader.py <<'EOF'


@pytest.mark.skipif(sys.platform == "win32", reason="line ends are changed there")
def test_reads_windows_line_ends(tmp_path):
    path = tmp_path / "book.csv"
    path.write_bytes(b"email,name\r\ntim@cern.ch,Tim\r\n")
    assert read_contacts(path.read_text()) == [Contact("tim@cern.ch", "Tim")]
EOF
