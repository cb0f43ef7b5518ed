//! How much of standard output has not been read yet.

/// Bytes written to standard output, a pipe, that its reader has not read yet. None if the system cannot tell.
#[cfg(target_os = "linux")]
pub fn unread() -> Option<usize> {
    let count = rustix::io::ioctl_fionread(std::io::stdout()).ok()?;
    count.try_into().ok()
}
/// Bytes written to standard output that its reader has not read yet: this system cannot tell.
#[cfg(not(target_os = "linux"))]
pub fn unread() -> Option<usize> {
    None
}
