mod common;

use common::{gives, refused, token};
use tinylex::{tokens, Kind::*};

#[test]
fn columns_on_one_line() {
    gives("a = 12", &[token(Word, "a", 1, 1), token(Sign, "=", 1, 3), token(Number, "12", 1, 5)]);
    gives("  ab+\t7", &[token(Word, "ab", 1, 3), token(Sign, "+", 1, 5), token(Number, "7", 1, 7)]);
}

#[test]
fn lines() {
    gives("a\n\n  b\nc", &[token(Word, "a", 1, 1), token(Word, "b", 3, 3), token(Word, "c", 4, 1)]);
}

#[test]
fn columns_count_characters() {
    gives("größe=\"äö\";x", &[
        token(Word, "größe", 1, 1),
        token(Sign, "=", 1, 6),
        token(Text, "äö", 1, 7),
        token(Sign, ";", 1, 11),
        token(Word, "x", 1, 12),
    ]);
}

#[test]
fn comments_are_passed_over() {
    gives("# all\na # b \"c\n#\n d", &[token(Word, "a", 2, 1), token(Word, "d", 4, 2)]);
    gives("a#", &[token(Word, "a", 1, 1)]);
}

#[test]
fn refusals_have_a_place() {
    refused("a\n b ?", 2, 4);
    refused("# ?\n\"é\" ?", 2, 5);
}

#[test]
fn program() {
    let got = tokens(include_str!("data/program.tiny")).unwrap();
    let lines: Vec<String> = got
        .iter()
        .map(|token| format!("{}:{} {:?} {:?}", token.place.line, token.place.column, token.kind, token.value))
        .collect();
    let want: Vec<&str> = include_str!("data/program.tokens").lines().collect();
    assert_eq!(lines, want);
}
