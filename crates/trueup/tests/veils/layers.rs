//! Snapshots by the upper layer of a veil, against those of a copy.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use trueup_core::id::{EffectId, RunId};
use trueup_engine::{
    sandbox::{Folder, Laying},
    state::StateRoot,
    workspace::Workspaces,
};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn path(&mut self) -> String {
        let depth = self.roll(3);
        let folders: String = (0..depth).map(|_| format!("d{}/", self.roll(3))).collect();
        format!("{folders}f{}", self.roll(6))
    }
}

/// Random edits, as a shell does them.
fn script(dice: &mut Dice) -> String {
    let mut script = String::new();
    for _ in 0..=dice.roll(8) {
        let (path, folder) = (dice.path(), format!("d{}", dice.roll(3)));
        let line = match dice.roll(8) {
            0 => format!("rm -rf {path}"),
            1 => format!("rm -rf {folder}/d{}", dice.roll(3)),
            2 => format!(
                "rm -rf {folder} && mkdir {folder} && echo other > {folder}/f{}",
                dice.roll(6)
            ),
            3 => format!("rm -rf {path}; ln -s to-{} {path}", dice.roll(3)),
            4 => format!("chmod +x {path}"),
            5 => format!("mv {path} {}", dice.path()),
            6 => format!("rm -rf {folder} && echo file > {folder}"),
            _ => format!("mkdir -p $(dirname {path}) && echo {} > {path}", dice.roll(4)),
        };
        script.push_str(&format!("{{ {line}; }} 2>/dev/null\n"));
    }
    script.push_str("exit 0\n");
    script
}

/// One state root, whose workspace is laid in one way.
struct Side {
    root: PathBuf,
    spaces: Workspaces,
    run: RunId,
}

impl Side {
    fn lay(folder: &Path, laying: Laying, name: &str) -> Self {
        let state = StateRoot::open(&folder.join(name)).expect("a state root");
        let spaces = Workspaces::open(&state, &folder.join("repo")).expect("a repository");
        let spaces = spaces.laying(laying, env!("CARGO_BIN_EXE_trueup").into());
        let run = RunId::new("T-1.1");
        let base = spaces.base("HEAD").expect("a base");
        spaces.lay(&run, &base, &base.tree, None).expect("a workspace");
        let root = folder.join(name).canonicalize().expect("a folder");
        Self { root, spaces, run }
    }

    fn edit(&self, script: &str) {
        let folder = self.spaces.folder(&self.run);
        let mut words: Vec<OsString> = Vec::new();
        if let Folder::Veiled(veil) = &folder {
            let below = |path: &Path| path.strip_prefix(&self.root).expect("below the root").into();
            words.extend([env!("CARGO_BIN_EXE_trueup"), "sandbox-lay", "--in"].map(Into::into));
            words.extend([self.root.clone().into(), "--under".into(), below(&veil.under[0])]);
            words.extend(["--veil".into(), below(&veil.folder), "--".into()]);
        }
        let script = format!("cd '{}' || exit 1\n{script}", folder.place().display());
        words.extend(["/bin/sh".into(), "-c".into(), script.into()]);
        let status = Command::new(&words[0]).args(&words[1..]).status().expect("a shell");
        assert!(status.success());
    }

    fn snapshot(&self, turn: u64) -> (String, String) {
        let label = EffectId::new(format!("turn-{turn}"));
        let snapshot = self.spaces.snapshot(&self.run, &label).expect("a tree");
        (snapshot.tree.to_string(), format!("{:?}", snapshot.findings))
    }

    /// Packs of snapshots that were taken without git.
    fn packs(&self) -> usize {
        let listed = fs::read_dir(self.root.join("results.git/objects/pack")).expect("packs");
        listed
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|ext| ext == "pack"))
            .count()
    }
}

fn repository(folder: &Path) {
    let git = |words: &[&str]| {
        let named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"];
        let status = Command::new("git")
            .args(named)
            .args(words)
            .current_dir(folder.join("repo"))
            .status();
        assert!(status.expect("git").success(), "{words:?}");
    };
    for number in 0..40 {
        let path = folder.join(format!("repo/d{}/d{}/f{}", number % 3, number % 4, number % 6));
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, format!("base {number}\n")).expect("a file");
    }
    fs::write(folder.join("repo/.gitignore"), "f5\n").expect("a file");
    git(&["init", "--quiet"]);
    git(&["add", "--all", "--force"]);
    git(&["commit", "--quiet", "--message", "base"]);
}

#[test]
fn a_layer_shows_what_its_veil_shows() {
    let folder = TempDir::new().expect("a folder");
    repository(folder.path());
    let mut quick = 0;
    for seed in 1..=4 {
        let copy = Side::lay(folder.path(), Laying::Copy, &format!("copy-{seed}"));
        let veil = Side::lay(folder.path(), Laying::Overlay, &format!("veil-{seed}"));
        assert!(
            matches!(veil.spaces.folder(&veil.run), Folder::Veiled(_)),
            "veils can be laid here"
        );
        let mut dice = Dice(seed);
        for turn in 0..12 {
            let script = script(&mut dice);
            let before = veil.packs();
            copy.edit(&script);
            veil.edit(&script);
            assert_eq!(
                veil.snapshot(turn),
                copy.snapshot(turn),
                "seed {seed}, turn {turn}:\n{script}"
            );
            quick += usize::from(veil.packs() > before);
        }
    }
    assert!(quick > 20, "most layers were looked at through their veil: {quick}");
}
