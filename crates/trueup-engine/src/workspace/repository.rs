//! Looks at a repository and a base for whatever makes a plain checkout hold
//! other bytes than git keeps, and brings along what a checkout needs beyond
//! the base's own objects.

use super::{
    error::Error,
    folder::Scratch,
    git::Git,
    index::LINK_MODE,
    lfs::{self, Pointer},
    names,
    objects::{bodies, small_blobs},
    output::{self, text},
    person::{Checkout, PersonRepository},
    submodule::{self, Clones, Named},
    workspaces::Workspaces,
};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::{Path, PathBuf},
};
use trueup_core::{
    id::CommitId,
    repository::{Filtered, Repository, Submodule, SubmoduleState, Unfetched},
};

/// How long a path may be for the system, and what of that a room's own path
/// needs beyond the state root's.
const PATH_LIMIT: usize = 4096;
const ROOM_NAMES: usize = 256;

/// What a base needs beyond its own objects.
#[derive(Debug, Default)]
pub(super) struct BaseExtras {
    /// Submodules: the clone each is in, and its commit.
    submodules: Vec<(PathBuf, String)>,
    /// Contents, and the stores each may be in.
    contents: Vec<(Pointer, Vec<PathBuf>)>,
    /// Whether attributes name a filter at all.
    names_filters: bool,
}

/// An entry of a tree.
struct Entry<'a> {
    mode: &'a [u8],
    object: &'a [u8],
    path: &'a [u8],
}

/// One tree that is looked at: the base's, or that of a submodule.
struct Look<'a> {
    git: &'a Git,
    tree: &'a str,
    prefix: String,
    clones: Clones,
    stores: Vec<PathBuf>,
}

/// All that is found on the way.
struct Search<'a> {
    spaces: &'a Workspaces,
    /// Filters for which a program is configured.
    filters: BTreeSet<String>,
    repository: Repository,
    along: BaseExtras,
}

impl Workspaces {
    /// What stands between the base `rev` names and a plain checkout of it.
    pub fn repository(&self, rev: &str) -> Result<Repository, Error> {
        let commit = self.person.commit(rev)?;
        Ok(self.search(&self.person.git(), &commit)?.0)
    }

    /// The same, of a base that was taken with uncommitted changes.
    pub fn repository_of(&self, commit: &CommitId) -> Result<Repository, Error> {
        Ok(self.search(&self.store(), commit)?.0)
    }

    /// Copies what a checkout of a commit needs beyond the commit's objects,
    /// as far as it is here.
    pub(super) fn bring_along(&self, git: &Git, commit: &CommitId) -> Result<(), Error> {
        let (_, along) = self.search(git, commit)?;
        for (clone, commit) in &along.submodules {
            self.bring_submodule(&Git::theirs(clone), commit)?;
        }
        let lfs = self.lfs();
        if along.names_filters {
            lfs.begin()?;
        }
        for (pointer, stores) in &along.contents {
            lfs.bring(pointer, stores)?;
        }
        Ok(())
    }

    /// Whether the person's repository is a partial clone, and of which remote.
    pub(super) fn promised_by(&self, git: &Git) -> Result<Option<String>, Error> {
        let told = git.call(&["config", "-z", "--get-regexp", r"^remote\..*\.promisor$"], &[])?;
        let key = output::records(&told.stdout).next().map(text);
        let key = key.as_deref().and_then(|key| key.split('\n').next());
        let name = key.and_then(|key| key.strip_prefix("remote.")?.strip_suffix(".promisor"));
        Ok(name.map(str::to_string))
    }

    fn search(&self, git: &Git, commit: &CommitId) -> Result<(Repository, BaseExtras), Error> {
        let mut search = Search {
            spaces: self,
            filters: self.person.filters()?,
            repository: Repository::default(),
            along: BaseExtras::default(),
        };
        search.repository.replaced = self.replaced(git, commit)?;
        let checkout = (self.person.checkout == Checkout::There).then(|| self.person.folder.clone());
        let look = Look {
            git,
            tree: commit.as_str(),
            prefix: String::new(),
            clones: Clones {
                git_dirs: vec![self.person.git_dir.clone(), self.person.common.clone()],
                checkout,
            },
            stores: Vec::new(),
        };
        search.look(look)?;
        Ok((search.repository, search.along))
    }

    /// The setting by which the person's checkouts get other line endings than
    /// rooms have, if there is one.
    pub fn line_endings(&self) -> Result<Option<String>, Error> {
        let settings = configured(&self.person.eyes(), r"^core\.(autocrlf|eol)$")?;
        let changes = |(key, value): (&String, &String)| {
            let is_on = matches!(value.as_str(), "true" | "yes" | "on" | "1" | "crlf");
            is_on.then(|| format!("{key}={value}"))
        };
        Ok(settings.iter().find_map(changes))
    }

    /// The objects of a base for which the person's git shows others.
    fn replaced(&self, git: &Git, commit: &CommitId) -> Result<Vec<String>, Error> {
        let listed = self
            .person
            .git()
            .line(&["for-each-ref", "--format=%(refname:lstrip=2)", "refs/replace/"])?;
        let objects: HashSet<&str> = listed.lines().collect();
        if objects.is_empty() {
            return Ok(Vec::new());
        }
        // What stands in the history alone is in no checkout.
        let root = git.line(&["rev-parse", &format!("{commit}^{{tree}}")])?;
        let tree = git.run(&["ls-tree", "-r", "-t", "-z", "--full-tree", commit.as_str()])?;
        let mut used: Vec<String> = entries(&tree).map(|entry| text(entry.object)).collect();
        used.extend([commit.to_string(), root]);
        used.retain(|object| objects.contains(object.as_str()));
        Ok(used)
    }

    /// Whether the file system of the state root takes names for one another.
    fn confuses_names(&self) -> bool {
        let store = self.state.store();
        let name = store.file_name().unwrap_or_default().to_ascii_uppercase();
        store.with_file_name(name).exists()
    }
}

impl PersonRepository {
    /// Filters for which the person configured a program.
    pub(super) fn filters(&self) -> Result<BTreeSet<String>, Error> {
        filters(&self.eyes())
    }
}

impl Search<'_> {
    fn look(&mut self, look: Look<'_>) -> Result<(), Error> {
        if let Some(remote) = self.spaces.promised_by(look.git)? {
            let objects = missing(look.git, look.tree)?;
            if objects > 0 {
                let place = look.prefix.trim_end_matches('/').to_string();
                self.repository.unfetched = Some(Unfetched { objects, remote, place });
                return Ok(());
            }
        }
        let listed = look.git.run(&["ls-tree", "-r", "-z", "--full-tree", look.tree])?;
        let listed: Vec<Entry<'_>> = entries(&listed).collect();
        self.look_at_names(&look, &listed);
        self.look_at_filters(&look, &listed)?;
        self.look_at_submodules(&look, &listed)
    }

    fn look_at_names(&mut self, look: &Look<'_>, listed: &[Entry<'_>]) {
        let room = self.spaces.state.path().as_os_str().len() + ROOM_NAMES;
        let long = |entry: &&Entry<'_>| entry.path.len() + look.prefix.len() + room > PATH_LIMIT;
        if let Some(entry) = listed.iter().find(long) {
            self.repository.too_long = Some(look.shown(entry.path));
        }
        if self.spaces.confuses_names()
            && let Some((one, other)) = names::twins(listed.iter().map(|entry| entry.path))
        {
            self.repository.twins = Some((look.shown(one), look.shown(other)));
        }
    }

    /// Which files go through a filter, by the attributes of the tree itself.
    fn look_at_filters(&mut self, look: &Look<'_>, listed: &[Entry<'_>]) -> Result<(), Error> {
        let attributes: Vec<String> = listed
            .iter()
            .filter(|entry| {
                entry.is_file() && entry.path.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes")
            })
            .map(|entry| text(entry.object))
            .collect();
        let told = bodies(look.git, &attributes)?;
        let says = |word: &[u8]| {
            told.values()
                .any(|body| body.windows(word.len()).any(|part| part == word))
        };
        if !says(b"filter") {
            return Ok(());
        }
        self.along.names_filters = true;
        let files: BTreeMap<&[u8], &Entry<'_>> = listed
            .iter()
            .filter(|entry| entry.is_file())
            .map(|entry| (entry.path, entry))
            .collect();
        let asked = output::joined(files.keys().copied());
        // An index of the tree, because only git 2.40 and newer look into a tree itself.
        let scratch = Scratch::new(self.spaces.state.path(), "incoming")?;
        let git = look.git.clone().index(&scratch.path().join("index")).throwaway();
        git.run(&["read-tree", look.tree])?;
        let answer = git.feed(&["check-attr", "--cached", "-z", "--stdin", "filter"], &asked)?;
        let fields: Vec<&[u8]> = output::records(&answer).collect();
        let mut kept = Vec::new();
        for field in fields.chunks(3) {
            let [path, _, filter] = field else { continue };
            match (*filter, files.get(path)) {
                (b"lfs", Some(entry)) => kept.push(*entry),
                (filter, _) if self.filters.contains(&text(filter)) => {
                    self.repository.filtered.push(Filtered {
                        path: look.shown(path),
                        filter: text(filter),
                    });
                }
                (_, _) => {}
            }
        }
        self.look_at_contents(look, &kept)
    }

    fn look_at_contents(&mut self, look: &Look<'_>, kept: &[&Entry<'_>]) -> Result<(), Error> {
        if kept.is_empty() {
            return Ok(());
        }
        let lfs = self.spaces.lfs();
        let stores = match look.stores.is_empty() {
            true => lfs.theirs()?,
            false => look.stores.clone(),
        };
        let objects: Vec<String> = kept.iter().map(|entry| text(entry.object)).collect();
        let blobs = small_blobs(look.git, &objects)?;
        for (entry, object) in kept.iter().zip(&objects) {
            let Some(blob) = blobs.get(object) else { continue };
            if lfs::is_extended(blob) {
                self.repository.filtered.push(Filtered {
                    path: look.shown(entry.path),
                    filter: "lfs.extension".into(),
                });
            }
            let Some(pointer) = Pointer::read(blob) else { continue };
            let here = lfs.has(&pointer) || stores.iter().any(|store| lfs::is_there(&pointer, store));
            if here {
                self.along.contents.push((pointer, stores.clone()));
            } else {
                self.repository.unsmudged.push(look.shown(entry.path));
            }
        }
        Ok(())
    }

    fn look_at_submodules(&mut self, look: &Look<'_>, listed: &[Entry<'_>]) -> Result<(), Error> {
        let links: Vec<(Vec<u8>, String)> = listed
            .iter()
            .filter(|entry| entry.mode == LINK_MODE)
            .map(|entry| (entry.path.to_vec(), text(entry.object)))
            .collect();
        for named in submodule::named(look.git, look.tree, &links)? {
            let clone = look.clones.of(&named);
            let there = match &clone {
                None => SubmoduleState::Nothing,
                Some(clone) if has_commit(clone, &named)? => {
                    self.look_into(look, &named, clone)?;
                    continue;
                }
                Some(_) => SubmoduleState::WithoutCommit(named.commit.clone()),
            };
            // What was brought for an earlier base need not be here any more.
            if !self.spaces.has_submodule(&named.commit)? {
                self.repository.submodules.push(Submodule {
                    path: look.shown(&named.path),
                    there,
                });
            }
        }
        Ok(())
    }

    fn look_into(&mut self, look: &Look<'_>, named: &Named, clone: &Path) -> Result<(), Error> {
        self.along.submodules.push((clone.to_path_buf(), named.commit.clone()));
        let git = Git::theirs(clone);
        // A clone has settings of its own.
        self.filters.extend(filters(&git)?);
        self.look(Look {
            git: &git,
            tree: &named.commit,
            prefix: format!("{}/", look.shown(&named.path)),
            clones: look.clones.below(named, clone),
            stores: lfs::stores(clone, Path::new("lfs")),
        })
    }
}

impl Look<'_> {
    fn shown(&self, path: &[u8]) -> String {
        format!("{}{}", self.prefix, String::from_utf8_lossy(path))
    }
}

impl Entry<'_> {
    fn is_file(&self) -> bool {
        self.mode.starts_with(b"100")
    }
}

fn has_commit(clone: &Path, named: &Named) -> Result<bool, Error> {
    let question = ["cat-file", "-e", &format!("{}^{{tree}}", named.commit)];
    Ok(Git::theirs(clone).call(&question, &[])?.succeeded())
}

/// How many objects of a commit's tree a partial clone has not fetched.
fn missing(git: &Git, commit: &str) -> Result<usize, Error> {
    let tree = format!("{commit}^{{tree}}");
    let listed = git.call(&["rev-list", "--objects", "--missing=print", &tree], &[])?;
    let missing = listed
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| line.starts_with(b"?"));
    // A clone that lacks even the tree itself cannot name it.
    Ok(missing.count().max(usize::from(!listed.succeeded())))
}

/// The entries of a listing by `ls-tree`.
fn entries(listed: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    output::records(listed).filter_map(|record| {
        let tab = record.iter().position(|byte| *byte == b'\t')?;
        let mut fields = record.get(..tab)?.split(|byte| *byte == b' ');
        Some(Entry {
            mode: fields.next()?,
            object: fields.nth(1)?,
            path: record.get(tab + 1..)?,
        })
    })
}

/// Filters for which a program is configured.
fn filters(git: &Git) -> Result<BTreeSet<String>, Error> {
    let programs = configured(git, r"^filter\..*\.(clean|smudge|process)$")?;
    // A filter without a program leaves bytes as they are.
    let used = programs.iter().filter(|(_, program)| !program.is_empty());
    let names = used.filter_map(|(key, _)| key.strip_prefix("filter.")?.rsplit_once('.'));
    Ok(names.map(|(name, _)| name.to_string()).collect())
}

/// What git's configuration says of these keys; the last word counts.
fn configured(git: &Git, keys: &str) -> Result<BTreeMap<String, String>, Error> {
    let told = git.call(&["config", "-z", "--get-regexp", keys], &[])?;
    Ok(output::records(&told.stdout)
        .map(|record| {
            let record = String::from_utf8_lossy(record);
            let (key, value) = record.split_once('\n').unwrap_or((&record, "true"));
            (key.to_string(), value.to_string())
        })
        .collect())
}
