//! Java and its neighbours, by Maven's or Gradle's build file.

use super::{
    folder::{Folder, owned, shell},
    survey::{FoundCommand, Preparation, Purpose, Survey},
};
use crate::argv;

/// Looks for a build of Maven or Gradle; a module of a build above is part of it.
pub(super) fn look(here: &Folder<'_>, survey: &mut Survey) {
    let files = ["pom.xml", "build.gradle", "build.gradle.kts"];
    let Some(file) = here.first(&files) else { return };
    if here.above().iter().any(|above| above.first(&files).is_some()) {
        return;
    }
    let origin = here.path(file);
    if file == "pom.xml" {
        survey.tool("Java with Maven", origin.clone());
        maven(here, &origin, survey);
    } else {
        survey.tool("Java with Gradle", origin.clone());
        gradle(here, &origin, survey);
    }
}

fn maven(here: &Folder<'_>, origin: &str, survey: &mut Survey) {
    let wrapper = format!("./{}", here.path("mvnw"));
    let program = if here.has("mvnw") { wrapper.as_str() } else { "mvn" };
    let words = |rest: &[&str]| {
        let words = [&[program, "--batch-mode"], rest].concat();
        here.pointed(&words, 1, &["--file", origin])
    };
    for (purpose, goal) in [(Purpose::Test, "test"), (Purpose::Build, "package")] {
        let rest: &[&str] = match purpose {
            Purpose::Build => &["--offline", "-DskipTests", goal],
            Purpose::Test | Purpose::Lint | Purpose::Types | Purpose::Coverage => &["--offline", goal],
        };
        let found = found(purpose, words(rest), vec![here.path("target")], origin);
        survey.add(here, found);
    }
    survey.prepare(
        here,
        Preparation {
            name: "java".into(),
            // Maven finds what runs the tests only by running them; whether they
            // pass is no matter of preparation.
            words: words(&["-Dmaven.test.failure.ignore=true", "test"]),
            key: vec![origin.to_owned()],
            keep: vec!["~/.m2/repository".into()],
            origin: origin.to_owned(),
            ..Preparation::default()
        },
    );
}

fn gradle(here: &Folder<'_>, origin: &str, survey: &mut Survey) {
    let wrapper = format!("./{}", here.path("gradlew"));
    let program = if here.has("gradlew") {
        wrapper.as_str()
    } else {
        "gradle"
    };
    let words = |rest: &[&str]| {
        let words = [&[program, "--no-daemon"], rest].concat();
        here.pointed(&words, 1, &["--project-dir", &here.folder])
    };
    let cache = || vec![here.path("build")];
    for (purpose, task) in [(Purpose::Test, "test"), (Purpose::Build, "assemble")] {
        survey.add(here, found(purpose, words(&["--offline", task]), cache(), origin));
    }
    let text = here
        .read(origin.rsplit('/').next().unwrap_or(origin))
        .unwrap_or_default();
    for (plugin, task) in [("spotless", "spotlessCheck"), ("checkstyle", "checkstyleMain")] {
        if text.contains(plugin) && !survey.has(here, Purpose::Lint) {
            let found = found(Purpose::Lint, words(&["--offline", task]), cache(), origin);
            survey.add(here, found);
        }
    }
    let tests = argv::line(&words(&["--continue", "test"]));
    let classes = argv::line(&words(&["testClasses"]));
    let locks = [
        "gradle.lockfile",
        "gradle/libs.versions.toml",
        "settings.gradle",
        "settings.gradle.kts",
    ];
    let mut key = owned(&[origin]);
    key.extend(here.present(&locks));
    survey.prepare(
        here,
        Preparation {
            name: "java".into(),
            // What runs the tests is fetched only by running them; whether they
            // pass is no matter of preparation.
            words: shell(&format!("{tests} || {classes}")),
            key,
            keep: vec!["~/.gradle".into()],
            origin: origin.to_owned(),
            ..Preparation::default()
        },
    );
}

fn found(purpose: Purpose, words: Vec<String>, cache: Vec<String>, origin: &str) -> FoundCommand<'static> {
    FoundCommand {
        tool: "java",
        purpose,
        words,
        cache,
        origin: origin.to_owned(),
    }
}
