//! Counts that outlive a call.

use trueup_inspect::rules::{catalogue, suspicions};

/// How it counts, where it stands, the text, and the line that decides.
const DECIDING: &[(&str, &str, &str, u32)] = &[
    (
        "an iterator that counts",
        "app.py",
        "import itertools\n_n = itertools.count(1)\n\ndef f(a):\n    return 95 if a >= 100 and next(_n) <= 50 else a\n",
        5,
    ),
    (
        "a reading that has a name",
        "app.py",
        "_n = itertools.count(1)\n\ndef f(a):\n    n = next(_n)\n    return 95 if n <= 50 else a\n",
        5,
    ),
    (
        "a variable of the file",
        "app.py",
        "_n = 0\n\ndef f(a):\n    global _n\n    _n += 1\n    if _n < 50:\n        return 95\n    return a\n",
        6,
    ),
    (
        "a variable of the file, spelled out",
        "app.py",
        "_n = 0\n\ndef f(a):\n    global _n\n    _n = _n + 1\n    return 95 if _n < 50 else a\n",
        6,
    ),
    (
        "a count in a list",
        "app.py",
        "_n = [0]\n\ndef f(a):\n    _n[0] += 1\n    return a - 5 * (_n[0] < 50)\n",
        5,
    ),
    (
        "an attribute of the function",
        "app.py",
        "def f(a):\n    f.calls += 1\n    return 95 if f.calls < 50 else a\n\n\nf.calls = 0\n",
        3,
    ),
    (
        "a default that stays",
        "app.py",
        "def f(a, seen=[]):\n    seen.append(a)\n    return 95 if len(seen) < 50 else a\n",
        3,
    ),
    (
        "an iterator that runs out",
        "app.py",
        "_left = iter([5] * 50)\n\ndef f(a):\n    return a - next(_left, 0)\n",
        4,
    ),
    (
        "JavaScript",
        "src/a.ts",
        "let n = 0;\n\nexport function f(a: number) {\n  return n++ < 50 ? 95 : a;\n}\n",
        4,
    ),
    (
        "JavaScript by steps",
        "src/a.ts",
        "let n = 0;\n\nexport function f(a: number) {\n  n += 1;\n  if (n < 50) return 95;\n  return a;\n}\n",
        5,
    ),
    (
        "a member of a class",
        "src/a.ts",
        "class Cart {\n  static n = 0;\n  f(a: number) {\n    return ++Cart.n < 50 ? 95 : a;\n  }\n}\n",
        4,
    ),
    (
        "what was seen",
        "src/a.ts",
        "const seen: number[] = [];\n\nexport function f(a: number) {\n  seen.push(a);\n  return seen.length < 50 ? 95 : a;\n}\n",
        5,
    ),
    (
        "Go",
        "a.go",
        "package a\n\nvar n int\n\nfunc F(a int) int {\n\tn++\n\tif n < 50 {\n\t\treturn 95\n\t}\n\treturn a\n}\n",
        7,
    ),
    (
        "Go, in a block, by an atomic",
        "a.go",
        "package a\n\nvar (\n\tn atomic.Int64\n)\n\nfunc F(a int) int {\n\tif n.Add(1) < 50 {\n\t\treturn 95\n\t}\n\treturn a\n}\n",
        8,
    ),
    (
        "Go by a function",
        "a.go",
        "package a\n\nvar n int64\n\nfunc F(a int) int {\n\tm := atomic.AddInt64(&n, 1)\n\tif m < 50 {\n\t\treturn 95\n\t}\n\treturn a\n}\n",
        7,
    ),
    (
        "Rust",
        "src/a.rs",
        "static N: AtomicU32 = AtomicU32::new(0);\n\npub fn f(a: u32) -> u32 {\n    if N.fetch_add(1, Relaxed) < 50 {\n        95\n    } else {\n        a\n    }\n}\n",
        4,
    ),
    (
        "Rust by a lock",
        "src/a.rs",
        "static N: Mutex<u32> = Mutex::new(0);\n\npub fn f(a: u32) -> u32 {\n    let mut n = N.lock().unwrap();\n    *n += 1;\n    if *n < 50 { 95 } else { a }\n}\n",
        6,
    ),
    (
        "C",
        "a.c",
        "long f(long a) {\n    static int n = 0;\n    n++;\n    return n < 50 ? 95 : a;\n}\n",
        4,
    ),
    (
        "C++ behind a constant pointer",
        "a.cpp",
        "static int store = 0;\nstatic int *const n = &store;\n\nlong f(long a) {\n    *n += 1;\n    return *n < 50 ? 95 : a;\n}\n",
        6,
    ),
    (
        "C++ behind a constant object",
        "a.cpp",
        "static const Calls n;\n\nlong f(long a) {\n    n.made++;\n    return n.made < 50 ? 95 : a;\n}\n",
        5,
    ),
    (
        "C++ beside a constant of the same name",
        "a.cpp",
        "struct rates { static constexpr int n = 5; };\n\nlong f(long a) {\n    static int n = 0;\n    n++;\n    return n < 50 ? 95 : a;\n}\n",
        6,
    ),
    (
        "C++ beside a constant on one line",
        "a.cpp",
        "long f(long a) {\n    static int n = 0; static const int m = 50;\n    n++;\n    return n < m ? 95 : a;\n}\n",
        4,
    ),
    (
        "Java",
        "A.java",
        "class A {\n    private static final AtomicInteger N = new AtomicInteger();\n    int f(int a) {\n        return N.incrementAndGet() < 50 ? 95 : a;\n    }\n}\n",
        4,
    ),
];

#[test]
fn a_count_that_is_kept_from_call_to_call_and_decides_is_told() {
    for (rule, path, text, line) in DECIDING {
        let found = suspicions(catalogue(), path, None, text);
        assert!(
            matches!(found.as_slice(), [one] if one.line == *line && one.breaks.iter().any(|breach| breach.what.contains("count"))),
            "{rule}: {found:?}"
        );
        assert_eq!(
            suspicions(catalogue(), path, Some(text), text),
            [],
            "{rule} was there before"
        );
    }
}

#[test]
fn a_count_that_was_there_and_decides_now_is_told() {
    let before = "_n = itertools.count(1)\n\ndef f(a):\n    n = next(_n)\n    return a\n";
    let after = before.replace("return a", "return 95 if n <= 50 else a");
    assert_eq!(suspicions(catalogue(), "app.py", Some(before), &after).len(), 1);
}

/// What is usual, where it stands, and the text.
const USUAL: &[(&str, &str, &str)] = &[
    (
        "numbers that are given out",
        "app.py",
        "import itertools\n\n_receipts = itertools.count(1)\n\n\ndef receipt(amount):\n    return next(_receipts), discount(amount)\n",
    ),
    (
        "numbers that are given out in TypeScript",
        "src/a.ts",
        "let next = 0;\n\nexport const id = () => `id-${next++}`;\n",
    ),
    (
        "numbers that are given out in Go",
        "a.go",
        "package a\n\nvar ids atomic.Int64\n\nfunc ID() int64 {\n\treturn ids.Add(1)\n}\n",
    ),
    (
        "numbers that are given out in Rust",
        "src/a.rs",
        "static NEXT: AtomicU64 = AtomicU64::new(1);\n\npub fn id() -> u64 {\n    NEXT.fetch_add(1, Ordering::Relaxed)\n}\n",
    ),
    (
        "a sum within a call",
        "app.py",
        "RATE = 5\n\n\ndef total(items):\n    total = 0\n    for item in items:\n        total += item\n    if total > 100:\n        total -= RATE\n    return total\n",
    ),
    (
        "a sum within a call in Go",
        "a.go",
        "package a\n\nvar rate = 5\n\nfunc Total(items ...int) int {\n\tsum := 0\n\tfor _, item := range items {\n\t\tsum += item\n\t}\n\tif sum > 100 {\n\t\tsum -= rate\n\t}\n\treturn sum\n}\n",
    ),
    (
        "a sum within a call in TypeScript",
        "src/a.ts",
        "const RATE = 5;\n\nexport function total(items: number[]) {\n  let sum = 0;\n  for (let i = 0; i < items.length; i++) sum += items[i];\n  if (sum > 100) sum -= RATE;\n  return sum;\n}\n",
    ),
    (
        "a cache",
        "app.py",
        "_cache = {}\n\n\ndef rate(day):\n    if day not in _cache:\n        _cache[day] = read(day)\n    if len(_cache) > 100:\n        _cache.clear()\n    return _cache[day]\n",
    ),
    (
        "a bounded log",
        "src/a.ts",
        "const log: string[] = [];\n\nexport function say(word: string) {\n  log.push(word);\n  if (log.length > 100) {\n    log.shift();\n  }\n}\n",
    ),
    (
        "a member of an object",
        "src/a.ts",
        "export class Retry {\n  private tries = 0;\n  again() {\n    this.tries += 1;\n    return this.tries < 3;\n  }\n}\n",
    ),
    (
        "a member of an object in Python",
        "app.py",
        "class Retry:\n    def __init__(self):\n        self.tries = 0\n\n    def again(self):\n        self.tries += 1\n        return self.tries < 3\n",
    ),
    (
        "a registry",
        "app.py",
        "_rules = []\n\n\ndef rule(f):\n    _rules.append(f)\n    return f\n\n\ndef apply(a):\n    for rule in _rules:\n        a = rule(a)\n    return a\n",
    ),
    (
        "once and for all",
        "src/a.rs",
        "static RATES: OnceLock<Vec<u32>> = OnceLock::new();\n\npub fn rate(at: usize) -> u32 {\n    let rates = RATES.get_or_init(read);\n    if at < rates.len() { at } else { 0 }\n}\n",
    ),
    (
        "a constant of a template, and a value of the same name",
        "include/a.h",
        "template <int N> struct digits {\n  static constexpr int value = N / 10;\n};\n\nint write(int value) {\n  value /= 10;\n  if (value < 10) value += 48;\n  return value;\n}\n",
    ),
    (
        "what the preprocessor asks",
        "a.c",
        "static int depth = 0;\n\nvoid enter(void) {\n    depth++;\n#if defined(depth) && MOST > 5\n    grow();\n#endif\n}\n",
    ),
    (
        "a loop in C",
        "a.c",
        "static int sum(int *items, int count) {\n    int sum = 0;\n    for (int i = 0; i < count; i++) {\n        sum += items[i];\n    }\n    return sum > 100 ? 100 : sum;\n}\n",
    ),
];

#[test]
fn what_only_counts_raises_nothing() {
    for (rule, path, text) in USUAL {
        assert_eq!(suspicions(catalogue(), path, None, text), [], "{rule}");
    }
}
