//! `trueup man`: man pages, written from the same flags as the help.

use crate::{
    args::{Arguments, Global, Man},
    exit::{Exit, Failure},
    render,
};
use clap::CommandFactory;
use std::fs;

/// Prints the page of trueup, or writes one page per command into a folder.
pub(crate) fn man(man: &Man, global: &Global) -> Result<Exit, Failure> {
    let command = Arguments::command().disable_help_subcommand(true);
    let Some(folder) = &man.into else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        render::line(String::from_utf8_lossy(&page).trim_end());
        return Ok(Exit::Verified);
    };
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)?;
    let pages = fs::read_dir(folder)?.flatten();
    let names = pages.filter_map(|page| page.file_name().into_string().ok());
    let mut written: Vec<String> = names
        .filter(|name| name.starts_with("trueup") && name.ends_with(".1"))
        .collect();
    written.sort();
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "written": written }))?;
    } else {
        let folder = folder.display();
        render::line(&format!("Wrote trueup.1 and a page for every command into {folder}."));
        render::next(&["man trueup"]);
    }
    Ok(Exit::Verified)
}
