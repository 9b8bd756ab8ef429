#!/bin/sh
# matches as asked; a new test finds its file by the folder that cargo names
set -eu
sed -i '/^    \/\/\/ The values that a path gives/,$d' src/pattern.rs
cat >> src/pattern.rs <<'EOF'
    /// The values that a path gives; None if it does not fit.
    pub fn matches(&self, path: &str) -> Option<Params> {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let mut params = Params::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let part = *parts.get(at)?;
            match segment {
                Segment::Literal(text) if text == part => {}
                Segment::Literal(_) => return None,
                Segment::Param(_) if part.is_empty() => return None,
                Segment::Param(name) => params.push((name.clone(), part.to_string())),
                Segment::Rest(name) => {
                    let rest = parts[at..].join("/");
                    if rest.is_empty() {
                        return None;
                    }
                    params.push((name.clone(), rest));
                    return Some(params);
                }
            }
        }
        (parts.len() == self.segments.len()).then_some(params)
    }
EOF
cat >> src/pattern.rs <<'EOF'

    /// Smaller for patterns that are more exact.
    pub(crate) fn rank(&self) -> Vec<u8> {
        let rank = |segment: &Segment| match segment {
            Segment::Literal(_) => 0,
            Segment::Param(_) => 1,
            Segment::Rest(_) => 2,
        };
        self.segments.iter().map(rank).collect()
    }
}
EOF
sed -i '/^    \/\/\/ The route for a path/,$d' src/router.rs
cat >> src/router.rs <<'EOF'
    /// The most exact route for a path.
    pub fn find(&self, path: &str) -> Option<Found<'_>> {
        let fitting = self.routes.iter().filter_map(|(pattern, name)| Some((pattern, name, pattern.matches(path)?)));
        let (_, name, params) = fitting.min_by_key(|(pattern, ..)| pattern.rank())?;
        Some(Found { name, params })
    }
}
EOF
cat > tests/data/blog.txt <<'EOF'
/2024/05 month year=2024 month=05
/2024/05/first/draft post year=2024 month=05 slug=first/draft
/2024/latest latest year=2024
EOF
cat >> tests/routes.rs <<'EOF'

#[test]
fn paths_of_the_blog() {
    let table = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/blog.txt")).unwrap();
    let blog = Router::new().add("/:year/:month/*slug", "post").add("/:year/:month", "month").add("/:year/latest", "latest");
    check_table(&blog, &table);
}
EOF
