//! How the suites of real projects are executed.

use trueup_core::kind::Format;

/// A project that others wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Project {
    /// As its clone or its package is called.
    pub(crate) name: &'static str,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// What it is written in.
    pub(crate) language: Language,
    /// The whole suite, as `trueup.toml` spells it.
    pub(crate) guard: &'static str,
    /// What is installed before it, if anything is.
    pub(crate) prepare: Option<&'static Prepare>,
    /// A file that its build writes and its code needs: where, and what it holds.
    pub(crate) built: Option<(&'static str, &'static str)>,
}

/// Where a project comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Clone,
    Registry,
}

impl Origin {
    /// The folder, beside other tools, of what suites from there need.
    pub(crate) const fn tools(self) -> &'static str {
        match self {
            Self::Clone => "commits",
            Self::Registry => "releases",
        }
    }
}

/// What a project is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    Go,
    JavaScript,
    Python,
    Rust,
}

/// What is installed before a suite can run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepare {
    pub(crate) run: &'static str,
    pub(crate) key: &'static str,
    pub(crate) keep: &'static str,
}

impl Project {
    const fn clone(name: &'static str, language: Language, guard: &'static str) -> Self {
        Self {
            name,
            origin: Origin::Clone,
            language,
            guard,
            prepare: None,
            built: None,
        }
    }

    const fn package(name: &'static str, language: Language, guard: &'static str) -> Self {
        Self {
            origin: Origin::Registry,
            ..Self::clone(name, language, guard)
        }
    }

    const fn after(self, prepare: &'static Prepare) -> Self {
        Self {
            prepare: Some(prepare),
            ..self
        }
    }

    const fn with_built(self, path: &'static str, text: &'static str) -> Self {
        Self {
            built: Some((path, text)),
            ..self
        }
    }

    /// What its suite reports.
    pub(crate) const fn format(&self) -> Format {
        match self.language {
            Language::Go => Format::Go,
            Language::JavaScript | Language::Python => Format::Junit,
            Language::Rust => Format::Libtest,
        }
    }

    /// The tables of its `trueup.toml`.
    pub(crate) fn tables(&self) -> String {
        let prepare = self.prepare.map(|Prepare { run, key, keep }| {
            format!("[prepare.packages]\nrun = \"{run}\"\nkey = [\"{key}\"]\nkeep = [\"{keep}\"]\n\n")
        });
        let (parse, cache) = match self.language {
            Language::Go => ("go", ""),
            Language::JavaScript | Language::Python => ("junit", ""),
            Language::Rust => ("libtest", "cache = [\"target\"]\n"),
        };
        let prepare = prepare.unwrap_or_default();
        format!(
            "{prepare}[checks.tests]\nrun = \"{}\"\nparse = \"{parse}\"\n{cache}",
            self.guard
        )
    }
}

const PYTEST: &str = "env PYTHONPATH=. pytest -q -p no:cacheprovider --junitxml={{out}}/junit.xml";
const PYTEST_SRC: &str = "env PYTHONPATH=src pytest -q -p no:cacheprovider --junitxml={{out}}/junit.xml";
const GO_TEST: &str = "go test -json ./...";
const CARGO_TEST: &str = "cargo test --offline --no-fail-fast";
const VITEST: &str = "npx vitest run --reporter=junit --outputFile={{out}}/junit.xml";
const NODE_TEST: &str = "node --test --test-reporter=junit --test-reporter-destination={{out}}/junit.xml";

const CRATES: Prepare = Prepare {
    run: "cargo fetch",
    key: "Cargo.toml",
    keep: "~/.cargo/registry",
};
const LOCKED_CRATES: Prepare = Prepare {
    run: "cargo fetch --locked",
    key: "Cargo.lock",
    keep: "~/.cargo/registry",
};
/// The standard library, which `just corpus` compiled once for all of them:
/// each commit is the first base of a repository here, and would compile it.
const GO_STD: Prepare = Prepare {
    run: "sh -c 'mkdir -p ~/.cache/go-build && cp -an $(dirname $(command -v pytest))/../go-build/. ~/.cache/go-build; true'",
    key: "go.mod",
    keep: "~/.cache/go-build",
};
/// Lock files of pnpm 8 and older are unreadable to today's: those bases get
/// what their manifest asks for.
const PNPM: Prepare = Prepare {
    run: "sh -c 'pnpm --pm-on-fail=ignore install --frozen-lockfile --ignore-scripts \
          || npm install --ignore-scripts --no-audit --no-fund --no-package-lock'",
    key: "pnpm-lock.yaml",
    keep: "node_modules",
};

/// The rows of a table below its head.
pub(crate) fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        fields.try_into().unwrap_or_else(|_| panic!("{N} fields: {line}"))
    })
}

/// The project of a list that is called so.
pub(crate) fn called(list: &'static [Project], name: &str) -> &'static Project {
    let project = list.iter().find(|project| project.name == name);
    project.unwrap_or_else(|| panic!("no project {name}"))
}

/// Those with a history to clone.
pub(crate) const CLONES: &[Project] = &[
    Project::clone("pallets/click", Language::Python, PYTEST_SRC),
    Project::clone("pallets/itsdangerous", Language::Python, PYTEST_SRC),
    Project::clone("more-itertools/more-itertools", Language::Python, PYTEST),
    Project::clone("mahmoud/boltons", Language::Python, PYTEST),
    Project::clone("jd/tenacity", Language::Python, PYTEST),
    Project::clone("hynek/structlog", Language::Python, PYTEST_SRC),
    Project::clone("python-humanize/humanize", Language::Python, PYTEST_SRC)
        .with_built("src/humanize/_version.py", "__version__ = \"4.0.0\"\n"),
    Project::clone("pytest-dev/pluggy", Language::Python, PYTEST_SRC),
    Project::clone("google/uuid", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("spf13/pflag", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("gorilla/mux", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("google/go-cmp", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("gorilla/schema", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("mitchellh/mapstructure", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("Masterminds/semver", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("shopspring/decimal", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("dustin/go-humanize", Language::Go, GO_TEST).after(&GO_STD),
    Project::clone("bluss/either", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("withoutboats/heck", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("dtolnay/semver", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("servo/rust-smallvec", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("sharkdp/hexyl", Language::Rust, CARGO_TEST).after(&LOCKED_CRATES),
    Project::clone("mitsuhiko/similar", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("mgeisler/textwrap", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("tokio-rs/bytes", Language::Rust, CARGO_TEST).after(&CRATES),
    Project::clone("unjs/ufo", Language::JavaScript, VITEST).after(&PNPM),
    Project::clone("unjs/defu", Language::JavaScript, VITEST).after(&PNPM),
    Project::clone("unjs/pathe", Language::JavaScript, VITEST).after(&PNPM),
    Project::clone("unjs/hookable", Language::JavaScript, VITEST).after(&PNPM),
    Project::clone("tj/commander.js", Language::JavaScript, NODE_TEST),
];

/// Those whose archives in a registry hold their tests.
pub(crate) const PACKAGES: &[Project] = &[
    Project::package("cachetools", Language::Python, PYTEST_SRC),
    Project::package("semantic-version", Language::Python, PYTEST),
    Project::package("itsdangerous", Language::Python, PYTEST_SRC),
    Project::package("parse", Language::Python, PYTEST),
    Project::package("pathspec", Language::Python, PYTEST),
    Project::package("webcolors", Language::Python, PYTEST_SRC),
    Project::package("xmltodict", Language::Python, PYTEST),
];
