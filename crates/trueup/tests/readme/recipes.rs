//! The recipes, typed line by line with the tools they are about. The agent is
//! a script that does the work; everything else is what the reader types.

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};
use trueup_testkit::{
    household::{Household, Output, output},
    newcomer::newcomer,
    transcript::{blocks, normalised},
};

/// A page, and what a test does in the reader's place.
struct Recipe {
    page: &'static str,
    /// What the agent does.
    agent: &'static str,
    /// What is typed instead of what the page has packages installed with.
    install: &'static str,
}

const PYTHON: Recipe = Recipe {
    page: "python",
    agent: "\
cat > cart/prices.py <<'END'
def total(prices):
    total = sum(prices)
    return total * 90 // 100 if total >= 100 else total
END
cat >> tests/test_prices.py <<'END'


def test_total_is_less_from_100_on():
    assert total([60, 40]) == 90
    assert total([60, 39]) == 99
END
",
    install: "",
};

const TYPESCRIPT: Recipe = Recipe {
    page: "typescript",
    agent: "\
cat > src/cart.ts <<'END'
export const total = (prices: number[]): number => {
  const sum = prices.reduce((sum, price) => sum + price, 0);
  return sum >= 100 ? Math.floor(sum * 0.9) : sum;
};
END
",
    // Which packages a registry has changes from day to day.
    install: "\
tools=\"$HOME/.local/lib/trueup-ci/vitest/node_modules\"
test -x \"$tools/.bin/vitest\"
cat > trueup.local.toml <<END
[prepare.node]
run = \"sh -c 'mkdir node_modules && ln -s $tools/* $tools/.bin node_modules/'\"
key = [\"package.json\"]
keep = [\"node_modules\"]
END
echo trueup.local.toml >> .gitignore
",
};

const RUST: Recipe = Recipe {
    page: "rust",
    agent: "\
cat > src/main.rs.new <<'END'
fn total(prices: &[u32]) -> u32 {
    let total = prices.iter().sum();
    if total >= 100 { total * 90 / 100 } else { total }
}
END
sed -e 1,3d -e '$d' src/main.rs >> src/main.rs.new
cat >> src/main.rs.new <<'END'

    #[test]
    fn takes_ten_percent_off_from_100_on() {
        assert_eq!(super::total(&[60, 40]), 90);
        assert_eq!(super::total(&[60, 39]), 99);
    }
}
END
mv src/main.rs.new src/main.rs
",
    install: "",
};

const GO: Recipe = Recipe {
    page: "go",
    agent: "\
sed -i 's/^\\treturn sum$/\\tif sum >= 100 {\\n\\t\\treturn sum * 90 \\/ 100\\n\\t}\\n\\treturn sum/' shop.go
cat >> shop_test.go <<'END'

func TestTotalIsLessFrom100On(t *testing.T) {
	if got := Total(60, 40); got != 90 {
		t.Errorf(\"got %d, want 90\", got)
	}
	if got := Total(60, 39); got != 99 {
		t.Errorf(\"got %d, want 99\", got)
	}
}
END
",
    install: "",
};

const MONOREPO: Recipe = Recipe {
    page: "monorepo",
    agent: "\
cat > new.rs <<'END'
pub fn total(prices: &[u32]) -> u32 {
    let total = prices.iter().sum();
    if total >= 100 { total * 90 / 100 } else { total }
}
END
sed -e 1,3d -e '$d' prices/src/lib.rs >> new.rs
cat >> new.rs <<'END'

    #[test]
    fn takes_ten_percent_off_from_100_on() {
        assert_eq!(super::total(&[60, 40]), 90);
        assert_eq!(super::total(&[60, 39]), 99);
    }
}
END
mv new.rs prices/src/lib.rs
",
    install: "",
};

const LIBRARY: Recipe = Recipe {
    page: "library",
    agent: "\
cat > bill/__init__.py <<'END'
def split(cents, people):
    share, rest = divmod(cents, people)
    return [share + 1] * rest + [share] * (people - rest)
END
",
    install: "",
};

impl Recipe {
    fn text(&self) -> String {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/recipes");
        fs::read_to_string(page.join(format!("{}.md", self.page))).expect("the page")
    }

    /// Types the page; every command must succeed, and what the page shows must
    /// have been printed.
    fn is_true(&self) {
        let reader = Reader::with(self.agent);
        let mut stands = reader.household.folder().to_owned();
        let (mut said, mut verified) = (String::new(), 0);
        for block in blocks(&self.text()) {
            let typed = match block.kind.as_str() {
                "sh" => &block.text,
                "sh install" => self.install,
                "toml" => {
                    let written = fs::read_to_string(stands.join("trueup.toml")).expect("trueup.toml");
                    reader.shows(&block.text, &written);
                    continue;
                }
                _ => {
                    reader.shows(&block.text, &said);
                    continue;
                }
            };
            let (ended, stood) = reader.types(typed, &stands);
            assert_eq!(ended.code, 0, "{typed}\n{}", ended.stdout);
            verified +=
                ended.stdout.matches("\nverified: 2 of 2").count() + ended.stdout.matches("\nverified: 3 of 3").count();
            (said, stands) = (ended.stdout, stood.trim_end().into());
        }
        assert_eq!(verified, 1, "{} holds one proof", self.page);
    }
}

/// Whoever reads a recipe, on this very machine.
struct Reader {
    household: Household,
}

impl Reader {
    fn with(agent: &str) -> Self {
        let home = env::var("HOME").expect("a home");
        let path = env::var("PATH").expect("a PATH");
        let household = newcomer(env!("CARGO_BIN_EXE_trueup"), "");
        let bin = household.folder().join("bin");
        let layer = household.folder().join("config/trueup/config.toml");
        for folder in [&bin, layer.parent().expect("a folder")] {
            fs::create_dir_all(folder).expect("a folder");
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_trueup"), bin.join("trueup")).expect("a link");
        let script = bin.join("agent.sh");
        fs::write(&script, format!("#!/bin/sh\nset -e\n{agent}")).expect("the agent");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("the right to run it");
        let agent = format!("[agent.script]\nkind = \"command\"\ncommand = [{script:?}]\nnetwork = false\n");
        fs::write(layer, format!("[agent]\ndefault = \"script\"\n\n{agent}")).expect("the user's layer");
        let path = format!("{}:{home}/.local/lib/trueup-ci/bin:{path}", bin.display());
        let household = household
            .with_variable("PATH", &path)
            .with_variable("TRUEUP_TRUST", "1");
        let identity = ["AUTHOR", "COMMITTER"].into_iter().fold(household, |household, who| {
            household
                .with_variable(&format!("GIT_{who}_NAME"), "Ada")
                .with_variable(&format!("GIT_{who}_EMAIL"), "ada@example.invalid")
        });
        Self { household: identity }
    }

    /// Types these lines in this folder; answers where the shell stood at the end.
    fn types(&self, lines: &str, folder: &Path) -> (Output, String) {
        let stands = self.household.folder().join("stands");
        let mut shell = Command::new("sh");
        self.household.furnish(&mut shell);
        shell.current_dir(folder);
        shell.args(["-euc", &format!("exec 2>&1\n{lines}\npwd > '{}'", stands.display())]);
        let ended = output(&mut shell);
        (ended, fs::read_to_string(&stands).unwrap_or_default())
    }

    /// Every line stands in what was printed, in this order.
    fn shows(&self, lines: &str, printed: &str) {
        let plain = |text: &str| normalised(text, self.household.folder());
        let (wanted, printed) = (plain(lines), plain(printed));
        let mut rest = printed.lines();
        for line in wanted.lines() {
            assert!(rest.any(|shown| shown == line), "`{line}` is not shown in:\n{printed}");
        }
    }
}

#[test]
fn the_recipe_for_python_is_true() {
    PYTHON.is_true();
}

#[test]
fn the_recipe_for_typescript_is_true() {
    TYPESCRIPT.is_true();
}

#[test]
fn the_recipe_for_rust_is_true() {
    RUST.is_true();
}

#[test]
fn the_recipe_for_go_is_true() {
    GO.is_true();
}

#[test]
fn the_recipe_for_several_projects_is_true() {
    MONOREPO.is_true();
}

#[test]
fn the_recipe_for_a_library_is_true() {
    LIBRARY.is_true();
}

/// What a page holds untrue that an agent makes so: the command that failed.
fn failed(recipe: Recipe) -> String {
    let told = std::panic::catch_unwind(|| recipe.is_true()).expect_err("it is not true");
    told.downcast_ref::<String>().cloned().unwrap_or_default()
}

/// The known-bad subject: an agent that knows the example and the documentation
/// by heart.
#[test]
fn a_library_that_only_knows_its_examples_is_not_proved() {
    let by_heart = "\
cat > bill/__init__.py <<'END'
def split(cents, people):
    known = {(100, 3): [34, 33, 33], (5, 2): [3, 2]}
    return known.get((cents, people), [cents // people] * people)
END
";
    let told = failed(Recipe {
        agent: by_heart,
        ..LIBRARY
    });
    assert!(told.contains("trueup run T-001"), "{told}");
    assert!(told.contains("AC-1 ✗") && told.contains("AC-2 ✓"), "{told}");
}

/// The known-bad subject: an agent that does nothing.
#[test]
fn a_recipe_whose_agent_does_nothing_is_not_true() {
    let told = failed(Recipe { agent: "", ..RUST });
    assert!(told.contains("trueup run T-002"), "{told}");
}
