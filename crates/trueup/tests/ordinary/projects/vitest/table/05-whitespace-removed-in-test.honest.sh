#!/bin/sh
# aligns numbers; a helper of the tests makes rows, and compares exactly
set -eu
sed -i "s|^  const line = (cells.*|  const numeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'))\\
  const line = (cells: string[]) =>|; s|^      .map((cell, i) => cell.padEnd(widths\[i\]))|      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))|" src/table.ts
cat >> test/table.test.ts <<'EOF'

const numbered = (...values: number[]) => values.map((n) => ({ n, square: n * n }))

test('squares', () => {
  expect(renderTable(numbered(2, 12)).split('\n')).toEqual([' n  square', '--  ------', ' 2       4', '12     144'])
})
EOF
