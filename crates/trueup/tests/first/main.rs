//! Tests come first: they are written alone, seen to fail for want of the
//! work, and left alone while it is done; and what is put better afterwards is
//! kept only if everything stays green.

#[cfg(test)]
mod beside_code;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod phases;
#[cfg(test)]
mod place;
