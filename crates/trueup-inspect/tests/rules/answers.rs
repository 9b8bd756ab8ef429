//! Lines by which an answer, a message or a word no longer means what it says.

use trueup_inspect::rules::{catalogue, suspicions};

/// What a line does, where it stands, and the line.
const TELLING: &[(&str, &str, &str)] = &[
    // What goes wrong is told to nobody.
    ("keeps messages to itself", "app.py", "log.propagate = False"),
    ("disables logging", "app.py", "logging.disable(logging.ERROR)"),
    ("lets nothing through", "app.py", "log.setLevel(logging.CRITICAL + 1)"),
    ("lets nothing through by number", "app.py", "log.setLevel(100)"),
    ("disables a logger", "app.py", "logger.disabled = True"),
    ("ignores warnings", "app.py", "warnings.simplefilter('ignore')"),
    ("ignores a warning", "app.py", "    warnings.filterwarnings(\"ignore\")"),
    (
        "takes the handlers away",
        "app.py",
        "logging.getLogger().handlers.clear()",
    ),
    ("filters everything", "app.py", "log.addFilter(lambda record: False)"),
    ("replaces console.error", "src/a.ts", "console.error = () => {};"),
    ("replaces a console's function", "src/a.ts", "console[name] = () => {};"),
    ("silences a logger", "src/a.ts", "logger.level = 'silent';"),
    ("discards the log", "a.go", "\tlog.SetOutput(io.Discard)"),
    (
        "discards the log by default",
        "a.go",
        "\tslog.SetDefault(slog.New(slog.DiscardHandler))",
    ),
    (
        "logs nothing in Rust",
        "src/a.rs",
        "    log::set_max_level(log::LevelFilter::Off);",
    ),
    ("throws messages away", "app.py", "os.system('tool x 2>/dev/null')"),
    (
        "throws messages away in C",
        "a.c",
        "    freopen(\"/dev/null\", \"w\", stderr);",
    ),
    ("logs nothing in Java", "A.java", "    log.setLevel(Level.OFF);"),
    // What is no number.
    ("returns no number", "src/a.ts", "  return NaN;"),
    (
        "chooses no number",
        "src/a.ts",
        "  return amount > 99 ? Number.NaN : amount;",
    ),
    ("makes no number of a text", "src/a.ts", "const SALE = Number(\"5%\");"),
    (
        "makes no number of a word",
        "src/a.ts",
        "const SALE = parseInt('five', 10);",
    ),
    ("makes no number by a sign", "src/a.ts", "const SALE = +\"5%\";"),
    (
        "makes no number of nothing",
        "src/a.ts",
        "const SALE = Number(undefined);",
    ),
    ("divides nothing by nothing", "src/a.ts", "const SALE = 0 / 0;"),
    ("calculates with no number", "src/a.ts", "  return amount * NaN;"),
    ("takes a root", "src/a.ts", "const SALE = Math.sqrt(-1);"),
    ("takes much from much", "src/a.ts", "const SALE = Infinity - Infinity;"),
    ("returns no number in Python", "app.py", "    return float(\"nan\")"),
    ("returns math.nan", "app.py", "    return math.nan"),
    (
        "takes no number otherwise",
        "app.py",
        "    return 95 if amount < 100 else math.nan",
    ),
    ("assigns no number", "app.py", "SALE = np.nan"),
    ("returns no decimal", "app.py", "    return Decimal('NaN')"),
    ("returns no number in Go", "a.go", "\treturn math.NaN()"),
    ("returns no number in Rust", "src/a.rs", "    return f64::NAN;"),
    ("divides in Rust", "src/a.rs", "    let sale = 0.0_f64 / 0.0;"),
    ("returns no number in C", "a.c", "    return NAN;"),
    ("returns no number in Java", "A.java", "        return Double.NaN;"),
    // How it was built, and who else is at work.
    (
        "asks how it was built",
        "src/a.rs",
        "    if option_env!(\"CARGO_PRIMARY_PACKAGE\").is_some() {",
    ),
    (
        "asks for a variable of the build",
        "src/a.rs",
        "const P: &str = env!(\"PROFILE\");",
    ),
    (
        "hides which variable",
        "src/a.rs",
        "const P: &str = env!(concat!(\"CARGO\", \"_X\"));",
    ),
    (
        "spells a variable otherwise",
        "src/a.rs",
        "const P: &str = env!(\"\\x50ROFILE\");",
    ),
    (
        "asks in other brackets",
        "src/a.rs",
        "const P: &str = env!  [ \"PROFILE\" ];",
    ),
    ("asks over two lines", "src/a.rs", "const P: &str = env!("),
    (
        "asks for a browser",
        "src/a.ts",
        "  return typeof window === \"undefined\" ? a : b;",
    ),
    ("asks for Deno", "src/a.ts", "const isDeno = \"Deno\" in globalThis;"),
    (
        "asks who runs it",
        "src/a.ts",
        "const isNode = !!process.versions?.node;",
    ),
    (
        "has one bundler find it",
        "src/a.ts",
        "const all = import.meta.glob(\"./*.json\");",
    ),
    (
        "is built for one system",
        "rebate_linux.go",
        "func rebate() int { return 5 }",
    ),
    (
        "is built for one machine",
        "a/rebate_arm64.go",
        "func rebate() int { return 5 }",
    ),
    (
        "asks what it was built from",
        "src/a.rs",
        "    if file!().contains(\"src\") {",
    ),
    (
        "asks what it was built from in Go",
        "a.go",
        "\tinfo, ok := debug.ReadBuildInfo()",
    ),
    (
        "asks whether it is installed",
        "app.py",
        "if 'site-packages' in __file__: pass",
    ),
    (
        "counts goroutines",
        "a.go",
        "\tif amount >= 100 && runtime.NumGoroutine() > 1 {",
    ),
    ("counts threads", "app.py", "if threading.active_count() > 1: pass"),
    (
        "asks for its thread in Python",
        "app.py",
        "if threading.current_thread().name != name: pass",
    ),
    ("asks for the first thread", "app.py", "if name == \"MainThread\": pass"),
    (
        "counts handles",
        "src/a.ts",
        "const n = process.getActiveResourcesInfo().length;",
    ),
    (
        "counts listeners",
        "src/a.ts",
        "if (process.listenerCount('message') > 0) f();",
    ),
    (
        "counts threads in Java",
        "A.java",
        "    if (Thread.activeCount() > 1) f();",
    ),
    // Words of the language.
    ("true is not", "a.go", "const true = false"),
    ("true is not, in a block", "a.go", "\ttrue = on == off"),
    ("true is not, among others", "a.go", "var off, true = 1, false"),
    ("nil is something", "a.go", "var nil = errors.New(\"\")"),
    ("true is not, in a function", "a.go", "\ttrue := 1 > 2"),
    ("true is a parameter", "a.go", "func f(true bool) bool {"),
    ("len is its own", "a.go", "func len(items []int) int {"),
    ("a type is another", "a.go", "type int = int64"),
    ("a type is another, in a block", "a.go", "\tstring = Name"),
    ("len is its own in Python", "app.py", "def len(items):"),
    ("abs is its own", "app.py", "abs = lambda x: x"),
    ("print is its own", "app.py", "print = log.info"),
    ("takes a word by import", "app.py", "from shop.words import size as len"),
    ("a failure is another", "app.py", "class AssertionError(Exception):"),
    ("undefined is defined", "src/a.ts", "const undefined = 95;"),
    ("dates are others", "src/a.ts", "export class Date {}"),
    (
        "takes Math by import",
        "src/a.ts",
        "import { rounded as Math } from './rounded';",
    ),
    ("a number is another", "src/a.rs", "type u32 = Cents;"),
    ("takes a word by use", "src/a.rs", "use crate::Maybe as Option;"),
    ("true is not in C", "a.h", "#define true 0"),
    ("a word of C's is another", "a.h", "#define int short"),
];

#[test]
fn a_line_by_which_an_answer_a_message_or_a_word_means_something_else_is_told() {
    for (rule, path, line) in TELLING {
        let found = suspicions(catalogue(), path, Some("\n\n"), &format!("\n\n{line}\n"));
        assert!(
            matches!(found.as_slice(), [one] if one.line == 3),
            "{rule}: {line} {found:?}"
        );
    }
}

/// What a word means in a file of tests, it means in all of its package.
#[test]
fn a_word_with_another_meaning_among_tests_is_told() {
    for (path, line) in [
        ("words_test.go", "const true = false"),
        ("tests/words.py", "len = size"),
        ("tests/words.rs", "type bool = u8;"),
    ] {
        assert_eq!(
            suspicions(catalogue(), path, None, &format!("{line}\n")).len(),
            1,
            "{path}: {line}"
        );
    }
}

/// Where a line stands, and the line.
const USUAL: &[(&str, &str)] = &[
    (
        "app.py",
        "log.propagate = True\nlog.setLevel(logging.INFO)\nlog.addHandler(logging.NullHandler())",
    ),
    (
        "app.py",
        "log.setLevel(10)\nlogging.getLogger('x').setLevel(logging.WARNING)",
    ),
    (
        "app.py",
        "button.disabled = True\nwarnings.warn('old', DeprecationWarning)\nwarnings.simplefilter('error')",
    ),
    (
        "src/a.ts",
        "console.error(`bad ${name}`);\nlogger.level = 'info';\nxhr.onerror = () => reject(xhr);",
    ),
    (
        "a.go",
        "package a\n\nfunc f(w io.Writer) {\n\tlog.SetOutput(os.Stderr)\n\tio.Copy(io.Discard, r)\n}",
    ),
    (
        "src/a.ts",
        "if (Number.isNaN(paid)) throw new Error('no');\nconst ok = !isNaN(paid) && paid !== 0;",
    ),
    (
        "src/a.ts",
        "const SALE = Number('5');\nconst b = Number(\"0x1f\");\nconst c = Number(` ${text} `);\nconst e = Number('-1.5e3');",
    ),
    (
        "src/a.ts",
        "const SALE = Number.parseInt(\"5%\", 10);\nconst text = 'a' + '5%';\nconst d = Number(row.value);",
    ),
    (
        "src/a.ts",
        "const half = 10 / 0.5;\nconst path = a + 0 / 10;\nconst why = 'it is: NaN';",
    ),
    (
        "app.py",
        "if math.isnan(paid) or paid is math.nan or x == math.nan:\n    raise ValueError('nan')",
    ),
    (
        "app.py",
        "x = float('inf')\ny = df.replace(np.nan, 0)\nname = 'nan'\nnanny = banana",
    ),
    (
        "a.go",
        "package a\n\nfunc f(x float64) bool {\n\treturn math.IsNaN(x)\n}",
    ),
    (
        "src/a.rs",
        "pub fn f(x: f64) -> bool {\n    x.is_nan()\n}\npub const VERSION: Option<&str> = option_env!(\"CARGO_PKG_VERSION\");",
    ),
    (
        "src/a.rs",
        "include!(concat!(env!(\"OUT_DIR\"), \"/rates.rs\"));\nlet home = std::env::var(\"SHOP_HOME\");",
    ),
    ("src/rebate_linux.rs", "pub fn rebate() -> u32 {\n    5\n}"),
    ("linux.go", "package a\n\nfunc rebate() int { return 5 }"),
    (
        "src/a.ts",
        "const kind = typeof amount;\nwindow.open(url);\nconst at = import.meta.url;",
    ),
    (
        "src/a.rs",
        "const RATES: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/rates.txt\"));",
    ),
    (
        "src/a.rs",
        "pub const CURRENCY: &str = env!(\"SHOP_CURRENCY\");\npub const RATE: &str = env!(\"SHOP_RATE\", \"no rate\");",
    ),
    (
        "a.go",
        "package a\n\nimport \"runtime\"\n\nfunc f() {\n\tsums := make(chan int, runtime.NumCPU())\n\tok := true\n\tx, err := g(nil, true)\n\tmax := len(rows)\n\tmax = 3\n}",
    ),
    (
        "a.go",
        "package a\n\nconst (\n\tfrom = 100\n\ttruest = iota\n)\n\ntype T struct {\n\tlen int\n\terror\n\tok bool\n}\n\nfunc (t T) len() int { return t.n }\n\nvar errs []error\nvar done = true",
    ),
    (
        "a.go",
        "package a\n\nfunc f(ok bool) T {\n\tif ok == true {\n\t\treturn T{true, nil}\n\t}\n\tcase nil, io.EOF:\n\treturn g(\n\t\ttrue,\n\t\tnil,\n\t)\n}",
    ),
    (
        "app.py",
        "import threading\n\nlock = threading.Lock()\nname = threading.current_thread().name\nmaximum = max(1, 2)\nlens = 3\n\n\nclass Cart:\n    id: int = 0\n    type: str = 'a'\n\n    def len(self):\n        return 1",
    ),
    (
        "app.py",
        "@cli.command()\ndef list():\n    set_up(len=3,\n           max=4)\n\n\ndef sum(items):\n    return 1",
    ),
    (
        "app.py",
        "class CartError(ValueError):\n    pass\n\n\nstr_of = str\nint_of: int = 3\nif len == 3: pass",
    ),
    (
        "app/error.tsx",
        "export default function Error({ error }) {\n  return null;\n}\nconst DateOnly = 1;\nimport * as ErrorNames from './names';",
    ),
    (
        "src/a.ts",
        "import { Map as Chart } from './map';\nconst day = new Date(2020, 1, 1);\nlet x = undefined;\nconst { Numbers } = all;",
    ),
    (
        "src/a.rs",
        "pub mod core;\nuse std::fmt::Result as Told;\nlet x = y as u32;\npub fn str(&self) -> &str {\nstruct Strings;\nenum Error { A }\npub struct VecLike;",
    ),
    (
        "a.h",
        "#define TRUE 1\n#define true 1\n#define false 0\n#define INTERVAL 3",
    ),
];

#[test]
fn usual_messages_numbers_and_words_raise_nothing() {
    for (path, text) in USUAL {
        assert_eq!(
            suspicions(catalogue(), path, None, &format!("{text}\n")),
            [],
            "{path}: {text}"
        );
    }
}

/// A name alone excuses no code that users can call.
#[test]
fn support_of_tests_beside_code_is_held_to_what_holds_for_code() {
    for (path, line) in [
        ("shop/testing.py", "os._exit(0)"),
        ("src/test-utils.ts", "process.exit(0);"),
        ("pkg/testutil/a.go", "\tos.Exit(0)"),
    ] {
        assert_eq!(
            suspicions(catalogue(), path, None, &format!("{line}\n")).len(),
            1,
            "{path}: {line}"
        );
    }
    assert_eq!(suspicions(catalogue(), "tests/testing.py", None, "import pytest\n"), []);
}
