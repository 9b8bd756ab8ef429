//! Help that helps: every command says what it does and shows itself typed.

use trueup_testkit::household::Household;

#[test]
fn the_help_of_every_command_has_an_example() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "");
    let whole = household.trueup(&["--help"]).stdout;
    let (_, listed) = whole.split_once("Commands:\n").expect("a list of commands");
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let commands: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(commands.len(), 30, "{commands:?}");
    for command in commands.iter().filter(|command| **command != "help") {
        let help = household.trueup(&[command, "--help"]);
        assert_eq!(help.code, 0, "{command}");
        let example = format!("\n  trueup {command}");
        assert!(help.stdout.contains(&example), "{command}:\n{}", help.stdout);
        assert!(help.stdout.lines().count() < 45, "{command}:\n{}", help.stdout);
    }
}

#[test]
fn a_mistyped_command_is_wrong_usage_and_named() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "");
    let ended = household.trueup(&["chekc"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("'check'"), "{ended:#?}");
}
