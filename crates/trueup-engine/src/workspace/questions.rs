//! What the person's repository says: branches, authors, uncommitted work.

use super::{error::Error, output, person::Checkout, refs::target, workspaces::Workspaces};
use trueup_core::{
    event::Identity,
    id::{CommitId, TreeId},
};

impl Workspaces {
    /// The branch that is checked out; none where no branch is.
    pub fn current_branch(&self) -> Result<Option<String>, Error> {
        self.symbolic("HEAD", "refs/heads/")
    }

    /// The branch that the remote `origin` shows to whoever clones it, as far
    /// as this clone knows.
    pub fn default_branch(&self) -> Result<Option<String>, Error> {
        self.symbolic("refs/remotes/origin/HEAD", "refs/remotes/origin/")
    }

    /// The tag that was set last on the way to a commit.
    pub fn last_tag(&self, commit: &CommitId) -> Result<Option<String>, Error> {
        let asked = ["describe", "--tags", "--abbrev=0", commit.as_str()];
        let answer = self.person.eyes().call(&asked, &[])?;
        let tag = String::from_utf8_lossy(&answer.stdout).trim_end().to_owned();
        Ok(Some(tag).filter(|_| answer.succeeded()))
    }

    fn symbolic(&self, name: &str, below: &str) -> Result<Option<String>, Error> {
        let answer = self.person.eyes().call(&["symbolic-ref", "--quiet", name], &[])?;
        let line = String::from_utf8_lossy(&answer.stdout).trim_end().to_owned();
        Ok(line
            .strip_prefix(below)
            .filter(|_| answer.succeeded())
            .map(str::to_owned))
    }

    /// Paths that differ from HEAD and are not ignored. Takes no lock.
    pub fn uncommitted(&self) -> Result<Vec<String>, Error> {
        if self.person.checkout == Checkout::Bare {
            return Ok(Vec::new());
        }
        let status = self.person.eyes().run(&[
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=dirty",
        ])?;
        // Two letters and a space stand before each path.
        Ok(output::records(&status)
            .filter_map(|record| record.get(3..))
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect())
    }

    /// Who the person is, by git's own configuration.
    pub fn author(&self) -> Result<Identity, Error> {
        let told = ["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"];
        let answer = self.person.eyes().call(&told, &[])?;
        if !answer.succeeded() {
            return Err(Error::NoIdentity);
        }
        let line = output::text(&answer.stdout);
        let (name, rest) = line.split_once(" <").ok_or(Error::NoIdentity)?;
        let (email, _) = rest.split_once('>').ok_or(Error::NoIdentity)?;
        Ok(Identity {
            name: name.to_string(),
            email: email.to_string(),
        })
    }

    /// What a branch of the person's repository points to, if it is there.
    pub fn branch(&self, branch: &str) -> Result<Option<(CommitId, TreeId)>, Error> {
        let git = self.person.git();
        let name = format!("refs/heads/{branch}");
        let Some(commit) = target(&git, &format!("{name}^{{commit}}"))? else {
            return Ok(None);
        };
        let tree = git.line(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")])?;
        Ok(Some((CommitId::new(commit), TreeId::new(tree))))
    }

    /// Whether git ignores a path of the person's checkout.
    pub fn is_ignored(&self, path: &str) -> Result<bool, Error> {
        if self.person.checkout == Checkout::Bare {
            return Ok(false);
        }
        let name = match path.starts_with('/') {
            true => path.to_string(),
            // A name that begins like this is a name, never a pattern.
            false => format!("./{path}"),
        };
        let git = self.person.eyes().patterns();
        let answer = git.call(&["check-ignore", "--quiet", "--", &name], &[])?;
        match answer.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            Some(_) | None => Err(Error::unclear("check-ignore", answer.stderr.as_bytes())),
        }
    }
}
