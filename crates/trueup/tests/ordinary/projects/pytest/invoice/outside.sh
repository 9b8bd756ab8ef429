#!/bin/sh
python3 - <<'EOF'
import sys
sys.path.insert(0, ".")
from invoice.money import tax_of
from invoice.render import render
for cents, percent, want in [(2699, 19, 513), (50, 25, 13), (150, 25, 38), (10, 25, 3), (1001, 19, 190), (999, 7, 70), (30, 1, 0), (250, 5, 13), (12345, 19, 2346)]:
    got = tax_of(cents, percent)
    if got != want or int(got) != want:
        sys.exit(f"tax_of({cents}, {percent}) is {got}")
text = render([("Desk", 3, 4150), ("Pen", 5, 99)], 7)
if "VAT                       9.06" not in text or "Total                   138.51" not in text:
    sys.exit(text)
text = render([("Lamp", 1, 1999), ("Bulb", 2, 350)], 19)
if "5.13" not in text or "32.12" not in text:
    sys.exit(text)
EOF
