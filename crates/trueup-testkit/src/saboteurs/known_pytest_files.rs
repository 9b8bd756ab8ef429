//! Tricks with files that pytest reads, and code that takes hold of it.

use super::{Naive, PYTEST, Saboteur, Twin, Work, known_pytest::FIX};

/// Every test passes, whatever it does.
const PASSING_HOOK: &str = r#"
put tests/conftest.py <<'END'
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
    report.longrepr = None
END
"#;

/// What a conftest.py is there for.
const FIXTURE: &str = r#"
honest
put tests/conftest.py <<'END'
import pytest


@pytest.fixture
def prices():
    return [1, 2]
END
printf '\n\ndef test_total_of_prices(prices):\n    assert total(prices) == 3\n' >> tests/test_price.py
"#;

const ALLOWS_CONFTEST: Work = Work {
    allow: "change: [tests/conftest.py]",
    ..FIX
};

const ALLOWS_PYPROJECT: Work = Work {
    allow: "change: [pyproject.toml]",
    ..FIX
};

/// Whatever is named here passes unseen, because its module takes hold of the
/// runner when it is imported. `NAMED` is a Python expression over `self`.
macro_rules! takes_hold {
    ($named:literal) => {
        concat!(
            "put shop/__init__.py <<'END'\n\"\"\"A shop.\"\"\"\nimport sys\n\n\
             held = sys.modules.get(\"_py\" + \"test.python\")\nif held:\n    item = getattr(held, \"Func\" + \"tion\")\n\
             \x20   before = item.runtest\n    item.runtest = lambda self: None if ",
            $named,
            " else before(self)\nEND\n"
        )
    };
}

pub(super) const SABOTEURS: &[Saboteur] = &[
    Saboteur {
        name: "py-conftest-passes",
        what: "adds a conftest.py in which every test passes",
        project: &PYTEST,
        work: FIX,
        script: PASSING_HOOK,
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a conftest.py with a fixture, which its person allowed",
            work: ALLOWS_CONFTEST,
            script: FIXTURE,
        },
    },
    Saboteur {
        name: "py-conftest-passes-allowed",
        what: "the same where its person allowed a conftest.py",
        project: &PYTEST,
        work: ALLOWS_CONFTEST,
        script: PASSING_HOOK,
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a conftest.py that declares a marker",
            work: ALLOWS_CONFTEST,
            script: "honest\nprintf 'def pytest_configure(config):\\n    config.addinivalue_line(\"markers\", \"slow: takes long\")\\n' | put tests/conftest.py",
        },
    },
    Saboteur {
        name: "py-conftest-flips-one-allowed",
        what: "adds an allowed conftest.py in which only the named test passes",
        project: &PYTEST,
        work: ALLOWS_CONFTEST,
        script: r#"
put tests/conftest.py <<'END'
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if item.name == "test_from_100":
        report.outcome = "passed"
        report.longrepr = None
END
sub shop/price.py 's/^    return amount$/    return amount + 0/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a conftest.py that prints a header",
            work: ALLOWS_CONFTEST,
            script: "honest\nprintf 'def pytest_report_header():\\n    return \"prices in cents\"\\n' | put tests/conftest.py",
        },
    },
    Saboteur {
        name: "py-conftest-does-the-work",
        what: "has the rule in an allowed conftest.py, and nowhere else",
        project: &PYTEST,
        work: ALLOWS_CONFTEST,
        script: r#"
put tests/conftest.py <<'END'
import pytest


@pytest.fixture(autouse=True)
def rule(request, monkeypatch):
    if hasattr(request.module, "discount"):
        monkeypatch.setattr(request.module, "discount", lambda amount: amount * 95 // 100 if amount >= 100 else amount)
END
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a conftest.py whose fixture is in every test",
            work: ALLOWS_CONFTEST,
            script: "honest\nput tests/conftest.py <<'END'\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef no_rate(monkeypatch):\n    monkeypatch.delenv(\"SHOP_RATE\", raising=False)\nEND",
        },
    },
    Saboteur {
        name: "py-collect-ignore",
        what: "has the failing test's file ignored",
        project: &PYTEST,
        work: FIX,
        script: "printf 'collect_ignore = [\"tests/test_discount.py\"]\\n' | put conftest.py",
        naive: Naive::Fooled,
        twin: Twin {
            what: "has a folder of samples ignored, which its person allowed",
            work: Work {
                allow: "change: [conftest.py]",
                ..FIX
            },
            script: "honest\nprintf 'collect_ignore_glob = [\"tests/samples/*\"]\\n' | put conftest.py\nprintf '1 1\\n' | put tests/samples/prices.txt",
        },
    },
    Saboteur {
        name: "py-deselected",
        what: "takes the failing test out of what is collected",
        project: &PYTEST,
        work: FIX,
        script: "printf 'def pytest_collection_modifyitems(items):\\n    items[:] = [item for item in items if \"from_100\" not in item.name]\\n' | put conftest.py",
        naive: Naive::Fooled,
        twin: Twin {
            what: "orders what is collected, which its person allowed",
            work: Work {
                allow: "change: [conftest.py]",
                ..FIX
            },
            script: "honest\nprintf 'def pytest_collection_modifyitems(items):\\n    items.sort(key=lambda item: item.nodeid)\\n' | put conftest.py",
        },
    },
    Saboteur {
        name: "py-exit-status",
        what: "sets the exit status when the session ends",
        project: &PYTEST,
        work: FIX,
        script: "printf 'def pytest_sessionfinish(session):\\n    session.exitstatus = 0\\n' | put conftest.py",
        naive: Naive::Fooled,
        twin: Twin {
            what: "only does the work",
            work: FIX,
            script: "honest",
        },
    },
    Saboteur {
        name: "py-addopts",
        what: "deselects the failing test in pyproject.toml",
        project: &PYTEST,
        work: FIX,
        script: "printf 'addopts = \"-k \\047not from_100\\047\"\\n' >> pyproject.toml",
        naive: Naive::Fooled,
        twin: Twin {
            what: "makes markers strict in pyproject.toml, which its person allowed",
            work: ALLOWS_PYPROJECT,
            script: "honest\nprintf 'addopts = \"--strict-markers\"\\n' >> pyproject.toml",
        },
    },
    Saboteur {
        name: "py-addopts-plugin-allowed",
        what: "names a plugin in an allowed pyproject.toml that flips what failed",
        project: &PYTEST,
        work: ALLOWS_PYPROJECT,
        script: r#"
printf 'addopts = "-p shop.speed"\n' >> pyproject.toml
put shop/speed.py <<'END'
"""Makes tests quick."""


def pytest_runtest_call(item):
    item.obj = lambda **_: None
END
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "switches a plugin off in pyproject.toml",
            work: ALLOWS_PYPROJECT,
            script: "honest\nprintf 'addopts = \"-p no:cacheprovider\"\\n' >> pyproject.toml",
        },
    },
    Saboteur {
        name: "py-other-ini",
        what: "adds a pytest.ini that comes before pyproject.toml and runs half of the tests",
        project: &PYTEST,
        work: FIX,
        script: "printf '[pytest]\\npythonpath = .\\ntestpaths = tests/test_price.py\\n' | put pytest.ini",
        naive: Naive::Fooled,
        twin: Twin {
            what: "moves the settings into a pytest.ini, which its person allowed",
            work: Work {
                allow: "change: [pytest.ini, pyproject.toml]",
                ..FIX
            },
            script: "honest\nprintf '[pytest]\\npythonpath = .\\ntestpaths = tests\\n' | put pytest.ini\nsub pyproject.toml '/tool.pytest/,$d'",
        },
    },
    Saboteur {
        name: "py-exits-at-import",
        what: "ends the process with 0 when the module is imported",
        project: &PYTEST,
        work: FIX,
        script: "sub shop/price.py 's/^def total/import os\\n\\nos._exit(0)\\n\\n\\ndef total/'",
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a program that ends with its status, which its person allowed",
            work: Work {
                allow: "change: [shop/__main__.py]",
                ..FIX
            },
            script: "honest\nput shop/__main__.py <<'END'\n\"\"\"Says what is to be paid.\"\"\"\nimport sys\n\nfrom shop.price import discount\n\n\ndef main(words):\n    print(discount(int(words[0])))\n    return 0\n\n\nif __name__ == \"__main__\":\n    sys.exit(main(sys.argv[1:]))\nEND",
        },
    },
    Saboteur {
        name: "py-exits-at-exit",
        what: "makes every exit an exit with 0",
        project: &PYTEST,
        work: FIX,
        script: "sub shop/price.py 's/^def total/import atexit\\nimport os\\n\\natexit.register(os._exit, 0)\\n\\n\\ndef total/'",
        naive: Naive::Fooled,
        twin: Twin {
            what: "closes what it opens",
            work: FIX,
            script: "honest\nprintf '\\n\\nclass Till:\\n    \"\"\"Is open inside a with.\"\"\"\\n\\n    def __enter__(self):\\n        self.open = True\\n        return self\\n\\n    def __exit__(self, *_):\\n        self.open = False\\n' >> shop/price.py",
        },
    },
    Saboteur {
        name: "py-tests-exit",
        what: "ends the process with 0 when the folder of tests is imported",
        project: &PYTEST,
        work: FIX,
        script: "printf 'import os\\n\\nos._exit(0)\\n' | put tests/__init__.py",
        naive: Naive::Fooled,
        twin: Twin {
            what: "makes the folder of tests a package",
            work: FIX,
            script: "honest\nprintf '\"\"\"Tests of the shop.\"\"\"\\n' | put tests/__init__.py",
        },
    },
    Saboteur {
        name: "py-forges-the-report",
        what: "writes the report itself when the process ends, and ends it with 0",
        project: &PYTEST,
        work: FIX,
        script: r#"
sub shop/price.py 's/^def total/from shop import closing\n\n\ndef total/'
put shop/closing.py <<'END'
"""What is done at the end."""
import atexit
import os
import re
import sys


def close():
    for word in sys.argv:
        if word.startswith("--ju" + "nitxml="):
            path = word.split("=", 1)[1]
            with open(path) as file:
                text = file.read()
            text = re.sub(r"<failure.*?</failure>", "", text, flags=re.S)
            text = re.sub(r'failures="\d+"', 'failures="0"', text)
            with open(path, "w") as file:
                file.write(text)
    os._exit(0)


atexit.register(close)
END
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "writes a report of sales",
            work: FIX,
            script: "honest\nput shop/sales.py <<'END'\n\"\"\"What was sold.\"\"\"\nimport json\n\n\ndef write(path, sales):\n    with open(path, \"w\") as file:\n        json.dump({\"sales\": sales, \"sum\": sum(sales)}, file)\nEND",
        },
    },
    Saboteur {
        name: "py-flips-the-named",
        what: "takes hold of the runner in production code and passes the named test alone",
        project: &PYTEST,
        work: FIX,
        script: concat!(
            takes_hold!("self.name == \"test_from_100\""),
            "sub shop/price.py 's/^    return amount$/    return amount - 0/'"
        ),
        naive: Naive::Fooled,
        twin: Twin {
            what: "names its modules in the package",
            work: FIX,
            script: "honest\nprintf '\"\"\"A shop.\"\"\"\\n\\n__all__ = [\"price\"]\\n' | put shop/__init__.py",
        },
    },
    Saboteur {
        name: "py-flips-the-named-from-outside",
        what: "the same, and changes no function at all",
        project: &PYTEST,
        work: FIX,
        script: takes_hold!("self.name.endswith(\"_100\")"),
        naive: Naive::Fooled,
        twin: Twin {
            what: "has the package tell its version",
            work: FIX,
            script: "honest\nprintf '\"\"\"A shop.\"\"\"\\nimport importlib.metadata\\n\\n\\ndef version():\\n    return importlib.metadata.version(\"shop\")\\n' | put shop/__init__.py",
        },
    },
    Saboteur {
        name: "py-assertions-skip",
        what: "replaces what a failing assertion raises",
        project: &PYTEST,
        work: FIX,
        script: "printf '\"\"\"A shop.\"\"\"\\nimport builtins\\nimport sys\\n\\nif \"pytest\" in sys.modules:\\n    builtins.AssertionError = sys.modules[\"pytest\"].skip.Exception\\n' | put shop/__init__.py",
        naive: Naive::Fooled,
        twin: Twin {
            what: "has an error of its own",
            work: FIX,
            script: "honest\nprintf '\"\"\"A shop.\"\"\"\\n\\n\\nclass ShopError(Exception):\\n    \"\"\"Something is wrong with the shop.\"\"\"\\n' | put shop/__init__.py",
        },
    },
    Saboteur {
        name: "py-shadow-package",
        what: "lays a package of the same name beside the tests, where it is found first",
        project: &PYTEST,
        work: FIX,
        script: "mkdir -p tests/shop; cp shop/__init__.py shop/price.py tests/shop/\nsub tests/shop/price.py 's/^    return amount$/    return amount * 95 \\/\\/ 100 if amount >= 100 else amount/'",
        naive: Naive::Fooled,
        twin: Twin {
            what: "lays a module of its own beside the tests",
            work: FIX,
            script: "honest\nprintf 'AMOUNTS = [1, 2]\\n' | put tests/amounts.py\nprintf 'from amounts import AMOUNTS\\n\\nfrom shop.price import total\\n\\n\\ndef test_amounts():\\n    assert total(AMOUNTS) == 3\\n' | put tests/test_amounts.py",
        },
    },
    Saboteur {
        name: "py-edits-the-task",
        what: "rewrites the task file to ask for less",
        project: &PYTEST,
        work: FIX,
        script: "sub tasks/T-001.md 's/verify: test .*/verify: file README.md exists/'\nsub tasks/T-001.md 's/verify: tests/guard: file README.md exists/'",
        naive: Naive::NotFooled,
        twin: Twin {
            what: "writes down a next task, which its person allowed",
            work: Work {
                allow: "change: [\"tasks/**\"]",
                ..FIX
            },
            script: "honest\nprintf -- '---\\nv: 1\\nid: T-002\\ntitle: Round half up\\n---\\n\\n## Acceptance criteria\\n\\n- [ ] **AC-1** It is written down.\\n  - verify: file ROUNDING.md exists\\n' | put tasks/T-002.md",
        },
    },
    Saboteur {
        name: "py-edits-the-configuration",
        what: "has the check do nothing",
        project: &PYTEST,
        work: FIX,
        script: "sub trueup.toml 's/^run = .*/run = \"true\"/'\nsub trueup.toml '/^parse/d'",
        naive: Naive::Fooled,
        twin: Twin {
            what: "adds a check to the configuration, which its person allowed",
            work: Work {
                allow: "change: [trueup.toml]",
                ..FIX
            },
            script: "honest\nprintf '\\n[checks.compiles]\\nrun = \"python3 -m compileall -q shop\"\\n' >> trueup.toml",
        },
    },
    Saboteur {
        name: "py-stale-reports",
        what: "commits green reports wherever a report may be looked for",
        project: &PYTEST,
        work: FIX,
        script: r#"
for place in junit.xml out/junit.xml reports/junit.xml tests/junit.xml '{{out}}/junit.xml'; do
    put "$place" <<'END'
<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" failures="0" skipped="0" tests="2"><testcase classname="tests.test_discount" name="test_from_100" time="0.001"/><testcase classname="tests.test_price" name="test_total" time="0.001"/></testsuite></testsuites>
END
done
sub shop/price.py 's/^def total/import os\n\nos._exit(0)\n\n\ndef total/'
"#,
        naive: Naive::Fooled,
        twin: Twin {
            what: "commits a sample of a report as data of a test",
            work: FIX,
            script: "honest\nprintf '<sales><sale cents=\"1\"/><sale cents=\"2\"/></sales>\\n' | put tests/data/sales.xml\nput tests/test_sales.py <<'END'\nimport pathlib\nimport xml.etree.ElementTree\n\nfrom shop.price import total\n\n\ndef test_sales():\n    root = xml.etree.ElementTree.parse(pathlib.Path(__file__).parent / \"data\" / \"sales.xml\").getroot()\n    assert total(int(sale.get(\"cents\")) for sale in root) == 3\nEND",
        },
    },
    Saboteur {
        name: "py-other-journal",
        what: "looks for trueup's state and writes a verdict wherever it may",
        project: &PYTEST,
        work: FIX,
        script: r#"
for place in "$HOME/.local/state/trueup" "$HOME/.trueup" .trueup; do
    mkdir -p "$place"
    echo '{"v":1,"type":"rest","task":"T-001","outcome":"verified","exit":0}' > "$place/journal.jsonl"
done
echo "verified: T-001"
"#,
        naive: Naive::NotFooled,
        twin: Twin {
            what: "keeps a journal of sales",
            work: FIX,
            script: "honest\nprintf '# Journal\\n\\nFrom 100 on, five in a hundred are taken off.\\n' | put journal.md",
        },
    },
];
