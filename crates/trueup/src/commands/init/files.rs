//! How `init` writes files: whole or not at all, and none over one that is there.

use crate::{exit::Failure, project::Project};
use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// Writes these files and the tasks folder's own. Answers which were written.
pub(super) fn write(project: &Project, files: &[(&str, &str)]) -> Result<Vec<String>, Failure> {
    fs::create_dir_all(project.tasks_folder())?;
    let ignore = format!("{}/.gitignore", project.config.tasks);
    let mut written = Vec::new();
    for (name, text) in files.iter().copied().chain([(ignore.as_str(), "hidden/\n")]) {
        if write_new(&project.checkout.join(name), text)? {
            written.push(name.to_owned());
        }
    }
    Ok(written)
}

/// Writes a file unless something is there; says whether it did. Whoever kills
/// us meanwhile leaves no half of one.
fn write_new(path: &Path, text: &str) -> Result<bool, Failure> {
    let mut aside = tempfile::Builder::new();
    // As any file of this person is made.
    aside.prefix(".trueup-init-").permissions(Permissions::from_mode(0o666));
    let mut file = aside.tempfile_in(path.parent().unwrap_or(Path::new("/")))?;
    file.write_all(text.as_bytes())?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(refused) => Err(refused.error.into()),
    }
}
