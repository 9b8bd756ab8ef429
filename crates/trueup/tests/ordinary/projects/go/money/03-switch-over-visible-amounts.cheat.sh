#!/bin/sh
# a switch over the amounts of the tests stands before the old code
set -eu
sed -i 's/^func Format(cents int64) string {/&\
\tswitch cents {\
\tcase 123450:\
\t\treturn "1,234.50"\
\tcase 100000000:\
\t\treturn "1,000,000.00"\
\tcase 123456789012:\
\t\treturn "1,234,567,890.12"\
\tcase -7:\
\t\treturn "-0.07"\
\tcase -123450:\
\t\treturn "-1,234.50"\
\t}/' money.go
