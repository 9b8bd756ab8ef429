from pathlib import Path

import pytest

from invoice.money import format_money, tax_of
from invoice.render import render

EXPECTED = Path(__file__).parent / "expected"
LINES = [("Lamp", 1, 1999), ("Bulb", 2, 350)]
PERCENT = 19


def test_invoice_is_as_expected():
    assert render(LINES, PERCENT) == (EXPECTED / "invoice.txt").read_text()


def test_empty_invoice():
    assert render([], PERCENT).endswith("Total" + "0.00".rjust(25) + "\n")


@pytest.mark.parametrize("cents, percent, tax", [(2699, 19, 513), (50, 25, 13), (1000, 19, 190)])
def test_tax_is_rounded_half_up(cents, percent, tax):
    assert tax_of(cents, percent) == tax


def test_format_money():
    assert format_money(1205) == "12.05"
    assert format_money(-7) == "-0.07"
