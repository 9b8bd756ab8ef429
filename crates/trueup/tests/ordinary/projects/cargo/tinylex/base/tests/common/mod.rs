#![allow(dead_code)]

use tinylex::{tokens, Kind, Place, Token};

pub fn token(kind: Kind, value: &str, line: usize, column: usize) -> Token {
    Token { kind, value: value.to_string(), place: Place { line, column } }
}

/// Asserts that the source has these tokens.
pub fn gives(source: &str, want: &[Token]) {
    let got = tokens(source).unwrap();
    assert_eq!(got.len(), want.len(), "{source:?}: {got:?}");
    for (got, want) in got.iter().zip(want) {
        assert_eq!(got, want, "{source:?}");
    }
}

/// Asserts that the source is refused at this place.
pub fn refused(source: &str, line: usize, column: usize) {
    match tokens(source) {
        Ok(got) => panic!("{source:?} gives {got:?}"),
        Err(error) => assert_eq!(error.place, Place { line, column }, "{source:?}"),
    }
}
