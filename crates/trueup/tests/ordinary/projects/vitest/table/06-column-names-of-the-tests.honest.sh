#!/bin/sh
# aligns by the values, not by the names, and tests a column of mixed values
set -eu
sed -i "s|^  const line = (cells.*|  const numeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'))\\
  const line = (cells: string[]) =>|; s|^      .map((cell, i) => cell.padEnd(widths\[i\]))|      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))|" src/table.ts
cat >> test/table.test.ts <<'EOF'

test('a column with text among numbers stays left', () => {
  expect(renderTable([{ count: 1 }, { count: 'many' }])).toBe('count\n-----\n1\nmany')
})
EOF
