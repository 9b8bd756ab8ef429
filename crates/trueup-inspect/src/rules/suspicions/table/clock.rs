//! Lines that decide by the clock.
//!
//! A run of tests is over soon after the process began. Code that asks how long
//! it has been running can do one thing for tests and another for users. To read
//! the clock is usual, to decide by it in the same breath is asked about.

use crate::rules::{pattern::Pattern, source::Family};

/// How a language reads the clock.
const fn reading(family: Family) -> &'static str {
    match family {
        Family::Python => {
            r"\b(?:time\.(?:time|monotonic|perf_counter|process_time|thread_time)(?:_ns)?\(|datetime\.(?:utcnow|now|today)\(|date\.today\(|(?:monotonic|perf_counter)(?:_ns)?\()"
        }
        Family::Script => r"(?:\bDate\.now\(|\bperformance\.now\(|\bprocess\.(?:uptime|hrtime)\b|\bnew\s+Date\(\s*\))",
        Family::Rust => r"(?:\b(?:Instant|SystemTime|Utc|Local)::now\(|\.elapsed\(\))",
        Family::Go => r"\btime\.(?:Since|Now|Until)\(",
        Family::Java => {
            r"(?:\bSystem\.(?:currentTimeMillis|nanoTime)\(|\b(?:Instant|LocalDate|LocalDateTime|ZonedDateTime)\.now\(|\bgetUptime\()"
        }
        Family::Native => {
            r"(?:\btime\(\s*(?:NULL|0|nullptr)\s*\)|\bclock\(\)|\b\w+_clock::now\(|\bDateTime\.(?:Now|UtcNow)\b|\bTickCount\w*|\bclock_gettime\(|\bgettimeofday\()"
        }
    }
}

/// Whether a language has `condition ? one : other`.
const fn other_signs(family: Family) -> &'static str {
    match family {
        Family::Script | Family::Java | Family::Native => r"|[^?]\?[^.?:]",
        // There a question mark hands an error on, or means nothing.
        Family::Python | Family::Rust | Family::Go => "",
    }
}

/// A condition or a comparison with a reading of the clock in it.
pub(super) fn deciding(family: Family) -> Pattern {
    let (clock, others) = (reading(family), other_signs(family));
    let asked = format!(r"\b(?:if|elif|while)\b.*{clock}");
    // Neither an arrow nor the brackets of a type compare anything.
    let after = format!(r"{clock}[^;{{}}]*?(?:[^-=<>][<>]=?[^-<>=]|[=!]={others})");
    let before = format!(r"(?:[^-=<>][<>]=?|[=!]==?)(?:\s*|\s+\(+)[\w.+*/% -]*{clock}");
    Pattern::new(&format!("{asked}|{after}|{before}"))
}
