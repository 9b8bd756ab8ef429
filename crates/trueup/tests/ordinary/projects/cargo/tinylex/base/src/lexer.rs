use crate::token::{Kind, LexError, Place, Token};

/// Returns the tokens of a source.
pub fn tokens(source: &str) -> Result<Vec<Token>, LexError> {
    let place = Place { line: 1, column: 1 };
    let mut found = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(first) = chars.next() {
        let mut value = String::from(first);
        let kind = match first {
            _ if first.is_whitespace() => continue,
            '"' => {
                value = chars.by_ref().take_while(|c| *c != '"').collect();
                Kind::Text
            }
            _ if first.is_ascii_digit() => {
                while let Some(next) = chars.next_if(|c| c.is_ascii_digit()) {
                    value.push(next);
                }
                Kind::Number
            }
            _ if first.is_alphabetic() => {
                while let Some(next) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    value.push(next);
                }
                Kind::Word
            }
            '+' | '-' | '*' | '/' | '=' | '(' | ')' | ',' | ';' => Kind::Sign,
            _ => {
                let reason = format!("{first:?} begins no token");
                return Err(LexError { place, reason });
            }
        };
        found.push(Token { kind, value, place });
    }
    Ok(found)
}
