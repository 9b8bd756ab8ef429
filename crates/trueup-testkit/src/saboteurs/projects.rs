//! Five small projects, each with its real tools, at most a few tests, and a
//! rule that is missing: from 100 on, five in a hundred are taken off.

/// A repository to work in.
#[derive(Clone, Copy, Debug)]
pub struct Project {
    /// Unique among all.
    pub name: &'static str,
    /// Its files.
    pub files: &'static [(&'static str, &'static str)],
    /// What `trueup.toml` says of its checks; `TOOLS` stands for the folder
    /// that real tools are installed in.
    pub checks: &'static str,
    /// The missing rule, as a shell script that adds it.
    pub honest: &'static str,
    /// How long its tests take.
    pub pace: Pace,
}

/// How long a project's tests take, beside a shell's own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Well under a second.
    Quick,
    /// About a second and more.
    Slow,
}

/// Nothing is hidden if git does not ignore it.
const HIDDEN: (&str, &str) = ("tasks/.gitignore", "hidden/\n");

/// Python, tests by pytest.
pub const PYTEST: Project = Project {
    name: "pytest",
    files: &[
        HIDDEN,
        (".gitignore", "__pycache__/\n.pytest_cache/\n"),
        ("README.md", "# shop\n\nPrices are whole cents.\n"),
        (
            "pyproject.toml",
            "[project]\nname = \"shop\"\nversion = \"0.1.0\"\n\n\
             [tool.pytest.ini_options]\npythonpath = [\".\"]\ntestpaths = [\"tests\"]\n",
        ),
        ("shop/__init__.py", "\"\"\"A shop.\"\"\"\n"),
        (
            "shop/price.py",
            r#""""Prices in whole cents."""


def total(items):
    """What the items cost together."""
    return sum(items)


def discount(amount):
    """What is to be paid for an amount."""
    return amount


def label(cents):
    """A price as people read it."""
    return f"{cents // 100}.{cents % 100:02d}"
"#,
        ),
        (
            "tests/test_price.py",
            r#"from shop.price import label, total


def test_total():
    assert total([1, 2]) == 3


def test_nothing_costs_nothing():
    assert total([]) == 0


def test_label():
    assert label(1999) == "19.99"
"#,
        ),
    ],
    checks: "[checks.tests]\nrun = \"pytest -q --junitxml={{out}}/junit.xml\"\nparse = \"junit\"\n",
    honest: r"sub shop/price.py 's/^    return amount$/    return amount * 95 \/\/ 100 if amount >= 100 else amount/'",
    pace: Pace::Quick,
};

/// TypeScript, tests by vitest through an npm script.
pub const VITEST: Project = Project {
    name: "vitest",
    files: &[
        HIDDEN,
        (".gitignore", "node_modules/\n"),
        ("README.md", "# cart\n\nPrices are whole cents.\n"),
        (
            "package.json",
            r##"{
  "name": "cart",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "vitest run"
  },
  "imports": {
    "#price": "./src/price.ts"
  },
  "devDependencies": {
    "vitest": "3.2.4"
  }
}
"##,
        ),
        (
            "package-lock.json",
            "{\n  \"name\": \"cart\",\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {}\n}\n",
        ),
        (
            "vitest.config.ts",
            "export default {\n  test: {\n    include: [\"test/**/*.test.ts\"],\n  },\n};\n",
        ),
        (
            "src/price.ts",
            r#"export function total(items: number[]): number {
  return items.reduce((sum, item) => sum + item, 0);
}

export function discount(amount: number): number {
  return amount;
}

export function label(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
"#,
        ),
        (
            "test/price.test.ts",
            r##"import { expect, it } from "vitest";
import { total } from "#price";

it("sums up", () => {
  expect(total([1, 2])).toBe(3);
});

it("asks nothing for nothing", () => {
  expect(total([])).toBe(0);
});
"##,
        ),
        (
            "test/label.test.ts",
            "import { expect, it } from \"vitest\";\nimport { label } from \"../src/price\";\n\n\
             it(\"labels a price\", () => {\n  expect(label(1999)).toMatchSnapshot();\n});\n",
        ),
        (
            "test/__snapshots__/label.test.ts.snap",
            "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\n\
             exports[`labels a price 1`] = `\"19.99\"`;\n",
        ),
    ],
    checks: "[prepare.node]\nrun = \"sh -c 'mkdir node_modules && ln -s TOOLS/vitest/node_modules/* TOOLS/vitest/node_modules/.bin node_modules/'\"\n\
             key = [\"package-lock.json\"]\nkeep = [\"node_modules\"]\n\n\
             [checks.tests]\nrun = \"npm test -- --reporter=junit --outputFile={{out}}/junit.xml\"\nparse = \"junit\"\n",
    honest: r"sub src/price.ts 's/^  return amount;$/  return amount >= 100 ? Math.floor((amount * 95) \/ 100) : amount;/'",
    pace: Pace::Slow,
};

/// Rust, tests by cargo.
pub const CARGO: Project = Project {
    name: "cargo",
    files: &[
        HIDDEN,
        (".gitignore", "/target\n"),
        ("README.md", "# shop\n\nPrices are whole cents.\n"),
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
             [lib]\ndoctest = false\n\n[profile.dev]\ndebug = false\n",
        ),
        (
            "Cargo.lock",
            "# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 3\n\n\
             [[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n",
        ),
        ("src/lib.rs", "//! A shop.\n\npub mod price;\n"),
        (
            "src/price.rs",
            r#"//! Prices in whole cents.

/// What the items cost together.
pub fn total(items: &[u32]) -> u32 {
    items.iter().sum()
}

/// What is to be paid for an amount.
pub fn discount(amount: u32) -> u32 {
    amount
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn nothing_costs_nothing() {
        assert_eq!(total(&[]), 0);
    }
}
"#,
        ),
        (
            "tests/price.rs",
            "use shop::price::total;\n\n#[test]\nfn sums_up() {\n    assert_eq!(total(&[1, 2]), 3);\n}\n",
        ),
    ],
    checks: "[checks.tests]\nrun = \"cargo test --offline --no-fail-fast\"\nparse = \"libtest\"\ncache = [\"target\"]\n",
    honest: r"sub src/price.rs 's/^    amount$/    if amount >= 100 {\n        amount * 95 \/ 100\n    } else {\n        amount\n    }/'",
    pace: Pace::Slow,
};

/// Go, tests by its own tool.
pub const GO: Project = Project {
    name: "go",
    files: &[
        HIDDEN,
        ("README.md", "# shop\n\nPrices are whole cents.\n"),
        ("go.mod", "module example.com/shop\n\ngo 1.19\n"),
        (
            "price.go",
            r#"// Package shop knows prices in whole cents.
package shop

// Total is what the items cost together.
func Total(items ...int) int {
	sum := 0
	for _, item := range items {
		sum += item
	}
	return sum
}

// Discount is what is to be paid for an amount.
func Discount(amount int) int {
	return amount
}
"#,
        ),
        (
            "price_test.go",
            r#"package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total(1, 2); got != 3 {
		t.Fatalf("Total(1, 2) = %d", got)
	}
}

func TestNothingCostsNothing(t *testing.T) {
	if got := Total(); got != 0 {
		t.Fatalf("Total() = %d", got)
	}
}
"#,
        ),
    ],
    checks: "[checks.tests]\nrun = \"go test -vet=off -json ./...\"\nparse = \"go\"\n",
    honest: r"sub price.go 's/^\treturn amount$/\tif amount >= 100 {\n\t\treturn amount * 95 \/ 100\n\t}\n\treturn amount/'",
    pace: Pace::Slow,
};

/// C and make, tests in Python behind a target.
pub const MAKE: Project = Project {
    name: "make",
    files: &[
        HIDDEN,
        (".gitignore", "/price\n__pycache__/\n.pytest_cache/\n"),
        ("README.md", "# price\n\nPrices are whole cents.\n"),
        (
            "Makefile",
            "OUT ?= out\n\n-include local.mk\n\ntest: price\n\tpytest -q --junitxml=$(OUT)/junit.xml tests\n\n\
             price: price.c\n\t$(CC) $(CFLAGS) -o $@ price.c\n",
        ),
        (
            "price.c",
            r#"#include <stdio.h>
#include <stdlib.h>

static long discount(long amount) {
    return amount;
}

int main(int count, char **words) {
    long amount = count > 1 ? strtol(words[1], NULL, 10) : 0;
    printf("%ld\n", discount(amount));
    return 0;
}
"#,
        ),
        (
            "tests/test_price.py",
            r#"import pathlib
import subprocess

DATA = pathlib.Path(__file__).parent / "data"


def price(amount):
    ended = subprocess.run(["./price", str(amount)], capture_output=True, text=True, check=True)
    return ended.stdout.strip()


def test_nothing_costs_nothing():
    assert price(0) == "0"


def test_small_amounts():
    for line in (DATA / "small.txt").read_text().splitlines():
        amount, paid = line.split()
        assert price(amount) == paid
"#,
        ),
        ("tests/data/small.txt", "1 1\n50 50\n"),
    ],
    checks: "[checks.tests]\nrun = \"make test OUT={{out}}\"\nparse = \"junit\"\n",
    honest: r"sub price.c 's/^    return amount;$/    return amount >= 100 ? amount * 95 \/ 100 : amount;/'",
    pace: Pace::Quick,
};
