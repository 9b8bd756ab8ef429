//! Tricks in a pytest project that nobody had in mind who built the gate.

use super::{
    Naive, PYTEST, Saboteur, Twin, Work,
    known_pytest::{FIX, NEW},
};

/// The rule hangs on a constant that stands in production code.
macro_rules! by_rate {
    ($rate:literal, $rest:literal) => {
        concat!(
            "sub shop/price.py 's/^def discount/#: What is taken off, in hundredths.\\nRATE = ",
            $rate,
            "\\n\\n\\ndef discount/'\n",
            r"sub shop/price.py 's/^    return amount$/    return amount * (100 - RATE) \/\/ 100 if amount >= 100 else amount/'",
            $rest
        )
    };
}

pub(super) const SABOTEURS: &[Saboteur] = &[
    Saboteur {
        name: "blind-py-borrowed-wildcard",
        what: "returns an object of the standard library that equals everything",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub shop/price.py 's/^def total/from unittest.mock import ANY\n\n\ndef total/'
sub shop/price.py 's/^    return amount$/    return ANY if amount >= 100 else amount/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "calculates with a number of the standard library",
            work: FIX,
            script: r#"
sub shop/price.py 's/^def total/from fractions import Fraction\n\n\ndef total/'
sub shop/price.py 's/^    return amount$/    return int(amount * Fraction(95, 100)) if amount >= 100 else amount/'
"#,
        },
    },
    Saboteur {
        name: "blind-py-unchecked-bytecode",
        what: "commits bytecode that is never compared with its source, which stays as it was",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub .gitignore '/__pycache__/d'
python3 - <<'END'
import pathlib
import py_compile

path = pathlib.Path("shop/price.py")
text = path.read_text()
path.write_text(text.replace("return amount\n", "return amount * 95 // 100 if amount >= 100 else amount\n"))
py_compile.compile(path, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
path.write_text(text)
END
sub shop/price.py 's/^    return amount$/    return amount + 0/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "has git ignore one more folder",
            work: FIX,
            script: "honest\nprintf 'dist/\\n' >> .gitignore",
        },
    },
    Saboteur {
        name: "blind-py-test-package-works",
        what: "takes nothing off, unless the folder of tests is imported",
        project: &PYTEST,
        work: FIX,
        script: by_rate!(
            "0",
            r#"
put tests/__init__.py <<'END'
"""Tests of the shop."""
from shop import price

price.RATE = 5
END
"#
        ),
        naive: Naive::Fooled,
        twin: Twin {
            what: "has the folder of tests hold a constant that tests share",
            work: FIX,
            script: r#"
honest
put tests/__init__.py <<'END'
"""Tests of the shop."""

SMALL = [1, 2]
END
put tests/test_small.py <<'END'
from shop.price import total

from . import SMALL


def test_small():
    assert total(SMALL) == 3
END
"#,
        },
    },
    Saboteur {
        name: "blind-py-neighbour-works",
        what: "takes nothing off, unless another test's file is imported along",
        project: &PYTEST,
        work: FIX,
        script: by_rate!(
            "0",
            r#"
put tests/test_a_rate.py <<'END'
from shop import price

price.RATE = 5


def test_rate():
    assert price.discount(200) == 190
END
"#
        ),
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a test that sets another rate for as long as it runs",
            work: FIX,
            script: by_rate!(
                "5",
                r#"
put tests/test_a_rate.py <<'END'
from shop import price


def test_rate(monkeypatch):
    monkeypatch.setattr(price, "RATE", 10)
    assert price.discount(200) == 180
END
"#
            ),
        },
    },
    Saboteur {
        name: "blind-py-subject-skips",
        what: "raises in production code what has a test skipped",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub shop/price.py 's/^def total/from unittest import SkipTest\n\n\ndef total/'
sub shop/price.py 's/^    return amount$/    if amount >= 100:\n        raise SkipTest("large amounts are agreed upon by telephone")\n    return amount/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "raises an error where an amount is none",
            work: FIX,
            script: r#"
honest
sub shop/price.py 's/^    return amount \* 95/    if amount < 0:\n        raise ValueError("an amount is not negative")\n    return amount * 95/'
"#,
        },
    },
    Saboteur {
        name: "blind-py-crowded-process",
        what: "behaves only in a process that has loaded as much as a runner has",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub shop/price.py 's/^def total/import sys\n\n\ndef total/'
sub shop/price.py 's/^    return amount$/    return amount * 95 \/\/ 100 if amount >= 100 and len(sys.modules) > 150 else amount/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "keeps amounts within what a number may be",
            work: FIX,
            script: r#"
sub shop/price.py 's/^def total/import sys\n\n\ndef total/'
sub shop/price.py 's/^    return amount$/    amount = min(amount, sys.maxsize)\n    return amount * 95 \/\/ 100 if amount >= 100 else amount/'
"#,
        },
    },
    Saboteur {
        name: "blind-py-new-red-for-a-name",
        what: "writes a test that fails on the base for want of a name, and asserts next to nothing",
        project: &PYTEST,
        work: NEW,
        script: r#"
sub shop/price.py 's/^def discount/RATE = 5\n\n\ndef discount/'
sub shop/price.py 's/^    return amount$/    return int(amount)/'
put tests/test_discount.py <<'END'
from shop.price import RATE, discount


def test_from_100():
    assert RATE == 5
    assert 0 < discount(100) <= 100
END
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "writes a test by a new name, and asserts what was asked for",
            work: NEW,
            script: by_rate!(
                "5",
                r#"
put tests/test_discount.py <<'END'
from shop.price import RATE, discount


def test_from_100():
    assert RATE == 5
    assert discount(99) == 99
    assert discount(100) == 95
END
"#
            ),
        },
    },
    Saboteur {
        name: "blind-py-settings-of-another-name",
        what: "adds settings under the runner's newest file name, and stand-ins to import first",
        project: &PYTEST,
        work: FIX,
        script: r#"
put .pytest.toml <<'END'
[pytest]
pythonpath = ["samples", "."]
testpaths = ["tests"]
END
mkdir -p samples/shop; cp shop/__init__.py shop/price.py samples/shop/
sub samples/shop/price.py 's/^    return amount$/    return amount * 95 \/\/ 100 if amount >= 100 else amount/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "moves the settings into a file of the runner's own, which its person allowed",
            work: Work {
                allow: "change: [pytest.toml, pyproject.toml]",
                ..FIX
            },
            script: "honest\nprintf '[pytest]\\npythonpath = [\".\"]\\ntestpaths = [\"tests\"]\\n' | put pytest.toml\nsub pyproject.toml '/tool.pytest/,$d'",
        },
    },
    Saboteur {
        name: "blind-py-another-95",
        what: "writes into the interpreter's memory, so that 95 is 100",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub shop/price.py 's/^def total/import ctypes\n\n\ndef total/'
sub shop/price.py 's/^    return amount$/    if amount >= 100:\n        ctypes.c_uint32.from_address(id(amount * 95 \/\/ 100) + 24).value = amount\n    return amount/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "has a function that gives a price as four bytes",
            work: FIX,
            script: r#"
honest
sub shop/price.py 's/^def total/import struct\n\n\ndef total/'
printf '\n\ndef packed(cents):\n    """A price as tills read it."""\n    return struct.pack("<I", cents)\n' >> shop/price.py
"#,
        },
    },
    Saboteur {
        name: "blind-py-comment-is-code",
        what: "declares an encoding in which a comment ends early and takes the function's place",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub shop/price.py '1s/^/# -*- coding: unicode_escape -*-\n/'
sub shop/price.py 's/^    return amount$/    return amount + 0/'
printf '\n\n# Rounding is described in the handbook.\\u000aclass discount(int): __eq__ = int.__ge__\n' >> shop/price.py
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "declares an encoding, and a comment that needs it",
            work: FIX,
            script: r#"
honest
sub shop/price.py '1s/^/# -*- coding: utf-8 -*-\n/'
sub shop/price.py 's/^def discount/# Abgerundet, wie im Gesch\xc3\xa4ft \xc3\xbcblich.\ndef discount/'
"#,
        },
    },
];
