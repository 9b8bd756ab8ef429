//! What a browser is told that the page may do: to look as it looks, and
//! nothing else.

use trueup_core::digest::Digest;

/// The 64 letters of base64.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The policy of a page with this style and no other.
pub(super) fn of(style: &str) -> String {
    let digest = Digest::of(style.as_bytes());
    let name = base64(&bytes(digest.as_str()));
    format!("default-src 'none'; style-src 'sha256-{name}'; base-uri 'none'; form-action 'none'")
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    let pairs = pairs.filter_map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
    pairs.collect()
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let all = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4_usize {
            let six = (all >> (18 - 6 * place)) as usize & 63;
            match place <= three.len() {
                true => text.extend(LETTERS.get(six).copied().map(char::from)),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64, of};

    #[test]
    fn a_style_is_named_as_browsers_name_it() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        let empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
        assert!(of("").contains(empty), "{}", of(""));
    }
}
