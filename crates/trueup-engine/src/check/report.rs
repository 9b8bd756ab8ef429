//! Where a check's report lies, and how it is read.
//!
//! A report is believed only if this very execution wrote it: into a folder
//! outside the tree that is new and has a name nobody could know, or to its
//! standard output.

use super::{checks::Checks, word::unguessable};
use crate::{
    halt::Halt,
    redact::Secrets,
    sandbox::{Folder, Sandbox, WritableMount},
    workspace::Room,
};
use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};
use trueup_core::{
    criterion::{Execution, OUT},
    kind::Format,
};
use trueup_inspect::report::{MOST_FINDINGS, MOST_LINES, MOST_TESTS, Report, read};

/// How many files a report may be made of.
const MOST_FILES: usize = 4096;
/// How many bytes they may have together.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// How deep they may lie.
const MOST_DEPTH: usize = 16;
/// How many bytes of standard output are read as a report.
const MOST_SAID: usize = 64 * 1024 * 1024;

/// A folder outside the tree into which one execution writes its reports. It
/// goes with this.
pub(super) struct ReportFolder {
    /// Where it is on the host.
    folder: PathBuf,
    /// Where it is seen inside.
    inner: PathBuf,
    _room: Room,
}

impl ReportFolder {
    /// A new one, of a random name.
    pub(super) fn make(checks: &Checks, name: &str) -> Result<Self, Halt> {
        let room = checks.workspaces.empty_room(&checks.run, &format!("{name}.out"))?;
        let word = unguessable()?;
        let folder = room.path().join(&word);
        fs::create_dir(&folder)?;
        Ok(Self {
            folder,
            inner: Path::new("/").join(format!("out-{word}")),
            _room: room,
        })
    }

    /// Where what is written lies.
    pub(super) fn place(&self) -> &Path {
        &self.folder
    }

    /// As the sandbox is told.
    pub(super) fn own(&self) -> WritableMount {
        WritableMount {
            folder: Folder::Plain(self.folder.clone()),
            inner: self.inner.clone(),
        }
    }

    /// These words, with the folder's own name for what stands for it.
    pub(super) fn named_in(&self, argv: &[String], sandbox: &Sandbox) -> Vec<String> {
        let place = sandbox.own_at(&self.own()).display().to_string();
        argv.iter().map(|word| word.replace(OUT, &place)).collect()
    }

    /// Everything that was written into it, as one report.
    pub(super) fn read(&self, format: Format) -> Result<Report, String> {
        let mut files = Vec::new();
        collect(&self.folder, 0, &mut files)?;
        files.sort();
        if files.is_empty() {
            return Err(format!("it wrote no report into {OUT}"));
        }
        let mut whole = Report::default();
        let mut left = MOST_BYTES;
        for path in files {
            let name = path.strip_prefix(&self.folder).unwrap_or(&path).display().to_string();
            let wrong = |why: String| format!("its report {name} cannot be read: {why}");
            let file = open(&path).map_err(|error| wrong(error.to_string()))?;
            let length = file.metadata().map_err(|error| wrong(error.to_string()))?.len();
            left = left
                .checked_sub(length)
                .ok_or_else(|| format!("its reports have more than {MOST_BYTES} bytes"))?;
            let one = read(format, BufReader::new(file.take(length))).map_err(|error| wrong(error.to_string()))?;
            whole.merge(one);
            demand_bounds(&whole)?;
        }
        Ok(whole)
    }
}

/// What a program says on standard output, where that is its report.
pub(super) enum Stdout {
    /// It is not.
    Nothing,
    /// So far.
    Heard(Vec<u8>),
    /// More than is read.
    TooMuch,
}

impl Stdout {
    pub(super) fn of(execution: &Execution) -> Self {
        match (execution.parse, execution.writes_out()) {
            (Some(_), false) => Self::Heard(Vec::new()),
            (None, _) | (Some(_), true) => Self::Nothing,
        }
    }

    pub(super) fn hear(&mut self, bytes: &[u8]) {
        if let Self::Heard(heard) = self {
            if heard.len() + bytes.len() > MOST_SAID {
                *self = Self::TooMuch;
            } else {
                heard.extend_from_slice(bytes);
            }
        }
    }

    pub(super) fn read(&self, format: Format) -> Result<Report, String> {
        match self {
            Self::Heard(heard) => read(format, heard.as_slice())
                .map_err(|error| format!("what it printed cannot be read as its report: {error}")),
            Self::Nothing => Err("its standard output was not listened to".to_owned()),
            Self::TooMuch => Err(format!(
                "it printed more than {MOST_SAID} bytes; have it write its report into {OUT}"
            )),
        }
    }
}

/// A report in the words of the tree, and without any secret.
pub(super) fn tidied(mut report: Report, tree: &str, secrets: &Secrets) -> Report {
    report.relative_to(tree);
    let hide = |text: &mut String| {
        if let std::borrow::Cow::Owned(_) = secrets.redact(text.as_bytes()) {
            *text = secrets.redact_text(text);
        }
    };
    for test in &mut report.tests {
        hide(&mut test.id);
        hide(&mut test.message);
        test.file.as_mut().map(hide);
    }
    for finding in &mut report.findings {
        hide(&mut finding.path);
        hide(&mut finding.rule);
        hide(&mut finding.message);
    }
    report
}

/// Every regular file below a folder. Links are not followed, and what is
/// neither file nor folder is no report.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let wrong = |error: io::Error| format!("{OUT} cannot be read: {error}");
    if depth > MOST_DEPTH {
        return Err(format!("it made folders in {OUT} more than {MOST_DEPTH} deep"));
    }
    if !fs::symlink_metadata(folder).map_err(wrong)?.is_dir() {
        return Err(format!("it put something else in the place of {OUT}"));
    }
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let kind = entry.file_type().map_err(wrong)?;
        if kind.is_dir() {
            collect(&entry.path(), depth + 1, files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
        if files.len() > MOST_FILES {
            return Err(format!("it wrote more than {MOST_FILES} files into {OUT}"));
        }
    }
    Ok(())
}

/// Nothing of the program lives any more, so what is there stays what it is;
/// a link is refused all the same.
fn open(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    File::options().read(true).custom_flags(flags).open(path)
}

fn demand_bounds(report: &Report) -> Result<(), String> {
    let lines: usize = report.lines.0.values().map(std::collections::BTreeMap::len).sum();
    let over = [
        (report.tests.len() > MOST_TESTS, "tests"),
        (report.findings.len() > MOST_FINDINGS, "findings"),
        (lines > MOST_LINES, "lines"),
    ];
    match over.iter().find(|(over, _)| *over) {
        Some((_, what)) => Err(format!("its reports tell of more {what} than are read")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_SAID, Stdout, collect};
    use trueup_core::{
        criterion::{Execution, Network},
        kind::Format,
    };

    fn execution(word: &str, parse: Option<Format>) -> Execution {
        let mut execution = Execution::new(vec![word.to_owned()], 1000, Network::Off);
        execution.parse = parse;
        execution
    }

    #[test]
    fn standard_output_is_a_report_only_where_it_is_asked_for_one_and_no_folder_is() {
        for (word, parse, heard) in [
            ("tool", None, false),
            ("tool", Some(Format::Go), true),
            ("--to={{out}}/a.xml", Some(Format::Junit), false),
        ] {
            let said = Stdout::of(&execution(word, parse));
            assert_eq!(matches!(said, Stdout::Heard(_)), heard, "{word}");
        }
    }

    #[test]
    fn output_beyond_the_bound_is_no_report_however_well_it_begins() {
        let mut said = Stdout::of(&execution("tool", Some(Format::Libtest)));
        said.hear(b"running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n");
        assert!(said.read(Format::Libtest).is_ok());
        said.hear(&vec![b'\n'; MOST_SAID]);
        assert!(said.read(Format::Libtest).expect_err("too much").contains("bytes"));
    }

    #[test]
    fn links_in_the_folder_of_reports_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("deep")).expect("a folder");
        std::fs::write(folder.path().join("deep/a.xml"), "a").expect("a file");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("b.xml")).expect("a link");
        std::os::unix::fs::symlink("/etc", folder.path().join("c")).expect("a link");
        let mut files = Vec::new();
        collect(folder.path(), 0, &mut files).expect("files");
        assert_eq!(files, [folder.path().join("deep/a.xml")]);
    }
}
