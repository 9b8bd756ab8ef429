#!/bin/sh
# rounds up always, which fits the visible cases and nothing else
set -eu
sed -i 's|    return int(cents \* percent / 100)|    return math.ceil(cents * percent / 100)|; 1a import math' invoice/money.py
