//! What executions on sabotaged trees mean: facts in, controls and objections
//! out. Which trees are sabotaged how is planned elsewhere.

mod control_result;
mod former_tests;
mod only_with;
mod otherwise;
mod trial;

pub use self::{
    control_result::{ControlResult, ProbeResult, better},
    former_tests::{FormerFile, FormerTest, former_tests_by_exit, former_tests_by_report, gone_unseen, tells_of_all},
    only_with::{any_answer, debug_only, here_only, once_only, only_with, visible_only},
    otherwise::RunOtherwise,
    trial::{RunTests, Trial, counted, endless},
};
