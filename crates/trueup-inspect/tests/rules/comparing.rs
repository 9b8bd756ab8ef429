//! Functions that compare, and never look at the other side.

use trueup_inspect::rules::{catalogue, suspicions};

#[test]
fn a_comparison_that_never_looks_at_the_other_side_is_told() {
    let rows = [
        (
            "src/a.rs",
            "impl PartialEq<u32> for Paid {\n    fn eq(&self, other: &u32) -> bool {\n        true\n    }\n}\n",
            2,
        ),
        (
            "src/a.rs",
            "impl PartialEq for Paid {\n    fn eq(&self, other: &Self) -> bool {\n        let _ = other;\n        self.0 > 0\n    }\n}\n",
            2,
        ),
        (
            "src/a.rs",
            "impl PartialOrd for Paid {\n    #[inline]\n    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {\n        Some(Ordering::Equal)\n    }\n}\n",
            3,
        ),
        (
            "app.py",
            "class Paid(int):\n    def __eq__(self, other):\n        # other is what it is\n        return int(self) > 0\n",
            2,
        ),
        (
            "app.py",
            "class Paid(int):\n    def __lt__(self, other):\n        _ = other\n        return True\n",
            2,
        ),
        (
            "src/a.ts",
            "export class Paid {\n  equals(other: Paid): boolean {\n    return true;\n  }\n}\n",
            2,
        ),
        (
            "a.go",
            "package a\n\nfunc (p Paid) Equal(other Paid) bool {\n\treturn true\n}\n",
            3,
        ),
        (
            "a.go",
            "package a\n\nfunc (e Gone) Is(_ error) bool {\n\treturn true\n}\n",
            3,
        ),
    ];
    for (path, text, line) in rows {
        let found = suspicions(catalogue(), path, None, text);
        assert!(
            matches!(found.as_slice(), [one] if one.line == line),
            "{text} {found:?}"
        );
        assert_eq!(
            suspicions(catalogue(), path, Some(text), &format!("{text}\n\n")),
            [],
            "{text}"
        );
    }
}

#[test]
fn a_comparison_that_looks_or_is_left_open_is_not_told() {
    let rows = [
        (
            "src/a.rs",
            "impl PartialEq<u32> for Paid {\n    fn eq(&self, other: &u32) -> bool {\n        self.0 == *other\n    }\n}\n",
        ),
        (
            "src/a.rs",
            "pub fn eq(self) -> Self {\n    self\n}\n\nfn cmp() -> bool {\n    true\n}\n",
        ),
        (
            "app.py",
            "class A:\n    def __lt__(self, other):\n        return NotImplemented\n\n    def __eq__(self, other):\n        raise NotImplementedError\n\n    def __ne__(self, other): ...\n\n    def __gt__(self, other):\n        \"\"\"Whether it costs more.\"\"\"\n",
        ),
        (
            "app.py",
            "class A:\n    def __eq__(self, other):\n        return self.cents == other.cents\n",
        ),
        (
            "src/a.ts",
            "export class A {\n  equals({ cents }: A): boolean {\n    return this.cents === cents;\n  }\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc (p Paid) Equal(other Paid) bool {\n\treturn p.cents == other.cents\n}\n",
        ),
    ];
    for (path, text) in rows {
        assert_eq!(suspicions(catalogue(), path, None, text), [], "{text}");
    }
}
