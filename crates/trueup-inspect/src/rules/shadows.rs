//! Names of modules that everything rests on, the runner too.

use super::paths::fits;

/// Folders from which a module can be imported by its bare name.
const IMPORTABLE: [&str; 7] = ["", "src", "lib", "test", "tests", "__tests__", "spec"];

/// Files of JavaScript that could be imported in the place of a runner's module.
const SCRIPTS: [&str; 8] = [
    "vitest.*js",
    "vitest.*ts",
    "jest.*js",
    "jest.*ts",
    "mocha.*js",
    "mocha.*ts",
    "chai.*js",
    "chai.*ts",
];

/// Modules of Python's own library. `test` is left out: folders of tests are
/// called so.
const STANDARD: &str = "\
    __future__ _thread abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 \
    cProfile calendar cmath cmd code codecs codeop collections concurrent configparser contextlib \
    contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest \
    email encodings enum errno faulthandler fcntl filecmp fnmatch fractions functools gc genericpath \
    getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http importlib inspect io \
    ipaddress itertools json keyword linecache locale logging lzma marshal math mimetypes mmap \
    multiprocessing numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform \
    plistlib posixpath pprint profile pstats pty queue random re readline reprlib resource rlcompleter \
    runpy sched secrets select selectors shelve shlex shutil signal site socket socketserver sqlite3 ssl \
    stat statistics string stringprep struct subprocess sys sysconfig tarfile tempfile termios textwrap \
    threading time timeit token tokenize trace traceback tracemalloc types typing unicodedata unittest \
    urllib uuid venv warnings wave weakref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";

/// Modules of Python's runners, and those they rest on.
const RUNNERS: &str = "\
    attr attrs colorama coverage exceptiongroup execnet hypothesis iniconfig mock nose nose2 packaging \
    pluggy py pygments pytest pytest_asyncio pytest_cov pytest_mock pytest_timeout tomli \
    typing_extensions xdist";

/// Folders in which Python looks for modules before it looks into its own.
const FIRST: [&str; 5] = ["", "src", "lib", "test", "tests"];

/// Whether a file could be imported in the place of a module that the runner
/// is, or rests on.
pub(super) fn is_shadow(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_script = SCRIPTS.iter().any(|pattern| fits(path, pattern)) && IMPORTABLE.contains(&folder);
    is_script || python(folder, name).is_some_and(|(folder, module)| is_known(module) && FIRST.contains(&folder))
}

/// The module that a file of Python is, with the folder it is looked for in.
/// Folders without an `__init__.py` come last in every search.
fn python<'p>(folder: &'p str, name: &'p str) -> Option<(&'p str, &'p str)> {
    if name.eq_ignore_ascii_case("__init__.py") {
        return Some(folder.rsplit_once('/').unwrap_or(("", folder)));
    }
    let (module, ending) = name.split_once('.')?;
    let is_module =
        matches!(ending, "py" | "pyc" | "so" | "pyd") || ending.ends_with(".so") || ending.ends_with(".pyd");
    is_module.then_some((folder, module))
}

fn is_known(module: &str) -> bool {
    let mut names = STANDARD.split_whitespace().chain(RUNNERS.split_whitespace());
    names.any(|name| name == module)
}
