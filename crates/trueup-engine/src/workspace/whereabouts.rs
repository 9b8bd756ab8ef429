//! Where delivered commits are in the person's repository: a few questions for
//! all of them together, because a list shows many.

use super::{error::Error, workspaces::Workspaces};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{fate::Whereabouts, id::CommitId};

/// Below what runs deliver their branches.
const DELIVERED: &str = "trueup/";

impl Workspaces {
    /// Where each of these commits is. One counts as merged where the branch
    /// that is checked out holds it, the default branch of `origin`, or what
    /// tasks start from. A delivered branch that somebody looks at is no such
    /// branch, nor is a commit that is checked out without one.
    pub fn whereabouts(&self, commits: &[CommitId], base: &str) -> Result<BTreeMap<CommitId, Whereabouts>, Error> {
        let mut found: BTreeMap<CommitId, Whereabouts> =
            commits.iter().map(|one| (one.clone(), Whereabouts::Nowhere)).collect();
        if found.is_empty() {
            return Ok(found);
        }
        let (there, into) = self.there(found.keys(), base)?;
        let unmerged = self.not_in(&there, &into)?;
        let nowhere = self.not_in(&unmerged, &["--branches".into(), "--remotes".into()])?;
        for commit in there {
            let place = match (unmerged.contains(&commit), nowhere.contains(&commit)) {
                (false, _) => Whereabouts::Merged,
                (true, false) => Whereabouts::OnBranch,
                (true, true) => Whereabouts::Nowhere,
            };
            found.insert(commit, place);
        }
        Ok(found)
    }

    /// Those of these commits that are in the repository at all, and the
    /// commits of the branches that work is merged into.
    fn there<'a>(
        &self,
        commits: impl Iterator<Item = &'a CommitId>,
        base: &str,
    ) -> Result<(BTreeSet<CommitId>, Vec<String>), Error> {
        let mut asked: Vec<String> = commits.map(|one| format!("{one}^{{commit}}")).collect();
        let count = asked.len();
        asked.push("refs/remotes/origin/HEAD^{commit}".into());
        let current = self.current_branch()?;
        asked.extend(
            current
                .filter(|branch| !branch.starts_with(DELIVERED))
                .map(|branch| format!("refs/heads/{branch}^{{commit}}")),
        );
        // HEAD may stand anywhere; the branch that it names is asked above.
        asked.extend((base != "HEAD" && !base.contains('\n')).then(|| format!("{base}^{{commit}}")));
        let question = asked.join("\n") + "\n";
        let answer = self
            .person
            .eyes()
            .feed(&["cat-file", "--batch-check=%(objectname)"], question.as_bytes())?;
        let answer = String::from_utf8_lossy(&answer);
        // What is not there is answered with the question and a word behind it.
        let known: Vec<Option<&str>> = answer
            .lines()
            .map(|line| Some(line).filter(|line| !line.contains(' ')))
            .collect();
        if known.len() != asked.len() {
            return Err(Error::unclear("cat-file", answer.as_bytes()));
        }
        let (commits, branches) = known.split_at(count);
        Ok((
            commits.iter().flatten().map(|one| CommitId::new(*one)).collect(),
            branches.iter().flatten().map(|one| (*one).to_owned()).collect(),
        ))
    }

    /// Those of these commits that none of the others holds.
    fn not_in(&self, commits: &BTreeSet<CommitId>, others: &[String]) -> Result<BTreeSet<CommitId>, Error> {
        if commits.is_empty() || others.is_empty() {
            return Ok(commits.clone());
        }
        let mut arguments = vec!["rev-list".to_owned()];
        arguments.extend(commits.iter().map(ToString::to_string));
        arguments.push("--not".into());
        arguments.extend(others.iter().cloned());
        let listed = self.person.eyes().run(&arguments)?;
        let listed = String::from_utf8_lossy(&listed);
        let listed: BTreeSet<&str> = listed.lines().collect();
        let open = commits.iter().filter(|one| listed.contains(one.as_str()));
        Ok(open.cloned().collect())
    }
}
