//! Lines that answer with what is no number.
//!
//! What is no number is neither less nor more than anything, and every
//! assertion that an answer is not out of bounds holds for it. To ask whether
//! something is a number is usual; to give away what is none is asked about.

use crate::rules::{pattern::Pattern, source::Family};

/// What stands before a value that is given away or calculated with. A second
/// sign of equality compares.
const GIVEN: &str = r"(?:\b(?:return|yield|else)\b|=>|->|(?:^|[^=!<>])=|[^?]\?|\?\?|\|\||&&|[*+/%-]|[:\{])\s*[-+(]*\s*";

/// How a language spells what is no number.
const fn spelled(family: Family) -> &'static str {
    match family {
        Family::Python => r"(?:(?:(?:math|np|numpy|cmath|torch|jnp)\.)?(?:nan|NaN|NAN)\b)",
        Family::Script => r"(?:(?:globalThis|Number|window)\.)?NaN\b",
        Family::Rust => r"(?:\w+::)*(?:f32|f64)::NAN\b",
        Family::Go => r"math\.NaN\(",
        Family::Java => r"(?:Double|Float)\.NaN\b",
        Family::Native => {
            r"(?:NAN\b|nan[fl]?\(|__builtin_nan|(?:double|float|Double|Single)\.NaN\b|[\w:<>]*::(?:quiet|signaling)_NaN\()"
        }
    }
}

/// What is calculated so that it is no number.
const fn calculated(family: Family) -> &'static str {
    match family {
        Family::Script => r"\bInfinity\s*(?:[-/%]\s*Infinity\b|\*\s*0\b)",
        Family::Python => r"\binf\s*(?:-\s*(?:\w+\.)?inf\b|\*\s*0\b)",
        Family::Rust => r"\bINFINITY\s*(?:-\s*(?:\w+::)*INFINITY\b|\*\s*0\.)",
        Family::Go => r"\bmath\.Inf\([^)]*\)\s*(?:-\s*math\.Inf|\*\s*0\b)",
        Family::Java => r"\b\w+_INFINITY\s*-\s*(?:\w+\.)?\w+_INFINITY\b",
        Family::Native => r"\bINFINITY\s*-\s*INFINITY\b",
    }
}

/// Whatever gives away, or calculates with, what is no number.
pub(super) fn none(family: Family) -> Pattern {
    let (spelled, calculated) = (spelled(family), calculated(family));
    let nothing_of_nothing = r"(?:^|[^\w./])0(?:\.0*)?(?:_?f\d\d)?\s*/\s*0(?:\.0*)?(?:_?f\d\d)?(?:[^\w./]|$)";
    let root = r"\b(?:sqrt|log|log2|log10|acos|asin|Sqrt|Log)\(\s*-\s*\d";
    Pattern::new(&format!("{GIVEN}{spelled}|{nothing_of_nothing}|{root}|{calculated}"))
}

/// Whatever makes a number of a text that is none, or says that it is none.
pub(super) fn of_text(family: Family) -> Pattern {
    let expression = match family {
        Family::Python => {
            format!(r#"{GIVEN}(?:float|Decimal|np\.float\d+)\(\s*['"]\s*[+-]?s?[nN][aA][nN]"#)
        }
        // In it stands a letter or a sign that no number has.
        Family::Script => {
            let other =
                r#"(?:'[^']*[^-\d+.eExXoObBa-fA-F\s'][^']*'|"[^"]*[^-\d+.eExXoObBa-fA-F\s"][^"]*"|undefined\b|\{)"#;
            format!(
                r#"\bNumber\(\s*{other}|\bparse(?:Int|Float)\(\s*(?:['"]\s*[^-\d\s+.]|undefined\b|null\b|\{{)|(?:[=(:?,*/-]|\breturn)\s*\+\s*{other}"#
            )
        }
        Family::Go => r#"\bParseFloat\(\s*"(?i:nan)"#.to_owned(),
        Family::Rust => r#""[+-]?(?i:nan)"\s*\.\s*parse\b|\bfrom_str\(\s*"(?i:nan)""#.to_owned(),
        Family::Java => r#"\b(?:parseDouble|valueOf|parseFloat)\(\s*"NaN|"NaN"\.to(?:Double|Float)\("#.to_owned(),
        Family::Native => r#"\b(?:atof|strto[df]|Parse)\(\s*"(?i:nan)"#.to_owned(),
    };
    Pattern::new(&expression)
}
