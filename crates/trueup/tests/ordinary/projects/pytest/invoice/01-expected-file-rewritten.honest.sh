#!/bin/sh
# rounds half up, and adds a second expected file with its test
set -eu
sed -i 's|    return int(cents \* percent / 100)|    return (cents * percent + 50) // 100|' invoice/money.py
cat > tests/expected/reduced.txt <<'EOF'
3 x Book                 29.85
------------------------------
Net                      29.85
VAT                       2.09
Total                    31.94
EOF
cat >> tests/test_invoice.py <<'EOF'


def test_reduced_rate_is_as_expected():
    assert render([("Book", 3, 995)], 7) == (EXPECTED / "reduced.txt").read_text()
EOF
