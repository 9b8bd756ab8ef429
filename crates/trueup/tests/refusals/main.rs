//! What is refused before any agent starts: each with its reason, its line in
//! the task file, and an exit code of its own.

#[cfg(test)]
mod place;

#[cfg(test)]
mod in_the_file;
#[cfg(test)]
mod in_the_house;
#[cfg(test)]
mod on_the_base;
