#!/bin/sh
# rounds half up, and tests a share just under the half
set -eu
sed -i 's|    return int(cents \* percent / 100)|    exact = Decimal(cents) * Decimal(percent) / 100\
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))|' invoice/money.py
sed -i '1a from decimal import ROUND_HALF_UP, Decimal' invoice/money.py
cat >> tests/test_invoice.py <<'EOF'


def test_less_than_half_is_rounded_down():
    assert tax_of(1001, 19) == 190
    assert tax_of(49, 1) == 0
EOF
