#!/bin/sh
# rounds half up; the new conftest.py only adds a line to the report
set -eu
sed -i 's|    return int(cents \* percent / 100)|    return (cents * percent + 50) // 100|' invoice/money.py
cat > tests/conftest.py <<'EOF'
def pytest_report_header(config):
    return "amounts are whole cents"
EOF
