//! What proof costs whoever is honest: thirty changes of real shapes, none
//! refused, and every question that a person would be asked.

#[cfg(test)]
mod changes;
