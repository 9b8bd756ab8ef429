//! Runs preparations, each once for everything it is made from.

use super::{
    FolderPlace, Layer, LayerRequest, Layers,
    key::{Ownership, RefusedKey, Source},
    real_folder::real_folder,
};
use crate::{
    blocking::blocking,
    crash,
    halt::Halt,
    sandbox::{Bounds, Ended, Folder, HowEnded, Program, Purpose, WritableMount},
    state::make_private,
    workspace::Room,
};
use std::{
    collections::BTreeMap,
    fs::{self, File, FileTimes},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use trueup_core::{
    criterion::Network,
    digest::Digest,
    ground::{Preparation, says_how_to_connect},
};

/// How much of what a preparation printed is looked at.
const OUTPUT_LIMIT: u64 = 256 * 1024;

/// How many of its lines are told.
const TOLD_LINES: usize = 16;

/// What came of all preparations of a tree.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// Their layers, in order.
    Ready(Vec<Layer>),
    /// One of them gave nothing, so nothing can be executed; why, in a sentence.
    Not(String),
}

impl Layers {
    /// The layers under a tree. What is missing is made.
    pub async fn prepared(&self, wanted: &LayerRequest, live: &mut (dyn FnMut(&str) + Send)) -> Result<Prepared, Halt> {
        let mut layers = Vec::new();
        // Caches are named by it, too.
        let (all, base) = (self.clone(), wanted.base.clone());
        blocking(move || all.bases.of(&all.workspaces, &base)).await?;
        for preparation in &wanted.prepare {
            match self.layer(wanted, preparation, live).await? {
                Ok(layer) => layers.push(layer),
                Err(RefusedKey(why)) => return Ok(Prepared::Not(why)),
            }
        }
        Ok(Prepared::Ready(layers))
    }

    async fn layer(
        &self,
        wanted: &LayerRequest,
        preparation: &Preparation,
        live: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Result<Layer, RefusedKey>, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let (layers, wanted, asked) = (self.clone(), wanted.clone(), preparation.clone());
        let asking = move || {
            for path in asked.keep.iter().filter(|path| !path.starts_with("~/")) {
                if layers.workspaces.tree_has(&wanted.tree, path)? {
                    let why = format!(
                        "`{path}` is kept by [prepare.{}], but the tree holds it too",
                        asked.name
                    );
                    return Ok(Err(RefusedKey(why)));
                }
            }
            layers.source(&wanted, &asked)
        };
        let source = match blocking(asking).await? {
            Ok(source) => source,
            Err(unfit) => return Ok(Err(unfit)),
        };
        let place = self.state.layers().join(source.key.as_str());
        if !place.is_dir() {
            if let Some(why) = self.absent(preparation) {
                return Ok(Err(RefusedKey(why)));
            }
            live(&preparation.name);
            // Held until the layer is there: whoever else wants it waits, and then finds it.
            let lock = self.state.layers().join(format!("{}.lock", source.key));
            let held = blocking(move || hold(&lock)).await?;
            if !place.is_dir()
                && let Err(unfit) = self.make(preparation, &source, &place).await?
            {
                return Ok(Err(unfit));
            }
            drop(held);
        }
        // Housekeeping removes what was not used for long.
        drop(touch(&place));
        Ok(Ok(layer(preparation, source.key, &place)))
    }

    /// Why a preparation cannot even be started, where its program is found by
    /// its name alone.
    fn absent(&self, preparation: &Preparation) -> Option<String> {
        let word = preparation.argv.first().filter(|word| !word.contains('/'))?;
        let is_there = self.sandbox.resolve(word).is_some();
        (!is_there).then(|| {
            let (name, line) = (&preparation.name, preparation.argv.join(" "));
            format!(
                "[prepare.{name}] cannot run `{line}`: {}",
                self.sandbox.why_absent(word)
            )
        })
    }

    /// Runs the preparation in a fresh room and keeps what it left.
    async fn make(
        &self,
        preparation: &Preparation,
        source: &Source,
        place: &Path,
    ) -> Result<Result<(), RefusedKey>, Halt> {
        let (layers, asked, from) = (self.clone(), preparation.clone(), source.tree.clone());
        let laying = move || -> Result<(Room, Room), Halt> {
            let name = format!("prepare-{}", asked.name);
            let room = layers.workspaces.room(&layers.run, &name, &from)?;
            let aside = layers.beside(&format!("{name}.kept"))?;
            for count in 0..asked.keep.len() {
                make_private(&aside.path().join(count.to_string()))?;
            }
            Ok((room, aside))
        };
        let (room, aside) = blocking(laying).await?;
        let ended = self.run_in(preparation, source.ownership, &room, &aside).await;
        match ended.how {
            HowEnded::Exited(0) => {}
            HowEnded::Stopped(by) => return Err(Halt::Stopped(by)),
            HowEnded::Exited(_)
            | HowEnded::TimedOut
            | HowEnded::Overran(_)
            | HowEnded::Dismissed
            | HowEnded::NotStarted(_)
            | HowEnded::Unserved(_) => {
                return Ok(Err(RefusedKey(told(preparation, &ended))));
            }
        }
        crash::point("layer.before");
        let (asked, place) = (preparation.clone(), place.to_owned());
        let keeping = move || keep(&asked, &room, aside, &place);
        let kept = blocking(keeping).await?;
        crash::point("layer.after");
        Ok(kept)
    }

    /// What a preparation is given of the person's: variables it names, and
    /// secrets, from this machine's configuration or else its environment.
    fn persons(&self, preparation: &Preparation) -> BTreeMap<String, String> {
        let own = self.secrets.get(&preparation.name);
        let secret = |name: &String| own.and_then(|own| own.get(name)).or_else(|| self.environment.get(name));
        let passed = preparation
            .pass_env
            .iter()
            .map(|name| (name, self.environment.get(name)));
        let secrets = preparation.secret_env.iter().map(|name| (name, secret(name)));
        let both = passed.chain(secrets);
        both.filter_map(|(name, value)| Some((name.clone(), value?.clone())))
            .collect()
    }

    async fn run_in(&self, preparation: &Preparation, ownership: Ownership, room: &Room, aside: &Room) -> Ended {
        let in_home = preparation
            .keep
            .iter()
            .enumerate()
            .filter_map(|(count, path)| match FolderPlace::of(path) {
                FolderPlace::Home(rest) => Some(WritableMount {
                    folder: Folder::Plain(aside.path().join(count.to_string())),
                    inner: self.sandbox.home().join(rest),
                }),
                FolderPlace::Tree(_) => None,
            });
        let mut variables = preparation.env.clone();
        let persons = self.persons(preparation).into_iter();
        // A candidate's scripts see nothing of the person's but how they connect.
        variables.extend(persons.filter(|(name, value)| match ownership {
            Ownership::Base => true,
            Ownership::Candidate => says_how_to_connect(name, value),
        }));
        let bounds = Bounds {
            tree: Folder::from(room.path()),
            own: in_home.collect(),
            network: Network::On,
            egress: None,
            read: Vec::new(),
            write: Vec::new(),
            lay: Vec::new(),
            services: Vec::new(),
            sockets: Vec::new(),
            variables,
            alive: self.alive.clone(),
        };
        let program = Program {
            purpose: Purpose::Preparation,
            argv: preparation.argv.clone(),
            stdin: Vec::new(),
            time_limit: Duration::from_millis(preparation.timeout_ms),
            output_limit: OUTPUT_LIMIT,
        };
        self.sandbox.run(&bounds, &program, &self.stop, &mut |_, _| {}).await
    }
}

/// Puts what a preparation left into the layer's place, whole and on disk.
fn keep(preparation: &Preparation, room: &Room, aside: Room, place: &Path) -> io::Result<Result<(), RefusedKey>> {
    for (count, path) in preparation.keep.iter().enumerate() {
        let FolderPlace::Tree(relative) = FolderPlace::of(path) else {
            continue;
        };
        // A script of the tree ran here: what it made of the way is not trusted.
        let Some(left) = real_folder(room.path(), &relative)? else {
            let why = format!("[prepare.{}] left no folder at `{path}`", preparation.name);
            return Ok(Err(RefusedKey(why)));
        };
        let target = aside.path().join(count.to_string());
        fs::remove_dir(&target)?;
        fs::rename(left, &target)?;
    }
    // The layer is looked at by everybody who comes later, so a power cut must not leave half of it.
    crate::write::sync_all_round(aside.path())?;
    aside.move_to(place)?;
    Ok(Ok(()))
}

fn layer(preparation: &Preparation, key: Digest, place: &Path) -> Layer {
    Layer {
        name: preparation.name.clone(),
        key,
        folders: super::folders(place, &preparation.keep),
    }
}

/// What is told of a preparation that gave nothing.
fn told(preparation: &Preparation, ended: &Ended) -> String {
    let how = match &ended.how {
        HowEnded::Exited(code) => format!("ended with exit {code}"),
        HowEnded::TimedOut => "reached its time limit".to_owned(),
        HowEnded::Overran(excess) => format!("was ended: it took {excess}"),
        HowEnded::NotStarted(why) => return never_began(preparation, why),
        HowEnded::Unserved(why) => format!("could not be started: {why}"),
        HowEnded::Stopped(_) | HowEnded::Dismissed => "was stopped".to_owned(),
    };
    let said = [&ended.stdout.kept, &ended.stderr.kept].map(|kept| String::from_utf8_lossy(kept).into_owned());
    let said = said.concat();
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    // What went wrong stands at the beginning or at the end.
    let told = match lines.len() {
        0..=TOLD_LINES => lines.join("\n"),
        count => {
            let (head, tail) = (lines.get(..TOLD_LINES / 2), lines.get(count - TOLD_LINES / 2..));
            format!(
                "{}\n…\n{}",
                head.unwrap_or_default().join("\n"),
                tail.unwrap_or_default().join("\n")
            )
        }
    };
    let argv = preparation.argv.join(" ");
    format!("[prepare.{}] `{argv}` {how}\n{}", preparation.name, told)
        .trim_end()
        .to_owned()
}

/// What is told of one whose program never ran; whatever was printed meanwhile
/// says the same in other words.
fn never_began(preparation: &Preparation, why: &str) -> String {
    let word = preparation.argv.first().map(String::as_str).unwrap_or_default();
    let is_missing = why.contains("(os error 2)");
    let why = match (is_missing, word.starts_with('/'), word.contains('/')) {
        (true, true, _) => {
            "there is no such program, or no sandbox shows it; install it, or name its folder in `read` under [sandbox]"
        }
        (true, false, true) => "this file is not in the commit that the work starts from; commit it",
        (true, false, false) | (false, ..) => why,
    };
    let (name, line) = (&preparation.name, preparation.argv.join(" "));
    format!("[prepare.{name}] cannot run `{line}`: {why}")
}

fn hold(path: &Path) -> io::Result<File> {
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    lock.lock()?;
    Ok(lock)
}

pub(super) fn touch(place: &PathBuf) -> io::Result<()> {
    File::open(place)?.set_times(FileTimes::new().set_modified(SystemTime::now()))
}
