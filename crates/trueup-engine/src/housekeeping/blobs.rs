//! Bodies that nobody will ask for. Erasing one leaves its digest in the
//! evidence that names it, and the evidence as valid as it was.

use super::{AN_HOUR, Housekeeping, KnownRun, Liveness, Removal, Removed, below};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

/// How long a body that no run names may be on its way into a journal.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How a body is called while it is looked at for the last time.
const ERASING: &str = ".erasing-";

impl Housekeeping {
    /// Erases bodies that only runs name which have been over for long, and
    /// bodies that no run names. Never one that was stored or wanted again
    /// within the last hour: its event may be on its way into the journal.
    pub(super) fn bodies(&self, runs: &[KnownRun]) -> io::Result<Removed> {
        let mut freed = Removed::none("bodies");
        let Some(needed) = self.needed(runs)? else {
            return Ok(freed);
        };
        let last_named = last_named(runs);
        for entry in below(&self.state.blobs()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let old_enough = match last_named.get(name.as_str()) {
                Some(over) => self.is_past(*over, self.kept_for) && self.is_older(&entry.path(), AN_HOUR),
                None => self.is_older(&entry.path(), self.kept_for.max(A_DAY)),
            };
            if old_enough && !needed.contains(&name) {
                self.erase(&entry.path(), &name, &mut freed);
            }
        }
        Ok(freed)
    }

    /// Everything unfinished runs name, in their events or their spools. `None`
    /// if a record went meanwhile: its event is kept by now, and what it names
    /// is not among what was read of the journal.
    fn needed(&self, runs: &[KnownRun]) -> io::Result<Option<BTreeSet<String>>> {
        let mut needed = BTreeSet::new();
        for known in runs.iter().filter(|known| known.liveness == Liveness::Unfinished) {
            needed.extend(known.names.iter().map(|digest| digest.as_str().to_owned()));
            for entry in below(&self.state.run(&known.run).join("spool")) {
                let record = match fs::read(entry.path()) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    record => serde_json::from_slice(&record?),
                };
                collect(&record.unwrap_or(Value::Null), &mut needed);
            }
        }
        Ok(Some(needed))
    }

    /// Whoever stores a body that is here touches it and then looks whether
    /// it is still under its name. So it is taken out of the way first, and
    /// put back if it was touched meanwhile.
    fn erase(&self, path: &Path, name: &str, freed: &mut Removed) {
        if self.removal == Removal::Tried {
            freed.take(self, path);
            return;
        }
        let aside = path.with_file_name(format!("{ERASING}{}", name.trim_start_matches(ERASING)));
        if path != aside && fs::rename(path, &aside).is_err() {
            return;
        }
        if self.is_older(&aside, AN_HOUR) {
            freed.take(self, &aside);
        } else {
            // One that cannot be put back is stored anew by whoever touched it.
            drop(fs::rename(&aside, path));
        }
    }
}

/// When the last run that names a body was over; unfinished ones aside.
fn last_named(runs: &[KnownRun]) -> BTreeMap<&str, SystemTime> {
    let mut last: BTreeMap<&str, SystemTime> = BTreeMap::new();
    for known in runs {
        let Liveness::Over(over) = known.liveness else { continue };
        for digest in &known.names {
            let named = last.entry(digest.as_str()).or_insert(over);
            *named = over.max(*named);
        }
    }
    last
}

/// Every text in a document that could be a digest.
fn collect(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.len() == 64 => {
            into.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, into)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
