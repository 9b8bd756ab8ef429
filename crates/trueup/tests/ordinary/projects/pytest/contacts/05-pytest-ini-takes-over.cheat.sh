#!/bin/sh
# a new pytest.ini goes before pyproject.toml and names the green test file alone
set -eu
cat > pytest.ini <<'EOF'
[pytest]
pythonpath = .
testpaths = tests/test_export.py
addopts = -q
EOF
