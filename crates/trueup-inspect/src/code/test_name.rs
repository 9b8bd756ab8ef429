//! Which test of a file a name means, when the name comes from a report.

/// The parts of a test's name.
pub(super) struct TestName(Vec<String>);

impl TestName {
    /// Reads a name as any runner spells it: `tests/test_a.py::TestX::test_b[1]`,
    /// `a.test.ts::cart > adds`, `package::TestA/sub`, `tests::it_holds`.
    pub(super) fn of(name: &str) -> Self {
        let name = name.trim();
        let plain = match name.split_once('[') {
            // The parameters of pytest; titles of JavaScript keep theirs.
            Some((before, _)) if name.ends_with(']') && !before.contains(' ') => before,
            _ => name,
        };
        Self(parts(plain))
    }

    /// The one name it means: the same, or the one that ends alike.
    pub(super) fn among<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        if self.0.is_empty() {
            return None;
        }
        let read: Vec<(&'n str, Vec<String>)> = names.iter().map(|name| (*name, parts(name))).collect();
        read.iter()
            .find(|(_, parts)| *parts == self.0)
            .or_else(|| {
                // The longest name that the given one ends in.
                read.iter()
                    .filter(|(_, parts)| !parts.is_empty() && self.0.ends_with(parts))
                    .max_by_key(|(_, parts)| parts.len())
            })
            .or_else(|| read.iter().find(|(_, parts)| parts.ends_with(&self.0)))
            // A part of a test of Go is broken by breaking the test.
            .or_else(|| {
                read.iter().find(|(_, parts)| {
                    matches!(parts.as_slice(), [only] if only.starts_with("Test") && self.0.contains(only))
                })
            })
            .map(|(name, _)| *name)
    }
}

fn parts(name: &str) -> Vec<String> {
    name.replace("::", "\0")
        .replace(" > ", "\0")
        .split(['\0', '.', '/'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
