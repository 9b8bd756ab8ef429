use crate::pattern::{Params, Pattern};

#[derive(Debug, PartialEq, Eq)]
pub struct Found<'a> {
    pub name: &'a str,
    pub params: Params,
}

#[derive(Debug, Default)]
pub struct Router {
    routes: Vec<(Pattern, String)>,
}

impl Router {
    pub fn new() -> Router {
        Router::default()
    }

    pub fn add(mut self, pattern: &str, name: &str) -> Router {
        self.routes.push((Pattern::parse(pattern), name.to_string()));
        self
    }

    /// The route for a path.
    pub fn find(&self, path: &str) -> Option<Found<'_>> {
        self.routes.iter().find_map(|(pattern, name)| pattern.matches(path).map(|params| Found { name, params }))
    }
}
