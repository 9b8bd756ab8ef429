//! Submodules: their files are laid, and nothing an agent does to them counts.

use crate::place::Wild;
use std::{fs, path::Path};

/// A repository beside the checkout, with these files.
fn library(wild: &Wild, name: &str, files: &[(&str, &str)]) -> String {
    let place = wild.beside(name);
    fs::create_dir_all(&place).expect("a folder");
    wild.git_in(&place, &["init", "--quiet", "-b", "main"]);
    wild.git_in(&place, &["config", "user.name", "Bob"]);
    wild.git_in(&place, &["config", "user.email", "bob@example.invalid"]);
    for (file, text) in files {
        let file = place.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    wild.git_in(&place, &["add", "--all"]);
    wild.git_in(&place, &["commit", "--quiet", "-m", "A library"]);
    place.display().to_string()
}

/// A repository with a submodule that has a submodule.
fn nested() -> Wild {
    let wild = Wild::new("grep -q deep vendor/lib/inner/deep.txt\ntest -x vendor/lib/run.sh\n");
    let inner = library(&wild, "inner", &[("deep.txt", "deep\n")]);
    library(
        &wild,
        "lib",
        &[
            ("run.sh", "true\n"),
            (".gitattributes", "*.txt text eol=crlf\n"),
            ("dos.txt", "a\n"),
        ],
    );
    let lib = wild.beside("lib");
    let allow = ["-c", "protocol.file.allow=always"];
    wild.git_in(
        &lib,
        &[&allow[..], &["submodule", "--quiet", "add", &inner, "inner"]].concat(),
    );
    wild.git_in(&lib, &["update-index", "--chmod=+x", "run.sh"]);
    wild.git_in(&lib, &["commit", "--quiet", "-m", "With an inner one"]);
    let url = lib.display().to_string();
    wild.household.git(
        &[
            &allow[..],
            &[
                "submodule",
                "--quiet",
                "add",
                "--name",
                "the library",
                &url,
                "vendor/lib",
            ],
        ]
        .concat(),
    );
    wild.household
        .git(&[&allow[..], &["submodule", "--quiet", "update", "--init", "--recursive"]].concat());
    wild.commit();
    wild
}

/// A clone with everything, as people make one.
fn recursively(wild: &Wild, checkout: &Path, plain: &Path) {
    let (from, to) = (checkout.display().to_string(), plain.display().to_string());
    let allow = ["-c", "protocol.file.allow=always"];
    let clone = [
        "clone",
        "--quiet",
        "--recurse-submodules",
        "--branch",
        "trueup/T-001",
        &from,
        &to,
    ];
    wild.git_in(&wild.household.home(), &[&allow[..], &clone].concat());
}

#[test]
fn submodules_are_laid_with_all_that_is_in_them() {
    let wild = nested();
    wild.agent("cat vendor/lib/inner/deep.txt > seen.txt\n");
    wild.is_proved_in(|checkout, plain| recursively(&wild, checkout, plain));
    assert_eq!(wild.household.git(&["show", "trueup/T-001:seen.txt"]), "deep");
    assert_eq!(wild.findings().replace("null", ""), "[]", "nothing was left out");
}

#[test]
fn submodules_of_a_linked_worktree_are_laid() {
    let wild = nested();
    wild.replace(|upstream, checkout| {
        let to = checkout.display().to_string();
        wild.git_in(upstream, &["worktree", "add", "--quiet", "-b", "linked", &to]);
        let allow = ["-c", "protocol.file.allow=always"];
        let update = ["submodule", "--quiet", "update", "--init", "--recursive"];
        wild.git_in(checkout, &[&allow[..], &update].concat());
        // Where other checkouts have theirs.
        fs::remove_dir_all(upstream.join(".git/modules")).expect("a folder");
    });
    wild.is_proved_in(|checkout, plain| recursively(&wild, checkout, plain));
}

#[test]
fn what_an_agent_changes_in_a_submodule_is_told_and_never_taken() {
    let wild = nested();
    changes_in_submodules_are_told(&wild);
}

#[test]
fn a_workspace_with_submodules_is_never_veiled() {
    let wild = nested();
    wild.veil();
    changes_in_submodules_are_told(&wild);
    assert_eq!(wild.bases(), 0);
}

fn changes_in_submodules_are_told(wild: &Wild) {
    wild.agent("echo changed > vendor/lib/inner/deep.txt\ntouch vendor/lib/new.txt\n");
    wild.is_proved_in(|checkout, plain| recursively(wild, checkout, plain));
    assert_eq!(
        wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]),
        "done.txt"
    );
    let told = wild.findings();
    for path in ["vendor/lib", "vendor/lib/inner"] {
        assert!(
            told.contains(&format!("`{path}` is a submodule, a repository of its own")),
            "{told}"
        );
    }
}

#[test]
fn an_agent_that_forgets_a_submodule_loses_it_in_the_room_as_well() {
    let wild = nested();
    wild.household.file("tests/own.sh", "true\n");
    wild.allow(".gitmodules");
    wild.commit();
    wild.agent("rm .gitmodules\n");
    wild.is_proved();
    assert_eq!(
        fs::read_dir(wild.beside("plain/vendor/lib")).expect("a folder").count(),
        0
    );
}

#[test]
fn a_submodule_that_is_not_here_is_refused_until_it_is_fetched() {
    let wild = nested();
    wild.replace(|upstream, checkout| {
        let (from, to) = (upstream.display().to_string(), checkout.display().to_string());
        wild.git_in(upstream, &["clone", "--quiet", &from, &to]);
    });
    wild.is_refused(
        "the submodule `vendor/lib` of the base is not here",
        "git submodule update --init --recursive -- vendor/lib",
    );
    let allow = ["-c", "protocol.file.allow=always"];
    wild.household.git(
        &[
            &allow[..],
            &["submodule", "--quiet", "update", "--init", "--", "vendor/lib"],
        ]
        .concat(),
    );
    wild.is_refused(
        "the submodule `vendor/lib/inner` of the base is not here",
        "git submodule update --init --recursive -- vendor/lib/inner",
    );
    wild.household
        .git(&[&allow[..], &["submodule", "--quiet", "update", "--init", "--recursive"]].concat());
    wild.is_proved_in(|checkout, plain| recursively(&wild, checkout, plain));
}

#[test]
fn a_submodule_without_the_commit_is_refused() {
    let wild = nested();
    let commit = "1234567890123456789012345678901234567890";
    let link = format!("160000,{commit},vendor/lib");
    wild.household.git(&["update-index", "--cacheinfo", &link]);
    wild.household.git(&["commit", "--quiet", "-m", "Another commit of it"]);
    wild.is_refused(
        "the submodule `vendor/lib` is here, but not the commit the base names",
        &format!("git -C vendor/lib fetch origin {commit}"),
    );
}

#[test]
fn a_submodule_that_moved_is_taken_with_changes_only_where_it_is_staged() {
    let wild = nested();
    let lib = wild.checkout().join("vendor/lib");
    fs::write(lib.join("more.txt"), "more\n").expect("a file");
    wild.git_in(&lib, &["add", "--all"]);
    let commit = [
        "-c",
        "user.name=Bob",
        "-c",
        "user.email=b@example.invalid",
        "commit",
        "--quiet",
        "-m",
        "More",
    ];
    wild.git_in(&lib, &commit);
    let ended = wild.household.trueup(&["run", "T-001", "--with-changes"]);
    let told = "error: vendor/lib cannot be taken: it is a submodule on another commit than the one staged (`git add` \
                stages it); commit, ignore or remove it\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (2, told));
    wild.household.git(&["add", "vendor/lib"]);
    wild.run(&["--with-changes"]);
    wild.git_in(&lib, &["push", "--quiet", "origin", "HEAD:refs/heads/more"]);
    wild.compare(|checkout, plain| recursively(&wild, checkout, plain));
    assert!(wild.beside("plain/vendor/lib/more.txt").exists());
}

#[test]
fn a_link_that_is_no_submodule_is_an_empty_folder() {
    let wild = Wild::new("test -d linked\n");
    let commit = "1234567890123456789012345678901234567890";
    wild.commit();
    let link = format!("160000,{commit},linked");
    wild.household.git(&["update-index", "--add", "--cacheinfo", &link]);
    wild.household.git(&["commit", "--quiet", "-m", "A link"]);
    wild.is_proved();
}

#[test]
fn contents_of_a_submodule_are_laid() {
    let wild = Wild::new("grep -q 'kept in the library' lib/one.bin\n");
    library(&wild, "lib", &[("README", "a library\n")]);
    let lib = wild.beside("lib");
    wild.git_in(&wild.household.home(), &["lfs", "install"]);
    wild.git_in(&lib, &["lfs", "track", "*.bin"]);
    fs::write(lib.join("one.bin"), "kept in the library\n").expect("a file");
    wild.git_in(&lib, &["add", "--all"]);
    wild.git_in(&lib, &["commit", "--quiet", "-m", "A content"]);
    let url = lib.display().to_string();
    let allow = ["-c", "protocol.file.allow=always"];
    wild.household
        .git(&[&allow[..], &["submodule", "--quiet", "add", &url, "lib"]].concat());
    wild.commit();
    wild.is_proved_in(|checkout, plain| recursively(&wild, checkout, plain));
    assert_eq!(
        fs::read_to_string(wild.beside("plain/lib/one.bin")).expect("a file"),
        "kept in the library\n"
    );
    assert_eq!(wild.findings().replace("null", ""), "[]", "nothing was left out");
}
