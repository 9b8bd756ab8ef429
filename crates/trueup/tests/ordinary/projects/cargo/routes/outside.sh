#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
rustc --edition 2021 -O --crate-type rlib --crate-name routes src/lib.rs -o "$d/libroutes.rlib" 2>"$d/log" || exit 1
cat > "$d/main.rs" <<'RS'
use routes::Router;
fn show(router: &Router, path: &str) -> String {
    match router.find(path) {
        None => "none".to_string(),
        Some(found) => found.params.iter().fold(found.name.to_string(), |text, (key, value)| format!("{text} {key}={value}")),
    }
}
fn main() {
    let router = Router::new()
        .add("/*all", "any")
        .add("/docs/*page", "page")
        .add("/docs/:topic/edit", "edit")
        .add("/docs/:topic", "topic")
        .add("/docs/index", "index")
        .add("/:lang/index", "lang")
        .add("/users/:id", "user");
    for (path, want) in [
        ("/docs/index", "index"), ("/docs/intro", "topic topic=intro"), ("/docs/intro/edit", "edit topic=intro"),
        ("/docs/intro/view", "page page=intro/view"), ("/docs/a/b/c/d", "page page=a/b/c/d"), ("/en/index", "lang lang=en"),
        ("/en/other", "any all=en/other"), ("/x", "any all=x"), ("/users/99", "user id=99"), ("/", "none"),
    ] {
        assert_eq!(show(&router, path), want, "{path}");
    }
    let narrow = Router::new().add("/a/:b", "b").add("/f/*rest", "f");
    for path in ["/a/", "/a", "/a/b/c", "/f", "/f/", "/g/x"] {
        assert_eq!(show(&narrow, path), "none", "{path}");
    }
    assert_eq!(show(&narrow, "/a/new"), "b b=new");
}
RS
rustc --edition 2021 -O "$d/main.rs" --extern routes="$d/libroutes.rlib" -o "$d/main" 2>>"$d/log" || { cat "$d/log"; exit 1; }
cd "$d" && env -i ./main
