//! What is particular to an operating system or a processor, in this file only.
#![expect(
    unsafe_code,
    reason = "memory from the system, prefetch instructions, the state of a pipe, locks"
)]

pub mod process;

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Alignment of large tables: a huge page of x86-64, so that one can back it.
const ALIGN: usize = 2 << 20;

/// Tables up to this size have huge pages from the first touch on. In a larger one a search would stall for seconds on
/// zeroing huge pages: there they are asked for only just ahead of the thread that touches them, and where a search comes
/// first it gets small pages, quickly.
const ADVISED_AT_ONCE: usize = 1 << 30;

/// Many words of zero. The memory is taken from the system at first use of each page, so that even gigabytes are had at
/// once; released in the background when it is a lot.
pub struct ZeroedWords {
    block: NonNull<u8>,
    layout: Layout,
    words: NonNull<AtomicU64>,
    len: usize,
}

// SAFETY: the block is owned, and shared only as atomics.
unsafe impl Send for ZeroedWords {}
// SAFETY: as above.
unsafe impl Sync for ZeroedWords {}

impl ZeroedWords {
    /// `len` words, aligned to a cache line at least. None when the system has no memory for them.
    pub fn new(len: usize) -> Option<ZeroedWords> {
        let bytes = len.checked_mul(size_of::<AtomicU64>())?;
        // Aligning by hand keeps `alloc_zeroed` on the path where the system hands out untouched zero pages.
        let align = if bytes >= ALIGN { ALIGN } else { 64 };
        let layout =
            Layout::from_size_align(bytes.checked_add(align)?, align_of::<AtomicU64>()).ok()?;
        // SAFETY: the layout is not empty.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = block.as_ptr().align_offset(align);
        // SAFETY: `offset < align`, and `align` bytes more than `bytes` were allocated.
        let words = unsafe { NonNull::new_unchecked(block.as_ptr().add(offset)) };
        Some(ZeroedWords {
            block,
            layout,
            words: words.cast(),
            len,
        })
    }

    /// The words.
    #[inline(always)]
    pub fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: `len` words lie at `words`, zeroed, which is a valid atomic; they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.len) }
    }
}

/// Has the system provide the memory of `words` now, on a thread of its own that ends early when nobody else holds them.
/// The first use of a page takes a fault of up to milliseconds, which a search at short time controls would pay.
pub fn provide_in_background(words: &Arc<ZeroedWords>) {
    const PAGE_WORDS: usize = 4096 / size_of::<AtomicU64>();
    const CHUNK: usize = ALIGN / size_of::<AtomicU64>();
    if words.as_slice().len() < ALIGN / size_of::<AtomicU64>() {
        return;
    }
    let all_at_once = size_of_val(words.as_slice()) <= ADVISED_AT_ONCE;
    if all_at_once {
        advise_huge_pages(words.as_slice());
    }
    let words = Arc::clone(words);
    let touch = move || {
        for chunk in words.as_slice().chunks(CHUNK) {
            if Arc::strong_count(&words) == 1 {
                return;
            }
            if !all_at_once {
                advise_huge_pages(chunk);
            }
            // Zero in the place of zero changes no word, whoever writes at the same time, yet needs the page. (Or-ing
            // nothing would be compiled to nothing.)
            chunk
                .iter()
                .step_by(PAGE_WORDS)
                .for_each(|word| _ = word.compare_exchange(0, 0, Relaxed, Relaxed));
        }
    };
    // Without the thread the pages come when they are used.
    let _ = std::thread::Builder::new()
        .name("table-pages".to_owned())
        .spawn(touch);
}

impl Drop for ZeroedWords {
    fn drop(&mut self) {
        struct Block(NonNull<u8>, Layout);
        // SAFETY: nothing else refers to the block any more; it may be released from any thread.
        unsafe impl Send for Block {}
        impl Block {
            fn release(self) {
                // SAFETY: allocated with this layout, released once.
                unsafe { dealloc(self.0.as_ptr(), self.1) }
            }
        }
        let (block, large) = (
            Block(self.block, self.layout),
            self.layout.size() > 64 << 20,
        );
        if large {
            // Giving back gigabytes takes the system a second: nobody should wait for it.
            let (pointer, layout) = (block.0, block.1);
            let spawned = std::thread::Builder::new().spawn(move || block.release());
            if spawned.is_err() {
                Block(pointer, layout).release();
            }
        } else {
            block.release();
        }
    }
}

/// Asks for huge pages, which spare most of the address translation of random access.
#[cfg(target_os = "linux")]
fn advise_huge_pages(words: &[AtomicU64]) {
    let start = words.as_ptr().cast_mut().cast();
    // SAFETY: the range is that of the slice; the advice changes no content.
    unsafe { libc::madvise(start, size_of_val(words), libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &[AtomicU64]) {}

/// Asks the processor to fetch the cache line of `words[index]`.
#[inline(always)]
pub fn prefetch(words: &[AtomicU64], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if index < words.len() {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: inside the slice; a prefetch reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(words.as_ptr().add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, index);
}

/// How many bytes of standard output, a pipe, its reader has not taken yet. None where the system does not say.
#[cfg(target_os = "linux")]
pub fn unread_output() -> Option<usize> {
    let mut count: libc::c_int = 0;
    // SAFETY: the call writes one integer through the pointer, which is valid for it.
    let result = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::FIONREAD, &raw mut count) };
    usize::try_from(count).ok().filter(|_| result == 0)
}
#[cfg(not(target_os = "linux"))]
pub fn unread_output() -> Option<usize> {
    None
}

/// Takes a file for this process alone, as long as it is open; false when another has it. Where the file system has no
/// locks, or the system is not a Unix, it counts as taken.
///
/// # Errors
/// The system refuses.
#[cfg(unix)]
pub fn lock(file: &std::fs::File) -> std::io::Result<bool> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open as long as `file` lives.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        return Ok(true);
    }
    let error = std::io::Error::last_os_error();
    match error.raw_os_error() {
        Some(code) if code == libc::EWOULDBLOCK => Ok(false),
        // A file system without locks: the user knows what runs.
        Some(libc::ENOLCK | libc::ENOSYS | libc::EINVAL | libc::EOPNOTSUPP) => Ok(true),
        _ => Err(error),
    }
}
#[cfg(not(unix))]
pub fn lock(_: &std::fs::File) -> std::io::Result<bool> {
    Ok(true)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// Pages of these words that are in memory, and all their pages.
    fn resident(words: &[AtomicU64]) -> (usize, usize) {
        // SAFETY: asks for a constant.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let bytes = size_of_val(words);
        let mut pages = vec![0u8; bytes.div_ceil(page)];
        // SAFETY: the range is that of the slice, aligned to a page, and `pages` has a byte for each page of it.
        let result = unsafe {
            let start = words.as_ptr().cast_mut().cast();
            libc::mincore(start, bytes, pages.as_mut_ptr().cast())
        };
        assert_eq!(result, 0);
        (pages.iter().filter(|&&p| p & 1 != 0).count(), pages.len())
    }

    #[test]
    fn memory_is_provided_in_the_background() {
        // More than 32 MiB, the most that the allocator may keep from other tests and zero by hand.
        let words = Arc::new(ZeroedWords::new(32 * ALIGN / size_of::<AtomicU64>()).unwrap());
        assert_eq!(resident(words.as_slice()).0, 0, "taken lazily");
        provide_in_background(&words);
        let began = Instant::now();
        loop {
            let (here, all) = resident(words.as_slice());
            if here == all {
                break;
            }
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "{here} of {all} pages"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(words.as_slice().iter().all(|word| word.load(Relaxed) == 0));
    }
}
