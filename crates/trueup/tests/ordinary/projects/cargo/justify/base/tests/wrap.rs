use justify::wrap;

#[test]
fn breaks_between_words() {
    assert_eq!(wrap("the quick brown fox", 10), ["the quick", "brown fox"]);
}

#[test]
fn long_words_stand_alone() {
    assert_eq!(wrap("a extraordinary b", 5), ["a", "extraordinary", "b"]);
}

#[test]
fn nothing_gives_no_lines() {
    assert!(wrap("  ", 5).is_empty());
}
