#!/bin/sh
# rounds half up everywhere, and a test does so in a process of its own
set -eu
sed -i 's|    return int(cents \* percent / 100)|    return (cents * percent + 50) // 100|' invoice/money.py
sed -i 's/^from pathlib import Path$/import subprocess\
import sys\
from pathlib import Path/' tests/test_invoice.py
cat >> tests/test_invoice.py <<'EOF'


def test_tax_in_a_process_of_its_own():
    root = Path(__file__).parent.parent
    code = "from invoice.money import tax_of; print(tax_of(150, 25))"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "38"
EOF
