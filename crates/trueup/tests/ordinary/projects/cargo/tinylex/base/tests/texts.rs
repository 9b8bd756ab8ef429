mod common;

use common::{gives, refused, token};
use tinylex::Kind::*;

#[test]
fn escapes_stand_for_characters() {
    gives(r#""a\nb""#, &[token(Text, "a\nb", 1, 1)]);
    gives(r#""\t\"\\""#, &[token(Text, "\t\"\\", 1, 1)]);
    gives(r#""\\n" x"#, &[token(Text, "\\n", 1, 1), token(Word, "x", 1, 7)]);
}

#[test]
fn a_text_ends_at_the_first_quote_that_is_not_escaped() {
    gives(r#""a\\"b"#, &[token(Text, "a\\", 1, 1), token(Word, "b", 1, 6)]);
    gives(r#" "" "b\"""#, &[token(Text, "", 1, 2), token(Text, "b\"", 1, 5)]);
}

#[test]
fn no_comment_in_a_text() {
    gives("\"a # b\" c # d", &[token(Text, "a # b", 1, 1), token(Word, "c", 1, 9)]);
}

#[test]
fn open_texts_are_refused() {
    refused("a \"bc", 1, 3);
    refused("a\n \"b\n c\"", 2, 2);
    refused(r#"x "b\""#, 1, 3);
}

#[test]
fn other_escapes_are_refused() {
    refused(r#""a\q""#, 1, 3);
    refused("b\n \"\u{e9}\\n\\0\"", 2, 6);
}
