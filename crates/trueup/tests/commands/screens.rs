//! Every screen that a person meets, whole: on 80 and 120 columns, without
//! colour, and with `--plain`. What stands in `screens/` was looked at;
//! `TRUEUP_BLESS=1` writes it anew.

mod errors;
mod gallery;
mod overnight;
mod proof;
mod setting_up;
mod tasks;
mod upkeep;
mod weak_proof;

use gallery::{FEWER_LOOKS, Gallery, LOOKS, Look, broken, file};
use std::fs;
use trueup_testkit::household::Household;

fn look_named(name: &str) -> &'static Look {
    LOOKS.iter().find(|look| look.name == name).expect("a look")
}

#[test]
fn screens_on_80_columns_are_as_they_were_looked_at() {
    assert_eq!(proof::screens(look_named("80")).join("\n\n"), "");
}

#[test]
fn screens_on_120_columns_are_as_they_were_looked_at() {
    assert_eq!(proof::screens(look_named("120")).join("\n\n"), "");
}

#[test]
fn plain_screens_are_as_they_were_looked_at_and_have_neither_colour_nor_marks() {
    let look = look_named("plain");
    assert_eq!(proof::screens(look).join("\n\n"), "");
    let folder = file("check", "plain");
    for entry in fs::read_dir(folder.parent().expect("a folder"))
        .expect("screens")
        .flatten()
    {
        let path = entry.path();
        if path.to_string_lossy().ends_with(".plain.txt") {
            let text = fs::read_to_string(&path).expect("a screen");
            assert!(text.is_ascii(), "{}: {text}", path.display());
        }
    }
}

#[test]
fn without_colour_the_screens_say_the_same() {
    assert_eq!(proof::screens(look_named("no-colour")).join("\n\n"), "");
}

/// What differs on either width, without colour or plainly.
fn in_every_look(screens: impl Fn(&Look) -> Vec<String>) -> String {
    let wrong: Vec<String> = FEWER_LOOKS.iter().flat_map(screens).collect();
    wrong.join("\n\n")
}

#[test]
fn screens_of_setting_up_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(setting_up::screens), "");
}

#[test]
fn screens_of_trust_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(setting_up::trusting), "");
}

#[test]
fn screens_of_agents_and_of_doctor_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(setting_up::looking_round), "");
    assert_eq!(in_every_look(setting_up::not_set_up), "");
}

#[test]
fn screens_of_tasks_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(tasks::screens), "");
}

#[test]
fn screens_of_answers_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(tasks::answering), "");
}

#[test]
fn screens_of_runs_overnight_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(overnight::screens), "");
}

#[test]
fn screens_of_weak_proof_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(weak_proof::screens), "");
}

#[test]
fn screens_of_upkeep_are_as_they_were_looked_at() {
    let household = upkeep::household();
    assert_eq!(in_every_look(|look| upkeep::screens(&household, look)), "");
}

#[test]
fn screens_of_errors_are_as_they_were_looked_at() {
    assert_eq!(in_every_look(errors::screens), "");
}

#[test]
fn a_screen_that_differs_is_found() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let mut gallery = Gallery::new(&household, look_named("no-colour"));
    // Another command than the one whose screen was kept.
    gallery.ends("check", "status");
    assert_eq!(gallery.wrong.len(), 1, "{:?}", gallery.wrong);
    let painted = Look {
        name: "no-colour",
        columns: 80,
        flag: " --color always",
        variables: &["NO_COLOR=1"],
    };
    let mut coloured = Gallery::new(&household, &painted);
    coloured.ends("check", "check T-001");
    let screen = "one two thr\nee four";
    assert_eq!(broken(screen, "one two three four"), ["one two thr|ee four"]);
    assert_eq!(broken(screen, screen), Vec::<String>::new());
    assert!(
        coloured.wrong.iter().any(|wrong| wrong == "check is coloured"),
        "{:?}",
        coloured.wrong
    );
}
