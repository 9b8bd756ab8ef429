//! `trueup config`: which keys are set, by whom, and how to set one.

use crate::{
    args::{ConfigCommand, ConfigSet, Global},
    config::{self, Layers, Setting},
    exit::{Exit, Failure},
    project::{Project, environment, user_layer},
    render,
};
use std::path::PathBuf;

/// Shows the configuration, or changes it.
pub(crate) fn config(arguments: &ConfigCommand, global: &Global) -> Result<Exit, Failure> {
    match arguments {
        ConfigCommand::Show(show) => {
            let project = Project::find_or_nowhere(&global.folder)?;
            let settings = config::settings(&project.checkout, user_layer(&project.environment).as_deref())?;
            let manner = if show.origin {
                ConfigView::WithOrigin
            } else {
                ConfigView::Plain
            };
            self::show(&settings, manner, global)
        }
        ConfigCommand::Set(set) => self::set(set, global),
    }
}

/// How keys are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConfigView {
    /// With who set each.
    WithOrigin,
    /// Alone.
    Plain,
}

fn show(settings: &[Setting], manner: ConfigView, global: &Global) -> Result<Exit, Failure> {
    if global.json {
        let keys = settings.iter().map(|setting| {
            serde_json::json!({
                "key": setting.key, "value": setting.json(), "layer": setting.layer.word(),
                "file": setting.file, "line": setting.line,
            })
        });
        render::json(&serde_json::json!({ "v": 1, "keys": keys.collect::<Vec<_>>() }))?;
        return Ok(Exit::Verified);
    }
    let assigned: Vec<String> = settings
        .iter()
        .map(|setting| format!("{} = {}", setting.key, setting.value))
        .collect();
    let width = assigned
        .iter()
        .map(|text| text.chars().count())
        .filter(|width| *width <= WIDEST)
        .max();
    let width = width.unwrap_or_default();
    for (assigned, setting) in assigned.iter().zip(settings) {
        match manner {
            ConfigView::WithOrigin => render::line(&format!("{assigned:<width$}  # {}", setting.place())),
            ConfigView::Plain => render::line(assigned),
        }
    }
    Ok(Exit::Verified)
}

/// A longer line moves its own comment, and nobody else's.
const WIDEST: usize = 60;

fn set(set: &ConfigSet, global: &Global) -> Result<Exit, Failure> {
    let (path, project) = target(set, global)?;
    let trusted = match &project {
        Some(project) => project.is_trusted()?,
        None => false,
    };
    let checkout = project.as_ref().map(|project| project.checkout.as_path());
    let layers = Layers::of(checkout, user_layer(&environment()));
    let value = config::set(&path, &set.key, &set.value, &layers)?;
    // Whoever could run what stood there may run what they have just typed.
    if trusted {
        Project::find(&global.folder)?.trust()?;
    }
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "key": set.key, "value": value, "file": path }))?;
    } else {
        render::line(&format!("{} = {value}, in {}", set.key, path.display()));
        if project.is_some() && !trusted {
            render::next(&["trueup trust"]);
        }
    }
    Ok(Exit::Verified)
}

/// The file to be changed, and the repository where there is one.
fn target(set: &ConfigSet, global: &Global) -> Result<(PathBuf, Option<Project>), Failure> {
    let project = Project::find(&global.folder);
    if set.user {
        let path = user_layer(&environment()).ok_or_else(|| {
            let what = "your own configuration has no place: neither HOME nor XDG_CONFIG_HOME is set";
            Failure::new(Exit::Usage, what)
        })?;
        return Ok((path, project.ok()));
    }
    let project = project.map_err(|failure| failure.next(config::typed(&set.key, &set.value, &["--user"])))?;
    let name = if set.local { "trueup.local.toml" } else { "trueup.toml" };
    Ok((project.checkout.join(name), Some(project)))
}
