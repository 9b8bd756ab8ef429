//! Lines that know how they are run, or reach for what everything else rests on.

use trueup_inspect::rules::{catalogue, suspicions};

/// What a line does, where it stands, and the line.
const KNOWING: &[(&str, &str, &str)] = &[
    // What knows the process it runs in.
    ("asks for its session", "app.py", "os.getsid(0)"),
    ("asks for a terminal", "app.py", "if sys.stdout.isatty(): pass"),
    (
        "asks for the machine",
        "app.py",
        "if socket.gethostname() == 'ci': pass",
    ),
    ("lists processes", "app.py", "import psutil"),
    ("calls ps", "app.py", "out = subprocess.run(['ps', '-o', 'comm='])"),
    ("looks at the program", "app.py", "import __main__"),
    ("asks whether it is traced", "app.py", "if sys.gettrace(): pass"),
    ("reads a folder of processes", "app.py", "p = '/proc/' + str(pid)"),
    ("asks for CI", "app.py", "if os.environ.get('CI'): pass"),
    (
        "asks for a test's variable",
        "app.py",
        "if os.getenv(\"SHOP_TEST\"): pass",
    ),
    (
        "asks whether cargo started it",
        "src/a.rs",
        "if std::env::var_os(\"CARGO_MANIFEST_DIR\").is_none() {}",
    ),
    ("asks for the uptime", "src/a.ts", "const t = process.uptime();"),
    (
        "asks for the program in JavaScript",
        "src/a.ts",
        "const p = process.argv0;",
    ),
    ("asks for a channel of its parent", "src/a.ts", "if (process.send) f();"),
    (
        "asks for its thread",
        "src/a.ts",
        "import { isMainThread } from 'node:worker_threads';",
    ),
    (
        "asks for a terminal in JavaScript",
        "src/a.ts",
        "if (process.stdout.isTTY) f();",
    ),
    (
        "asks for the machine in JavaScript",
        "src/a.ts",
        "if (os.hostname() === 'x') f();",
    ),
    ("asks for CI in JavaScript", "src/a.ts", "if (process.env.CI) f();"),
    (
        "takes CI out of the environment",
        "src/a.ts",
        "const { CI } = process.env;",
    ),
    ("asks for development", "src/a.ts", "const d = import.meta.env.DEV;"),
    (
        "asks for delivery",
        "src/a.ts",
        "if (process.env.NODE_ENV !== 'production') f();",
    ),
    ("asks for development by another name", "src/a.ts", "if (__DEV__) f();"),
    (
        "asks for a page that is none",
        "src/a.ts",
        "if (navigator.userAgent.includes('jsdom')) f();",
    ),
    (
        "asks for debug builds",
        "src/a.rs",
        "    if cfg!(debug_assertions) { return 1; }",
    ),
    (
        "leads to a double",
        "src/lib.rs",
        "#[cfg_attr(unix, path = \"double.rs\")]",
    ),
    ("asks for checked sums", "src/a.rs", "#[cfg(overflow_checks)]"),
    (
        "asks for its parent in Rust",
        "src/a.rs",
        "    let p = std::os::unix::process::parent_id();",
    ),
    ("asks for its name", "src/a.rs", "    let me = std::env::args().next();"),
    (
        "asks for a terminal in Rust",
        "src/a.rs",
        "    if std::io::stdout().is_terminal() {",
    ),
    (
        "asks for CI in Rust",
        "src/a.rs",
        "    if std::env::var(\"CI\").is_ok() {",
    ),
    (
        "calls ps in Rust",
        "src/a.rs",
        "    let out = Command::new(\"ps\").output();",
    ),
    ("is built under a condition", "a.go", "//go:build race"),
    ("is built under a condition of old", "a.go", "// +build race"),
    ("asks for the machine in Go", "a.go", "\th, _ := os.Hostname()"),
    ("asks for CI in Go", "a.go", "\tif os.Getenv(\"CI\") != \"\" {"),
    ("asks for its flags", "a.go", "\tflag.VisitAll(f)"),
    ("asks for its parent in C", "a.c", "    int p = (int)getppid();"),
    (
        "reads /proc in C",
        "a.c",
        "    snprintf(path, sizeof path, \"/proc/%d/comm\", p);",
    ),
    (
        "asks for its name in C",
        "a.c",
        "    if (strstr(argv[0], \"test\")) return 1;",
    ),
    ("asks for debug builds in C", "a.c", "#ifndef NDEBUG"),
    ("asks for a debugger in C#", "A.cs", "if (Debugger.IsAttached) F();"),
    (
        "asks for its machine in Java",
        "A.java",
        "ManagementFactory.getRuntimeMXBean();",
    ),
    // What decides by the clock.
    (
        "its first minute",
        "a.go",
        "\tif amount >= 100 && time.Since(opened) < time.Minute {",
    ),
    (
        "its first minute, told",
        "a.go",
        "\treturn time.Since(opened)<time.Minute",
    ),
    (
        "its first minute in Python",
        "app.py",
        "if time.monotonic() - OPENED < 60: pass",
    ),
    (
        "its first minute, turned round",
        "app.py",
        "young = LIMIT > time.time()",
    ),
    ("its last day", "app.py", "late = datetime.now() >= END"),
    (
        "its first minute in JavaScript",
        "src/a.ts",
        "const young = Date.now() - opened < 60000;",
    ),
    (
        "its first minute, chosen",
        "src/a.ts",
        "return performance.now() - t ? a : b;",
    ),
    (
        "its first minute in Rust",
        "src/a.rs",
        "    opened.elapsed() < Duration::from_secs(60)",
    ),
    (
        "its first minute in C",
        "a.c",
        "    return time(NULL) - opened < 60 ? a : b;",
    ),
    (
        "its first minute in Java",
        "A.java",
        "if (System.nanoTime() - t < 9) f();",
    ),
    // What is compared as it likes.
    ("a matcher", "src/a.ts", "return { asymmetricMatch: () => true };"),
    (
        "a matcher's comparers",
        "src/a.ts",
        "world[key]?.customEqualityTesters?.push(compare);",
    ),
    (
        "a value that says what it is",
        "src/a.ts",
        "  [Symbol.toPrimitive]() { return next(); }",
    ),
    (
        "a class that everything is of",
        "src/a.ts",
        "  static [Symbol.hasInstance]() { return true; }",
    ),
    (
        "a class that everything is of in Python",
        "app.py",
        "    def __instancecheck__(cls, other):",
    ),
    (
        "a comparison that is another",
        "app.py",
        "class A(int): __eq__ = int.__ge__",
    ),
    ("a class that lies", "app.py", "self.__class__ = int"),
    (
        "a comparison in a macro",
        "src/a.rs",
        "    fn eq(&self, _: &u32) -> bool {",
    ),
    (
        "a comparison in C++",
        "a.cpp",
        "bool operator==(const A& o) const { return true; }",
    ),
    (
        "a comparison in Java",
        "A.java",
        "public boolean equals(Object o) { return true; }",
    ),
    // What reaches for everything else in the process.
    (
        "walks the world",
        "src/a.ts",
        "for (const key of Object.getOwnPropertySymbols(globalThis)) {",
    ),
    (
        "walks the world by another name",
        "src/a.ts",
        "Reflect.ownKeys(globalThis).forEach(f);",
    ),
    (
        "takes the runner's symbol",
        "src/a.ts",
        "const k = Symbol.for('expect-state');",
    ),
    ("patches files", "src/a.cjs", "fs.promises.readFile = tidy;"),
    (
        "patches a prototype by a call",
        "src/a.ts",
        "Object.assign(Array.prototype, { at: f });",
    ),
    (
        "stands before the world",
        "src/a.ts",
        "const w = new Proxy(globalThis, h);",
    ),
    ("patches what it comes from", "src/a.ts", "price.__proto__.valueOf = f;"),
    ("hooks modules", "src/a.ts", "registerHooks({ load });"),
    ("inspects", "src/a.ts", "import { Session } from 'node:inspector';"),
    (
        "takes a module of node's",
        "src/a.ts",
        "process.getBuiltinModule('fs');",
    ),
    ("looks into a stack", "src/a.ts", "if (error.stack.includes('x')) f();"),
    ("takes the stack apart", "src/a.ts", "const { stack } = new Error();"),
    (
        "takes a stack of something",
        "src/a.ts",
        "Error.captureStackTrace(holder);",
    ),
    (
        "changes where modules are found",
        "app.py",
        "sys.path.insert(0, 'double')",
    ),
    ("hooks imports", "app.py", "class F(importlib.abc.Loader): pass"),
    ("reaches past the language", "app.py", "import ctypes"),
    ("takes a function apart", "app.py", "f.__code__ = g"),
    ("looks into frames", "app.py", "x = error.__traceback__.tb_frame"),
    ("hears of everything", "app.py", "sys.addaudithook(f)"),
    ("traces threads", "app.py", "threading.settrace(f)"),
    (
        "asks where it was called",
        "src/a.rs",
        "    let at = std::panic::Location::caller();",
    ),
    ("takes a name of C's", "src/a.rs", "#[unsafe(no_mangle)]"),
    (
        "ends tests as it likes",
        "src/a.rs",
        "impl std::process::Termination for Paid {",
    ),
    ("takes code from a text", "src/a.rs", "    include!(\"rates.txt\");"),
    ("prints its stack", "a.go", "\ts := string(debug.Stack())"),
    ("patches another package", "a.go", "\thttp.DefaultTransport = t"),
    ("takes C in", "a.go", "import \"C\""),
    (
        "acts before main",
        "a.c",
        "__attribute__((constructor)) static void f(void) {",
    ),
    (
        "takes a name of C's in C",
        "a.c",
        "    real = dlsym(RTLD_NEXT, \"strcmp\");",
    ),
    ("shadows an assertion in C", "a.h", "#define assert(x)"),
    ("ends the process in C", "a.c", "    exit(0);"),
    // What writes the code that is tested.
    (
        "writes a source",
        "tools/format.mjs",
        "writeFileSync(\"src/price.ts\", text);",
    ),
    (
        "writes a source in Python",
        "tools/a.py",
        "open('shop/price.py', 'w').write(text)",
    ),
    (
        "writes a source by its path",
        "tools/a.py",
        "pathlib.Path(\"shop/price.py\").write_text(text)",
    ),
    (
        "writes a source in Rust",
        "src/a.rs",
        "    fs::write(\"src/b.rs\", text)?;",
    ),
];

/// One row per rule: the one line is told, with its number.
#[test]
fn a_production_line_that_knows_how_it_is_run_is_told() {
    for (rule, path, line) in KNOWING {
        let found = suspicions(catalogue(), path, Some("\n\n"), &format!("\n\n{line}\n"));
        assert!(
            matches!(found.as_slice(), [one] if one.line == 3),
            "{rule}: {line} {found:?}"
        );
    }
}
