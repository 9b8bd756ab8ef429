from dataclasses import dataclass

FIELDS = ("email", "name", "phone", "city")


class BadRow(ValueError):
    """A row that is no contact; `line` is its line in the text, from 1."""

    def __init__(self, line, reason):
        super().__init__(f"line {line}: {reason}")
        self.line = line


@dataclass
class Contact:
    email: str
    name: str = ""
    phone: str = ""
    city: str = ""
