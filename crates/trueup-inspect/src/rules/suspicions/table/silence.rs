//! Lines that keep what goes wrong from being told.
//!
//! A test that looks at what is logged or warned of finds nothing where nothing
//! is let through. A program may choose where it writes its messages; that it
//! writes none is asked about.

use crate::rules::{pattern::Pattern, source::Family};

/// Where every language can throw messages away: on a command line.
const EVERYWHERE: &str = r"\b2\s*>\s*/dev/null|&>\s*/dev/null";

const fn of(family: Family) -> &'static str {
    match family {
        Family::Python => {
            r#"\.propagate\s*=\s*(?:False|0)\b|\blogging\.disable\(|\.setLevel\(\s*(?:logging\.)?(?:CRITICAL|FATAL|[5-9]\d|\d{3,})\b|\.setLevel\(\s*['"](?:CRITICAL|FATAL)|\blog\w*\.disabled\s*=\s*True\b|\braiseExceptions\s*=\s*False|\b(?:filterwarnings|simplefilter)\(\s*(?:action\s*=\s*)?['"]ignore|\bshowwarning\s*=[^=]|\.handlers\s*(?:\.\s*clear\(|=\s*\[\s*\]|\[:\]\s*=)|\.addFilter\(\s*lambda[^:]*:\s*(?:False|0|None)\b|\bredirect_std(?:out|err)\(.*(?:devnull|None|StringIO)|\bseterr\(.*['"]ignore|\.(?:lastResort|showwarning)\s*=[^=]"#
        }
        Family::Script => {
            r#"\bconsole\s*\[[^\]]*\]\s*=[^=>]|\bprocess\.(?:emitWarning\s*=|noDeprecation\s*=|removeAllListeners\()|\bNODE_NO_WARNINGS\b|\b(?:log|logger|pino|winston)\w*\.(?:silent\s*=\s*true|silence\(|disable\(|disableAll\()|\blevel\s*[:=]\s*['"`](?:silent|off|none)['"`]"#
        }
        Family::Rust => {
            r"\bset_max_level\(.*\bO(?:ff|FF)\b|\bwith_max_level\(.*\bO(?:ff|FF)\b|\bNoSubscriber\b|\bwith_writer\(.*\bsink\b"
        }
        Family::Go => {
            r"\bSetOutput\(\s*(?:io|ioutil)\.Discard\b|\bSetDefault\(.*(?:io\.Discard|DiscardHandler)\b|\bReplaceGlobals\(.*\bNewNop\(|\bSetGlobalLevel\(.*\bDisabled\b|\bSetLevel\(.*\b(?:PanicLevel|FatalLevel)\b|\blog\.SetFlags\(\s*-"
        }
        Family::Java => {
            r"\bsetLevel\(\s*Level\.OFF\b|\bsetUseParentHandlers\(\s*false\b|\bSystem\.set(?:Err|Out)\(|\bLogManager\b.*\breset\(|\bnullOutputStream\("
        }
        Family::Native => {
            r#"\bfreopen\(\s*"/dev/null"|\bfclose\(\s*std(?:err|out)\s*\)|\bclose\(\s*(?:2|STDERR_FILENO)\s*\)|\bdup2\([^,]*,\s*(?:2|STDERR_FILENO)\s*\)|\bSet(?:Error|Out)\(\s*(?:\w+\.)?TextWriter\.Null|\bset_level\(.*\boff\b|\bcerr\.(?:rdbuf|setstate)\("#
        }
    }
}

/// Whatever switches off what would be told.
pub(super) fn keeping(family: Family) -> Pattern {
    Pattern::new(&format!("{EVERYWHERE}|{}", of(family)))
}
