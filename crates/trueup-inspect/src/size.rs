//! Sizes as people write them: `20GB`, `500MB`, `1.5TB`, `64MiB`.

/// The size in bytes, or nothing where the text is no size. A number without
/// a unit is none: nobody can tell what it counts.
pub fn bytes(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at_checked(end)?;
    let unit: u64 = match unit.trim_start() {
        "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = u32::try_from(part.len()).ok().filter(|digits| *digits <= 3)?;
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    let part = if part.is_empty() && !number.ends_with('.') {
        0
    } else {
        part.parse::<u64>().ok()?.checked_mul(unit)? / 10_u64.pow(digits)
    };
    whole.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, wanted) in [
            ("20GB", 20_000_000_000),
            ("1.5TB", 1_500_000_000_000),
            ("64MiB", 64 << 20),
            ("0.25 KB", 250),
        ] {
            assert_eq!(bytes(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in [
            "",
            "20",
            "GB",
            "20gb",
            "-1GB",
            "1.GB",
            "1.2.3GB",
            "99999999999TB",
            "1.2345GB",
        ] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
