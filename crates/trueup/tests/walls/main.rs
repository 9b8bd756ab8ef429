//! Walls a person can choose: what each keeps, what every view says of it, and
//! what `doctor` says where one cannot stand.

#[cfg(test)]
mod doctor;
#[cfg(test)]
mod life;
#[cfg(test)]
mod modes;

use trueup_testkit::household::Household;

const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// The greeting household, behind the wall of this name.
#[cfg(test)]
fn greeting(mode: &str) -> Household {
    Household::greeting(TRUEUP).with_variable("TRUEUP_SANDBOX", mode)
}

/// Writes the person's own configuration.
#[cfg(test)]
fn user_layer(household: &Household, text: &str) -> String {
    let path = household.home().join(".config/trueup/config.toml");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(&path, text).expect("the user's layer");
    path.display().to_string()
}

/// Puts more behind the repository's own configuration.
#[cfg(test)]
fn repository_layer(household: &Household, more: &str) {
    let path = household.checkout().join("trueup.toml");
    let there = std::fs::read_to_string(&path).expect("a configuration");
    household.file("trueup.toml", &format!("{there}\n{more}"));
}
