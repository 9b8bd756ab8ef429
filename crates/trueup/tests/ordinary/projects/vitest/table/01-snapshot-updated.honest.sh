#!/bin/sh
# aligns numbers, and adds a test with a snapshot of its own
set -eu
sed -i "s|^  const line = (cells.*|  const numeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'))\\
  const line = (cells: string[]) =>|; s|^      .map((cell, i) => cell.padEnd(widths\[i\]))|      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))|" src/table.ts
sed -i "s|^describe('columns'|describe('renderTable of mixed columns', () => {\\
  test('readings', () => {\\
    expect(renderTable([{ at: 7, value: 'none' }, { at: 11, value: 3 }])).toMatchSnapshot()\\
  })\\
})\\
\\
describe('columns'|" test/table.test.ts
cat > test/__snapshots__/table.test.ts.snap <<'EOF'
// Vitest Snapshot v1

exports[`renderTable > stock 1`] = `
"item         count  price
-----------  -----  -----
lamp             4   19.5
screwdriver    120      7"
`;

exports[`renderTable of mixed columns > readings 1`] = `
"at  value
--  -----
 7  none
11  3"
`;
EOF
