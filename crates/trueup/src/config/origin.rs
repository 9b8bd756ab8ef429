//! Which layer set which key, where it stands, and how to set one without
//! touching anything beside it.

use super::{
    Config, REPOSITORY_LAYERS,
    layer::{Layer, is_persons_own, text_of},
    of_its_owner,
};
use crate::exit::{Exit, Failure};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use toml_edit::{Document, DocumentMut, Item, TableLike, Value};

/// One key that is set.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// Its parts, joined by dots.
    pub(crate) key: String,
    /// Its value, as TOML.
    pub(crate) value: String,
    /// Who set it.
    pub(crate) layer: Who,
    /// In which file, unless it is built in.
    pub(crate) file: Option<PathBuf>,
    /// On which line, from 1.
    pub(crate) line: Option<usize>,
}

/// Who can set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// It is built in.
    BuiltIn,
    /// The person, everywhere.
    User,
    /// The repository.
    Repository,
    /// The person, in this repository.
    Local,
}

impl Who {
    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built_in",
            Self::User => "user",
            Self::Repository => "repository",
            Self::Local => "local",
        }
    }
}

impl Setting {
    /// Where it was set, for people.
    pub(crate) fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{}:{line}", file.display()),
            (Some(file), None) => file.display().to_string(),
            (None, _) => "built in".into(),
        }
    }

    /// The value for programs.
    pub(crate) fn json(&self) -> serde_json::Value {
        let table: Option<toml::Table> = toml::from_str(&format!("value = {}", self.value)).ok();
        let value = table.and_then(|mut table| table.remove("value"));
        serde_json::to_value(value).unwrap_or_default()
    }
}

/// The files that may set something here.
pub(crate) struct Layers {
    /// The checkout, which some keys name files of.
    checkout: PathBuf,
    /// The person's own.
    pub(crate) user: Option<PathBuf>,
    /// The repository's, later ones winning.
    pub(crate) repository: Vec<PathBuf>,
}

impl Layers {
    /// Those of this checkout; without one, the person's own alone.
    pub(crate) fn of(checkout: Option<&Path>, user: Option<PathBuf>) -> Self {
        let named = |checkout: &Path| REPOSITORY_LAYERS.map(|name| checkout.join(name)).to_vec();
        Self {
            checkout: checkout.unwrap_or(Path::new("/")).to_owned(),
            user,
            repository: checkout.map(named).unwrap_or_default(),
        }
    }

    fn all(&self) -> Vec<&Path> {
        let files = self.user.iter().chain(&self.repository);
        files.map(PathBuf::as_path).collect()
    }
}

/// Every key that is set, by name, each as the last layer says it.
pub(crate) fn settings(checkout: &Path, user_layer: Option<&Path>) -> Result<Vec<Setting>, Failure> {
    let mut settings = BTreeMap::new();
    read(include_str!("default.toml"), (Who::BuiltIn, None), &mut settings)?;
    let [repository, local] = REPOSITORY_LAYERS.map(|name| checkout.join(name));
    let user = user_layer.map(|path| (Who::User, path.to_owned()));
    let layers = user
        .into_iter()
        .chain([(Who::Repository, repository), (Who::Local, local)]);
    for (who, path) in layers {
        if let Some(text) = text_of(&path)? {
            let shown = path.strip_prefix(checkout).unwrap_or(&path).to_owned();
            read(&text, (who, Some(shown)), &mut settings)?;
        }
    }
    Ok(settings.into_values().collect())
}

/// The keys of one file, over those of the files before it.
fn read(
    text: &str,
    (who, file): (Who, Option<PathBuf>),
    settings: &mut BTreeMap<String, Setting>,
) -> Result<(), Failure> {
    let document = Document::parse(text).map_err(Failure::unexpected)?;
    let mut found = Vec::new();
    leaves("", document.as_table(), &mut found);
    for (key, value, start) in found {
        let line = start.map(|start| text.get(..start).unwrap_or_default().matches('\n').count() + 1);
        let setting = Setting {
            value,
            layer: who,
            file: file.clone(),
            line,
            key: key.clone(),
        };
        // Packs of all layers count, so each layer's are a setting of their own.
        let place = match key.as_str() {
            "rules.packs" => format!("{key} {}", who.word()),
            _ => key,
        };
        settings.insert(place, setting);
    }
    Ok(())
}

/// Every value below a table, with its dotted key and where it begins.
fn leaves(prefix: &str, table: &dyn TableLike, found: &mut Vec<(String, String, Option<usize>)>) {
    for (name, item) in table.iter() {
        let name = toml_edit::Key::new(name).display_repr().into_owned();
        let key = if prefix.is_empty() {
            name
        } else {
            format!("{prefix}.{name}")
        };
        match item.as_table_like() {
            Some(inner) => leaves(&key, inner, found),
            None => {
                let value = item.as_value().map(plain).unwrap_or_default();
                found.push((key, value, item.span().map(|span| span.start)));
            }
        }
    }
}

/// A value without the spaces and comments round it.
fn plain(value: &Value) -> String {
    value.clone().decorated("", "").to_string().trim().to_owned()
}

/// Sets a key in a file, which is made if need be. What would not be valid is
/// refused, and then nothing is changed. Answers the value as TOML.
pub(crate) fn set(path: &Path, key: &str, text: &str, layers: &Layers) -> Result<String, Failure> {
    let before = text_of(path)?.unwrap_or_default();
    let parts = toml_edit::Key::parse(key)
        .map_err(|_| Failure::new(Exit::Usage, format!("`{key}` is not a key")).next("trueup config show"))?;
    let parts: Vec<&str> = parts.iter().map(toml_edit::Key::get).collect();
    let with = |value: Value| {
        let mut document: DocumentMut = before.parse().map_err(Failure::unexpected)?;
        put(document.as_item_mut(), &parts, value)
            .ok_or_else(|| Failure::new(Exit::Usage, format!("a part of `{key}` is a value, not a table")))?;
        let after = document.to_string();
        valid(path, &after, layers).map(|()| after)
    };
    let as_toml: Option<Value> = text.parse().ok();
    // `true` may be a switch or the name of a program; the key knows which.
    let candidates = as_toml.into_iter().chain([Value::from(text)]);
    let mut refused = None;
    for value in candidates {
        let said = plain(&value);
        match with(value) {
            Ok(after) => {
                replace(path, &after)?;
                return Ok(said);
            }
            // The first refusal is about the key, or about the likelier reading.
            Err(failure) => refused = refused.or(Some(failure)),
        }
    }
    let why = refused.map(|failure| failure.what).unwrap_or_default();
    let list = Value::from_iter([text]);
    let next = if is_persons_own(key) {
        typed(key, text, &["--user"])
    } else if with(list.clone()).is_ok() {
        typed(key, &plain(&list), &[])
    } else {
        "trueup config show".to_owned()
    };
    Err(Failure::new(Exit::Usage, format!("nothing was changed: {why}")).next(next))
}

/// The command that sets a key.
pub(crate) fn typed(key: &str, value: &str, flags: &[&str]) -> String {
    let words = ["trueup", "config", "set", key, value];
    let words = words.iter().chain(flags);
    let words: Vec<String> = words.map(|word| (*word).to_owned()).collect();
    trueup_inspect::argv::line(&words)
}

fn put(item: &mut Item, parts: &[&str], value: Value) -> Option<()> {
    let (first, rest) = parts.split_first()?;
    let table = item.as_table_like_mut()?;
    if rest.is_empty() {
        let decor = table.get(first).and_then(Item::as_value).map(|old| old.decor().clone());
        let mut value = value;
        if let Some(decor) = decor {
            *value.decor_mut() = decor;
        }
        table.insert(first, Item::Value(value));
        return Some(());
    }
    if table.get(first).is_none() {
        let mut inner = toml_edit::Table::new();
        // Only the innermost table needs a heading of its own.
        inner.set_implicit(rest.len() > 1);
        table.insert(first, Item::Table(inner));
    }
    put(table.get_mut(first)?, rest, value)
}

/// Whether every layer together is a configuration, with this text in this
/// file: as they are laid, and with this one on top, lest a later layer hide
/// what is wrong with it until that layer is gone.
fn valid(path: &Path, text: &str, layers: &Layers) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let user = layers.user.as_deref();
    let as_laid = layers.all();
    let on_top = [as_laid.as_slice(), &[path]].concat();
    for order in [as_laid, on_top] {
        let mut merged = Layer::built_in()?;
        for file in order {
            let layer = match file == path {
                true => Some(Layer::parse(text, &name)?),
                false => Layer::at(file, Path::new(""))?,
            };
            let Some(layer) = layer else { continue };
            merged.merge(of_its_owner(layer, file, user)?);
        }
        Config::of(merged, &layers.checkout)?;
    }
    Ok(())
}

/// Puts the new text in the old one's place in one step, with its permissions.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut aside = path.as_os_str().to_owned();
    aside.push(".new");
    fs::write(&aside, text)?;
    if let Ok(old) = fs::metadata(path) {
        fs::set_permissions(&aside, old.permissions())?;
    }
    Ok(fs::rename(&aside, path)?)
}
