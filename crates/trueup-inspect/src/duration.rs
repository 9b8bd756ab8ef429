//! Spans of time as people write them: `90s`, `10m`, `2h`, `1h30m`.

/// The span in milliseconds, or nothing where the text is no span. Units stand
/// in falling order and at most once, so every span has few spellings.
pub fn milliseconds(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total: u64 = 0;
    let mut largest = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit_on) = rest.split_at_checked(digits)?;
        let number: u64 = number.parse().ok()?;
        let unit = match unit_on.bytes().next()? {
            b'h' => 3_600_000,
            b'm' => 60_000,
            b's' => 1_000,
            _ => return None,
        };
        if unit >= largest {
            return None;
        }
        largest = unit;
        total = total.checked_add(number.checked_mul(unit)?)?;
        rest = unit_on.get(1..)?;
    }
    (largest != u64::MAX).then_some(total)
}
