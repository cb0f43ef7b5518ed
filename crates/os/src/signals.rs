//! Signals that ask the process to end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Once};

/// Whether the user has asked this process to end (by Ctrl-C or another signal that can be caught).
static ASKED_TO_END: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on the first request to end (Ctrl-C, SIGTERM, SIGHUP, or closing the window) is only recorded, see
/// [`asked_to_end`]; the second ends the process as usual, but for SIGHUP, which the system and the shell both send for
/// one closed window. If SIGHUP was ignored when the process started (`nohup`), it stays ignored.
pub fn note_requests_to_end() {
    static ONCE: Once = Once::new();
    ONCE.call_once(note);
}

/// Whether this process was asked to end since [`note_requests_to_end`].
pub fn asked_to_end() -> bool {
    ASKED_TO_END.load(Relaxed)
}

#[cfg(unix)]
fn note() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if signal == SIGHUP && is_ignored(signal) {
            continue;
        }
        // The order matters: the first signal finds the flag unset and sets it, the second finds it set and ends the
        // process. Registration fails only for signals that cannot be caught.
        if signal != SIGHUP {
            let _ = flag::register_conditional_default(signal, Arc::clone(&ASKED_TO_END));
        }
        let _ = flag::register(signal, Arc::clone(&ASKED_TO_END));
    }
}

/// Whether this process ignores a signal.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "no crate asks for the handler of a signal without unsafe code"
)]
fn is_ignored(signal: libc::c_int) -> bool {
    // SAFETY: a struct of integers and an optional function, for which zero is a value.
    let mut handler: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new handler the call only writes the current one to `handler`, which is live.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut handler) };
    result == 0 && handler.sa_sigaction == libc::SIG_IGN
}

#[cfg(windows)]
fn note() {
    /// The exit code of a process ended by Ctrl-C.
    const CONTROL_C_EXIT: i32 = 0xC000_013A_u32.cast_signed();
    // Refused only if something else in the process handles it already.
    let _ = ctrlc::set_handler(|| {
        if ASKED_TO_END.swap(true, Relaxed) {
            std::process::exit(CONTROL_C_EXIT);
        }
    });
}

#[cfg(not(any(unix, windows)))]
fn note() {}
