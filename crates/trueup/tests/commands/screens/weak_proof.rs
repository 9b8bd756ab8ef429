//! A run whose tests prove too little, and a person who accepts that with a reason.

use super::gallery::{Gallery, Look};
use trueup_testkit::household::Household;

const TASK: &str = "\
---
v: 1
id: T-001
title: Add prices
size: small
---

## Acceptance criteria

- [ ] **AC-1** Prices are added.
  - verify: `python3 -m unittest tests.test_total`
";

/// Does the work in its first turn, and never tests it.
const LAX: &str = r"
[ $TRUEUP_TURN = 1 ] || exit 0
printf '\n\ndef total(prices):\n    return sum(prices)\n' >> price.py
cat > tests/test_total.py <<'END'
import unittest

import price


class Total(unittest.TestCase):
    def test_adds(self):
        self.assertTrue(price.total)
END
";

/// What is told of a weak proof, and of one that was waived.
pub(super) fn screens(look: &Look) -> Vec<String> {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), LAX);
    household.file("price.py", "def double(price):\n    return 2 * price\n");
    household.file("tests/__init__.py", "");
    household.task("T-001", TASK);
    household.commit("Prices");
    let mut gallery = Gallery::new(&household, look);
    gallery.ends("weak", "run T-001");
    gallery.ends("waived", "waive T-001 -m 'The sum is trivial.'");
    gallery.ends("show-waived", "show T-001");
    gallery.wrong
}
