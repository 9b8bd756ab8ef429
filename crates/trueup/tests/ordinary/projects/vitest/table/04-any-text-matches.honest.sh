#!/bin/sh
# aligns numbers; a further test uses an exact expression
set -eu
sed -i "s|^  const line = (cells.*|  const numeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'))\\
  const line = (cells: string[]) =>|; s|^      .map((cell, i) => cell.padEnd(widths\[i\]))|      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))|" src/table.ts
cat >> test/table.test.ts <<'EOF'

test('a short number stands at the right edge', () => {
  expect(renderTable([{ total: 5 }])).toMatch(/^total\n-----\n {4}5$/)
})
EOF
