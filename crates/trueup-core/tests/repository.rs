//! What stands between a tree and a plain checkout of it, and what is said of
//! it: one sentence, and one command to type.

#[cfg(test)]
mod tests {
    use trueup_core::repository::{Filtered, Repository, Submodule, SubmoduleState, Unfetched, Unfit, unfit};

    fn all() -> Repository {
        Repository {
            unfetched: Some(Unfetched {
                objects: 3,
                remote: "origin".into(),
                place: String::new(),
            }),
            replaced: vec!["abc".into()],
            submodules: vec![Submodule {
                path: "it's here".into(),
                there: SubmoduleState::Nothing,
            }],
            filtered: vec![Filtered {
                path: "a.key".into(),
                filter: "crypt".into(),
            }],
            unsmudged: vec!["a.bin".into(), "b.bin".into()],
            twins: Some(("README".into(), "readme".into())),
            too_long: Some("n".repeat(5000)),
        }
    }

    /// Mends whatever was told, and answers what was.
    fn mend(repository: &mut Repository, told: &Unfit) -> String {
        let head: String = told.next.chars().take(30).collect();
        match head.as_str() {
            head if head.starts_with("git fetch") => repository.unfetched = None,
            head if head.starts_with("git replace") => repository.replaced.clear(),
            head if head.starts_with("git submodule") => repository.submodules.clear(),
            head if head.starts_with("git config") => repository.filtered.clear(),
            head if head.starts_with("git lfs") => repository.unsmudged.clear(),
            head if head.starts_with("export TRUEUP_STATE=/a") => repository.twins = None,
            head if head.starts_with("export TRUEUP_STATE=/short") => repository.too_long = None,
            other => panic!("no such command: {other}"),
        }
        told.next.clone()
    }

    #[test]
    fn every_fact_alone_is_enough_to_refuse() {
        let mut repository = all();
        let mut told = Vec::new();
        while let Some(reason) = unfit(&repository) {
            assert!(!reason.why.contains('\n') && !reason.why.ends_with('.'), "{reason:?}");
            told.push(mend(&mut repository, &reason));
        }
        assert_eq!(told.len(), 7, "{told:?}");
        assert_eq!(repository, Repository::default());
    }

    #[test]
    fn a_path_in_a_command_is_quoted_for_the_shell() {
        let repository = Repository {
            submodules: all().submodules,
            ..Repository::default()
        };
        let next = unfit(&repository).map(|reason| reason.next);
        assert_eq!(
            next.as_deref(),
            Some("git submodule update --init --recursive -- 'it'\\''s here'")
        );
    }

    #[test]
    fn a_partial_clone_of_a_submodule_is_mended_where_it_lies() {
        let mut repository = all();
        if let Some(unfetched) = &mut repository.unfetched {
            unfetched.place = "vendor/lib".into();
        }
        let told = unfit(&repository).map(|reason| (reason.why, reason.next));
        let why = "the submodule `vendor/lib` is a partial clone that lacks 3 objects of the base, and trueup does not fetch in your name";
        let next = "git -C vendor/lib fetch --refetch --no-filter origin";
        assert_eq!(told, Some((why.to_owned(), next.to_owned())));
    }

    #[test]
    fn twins_are_refused_only_where_they_were_told() {
        let repository = Repository {
            twins: all().twins,
            ..Repository::default()
        };
        let why = unfit(&repository).map(|reason| reason.why);
        assert_eq!(
            why.as_deref(),
            Some("the file system of the state root cannot tell `README` from `readme`, and the base has both")
        );
        assert_eq!(unfit(&Repository::default()), None);
    }
}
