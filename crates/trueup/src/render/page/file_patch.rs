//! A patch as git prints it, file by file.

/// What a patch says of one file.
pub(super) struct FilePatch<'a> {
    /// Its name.
    pub(super) name: String,
    /// What is said of it beside its lines: that it is new, gone, binary, of
    /// another mode.
    pub(super) notes: Vec<&'a str>,
    /// The lines of its hunks.
    pub(super) lines: Vec<&'a str>,
    /// How many lines came.
    pub(super) added: usize,
    /// How many went.
    pub(super) removed: usize,
}

/// The files of a patch without renames, in its order.
pub(super) fn files(patch: &str) -> Vec<FilePatch<'_>> {
    let mut files: Vec<FilePatch<'_>> = Vec::new();
    for line in patch.split_terminator('\n') {
        if let Some(names) = line.strip_prefix("diff --git ") {
            files.push(FilePatch {
                name: name(names),
                notes: Vec::new(),
                lines: Vec::new(),
                added: 0,
                removed: 0,
            });
        } else if let Some(file) = files.last_mut() {
            file.take(line);
        }
    }
    files
}

impl<'a> FilePatch<'a> {
    /// What stands above the first hunk is about the file; a line below it that
    /// looks the same is one of the file's own.
    fn take(&mut self, line: &'a str) {
        if self.lines.is_empty() && !line.starts_with("@@") {
            let notes = ["new file", "deleted file", "old mode", "new mode", "Binary files"];
            if notes.iter().any(|note| line.starts_with(note)) {
                self.notes.push(line);
            }
            return;
        }
        self.lines.push(line);
        self.added += usize::from(line.starts_with('+'));
        self.removed += usize::from(line.starts_with('-'));
    }
}

/// The name in `a/NAME b/NAME`: both are the same, so that it ends in the middle.
fn name(names: &str) -> String {
    let first = names.get(..names.len() / 2).unwrap_or(names);
    match first.strip_prefix('"').and_then(|quoted| quoted.strip_suffix('"')) {
        Some(quoted) => unquoted(quoted.strip_prefix("a/").unwrap_or(quoted)),
        None => first.strip_prefix("a/").unwrap_or(first).to_owned(),
    }
}

/// A name that git wrote with backslashes, as the file system has it.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.unwrap_or_default().wrapping_sub(b'0') & 7;
        bytes.extend(rest.next().map(|letter| match letter {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'0'..=b'3' => digit(Some(letter)) << 6 | digit(rest.next()) << 3 | digit(rest.next()),
            other => other,
        }));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn a_patch_is_read_file_by_file() {
        let patch = "diff --git a/a b.txt b/a b.txt\nindex 1..2 100644\n--- a/a b.txt\n+++ b/a b.txt\n\
                     @@ -1,2 +1,2 @@\n--- gone\n+++ came\n diff --git a/x b/x\n\
                     diff --git \"a/\\303\\251\\n\\\"\" \"b/\\303\\251\\n\\\"\"\nnew file mode 100755\n\
                     Binary files /dev/null and b/x differ\n";
        let read = files(patch);
        let names: Vec<&str> = read.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a b.txt", "é\n\""]);
        let [first, second] = read.as_slice() else {
            panic!("two files")
        };
        assert_eq!((first.added, first.removed, first.lines.len()), (1, 1, 4));
        assert_eq!(first.notes, [""; 0]);
        assert_eq!((second.added, second.removed, second.notes.len()), (0, 0, 2));
    }
}
