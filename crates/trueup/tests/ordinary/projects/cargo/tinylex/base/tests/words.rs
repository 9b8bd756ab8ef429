use tinylex::{tokens, Kind};

fn kinds(source: &str) -> Vec<(Kind, String)> {
    tokens(source).unwrap().into_iter().map(|token| (token.kind, token.value)).collect()
}

#[test]
fn words_numbers_and_signs() {
    let want = [(Kind::Word, "sum_2"), (Kind::Sign, "="), (Kind::Number, "12"), (Kind::Sign, "+"), (Kind::Word, "x")];
    assert_eq!(kinds("sum_2 = 12+x"), want.map(|(kind, value)| (kind, value.to_string())));
}

#[test]
fn a_plain_text() {
    assert_eq!(kinds("\"two words\""), [(Kind::Text, "two words".to_string())]);
}

#[test]
fn nothing() {
    assert_eq!(kinds(" \n\t"), []);
}

#[test]
fn other_signs_are_refused() {
    assert_eq!(tokens("?").unwrap_err().to_string(), "1:1: '?' begins no token");
}
