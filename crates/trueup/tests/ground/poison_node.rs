//! Everything an agent can do to installed packages, and what comes of it.

use crate::place::{Kind, engine_owned, furnished, run, saw, transcript};
use serde_json::Value;

/// Makes the runner of this workspace say yes to everything, and shows that it does.
const FAKE_RUNNER: &str = r#"
printf '#!/usr/bin/env node\nconsole.log("1 passed");\n' > fake.mjs
cp fake.mjs node_modules/vitest/vitest.mjs
chmod +x node_modules/vitest/vitest.mjs
rm fake.mjs
npm test && echo "the runner of this workspace is fooled"
echo noted > NOTES
"#;

fn failed(seen: &Value) -> bool {
    seen["saw"]["failed"].is_object()
}

#[test]
fn an_honest_agent_ends_in_verified() {
    let agent = "sed -i 's/one - other/one + other/' src/sum.js\necho noted > NOTES\n";
    let household = furnished(Kind::Node, "", agent);
    let ended = run(&household);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(
        !ended.stderr.contains("prepare"),
        "it was prepared before: {}",
        ended.stderr
    );
}

#[test]
fn what_an_agent_does_to_node_modules_reaches_no_room() {
    let household = furnished(Kind::Node, "", FAKE_RUNNER);
    let before = engine_owned(&household);
    let ended = run(&household);
    assert_eq!(ended.code, 5, "{ended:#?}");
    let said = transcript(&household);
    assert!(said.contains("the runner of this workspace is fooled"), "{said}");
    assert!(failed(&saw(&household, "AC-1.1")));
    assert_eq!(engine_owned(&household), before);
}

/// Puts a package of its own in the runner's place, the way a lock file can.
const FAKE_LOCK: &str = r#"
mkdir -p fake
printf '#!/usr/bin/env node\nconsole.log("1 passed");\n' > fake/vitest.mjs
chmod +x fake/vitest.mjs
printf '{"name":"vitest","version":"9.9.9","bin":{"vitest":"./vitest.mjs"}}\n' > fake/package.json
node -e '
const fs = require("fs");
const own = JSON.parse(fs.readFileSync("package.json"));
own.devDependencies.vitest = "file:./fake";
fs.writeFileSync("package.json", JSON.stringify(own, null, 2) + "\n");
const lock = JSON.parse(fs.readFileSync("package-lock.json"));
lock.packages[""].devDependencies.vitest = "file:./fake";
lock.packages["node_modules/vitest"] = { resolved: "fake", link: true };
lock.packages.fake = { name: "vitest", version: "9.9.9", dev: true, bin: { vitest: "./vitest.mjs" } };
fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
'
echo noted > NOTES
"#;

#[test]
fn a_lock_file_that_replaces_the_runner_is_not_followed() {
    let household = furnished(Kind::Node, "", FAKE_LOCK);
    let before = engine_owned(&household);
    let ended = run(&household);
    assert_eq!(ended.code, 4, "{ended:#?}");
    let asked = "package-lock.json: it changes what is installed: vitest ";
    assert!(ended.stdout.contains(asked), "{ended:#?}");
    let seen = saw(&household, "AC-1.1");
    let why = seen["saw"]["cannot_run"]["why"]
        .as_str()
        .unwrap_or_else(|| panic!("{seen:#}"));
    assert!(
        why.contains("package-lock.json decides what [prepare.node] installs") && why.contains("lockfiles"),
        "{why}"
    );
    assert_eq!(engine_owned(&household), before);
}

/// In turn 1, a script that would spoil whatever is being installed; in turn 2
/// it is gone. `LOCK` makes the lock file differ, so that something is installed.
fn postinstall(lock: &str) -> String {
    format!(
        r#"
if [ "$TRUEUP_TURN" = 1 ]; then
    cp package.json "$HOME/kept.json"
    node -e '
    const fs = require("fs");
    const own = JSON.parse(fs.readFileSync("package.json"));
    own.scripts.postinstall = "echo > node_modules/vitest/vitest.mjs";
    fs.writeFileSync("package.json", JSON.stringify(own, null, 2) + "\n");
    '
    {lock}
else
    sed -i '/postinstall/d; s/"vitest run",/"vitest run"/' package.json
    echo noted > NOTES
fi
"#
    )
}

#[test]
fn a_postinstall_of_turn_one_is_never_run_where_the_lock_file_is_the_bases() {
    let household = furnished(Kind::Node, "", &postinstall(""));
    let before = engine_owned(&household);
    let ended = run(&household);
    assert_eq!(ended.code, 6, "{ended:#?}");
    assert!(failed(&saw(&household, "AC-1.1")));
    assert_eq!(engine_owned(&household), before);
}

#[test]
fn a_postinstall_of_turn_one_spoils_no_layer_of_turn_two() {
    let lock = r#"sed -i '0,/"version": "1.0.0"/s//"version": "1.0.1"/' package-lock.json"#;
    let more = "allow: { lockfiles: [package-lock.json] }\n";
    let household = furnished(Kind::Node, more, &postinstall(lock));
    let before = household.state().join("layers");
    let ended = run(&household);
    assert_eq!(ended.code, 6, "{ended:#?}");
    let rounds: Vec<Value> = household
        .events("T-001")
        .into_iter()
        .filter(|event| event["type"] == "checked")
        .collect();
    let unit = |round: &Value| round["evidence"][0].clone();
    let (spoilt, clean) = (unit(&rounds[1]), unit(&rounds[2]));
    assert_eq!(
        spoilt["saw"], "passed",
        "the script ran and fooled its own turn: {spoilt:#}"
    );
    assert!(failed(&clean), "{clean:#}");
    let layer = |evidence: &Value| evidence["conditions"]["layers"]["node"].clone();
    assert_ne!(layer(&spoilt), layer(&clean), "each tree has its own");
    assert_ne!(layer(&unit(&rounds[0])), layer(&clean), "and none is the base's");
    assert!(before.is_dir());
}
