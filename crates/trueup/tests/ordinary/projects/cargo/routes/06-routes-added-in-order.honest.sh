#!/bin/sh
# matches as asked; a further set of routes is added in both orders by a new test
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
cat >> tests/common/mod.rs <<'EOF'

pub fn tags(reversed: bool) -> Router {
    let mut routes = [("/tags/*all", "nested"), ("/tags/:tag", "tag"), ("/tags/none", "none")];
    if reversed {
        routes.reverse();
    }
    routes.iter().fold(Router::new(), |router, (pattern, name)| router.add(pattern, name))
}
EOF
sed -i 's/^use common::{check, check_table, shop};/use common::{check, check_table, shop, tags};/' tests/routes.rs
cat >> tests/routes.rs <<'EOF'

#[test]
fn the_order_of_adding_does_not_matter() {
    for reversed in [false, true] {
        check(&tags(reversed), "/tags/none", "none", &[]);
        check(&tags(reversed), "/tags/a", "tag", &[("tag", "a")]);
        check(&tags(reversed), "/tags/a/b", "nested", &[("all", "a/b")]);
    }
}
EOF
