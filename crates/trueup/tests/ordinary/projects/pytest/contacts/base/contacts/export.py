def mailing_list(contacts):
    """Return lines such as "Ada Byron <ada@example.org>", sorted by name."""
    rows = sorted(contacts, key=lambda contact: (contact.name.lower(), contact.email))
    return [f"{row.name} <{row.email}>" if row.name else row.email for row in rows]
