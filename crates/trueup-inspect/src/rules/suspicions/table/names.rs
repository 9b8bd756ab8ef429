//! Lines that give a word of the language another meaning.
//!
//! Where `true` is not true, a test that reads it says something else than it
//! seems to. Names that many a project has functions of are left out.

use crate::rules::{pattern::Pattern, source::Family};

/// Values that Go declares, which nobody else does.
const GO_VALUES: &str = "true|false|nil|iota";

/// Everything else that Go declares, but for what is a usual name of a variable.
const GO: &str = "len|cap|append|make|delete|panic|recover|print|println|error|string|bool|byte|rune|any|comparable|\
                  u?int(?:8|16|32|64)?|uintptr|float(?:32|64)|complex(?:64|128)|real|imag";

/// What Python declares and is a usual name of a function, too.
const PYTHON_USUAL: &str = "all|any|list|set|range|print|round|sum|min|max|type";

/// What else Python declares and tests compare with.
const PYTHON: &str = "len|abs|bool|int|float|str|bytes|dict|frozenset|tuple|sorted|reversed|repr|isinstance|\
                      issubclass|callable|hasattr|getattr|zip|enumerate|\
                      AssertionError|Exception|ValueError|TypeError|KeyError|IndexError|LookupError|RuntimeError|\
                      ArithmeticError|ZeroDivisionError|OverflowError|AttributeError|NameError|OSError|StopIteration";

/// What JavaScript declares. `Map` and `Error` are the names of components, too,
/// which are exported by default.
const SCRIPT: &str = "undefined|NaN|Infinity|Math|Date|JSON|Object|Array|Promise|Error|Number|String|Boolean|Symbol|\
                      RegExp|Reflect|Proxy|BigInt|parseInt|parseFloat|isNaN|isFinite|globalThis";

/// What Rust's prelude and the language itself declare.
const RUST: &str = "bool|char|str|[iu](?:8|16|32|64|128|size)|f32|f64|String|Vec|Option|Some|None|Ok|Err|PartialEq|Eq|\
                    PartialOrd|Ord";

/// Whatever declares such a name where a whole file or package reads it.
pub(super) fn taken(family: Family) -> Pattern {
    let expression = match family {
        Family::Go => format!(
            r"^(?:const|var|type)\s+\(?\s*(?:\w+\s*,\s*)*(?:{GO_VALUES}|{GO})\b|^func\s+(?:{GO_VALUES}|{GO}|new|copy|close|clear|min|max)\s*[(\[]|^\s*(?:const\s+|var\s+)?(?:\w+\s*,\s*)*(?:{GO_VALUES})\b[^=:(){{}}<>!]*(?::=|=[^=])|^\s*(?:const\s+|var\s+)(?:{GO_VALUES})\b|^\s(?:{GO})(?:\s+[\w.*\[\]]+)?\s+=[^=]|^\s(?:{GO})\s+(?:interface|struct|func)\b|[(,]\s*(?:{GO_VALUES})\s+[\w*\[]|^\s*(?:{GO_VALUES})\s*(?:,\s*\w+\s*)+:?=[^=]"
        ),
        Family::Python => format!(
            r"^(?:async\s+)?(?:def|class)\s+(?:{PYTHON})\b|^(?:\w+\s*(?:,|=)\s*)*(?:{PYTHON}|{PYTHON_USUAL})\s*(?::[^=]+)?=[^=]|^\s*global\s+(?:\w+\s*,\s*)*(?:{PYTHON})\b|\bimport\b.*\bas\s+(?:{PYTHON})\b|\bglobals\(\)\s*\[[^\]]*\]\s*=[^=]|\bglobals\(\)\.(?:update|setdefault|__setitem__)\("
        ),
        Family::Script => format!(
            r"^(?:export\s+)?(?:const|let|var|function\*?|async\s+function|class|enum|namespace)\s+(?:{SCRIPT})\b|^(?:export\s+)?(?:const|let|var)\s*[\{{\[].*\b(?:{SCRIPT})\s*[,\}}\]].*=|\bimport\b.*\bas\s+(?:{SCRIPT})\b"
        ),
        Family::Rust => format!(
            r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:type|struct|enum|union|trait)\s+(?:{RUST})|mod\s+std)\b|^\s*(?:pub(?:\([^)]*\))?\s+)?use\b.*\bas\s+(?:{RUST})\s*[;,\}}]"
        ),
        Family::Java => {
            r"\b(?:class|object|interface|record|enum|typealias)\s+(?:String|Object|Objects|Integer|Long|Double|Float|Boolean|Math|System|Int|Assert(?:ions)?)\b".to_owned()
        }
        // A macro that says that true is false; older programs say what it is.
        Family::Native => {
            r"#\s*define\s+(?:int|long|short|char|double|float|unsigned|signed|const|static|void|else|for|do|switch|case|sizeof|NULL|nullptr)\b|#\s*define\s+true\s+\(?(?:0|!|false)|#\s*define\s+false\s+\(?(?:[1-9]|!0|true)".to_owned()
        }
    };
    Pattern::new(&expression)
}
