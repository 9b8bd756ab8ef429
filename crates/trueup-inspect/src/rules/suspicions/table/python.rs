//! What is suspicious in Python.

use super::{
    line_rule::LineRule,
    words::{AWARE, DYNAMIC, EXIT, HOOK, LAX, PATCH, PROCESS, RUNNER, STACK},
};
use crate::rules::source::Look::{Code, Text};

/// Lines of production code.
pub(super) const PRODUCTION: &[LineRule] = &[
    (
        Text,
        r"\b_?pytest\b|\bunittest\b|\bconftest\b|\bnose2?\b\.|\bpytest11\b",
        RUNNER,
    ),
    (
        Code,
        r"\b(?:os\.)?_exit\b|\bsys\.exit\b|(?:^|[^.\w])(?:exit|quit)\(|\bSystemExit\b",
        EXIT,
    ),
    (
        Code,
        r"\bos\.(?:abort|kill|killpg|exec[lv]\w*)\b|\bfrom\s+(?:sys|os)\s+import\b.*\b(?:exit|abort|kill|exec\w+)\b|\bimport\s+(?:os|sys)\s+as\b|^\s*\.\s*_?exit\(|\bCDLL\(\s*None\b|\bpythonapi\b|\bKeyboardInterrupt\(",
        EXIT,
    ),
    (
        Code,
        r"\batexit\b|\bsignal\.(?:signal|alarm|setitimer)\b|\bsys\.(?:excepthook|unraisablehook|settrace|setprofile)\b",
        HOOK,
    ),
    (
        Code,
        r"\bsys\.(?:modules|meta_path|path_hooks|path_importer_cache)\b",
        RUNNER,
    ),
    (
        Text,
        r#"\bgetattr\(\s*(?:os|sys|builtins|__builtins__)\b|\bgc\.get_(?:objects|referrers)\b"#,
        DYNAMIC,
    ),
    (Code, r"(?:^|[^.\w])(?:exec|eval|__import__)\(", DYNAMIC),
    (
        Text,
        r"\bsys\.argv\[0\]|\bsys\.argv\b.*(?:\btest|\.xml)|\btest.*\bsys\.argv\b|\bsys\.(?:flags|orig_argv)\b|\bPYTHONOPTIMIZE\b|\b__debug__\b|\bgetppid\b",
        AWARE,
    ),
    (
        Code,
        r"\bsys\._(?:getframe|current_frames)\b|\binspect\.(?:stack|currentframe|getouterframes|trace)\b",
        STACK,
    ),
    (
        Code,
        r"\btraceback\.(?:extract_stack|walk_stack|format_stack|print_stack)\b|\bf_back\b",
        STACK,
    ),
    (
        Code,
        r"\bbuiltins\.\w+\s*=[^=]|\b__builtins__\b|\bsetattr\(\s*(?:builtins|time|os|sys|datetime|random)\b",
        PATCH,
    ),
    (
        Code,
        r"(?:^|;|[^=!<>]=)\s*(?:time|datetime|random|os|sys|math|json|subprocess|socket|threading|io)\.\w+\s*=[^=]|\bAssertionError\s*=[^=]",
        PATCH,
    ),
    (
        Text,
        r"\bos\.(?:getsid|getpgid|getpgrp|ttyname|uname|getlogin)\b|\bpsutil\b|\bisatty\b|\bgethostname\b|\bplatform\.node\b|\bget(?:trace|profile)\(\)|\bsys\.gettotalrefcount\b",
        PROCESS,
    ),
    (
        Text,
        r"\bthreading\.(?:active_count|enumerate|main_thread)\b|\bfrom\s+threading\s+import\b.*\b(?:active_count|enumerate|main_thread)\b|\bcurrent_thread\(\)[.\w]*\s*(?:==|!=|is\b|in\b|not\b|\.startswith|\.endswith)|\bMainThread\b|\b(?:current|parent)_process\(|\bactive_children\(|\bgetrusage\b|\bgc\.get_(?:count|stats)\b|\b(?:site|dist)-packages\b",
        PROCESS,
    ),
    (Code, r"\bimport\s+__main__\b|(?:^|[^.\w])__main__\.\w", PROCESS),
    (
        Code,
        r"\bsys\.path\s*(?:\.\s*(?:insert|append|extend|remove)|\[|=[^=]|\+=)|\bimportlib\.(?:abc|machinery|reload|invalidate_caches)\b|\bfrom\s+importlib\s+import\b.*\b(?:abc|machinery|reload)\b|\bextend_path\b|\baddsitedir\b|\bMetaPathFinder\b",
        PATCH,
    ),
    (
        Code,
        r"\bfaulthandler\b|\bthreading\.(?:settrace|setprofile|excepthook)\w*|\bsys\.(?:monitoring|addaudithook|displayhook|breakpointhook|set_asyncgen_hooks)\b|\bregister_at_fork\b|\bgc\.callbacks\b",
        HOOK,
    ),
    (
        Code,
        r"\b(?:import|from)\s+(?:ctypes|cffi)\b|\b(?:CDLL|PyDLL)\(|\bfrom_address\(|\bmemmove\(|\bgc\.get_referents\b|\b__(?:code|globals|subclasses|closure)__\b|\bmarshal\.loads?\b|(?:^|[^.\w])compile\(|\bFunctionType\(|\bCodeType\(",
        DYNAMIC,
    ),
    (
        Code,
        r"\b(?:tb_frame|f_globals|f_locals|f_code|gi_frame|cr_frame)\b|\bfindCaller\b|\binspect\.(?:getframeinfo|getinnerframes)\b",
        STACK,
    ),
    (
        Code,
        r"\bdef\s+__(?:instancecheck|subclasscheck|subclasshook|class)__\b|\b__class__\s*=[^=]|\b__(?:eq|ne|lt|le|gt|ge)__\s*=[^=]",
        LAX,
    ),
];
