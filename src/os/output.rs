//! How much of standard output its reader has not taken yet.

/// Bytes of standard output, a pipe, that its reader has not taken yet. None where the system does not say.
#[cfg(target_os = "linux")]
pub fn unread() -> Option<usize> {
    let count = rustix::io::ioctl_fionread(std::io::stdout()).ok()?;
    count.try_into().ok()
}
#[cfg(not(target_os = "linux"))]
pub fn unread() -> Option<usize> {
    None
}
