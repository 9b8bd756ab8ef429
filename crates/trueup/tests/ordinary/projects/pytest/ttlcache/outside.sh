#!/bin/sh
python3 - <<'EOF'
import sys
sys.path.insert(0, ".")
from cache import LRU
def check(what, got, want):
    if got != want or type(got) is not type(want):
        sys.exit(f"{what}: {got!r} instead of {want!r}")
now = [100.0]
c = LRU(3, ttl=10, clock=lambda: now[0])
c.put("a", 1); now[0] += 4; c.put("b", 2)
check("fresh", c.get("a"), 1); check("len", len(c), 2)
now[0] += 5.5
check("nearly", c.get("a"), 1)
now[0] += 0.5
check("expired", c.get("a", "gone"), "gone"); check("other stays", c.get("b"), 2); check("len after", len(c), 1)
c.put("b", 3); now[0] += 9
check("renewed", c.get("b"), 3); check("len renewed", len(c), 1)
now[0] += 1
check("len all gone", len(c), 0); check("gone", c.get("b", 7), 7)
c.put("a", 5); check("back", c.get("a"), 5)
t = [0]
n = LRU(1, clock=lambda: t[0]); n.put("x", 1); t[0] = 10 ** 9
check("no ttl", n.get("x"), 1); check("no ttl len", len(n), 1)
r = LRU(2); r.put("x", None); check("None value", r.get("x", 3) is None, True)
import time
z = LRU(2, ttl=0.05); z.put("x", 1); check("real clock", z.get("x"), 1); time.sleep(0.08); check("real clock, later", z.get("x"), None)
EOF
