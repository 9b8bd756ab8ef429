/// Names and values, in the order of the pattern.
pub type Params = Vec<(String, String)>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    Literal(String),
    /// `:name`
    Param(String),
    /// `*name`
    Rest(String),
}

/// A pattern such as /users/:id or /files/*path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    pub segments: Vec<Segment>,
}

impl Pattern {
    pub fn parse(text: &str) -> Pattern {
        let segments = text
            .trim_start_matches('/')
            .split('/')
            .map(|part| match (part.strip_prefix(':'), part.strip_prefix('*')) {
                (Some(name), _) => Segment::Param(name.to_string()),
                (_, Some(name)) => Segment::Rest(name.to_string()),
                _ => Segment::Literal(part.to_string()),
            })
            .collect();
        Pattern { segments }
    }

    /// The values that a path gives; None if it does not fit.
    pub fn matches(&self, path: &str) -> Option<Params> {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let literal = |(segment, part): (&Segment, &&str)| *segment == Segment::Literal(part.to_string());
        let fits = parts.len() == self.segments.len() && self.segments.iter().zip(&parts).all(literal);
        fits.then(Params::new)
    }
}
