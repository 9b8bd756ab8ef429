//! Which tests a name means.
//!
//! A name is a whole id, or the end of one from right after a separator. A
//! pytest node id is understood although reports spell it with dots, and a
//! name without a parameter means the test with every parameter. Where a name
//! means several tests it means all of them: that can only make a verdict
//! stricter.

use super::model::Report;
use trueup_core::test_results::Test;

const SEPARATORS: [&str; 6] = ["::", " > ", ".", "/", " ", "\\"];

impl Report {
    /// Every test that a name means.
    pub fn named<'a>(&'a self, name: &str) -> Vec<&'a Test> {
        let name = name.trim();
        if name.is_empty() {
            return Vec::new();
        }
        let dotted = name.contains(".py::").then(|| dotted(name));
        self.tests
            .iter()
            .filter(|test| {
                means(&test.id, name) || dotted.as_ref().is_some_and(|name| means(&self::dotted(&test.id), name))
            })
            .collect()
    }
}

fn means(id: &str, name: &str) -> bool {
    ends_in(id, name)
        || (id.ends_with(']')
            && !name.ends_with(']')
            && id
                .find('[')
                .and_then(|at| id.get(..at))
                .is_some_and(|id| ends_in(id, name)))
}

fn ends_in(id: &str, name: &str) -> bool {
    id.strip_suffix(name)
        .is_some_and(|before| before.is_empty() || SEPARATORS.iter().any(|separator| before.ends_with(separator)))
}

/// A node id as reports spell it. What stands in brackets is left alone.
fn dotted(name: &str) -> String {
    let at = name.find('[').unwrap_or(name.len());
    let (path, parameter) = name.split_at_checked(at).unwrap_or((name, ""));
    let path = path.trim_start_matches("./").replace(".py::", ".");
    format!("{}{parameter}", path.replace("::", ".").replace(['/', '\\'], "."))
}
