//! Processes: groups, termination, CPU affinity.

use std::io;
use std::process::{Child, ChildStdin, Command};

/// A child process and its descendants, ended together: by [`Group::kill`], or by the system when this process ends for
/// any reason.
#[derive(Debug)]
pub struct Group {
    /// Kills the group when this process ends, on systems that do not do so themselves.
    #[cfg(all(unix, any(test, not(target_os = "linux"))))]
    watchdog: Option<Child>,
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

/// Starts a child in its own process group, which Ctrl-C in the terminal does not reach.
///
/// # Errors
/// The system cannot start it.
#[cfg(target_os = "linux")]
pub fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    end_with_parent(command);
    let group = Group {
        #[cfg(test)]
        watchdog: None,
    };
    Ok((command.spawn()?, group))
}

/// Makes the kernel kill the child when the thread that starts it ends.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a closure between fork and exec")]
fn end_with_parent(command: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt;
    let parent = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the call.
        match getppid() == Some(parent) {
            true => Ok(()),
            false => Err(rustix::io::Errno::SRCH.into()),
        }
    };
    // SAFETY: the closure only makes system calls; it takes no memory or lock.
    unsafe { command.pre_exec(tie) };
}

/// Starts a child in its own process group, which Ctrl-C in the terminal does not reach.
///
/// # Errors
/// The system cannot start it.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
    use std::os::unix::process::CommandExt;
    let child = command.process_group(0).spawn()?;
    let watchdog = watchdog(child.id()).ok();
    Ok((child, Group { watchdog }))
}

/// A shell that waits until this process ends, which closes the shell's input, and then kills the group.
#[cfg(all(unix, any(test, not(target_os = "linux"))))]
fn watchdog(group: u32) -> io::Result<Child> {
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;
    let script = r#"while read -r line; do :; done; kill -s KILL -- "-$1""#;
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", script, "sh", &group.to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null());
    shell.stderr(Stdio::null()).process_group(0).spawn()
}

/// Starts a child in its own job object, which the system closes when this process ends.
///
/// # Errors
/// The system cannot start it.
#[cfg(windows)]
pub fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
    use std::os::windows::io::AsRawHandle;
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    let child = command.creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()?;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits).and_then(|job| {
        job.assign_process(child.as_raw_handle() as isize)?;
        Ok(job)
    });
    // Without a job object only the child itself is killed.
    Ok((child, Group { job: job.ok() }))
}

impl Group {
    /// Kills the child and its descendants. The child must not have been waited for, because its process id could have
    /// been reused.
    pub fn kill(&mut self, child: &mut Child) {
        #[cfg(all(unix, any(test, not(target_os = "linux"))))]
        if let Some(mut watchdog) = self.watchdog.take() {
            let _ = watchdog.kill();
            let _ = watchdog.wait();
        }
        #[cfg(unix)]
        if let Some(group) = pid(child) {
            // It fails only if the group is already gone.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // The system kills the processes of a job object when its last handle is closed.
        #[cfg(windows)]
        drop(self.job.take());
        let _ = child.kill();
    }
}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    let id = i32::try_from(child.id()).ok()?;
    rustix::process::Pid::from_raw(id)
}

/// Whether a child has ended, without reaping it.
#[cfg(unix)]
pub fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = pid(child).map(|pid| waitid(WaitId::Pid(pid), options));
    !matches!(status, Some(Ok(None)))
}
/// Whether a child has ended.
#[cfg(not(unix))]
pub fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// From now on a write to a full pipe fails with `WouldBlock` instead of blocking. Unix only: elsewhere writes still
/// block.
#[cfg(unix)]
pub fn set_nonblocking(pipe: &ChildStdin) -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}
/// Unix only: here writes to a full pipe still block.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn set_nonblocking(_: &ChildStdin) -> io::Result<()> {
    Ok(())
}

/// The processors that this process may run on.
///
/// # Errors
/// The system cannot tell.
#[cfg(target_os = "linux")]
pub fn processors() -> io::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU)
        .filter(|&core| set.is_set(core))
        .collect())
}

/// Pins this thread, and the processes it starts from now on, to these processors.
///
/// # Errors
/// The system refuses.
#[cfg(target_os = "linux")]
pub fn run_on(processors: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &core in processors.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
        set.set(core);
    }
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
fn no_affinity<T>() -> io::Result<T> {
    let message = "this system cannot keep a process on a processor";
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
/// The processors that this process may run on.
///
/// # Errors
/// Always: this system cannot tell.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> io::Result<Vec<usize>> {
    no_affinity()
}
/// Pins this thread to processors.
///
/// # Errors
/// Always: this system cannot.
#[cfg(not(target_os = "linux"))]
pub fn run_on(_: &[usize]) -> io::Result<()> {
    no_affinity()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    fn sleeper() -> (Child, Group) {
        let mut command = Command::new("sleep");
        spawn(command.arg("600").stdin(Stdio::null())).unwrap()
    }

    fn wait_for_end(child: &mut Child) {
        let began = Instant::now();
        while !has_ended(child) {
            assert!(began.elapsed() < Duration::from_secs(60), "it still runs");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_group_is_killed() {
        let (mut child, mut group) = sleeper();
        group.watchdog = watchdog(child.id()).ok();
        assert!(!has_ended(&mut child) && group.watchdog.is_some());
        group.kill(&mut child);
        wait_for_end(&mut child);
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn a_watchdog_kills_the_group_when_its_input_closes() {
        let (mut child, _group) = sleeper();
        let mut dog = watchdog(child.id()).unwrap();
        assert!(!has_ended(&mut child) && !has_ended(&mut dog));
        // As at the end of this process.
        drop(dog.stdin.take());
        wait_for_end(&mut child);
        assert!(!child.wait().unwrap().success());
        dog.wait().unwrap();
    }
}
