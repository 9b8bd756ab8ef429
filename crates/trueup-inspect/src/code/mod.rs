//! Reads source code: which functions and tests a file holds, and how the
//! file looks when one of them fails on purpose.
//!
//! Nothing is run. A file in a language that is not known, that does not
//! parse without an error, or that is larger than any file people write,
//! gives no answer at all: a guess about code could be laid over the wrong
//! lines.

mod as_before;
mod calls;
mod canary;
mod changed;
mod edit;
mod escaped;
mod expectations;
mod items;
mod language;
mod makers;
mod neighbours;
mod paths;
mod stub;
mod syntax;
mod test_name;
mod tokens;
mod touched;
mod violation;

pub use as_before::as_before;
pub use calls::Calls;
pub use canary::{Canary, Fault, canary, example_canary};
pub use changed::{Changed, TopLevelChange, changed};
pub use escaped::escaped_names;
pub use expectations::{Comparing, OtherExpectations, other_expectations};
pub use items::{Item, ItemKind, body_key, items};
pub use language::Language;
pub use neighbours::{
    Neighbour, SharedValue, letters_of_tests, neighbour, neighbour_of_data, new_values, other_lines, written_answers,
};
pub use paths::{is_support_beside_code, is_test_path};
pub use stub::{Stub, Stubbed, break_test, stub};
pub use touched::{Touched, touched, with_tests_of};
pub use violation::{FaultLanguage, violation};
