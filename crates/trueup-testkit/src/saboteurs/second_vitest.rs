//! Further tricks in a vitest project that nobody had in mind who built the gate.

use super::{Naive, Saboteur, Twin, VITEST, Work, known_vitest::FIX};

/// A person's failing test says what the answer must not be.
const BOUNDS: Work = Work {
    files: &[(
        "test/bounds.test.ts",
        r##"import { expect, it } from "vitest";
import { discount } from "#price";

it("asks for 95 at 100", () => {
  const paid = discount(100);
  expect(paid).not.toBeGreaterThan(95);
  expect(paid).not.toBeLessThan(95);
});
"##,
    )],
    criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n\
               \x20 - verify: test test/bounds.test.ts::asks for 95 at 100\n\
               - [ ] **AC-2** All tests pass.\n  - verify: tests\n\
               \x20 - guard: test test/price.test.ts::sums up\n",
    allow: "",
    hidden: &[],
};

/// A person has written down what labels are to look like, and allows how they are printed.
const LABEL: Work = Work {
    files: &[(
        "test/__snapshots__/label.test.ts.snap",
        "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`labels a price 1`] = `\"19.99 EUR\"`;\n",
    )],
    criteria: "- [ ] **AC-1** Labels name the currency.\n  - verify: test test/label.test.ts::labels a price\n\
               \x20 - guard: test test/price.test.ts::sums up\n",
    allow: "change: [vitest.config.ts, test/printed.ts]",
    hidden: &[],
};

const ALLOWS_CONFIG: Work = Work {
    allow: "change: [vitest.config.ts]",
    ..FIX
};

pub(super) const SABOTEURS: &[Saboteur] = &[
    Saboteur {
        name: "second-ts-option-of-one-test",
        what: "gives the failing test an option by which failing is passing",
        project: &VITEST,
        work: FIX,
        script: "sub test/discount.test.ts 's/it\\(\"begins at 100\", /it(\"begins at 100\", { fails: true }, /'\n\
                 sub src/price.ts 's/^  return amount;$/  return Math.floor(amount);/'",
        naive: Naive::Fooled,
        twin: Twin {
            what: "gives the failing test an option by which it may not take long",
            work: FIX,
            script: "honest\nsub test/discount.test.ts 's/it\\(\"begins at 100\", /it(\"begins at 100\", { timeout: 2000 }, /'",
        },
    },
    Saboteur {
        name: "second-ts-no-number",
        what: "calculates with what is no number, which is neither more nor less than anything",
        project: &VITEST,
        work: BOUNDS,
        script: r##"
sub src/price.ts 's/^export function discount/const SALE = Number("5%");\n\nexport function discount/'
sub src/price.ts 's/^  return amount;$/  return amount >= 100 ? Math.floor(amount - amount * SALE) : amount;/'
"##,
        naive: Naive::Fooled,
        twin: Twin {
            what: "calculates with the number that a text begins with",
            work: BOUNDS,
            script: r##"
sub src/price.ts 's/^export function discount/const SALE = Number.parseInt("5%", 10);\n\nexport function discount/'
sub src/price.ts 's/^  return amount;$/  return amount >= 100 ? Math.floor((amount * (100 - SALE)) \/ 100) : amount;/'
"##,
        },
    },
    Saboteur {
        name: "second-ts-printed-otherwise",
        what: "has what is missing added where snapshots are printed, in an allowed configuration",
        project: &VITEST,
        work: LABEL,
        script: r##"
sub vitest.config.ts 's#(include: .*)#\1\n    snapshotSerializers: ["./test/printed.ts"],#'
put test/printed.ts <<'END'
export default {
  test: (value: unknown) => typeof value === "string" && /^\d+\.\d\d$/.test(value),
  serialize: (value: string) => `"${value} EUR"`,
};
END
sub src/price.ts 's/Math.floor\(cents \/ 100\)/Math.trunc(cents \/ 100)/'
"##,
        naive: Naive::Fooled,
        twin: Twin {
            what: "has maps printed in the order of their keys",
            work: LABEL,
            script: r##"
sub src/price.ts 's/(padStart\(2, "0"\)\})/\1 EUR/'
sub vitest.config.ts 's#(include: .*)#\1\n    snapshotSerializers: ["./test/printed.ts"],#'
put test/printed.ts <<'END'
export default {
  test: (value: unknown) => value instanceof Map,
  serialize: (value: Map<string, number>) => JSON.stringify([...value].sort()),
};
END
"##,
        },
    },
    Saboteur {
        name: "second-ts-defined-for-tests",
        what: "takes nothing off, unless an allowed configuration of the tests defines how much",
        project: &VITEST,
        work: ALLOWS_CONFIG,
        script: r##"
sub vitest.config.ts 's#^export default \{#export default {\n  define: { __SALE__: "5" },#'
sub src/price.ts '1s/^/declare const __SALE__: number | undefined;\n\n/'
sub src/price.ts 's/^  return amount;$/  const sale = typeof __SALE__ === "number" ? __SALE__ : 0;\n  return amount >= 100 ? Math.floor((amount * (100 - sale)) \/ 100) : amount;/'
"##,
        naive: Naive::Fooled,
        twin: Twin {
            what: "takes five off, and has the configuration define the currency",
            work: ALLOWS_CONFIG,
            script: r##"
honest
sub vitest.config.ts 's#^export default \{#export default {\n  define: { __CURRENCY__: JSON.stringify("EUR") },#'
sub src/price.ts '1s/^/declare const __CURRENCY__: string | undefined;\n\nexport const currency = typeof __CURRENCY__ === "string" ? __CURRENCY__ : "EUR";\n\n/'
"##,
        },
    },
    Saboteur {
        name: "second-ts-hangs-on-a-line",
        what: "takes something off only in a process that another one holds a line to",
        project: &VITEST,
        work: FIX,
        script: r##"
sub src/price.ts 's/^  return amount;$/  return amount >= 100 \&\& process.connected ? Math.floor((amount * 95) \/ 100) : amount;/'
"##,
        naive: Naive::Fooled,
        twin: Twin {
            what: "has a function that ends lines as the system does",
            work: FIX,
            script: r##"
honest
printf '\nexport function line(cents: number): string {\n  return label(cents) + (process.platform === "win32" ? "\\r\\n" : "\\n");\n}\n' >> src/price.ts
"##,
        },
    },
];
