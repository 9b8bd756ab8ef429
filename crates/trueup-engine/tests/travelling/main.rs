//! Folders and their twins in memory pass one conformance suite per port, and
//! the suite catches every store that is broken on purpose.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot be done is the failure")]

use std::{path::Path, process::Command, sync::Arc};
use tempfile::TempDir;
use trueup_engine::{
    state::StateRoot,
    travel::{
        Blobs, FolderBlobs, FolderMemo, FolderSessions, FolderSpool, Memo, MemoFolders, MemoryBlobs, MemoryMemo,
        MemorySessions, MemorySpool, MemoryTrees, Sessions, Spool, Trees,
    },
    workspace::Workspaces,
};
use trueup_testkit::travelling::PortSubject;

mod known_bad;

/// A port in memory, which every clone shows.
macro_rules! in_memory {
    ($store:ident, $port:ident, $twin:ident) => {
        struct $store($twin);

        impl PortSubject for $store {
            type Port = dyn $port;

            fn fresh() -> Self {
                Self($twin::default())
            }

            fn open(&self) -> Arc<dyn $port> {
                Arc::new(self.0.clone())
            }
        }
    };
}

in_memory!(BlobsInMemory, Blobs, MemoryBlobs);
in_memory!(SpoolInMemory, Spool, MemorySpool);
in_memory!(MemoInMemory, Memo, MemoryMemo);
in_memory!(SessionsInMemory, Sessions, MemorySessions);
in_memory!(TreesInMemory, Trees, MemoryTrees);

/// A port in a folder, opened anew each time.
macro_rules! in_a_folder {
    ($store:ident, $port:ident, |$folder:ident| $open:expr) => {
        struct $store(TempDir);

        impl PortSubject for $store {
            type Port = dyn $port;

            fn fresh() -> Self {
                Self(tempfile::tempdir().unwrap())
            }

            fn open(&self) -> Arc<dyn $port> {
                let $folder = self.0.path();
                Arc::new($open)
            }
        }
    };
}

fn memo_folders(folder: &Path) -> MemoFolders {
    MemoFolders {
        answers: folder.join("answers"),
        controls: folder.join("controls"),
        looks: folder.join("looks"),
    }
}

in_a_folder!(BlobsInAFolder, Blobs, |folder| FolderBlobs::at(folder.to_owned()));
in_a_folder!(SpoolInAFolder, Spool, |folder| FolderSpool::at(folder.join("spool"))
    .unwrap());
in_a_folder!(MemoInAFolder, Memo, |folder| FolderMemo::at(&memo_folders(folder)));
in_a_folder!(SessionsInAFolder, Sessions, |folder| FolderSessions::at(
    folder.join("sessions")
));
in_a_folder!(TreesInAFolder, Trees, |folder| {
    let checkout = folder.join("checkout");
    if !checkout.exists() {
        std::fs::create_dir(&checkout).unwrap();
        let made = Command::new("git")
            .args(["init", "--quiet"])
            .current_dir(&checkout)
            .status();
        assert!(made.unwrap().success());
    }
    let state = StateRoot::open(&folder.join("state")).unwrap();
    Workspaces::open(&state, &checkout).unwrap()
});

trueup_testkit::travelling!(blobs_in_memory, blobs, BlobsInMemory);
trueup_testkit::travelling!(blobs_in_a_folder, blobs, BlobsInAFolder);
trueup_testkit::travelling!(spool_in_memory, spool, SpoolInMemory);
trueup_testkit::travelling!(spool_in_a_folder, spool, SpoolInAFolder);
trueup_testkit::travelling!(memo_in_memory, memo, MemoInMemory);
trueup_testkit::travelling!(memo_in_a_folder, memo, MemoInAFolder);
trueup_testkit::travelling!(sessions_in_memory, sessions, SessionsInMemory);
trueup_testkit::travelling!(sessions_in_a_folder, sessions, SessionsInAFolder);
trueup_testkit::travelling!(trees_in_memory, trees, TreesInMemory);
trueup_testkit::travelling!(trees_in_a_folder, trees, TreesInAFolder);

#[test]
fn a_body_that_was_changed_on_disk_is_not_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = FolderBlobs::at(folder.path().to_owned());
    let digest = blobs.put(b"body").unwrap();
    std::fs::write(folder.path().join(digest.as_str()), "other").unwrap();
    let kind = blobs.get(&digest).unwrap_err().kind();
    assert_eq!(kind, std::io::ErrorKind::InvalidData);
}

#[test]
fn what_is_remembered_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let memo = FolderMemo::at(&memo_folders(folder.path()));
    let key = trueup_core::digest::Digest::of(b"a");
    memo.add_answers(&key, Default::default()).unwrap();
    memo.keep_standing(&key, b"red").unwrap();
    let answers = folder
        .path()
        .join("answers")
        .join(&key.as_str()[..2])
        .join(key.as_str());
    let control = folder.path().join("controls").join(format!("{key}.json"));
    for file in [answers, control] {
        let mode = std::fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
