//! What an agent may reach, as configuration files say it.

use trueup_testkit::household::Household;

/// How trueup takes an agent's table with these lines.
fn taken(lines: &str) -> Result<(), String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let table = format!("version = 1\n[agent.a]\nkind = \"command\"\ncommand = [\"sh\"]\n{lines}\n");
    household.file("trueup.toml", &table);
    let ended = household.trueup(&["config", "show"]);
    match ended.code {
        0 => Ok(()),
        2 => Err(ended.stderr),
        other => panic!("{other}: {ended:#?}"),
    }
}

#[test]
fn hosts_are_named_where_the_network_is_that_of_a_model() {
    for lines in [
        "network = \"model\"",
        "network = \"model\"\nreach = [\"a.example\", \"http://b.example:8080\"]\nregistries = [\"c.example:8443\"]",
        // A person who overrules the network leaves the repository's hosts without effect.
        "network = false\nreach = [\"a.example\"]",
        "network = true\nregistries = []",
    ] {
        assert_eq!(taken(lines), Ok(()), "{lines}");
    }
    for (lines, why) in [
        ("network = \"modal\"", "expected true, false or \"model\""),
        ("reach = [\"a.example\"]", "count only with `network = \"model\"`"),
        (
            "network = \"model\"\nreach = [\"*.example\"]",
            "`*.example` is not a host",
        ),
        (
            "network = \"model\"\nregistries = [\"a.example/path\"]",
            "`a.example/path` is not a host",
        ),
        (
            "network = \"model\"\nreach = [\"http://localhost:80\"]",
            "the machine itself",
        ),
        (
            "network = \"model\"\nreach = [\"http://127.0.0.9:1\"]",
            "the machine itself",
        ),
        (
            "network = \"model\"\nreach = [\"http://0.0.0.0:8765\"]",
            "the machine itself",
        ),
        (
            "network = \"model\"\nreach = [\"http://[::]:8765\"]",
            "the machine itself",
        ),
        (
            "network = \"model\"\nregistries = [\"http://[::ffff:0.0.0.0]:8765\"]",
            "the machine itself",
        ),
    ] {
        let said = taken(lines).expect_err(lines);
        assert!(said.contains(why), "{lines}: {said}");
    }
}
