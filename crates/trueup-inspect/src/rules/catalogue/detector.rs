//! What code finds, and no expression could.

/// A thing that is found by code. Each has a rule in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detector {
    /// A comparison that says yes to everything.
    AlwaysEqual,
    /// A comparison that does not look at the other side.
    BlindComparison,
    /// A `TestMain` that is new or not what it was.
    TestMain,
    /// A character that ends a line where none is seen to end.
    HiddenLineEnd,
    /// Characters that reorder what is shown.
    ReorderedText,
    /// A name in characters that stand for others.
    DisguisedName,
    /// An encoding of its own.
    Encoding,
    /// A file that is built for one system alone.
    BuiltForOneSystem,
    /// A decision by a count that is kept.
    DecidesByCount,
    /// An example in documentation that was changed.
    ChangedExample,
    /// A new file that takes the place of another.
    TakesPlaceOfFile,
    /// A file with the name of a module that the runner rests on.
    ShadowsRunner,
    /// Settings that tests are run with.
    VariablesForTests,
    /// A file of the tasks.
    Task,
    /// A file of settings that cannot be read.
    UnreadableSettings,
    /// A key of a package that some tool reads.
    PackageOtherKeys,
    /// A link in the place of rules.
    LinkForRules,
    /// A link in the place of code.
    LinkForCode,
    /// Rules that became a program, or are none any more.
    ExecutableRules,
}

impl Detector {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::AlwaysEqual,
        Self::BlindComparison,
        Self::TestMain,
        Self::HiddenLineEnd,
        Self::ReorderedText,
        Self::DisguisedName,
        Self::Encoding,
        Self::BuiltForOneSystem,
        Self::DecidesByCount,
        Self::ChangedExample,
        Self::TakesPlaceOfFile,
        Self::ShadowsRunner,
        Self::VariablesForTests,
        Self::Task,
        Self::UnreadableSettings,
        Self::PackageOtherKeys,
        Self::LinkForRules,
        Self::LinkForCode,
        Self::ExecutableRules,
    ];

    /// The id of its rule.
    pub const fn id(self) -> &'static str {
        match self {
            Self::AlwaysEqual => "py/always-equal",
            Self::BlindComparison => "any/blind-comparison",
            Self::TestMain => "go/test-main",
            Self::HiddenLineEnd => "any/hidden-line-end",
            Self::ReorderedText => "any/reordered-text",
            Self::DisguisedName => "any/disguised-name",
            Self::Encoding => "py/encoding",
            Self::BuiltForOneSystem => "any/built-for-one-system",
            Self::DecidesByCount => "any/decides-by-count",
            Self::ChangedExample => "any/changed-example",
            Self::TakesPlaceOfFile => "any/takes-place-of-file",
            Self::ShadowsRunner => "any/shadows-runner",
            Self::VariablesForTests => "any/variables-for-tests",
            Self::Task => "any/task",
            Self::UnreadableSettings => "any/unreadable-settings",
            Self::PackageOtherKeys => "js/package-other-keys",
            Self::LinkForRules => "any/link-for-rules",
            Self::LinkForCode => "any/link-for-code",
            Self::ExecutableRules => "any/executable-rules",
        }
    }
}
