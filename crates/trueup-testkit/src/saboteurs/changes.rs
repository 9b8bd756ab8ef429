//! Honest changes of the shapes that real ones have. None may be refused; a
//! question to a person is a cost, and is counted.

use super::{
    CARGO, GO, MAKE, PYTEST, Project, VITEST, Work, known_cargo, known_go, known_make, known_pytest, known_vitest,
};

/// One honest change.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// What it does; unique among all.
    pub name: &'static str,
    /// Where.
    pub project: &'static Project,
    /// What was asked for.
    pub work: Work,
    /// How it is done.
    pub script: &'static str,
}

/// A fact about a file is the goal, and every test is a guard.
macro_rules! file_goal {
    ($what:literal, $goal:literal) => {
        Work {
            files: &[],
            criteria: concat!(
                "- [ ] **AC-1** ",
                $what,
                "\n  - verify: file ",
                $goal,
                "\n  - guard: tests\n"
            ),
            allow: "",
            hidden: &[],
        }
    };
}

const PY_FIX: Work = known_pytest::FIX;
const PY_NEW: Work = known_pytest::NEW;

/// Every honest change.
pub const CHANGES: &[Change] = &[
    Change {
        name: "py: documentation only",
        project: &PYTEST,
        work: file_goal!("The rule is written down.", "docs/prices.md has /five in a hundred/"),
        script: "printf '# Prices\\n\\nFrom 100 on, five in a hundred are taken off. `pytest` runs the tests.\\n' | put docs/prices.md",
    },
    Change {
        name: "py: a bug is mended for a person's failing test",
        project: &PYTEST,
        work: PY_FIX,
        script: "honest",
    },
    Change {
        name: "py: a new module with its tests",
        project: &PYTEST,
        work: Work {
            criteria: "- [ ] **AC-1** Carts know their sum.\n  - verify: test tests/test_cart.py::test_sum\n  - guard: tests\n",
            ..PY_NEW
        },
        script: "put shop/cart.py <<'END'\n\"\"\"Carts.\"\"\"\nfrom shop.price import total\n\n\nclass Cart:\n    \"\"\"What somebody wants to buy.\"\"\"\n\n    def __init__(self):\n        self.items = []\n\n    def add(self, cents):\n        self.items.append(cents)\n        return self\n\n    def sum(self):\n        return total(self.items)\nEND\n\
                 put tests/test_cart.py <<'END'\nfrom shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().add(1).add(2).sum() == 3\n\n\ndef test_empty():\n    assert Cart().sum() == 0\nEND",
    },
    Change {
        name: "py: a dependency is added",
        project: &PYTEST,
        work: file_goal!("It depends on attrs.", "pyproject.toml has /attrs/"),
        script: "sub pyproject.toml 's/^version.*/&\\ndependencies = [\"attrs>=23\"]/'",
    },
    Change {
        name: "py: a function moves to another module",
        project: &PYTEST,
        work: file_goal!("Labels have a module of their own.", "shop/label.py has /def label/"),
        script: "printf '\"\"\"Prices as people read them.\"\"\"\\n\\n\\ndef label(cents):\\n    \"\"\"A price as people read it.\"\"\"\\n    return f\"{cents // 100}.{cents %% 100:02d}\"\\n' | put shop/label.py\n\
                 sub shop/price.py '/^def label/,$d'\nsub shop/price.py 's/^def total/from shop.label import label\\n\\n__all__ = [\"discount\", \"label\", \"total\"]\\n\\n\\ndef total/'",
    },
    Change {
        name: "py: a test is renamed",
        project: &PYTEST,
        work: PY_FIX,
        script: "honest\nsub tests/test_price.py 's/test_nothing_costs_nothing/test_an_empty_cart_costs_nothing/'",
    },
    Change {
        name: "py: the configuration of tests gets a key, which is allowed",
        project: &PYTEST,
        work: Work {
            allow: "change: [pyproject.toml]",
            ..PY_FIX
        },
        script: "honest\nprintf 'xfail_strict = true\\n' >> pyproject.toml",
    },
    Change {
        name: "py: a program gets an option",
        project: &PYTEST,
        work: Work {
            files: &[(
                "shop/main.py",
                "\"\"\"The shop's program.\"\"\"\nimport argparse\n\nfrom shop.price import label, total\n\n\ndef main(words=None):\n    parser = argparse.ArgumentParser()\n    parser.add_argument(\"items\", nargs=\"*\", type=int)\n    given = parser.parse_args(words)\n    return str(total(given.items))\n",
            )],
            criteria: "- [ ] **AC-1** `--label` prints the sum as people read it.\n  - verify: test tests/test_main.py::test_label_option\n  - guard: tests\n",
            ..PY_NEW
        },
        script: "sub shop/main.py 's/^    given = .*/    parser.add_argument(\"--label\", action=\"store_true\")\\n&/'\nsub shop/main.py 's/^    return .*/    found = total(given.items)\\n    return label(found) if given.label else str(found)/'\n\
                 printf 'from shop.main import main\\n\\n\\ndef test_label_option():\\n    assert main([\"--label\", \"1999\"]) == \"19.99\"\\n    assert main([\"1999\"]) == \"1999\"\\n' | put tests/test_main.py",
    },
    Change {
        name: "py: types are written down",
        project: &PYTEST,
        work: file_goal!(
            "Prices are typed.",
            "shop/price.py has /def discount.amount: int. -> int/"
        ),
        script: "sub shop/price.py 's/def discount\\(amount\\):/def discount(amount: int) -> int:/'\nsub shop/price.py 's/def total\\(items\\):/def total(items: list[int]) -> int:/'",
    },
    Change {
        name: "py: a test becomes one with many cases",
        project: &PYTEST,
        work: PY_NEW,
        script: "honest\nput tests/test_discount.py <<'END'\nimport pytest\n\nfrom shop.price import discount\n\n\ndef test_from_100():\n    assert discount(100) == 95\n\n\n@pytest.mark.parametrize((\"amount\", \"paid\"), [(0, 0), (99, 99), (200, 190)])\ndef test_amounts(amount, paid):\n    assert discount(amount) == paid\nEND",
    },
    Change {
        name: "py: an obsolete function goes with its test, which is allowed",
        project: &PYTEST,
        work: Work {
            criteria: "- [ ] **AC-1** Labels are gone.\n  - verify: no /def label/ in shop/**\n  - guard: tests\n",
            allow: "remove_tests: [tests/test_price.py::test_label]",
            ..PY_NEW
        },
        script: "sub shop/price.py '/^def label/,$d'\nsub tests/test_price.py '/^def test_label/,$d'\nsub tests/test_price.py 's/label, total/total/'",
    },
    Change {
        name: "py: a generated file is written anew",
        project: &PYTEST,
        work: Work {
            files: &[
                (
                    "shop/rates.py",
                    "\"\"\"Generated by make_rates.py; do not edit.\"\"\"\n\nRATES = {\"de\": 19}\n",
                ),
                (
                    "make_rates.py",
                    "\"\"\"Writes shop/rates.py.\"\"\"\nimport pathlib\n\nCOUNTRIES = {\"de\": 19}\n\n\ndef main():\n    text = '\"\"\"Generated by make_rates.py; do not edit.\"\"\"\\n\\nRATES = ' + repr(COUNTRIES).replace(\"'\", '\"') + \"\\n\"\n    pathlib.Path(\"shop/rates.py\").write_text(text)\n\n\nif __name__ == \"__main__\":\n    main()\n",
                ),
            ],
            ..file_goal!("Austria has its rate.", "shop/rates.py has /\"at\": 20/")
        },
        script: "sub make_rates.py 's/\"de\": 19\\}/\"at\": 20, \"de\": 19}/'\npython3 make_rates.py",
    },
    Change {
        name: "ts: a bug is mended for a person's failing test",
        project: &VITEST,
        work: known_vitest::FIX,
        script: "honest",
    },
    Change {
        name: "ts: a dependency is added, its lock allowed",
        project: &VITEST,
        work: Work {
            allow: "lockfiles: [package-lock.json]",
            ..file_goal!("It depends on words.", "package.json has /\"words\"/")
        },
        script: "sub package.json 's#^  \"devDependencies\"#  \"dependencies\": {\\n    \"words\": \"1.0.0\"\\n  },\\n  \"devDependencies\"#'\n\
                 sub package-lock.json 's#\"packages\": \\{\\}#\"packages\": {\\n    \"node_modules/words\": { \"version\": \"1.0.0\" }\\n  }#'",
    },
    Change {
        name: "ts: a snapshot is updated, which is allowed",
        project: &VITEST,
        work: Work {
            allow: "change: [\"test/__snapshots__/**\"]",
            ..file_goal!(
                "Labels name the currency.",
                "test/__snapshots__/label.test.ts.snap has /19.99 EUR/"
            )
        },
        script: "sub src/price.ts 's/(padStart\\(2, \"0\"\\)\\})/\\1 EUR/'\nnode_modules/.bin/vitest run --update > /dev/null",
    },
    Change {
        name: "ts: a new module with its tests",
        project: &VITEST,
        work: Work {
            criteria: "- [ ] **AC-1** Carts know their sum.\n  - verify: test test/cart.test.ts::knows its sum\n  - guard: tests\n",
            ..known_vitest::NEW
        },
        script: "printf 'import { total } from \"./price\";\\n\\nexport class Cart {\\n  private items: number[] = [];\\n\\n  add(cents: number): this {\\n    this.items.push(cents);\\n    return this;\\n  }\\n\\n  sum(): number {\\n    return total(this.items);\\n  }\\n}\\n' | put src/cart.ts\n\
                 printf 'import { expect, it } from \"vitest\";\\nimport { Cart } from \"../src/cart\";\\n\\nit(\"knows its sum\", () => {\\n  expect(new Cart().add(1).add(2).sum()).toBe(3);\\n});\\n' | put test/cart.test.ts",
    },
    Change {
        name: "ts: a refactoring leaves tests untouched",
        project: &VITEST,
        work: file_goal!("Sums are a loop.", "src/price.ts has /for .const item of items/"),
        script: "sub src/price.ts 's/^  return items.reduce.*/  let sum = 0;\\n  for (const item of items) {\\n    sum += item;\\n  }\\n  return sum;/'",
    },
    Change {
        name: "ts: a script is added, which is allowed",
        project: &VITEST,
        work: Work {
            allow: "change: [package.json]",
            ..file_goal!("There is a watch script.", "package.json has /\"watch\"/")
        },
        script: "sub package.json 's#\"test\": \"vitest run\"#\"test\": \"vitest run\",\\n    \"watch\": \"vitest\"#'",
    },
    Change {
        name: "rs: a bug is mended for a person's failing test",
        project: &CARGO,
        work: known_cargo::FIX,
        script: "honest",
    },
    Change {
        name: "rs: a dependency is added, its lock allowed",
        project: &CARGO,
        work: Work {
            allow: "lockfiles: [Cargo.lock]",
            ..file_goal!("It depends on words.", "Cargo.toml has /words/")
        },
        script: "printf '\\n[dependencies]\\nwords = { path = \"words\" }\\n' >> Cargo.toml\nprintf '[package]\\nname = \"words\"\\nversion = \"0.1.0\"\\nedition = \"2021\"\\n' | put words/Cargo.toml\n\
                 printf 'pub const CURRENCY: &str = \"EUR\";\\n' | put words/src/lib.rs\ncargo generate-lockfile --offline --quiet",
    },
    Change {
        name: "rs: a test beside the code is written with it",
        project: &CARGO,
        work: Work {
            criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test begins_at_100\n  - guard: tests\n",
            ..known_cargo::NEW
        },
        script: "honest\nsub src/price.rs 's/^    use super::total;/    use super::{discount, total};\\n\\n    #[test]\\n    fn begins_at_100() {\\n        assert_eq!(discount(100), 95);\\n    }/'",
    },
    Change {
        name: "rs: a module moves to a folder",
        project: &CARGO,
        work: file_goal!("Prices have a folder.", "src/price/mod.rs exists"),
        script: "mkdir src/price && git mv src/price.rs src/price/mod.rs",
    },
    Change {
        name: "rs: a program is added",
        project: &CARGO,
        work: file_goal!("There is a program.", "src/main.rs has /fn main/"),
        script: "printf '//! Says what is to be paid.\\n\\nfn main() {\\n    let words = std::env::args().skip(1);\\n    let items: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();\\n    println!(\"{}\", shop::price::total(&items));\\n}\\n' | put src/main.rs",
    },
    Change {
        name: "rs: an error type replaces a number",
        project: &CARGO,
        work: Work {
            criteria: "- [ ] **AC-1** A sum that does not fit is an error.\n  - verify: test too_much_is_an_error\n  - guard: tests\n",
            ..known_cargo::NEW
        },
        script: "printf '\\n/// The sum does not fit.\\n#[derive(Debug, PartialEq, Eq)]\\npub struct TooMuch;\\n\\n/// What the items cost together, if that fits.\\npub fn checked_total(items: &[u32]) -> Result<u32, TooMuch> {\\n    items.iter().try_fold(0u32, |sum, item| sum.checked_add(*item)).ok_or(TooMuch)\\n}\\n' >> src/price.rs\n\
                 printf 'use shop::price::{checked_total, TooMuch};\\n\\n#[test]\\nfn too_much_is_an_error() {\\n    assert_eq!(checked_total(&[1, 2]), Ok(3));\\n    assert_eq!(checked_total(&[u32::MAX, 1]), Err(TooMuch));\\n}\\n' | put tests/checked.rs",
    },
    Change {
        name: "go: a bug is mended for a person's failing test",
        project: &GO,
        work: known_go::FIX,
        script: "honest",
    },
    Change {
        name: "go: a new file with its tests",
        project: &GO,
        work: Work {
            criteria: "- [ ] **AC-1** Labels have two decimals.\n  - verify: test TestLabel\n  - guard: tests\n",
            ..known_go::NEW
        },
        script: "printf 'package shop\\n\\nimport \"fmt\"\\n\\n// Label is a price as people read it.\\nfunc Label(cents int) string {\\n\\treturn fmt.Sprintf(\"%%d.%%02d\", cents/100, cents%%100)\\n}\\n' | put label.go\n\
                 printf 'package shop\\n\\nimport \"testing\"\\n\\nfunc TestLabel(t *testing.T) {\\n\\tif got := Label(1999); got != \"19.99\" {\\n\\t\\tt.Fatal(got)\\n\\t}\\n}\\n' | put label_test.go",
    },
    Change {
        name: "go: a test file is renamed with its subject",
        project: &GO,
        work: file_goal!("Prices are called amounts.", "amount.go exists"),
        script: "git mv price.go amount.go\ngit mv price_test.go amount_test.go",
    },
    Change {
        name: "go: a table takes the place of single cases",
        project: &GO,
        work: known_go::NEW,
        script: "honest\nprintf 'package shop\\n\\nimport \"testing\"\\n\\nfunc TestFrom100(t *testing.T) {\\n\\tfor amount, paid := range map[int]int{99: 99, 100: 95, 200: 190} {\\n\\t\\tif got := Discount(amount); got != paid {\\n\\t\\t\\tt.Errorf(\"Discount(%%d) = %%d, not %%d\", amount, got, paid)\\n\\t\\t}\\n\\t}\\n}\\n' | put discount_test.go",
    },
    Change {
        name: "make: a bug is mended for a person's failing test",
        project: &MAKE,
        work: known_make::FIX,
        script: "honest",
    },
    Change {
        name: "make: a target is added, which is allowed",
        project: &MAKE,
        work: Work {
            allow: "change: [Makefile]",
            ..file_goal!("There is a target that cleans.", "Makefile has /clean:/")
        },
        script: "printf '\\nclean:\\n\\trm -f price\\n' >> Makefile",
    },
];
