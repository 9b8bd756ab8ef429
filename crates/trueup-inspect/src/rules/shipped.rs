//! Builds as users get them.

use toml::{Table, Value};

/// What cargo checks in builds for debugging, and in no other.
const CHECKED: [&str; 2] = ["debug-assertions", "overflow-checks"];

/// A configuration of cargo by which what is built for tests checks no more
/// than what is shipped. Dependencies stay as they are: nobody changed them,
/// and so they need not be built again. Nothing where it cannot be read.
pub fn shipped(config: Option<&str>) -> Option<String> {
    let mut config: Table = config.unwrap_or_default().parse().ok()?;
    let dev = within(within(&mut config, "profile")?, "dev")?;
    for name in CHECKED {
        dev.insert(name.to_owned(), Value::Boolean(false));
    }
    let others = within(within(dev, "package")?, "*")?;
    for name in CHECKED {
        others.entry(name).or_insert(Value::Boolean(true));
    }
    Some(config.to_string())
}

/// The table of this name, which is made if it is missing.
fn within<'a>(table: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let entry = table.entry(name).or_insert_with(|| Value::Table(Table::new()));
    entry.as_table_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_configured_stays_and_nothing_is_checked_but_in_dependencies() {
        let given = "[build]\njobs = 2\n\n[profile.dev]\nopt-level = 1\noverflow-checks = true\n";
        let made: Table = shipped(Some(given))
            .and_then(|text| text.parse().ok())
            .expect("a table");
        let expected = "build.jobs = 2\nprofile.dev.opt-level = 1\nprofile.dev.overflow-checks = false\n\
            profile.dev.debug-assertions = false\nprofile.dev.package.'*'.debug-assertions = true\n\
            profile.dev.package.'*'.overflow-checks = true\n";
        assert_eq!(made, expected.parse::<Table>().expect("a table"));
        assert!(shipped(None).is_some());
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        assert_eq!(shipped(Some("[profile")), None);
        assert_eq!(shipped(Some("profile = 1")), None);
    }
}
