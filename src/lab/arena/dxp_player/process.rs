//! The process of an engine, which never outlives its owner.

use super::DxpSpec;
use crate::os::process as os;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Between two lines on the standard input: Moby Dam takes what it reads at once for one line.
const LINE_GAP: Duration = Duration::from_millis(300);

/// A running engine. Dropped, it is killed and reaped.
pub(super) struct Process {
    child: Child,
}

impl Process {
    /// Starts the engine and writes the lines to its standard input, which stays open: some engines poll it for ever once
    /// it has ended.
    pub fn start(spec: &DxpSpec, port: u16) -> std::io::Result<Process> {
        let port = port.to_string();
        let fill = |text: &String| text.replace("{port}", &port);
        let (program, arguments) = spec
            .command
            .split_first()
            .ok_or_else(|| std::io::Error::other("no command"))?;
        let mut command = Command::new(fill(program));
        command
            .args(arguments.iter().map(fill))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        os::tie_to_parent(&mut command);
        let child = command.spawn()?;
        let mut process = Process { child };
        for (index, line) in spec.stdin.iter().map(fill).enumerate() {
            if index > 0 {
                thread::sleep(LINE_GAP);
            }
            let Some(stdin) = &mut process.child.stdin else {
                break;
            };
            stdin.write_all(format!("{line}\n").as_bytes())?;
            stdin.flush()?;
        }
        Ok(process)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        Some(format!("the process has ended: {status}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            os::kill_group(&mut self.child);
        }
        if let Err(error) = self.child.wait() {
            log::warn!("process {}: {error}", self.child.id());
        }
    }
}
