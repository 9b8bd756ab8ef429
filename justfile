# Where tools are installed that are not the machine's own; as in .ci/run.
tools := env("TRUEUP_CI_CACHE", env("XDG_CACHE_HOME", env("HOME") / ".cache") / "trueup-ci") / "tools"

# Formatting, lints, licences and house rules.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    cargo deny check bans licenses sources
    cargo nextest run -p trueup-testkit --test tidy --locked

# What notices most within a minute of a one-line change: types of everything, the rules, the readers.
quick:
    cargo fmt --all --check
    cargo check --workspace --locked
    cargo nextest run -p trueup-core -p trueup-inspect --locked -E '{{decisions}}'

# That the subjects of commits since another one have the form that CONTRIBUTING.md asks for.
commits since="main":
    @! git log --no-merges --format=%s {{since}}..HEAD | grep -vE '^[a-z0-9_./-]+(, [a-z0-9_./-]+)*: [^ ].{0,98}[^.]$'

# The shipped binary, and the one with planted faults that the harnesses must catch.
binaries:
    cargo build --release -p trueup --features known-bad --locked
    mkdir -p target/known-bad
    cp target/release/trueup target/known-bad/trueup
    cargo build --release -p trueup --locked

# Every test, in the sizes of CI.
test: binaries
    cargo nextest run --workspace --locked

# Every attack that is known, in full size: how many were tried, how many got through, and how many honest twins were
# refused. About an hour and a half.
attacks: binaries
    #!/usr/bin/env bash
    set -euo pipefail
    TRUEUP_TEST_SCALE=10 cargo nextest run -p trueup --release --locked --success-output immediate --no-fail-fast \
        -E 'binary(/^(clean_room|egress|findings|liars|saboteurs)$/) or (binary(wall) and test(escape::))' |
        tee /dev/stderr | awk '/ attacks: /{ gsub(/[a-z]+=/, ""); tried += $3; through += $4; twins += $5; alarms += $6 }
        END { printf "attacks: tried=%d through=%d twins=%d alarms=%d\n", tried, through, twins, alarms
              exit !(tried >= 250 && through == 0 && alarms * 50 <= twins) }'

# What a model does that wants to be done instead of doing the work: all of it, and its honest twins. Most of an hour.
ordinary: binaries
    TRUEUP_TEST_SCALE=10 cargo nextest run -p trueup --test ordinary --release --locked --success-output immediate --no-fail-fast

# The simulation alone; pass more of it with TRUEUP_TEST_SCALE.
sim:
    cargo nextest run --workspace --release --locked -E 'test(simulation) or binary(simulation)'

# Every suite that has a full size, in that size, on the release build.
sweep: binaries
    TRUEUP_TEST_SCALE=10 cargo nextest run --workspace --release --locked

# What trueup costs, in full size and without slack, with nothing else running; see docs/costs.md.
bench:
    TRUEUP_TEST_SCALE=10 cargo nextest run -p trueup --test bench --release --locked --test-threads 1 --success-output immediate --no-fail-fast

# The rules that decide, changed in one place at a time: a test of the same crate must notice each change. One to two hours.
mutants: (mutate "core" "--test=gate --test=judge --test=repeat --test=scripts --test=state_machine" "crates/trueup-core/src/{gate,judge}/**" "crates/trueup-core/src/run/on_{answer,challenged,checked}.rs" "crates/trueup-core/src/{evidence,control,objection,repeat,test_results}.rs") (mutate "inspect" "--lib --test=challenge --test=changes" "crates/trueup-inspect/src/{challenge,changes}/**")

# Fuzzers and hostile files look for panics and time, not for decisions.
decisions := "not (binary(hostile) or test(/hostile::/) or test(/fuzz::/) or test(/tools::/) or test(/too_many_tests_are_refused/))"

[private]
mutate crate tests +files:
    [ "$({{tools}}/bin/cargo-mutants mutants --version)" = "cargo-mutants 27.1.0" ] || cargo install --quiet --locked cargo-mutants --version 27.1.0 --root {{tools}}
    mkdir -p {{tools}}/mutants/{{crate}}
    CARGO_PROFILE_DEV_DEBUG=0 {{tools}}/bin/cargo-mutants mutants --package trueup-{{crate}} --test-package trueup-{{crate}} \
        --file {{replace(quote(files), " ", "' --file '")}} \
        --copy-target=false --output {{tools}}/mutants/{{crate}} --jobs 2 --timeout 120 \
        --cargo-arg=--config=profile.dev.package.trueup-core.opt-level=0 {{prepend("--cargo-arg=", tests)}}

# That the binary compiles for macOS. No C compiler for it is needed, because nothing is linked.
macos:
    rustup target add aarch64-apple-darwin
    CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true cargo check -p trueup --target aarch64-apple-darwin --locked

# Shipped lines by crate: all of them, and those that are neither blank nor a comment.
lines:
    #!/usr/bin/env bash
    for crate in crates/trueup-core crates/trueup-inspect crates/trueup-engine crates/trueup; do
        find "$crate/src" -name '*.rs' -exec cat {} + |
            awk -v name="$crate" '!/^[[:space:]]*(\/\/|$)/ { code++ } END { printf "%-24s %6d lines, %6d of code\n", name, NR, code }'
    done

# Honest commits of real projects, from clones in $TRUEUP_CORPUS; see CONTRIBUTING.md. Hours.
corpus:
    python3 -m venv ~/.local/lib/trueup-ci/commits/python
    ~/.local/lib/trueup-ci/commits/python/bin/pip install --quiet -r crates/trueup/tests/corpus/commits.txt
    cd ~ && GOCACHE=$HOME/.local/lib/trueup-ci/commits/python/go-build ~/.local/lib/trueup-ci/commits/python/bin/go build std
    cargo nextest run -p trueup --test corpus --release --locked --run-ignored only --success-output immediate -E 'test(history::)'

# In how many real projects the checks that `init` writes are green at once, from all the clones of $TRUEUP_CORPUS. An hour.
inits:
    #!/usr/bin/env bash
    set -euo pipefail
    tools=~/.local/lib/trueup-ci/inits
    npm install --silent --no-audit --no-fund --prefix "$tools" node@24 npm@11 bun@1.4.4 corepack@0.36.0
    python3 -m venv "$tools/python"
    "$tools/python/bin/pip" install --quiet -r crates/trueup/tests/corpus/inits.txt
    mkdir -p "$tools/bin"
    ln -sf ../node_modules/.bin/{node,npm,npx,bun,bunx} ../python/bin/{poetry,pdm,just,go} "$tools/bin"
    PATH="$tools/bin:$PATH" "$tools/node_modules/.bin/corepack" enable yarn --install-directory "$tools/bin"
    cargo nextest run -p trueup --test corpus --release --locked --run-ignored only --success-output immediate -E 'test(inits::)'

# Of how many tests of real projects what they expect can be changed, and how many pass all the same; and in how many
# commits tests share values with new code. From the same clones, with what `just corpus` installs. Most of an hour.
controls:
    cargo nextest run -p trueup --test corpus --release --locked --run-ignored only --success-output immediate -E 'test(controls::)'

# What the kernel's filter and the limits cost suites of real projects, from the same clones. Most of an hour.
price: binaries
    cargo nextest run -p trueup --test corpus --release --locked --run-ignored only --success-output immediate -E 'test(price::)'

# How often rules find something in honest commits of real projects, from the same clones. Minutes.
rules:
    cargo nextest run -p trueup --test corpus --release --locked --run-ignored only --success-output immediate -E 'test(rules::)'

# How often the files that research hands over hold the fix, in commits of the same clones with the change of one file
# withheld. Minutes.
related:
    cargo nextest run -p trueup --test corpus --release --locked --run-ignored only --success-output immediate -E 'test(related::)'

# Build and install the binary.
install:
    cargo install --path crates/trueup --locked

# Build the book into target/book, with what `.ci/run tools` installs.
docs:
    {{tools}}/bin/mdbook build docs

# Makes the state root of an older build anew, with which upgrades are tried; BINARY is that build.
upgrade-fixture BINARY:
    TRUEUP_OLD_BINARY={{BINARY}} cargo test -p trueup --test upgrade -- --ignored --nocapture
