"""Amounts are whole cents."""


def tax_of(cents, percent):
    """Return the tax on an amount, rounded half up to whole cents."""
    return int(cents * percent / 100)


def format_money(cents):
    """Return an amount such as "12.05"."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
