//! Hidden checks: they judge, and no agent reads a word of them.

use crate::place::Place;
use trueup_testkit::household::scale;

/// A word that stands in every hidden thing and nowhere else.
const CANARY: &str = "canary-4b1d-of-what-is-hidden";

/// An agent that saves what it is told, looks for the word everywhere it can,
/// plants it afterwards to show that its search finds it, and works in its
/// second turn. The word is put together so that the script does not hold it.
const SEARCHER: &str = r#"
word="canary-4b1d"; word="$word-of-what-is-hidden"
cat > "$SIDE/stdin.$TRUEUP_TURN"
cp "$TRUEUP_PROMPT_FILE" "$SIDE/prompt.$TRUEUP_TURN"
search() {
    find / \( -path /proc -o -path /sys -o -path /dev -o -path "$SIDE" $1 \) -prune -o -type f -print0 2>/dev/null |
        xargs -0 grep -lsaF -e "$word"
    find / -name "*$word*" -not -path "/proc/*" -not -path "/usr/*" -not -path "$SIDE/*" 2>/dev/null
    git cat-file --batch-all-objects --batch --unordered 2>/dev/null | grep -saF -e "$word" && echo objects
    for object in $(git rev-list --all --reflog 2>/dev/null); do git show "$object"; done | grep -saF -e "$word" && echo history
    env | grep -aF -e "$word" && echo environment
    for process in /proc/[0-9]*; do
        cat "$process/environ" "$process/mountinfo" "$process/maps" 2>/dev/null | grep -saF -e "$word" && echo "$process"
        case "$process" in */$$) ;; *) tr '\0' ' ' < "$process/cmdline" 2>/dev/null | grep -v grep | grep -saF -e "$word" && echo "$process";; esac
        for file in "$process"/fd/*; do [ -f "$file" ] && grep -saF -e "$word" "$file" && echo "$file"; done
    done
    true
}
search "$LEFT_OUT" > "$SIDE/found.$TRUEUP_TURN" 2>/dev/null
echo "$word" > "$HOME/planted"
object=$(echo "$word" | git hash-object -w --stdin)
search "-o -path /usr -o -path /opt -o -path /nix" > "$SIDE/planted.$TRUEUP_TURN" 2>/dev/null
rm -f "$HOME/planted" ".git/objects/$(echo "$object" | cut -c 1-2)/$(echo "$object" | cut -c 3-)"
[ "$TRUEUP_TURN" = 1 ] || echo 'echo hello' > greet.sh
"#;

const EDGES: &str = "#!/bin/sh\n# canary-4b1d-of-what-is-hidden\ncat tasks/hidden/T-001/words.txt\n\
                     cat tasks/hidden/T-001/words.txt >&2\nsh greet.sh | grep -qx hello\n";

#[test]
fn no_agent_reads_a_word_of_what_is_hidden() {
    // The system's own folders are the host's and large; they are searched in full size only.
    let left_out = if scale() >= 10 {
        ""
    } else {
        "-o -path /usr -o -path /opt -o -path /nix"
    };
    let files = [("greet.sh", "echo bye\n"), ("tasks/.gitignore", "hidden/\n")];
    let place = Place::new(&files, &format!("LEFT_OUT='{left_out}'\n{SEARCHER}"));
    place.household.commit("A greeting");
    place.hide("tasks", "edges.sh", EDGES);
    place.hide("tasks", "words.txt", &format!("{CANARY}\n"));
    // The task lies in the checkout alone, so its hidden command is as hidden as the files are.
    place.household.task(
        "T-001",
        &format!(
            "---\nv: 1\nid: T-001\ntitle: Greet\n---\n\n## Acceptance criteria\n\n\
             - [ ] **AC-1** It says hello, at the edges too.\n  - verify hidden: edges.sh\n\
             - [ ] **AC-2** It says hello.\n  - verify hidden: `sh -c 'echo {CANARY}; sh greet.sh | grep -qx hello'`\n"
        ),
    );
    let run = place.household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    let show = place.household.show("T-001");
    assert_eq!(show["turns"], 2, "{show:#}");
    for turn in [1, 2] {
        let found = place.left(&format!("found.{turn}")).expect("a search");
        assert_eq!(found, "", "turn {turn} found what is hidden");
        let planted = place.left(&format!("planted.{turn}")).expect("a search");
        assert!(
            planted.contains("/planted\n") && planted.contains("objects\n"),
            "turn {turn} would not have found it: {planted:?}"
        );
        let prompt = place.left(&format!("prompt.{turn}")).expect("a prompt");
        assert_eq!(Some(&prompt), place.left(&format!("stdin.{turn}")).as_ref());
        assert!(!prompt.contains(CANARY) && !prompt.contains("edges.sh"), "{prompt}");
        for told in [
            "- AC-1 (not met): It says hello, at the edges too.\n",
            "- AC-2 (not met): It says hello.\n",
        ] {
            assert!(prompt.contains(told), "{prompt}");
        }
    }
    assert!(show["criteria"].as_array().is_some_and(|all| all.len() == 2));
    for criterion in show["criteria"].as_array().into_iter().flatten() {
        let digest = criterion["evidence"][0]["stdout"]["digest"].as_str().expect("a digest");
        let printed = place.household.trueup(&["log", "T-001", "--blob", digest]).stdout;
        assert!(
            printed.contains(CANARY),
            "the check itself ran with what is hidden: {printed:?}"
        );
    }
    let transcript = place.household.trueup(&["log", "T-001", "--turn", "2"]).stdout;
    assert!(!transcript.contains(CANARY), "{transcript}");
    let files = place.household.git(&["ls-tree", "-r", "--name-only", "trueup/T-001"]);
    assert!(!files.contains("tasks/hidden"), "{files}");
}
