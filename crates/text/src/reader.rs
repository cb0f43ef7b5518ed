//! An input of any length as UTF-8, in bounded memory.

use crate::Encoding;
use crate::guess::guess;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

/// Bytes read at a time.
const CHUNK: usize = 1 << 16;
/// Bytes examined to guess the encoding, from the first line on that is not UTF-8.
const WINDOW: usize = 1 << 20;
/// Bytes that show whether a text is UTF-16.
const BEGIN: usize = 1 << 9;
/// A longer line is taken in pieces.
const LONGEST: usize = 1 << 16;

/// The encoding of an input, once it is known; shared by all copies.
#[derive(Clone, Debug, Default)]
pub struct DetectedEncoding(Arc<OnceLock<Encoding>>);

impl DetectedEncoding {
    /// The encoding of what was read and was not UTF-8; UTF-8 where all of it was.
    pub fn get(&self) -> Encoding {
        self.0.get().copied().unwrap_or(Encoding::Utf8)
    }
}

/// Reads UTF-8 whatever the encoding of the input.
pub struct Utf8Reader<R> {
    pub(crate) input: R,
    given: Option<Encoding>,
    taken: DetectedEncoding,
    /// Bytes not decoded yet, and whether more may come.
    raw: Vec<u8>,
    is_end: bool,
    has_begun: bool,
    /// Whether the encoding is known only from what was read already.
    is_at_once: bool,
    /// Where the input is UTF-16.
    utf16: Option<encoding_rs::Decoder>,
    /// Text not given yet.
    out: Vec<u8>,
    at: usize,
}

impl<R: Read> Utf8Reader<R> {
    /// The text of an input: in the encoding that is given, or else in the one that the bytes are in.
    pub fn new(input: R, given: Option<Encoding>) -> Utf8Reader<R> {
        Utf8Reader {
            input,
            given,
            taken: DetectedEncoding::default(),
            raw: Vec::new(),
            is_end: false,
            has_begun: false,
            is_at_once: false,
            utf16: None,
            out: Vec::new(),
            at: 0,
        }
    }

    /// For interactive input: decides on the encoding from the bytes that have arrived.
    pub fn at_once(self) -> Utf8Reader<R> {
        Utf8Reader {
            is_at_once: true,
            ..self
        }
    }

    /// Continues an input whose encoding is known, which is not guessed again.
    pub fn after(mut self, known: Encoding) -> Utf8Reader<R> {
        match known {
            Encoding::Utf8 => {}
            Encoding::Utf16Le | Encoding::Utf16Be => self.given = Some(known),
            known => _ = self.taken.0.set(known),
        }
        self
    }

    /// The encoding, which is known once something was read that is not UTF-8.
    pub fn taken(&self) -> DetectedEncoding {
        self.taken.clone()
    }

    /// Reads once more. The input has ended where no byte is added.
    fn fill(&mut self) -> io::Result<()> {
        let before = self.raw.len();
        self.raw.resize(before + CHUNK, 0);
        let read = loop {
            match self.input.read(&mut self.raw[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.raw
            .truncate(before + read.as_ref().map_or(0, |&read| read));
        self.is_end = read? == 0;
        Ok(())
    }

    fn fill_up_to(&mut self, length: usize) -> io::Result<()> {
        while !self.is_end && self.raw.len() < length {
            self.fill()?;
        }
        Ok(())
    }

    /// Looks whether the input is UTF-16.
    fn begin(&mut self) -> io::Result<()> {
        self.fill_up_to(if self.is_at_once { 2 } else { BEGIN })?;
        self.has_begun = true;
        let begin = &self.raw[..self.raw.len().min(BEGIN)];
        let encoding = self.given.or_else(|| utf16(begin));
        if let Some(encoding @ (Encoding::Utf16Le | Encoding::Utf16Be)) = encoding {
            self.take(encoding);
            let web = encoding.of_web();
            self.utf16 = web.map(encoding_rs::Encoding::new_decoder_with_bom_removal);
        }
        Ok(())
    }

    fn take(&mut self, encoding: Encoding) {
        // Decided once.
        let _ = self.taken.0.set(encoding);
    }

    /// Decodes some more. False: that was all.
    fn step(&mut self) -> io::Result<bool> {
        if !self.has_begun {
            self.begin()?;
        }
        if self.utf16.is_some() {
            self.step_utf16()?;
        } else {
            self.step_lines()?;
        }
        Ok(!self.is_end || !self.raw.is_empty() || !self.out.is_empty())
    }

    fn step_utf16(&mut self) -> io::Result<()> {
        if self.raw.is_empty() && !self.is_end {
            self.fill()?;
        }
        if let Some(decoder) = &mut self.utf16 {
            let room = decoder.max_utf8_buffer_length(self.raw.len());
            let mut text = String::with_capacity(room.unwrap_or(4 * self.raw.len() + 16));
            let last = self.is_end;
            let (_, read, _) = decoder.decode_to_string(&self.raw, &mut text, last);
            self.raw.drain(..read);
            self.out.extend_from_slice(text.as_bytes());
            if last {
                self.raw.clear();
                self.utf16 = None;
            }
        }
        Ok(())
    }

    /// Decodes the lines that are there. A line that is not whole waits.
    fn step_lines(&mut self) -> io::Result<()> {
        let may_be_utf8 = self.given.is_none_or(|given| given == Encoding::Utf8);
        let whole = match self.is_end {
            true => self.raw.len(),
            false => {
                let last = self.raw.iter().rposition(|&byte| is_line_end(byte));
                let end = last.map_or(0, |last| last + 1);
                let rest = &self.raw[end..];
                let is_plain = rest.is_ascii() || may_be_utf8 && self.is_utf8(rest);
                // Interactive: no more may come before an answer.
                if self.is_at_once && is_plain {
                    self.raw.len()
                } else {
                    end
                }
            }
        };
        if may_be_utf8
            && whole > 0
            && std::str::from_utf8(&self.raw[..whole]).is_ok()
            && self.is_utf8(&self.raw[..whole])
        {
            self.out.extend(self.raw.drain(..whole));
            return Ok(());
        }
        let mut begin = 0;
        while let Some(end) = self.piece(begin) {
            let piece = &self.raw[begin..end];
            if piece.is_ascii() || may_be_utf8 && self.is_utf8(piece) {
                self.out.extend_from_slice(&self.raw[begin..end]);
                begin = end;
                continue;
            }
            let encoding = match (self.given, self.taken.0.get()) {
                (Some(given), _) => given,
                (None, Some(&taken)) => taken,
                (None, None) => {
                    if !self.is_at_once {
                        self.fill_up_to(begin + WINDOW)?;
                    }
                    let window = &self.raw[begin..];
                    guess(&window[..window.len().min(WINDOW)])
                }
            };
            self.take(encoding);
            // Once more, now that the encoding is known.
            let piece = &self.raw[begin..end];
            let text = encoding.text_of(piece);
            self.out.extend_from_slice(text.as_bytes());
            begin = end;
        }
        self.raw.drain(..begin);
        if begin == 0 && !self.is_end {
            self.fill()?;
        }
        Ok(())
    }

    /// Whether a line counts as UTF-8. In CP866 some words are valid UTF-8, such as `ход`.
    fn is_utf8(&self, line: &[u8]) -> bool {
        let is_usual = |c: char| matches!(c, ..'\u{800}' | '\u{1e00}'..'\u{2c00}' | '\u{f900}'..);
        let is_cp866 = self.taken.0.get() == Some(&Encoding::Cp866);
        std::str::from_utf8(line).is_ok_and(|text| !is_cp866 || text.chars().all(is_usual))
    }

    /// Where the line ends that begins here, or a piece of it where it is long; none where more must be read first.
    fn piece(&self, begin: usize) -> Option<usize> {
        let rest = &self.raw[begin..];
        let part = &rest[..rest.len().min(LONGEST)];
        if let Some(last) = part.iter().position(|&byte| is_line_end(byte)) {
            return Some(begin + last + 1);
        }
        if part.len() < LONGEST {
            return (self.is_end && !part.is_empty()).then_some(self.raw.len());
        }
        // Between two characters, if possible.
        let tail = &part[LONGEST - 4..];
        let first = tail.iter().rposition(|byte| byte & 0xc0 != 0x80);
        Some(begin + LONGEST - 4 + first.unwrap_or(4))
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.out.len() {
            (self.at, self.out) = (0, Vec::new());
            if !self.step()? {
                return Ok(0);
            }
        }
        let rest = &self.out[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

/// Which UTF-16 a text is that begins so: by its mark, by the zero of its first character, or where zeros stand only
/// beside signs and digits of ASCII, and the other characters are those of Europe.
fn utf16(begin: &[u8]) -> Option<Encoding> {
    match begin {
        [0xff, 0xfe, ..] => return Some(Encoding::Utf16Le),
        [0xfe, 0xff, ..] => return Some(Encoding::Utf16Be),
        [1..0x80, 0, ..] => return Some(Encoding::Utf16Le),
        [0, 1..0x80, ..] => return Some(Encoding::Utf16Be),
        _ => {}
    }
    let is_text = |high, low| matches!((high, low), (0, 9..=13 | 32..) | (1..=5 | 0x1e..=0x22 | 0xd8..=0xdf, _));
    let pairs = || begin.as_chunks::<2>().0.iter();
    let is_wide = begin.contains(&0);
    if is_wide && pairs().all(|&[low, high]| is_text(high, low)) {
        Some(Encoding::Utf16Le)
    } else if is_wide && pairs().all(|&[high, low]| is_text(high, low)) {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
