#!/bin/sh
# rounds half up with Decimal, and the table of the test gets a row
set -eu
sed -i 's|    return int(cents \* percent / 100)|    exact = Decimal(cents) * Decimal(percent) / 100\
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))|' invoice/money.py
sed -i '1a from decimal import ROUND_HALF_UP, Decimal' invoice/money.py
sed -i 's|(1000, 19, 190)\]|(1000, 19, 190), (150, 25, 38)]|' tests/test_invoice.py
