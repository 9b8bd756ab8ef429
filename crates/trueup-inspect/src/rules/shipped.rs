//! Builds as users get them.

use toml::{Table, Value};

/// What cargo checks in builds for debugging, and in no other.
const CHECKED: [&str; 2] = ["debug-assertions", "overflow-checks"];

/// How much is optimised in what is shipped, unless somebody says otherwise.
const RELEASE: i64 = 3;

/// A configuration of cargo by which what is built for tests checks no more
/// than what is shipped, and is optimised as much: functions that do the same
/// may become one there. Dependencies stay as they are, as the configuration or
/// the manifest has them: nobody changed them, and so they need not be built
/// again. Nothing where either cannot be read.
pub fn shipped(config: Option<&str>, manifest: Option<&str>) -> Option<String> {
    let mut config: Table = config.unwrap_or_default().parse().ok()?;
    let manifest: Table = manifest.unwrap_or_default().parse().ok()?;
    let optimised = |table: &Table, path: &[&str]| {
        let profile = path.iter().try_fold(table.get("profile")?, |at, name| at.get(name));
        profile?.get("opt-level").cloned()
    };
    let either = |path: &[&str]| optimised(&config, path).or_else(|| optimised(&manifest, path));
    let release = either(&["release"]).unwrap_or(Value::Integer(RELEASE));
    let others_now = either(&["dev", "package", "*"]).or_else(|| either(&["dev"]));
    let dev = within(within(&mut config, "profile")?, "dev")?;
    dev.insert("opt-level".to_owned(), release);
    for name in CHECKED {
        dev.insert(name.to_owned(), Value::Boolean(false));
    }
    let others = within(within(dev, "package")?, "*")?;
    others.insert("opt-level".to_owned(), others_now.unwrap_or(Value::Integer(0)));
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
        let made: Table = shipped(Some(given), None)
            .and_then(|text| text.parse().ok())
            .expect("a table");
        let expected = "build.jobs = 2\nprofile.dev.opt-level = 3\nprofile.dev.overflow-checks = false\n\
            profile.dev.debug-assertions = false\nprofile.dev.package.'*'.debug-assertions = true\n\
            profile.dev.package.'*'.overflow-checks = true\nprofile.dev.package.'*'.opt-level = 1\n";
        assert_eq!(made, expected.parse::<Table>().expect("a table"));
    }

    #[test]
    fn it_is_optimised_as_the_manifest_says_and_dependencies_as_before() {
        let levels = |manifest: Option<&str>| {
            let made: Table = shipped(None, manifest)
                .and_then(|text| text.parse().ok())
                .expect("a table");
            let dev = made["profile"]["dev"].as_table().expect("a table");
            (dev["opt-level"].clone(), dev["package"]["*"]["opt-level"].clone())
        };
        assert_eq!(levels(None), (Value::Integer(3), Value::Integer(0)));
        let small = "[profile.release]\nopt-level = \"s\"\n[profile.dev]\nopt-level = 1\n";
        assert_eq!(levels(Some(small)), (Value::String("s".to_owned()), Value::Integer(1)));
        let quick = "[profile.dev.package.\"*\"]\nopt-level = 2\n";
        assert_eq!(levels(Some(quick)), (Value::Integer(3), Value::Integer(2)));
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        assert_eq!(shipped(Some("[profile"), None), None);
        assert_eq!(shipped(Some("profile = 1"), None), None);
        assert_eq!(shipped(None, Some("[profile")), None);
    }
}
