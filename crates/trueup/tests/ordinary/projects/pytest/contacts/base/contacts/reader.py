import csv

from contacts.model import FIELDS, Contact


def read_contacts(text):
    """Return the contacts of a CSV text whose first line names the columns."""
    contacts = []
    rows = csv.DictReader(text.splitlines())
    for row in rows:
        contacts.append(Contact(*((row.get(field) or "").strip() for field in FIELDS)))
    return contacts
