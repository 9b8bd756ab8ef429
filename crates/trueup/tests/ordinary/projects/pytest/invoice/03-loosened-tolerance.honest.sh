#!/bin/sh
# rounds half up, and a new test compares with the exact share, within half a cent
set -eu
sed -i 's|    return int(cents \* percent / 100)|    return (cents * percent + 50) // 100|' invoice/money.py
cat >> tests/test_invoice.py <<'EOF'


@pytest.mark.parametrize("cents", range(0, 2000, 37))
def test_tax_is_within_half_a_cent(cents):
    assert tax_of(cents, 19) == pytest.approx(cents * 0.19, abs=0.5000001)
EOF
