//! Real reports, made worse: the inputs of the fuzzer.

/// Numbers that look random and are the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the end.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).expect("a number");
        usize::try_from(self.next() % end).expect("a number")
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A part of something so long.
    fn part(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = (length - start).min(1 << self.below(13));
        start..start + self.below(most + 1)
    }
}

/// No input is longer.
const LONGEST: usize = 128 * 1024;

/// What readers look for, and what they would rather not see.
const WORDS: [&str; 58] = [
    "<testsuite name='s' errors='1'>",
    "</testsuite>",
    "<testsuites>",
    "</testsuites>",
    "<testcase name='a' classname='b'>",
    "</testcase>",
    "<failure message='",
    "<error/>",
    "<skipped/>",
    "<flakyFailure>",
    "<rerunFailure>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<!DOCTYPE a>",
    "&#0;",
    "&#x110000;",
    "&amp;",
    "&;",
    "&",
    "'",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "\n",
    "\r\n",
    "\0",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e999",
    "18446744073709551616",
    "4294967296",
    "\nrunning 1 test\n",
    "\ntest a ... ok\n",
    "\ntest a ... FAILED\n",
    "\nfailures:\n",
    "\n---- a stdout ----\n",
    "\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    "\n     Running tests/a.rs (target/a)\n",
    "\nSF:a\n",
    "\nDA:1,1\n",
    "\nend_of_record\n",
    "{\"Action\":\"run\",\"Package\":\"a\",\"Test\":\"b\"}\n",
    "{\"reason\":\"build-finished\",\"success\":false}\n",
];

const NESTS: [(&str, &str); 6] = [
    ("<a>", "</a>"),
    ("<testsuite>", "</testsuite>"),
    ("[", "]"),
    ("{\"a\":", "}"),
    ("{\"runs\":[", "]}"),
    ("<!--<", ">-->"),
];

/// One of the reports, changed in a few ways.
pub(crate) fn mutated(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = dice.pick(corpus).clone();
    for _ in 0..=dice.below(6) {
        change(&mut bytes, corpus, dice);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let part = dice.part(bytes.len());
    let at = part.start;
    match dice.below(9) {
        0 => {
            for _ in 0..=dice.below(8) {
                let at = dice.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
        }
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(part)),
        3 => {
            let again = bytes[part].repeat(1 << dice.below(7));
            drop(bytes.splice(at..at, again));
        }
        4 => {
            let other = dice.pick(corpus);
            let from = dice.part(other.len());
            drop(bytes.splice(part, other[from].iter().copied()));
        }
        5 | 6 => drop(bytes.splice(at..at, dice.pick(&WORDS).bytes())),
        7 => {
            let (open, close) = dice.pick(&NESTS);
            let times = 1 << dice.below(13);
            let inside: Vec<u8> = bytes[part.clone()].to_vec();
            let nested = [open.repeat(times).as_bytes(), &inside, close.repeat(times).as_bytes()].concat();
            drop(bytes.splice(part, nested));
        }
        _ => number(bytes, at, dice),
    }
}

/// The next number becomes another one.
fn number(bytes: &mut Vec<u8>, from: usize, dice: &mut Dice) {
    let digits = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes[from..].iter().position(digits).map(|at| from + at) else {
        return;
    };
    let length = bytes[start..].iter().take_while(|byte| digits(byte)).count();
    let other = dice.pick(&[
        "0",
        "1",
        "2",
        "99",
        "-1",
        "4294967295",
        "18446744073709551615",
        "1e9",
        "",
    ]);
    drop(bytes.splice(start..start + length, other.bytes()));
}
