//! The known name that somebody probably meant.

/// The known name nearest to this one, if one is near enough to be a slip of
/// the fingers. Letter case is no distance at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    // One slip per three letters: `verfy` is near `verify`, `x` is near nothing.
    let reach = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= reach && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The hint that names the nearest known name, or else all of them.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
            format!("known are {}", all.join(", "))
        }
    }
}
