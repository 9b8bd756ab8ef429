//! A project's whole suite, executed as its people do: without trueup.

use crate::projects::{Origin, Project};
use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};
use trueup_core::test_results::TestResults;
use trueup_inspect::report;
use trueup_testkit::{
    household::{Output, output},
    saboteurs::Tools,
};

/// How the names of folders begin in which suites run.
pub(crate) const FOLDER: &str = "suite-of-";

/// What one execution showed.
#[derive(Debug)]
pub(crate) struct Execution {
    pub(crate) tests: TestResults,
    pub(crate) took: Duration,
    pub(crate) output: Output,
}

/// Executes the suite on a copy of a tree, after what it needs.
pub(crate) fn execute(project: &Project, tree: &Path) -> Execution {
    let folder = tempfile::Builder::new().prefix(FOLDER).tempdir().expect("a folder");
    let (copy, out) = (folder.path().join("copy"), folder.path().join("out"));
    fs::create_dir_all(&out).expect("a folder");
    shell(folder.path(), &format!("cp -a {} {}", tree.display(), copy.display()));
    if let Some(prepare) = project.prepare {
        let prepared = with_tools(project, &copy, prepare.run);
        if prepared.code != 0 {
            return Execution {
                tests: TestResults::default(),
                took: Duration::ZERO,
                output: prepared,
            };
        }
    }
    let line = project.guard.replace("{{out}}", &out.display().to_string());
    let begun = Instant::now();
    let output = with_tools(project, &copy, &line);
    let took = begun.elapsed();
    let reports = match project.guard.contains("{{out}}") {
        true => written(&out),
        false => vec![output.stdout.clone().into_bytes()],
    };
    let read = reports.iter().map(|bytes| report::read(project.format(), &bytes[..]));
    let tests: Vec<_> = read.filter_map(Result::ok).flat_map(|report| report.tests).collect();
    Execution {
        tests: TestResults::of(&tests),
        took,
        output,
    }
}

fn written(out: &Path) -> Vec<Vec<u8>> {
    let files = fs::read_dir(out).expect("a folder").flatten();
    files.filter_map(|file| fs::read(file.path()).ok()).collect()
}

/// Runs a line that must succeed.
pub(crate) fn shell(folder: &Path, line: &str) {
    let ended = try_shell(folder, line);
    assert_eq!(ended.code, 0, "{line}: {ended:#?}");
}

/// Runs a line of shell.
pub(crate) fn try_shell(folder: &Path, line: &str) -> Output {
    output(Command::new("sh").args(["-c", line]).current_dir(folder))
}

/// How long a suite may take. The tests of a change can be endless without it.
const LIMIT: &str = "300";

fn with_tools(project: &Project, folder: &Path, line: &str) -> Output {
    let mut shell = Command::new("timeout");
    shell
        .args(["--kill-after=5", LIMIT, "sh", "-c", line])
        .current_dir(folder)
        .env("PATH", path(project.origin));
    output(&mut shell)
}

/// The search path, with what suites from there need first.
pub(crate) fn path(origin: Origin) -> String {
    let tools = Tools::find();
    let folder = tools.folder().join(origin.tools()).join("python/bin");
    assert!(
        folder.exists(),
        "`{}` is not there; see CONTRIBUTING.md, Honest work of others",
        folder.display()
    );
    format!("{}:{}", folder.display(), tools.path())
}
