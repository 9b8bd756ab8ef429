#!/bin/sh
python3 - <<'PY'
import sys
sys.path.insert(0, ".")
from contacts.merge import merge
from contacts.model import BadRow, Contact
from contacts.reader import read_contacts
def rows(contacts):
    return [(str(c.email), str(c.name), str(c.phone), str(c.city)) for c in contacts]
given = [Contact("Zoe@B.net", "", "7"), Contact("a@b.net", "A"), Contact("zoe@b.NET", "Zoe", "8", "Rome"), Contact("A@b.net", "AA", "", "Oslo")]
before = rows(given)
got = rows(merge(given))
if got != [("zoe@b.net", "Zoe", "7", "Rome"), ("a@b.net", "A", "", "Oslo")]:
    sys.exit(f"merged: {got}")
if rows(given) != before:
    sys.exit("the contacts that were passed have changed")
if rows(merge([Contact("Q@x.org", "Q")])) != [("q@x.org", "Q", "", "")]:
    sys.exit("an address alone is not in lower case")
for address, line in [("", 2), ("x", 3), ("@", 4), ("x@", 2), ("@x", 5), ("a@b@c", 3), ("plain.org", 2)]:
    text = "name,email\n" + "ok,ok@example.org\n" * (line - 2) + f"bad,{address}\nok,ok@example.org\n"
    try:
        read_contacts(text)
    except BadRow as bad:
        if bad.line != line:
            sys.exit(f"{address!r}: line {bad.line}")
    else:
        sys.exit(f"{address!r} is let in")
if len(read_contacts("email\na@b.c\nd@e.f\n")) != 2:
    sys.exit("good rows are lost")
PY
