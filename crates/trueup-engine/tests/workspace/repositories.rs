//! What is found in a repository before a run stands on it.

use super::place::{Place, git, label, run, said, write};
use trueup_core::repository::{Filtered, Repository, Submodule, SubmoduleState};

#[test]
fn an_ordinary_repository_has_nothing_to_tell() {
    let place = Place::new();
    assert_eq!(place.spaces.repository("HEAD").unwrap(), Repository::default());
}

#[test]
fn everything_found_is_told_at_once() {
    let place = Place::with(|repo| {
        let attributes = "*.bin filter=lfs\n*.up filter=upper\n*.low filter=lower\n*.none -filter\n";
        write(&repo.join(".gitattributes"), attributes);
        let zeros = "0".repeat(64);
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{zeros}\nsize 7\n");
        write(&repo.join("one.bin"), &pointer);
        let extended = pointer.replace("\noid", "\next-0-x sha256:1\noid");
        write(&repo.join("two.bin"), extended);
        for name in ["a.up", "b.low", "c.none"] {
            write(&repo.join(name), "text\n");
        }
        write(
            &repo.join(".gitmodules"),
            "[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n[submodule \"off\"]\n\tpath = off\n\turl = ../off\n\tupdate = none\n",
        );
        for path in ["lib", "off", "unnamed"] {
            let link = format!("160000,1234567890123456789012345678901234567890,{path}");
            git(repo, &["update-index", "--add", "--cacheinfo", &link]);
            std::fs::create_dir(repo.join(path)).unwrap();
        }
    });
    git(&place.repo, &["config", "filter.upper.smudge", "tr a-z A-Z"]);
    let filtered = |path: &str, filter: &str| Filtered {
        path: path.into(),
        filter: filter.into(),
    };
    let repository = place.spaces.repository("HEAD").unwrap();
    assert_eq!(repository.unsmudged, ["one.bin"]);
    assert_eq!(
        repository.filtered,
        [filtered("a.up", "upper"), filtered("two.bin", "lfs.extension")]
    );
    let absent = Submodule {
        path: "lib".into(),
        there: SubmoduleState::Nothing,
    };
    assert_eq!(repository.submodules, [absent]);
}

#[test]
fn a_submodules_name_leads_nowhere_else() {
    let place = Place::new();
    // A repository where such a name would lead.
    git(place.folder.path(), &["clone", "-q", "--bare", "repo", "trap"]);
    let commit = said(&place.repo, &["rev-parse", "HEAD"]);
    write(
        &place.repo.join(".gitmodules"),
        "[submodule \"../../../trap\"]\n\tpath = lib\n\turl = ../lib\n",
    );
    git(&place.repo, &["add", ".gitmodules"]);
    git(
        &place.repo,
        &["update-index", "--add", "--cacheinfo", &format!("160000,{commit},lib")],
    );
    git(&place.repo, &["commit", "-q", "-m", "a trap"]);
    assert_eq!(place.spaces.repository("HEAD").unwrap().submodules.len(), 1);
}

#[test]
fn a_room_and_a_workspace_hold_the_files_of_submodules() {
    let place = Place::new();
    git(place.folder.path(), &["clone", "-q", "repo", "lib"]);
    let lib = place.folder.path().join("lib");
    let allow = ["-c", "protocol.file.allow=always"];
    let add = ["submodule", "-q", "add", lib.to_str().unwrap(), "vendor/lib"];
    git(&place.repo, &[&allow[..], &add].concat());
    git(&place.repo, &["commit", "-q", "-m", "a submodule"]);
    let (base, work) = place.lay(&run("r"));
    // What was taken stays, whatever becomes of the person's clone.
    std::fs::remove_dir_all(place.repo.join(".git/modules")).unwrap();
    let room = place.spaces.room(&run("r"), "AC-1", &base.tree).unwrap();
    for folder in [work.as_path(), room.path()] {
        assert_eq!(
            std::fs::read_to_string(folder.join("vendor/lib/README.md")).unwrap(),
            "hello\n"
        );
    }
    let beside = std::fs::read_dir(room.path().parent().unwrap()).unwrap().count();
    assert_eq!(beside, 1, "nothing is left beside the room");
    assert_eq!(said(&work, &["status", "--porcelain"]), "");
    let snapshot = |turn: &str| place.spaces.snapshot(&run("r"), &label(turn)).unwrap();
    assert_eq!(snapshot("turn-001").findings, []);
    // Nothing else changed, and the length is the same.
    write(&work.join("vendor/lib/README.md"), "HELLO\n");
    for turn in ["turn-002", "turn-003"] {
        let snapshot = snapshot(turn);
        assert_eq!(snapshot.tree, base.tree);
        assert_eq!(snapshot.findings.len(), 1, "{snapshot:?}");
        assert_eq!(snapshot.findings[0].path, "vendor/lib");
    }
    write(&work.join("vendor/lib/README.md"), "hello\n");
    assert_eq!(snapshot("turn-004").findings, [], "it is as it was");
}

#[test]
fn a_submodule_with_a_git_directory_of_its_own_is_found() {
    let place = Place::new();
    git(place.folder.path(), &["clone", "-q", "repo", "repo/embedded"]);
    git(&place.repo, &["submodule", "-q", "add", "./embedded"]);
    git(&place.repo, &["commit", "-q", "-m", "a submodule as they used to be"]);
    assert!(place.repo.join("embedded/.git").is_dir());
    assert_eq!(place.spaces.repository("HEAD").unwrap(), Repository::default());
    let (_, work) = place.lay(&run("r"));
    assert!(work.join("embedded/README.md").is_file());
}

#[test]
fn a_base_of_a_hundred_thousand_files_is_looked_at_in_seconds() {
    let place = Place::new();
    let mut stream = String::from("commit refs/heads/many\ncommitter A <a@b> 0 +0000\ndata 0\n");
    for number in 0..100_000 {
        let (one, two) = (number / 1000, number / 50 % 20);
        stream += &format!("M 100644 inline many/{one}/{two}/{number}.txt\ndata 1\nx\n");
    }
    for (branch, attributes) in [("many", ""), ("filtered", "*.bin filter=lfs\n")] {
        let last = format!(
            "M 100644 inline .gitattributes\ndata {}\n{attributes}\n",
            attributes.len()
        );
        let stream = stream.replace("refs/heads/many", &format!("refs/heads/{branch}")) + &last;
        let file = place.folder.path().join(branch);
        write(&file, stream);
        let mut import = std::process::Command::new("git");
        import.args(["fast-import", "--quiet"]).current_dir(&place.repo);
        let fed = import.stdin(std::fs::File::open(file).unwrap()).status();
        assert!(fed.unwrap().success());
        let begun = std::time::Instant::now();
        git(&place.repo, &["ls-tree", "-r", branch]);
        let listed = begun.elapsed().as_millis();
        let begun = std::time::Instant::now();
        assert_eq!(place.spaces.repository(branch).unwrap(), Repository::default());
        let looked = begun.elapsed().as_millis();
        assert!(looked < 20_000, "{looked} ms");
        println!(
            "measured: the look at a base of 100000 files ({branch}): {looked} ms; `git ls-tree` alone: {listed} ms"
        );
    }
}
