//! The wall round an agent or a check.
//!
//! Every sandbox is a bubblewrap root that is constructed, not the host's own:
//! system folders read-only, an allow-list of `/etc`, a fresh HOME with an
//! allow-list of tool folders, one tree. The first program inside is our own
//! [`entry`], which starts nothing before it is told to and outlives nothing.
//! Where a person chose to do without that wall ([`Mode`]), the entry is still
//! there: a fresh HOME, a cleared environment, and an end for everything.

mod absent;
mod arguments;
mod aside;
mod bounds;
mod bubblewrap;
mod child;
mod control;
mod descendants;
mod door;
pub mod entry;
mod facts;
mod fix;
mod groups;
mod home;
mod keeper;
#[cfg(target_os = "linux")]
mod kernel;
pub mod lay;
mod mode;
mod output;
mod pipes;
mod responder;
mod root;
mod services;
mod setup;
mod share;
mod spawner;
mod veil;
mod wall;

pub use bounds::{Bounds, Ended, HowEnded, Output, Program, Purpose, ReadOnlyMount, Stream, WritableMount};
pub(crate) use descendants::die_with_the_builder;
pub use door::PORT as DOOR_PORT;
pub use fix::{Distribution, Facts, Fix, Found, Surroundings, fixes};
pub use mode::Mode;
pub use responder::{Reply, Responder};
pub use setup::{Error, Setup, TREE};
pub use share::{Excess, Share};
pub use veil::{Folder, LayMethod, Laying, Veil};

use crate::{
    redact::Secrets,
    state::make_private,
    stop::{StopSource, StopToken},
    trace,
};
use absent::Hidden;
use arguments::View;
use child::{LaunchPlan, ProgramStart};
use responder::Listener;
use root::Mount;
use setup::canonical;
use std::{
    collections::BTreeMap,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, OnceLock},
    time::Duration,
};
use trueup_core::{criterion::Network, evidence::Isolation};
use wall::{Open, Wall};

/// Builds sandboxes and runs programs in them.
#[derive(Clone, Debug)]
pub struct Sandbox {
    wall: Wall,
    mode: Mode,
    view: View,
    paths: Vec<PathBuf>,
    variables: BTreeMap<String, String>,
    hidden: Hidden,
    limits: root::Forbidden,
    share: Share,
    sockets: Vec<PathBuf>,
    folder: PathBuf,
    secrets: Secrets,
    state: PathBuf,
    home: PathBuf,
    laying: Laying,
    /// What was found when a veil was first wanted.
    way: Arc<OnceLock<LayMethod>>,
}

impl Sandbox {
    /// Finds what the wall needs and prepares what all sandboxes share.
    pub fn new(setup: Setup) -> Result<Self, Error> {
        let bubblewrap = match setup.mode {
            Mode::Bubblewrap => {
                let found = bubblewrap::find(&setup)?;
                bubblewrap::demand_version(&found)?;
                Some(found)
            }
            Mode::Outer | Mode::None => None,
        };
        let folder = setup.state.join("sandbox");
        make_private(&folder).map_err(Error::at(&folder))?;
        let limits = root::Forbidden::of(&setup)?;
        let person = home::SandboxUser::of(&setup.environment);
        let mut shown = Vec::new();
        for path in &setup.read {
            shown.extend(limits.shown_by_the_person(path)?);
        }
        let (wall, mounts) = match bubblewrap {
            Some(bubblewrap) => {
                let mut mounts = root::system();
                mounts.extend(root::etc());
                mounts.extend(root::no_keys(&folder)?);
                mounts.extend(person.files(&setup.home, &folder)?);
                mounts.extend(root::scratch(&setup.home));
                mounts.extend(home::tool_folders(&setup.home));
                mounts.extend(shown);
                (Wall::Bubblewrap(bubblewrap), limits.hide(mounts))
            }
            None => (Wall::Open(Open::new(&setup, &folder)), Open::mounts()),
        };
        let paths = home::search_path(&setup, &mounts);
        let mut variables = home::variables(&setup, &person, &paths);
        if let Wall::Open(_) = wall {
            // Each program has a home of its own, so none can be told beforehand.
            variables.remove("HOME");
        }
        let share = setup.share.in_force();
        Ok(Self {
            hidden: Hidden::of(&setup),
            variables,
            view: View {
                uid: person.uid,
                gid: person.gid,
                entry: canonical(&setup.entry)?,
                temporary: share.temporary,
                processes: share.processes,
                mounts,
            },
            share,
            wall,
            mode: setup.mode,
            paths,
            limits,
            sockets: setup.sockets,
            folder,
            secrets: setup.secrets,
            state: canonical(&setup.state)?,
            home: setup.home,
            laying: setup.laying,
            way: Arc::default(),
        })
    }

    /// What everything that runs here runs behind.
    pub const fn isolation(&self) -> Isolation {
        self.wall.isolation()
    }

    /// Whether what is switched off can really not be reached. Without a wall
    /// the machine's network is the program's.
    pub const fn network(&self, wanted: Network) -> Network {
        match self.wall {
            Wall::Bubblewrap(_) => wanted,
            Wall::Open(_) => Network::On,
        }
    }

    /// Where a program finds what is laid for it.
    pub fn seen_at(&self, laid: &ReadOnlyMount) -> PathBuf {
        self.wall.seen_at(laid)
    }

    /// Where a program finds a folder of the engine's that lies neither in its
    /// tree nor in its home.
    pub fn own_at(&self, own: &WritableMount) -> PathBuf {
        match self.wall {
            Wall::Bubblewrap(_) => own.inner.clone(),
            Wall::Open(_) => own.folder.place(),
        }
    }

    /// Where a program finds the entry, which is our own binary.
    pub(crate) fn entry_at(&self) -> PathBuf {
        match self.wall {
            Wall::Bubblewrap(_) => Path::new(root::OURS).join("entry"),
            Wall::Open(_) => self.view.entry.clone(),
        }
    }

    /// Where a program finds its tree.
    pub fn tree_at(&self, tree: &Folder) -> PathBuf {
        match self.wall {
            Wall::Bubblewrap(_) => PathBuf::from(TREE),
            Wall::Open(_) => tree.place(),
        }
    }

    /// Which wall the person chose.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Really runs a program inside, so that a wall that cannot stand is found
    /// before anything relies on it.
    pub async fn probe(&self) -> Result<(), Error> {
        let tree = self.folder.join("probe");
        make_private(&tree).map_err(Error::at(&tree))?;
        let bounds = Bounds {
            tree: Folder::Plain(tree),
            own: Vec::new(),
            network: Network::Off,
            egress: None,
            read: Vec::new(),
            write: Vec::new(),
            lay: Vec::new(),
            services: Vec::new(),
            sockets: Vec::new(),
            variables: BTreeMap::new(),
            alive: self.folder.join("probe.alive"),
        };
        let program = Program {
            purpose: Purpose::Probe,
            argv: vec!["true".to_owned()],
            stdin: Vec::new(),
            time_limit: Duration::from_secs(30),
            output_limit: 4096,
        };
        let nobody = StopSource::default();
        let ended = self.run(&bounds, &program, &nobody.token(), &mut |_, _| {}).await;
        let why = match ended.how {
            HowEnded::Exited(0) => return Ok(()),
            HowEnded::Exited(code) => format!("`true` ended with {code} inside"),
            HowEnded::TimedOut => "`true` did not end within 30 s inside".to_owned(),
            HowEnded::Overran(excess) => format!("`true` took {excess}"),
            HowEnded::Stopped(_) | HowEnded::Dismissed => "the probe was stopped".to_owned(),
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => why,
        };
        Err(Error::Unusable { mode: self.mode, why })
    }

    /// Where the fresh home lies inside.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// How folders are laid here. Whether veils work is found by laying one.
    pub fn way(&self) -> LayMethod {
        let laying = match self.wall {
            Wall::Bubblewrap(_) => self.laying,
            // A veil is a mount, and only a wall has mounts of its own.
            Wall::Open(_) => Laying::Copy,
        };
        *self.way.get_or_init(|| match laying {
            Laying::Copy => LayMethod::Copy,
            Laying::Overlay => LayMethod::Veil,
            Laying::Auto => match self.try_veil() {
                Ok(()) => LayMethod::Veil,
                Err(_) => LayMethod::Copy,
            },
        })
    }

    /// Really lays a veil and looks through it.
    pub fn try_veil(&self) -> Result<(), String> {
        let under = self.folder.join("under");
        let traced = trace::Child::outside("trueup", &[lay::SUBCOMMAND]);
        let tried = make_private(&under)
            .and_then(|()| Veil::hang(vec![under], self.folder.join("veil")))
            .and_then(|veil| lay::command(&self.view.entry, &self.state, &[&veil], Path::new("/usr/bin/env")))
            .and_then(|mut command| command.arg("true").output());
        if let Ok(answer) = &tried {
            traced.exited(answer.status);
        }
        match tried {
            Ok(answer) if answer.status.success() => Ok(()),
            Ok(answer) => Err(String::from_utf8_lossy(&answer.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Where a bare program name leads on the sanitised PATH, if what it leads
    /// to can be seen inside.
    pub fn resolve(&self, program: &str) -> Option<PathBuf> {
        home::resolve(program, &self.paths, &self.view.mounts)
    }

    /// Why a bare program name leads nowhere inside, and what to change.
    pub fn why_absent(&self, program: &str) -> String {
        self.hidden.why_absent(program)
    }

    /// The environment every program inside starts with.
    pub fn variables(&self) -> BTreeMap<String, String> {
        self.variables.clone()
    }

    /// Runs a program inside and waits until nothing of it lives any more.
    /// Failure of the program, or of the wall, is a fact in what comes back.
    pub async fn run(
        &self,
        bounds: &Bounds,
        program: &Program,
        stop: &StopToken,
        live: &mut (dyn FnMut(Stream, &[u8]) + Send),
    ) -> Ended {
        self.converse(bounds, program, stop, &mut Listener(live)).await
    }

    /// Runs a program inside and lets somebody talk with it. Whoever asks to
    /// stop is heard by the responder first, and after a moment by everything inside.
    pub async fn converse(
        &self,
        bounds: &Bounds,
        program: &Program,
        stop: &StopToken,
        responder: &mut dyn Responder,
    ) -> Ended {
        match self.run_behind(bounds, program, stop, responder).await {
            Ok(ended) => ended,
            Err(error) => Ended::not_started(error.to_string()),
        }
    }

    async fn run_behind(
        &self,
        bounds: &Bounds,
        program: &Program,
        stop: &StopToken,
        responder: &mut dyn Responder,
    ) -> Result<Ended, Error> {
        let mut mounts = self.limits.prepare(bounds)?;
        mounts.extend(self.socket_mounts(&bounds.sockets)?);
        let mut variables = self.variables.clone();
        let mut turnstile = None;
        let (command, fresh) = match &self.wall {
            Wall::Bubblewrap(bubblewrap) => {
                let mut command = self.first_program(bounds, bubblewrap)?;
                // Bubblewrap itself runs outside the wall, so it inherits nothing either.
                // Ctrl-C at a terminal goes to a whole process group; only the stop token ends what is inside.
                command.env_clear().current_dir("/").process_group(0);
                command.args(arguments::arguments(&self.view, bounds.network, &mounts, &program.argv));
                (command, None)
            }
            Wall::Open(_) if bounds.network == Network::Model => {
                let why = "an agent with `network = \"model\"` needs a network of its own, which only the mode \
                           `bubblewrap` gives it";
                return Ok(Ended::not_started(why.to_owned()));
            }
            Wall::Open(open) => {
                match wall::pass(&self.folder, bounds, stop).await? {
                    Ok(passed) => turnstile = passed,
                    Err(asked) => return Ok(Ended::stopped(asked)),
                }
                let fresh = open.furnish(bounds)?;
                variables.extend(fresh.variables());
                (open.start(&self.view.entry, bounds, &program.argv), Some(fresh))
            }
        };
        variables.extend(bounds.variables.clone());
        // It is not killed where nobody waits for it any more: it would leave what it
        // started. Hung up on, which dropping the line does, it ends all of it first.
        let command = tokio::process::Command::from(command);
        let order = LaunchPlan {
            command,
            called: self.wall.word(),
            grace: self.wall.grace(),
            start: ProgramStart {
                program,
                variables: &variables,
                services: &bounds.services,
                egress: bounds.egress.as_ref().filter(|_| bounds.network == Network::Model),
            },
            secrets: &self.secrets,
            share: self.share,
        };
        let ended = child::run(order, stop, responder).await;
        drop((turnstile, fresh));
        Ok(ended)
    }

    /// What nothing that is stored or shown may tell.
    pub const fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The same sandbox, which also keeps these values from being seen.
    #[must_use]
    pub fn hiding(&self, more: Vec<(String, String)>) -> Self {
        Self {
            secrets: self.secrets.and(more),
            ..self.clone()
        }
    }

    /// Refuses sockets that a person does not let checks reach, or that are none.
    pub fn demand_sockets(&self, sockets: &[String]) -> Result<(), Error> {
        self.socket_mounts(sockets).map(drop)
    }

    fn socket_mounts(&self, sockets: &[String]) -> Result<Vec<Mount>, Error> {
        self.limits.sockets(sockets, &self.sockets)
    }

    /// Bubblewrap, or what lays veils and then becomes bubblewrap.
    fn first_program(&self, bounds: &Bounds, bubblewrap: &Path) -> Result<Command, Error> {
        let folders = bounds.own.iter().map(|own| &own.folder).chain([&bounds.tree]);
        let veils: Vec<&Veil> = folders.filter_map(Folder::veil).collect();
        if veils.is_empty() {
            return Ok(Command::new(bubblewrap));
        }
        lay::command(&self.view.entry, &self.state, &veils, bubblewrap).map_err(Error::at(&self.state))
    }
}
