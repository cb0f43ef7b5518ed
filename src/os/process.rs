//! Processes: their groups, their end, the processors they run on, and the signals that ask this one to end.
#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "calls to the system that std does not offer")
)]

use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the user has asked this process to end (Ctrl-C, or a polite kill).
static ASKED_TO_END: AtomicBool = AtomicBool::new(false);

/// Has a child lead a process group of its own, so that a Ctrl-C on the terminal does not reach it and the whole group
/// can be killed; and has the system kill it when the thread that starts it ends, however that ends.
#[cfg(unix)]
pub fn tie_to_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id();
        let bind = move || {
            // SAFETY: both calls only read and set the state of the process, and may be made between fork and exec.
            unsafe {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                    return Err(io::Error::last_os_error());
                }
                // The parent may have ended before the call.
                if u32::try_from(libc::getppid()) != Ok(parent) {
                    return Err(io::Error::from_raw_os_error(libc::ESRCH));
                }
            }
            Ok(())
        };
        // SAFETY: the closure makes system calls only and takes no memory or lock.
        unsafe { command.pre_exec(bind) };
    }
}
#[cfg(not(unix))]
pub fn tie_to_parent(_: &mut Command) {}

/// Kills a child that leads its group, and what it has started. The child must not have been waited for yet: after that
/// its number may be somebody else's.
#[cfg(unix)]
pub fn kill_group(child: &mut std::process::Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: a signal to a group of our own making.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    // Where the group is gone already there is nothing to kill, and the child waits to be reaped.
    let _ = child.kill();
}
#[cfg(not(unix))]
pub fn kill_group(child: &mut std::process::Child) {
    let _ = child.kill();
}

/// Whether a child has ended, without reaping it.
#[cfg(unix)]
pub fn has_ended(child: &mut std::process::Child) -> bool {
    // SAFETY: a struct of integers, for which zero is a value.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the call writes to `info`, which lives.
    let result = unsafe { libc::waitid(libc::P_PID, child.id(), &raw mut info, options) };
    // SAFETY: filled by the call, or zero where no child has changed its state.
    result != 0 || unsafe { info.si_pid() } != 0
}
#[cfg(not(unix))]
pub fn has_ended(child: &mut std::process::Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Has writes to a pipe give up (`WouldBlock`) when it is full instead of waiting for its reader.
#[cfg(unix)]
pub fn set_nonblocking(pipe: &std::process::ChildStdin) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open as long as `pipe` lives.
    let done = unsafe {
        let flags = libc::fcntl(pipe.as_raw_fd(), libc::F_GETFL);
        flags >= 0 && libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK) == 0
    };
    if done {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
#[cfg(not(unix))]
pub fn set_nonblocking(_: &std::process::ChildStdin) -> io::Result<()> {
    Ok(())
}

/// The processors this process may run on.
///
/// # Errors
/// The system does not say.
#[cfg(target_os = "linux")]
pub fn processors() -> io::Result<Vec<usize>> {
    // SAFETY: a set of bits, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the call fills the set, whose size it is told.
    if unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let all = 0..8 * size_of_val(&set);
    // SAFETY: the index is inside the set.
    Ok(all
        .filter(|&core| unsafe { libc::CPU_ISSET(core, &set) })
        .collect())
}

/// Keeps this thread, and the processes it starts from now on, on these processors.
///
/// # Errors
/// The system refuses.
#[cfg(target_os = "linux")]
pub fn run_on(processors: &[usize]) -> io::Result<()> {
    // SAFETY: a set of bits, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    let most = 8 * size_of_val(&set);
    for &core in processors.iter().filter(|&&core| core < most) {
        // SAFETY: the index is inside the set.
        unsafe { libc::CPU_SET(core, &mut set) };
    }
    // SAFETY: the call reads the set, whose size it is told.
    if unsafe { libc::sched_setaffinity(0, size_of_val(&set), &raw const set) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(not(target_os = "linux"))]
fn no_affinity<T>() -> io::Result<T> {
    let message = "this system has no way to keep a process on a processor";
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
#[cfg(not(target_os = "linux"))]
pub fn processors() -> io::Result<Vec<usize>> {
    no_affinity()
}
#[cfg(not(target_os = "linux"))]
pub fn run_on(_: &[usize]) -> io::Result<()> {
    no_affinity()
}

/// Has the first Ctrl-C (or SIGTERM, SIGHUP) only be noted, see [`asked_to_end`]; the second ends the process as usual. A
/// SIGHUP that the process was told to ignore (`nohup`) stays ignored. Elsewhere than on a Unix the first ends it.
#[cfg(unix)]
pub fn note_requests_to_end() {
    extern "C" fn note(signal: libc::c_int) {
        ASKED_TO_END.store(true, Relaxed);
        // SAFETY: may be called in a handler.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler stores an atomic and makes a call that handlers may make.
        let before = unsafe { libc::signal(signal, note as extern "C" fn(libc::c_int) as usize) };
        if signal == libc::SIGHUP && before == libc::SIG_IGN {
            // SAFETY: as before; there is no handler in it.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
    }
}
#[cfg(not(unix))]
pub fn note_requests_to_end() {}

/// Whether this process was asked to end since [`note_requests_to_end`].
pub fn asked_to_end() -> bool {
    ASKED_TO_END.load(Relaxed)
}
