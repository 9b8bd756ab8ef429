//! Which branch a person is on, and which one the others start from.

use super::{Error, Workspaces};

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

    fn symbolic(&self, name: &str, below: &str) -> Result<Option<String>, Error> {
        let answer = self.person.eyes().call(&["symbolic-ref", "--quiet", name], &[])?;
        let line = String::from_utf8_lossy(&answer.stdout).trim_end().to_owned();
        Ok(line
            .strip_prefix(below)
            .filter(|_| answer.succeeded())
            .map(str::to_owned))
    }
}
