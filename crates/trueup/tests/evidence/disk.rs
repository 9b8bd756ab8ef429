//! A disk as a power cut would find it: what was written and named, and which
//! of it was flushed, told from the system calls of a whole run.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// One finished system call, in the order calls came to their end; a write is
/// told when it begins.
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// Files and names, and which of them are not on disk yet.
#[derive(Default)]
pub(crate) struct Disk {
    made: BTreeSet<PathBuf>,
    bytes_in_flight: BTreeSet<PathBuf>,
    names_in_flight: BTreeSet<PathBuf>,
}

/// Joins the two halves of calls that strace had to print around others, and
/// hands each to `each`.
pub(crate) fn calls(trace: &str, mut each: impl FnMut(Call<'_>)) {
    let mut begun: BTreeMap<&str, String> = BTreeMap::new();
    for line in trace.lines() {
        let Some((process, rest)) = line.split_once(' ') else {
            continue;
        };
        let rest = rest.trim_start();
        let whole = if let Some(beginning) = rest.strip_suffix(" <unfinished ...>") {
            begun.insert(process, beginning.to_owned());
            if !is_write(beginning) {
                continue;
            }
            // Bytes may reach the disk from the moment they are handed over.
            format!("{beginning}) = 0")
        } else if let Some(resumed) = rest.strip_prefix("<... ") {
            let beginning = begun.remove(process).unwrap_or_default();
            let end = resumed.split_once(" resumed>").map(|(_, end)| end).unwrap_or_default();
            if is_write(&beginning) {
                continue;
            }
            format!("{beginning}{end}")
        } else {
            rest.to_owned()
        };
        if let Some((name, _)) = whole.split_once('(')
            && !whole
                .rsplit_once(" = ")
                .is_some_and(|(_, result)| result.starts_with("-1 "))
        {
            each(Call { name, text: &whole });
        }
    }
}

fn is_write(call: &str) -> bool {
    call.starts_with("write(") || call.starts_with("pwrite64(")
}

impl Call<'_> {
    /// The path behind the file descriptor that is the first argument.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let arguments = self.text.split_once('(')?.1;
        let (number, rest) = arguments.split_once('<')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| PathBuf::from(rest.split('>').next().unwrap_or_default()))
    }

    /// The path behind the file descriptor that came back.
    fn opened(&self) -> Option<PathBuf> {
        let (_, result) = self.text.rsplit_once(" = ")?;
        let (_, rest) = result.split_once('<')?;
        Some(PathBuf::from(rest.strip_suffix('>').unwrap_or(rest)))
    }

    /// The paths among the arguments.
    fn paths(&self) -> Vec<PathBuf> {
        self.text.split('"').skip(1).step_by(2).map(PathBuf::from).collect()
    }
}

impl Disk {
    /// Lets a call happen.
    pub(crate) fn happen(&mut self, call: &Call<'_>) {
        match (call.name, call.paths().as_slice()) {
            ("openat" | "open" | "creat", _) if call.text.contains("O_CREAT") || call.name == "creat" => {
                if let Some(path) = call.opened()
                    && self.made.insert(path.clone())
                {
                    self.bytes_in_flight.insert(path.clone());
                    self.names_in_flight.insert(path);
                }
            }
            ("write" | "pwrite64", _) => self.bytes_in_flight.extend(call.file()),
            ("fsync" | "fdatasync", _) => {
                if let Some(path) = call.file() {
                    self.names_in_flight.retain(|name| name.parent() != Some(&path));
                    self.bytes_in_flight.remove(&path);
                }
            }
            ("rename" | "renameat" | "renameat2", [from, .., to]) => {
                for set in [&mut self.made, &mut self.bytes_in_flight, &mut self.names_in_flight] {
                    move_below(set, from, to);
                }
                self.made.insert(to.clone());
                self.names_in_flight.insert(to.clone());
            }
            ("link" | "linkat", [from, .., to]) => {
                if self.bytes_in_flight.contains(from) {
                    self.bytes_in_flight.insert(to.clone());
                }
                self.made.insert(to.clone());
                self.names_in_flight.insert(to.clone());
            }
            ("mkdir" | "mkdirat", [.., path]) => {
                self.made.insert(path.clone());
                self.names_in_flight.insert(path.clone());
            }
            ("unlink" | "unlinkat" | "rmdir", [.., path]) => {
                for set in [&mut self.made, &mut self.bytes_in_flight, &mut self.names_in_flight] {
                    set.retain(|known| !known.starts_with(path));
                }
            }
            _ => {}
        }
    }

    /// Whether anything of such a path was made.
    pub(crate) fn has_any(&self, of: impl Fn(&Path) -> bool) -> bool {
        self.made.iter().any(|path| of(path))
    }

    /// What a power cut would take, among what counts.
    pub(crate) fn in_flight(&self, counts: impl Fn(&Path) -> bool) -> Vec<String> {
        let bytes = self.bytes_in_flight.iter().map(|path| ("bytes", path));
        let names = self.names_in_flight.iter().map(|path| ("name", path));
        let lost = bytes.chain(names).filter(|(_, path)| counts(path));
        lost.map(|(what, path)| format!("the {what} of {}", path.display()))
            .collect()
    }
}

fn move_below(set: &mut BTreeSet<PathBuf>, from: &Path, to: &Path) {
    let below: Vec<PathBuf> = set.iter().filter(|path| path.starts_with(from)).cloned().collect();
    set.retain(|path| !path.starts_with(to));
    for path in below {
        set.remove(&path);
        match path.strip_prefix(from) {
            Ok(rest) if rest.as_os_str().is_empty() => set.insert(to.to_path_buf()),
            Ok(rest) => set.insert(to.join(rest)),
            Err(_) => false,
        };
    }
}

#[test]
fn a_name_is_on_disk_only_after_its_folder_and_bytes_only_after_their_file() {
    let trace = "\
1 openat(AT_FDCWD</x>, \"/s/a.tmp\", O_WRONLY|O_CREAT, 0600) = 3</s/a.tmp>
1 write(3</s/a.tmp>, \"bytes\", 5) = 5
2 mkdir(\"/s/other\", 0700 <unfinished ...>
1 fsync(3</s/a.tmp> <unfinished ...>
2 <... mkdir resumed>)                      = -1 EEXIST (File exists)
1 <... fsync resumed>)                      = 0
1 rename(\"/s/a.tmp\", \"/s/a\") = 0
1 fsync(4</s>) = 0
";
    let mut disk = Disk::default();
    let mut lost = Vec::new();
    calls(trace, |call| {
        disk.happen(&call);
        lost.push((call.name.to_owned(), disk.in_flight(|_| true)));
    });
    let lost: Vec<(&str, Vec<&str>)> = lost
        .iter()
        .map(|(name, lost)| (name.as_str(), lost.iter().map(String::as_str).collect()))
        .collect();
    let [bytes, name] = ["the bytes of /s/a.tmp", "the name of /s/a.tmp"];
    assert_eq!(
        lost,
        [
            ("openat", vec![bytes, name]),
            ("write", vec![bytes, name]),
            ("fsync", vec![name]),
            ("rename", vec!["the name of /s/a"]),
            ("fsync", vec![]),
        ]
    );
}
