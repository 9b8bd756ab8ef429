//! A run begun under one home and configuration and taken up under another,
//! with the same secrets and programs: the same end, the same evidence, the
//! same prompts, byte for byte.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod places;

#[cfg(test)]
mod taken_up {
    use crate::places::{SECRET, begin, end, forget, move_house, plain, under_way};

    #[test]
    fn a_run_taken_up_elsewhere_ends_as_it_would_have_here() {
        let here = plain();
        let ended = here.trueup(&["run", "T-001"]);
        assert_eq!(ended.code, 0, "{ended:#?}");
        let expected = end(&here);
        assert_eq!(expected.prompts.len(), 2, "{expected:#?}");

        let there = plain();
        begin(&there);
        assert_eq!(under_way(&there), "opened checked turn_ended checked");
        forget(&there);
        move_house(&there);
        let ended = there.trueup(&["resume", "T-001"]);
        assert_eq!(ended.code, 0, "{ended:#?}");
        assert_eq!(end(&there), expected);
    }

    #[test]
    fn the_opening_holds_no_secret() {
        let here = plain();
        begin(&here);
        let opened = here.events("T-001").remove(0);
        assert_eq!(
            opened["settings"]["agent"]["secret_env"][0], "WORKER_TOKEN",
            "{opened:#}"
        );
        assert_eq!(opened["settings"]["agent"]["env"]["MANNER"], "kindly", "{opened:#}");
        assert!(!opened.to_string().contains(SECRET), "{opened:#}");
    }

    #[test]
    fn a_run_whose_template_is_gone_does_not_go_on_in_other_words() {
        let here = plain();
        begin(&here);
        let opened = here.events("T-001").remove(0);
        let digest = opened["settings"]["prompts"]["turn.md.j2"].as_str().expect("a digest");
        std::fs::remove_file(here.state().join("blobs").join(digest)).expect("the template");
        let refused = here.trueup(&["resume", "T-001"]);
        assert_ne!(refused.code, 0, "{refused:#?}");
        assert!(refused.stderr.contains("turn.md.j2"), "{refused:#?}");
    }
}

#[cfg(test)]
mod task_files {
    use crate::places::{begin, plain};

    fn changed(household: &trueup_testkit::household::Household, from: &str, to: &str) {
        let file = household.checkout().join("tasks/T-001.md");
        let text = std::fs::read_to_string(&file).expect("the task");
        assert!(text.contains(from), "{text}");
        household.task("T-001", &text.replace(from, to));
    }

    #[test]
    fn a_changed_text_is_shown_and_taken_in() {
        let household = plain();
        begin(&household);
        changed(&household, "whomever it is given", "everybody by name");
        let ended = household.trueup(&["resume", "T-001"]);
        assert_eq!(ended.code, 0, "{ended:#?}");
        assert!(
            ended
                .stderr
                .contains("the task file was changed, and the run goes on by it:"),
            "{ended:#?}"
        );
        assert!(ended.stderr.contains("text: + "), "{ended:#?}");
        let events = household.events("T-001");
        let taken: Vec<_> = events.iter().filter(|event| event["type"] == "task_changed").collect();
        assert_eq!(taken.len(), 1, "{events:#?}");
        let prompt = household.state().join("runs/T-001.1/turn-002.prompt.md");
        let prompt = std::fs::read_to_string(prompt).expect("the prompt");
        assert!(prompt.contains("everybody by name"), "{prompt}");
    }

    #[test]
    fn a_changed_check_is_shown_and_refused() {
        let household = plain();
        begin(&household);
        let before = household.events("T-001");
        changed(&household, "sh tests/by_name.sh", "true");
        let refused = household.trueup(&["resume", "T-001"]);
        assert_eq!(refused.code, 8, "{refused:#?}");
        assert!(
            refused.stderr.contains("AC-1.1: - `sh tests/by_name.sh`"),
            "{refused:#?}"
        );
        assert!(refused.stderr.contains("AC-1.1: + `true`"), "{refused:#?}");
        assert!(refused.stderr.contains("trueup run T-001 --anew"), "{refused:#?}");
        assert_eq!(household.events("T-001"), before);
    }

    #[test]
    fn a_task_file_that_cannot_be_read_is_not_ignored() {
        let household = plain();
        begin(&household);
        household.task("T-001", "no task at all\n");
        let refused = household.trueup(&["resume", "T-001"]);
        assert_eq!(refused.code, 3, "{refused:#?}");
    }
}
