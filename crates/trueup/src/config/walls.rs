//! What configuration says of walls: the mode, services, sockets.

use super::layer::{Layer, RawBeside};
use crate::exit::{Exit, Failure};
use std::{collections::BTreeMap, path::Path};
use trueup_core::criterion::Service;
use trueup_engine::sandbox::Mode;

/// Refuses what a repository may not decide: the wall round its own commands,
/// and what counts as proof of them.
pub(super) fn refuse_in_repository(layer: &Layer, path: &Path, user_layer: Option<&Path>) -> Result<(), Failure> {
    let Some((table, key, why)) = layer.persons_own() else {
        return Ok(());
    };
    let own = user_layer.map_or("the file config.toml of your own".into(), |path| {
        path.display().to_string()
    });
    Err(Failure::new(
        Exit::Usage,
        format!(
            "{}: `[{table}] {key}` is not for a repository to decide: {why}. Remove it there, and put it into {own}",
            path.display()
        ),
    ))
}

/// The command that puts a line into the user's own layer.
pub(crate) fn user_line(user_layer: Option<&Path>, line: &str) -> String {
    let path = user_layer.map_or("~/.config/trueup/config.toml".into(), |path| path.display().to_string());
    let folder = Path::new(&path).parent().unwrap_or(Path::new("."));
    format!(
        "mkdir -p {} && printf '[sandbox]\\n{line}\\n' >> {path}",
        folder.display()
    )
}

/// The mode of that name; the usual one where none is named.
pub(crate) fn mode(word: Option<&str>, place: &str) -> Result<Mode, Failure> {
    let Some(word) = word else {
        return Ok(Mode::default());
    };
    let known = Mode::ALL.into_iter().find(|mode| mode.word() == word);
    known.ok_or_else(|| {
        let words = Mode::ALL.map(Mode::word);
        let near = trueup_inspect::nearest::nearest(word, words);
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Failure::new(
            Exit::Usage,
            format!("{place}: `{word}` is none of `{}`{hint}", words.join("`, `")),
        )
    })
}

/// Every service by its name.
pub(super) fn services(raw: BTreeMap<String, RawBeside>) -> Result<BTreeMap<String, Service>, Failure> {
    let mut services = BTreeMap::new();
    for (name, raw) in raw {
        let read = service(&name, raw).map_err(|what| Failure::new(Exit::Usage, format!("[services.{name}] {what}")));
        services.insert(name.clone(), read?);
    }
    Ok(services)
}

fn service(name: &str, raw: RawBeside) -> Result<Service, String> {
    let words =
        |key: &str, line: &str| trueup_inspect::argv::words(line).map_err(|problem| format!("{key}: {problem}"));
    if raw.ready.is_none() && raw.port.is_none() {
        return Err("needs `ready = \"command\"` or `port = N`, so that it can be seen to be up".into());
    }
    Ok(Service {
        name: name.to_owned(),
        argv: words("run", &raw.run.ok_or("has no `run`")?)?,
        ready: raw.ready.map(|line| words("ready", &line)).transpose()?,
        port: raw.port,
    })
}

/// The services a check needs, in the order it names them.
pub(super) fn needed(needs: &[String], services: &BTreeMap<String, Service>) -> Result<Vec<Service>, String> {
    let find = |name: &String| {
        services.get(name).cloned().ok_or_else(|| {
            let near = trueup_inspect::nearest::nearest(name, services.keys().map(String::as_str));
            let hint = near.map_or_else(
                || format!("add a [services.{name}] table"),
                |near| format!("did you mean `{near}`?"),
            );
            format!("needs: there is no service `{name}`; {hint}")
        })
    };
    needs.iter().map(find).collect()
}

/// The sockets a check wants to reach.
pub(super) fn sockets(paths: Vec<String>) -> Result<Vec<String>, String> {
    match paths.iter().find(|path| !path.starts_with('/')) {
        Some(path) => Err(format!("sockets: `{path}` is not an absolute path")),
        None => Ok(paths),
    }
}
