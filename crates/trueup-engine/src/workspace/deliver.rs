//! The finished work: a commit, and a branch in the person's repository.

use super::{
    error::Error,
    folder,
    git::Git,
    output::{self, GitOutput, text},
    refs::target,
    store::fetch,
    workspaces::Workspaces,
};
use crate::{crash, space::says_full};
use trueup_core::{
    effect::{Commit, Publish},
    event::Identity,
    id::{CommitId, RunId, Timestamp},
};

/// What came of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The branch points to the commit.
    Done,
    /// It does not, for this reason; the sentence says what to type.
    Refused(String),
}

impl Workspaces {
    /// Makes the commit that will be delivered. Its id follows from its parts,
    /// so making it again makes the same one. It is not signed.
    pub fn commit(&self, run: &RunId, commit: &Commit) -> Result<CommitId, Error> {
        crash::point("git.commit.before");
        let git = signed_by(self.results(), &commit.author, commit.at);
        let message = commit.message.replace('\0', " ");
        let arguments = [
            "commit-tree",
            commit.tree.as_str(),
            "-p",
            commit.parent.as_str(),
            "-F",
            "-",
        ];
        let made = CommitId::new(text(&git.feed(&arguments, message.as_bytes())?));
        let name = format!("refs/runs/{run}/delivered");
        git.run(&["update-ref", &name, made.as_str()])?;
        folder::settle(&self.state.results(), &name)?;
        crash::point("git.commit.after");
        Ok(made)
    }

    /// Copies the finished branch, and nothing else, into the person's
    /// repository. It moves only from where it stood when the run opened; a
    /// branch that is gone since holds nothing that could be lost, and is made
    /// anew. Objects arrive under a ref of their own, so that a `git gc` at
    /// that moment takes none of them.
    pub fn publish(&self, run: &RunId, publish: &Publish) -> Result<Delivery, Error> {
        let git = self.person.git();
        let name = format!("refs/heads/{}", publish.branch);
        let incoming = format!("refs/trueup/incoming/{run}");
        let now = target(&git, &name)?.map(CommitId::new);
        if now.as_ref() == Some(&publish.commit) {
            git.run(&["update-ref", "-d", &incoming])?;
            folder::settle(&self.person.common, &name)?;
            return Ok(Delivery::Done);
        }
        if let Some(why) = self.obstacle(run, publish, now.as_ref())? {
            return Ok(Delivery::Refused(why));
        }
        self.deliver_contents(&publish.commit)?;
        fetch(&git, &self.state.results(), &format!("+{}:{incoming}", publish.commit))?;
        let mut moves = String::from("start\noption no-deref\n");
        match &now {
            Some(old) => {
                moves += &format!("update {name} {} {old}\n", publish.commit);
                moves += &format!("update refs/trueup/rescue/{run} {old}\n");
            }
            None => moves += &format!("create {name} {}\n", publish.commit),
        }
        moves += &format!("delete {incoming}\nprepare\ncommit\n");
        crash::point("git.publish.before");
        let answered = git.call(&["update-ref", "--stdin"], moves.as_bytes());
        crash::point("git.publish.after");
        if answered.as_ref().is_ok_and(GitOutput::succeeded) {
            folder::settle(&self.person.common, &name)?;
            return Ok(Delivery::Done);
        }
        git.run(&["update-ref", "-d", &incoming])?;
        let answer = answered?;
        if says_full(&answer.stderr) {
            return Err(Error::unclear("update-ref", answer.stderr.as_bytes()));
        }
        let now = target(&git, &name)?.map(CommitId::new);
        let moved = self.obstacle(run, publish, now.as_ref())?;
        Ok(Delivery::Refused(moved.unwrap_or_else(|| {
            format!(
                "git did not move the branch `{}`: {}; when that is mended, type `trueup resume {run}`",
                publish.branch,
                answer.stderr.lines().next().unwrap_or("it did not say why"),
            )
        })))
    }

    /// Why the branch must not be moved, if it must not.
    fn obstacle(&self, run: &RunId, publish: &Publish, now: Option<&CommitId>) -> Result<Option<String>, Error> {
        let branch = &publish.branch;
        if let Some(now) = now
            && publish.expected.as_ref() != Some(now)
        {
            let way = match &publish.expected {
                Some(was) => format!("`git branch {branch}-kept {now} && git branch --force {branch} {was}`"),
                None => format!("`git branch --move {branch} {branch}-kept`"),
            };
            return Ok(Some(format!(
                "the branch `{branch}` was moved to {now} while the run worked, and is not overwritten; to keep that under another name, type {way}, then `trueup resume {run}`"
            )));
        }
        let git = self.person.git();
        let name = format!("refs/heads/{branch}");
        if git.call(&["symbolic-ref", "--quiet", &name], &[])?.succeeded() {
            return Ok(Some(format!(
                "the branch `{branch}` is only another name for a branch; type `git symbolic-ref --delete {name}`, then `trueup resume {run}`"
            )));
        }
        Ok(self.checkout_of(&git, &name)?.map(|place| {
            format!(
                "the branch `{branch}` is checked out in {place}, where moving it would look like your edits; type `git -C '{place}' switch --detach`, then `trueup resume {run}`"
            )
        }))
    }

    /// The checkout that stands on a branch, if one does.
    fn checkout_of(&self, git: &Git, name: &str) -> Result<Option<String>, Error> {
        let listed = git.run(&["worktree", "list", "--porcelain", "-z"])?;
        let mut place = None;
        for line in output::records(&listed) {
            let line = String::from_utf8_lossy(line);
            if let Some(path) = line.strip_prefix("worktree ") {
                place = Some(path.to_string());
            } else if line.strip_prefix("branch ") == Some(name) {
                return Ok(place);
            }
        }
        Ok(None)
    }
}

/// Git that commits in this name at this moment, whatever the clock says.
pub(super) fn signed_by(git: Git, author: &Identity, at: Timestamp) -> Git {
    let date = format!("@{} +0000", at.0.div_euclid(1000).max(0));
    ["AUTHOR", "COMMITTER"].iter().fold(git, |git, role| {
        git.variable(&format!("GIT_{role}_NAME"), &author.name)
            .variable(&format!("GIT_{role}_EMAIL"), &author.email)
            .variable(&format!("GIT_{role}_DATE"), &date)
    })
}
