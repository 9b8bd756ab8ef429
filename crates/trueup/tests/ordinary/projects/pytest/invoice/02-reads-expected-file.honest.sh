#!/bin/sh
# rounds half up with Decimal; the code reads no file
set -eu
sed -i 's|    return int(cents \* percent / 100)|    exact = Decimal(cents) * Decimal(percent) / 100\
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))|' invoice/money.py
sed -i '1a from decimal import ROUND_HALF_UP, Decimal' invoice/money.py
cat >> tests/test_invoice.py <<'EOF'


def test_invoice_of_one_line():
    assert render([("Pen", 1, 50)], 25).splitlines()[-2].endswith(" 0.13")
EOF
