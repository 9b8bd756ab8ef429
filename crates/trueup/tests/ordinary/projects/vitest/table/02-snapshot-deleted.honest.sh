#!/bin/sh
# aligns numbers, and adds an inline snapshot
set -eu
sed -i "s|^  const line = (cells.*|  const numeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'))\\
  const line = (cells: string[]) =>|; s|^      .map((cell, i) => cell.padEnd(widths\[i\]))|      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))|" src/table.ts
cat >> test/table.test.ts <<'EOF'

test('one column of numbers', () => {
  expect(renderTable([{ n: 5 }, { n: 100 }])).toMatchInlineSnapshot(`
    "  n
    ---
      5
    100"
  `)
})
EOF
