//! The tokens of a little language: words, numbers, texts and signs.

mod lexer;
mod token;

pub use lexer::tokens;
pub use token::{Kind, LexError, Place, Token};
