//! A child process that compares kernels, so that a crash or a hang costs one kernel and has a name.
//!
//! Protocol: `LENGTH WIDTH,WIDTH..` and LENGTH bytes of text to the child; lines `at STAGE` back, and then one of
//! `same`, `invalid WHY`, `differs STAGE: WHY`, with the line ends in WHY as U+0001.

use super::compare::{self, Verdict};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const TIME_LIMIT: Duration = Duration::from_secs(100);

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// The child's life.
pub fn serve() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut text) = PANIC.lock() {
            *text = info.to_string();
        }
    }));
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|n| n > 0) {
        let (length, widths) = line.trim().split_once(' ').expect("a request");
        let mut text = vec![0; length.parse().expect("a length")];
        let widths: Vec<u16> = widths
            .split(',')
            .map(|w| w.parse().expect("a width"))
            .collect();
        input.read_exact(&mut text).expect("as long as it says");
        let text = String::from_utf8(text).expect("a text");
        let say = |line: &str| println!("{}", line.replace('\n', "\u{1}"));
        match compare::run(&text, &widths, |stage| say(&format!("at {stage}"))) {
            Verdict::Same => say("same"),
            Verdict::Invalid(why) => say(&format!("invalid {}", explain(why))),
            Verdict::Differs(stage, why) => say(&format!("differs {stage}: {}", explain(why))),
        }
        line.clear();
    }
}

/// What the compiler said when it panicked, in place of that it did.
fn explain(why: String) -> String {
    let panic = std::mem::take(&mut *PANIC.lock().expect("no panic under the lock"));
    why.replace("the compiler panicked", &format!("panicked: {panic}"))
}

/// The parent's side.
pub struct Client {
    child: Option<(Child, ChildStdin, Receiver<String>)>,
}

impl Client {
    pub fn new() -> Self {
        Self { child: None }
    }

    pub fn compare(&mut self, text: &str, widths: &[u16]) -> Result<Verdict, String> {
        let (_, input, lines) = match &mut self.child {
            Some(child) => child,
            None => self.child.insert(start()?),
        };
        let widths: Vec<String> = widths.iter().map(u16::to_string).collect();
        let request = format!("{} {}\n{text}", text.len(), widths.join(","));
        let sent = input
            .write_all(request.as_bytes())
            .and_then(|()| input.flush());
        sent.map_err(|error| error.to_string())?;
        let mut stage = "the request".to_string();
        loop {
            match lines.recv_timeout(TIME_LIMIT) {
                Ok(line) => {
                    let line = line.replace('\u{1}', "\n");
                    let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                    match word {
                        "at" => stage = rest.to_string(),
                        "same" => return Ok(Verdict::Same),
                        "invalid" => return Ok(Verdict::Invalid(rest.to_string())),
                        _ => {
                            let (stage, why) = rest.split_once(": ").unwrap_or(("", rest));
                            return Ok(Verdict::Differs(stage.to_string(), why.to_string()));
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Ok(self.died(&stage, "hangs")),
                Err(RecvTimeoutError::Disconnected) => return Ok(self.died(&stage, "crashes")),
            }
        }
    }

    /// Ends the child; the next request starts another.
    fn died(&mut self, stage: &str, how: &str) -> Verdict {
        let mut how = how.to_string();
        if let Some((mut child, ..)) = self.child.take() {
            let _ = child.kill();
            if let Ok(status) = child.wait() {
                how = format!("{how} ({status})");
            }
        }
        if stage == "the interpreter" {
            return Verdict::Invalid(how);
        }
        Verdict::Differs(stage.to_string(), how)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.died("", "");
    }
}

fn start() -> Result<(Child, ChildStdin, Receiver<String>), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .arg("--serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let input = child.stdin.take().ok_or("no pipe")?;
    let output = BufReader::new(child.stdout.take().ok_or("no pipe")?);
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    Ok((child, input, lines))
}
