//! One rule about a line.

use crate::rules::source::{Family, Look};

/// The part of a line an expression looks at, the expression, and what it says
/// of the line.
pub(super) type LineRule = (Look, &'static str, &'static str);

/// The same, with the languages it holds for.
pub(super) type FamilyRule = (Family, Look, &'static str, &'static str);
