//! Command lines become words, or are refused.

use proptest::prelude::*;
use trueup_inspect::argv::{WordProblem, words};

#[test]
fn a_plain_line_splits_like_in_a_shell() {
    for (line, expected) in [
        ("cargo test", &["cargo", "test"][..]),
        ("  cargo \t test  ", &["cargo", "test"]),
        ("echo 'a b' \"c d\"", &["echo", "a b", "c d"]),
        ("echo a'b'c\"d\"e", &["echo", "abcde"]),
        (r"echo a\ b \'", &["echo", "a b", "'"]),
        ("echo '' \"\"", &["echo", "", ""]),
        (r#"echo "a\"b" "a\nb" "\$x""#, &["echo", "a\"b", "a\\nb", "$x"]),
        ("echo '$x `y` | z'", &["echo", "$x `y` | z"]),
        ("cargo test --flag=value", &["cargo", "test", "--flag=value"]),
        ("git diff HEAD~1 a#b", &["git", "diff", "HEAD~1", "a#b"]),
        ("xargs -I {} echo {x}", &["xargs", "-I", "{}", "echo", "{x}"]),
        ("echo hi! a!b ]", &["echo", "hi!", "a!b", "]"]),
        ("./a-b=c", &["./a-b=c"]),
        ("'A=1' x", &["A=1", "x"]),
        (r"grep \* '?' '{a,b}' \~ '#'", &["grep", "*", "?", "{a,b}", "~", "#"]),
        (
            "bash -o pipefail -c 'a | b'",
            &["bash", "-o", "pipefail", "-c", "a | b"],
        ),
        ("echo äöü ✓", &["echo", "äöü", "✓"]),
    ] {
        assert_eq!(
            words(line).as_deref(),
            Ok(&expected.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
            "{line}"
        );
    }
}

#[test]
fn what_only_a_shell_understands_is_refused() {
    for (line, character) in [
        ("a | b", '|'),
        ("a && b", '&'),
        ("a; b", ';'),
        ("a < b", '<'),
        ("a 2>&1", '>'),
        ("(a)", '('),
        ("a )", ')'),
        ("echo $HOME", '$'),
        ("echo \"$HOME\"", '$'),
        ("echo `x`", '`'),
        ("echo \"`x`\"", '`'),
        ("ls *.rs", '*'),
        ("ls ?", '?'),
        ("ls a[1]", '['),
        ("ls ~/x", '~'),
        ("a # comment", '#'),
        ("! a", '!'),
        ("echo {a,b}", '{'),
        ("echo {1..3}", '{'),
        ("a\nb", '\n'),
    ] {
        let problem = words(line).expect_err(line);
        assert_eq!(problem, WordProblem::Shell(character), "{line}");
        assert!(
            problem.hint().is_some_and(|hint| hint.contains("bash -o pipefail -c")),
            "{line}"
        );
    }
}

#[test]
fn a_variable_before_the_command_is_refused() {
    assert_eq!(
        words("RUST_LOG=x cargo test"),
        Err(WordProblem::Assignment("RUST_LOG".into()))
    );
    assert_eq!(words("A='x' b"), Err(WordProblem::Assignment("A".into())));
}

#[test]
fn a_line_without_end_or_without_words_is_refused() {
    for (line, problem) in [
        ("", WordProblem::Empty),
        ("  ", WordProblem::Empty),
        ("''", WordProblem::Empty),
        ("echo 'a", WordProblem::Unbalanced('\'')),
        ("echo \"a", WordProblem::Unbalanced('"')),
        ("echo \"a\\", WordProblem::Unbalanced('"')),
        ("echo \\", WordProblem::LoneBackslash),
        ("echo '\0'", WordProblem::Unprintable('\0')),
        ("echo a\u{1b}", WordProblem::Unprintable('\u{1b}')),
    ] {
        assert_eq!(words(line), Err(problem), "{line:?}");
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn escaped(word: &str) -> String {
    let inside: String = word
        .chars()
        .flat_map(|c| {
            matches!(c, '$' | '`' | '"' | '\\')
                .then_some('\\')
                .into_iter()
                .chain([c])
        })
        .collect();
    format!("\"{inside}\"")
}

#[test]
fn the_round_trip_catches_a_splitter_that_ignores_quotes() {
    let naive: Vec<&str> = "'a b'".split(' ').collect();
    assert_ne!(naive, ["a b"]);
    assert_eq!(words(&quoted("a b")), Ok(vec!["a b".to_owned()]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quoted_words_come_back_as_they_were(wanted in prop::collection::vec("[^\0]{1,12}", 1..6)) {
        let line: Vec<String> = wanted.iter().map(|word| quoted(word)).collect();
        prop_assert_eq!(words(&line.join(" ")), Ok(wanted.clone()));
        let line: Vec<String> = wanted.iter().map(|word| escaped(word)).collect();
        prop_assert_eq!(words(&line.join("\t")), Ok(wanted));
    }

    #[test]
    fn an_accepted_line_means_the_same_to_a_shell(line in "[a-c '\"=~#!{}.,/\\\\-]{0,24}") {
        if let Ok(words) = words(&line) {
            let shell = std::process::Command::new("/bin/bash")
                .args(["--norc", "-c", &format!("printf '%s\\0' {line}")])
                .output()
                .expect("bash runs");
            let printed = String::from_utf8(shell.stdout).expect("text");
            let seen: Vec<&str> = printed.split_terminator('\0').collect();
            prop_assert_eq!(seen, words, "{}", line);
        }
    }
}
