//! A report of a hundred megabytes is read in little memory, and not much
//! slower than its XML can be walked at all. An unoptimised build reads a
//! smaller one and promises no speed.

use quick_xml::{Reader, events::Event};
use std::{
    env,
    fmt::Write as _,
    fs::{self, File},
    io::{BufReader, BufWriter, Write},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};
use trueup_core::kind::Format;
use trueup_inspect::report::{self, Report, TestOutcome};

const OPTIMISED: bool = !cfg!(debug_assertions);
const SIZE: usize = if OPTIMISED { 100_000_000 } else { 2_000_000 };
/// In KiB.
const MOST_MEMORY: u64 = 64 * 1024;
const MOST_TIMES: f64 = 3.0;
const ROUNDS: usize = if OPTIMISED { 5 } else { 1 };
/// Names the file that a process of its own reads.
const FILE: &str = "TRUEUP_TEST_LARGE_REPORT";

/// Writes a report as a large project would: classes of forty tests with names
/// of some sixty bytes; one test in twenty fails with a trace of a kilobyte,
/// one in four printed something. Gives the number of its tests.
fn write(path: &Path) -> usize {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    let (mut written, mut tests) = (0, 0);
    let mut case = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites name=\"large\">\n");
    while written < SIZE || tests % 40 != 0 {
        let class = tests / 40;
        if tests % 40 == 0 {
            let ends = if tests == 0 { "" } else { "</testsuite>\n" };
            writeln!(
                case,
                "{ends}<testsuite name=\"suite {class}\" tests=\"40\" failures=\"2\" errors=\"0\">"
            )
            .expect("text");
        }
        write!(
            case,
            "  <testcase classname=\"tests.unit.prices.test_class_{class:05}\" \
             name=\"test_that_the_price_of_number_{tests:07}_is_what_was_asked_for\" time=\"0.{:03}\"",
            tests % 1000
        )
        .expect("text");
        match tests % 20 {
            7 => {
                case.push_str("><failure message=\"assert 3 &lt; 2\" type=\"AssertionError\">");
                (0..14).for_each(|n| {
                    writeln!(
                        case,
                        "E   src/prices/module_{n}.py:{n}: in price: a &lt; b &amp;&amp; c, 0x7f{n:04}"
                    )
                    .expect("text");
                });
                case.push_str("</failure></testcase>\n");
            }
            0 | 4 | 8 | 12 | 16 => {
                case.push_str("><system-out>");
                (0..16).for_each(|n| {
                    writeln!(case, "INFO prices.loader: loaded table {n} of {tests} in 12 ms").expect("text")
                });
                case.push_str("</system-out></testcase>\n");
            }
            13 => case.push_str("><skipped type=\"pytest.skip\" message=\"not here\" /></testcase>\n"),
            _ => case.push_str(" />\n"),
        }
        file.write_all(case.as_bytes()).expect("room on the disk");
        written += case.len();
        tests += 1;
        case.clear();
    }
    file.write_all(b"</testsuite>\n</testsuites>\n")
        .expect("room on the disk");
    file.flush().expect("room on the disk");
    tests
}

fn open(path: &Path) -> BufReader<File> {
    BufReader::with_capacity(64 * 1024, File::open(path).expect("the large report"))
}

fn read(path: &Path) -> Report {
    report::read(Format::Junit, open(path)).expect("a report")
}

/// Every event of the file, and nothing done with any.
fn walk(path: &Path) -> usize {
    let mut reader = Reader::from_reader(open(path));
    let (mut buffer, mut events) = (Vec::new(), 0);
    loop {
        buffer.clear();
        if reader.read_event_into(&mut buffer).expect("XML") == Event::Eof {
            return events;
        }
        events += 1;
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    drop(std::hint::black_box(run()));
    began.elapsed()
}

/// The most memory this process ever held, in KiB.
fn most_held() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the state of this process");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Does nothing unless it is told a file: the test below starts it again, so
/// that the memory of a single reading can be measured.
#[test]
fn one_reading_in_a_process_of_its_own() {
    let Some(path) = env::var_os(FILE) else {
        return;
    };
    let report = read(Path::new(&path));
    let failed = report
        .tests
        .iter()
        .filter(|test| test.outcome == TestOutcome::Failed)
        .count();
    println!("held {} {} {failed}", most_held(), report.tests.len());
}

/// What one reading held, how many tests it found, and how many of them failed.
fn held(path: &Path) -> (u64, usize, usize) {
    let output = Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "large::one_reading_in_a_process_of_its_own", "--nocapture"])
        .env(FILE, path)
        .output()
        .expect("this program again");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let at = output.find("held ").unwrap_or_else(|| panic!("{output}"));
    let mut words = output[at..].split_whitespace().skip(1);
    let mut next = || words.next().expect("a word");
    (
        next().parse().expect("KiB"),
        next().parse().expect("tests"),
        next().parse().expect("failures"),
    )
}

#[test]
fn a_large_report_is_read_in_little_memory_and_little_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.xml");
    let tests = write(&path);
    let (memory, found, failed) = held(&path);
    assert_eq!(found, tests);
    assert_eq!(failed, tests / 20);
    // The first of each warms the file up; the fastest of each is compared.
    let rounds: Vec<_> = (0..=ROUNDS)
        .map(|_| (timed(|| walk(&path)), timed(|| read(&path))))
        .collect();
    let bare = rounds.iter().skip(1).map(|round| round.0).min().expect("a round");
    let full = rounds.iter().skip(1).map(|round| round.1).min().expect("a round");
    let times = full.as_secs_f64() / bare.as_secs_f64();
    println!(
        "measured: {SIZE} bytes of JUnit, {tests} tests: {} MiB held at most (at most {}), {full:?}, \
         {times:.2} times the {bare:?} of quick-xml alone (at most {MOST_TIMES})",
        memory.div_ceil(1024),
        MOST_MEMORY / 1024
    );
    assert!(memory <= MOST_MEMORY, "{memory} KiB");
    assert!(!OPTIMISED || times <= MOST_TIMES, "{times:.2} times as long");
}
