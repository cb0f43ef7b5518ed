//! Memory for large tables, and prefetching from it.
#![expect(unsafe_code, reason = "memory from the system, prefetch instructions")]

use memmap2::{MmapMut, MmapRaw};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Alignment of large tables: a huge page of x86-64, so that one can back it.
const ALIGN: usize = 2 << 20;

/// Tables of up to this many bytes use huge pages from first use. In a larger table zeroing huge pages would stall the
/// search for seconds: there they are requested just ahead of the thread that touches them, and a search that gets
/// there first gets small pages, quickly.
const ADVISED_AT_ONCE: usize = 1 << 30;

/// A large array of zeroed words. The system provides each page at its first use, so that even gigabytes are allocated
/// at once; most of the memory is released in the background.
pub struct ZeroedWords {
    /// The map; None only while dropping.
    map: Option<MmapRaw>,
    words: NonNull<AtomicU64>,
    len: usize,
}

// SAFETY: the memory is owned, and shared only as atomics.
unsafe impl Send for ZeroedWords {}
// SAFETY: as above.
unsafe impl Sync for ZeroedWords {}

impl ZeroedWords {
    /// `len` words, aligned at least to a cache line. None if there is not enough memory.
    pub fn new(len: usize) -> Option<ZeroedWords> {
        let bytes = len.checked_mul(size_of::<AtomicU64>())?;
        // A mapping is page-aligned; a large one is aligned further by hand.
        let align = if bytes >= ALIGN { ALIGN } else { 64 };
        let map = MmapRaw::from(MmapMut::map_anon(bytes.checked_add(align)?).ok()?);
        let offset = map.as_mut_ptr().align_offset(align);
        // SAFETY: `offset < align`, and `align` bytes more than `bytes` are mapped.
        let words = NonNull::new(unsafe { map.as_mut_ptr().add(offset) })?.cast();
        let map = Some(map);
        Some(ZeroedWords { map, words, len })
    }

    /// The words.
    #[inline(always)]
    pub fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: `len` words lie at `words`, zeroed, which is a valid atomic; they are mapped as long as `self` lives.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.len) }
    }

    /// Requests huge pages for the words of `range`, which saves most address translation in random access.
    fn advise_huge_pages(&self, range: Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Some(map) = &self.map {
            let begin = self.words.as_ptr() as usize - map.as_ptr() as usize;
            let bytes = |words: usize| words * size_of::<AtomicU64>();
            // Without them it is slower, but correct.
            let _ = map.advise_range(
                memmap2::Advice::HugePage,
                begin + bytes(range.start),
                bytes(range.len()),
            );
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }
}

impl Drop for ZeroedWords {
    fn drop(&mut self) {
        /// From this size on, releasing takes too long to wait for: a second for gigabytes.
        const LARGE: usize = 64 << 20;
        let map = self.map.take();
        if self.len * size_of::<AtomicU64>() > LARGE {
            // If no thread can be started, it is released here.
            let _ = std::thread::Builder::new().spawn(move || drop(map));
        }
    }
}

/// Touches the pages of `words` on a thread, which ends early when nobody else holds them. The first use of a page
/// costs a page fault of up to milliseconds, which a search at a short time control would notice.
pub fn provide_in_background(words: &Arc<ZeroedWords>) {
    const PAGE_WORDS: usize = 4096 / size_of::<AtomicU64>();
    const CHUNK: usize = ALIGN / size_of::<AtomicU64>();
    if words.as_slice().len() < ALIGN / size_of::<AtomicU64>() {
        return;
    }
    let len = words.as_slice().len();
    let all_at_once = size_of_val(words.as_slice()) <= ADVISED_AT_ONCE;
    if all_at_once {
        words.advise_huge_pages(0..len);
    }
    let words = Arc::clone(words);
    let touch = move || {
        for (index, chunk) in words.as_slice().chunks(CHUNK).enumerate() {
            if Arc::strong_count(&words) == 1 {
                return;
            }
            if !all_at_once {
                words.advise_huge_pages(index * CHUNK..index * CHUNK + chunk.len());
            }
            // Exchanging zero for zero changes no word, even with concurrent writers, yet needs the page. (A bitwise or
            // with zero would be optimised away.)
            chunk
                .iter()
                .step_by(PAGE_WORDS)
                .for_each(|word| _ = word.compare_exchange(0, 0, Relaxed, Relaxed));
        }
    };
    // If no thread can be started, pages are provided at first use.
    let _ = std::thread::Builder::new()
        .name("table-pages".to_owned())
        .spawn(touch);
}

/// Prefetches the cache line of `words[index]`.
#[inline(always)]
pub fn prefetch(words: &[AtomicU64], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if index < words.len() {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the index is inside the slice; a prefetch reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(words.as_ptr().add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, index);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// How many pages of these words are in memory, and how many there are.
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
