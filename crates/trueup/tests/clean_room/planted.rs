//! What a candidate puts where hidden files are laid neither judges it nor
//! leads out of the room.

use crate::place::Place;
use std::{collections::BTreeSet, fs};

/// A hidden check that would believe files beside it.
const EDGES: &str = "#!/bin/sh\nhere=$(dirname \"$0\")\n[ -f $here/passed ] && exit 0\n[ -f $here/../passed ] && exit 0\n\
                     [ -f $here/lib.sh ] && . $here/lib.sh\necho judged > $here/judged || exit 1\nsh greet.sh | grep -qx hello\n";

/// What the candidate makes of the hidden folder, each beginning with one
/// that git does not ignore any more.
const PLANTS: [(&str, &str); 9] = [
    (
        "its own check",
        "mkdir -p tasks/hidden/T-001; printf '#!/bin/sh\\nexit 0\\n' > tasks/hidden/T-001/edges.sh; chmod +x tasks/hidden/T-001/edges.sh",
    ),
    (
        "files the check would believe",
        "mkdir -p tasks/hidden/T-001; touch tasks/hidden/passed tasks/hidden/T-001/passed; echo exit 0 > tasks/hidden/T-001/lib.sh",
    ),
    (
        "a link in place of the hidden folder",
        "mkdir \"$SIDE/in\"; ln -s \"$SIDE/in\" tasks/hidden",
    ),
    (
        "a link in place of the task's folder",
        "mkdir -p \"$SIDE/in\" tasks/hidden; touch \"$SIDE/in/passed\"; ln -s \"$SIDE/in\" tasks/hidden/T-001",
    ),
    (
        "a link in place of the tasks",
        "mkdir \"$SIDE/in\"; rm -rf tasks; ln -s \"$SIDE/in\" tasks",
    ),
    (
        "a link in place of the check",
        "mkdir -p \"$SIDE/in\" tasks/hidden/T-001; printf '#!/bin/sh\\nexit 0\\n' > \"$SIDE/in/edges.sh\"\n\
         chmod +x \"$SIDE/in/edges.sh\"; ln -s \"$SIDE/in/edges.sh\" tasks/hidden/T-001/edges.sh",
    ),
    ("a file in place of the hidden folder", "echo x > tasks/hidden"),
    (
        "a folder in place of the check",
        "mkdir -p tasks/hidden/T-001/edges.sh/edges.sh; echo x > tasks/hidden/T-001/edges.sh/file",
    ),
    (
        "a link to where it lies",
        "mkdir -p tasks/hidden; ln -s . tasks/hidden/T-001; printf '#!/bin/sh\\nexit 0\\n' > tasks/hidden/edges.sh",
    ),
];

#[test]
fn what_a_candidate_plants_in_the_hidden_folder_neither_judges_nor_leads_out() {
    for (name, plant) in PLANTS {
        let lazy = place(plant, "true");
        let run = lazy.household.trueup(&["run", "T-001"]);
        let show = lazy.household.show("T-001");
        assert_eq!(run.code, 6, "{name}: {run:#?}");
        assert_eq!(show["criteria"][0]["verdict"], "unmet", "{name}: {show:#}");
        assert!(takes(&lazy), "{name} was never part of the candidate");
        let twin = place(plant, "echo 'echo hello' > greet.sh");
        let run = twin.household.trueup(&["run", "T-001"]);
        // Tasks set the rules, so a person is asked before the branch is made.
        assert_eq!(run.code, 4, "{name}: {run:#?}");
        let run = twin.household.trueup(&["approve", "T-001"]);
        assert_eq!(run.code, 0, "{name}: {run:#?}");
        assert!(twin.delivered(), "{name}");
        for place in [lazy, twin] {
            let before = place.left("before").expect("a list");
            let before: BTreeSet<&str> = before.lines().collect();
            let after = files(&place);
            let after: BTreeSet<&str> = after.iter().map(String::as_str).collect();
            assert_eq!(after, before, "{name}: something was written through a link");
        }
    }
}

#[test]
fn a_task_elsewhere_than_in_the_folder_of_tasks_has_its_own_hidden_folder() {
    let (_, plant) = PLANTS[1];
    let lazy = place_in("notes/work", plant, "true");
    let run = lazy.household.trueup(&["run", "notes/work/T-001.md"]);
    assert_eq!(run.code, 6, "{run:#?}");
    let twin = place_in("notes/work", plant, "echo 'echo hello' > greet.sh");
    let run = twin.household.trueup(&["run", "notes/work/T-001.md"]);
    assert_eq!(run.code, 0, "{run:#?}");
}

/// Whether what was planted is part of the tree that was judged.
fn takes(place: &Place) -> bool {
    let patch = place.household.trueup(&["diff", "T-001"]).stdout;
    patch.contains("tasks/hidden") || patch.contains("b/tasks\n")
}

fn files(place: &Place) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![place.side()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("folder").flatten() {
            let name = entry
                .path()
                .strip_prefix(place.side())
                .expect("inside")
                .display()
                .to_string();
            names.push(format!("./{name}"));
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    names
}

fn place(plant: &str, work: &str) -> Place {
    place_in("tasks", plant, work)
}

/// With the task, and its hidden folder, in this folder.
fn place_in(folder: &str, plant: &str, work: &str) -> Place {
    let plant = plant.replace("tasks", folder);
    let agent = format!(
        "rm -f {folder}/.gitignore\n{plant}\n{work}\ntouch \"$SIDE/before\"; cd \"$SIDE\"; find . -mindepth 1 > before\n"
    );
    let ignore = format!("{folder}/.gitignore");
    let place = Place::new(&[("greet.sh", "echo bye\n"), (&ignore, "hidden/\n")], &agent);
    place.hide(folder, "edges.sh", EDGES);
    place.household.file(
        &format!("{folder}/T-001.md"),
        "---\nv: 1\nid: T-001\ntitle: Greet\nbudget: { turns: 1 }\n---\n\n## Acceptance criteria\n\n\
         - [ ] **AC-1** It says hello.\n  - verify hidden: edges.sh\n",
    );
    place.household.commit("A greeting");
    place
}
