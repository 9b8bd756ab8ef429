//! What git said of trees. A tree never changes, so git is asked once.

use super::error::Error;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// How many bytes of answers are kept, and how many answers; those that came
/// first go first.
const MOST: usize = 4 << 20;
const MOST_ANSWERS: usize = 256;

/// Answers that were given before, whoever asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    kept: Arc<Mutex<VecDeque<Answer>>>,
}

#[derive(Debug)]
struct Answer {
    question: Vec<String>,
    said: Arc<[u8]>,
}

impl Answers {
    /// What is said to this question, which must be about objects and nothing
    /// else: `ask` is called only if nobody asked it before.
    pub(super) fn to(
        &self,
        question: &[&str],
        ask: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Arc<[u8]>, Error> {
        if let Some(said) = self.remembered(question) {
            return Ok(said);
        }
        let said: Arc<[u8]> = ask()?.into();
        if said.len() <= MOST {
            self.keep(question, &said);
        }
        Ok(said)
    }

    fn remembered(&self, question: &[&str]) -> Option<Arc<[u8]>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = kept.iter().find(|answer| answer.question == question)?;
        Some(Arc::clone(&answer.said))
    }

    fn keep(&self, question: &[&str], said: &Arc<[u8]>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Answer {
            question: question.iter().map(ToString::to_string).collect(),
            said: Arc::clone(said),
        });
        let mut bytes: usize = kept.iter().map(Answer::bytes).sum();
        while bytes > MOST || kept.len() > MOST_ANSWERS {
            bytes -= kept.pop_front().map_or(bytes, |answer| answer.bytes());
        }
    }
}

impl Answer {
    fn bytes(&self) -> usize {
        let words: usize = self.question.iter().map(String::len).sum();
        words + self.said.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, MOST};

    #[test]
    fn a_question_is_asked_once_and_another_one_is_another() {
        let answers = Answers::default();
        let said = |question: &[&str], says: &[u8]| {
            let answer = answers.to(question, || Ok(says.to_vec()));
            answer.expect("an answer").to_vec()
        };
        assert_eq!(said(&["ls-tree", "a"], b"one"), b"one");
        assert_eq!(said(&["ls-tree", "b"], b"two"), b"two");
        assert_eq!(said(&["ls-tree", "a"], b"never asked"), b"one");
    }

    #[test]
    fn what_takes_too_much_room_is_asked_again() {
        let answers = Answers::default();
        let length = |question: &str, says: usize| {
            let answer = answers.to(&[question], || Ok(vec![0; says]));
            answer.expect("an answer").len()
        };
        assert_eq!(length("huge", MOST + 1), MOST + 1);
        assert_eq!(length("huge", 1), 1, "it was not kept");
        assert_eq!(length("large", MOST - 100), MOST - 100);
        assert_eq!(length("large", 2), MOST - 100);
        assert_eq!(length("more", 200), 200);
        assert_eq!(length("large", 3), 3, "it made room");
    }
}
