//! Signals that ask this process to end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Once};

/// Whether the user has asked this process to end (Ctrl-C, or a polite kill).
static ASKED_TO_END: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on the first Ctrl-C (SIGTERM and SIGHUP, or closing the window, count as one) is only noted, see
/// [`asked_to_end`]; the second ends the process as usual. A SIGHUP that the process was started to ignore (`nohup`)
/// stays ignored.
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
        // In this order: the first signal finds the flag unset and sets it, the second finds it set and ends the
        // process. Only signals that cannot be caught are refused.
        let _ = flag::register_conditional_default(signal, Arc::clone(&ASKED_TO_END));
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
    // SAFETY: without a new handler the call only writes the present one to `handler`, which lives.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut handler) };
    result == 0 && handler.sa_sigaction == libc::SIG_IGN
}

#[cfg(windows)]
fn note() {
    /// What a process that Ctrl-C has ended exits with.
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
