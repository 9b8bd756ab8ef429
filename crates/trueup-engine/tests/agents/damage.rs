//! Damaged output: whatever is cut off, flipped, doubled or lost, a dialogue
//! answers; and without its last line no call is finished.

use crate::{call, lines, recorded, sample};
use serde_json::Value;
use trueup_core::ending::Ending;
use trueup_engine::sandbox::HowEnded;

/// A small generator, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).expect("it fits")
    }
}

/// Whether a line ends a turn.
fn is_last(line: &[u8]) -> bool {
    let line: Value = serde_json::from_slice(line).unwrap_or_default();
    let is = |key: &str, names: &[&str]| {
        line.get(key)
            .and_then(Value::as_str)
            .is_some_and(|is| names.contains(&is))
    };
    is("type", &["result", "turn.completed", "turn.failed"]) || is("method", &["turn/completed"])
}

fn in_good_order(ending: &Ending) -> bool {
    matches!(ending, Ending::Finished | Ending::Blocked { .. })
}

fn damage(dice: &mut Dice, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = dice.roll(bytes.len());
    match dice.roll(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] = u8::try_from(dice.roll(256)).expect("a byte"),
        2 => bytes[at] ^= 1 << dice.roll(8),
        3 => {
            let end = (at + dice.roll(200)).min(bytes.len());
            bytes.drain(at..end);
        }
        _ => {
            let end = (at + dice.roll(200)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

#[test]
fn damaged_output_is_survived_and_never_finishes_a_call_without_its_last_line() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for (name, ..) in recorded() {
        let bytes = sample(&name);
        let rest: Vec<&[u8]> = lines(&bytes).into_iter().filter(|line| !is_last(line)).collect();
        for _ in 0..12 {
            let mut whole = bytes.clone();
            let mut without = rest.join(&b'\n');
            for _ in 0..=dice.roll(4) {
                damage(&mut dice, &mut whole);
                damage(&mut dice, &mut without);
            }
            call(&name, &lines(&whole), &HowEnded::Exited(0));
            let ending = call(&name, &lines(&without), &HowEnded::Exited(0)).ending;
            assert!(!in_good_order(&ending), "{name}: {ending:?}");
        }
    }
}

#[test]
fn a_last_line_that_is_cut_is_none() {
    let mut dice = Dice(7);
    for (name, _, ending) in recorded() {
        if ending != "finished" {
            continue;
        }
        let bytes = sample(&name);
        let before: Vec<&[u8]> = lines(&bytes).into_iter().filter(|line| !is_last(line)).collect();
        for last in lines(&bytes).into_iter().filter(|line| is_last(line)) {
            let cut = last.get(..dice.roll(last.len())).expect("a part");
            let cut_off: Vec<&[u8]> = before.iter().copied().chain([cut]).collect();
            let ending = call(&name, &cut_off, &HowEnded::Exited(0)).ending;
            assert!(!in_good_order(&ending), "{name}: {ending:?}");
        }
    }
}

/// The known-bad reader: one that looks for words instead of reading lines
/// takes a cut line for a whole one.
#[test]
fn a_reader_of_words_takes_a_cut_line_for_a_last_one() {
    let bytes = sample("claude-197-basic");
    let last = lines(&bytes)
        .into_iter()
        .rfind(|line| is_last(line))
        .expect("a last line");
    let cut = String::from_utf8_lossy(last.get(..last.len() / 2).expect("a part"));
    assert!(cut.contains("\"type\":\"result\"") && cut.contains("\"is_error\":false"));
    assert!(!is_last(cut.as_bytes()));
}
