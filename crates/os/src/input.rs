//! Inputs that are read once, from start to end: files, standard input, named pipes such as those of `<(command)`.

use super::files;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

/// How long a named pipe may be without a writer.
const WAIT_FOR_WRITER: Duration = Duration::from_secs(5);

/// Whether a name stands for standard input: `-`, or `/dev/stdin`.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-") || cfg!(unix) && path == Path::new("/dev/stdin")
}

/// Whether a name stands for standard input or a pipe, which have no folder of their own.
pub fn is_stream(path: &Path) -> bool {
    is_stdin(path) || path.metadata().is_ok_and(|data| is_pipe(&data))
}

/// The bytes of an input, at most `most`. A named pipe that nobody opens for writing within some seconds is an error.
///
/// # Errors
/// The input cannot be read, is larger, or is a folder or a device.
pub fn read_at_most(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    read_waiting(path.as_ref(), most, WAIT_FOR_WRITER)
}

fn read_waiting(path: &Path, most: u64, patience: Duration) -> io::Result<Vec<u8>> {
    if is_stdin(path) {
        return files::all_of(io::stdin().lock(), most);
    }
    let file = files::open_any(path)?;
    let data = file.metadata()?;
    if data.is_file() {
        files::all_of(file, most)
    } else if is_pipe(&data) {
        files::all_of(pipe(file, patience), most)
    } else {
        Err(io::Error::other("not a file or a pipe"))
    }
}

#[cfg(unix)]
fn is_pipe(data: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type())
}
#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

/// A pipe opened without waiting. While it has no writer it reads as if it were at its end, which counts only after
/// somebody was there to write.
#[cfg(unix)]
struct Pipe {
    file: File,
    has_had_writer: bool,
    patience: Duration,
}

#[cfg(unix)]
fn pipe(file: File, patience: Duration) -> impl Read {
    Pipe {
        file,
        has_had_writer: false,
        patience,
    }
}
#[cfg(not(unix))]
fn pipe(file: File, _: Duration) -> impl Read {
    file
}

#[cfg(unix)]
impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use std::time::Instant;
        /// Between two looks.
        const LOOK: Duration = Duration::from_millis(50);
        let look = Timespec::try_from(LOOK).map_err(io::Error::other)?;
        let began = Instant::now();
        loop {
            let mut polled = [PollFd::new(&self.file, PollFlags::IN)];
            match poll(&mut polled, Some(&look)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            // A writer has come and gone, perhaps without a word.
            self.has_had_writer |= polled[0].revents().contains(PollFlags::HUP);
            match self.file.read(buffer) {
                Ok(0) if self.has_had_writer || began.elapsed() >= self.patience => break,
                Ok(0) => {}
                // Somebody has it open and writes later.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.has_had_writer = true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    self.has_had_writer = true;
                    return Ok(read);
                }
            }
        }
        match self.has_had_writer {
            true => Ok(0),
            false => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "a named pipe that nobody writes to",
            )),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::path::PathBuf;
    use std::process::Command;
    use std::thread;

    const SHORT: Duration = Duration::from_millis(200);
    const LONG: Duration = Duration::from_secs(60);

    fn pipe() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        (folder, path)
    }

    #[test]
    fn a_pipe_without_a_writer_is_an_error() {
        let (_folder, path) = pipe();
        let error = read_waiting(&path, 100, SHORT).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(is_stream(&path));
    }

    #[test]
    fn a_pipe_is_read_to_its_end_however_slowly_it_is_written() {
        let (_folder, path) = pipe();
        let place = path.clone();
        let writer = thread::spawn(move || {
            let mut file = OpenOptions::new().write(true).open(place).unwrap();
            // Longer than a pipe without a writer is waited for.
            thread::sleep(3 * SHORT);
            file.write_all(b"abc").unwrap();
            thread::sleep(3 * SHORT);
            file.write_all(&[b'd'; 100_000]).unwrap();
        });
        let mut patience = SHORT;
        let read = loop {
            match read_waiting(&path, 1 << 20, patience) {
                // On a busy machine the writer may be late.
                Err(error) if error.kind() == io::ErrorKind::TimedOut && patience < LONG => {
                    patience *= 2;
                }
                read => break read.unwrap(),
            }
        };
        assert_eq!(read.len(), 100_003);
        assert!(read.starts_with(b"abcd"));
        writer.join().unwrap();
    }

    #[test]
    fn what_is_too_long_or_no_file_is_refused() {
        let (folder, path) = pipe();
        let writer = thread::spawn(move || {
            OpenOptions::new()
                .write(true)
                .open(path)?
                .write_all(&[0; 10_000])
        });
        let pipe = folder.path().join("pipe");
        let error = read_waiting(&pipe, 100, LONG).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        let _ = writer.join().unwrap();
        for bad in [folder.path(), Path::new("/dev/zero")] {
            assert!(read_at_most(bad, 100).is_err(), "{}", bad.display());
        }
        let file = folder.path().join("file");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(read_at_most(&file, 4).unwrap(), b"text");
        assert!(!is_stream(&file) && is_stream(Path::new("-")));
    }
}
