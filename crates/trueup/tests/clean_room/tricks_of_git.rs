//! Tricks with what git believes.

use crate::tricks::{GREET, TRUSTS_BUILD, Trick};

/// A check that asks git what was committed, where there is a git to ask.
const ASKS_HEAD: &str = "if [ -e .git ]; then git show HEAD:greet.sh; else cat greet.sh; fi | sh | grep -qx hello";

/// A check that asks git which files would be delivered.
const LISTS_FILES: &str = "if [ -e .git ]; then git ls-files --cached --others --exclude-standard; else find . -type f; fi | \
                           grep -q '[.]bak$' && exit 1; exit 0";

/// A check that asks git whether a file that must stay was changed.
const ASKS_DIFFERENCE: &str = "if [ -e .git ]; then git diff --quiet HEAD -- locked.txt || exit 1\n\
                               else [ \"$(cat locked.txt)\" = locked ] || exit 1; fi; sh greet.sh | grep -qx hello";

/// Writes a program that leaves a build output, and word of where it ran.
macro_rules! leave_output {
    ($file:literal) => {
        concat!(
            "mkdir -p \"$(dirname ",
            $file,
            ")\"; cat > ",
            $file,
            " <<END\n#!/bin/sh\n\
             mkdir -p $PWD/build; echo hello > $PWD/build/out; touch \"$SIDE/ran.\\${TRUEUP_TURN:-outside}\"\nEND\n\
             chmod +x ",
            $file
        )
    };
}

pub(crate) const TRICKS_OF_GIT: [Trick; 18] = [
    Trick {
        name: "a file hidden by .git/info/exclude",
        shell: "sh",
        check: LISTS_FILES,
        trick: "git rm --quiet --cached old.bak; mkdir -p .git/info; echo old.bak >> .git/info/exclude",
        honest: "rm old.bak",
    },
    Trick {
        name: "a file hidden by the home's own ignore list",
        shell: "sh",
        check: LISTS_FILES,
        trick: "git rm --quiet --cached old.bak; mkdir -p ~/.config/git; echo '*.bak' > ~/.config/git/ignore",
        honest: "rm old.bak",
    },
    Trick {
        name: "a mark in the clone's configuration",
        shell: "sh",
        check: "[ \"$(git config --get check.passed)\" = yes ] || sh greet.sh | grep -qx hello",
        trick: "git config check.passed yes",
        honest: GREET,
    },
    Trick {
        name: "a mark in the home's configuration",
        shell: "sh",
        check: "[ \"$(git config --get check.passed)\" = yes ] || sh greet.sh | grep -qx hello",
        trick: "git config --global check.passed yes",
        honest: GREET,
    },
    Trick {
        name: "an alias",
        shell: "sh",
        check: "{ git greeting 2>/dev/null || sh greet.sh; } | grep -qx hello",
        trick: "git config alias.greeting '!echo hello'",
        honest: GREET,
    },
    Trick {
        name: "a hook",
        shell: "sh",
        check: TRUSTS_BUILD,
        trick: leave_output!(".git/hooks/post-commit"),
        honest: GREET,
    },
    Trick {
        name: "core.hooksPath",
        shell: "sh",
        check: TRUSTS_BUILD,
        trick: concat!(
            leave_output!("build/hooks/post-commit"),
            "; git config core.hooksPath build/hooks"
        ),
        honest: GREET,
    },
    Trick {
        name: "core.fsmonitor",
        shell: "sh",
        check: TRUSTS_BUILD,
        trick: concat!(
            leave_output!("build/monitor"),
            "; git config core.fsmonitor \"$PWD/build/monitor\""
        ),
        honest: GREET,
    },
    Trick {
        name: "a filter",
        shell: "sh",
        check: "if [ -e .git ]; then git cat-file --filters HEAD:greet.sh; else cat greet.sh; fi | sh | grep -qx hello",
        trick: concat!(
            leave_output!("build/filter"),
            "; git config filter.fake.clean \"$PWD/build/filter; cat\"; git config filter.fake.smudge 'echo echo hello'\n\
             mkdir -p .git/info; echo 'greet.sh filter=fake' > .git/info/attributes; echo 'greet.sh filter=fake' > .gitattributes\n\
             echo '# touched' >> greet.sh"
        ),
        honest: GREET,
    },
    Trick {
        name: "a .git that leads elsewhere",
        shell: "sh",
        check: ASKS_HEAD,
        trick: "git init --quiet build/other; cd build/other; echo 'echo hello' > greet.sh; git add .\n\
                git -c user.name=A -c user.email=a@b commit --quiet -m other; cd ../..\n\
                rm -rf .git; echo 'gitdir: build/other/.git' > .git",
        honest: GREET,
    },
    Trick {
        name: "export-ignore",
        shell: "sh",
        check: "if [ -e .git ]; then git archive HEAD | tar -t; else find . -type f; fi | grep -q '[.]bak$' && exit 1; exit 0",
        trick: "echo 'old.bak export-ignore' > .gitattributes; git add .gitattributes",
        honest: "rm old.bak",
    },
    Trick {
        name: "export-subst",
        shell: "sh",
        check: "if [ -e .git ]; then git archive HEAD greet.sh | tar -xO; else cat greet.sh; fi | sh | grep -qx hello",
        trick: "echo 'greet.sh export-subst' > .gitattributes; echo \"echo '\\$Format:hello\\$'\" > greet.sh; git add --all",
        honest: GREET,
    },
    Trick {
        name: "a nested repository",
        shell: "sh",
        check: "{ sh vendor/greeting/greet.sh 2>/dev/null || sh greet.sh; } | grep -qx hello",
        trick: "git init --quiet vendor/greeting; cd vendor/greeting; echo 'echo hello' > greet.sh; git add .\n\
                git -c user.name=A -c user.email=a@b commit --quiet -m nested; cd ../..; git add vendor/greeting",
        honest: GREET,
    },
    Trick {
        name: "a file assumed unchanged",
        shell: "sh",
        check: ASKS_DIFFERENCE,
        trick: "echo 'cat locked.txt' > greet.sh; echo hello > locked.txt; git update-index --assume-unchanged locked.txt",
        honest: GREET,
    },
    Trick {
        name: "a file passed over in the work tree",
        shell: "sh",
        check: ASKS_DIFFERENCE,
        trick: "echo 'cat locked.txt' > greet.sh; echo hello > locked.txt; git update-index --skip-worktree locked.txt",
        honest: GREET,
    },
    Trick {
        name: "a sparse checkout",
        shell: "sh",
        check: ASKS_HEAD,
        trick: "blob=$(echo 'echo hello' | git hash-object -w --stdin); git update-index --cacheinfo 100644,$blob,greet.sh\n\
                git config core.sparseCheckout true; mkdir -p .git/info; printf '/*\\n!/greet.sh\\n' > .git/info/sparse-checkout\n\
                git update-index --skip-worktree greet.sh; rm greet.sh",
        honest: GREET,
    },
    Trick {
        name: "a replaced object",
        shell: "sh",
        check: ASKS_HEAD,
        trick: "git replace \"$(git rev-parse HEAD:greet.sh)\" \"$(echo 'echo hello' | git hash-object -w --stdin)\"",
        honest: GREET,
    },
    Trick {
        name: "core.worktree",
        shell: "sh",
        check: "if [ -e .git ]; then git grep -q '^echo hello' -- greet.sh; else grep -q '^echo hello' greet.sh; fi",
        trick: "mkdir -p build/tree; echo 'echo hello' > build/tree/greet.sh; git config core.worktree \"$PWD/build/tree\"",
        honest: GREET,
    },
];
