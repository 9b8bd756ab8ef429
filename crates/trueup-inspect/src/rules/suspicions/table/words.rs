//! What is said of a suspicious line.

/// It names the runner.
pub(super) const RUNNER: &str = "names the test runner, of which production code need not know";
/// It ends the process.
pub(super) const EXIT: &str = "ends the process, which can hide that tests failed";
/// It acts at the end.
pub(super) const HOOK: &str = "acts when the process ends or fails, which can change what the tests say";
/// It names a report.
pub(super) const REPORT: &str = "names a report or a place from which results are read";
/// It reads what tests expect.
pub(super) const TEST_FILES: &str = "names a folder of tests, whose files its users do not have";
/// It asks whether it is tested.
pub(super) const AWARE: &str = "asks whether a test is running, so that tests could see something else than users";
/// It asks where it runs.
pub(super) const PROCESS: &str =
    "asks in which process it runs or how that was built, so that tests could see something else than users";
/// It asks what time it is before it decides.
pub(super) const CLOCK: &str = "decides by the clock, so that tests could see something else than users do later";
/// It looks at its callers.
pub(in crate::rules::suspicions) const STACK: &str =
    "looks at who called it, so that tests could see something else than users";
/// It replaces what others use.
pub(super) const PATCH: &str = "replaces something that everything else in the process relies on, the runner too";
/// It hides what it does.
pub(super) const DYNAMIC: &str = "runs text as code, or reaches past the language, which hides what it does";
/// It writes sources.
pub(super) const WRITES: &str = "writes a file of source, so that what is tested need not be what is delivered";
/// It makes comparing meaningless.
pub(super) const LAX: &str = "decides how it is compared, so that an assertion about it may hold whatever it is";
/// It changes the runner.
pub(super) const HOOKS: &str = "changes how every test is run or judged";
/// It keeps what would be told from being told.
pub(super) const SILENT: &str = "has what goes wrong told to nobody, so that what looks for it finds nothing";
/// It answers with what is no number.
pub(super) const NO_NUMBER: &str =
    "gives what is no number, which is neither less nor more than anything, so that assertions about it may hold";
/// It gives a word of the language another meaning.
pub(super) const WORD: &str = "gives a word of the language another meaning, in tests that read it too";
/// It is built for some and not for others.
pub(in crate::rules::suspicions) const ELSEWHERE: &str = "tests could see something else than users elsewhere";
/// It keeps count.
pub(in crate::rules::suspicions) const COUNTS: &str = "decides by a count that is kept from call to call, so that the first calls, which are those of tests, could be answered otherwise";
