//! The `damier` binary: arguments in, exit code out.

mod cli;

/// Stack for the thread that searches: some systems give the first thread of a process a mebibyte, and the deepest line
/// takes most of that.
const STACK: usize = 16 << 20;

fn main() -> std::process::ExitCode {
    let large = std::thread::Builder::new().stack_size(STACK);
    match large.spawn(cli::main).map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => std::process::ExitCode::FAILURE,
        Err(_) => cli::main(),
    }
}
