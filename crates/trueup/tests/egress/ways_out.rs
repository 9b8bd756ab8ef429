//! Every way out that was thought of, tried from inside and watched from outside.

use crate::outside::{Listeners, Outside};
use serde_json::Value;
use std::fs;
use trueup_testkit::{attacks::Attacks, household::Household};

/// A key that opens nothing.
const KEY: &str = "sk-test-opens-nothing-0002";

/// How many ways are asked for; the script has more.
const LEAST: usize = 40;

/// A household whose agent tries every way, and then does its task.
struct Scene {
    household: Household,
    outside: Outside,
    listeners: Listeners,
}

impl Scene {
    fn new(network: &str) -> Self {
        let (outside, listeners) = (Outside::open(), Listeners::open());
        let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"))
            .with_variable("HTTPS_PROXY", &outside.proxy())
            .with_variable("SSL_CERT_FILE", &outside.believed().display().to_string());
        let before = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
        household.file("trueup.toml", &before.replace("network = false\n", network));
        household.file("ways_out.py", include_str!("ways_out.py"));
        household.file("targets.json", &listeners.targets(&outside).to_string());
        household.commit("Ways out");
        household.set_agent(
            "python3 ways_out.py targets.json || exit 1\n\
             echo 'echo \"Hello, ${1:-world}\"' > greet.sh\n\
             printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\n",
        );
        Self {
            household,
            outside,
            listeners,
        }
    }

    /// What was tried, as the agent noted it in the tree that was delivered.
    fn tried(&self) -> Vec<String> {
        let ended = self.household.trueup(&["run", "T-001"]);
        assert_eq!(ended.code, 0, "{ended:#?}");
        let tried = self.household.git(&["show", "trueup/T-001:tried.txt"]);
        tried.lines().map(str::to_owned).collect()
    }
}

/// The network of a model, with a key, one host for everything and a registry.
fn bounded() -> String {
    format!(
        "network = \"model\"\nreach = [\"listed.example\"]\nregistries = [\"packages.example\"]\n\
         env = {{ ANTHROPIC_BASE_URL = \"https://model.example/llm\", ANTHROPIC_API_KEY = \"{KEY}\" }}\n"
    )
}

/// Whether what was asked outside is what this agent may ask.
fn is_allowed(asked: &Value) -> bool {
    if let Some(line) = asked["asked"].as_str() {
        let hosts = ["packages.example", "listed.example", "model.example"];
        return hosts.iter().any(|host| line == format!("CONNECT {host}:443 HTTP/1.1"));
    }
    let (connect, method) = (asked["connect"].as_str(), asked["method"].as_str());
    let names_itself = asked["headers"]["host"]
        .as_str()
        .zip(connect)
        .is_some_and(|(host, connect)| connect.split(':').next() == host.split(':').next());
    let sends = asked["body"] != "" || asked["headers"].get("transfer-encoding").is_some();
    let is_there = match connect {
        Some("packages.example:443") => method == Some("GET") && !sends,
        Some("model.example:443") => {
            let is_below = asked["path"].as_str().is_some_and(|path| path.starts_with("/llm/v1/"));
            is_below
                && method != Some("TRACE")
                && asked["headers"]["x-api-key"] == KEY
                && asked["headers"].get("authorization").is_none()
        }
        Some(_) | None => true,
    };
    names_itself && is_there
}

#[test]
fn what_a_person_named_is_reached_and_no_way_leads_anywhere_else() {
    let scene = Scene::new(&bounded());
    let tried = scene.tried();
    println!("{}", tried.join("\n"));
    let works: Vec<&String> = tried.iter().filter(|line| line.starts_with("works ")).collect();
    assert_eq!(works.len(), 3, "{tried:#?}");
    assert!(works.iter().all(|line| line.ends_with("HTTP/1.1 200 OK")), "{works:#?}");
    let ways = tried.iter().filter(|line| line.starts_with("tried ")).count();
    assert!(ways >= LEAST, "{ways}");
    assert_eq!(scene.listeners.reached(), [""; 0], "{tried:#?}");
    let asked = scene.outside.asked();
    let beyond: Vec<&Value> = asked.iter().filter(|asked| !is_allowed(asked)).collect();
    assert!(beyond.is_empty(), "{beyond:#?}\n{tried:#?}");
    // The model alone was shown the key.
    let shown = asked.iter().filter(|asked| asked.to_string().contains(KEY));
    let shown: Vec<&str> = shown.filter_map(|asked| asked["connect"].as_str()).collect();
    assert_eq!(shown, ["model.example:443"]);
    let attacks = Attacks {
        suite: "egress",
        tried: ways,
        through: beyond.len(),
        twins: works.len(),
        alarms: 0,
    };
    println!("{attacks}");
}

#[test]
fn whoever_has_the_whole_network_is_seen_outside() {
    let hosts = "reach = [\"listed.example\"]\nregistries = [\"packages.example\"]\n";
    let open = bounded().replace("\"model\"", "true").replace(hosts, "");
    let scene = Scene::new(&open);
    let tried = scene.tried();
    assert_eq!(
        scene.listeners.reached(),
        ["tcp", "tcp6", "udp", "abstract"],
        "{tried:#?}"
    );
    assert!(
        scene.outside.asked().iter().any(|asked| !is_allowed(asked)),
        "{tried:#?}"
    );
}

#[test]
fn what_was_refused_is_told_to_the_agent_and_in_its_transcript() {
    let scene = Scene::new(&bounded());
    scene.household.set_agent(
        "cat > ask.py <<'END'\n\
         import urllib.request as web\n\
         for url, body in [('https://packages.example/', b'hi'), ('https://evil.example/', None)]:\n    \
             try: web.urlopen(url, body)\n    \
             except web.HTTPError as error: print(error.read().decode())\n    \
             except OSError as error: print(error)\n\
         END\n\
         python3 ask.py > refused.txt\n\
         echo 'echo \"Hello, ${1:-world}\"' > greet.sh\n\
         printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\n",
    );
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let told = scene.household.git(&["show", "trueup/T-001:refused.txt"]);
    let registry = "trueup: https://packages.example may be read only, and POST is no reading";
    assert!(told.starts_with(registry), "{told}");
    let log = scene.household.trueup(&["log", "T-001", "--turn", "1"]);
    assert!(log.stdout.contains(registry), "{log:#?}");
    let stranger = "https://evil.example is not among what this agent may reach";
    assert!(log.stdout.contains(stranger), "{}", log.stdout);
}
