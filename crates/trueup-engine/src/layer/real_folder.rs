//! A real folder inside a tree, down to which no link leads.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Makes the folders down to a path inside `root`. `None` where something that
/// is no folder stands in the way: it belongs to the tree, so it stays.
pub(super) fn real_folder(root: &Path, relative: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = root.to_owned();
    for component in relative.components() {
        let Component::Normal(name) = component else {
            return Ok(None);
        };
        path.push(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&path)?,
            Err(error) => return Err(error),
        }
    }
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::real_folder;
    use std::{fs, os::unix::fs::symlink, path::Path};

    #[test]
    fn a_link_or_a_file_on_the_way_is_never_followed_nor_removed() {
        let root = tempfile::tempdir().expect("folder");
        let outside = tempfile::tempdir().expect("folder");
        symlink(outside.path(), root.path().join("link")).expect("link");
        fs::write(root.path().join("file"), "").expect("file");
        let ask = |path: &str| real_folder(root.path(), Path::new(path)).expect("readable");
        assert_eq!(ask("a/b"), Some(root.path().join("a/b")));
        assert_eq!(ask("a/b"), Some(root.path().join("a/b")), "it may be there already");
        for wrong in ["link", "link/x", "file/x", "../x", "/x"] {
            assert_eq!(ask(wrong), None, "{wrong}");
        }
        assert_eq!(fs::read_dir(outside.path()).expect("folder").count(), 0);
    }
}
