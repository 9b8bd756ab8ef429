//! Where tests live beside code, each phase has its own part of the file.

use crate::place::{Agent, carried_out, delivered, household};
use trueup_testkit::saboteurs::CARGO;

const GOALS: &str = "\
- [ ] **AC-1** From 100 on, five in a hundred are taken off.
  - verify: test price::tests::from_100
- [ ] **AC-2** Nothing else changes.
  - guard: tests
";

const TESTS: &str = r"
sub src/price.rs 's/^    use super::total;$/    use super::{discount, total};\n\n    #[test]\n    fn from_100() {\n        assert_eq!(discount(100), 95);\n    }/'
";

#[test]
fn tests_in_a_file_of_code_are_written_first_and_then_left_alone() {
    let place = household(
        &CARGO,
        GOALS,
        Agent {
            tests: &format!("{TESTS}honest"),
            work: "told 'what is no test in `src/price.rs` is as it was before it'\n\
                   grep -q 'fn from_100' src/price.rs\n! grep -q '95 /' src/price.rs\nhonest\n\
                   sub src/price.rs 's/assert_eq!.discount.100., 95.;/assert_eq!(1, 1);/'",
            polish: "told 'the tests in `src/price.rs` are as they were before it'",
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 3, "{:#?}", told.events);
    let file = delivered(&place, "src/price.rs");
    assert!(file.contains("amount * 95 / 100"), "{file}");
    assert!(file.contains("assert_eq!(discount(100), 95);"), "{file}");
}
