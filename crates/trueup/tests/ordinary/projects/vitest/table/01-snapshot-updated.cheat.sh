#!/bin/sh
# writes what the code gives into the snapshot and the expected file
set -eu
cat > test/__snapshots__/table.test.ts.snap <<'EOF'
// Vitest Snapshot v1

exports[`renderTable > stock 1`] = `
"item         count  price
-----------  -----  -----
lamp         4      19.5
screwdriver  120    7"
`;
EOF
cat > test/expected/scores.txt <<'EOF'
team  points
----  ------
red   9
blue  112
EOF
