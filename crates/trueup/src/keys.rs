//! Keys of a terminal, one by one, without Enter.

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use std::io::{self, Read};

/// What Ctrl-C and Ctrl-D send where they end nothing.
const CONTROL_C: u8 = 3;
const CONTROL_D: u8 = 4;

/// A terminal that gives every key at once, and is put back in the end.
pub(crate) struct Keys {
    before: Termios,
}

impl Keys {
    /// Begins to hear keys. Ctrl-C is one of them meanwhile: whoever is asked
    /// something leaves by it, with the terminal as it was.
    pub(crate) fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut now = before.clone();
        now.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        now.special_codes[SpecialCodeIndex::VMIN] = 1;
        now.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin(), OptionalActions::Now, &now)?;
        Ok(Self { before })
    }

    /// The next key; nothing where somebody left.
    pub(crate) fn next(&self) -> io::Result<Option<char>> {
        let mut key = [0];
        let count = io::stdin().lock().read(&mut key)?;
        Ok(match key {
            [CONTROL_C | CONTROL_D] => None,
            [key] if count == 1 => Some(char::from(key).to_ascii_lowercase()),
            [_] => None,
        })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing put back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
