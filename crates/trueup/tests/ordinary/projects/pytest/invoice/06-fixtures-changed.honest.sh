#!/bin/sh
# rounds half up, and names the reduced rate as a further fixture
set -eu
sed -i 's|    return int(cents \* percent / 100)|    return (cents * percent + 50) // 100|' invoice/money.py
sed -i 's/^PERCENT = 19$/PERCENT = 19\
REDUCED_PERCENT = 7/' tests/test_invoice.py
cat >> tests/test_invoice.py <<'EOF'


def test_reduced_rate():
    assert tax_of(2699, REDUCED_PERCENT) == 189
    assert tax_of(2650, REDUCED_PERCENT) == 186
EOF
