//! One request to a service, made inside the check's own sandbox: the entry
//! is there already, and no program of the tree has a say in it.

use crate::sandbox::Sandbox;
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    process::ExitCode,
    time::Duration,
};
use trueup_core::criterion::Execution;

/// The word that makes the binary behave as this program.
pub const SUBCOMMAND: &str = "sandbox-ask";

/// How long the service may take for each step of its answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);
/// How many bytes of the answer's body are shown.
const SHOWN: u64 = 4096;
/// How many bytes its head may have.
const MOST_HEAD: u64 = 64 * 1024;

/// The words that ask the service of this execution, as the sandbox runs them.
pub(super) fn argv(sandbox: &Sandbox, execution: &Execution, (method, path, status): (&str, &str, u16)) -> Vec<String> {
    let port = execution.services.iter().rev().find_map(|service| service.port);
    vec![
        sandbox.entry_at().display().to_string(),
        SUBCOMMAND.to_owned(),
        port.unwrap_or_default().to_string(),
        method.to_owned(),
        path.to_owned(),
        status.to_string(),
    ]
}

/// Runs `PORT METHOD PATH STATUS`; the subcommand's own name is already taken
/// off. Ends with 0 if that status came, with 1 if another one did, and with 2
/// if none did.
pub fn main(arguments: impl Iterator<Item = std::ffi::OsString>) -> ExitCode {
    let words: Option<Vec<String>> = arguments.map(|word| word.into_string().ok()).collect();
    let asked = match words.as_deref() {
        Some([port, method, path, status]) => ask(port, method, path).map(|answer| (answer, status.clone())),
        Some(_) | None => Err(io::Error::other("usage: sandbox-ask PORT METHOD PATH STATUS")),
    };
    match asked {
        Ok((answer, wanted)) => {
            // Nobody may be listening any more, and there is nobody else to tell.
            drop(writeln!(io::stdout(), "{}\n\n{}", answer.line, answer.body));
            ExitCode::from(u8::from(answer.status != wanted))
        }
        Err(error) => {
            drop(writeln!(io::stderr(), "no answer came: {error}"));
            ExitCode::from(2)
        }
    }
}

/// What a service answered.
struct Answer {
    line: String,
    status: String,
    body: String,
}

fn ask(port: &str, method: &str, path: &str) -> io::Result<Answer> {
    stay_private()?;
    let port = port.parse().map_err(io::Error::other)?;
    let stream = connect(port)?;
    stream.set_read_timeout(Some(ANSWERS_WITHIN))?;
    stream.set_write_timeout(Some(ANSWERS_WITHIN))?;
    let length = match method {
        "GET" | "HEAD" | "OPTIONS" => "",
        _ => "Content-Length: 0\r\n",
    };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\nUser-Agent: trueup\r\nAccept: */*\r\n{length}Connection: close\r\n\r\n"
    );
    (&stream).write_all(request.as_bytes())?;
    answer(BufReader::new(stream))
}

fn connect(port: u16) -> io::Result<TcpStream> {
    let v4: SocketAddr = (Ipv4Addr::LOCALHOST, port).into();
    let v6: SocketAddr = (Ipv6Addr::LOCALHOST, port).into();
    TcpStream::connect_timeout(&v4, ANSWERS_WITHIN).or_else(|_| TcpStream::connect_timeout(&v6, ANSWERS_WITHIN))
}

/// Reads the answer; what a service says before its answer (1xx) is passed over.
fn answer(source: impl BufRead) -> io::Result<Answer> {
    let mut source = source.take(MOST_HEAD);
    loop {
        let line = text_line(&mut source)?;
        let status = status(&line).ok_or_else(|| io::Error::other(format!("`{line}` begins no answer of HTTP")))?;
        while !text_line(&mut source)?.is_empty() {}
        if status.starts_with('1') && status != "101" {
            continue;
        }
        let mut body = Vec::new();
        source.set_limit(SHOWN);
        // The status is what was asked for; a body that breaks off is shown as far as it came.
        drop(source.read_to_end(&mut body));
        let body = String::from_utf8_lossy(&body).into_owned();
        return Ok(Answer { line, status, body });
    }
}

fn text_line(source: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Err(io::Error::other("the answer broke off"));
    }
    Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned())
}

fn status(line: &str) -> Option<String> {
    let mut words = line.strip_prefix("HTTP/1.")?.split(' ').skip(1);
    let status = words.next()?;
    (status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit())).then(|| status.to_owned())
}

/// A service of the tree runs beside this: it may not look into it, or write.
#[cfg(target_os = "linux")]
fn stay_private() -> io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// This system has no such switch; the mode `none` promises nothing.
#[cfg(not(target_os = "linux"))]
fn stay_private() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn the_status_is_read_off_the_final_answer_alone() {
        let told = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not here\r\nA: b\r\n\r\nHTTP/1.1 200 OK";
        let answer = answer(told.as_bytes()).expect("an answer");
        assert_eq!(
            (answer.status.as_str(), answer.body.as_str()),
            ("404", "HTTP/1.1 200 OK")
        );
    }

    #[test]
    fn what_is_no_answer_of_http_is_none() {
        for told in [
            "",
            "200 OK\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b",
            "SSH-2.0-x\r\n\r\n",
        ] {
            assert!(answer(told.as_bytes()).is_err(), "{told}");
        }
        let endless = format!("HTTP/1.1 200 OK\r\n{}", "a: b\r\n".repeat(20_000));
        assert!(answer(endless.as_bytes()).is_err(), "a head without an end");
    }
}
