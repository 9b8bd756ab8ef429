#!/bin/sh
root=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/src"
cat > "$dir/Cargo.toml" <<TOML
[package]
name = "outside"
version = "0.1.0"
edition = "2021"

[dependencies]
tinylex = { path = "$root" }
TOML
cat > "$dir/src/main.rs" <<'RS'
use tinylex::{tokens, Kind};

fn gives(source: &str, want: &[(&str, &str, usize, usize)]) {
    let got: Vec<(String, String, usize, usize)> = match tokens(source) {
        Ok(found) => found
            .iter()
            .map(|t| {
                let kind = match t.kind {
                    Kind::Word => "word",
                    Kind::Number => "number",
                    Kind::Text => "text",
                    Kind::Sign => "sign",
                };
                (kind.to_string(), t.value.to_string(), t.place.line as usize, t.place.column as usize)
            })
            .collect(),
        Err(error) => fail(format!("{source:?}: {error}")),
    };
    let want: Vec<(String, String, usize, usize)> =
        want.iter().map(|w| (w.0.to_string(), w.1.to_string(), w.2, w.3)).collect();
    if got != want {
        fail(format!("{source:?}: {got:?}"));
    }
}

fn refused(source: &str, line: usize, column: usize) {
    match tokens(source) {
        Ok(found) => fail(format!("{source:?} is let in: {found:?}")),
        Err(error) if (error.place.line as usize, error.place.column as usize) != (line, column) => {
            fail(format!("{source:?}: {error}"))
        }
        Err(_) => {}
    }
}

fn fail(text: String) -> ! {
    println!("{text}");
    std::process::exit(1)
}

fn main() {
    gives("xy (3)\n\n\n\tzz", &[("word", "xy", 1, 1), ("sign", "(", 1, 4), ("number", "3", 1, 5), ("sign", ")", 1, 6), ("word", "zz", 4, 2)]);
    gives("\"ñ→\" é,1", &[("text", "ñ→", 1, 1), ("word", "é", 1, 6), ("sign", ",", 1, 7), ("number", "1", 1, 8)]);
    gives("k#k\"\n#\n##\n  9 # 9", &[("word", "k", 1, 1), ("number", "9", 4, 3)]);
    gives("\"\\\"\\\"\"7", &[("text", "\"\"", 1, 1), ("number", "7", 1, 7)]);
    gives("a\n\"\\\\\\n#\\t\" \"\\\\\"", &[("word", "a", 1, 1), ("text", "\\\n#\t", 2, 1), ("text", "\\", 2, 11)]);
    gives("", &[]);
    gives("# end", &[]);
    refused("12 13 \"", 1, 7);
    refused("q\n\n  \"w # e", 3, 3);
    refused("\"a\nb\"", 1, 1);
    refused("\"a\\\"", 1, 1);
    refused("\n\"ü\\x\"", 2, 3);
    refused("\"\\\\\\r\"", 1, 4);
    refused("ab\n  cd !", 2, 6);
    refused("# c\n# d\n  @", 3, 3);
}
RS
cd "$dir" && CARGO_TARGET_DIR="$dir/target" cargo run -q --offline
