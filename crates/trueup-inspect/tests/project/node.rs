//! Node projects, by whoever installs their packages and calls their scripts.

use super::{checks, doubts, found, prepared};
use trueup_inspect::project::ScriptRunner;

#[test]
fn the_lock_file_says_who_installs() {
    let package = r#"{"scripts": {"test": "node --test", "lint": "eslint ."}, "devDependencies": {"eslint": "9"}}"#;
    for (lock, test, install) in [
        ("package-lock.json", "npm test", "npm ci --no-audit --no-fund"),
        (
            "pnpm-lock.yaml",
            "pnpm run test",
            "pnpm install --frozen-lockfile --store-dir=/tmp/pnpm-store --package-import-method=copy --config.strict-dep-builds=false",
        ),
        ("yarn.lock", "yarn run test", "yarn install --frozen-lockfile"),
        ("bun.lock", "bun run test", "bun install --frozen-lockfile"),
    ] {
        let survey = found(&[("package.json", package), (lock, "")]);
        assert_eq!(checks(&survey)[0], format!("test: {test}"));
        assert_eq!(prepared(&survey), [format!("node: {install} | {lock} | node_modules")]);
    }
    let survey = found(&[("package.json", package), ("yarn.lock", ""), (".yarnrc.yml", "")]);
    assert_eq!(
        prepared(&survey),
        ["node: yarn install --immutable | yarn.lock .yarnrc.yml | node_modules"]
    );
    let asking = package.replacen('{', r#"{"packageManager": "yarn@4.4.1", "#, 1);
    let survey = found(&[("package.json", &asking), ("yarn.lock", ""), (".yarnrc.yml", "")]);
    assert_eq!(
        prepared(&survey),
        [
            "node: sh -c 'mkdir -p ~/.cache/node/corepack && yarn install --immutable' | yarn.lock .yarnrc.yml | node_modules ~/.cache/node/corepack"
        ]
    );
}

#[test]
fn packages_without_a_lock_file_are_installed_and_doubted() {
    let survey = found(&[(
        "package.json",
        r#"{"dependencies": {"a": "1"}, "packageManager": "pnpm@10.0.0"}"#,
    )]);
    assert_eq!(
        prepared(&survey),
        [
            "node: sh -c 'pnpm install --no-lockfile --store-dir=/tmp/pnpm-store --package-import-method=copy --config.strict-dep-builds=false || npm_config_manage_package_manager_versions=false pnpm install --no-lockfile --store-dir=/tmp/pnpm-store --package-import-method=copy --config.strict-dep-builds=false' | package.json | node_modules"
        ]
    );
    assert!(doubts(&survey)[0].contains("no lock file"), "{survey:#?}");
}

#[test]
fn a_package_in_a_folder_is_pointed_at_from_the_root() {
    let package = r#"{"scripts": {"test": "vitest run", "build": "vite build"}, "dependencies": {"a": "1"}}"#;
    let survey = found(&[("web/package.json", package), ("web/package-lock.json", "{}")]);
    assert_eq!(
        checks(&survey),
        [
            "web-test: npm --prefix web test",
            "web-build: npm --prefix web run build"
        ]
    );
    assert_eq!(
        prepared(&survey),
        ["web-node: npm --prefix web ci --no-audit --no-fund | web/package-lock.json | web/node_modules"]
    );
}

#[test]
fn members_of_a_node_workspace_keep_their_own_packages() {
    let member = r#"{"scripts": {"test": "vitest"}, "devDependencies": {"vitest": "3"}}"#;
    let files = [
        ("package.json", r#"{"scripts": {"test": "pnpm -r test"}}"#),
        ("pnpm-workspace.yaml", "packages: ['packages/*']"),
        ("pnpm-lock.yaml", ""),
        ("packages/a/package.json", member),
        ("packages/b/package.json", member),
        ("packages/c/package.json", r#"{"name": "c"}"#),
    ];
    let survey = found(&files);
    assert_eq!(checks(&survey), ["test: pnpm run test"]);
    assert_eq!(
        survey.preparations[0].keep,
        ["node_modules", "packages/a/node_modules", "packages/b/node_modules"]
    );
    let npm = found(&[
        (
            "package.json",
            r#"{"workspaces": ["packages/*"], "scripts": {"test": "npm test --workspaces"}}"#,
        ),
        (
            "package-lock.json",
            r#"{"packages": {"node_modules/x": {}, "packages/b/node_modules/x": {}}}"#,
        ),
        ("packages/a/package.json", member),
        ("packages/b/package.json", member),
    ]);
    assert_eq!(npm.preparations[0].keep, ["node_modules", "packages/b/node_modules"]);
}

#[test]
fn a_script_that_tests_nothing_or_never_ends_is_no_check() {
    let survey = found(&[(
        "package.json",
        r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "build": "tsc --watch"}}"#,
    )]);
    assert_eq!(checks(&survey), [""; 0]);
    assert_eq!(survey.doubts.len(), 2);
    assert!(doubts(&survey)[1].contains("would never end"));
}

#[test]
fn scripts_are_known_by_the_names_that_continuous_integration_uses() {
    let package = r#"{"scripts": {"check:lint": "eslint .", "check:types": "tsc", "test:ci": "jest --ci"}, "devDependencies": {"jest": "30"}}"#;
    let survey = found(&[("package.json", package), ("pnpm-lock.yaml", "")]);
    assert_eq!(
        checks(&survey),
        [
            "test: pnpm run test:ci",
            "lint: pnpm run check:lint",
            "types: pnpm run check:types"
        ]
    );
    assert_eq!(survey.commands[0].script, Some(ScriptRunner::Jest));
    for (script, runner) in [
        ("vitest run", Some(ScriptRunner::Vitest)),
        ("node --test", Some(ScriptRunner::Node)),
        ("node --experimental-strip-types --test", Some(ScriptRunner::Node)),
        ("node --test test/a.js", None),
        ("node build.js", None),
        ("tsc && jest", Some(ScriptRunner::Jest)),
        ("jest && tsc", None),
        ("jest & tsc", None),
        ("jest | cat", None),
        ("jest --reporters=default", None),
        ("jest --config jest.config.js src", Some(ScriptRunner::Jest)),
        ("jest -- src", None),
        ("vitest", Some(ScriptRunner::Vitest)),
        ("pnpm lint && vitest run --typecheck", Some(ScriptRunner::Vitest)),
        (
            "cross-env COVERAGE=true vitest --coverage run",
            Some(ScriptRunner::Vitest),
        ),
        ("vitest --ui", None),
        ("vitest bench", None),
        ("vitest run --reporter=dot", None),
        (
            "nyc --reporter=lcov --reporter=text mocha --require test/env",
            Some(ScriptRunner::Mocha),
        ),
        ("mocha -R dot", None),
        ("c8 ava", None),
        ("bun test", Some(ScriptRunner::Bun)),
        ("bun test/a.ts", None),
    ] {
        let package = format!(r#"{{"scripts": {{"test": "{script}"}}}}"#);
        assert_eq!(
            found(&[("package.json", &package)]).commands[0].script,
            runner,
            "{script}"
        );
    }
}

#[test]
fn what_a_script_does_before_it_installs_something_is_called_alone() {
    let survey = |scripts: &str| {
        found(&[
            ("package.json", &format!("{{\"scripts\": {scripts}}}")),
            ("bun.lock", ""),
        ])
    };
    let apart =
        r#"{"test": "bun test && npm run test:node", "test:node": "npm install --prefix test/node && node test/node"}"#;
    let found = survey(apart);
    assert_eq!(
        found.commands[0].words,
        ["sh", "-c", "export PATH=\"$PWD/node_modules/.bin:$PATH\" && bun test"]
    );
    assert_eq!(
        found.commands[0].reported().0[2],
        "export PATH=\"$PWD/node_modules/.bin:$PATH\" && bun test '--reporter=junit' '--reporter-outfile={{out}}/junit.xml'"
    );
    for whole in [
        r#"{"test": "bun test"}"#,
        r#"{"test": "npm install && make test"}"#,
        r#"{"test": "npm install; bun test"}"#,
        r#"{"test": "bun test && npm run test"}"#,
    ] {
        assert_eq!(checks(&survey(whole)), ["test: bun run test"], "{whole}");
    }
}

/// How the check of these scripts is typed so that it reports, with its lock file.
fn asked(scripts: &str, lock: &str) -> Option<String> {
    let package = format!("{{\"scripts\": {scripts}}}");
    let survey = found(&[("package.json", &package), (lock, "")]);
    let (words, parse) = survey.commands[0].reported();
    parse.map(|parse| format!("{parse}: {}", words.join(" ")))
}

#[test]
fn nodes_runner_is_asked_by_a_variable_wherever_a_script_calls_it() {
    let variable = "junit: env NODE_OPTIONS=--test-reporter=spec --test-reporter-destination=stdout \
                    --test-reporter=junit --test-reporter-destination={{out}}/junit.xml";
    for scripts in [
        r#"{"test": "eslint . && node --test && tsc --noEmit"}"#,
        r#"{"test": "npm run build && node --test test/*.test.js", "build": "tsc"}"#,
        r#"{"test": "npm run lint; npm run unit", "lint": "eslint .", "unit": "c8 node --test"}"#,
        r#"{"test": "run-s lint unit", "lint": "eslint .", "unit": "node --test"}"#,
    ] {
        let wanted = format!("{variable} npm test");
        assert_eq!(asked(scripts, "package-lock.json"), Some(wanted), "{scripts}");
    }
    for unsure in [
        // The second report would be written over the first.
        r#"{"test": "node --test a && node --test b && tsc"}"#,
        r#"{"test": "node --test a && npm test --workspaces"}"#,
        // What the script sets is stronger.
        r#"{"test": "NODE_OPTIONS=--no-warnings node --test a"}"#,
        r#"{"test": "node --test --test-reporter=tap a && tsc"}"#,
        r#"{"test": "docker run it node --test a && node --test b"}"#,
    ] {
        assert_eq!(asked(unsure, "package-lock.json"), None, "{unsure}");
    }
}

#[test]
fn a_runner_within_a_chain_is_given_its_flags_where_it_stands() {
    let line = |steps: &str| {
        Some(format!(
            "junit: sh -c export PATH=\"$PWD/node_modules/.bin:$PATH\" && {steps}"
        ))
    };
    let vitest = "vitest run '--reporter=junit' '--outputFile={{out}}/junit.xml'";
    for (scripts, steps) in [
        (
            r#"{"test": "vitest run && tsc --noEmit"}"#,
            format!("{vitest} && tsc --noEmit"),
        ),
        (
            r#"{"test": "pnpm run build && pnpm run unit && eslint .", "build": "tsc", "prebuild": "rm -r dist", "unit": "vitest run", "preunit": "sh db.sh"}"#,
            format!("pnpm run build && pnpm run preunit && {vitest} && eslint ."),
        ),
        (
            r#"{"test": "cd web && vitest run && pnpm run unit", "unit": "vitest run", "posttest": "sh clean.sh"}"#,
            format!("cd web && {vitest} && pnpm run unit && pnpm run posttest"),
        ),
    ] {
        assert_eq!(asked(scripts, "pnpm-lock.yaml"), line(&steps), "{scripts}");
    }
    let jest = asked(r#"{"test": "jest && tsc"}"#, "yarn.lock").expect("a report");
    assert!(
        jest.starts_with("jest: sh -c ") && jest.ends_with("jest.json' && tsc"),
        "{jest}"
    );
    for unsure in [
        r#"{"test": "vitest run && mocha && tsc"}"#,
        r#"{"test": "vitest run && tsc; true"}"#,
        r#"{"test": "c8 ava && tsc"}"#,
        r#"{"test": "mocha 'a && b' && tsc"}"#,
        r#"{"test": "npm run test && tsc"}"#,
    ] {
        assert_eq!(asked(unsure, "pnpm-lock.yaml"), None, "{unsure}");
    }
    // A package manager that a package asks for in a version could be fetched by no room.
    let package = r#"{"packageManager": "pnpm@10.0.0", "scripts": {"test": "vitest run && pnpm lint"}}"#;
    let survey = found(&[("web/package.json", package), ("web/pnpm-lock.yaml", "")]);
    let (words, _) = survey.commands[0].reported();
    assert!(
        words[2].starts_with("cd web && export npm_config_manage_package_manager_versions=false && export PATH="),
        "{words:?}"
    );
}
