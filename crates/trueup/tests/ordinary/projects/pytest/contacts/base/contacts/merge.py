def merge(contacts):
    """Return one contact for each address."""
    found = {}
    for contact in contacts:
        found.setdefault(contact.email, contact)
    return list(found.values())
