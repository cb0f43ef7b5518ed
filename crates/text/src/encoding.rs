//! The encodings, their names and their characters.

use std::fmt;
use std::str::FromStr;

/// How characters are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Encoding {
    #[default]
    Utf8,
    Utf16Le,
    Utf16Be,
    Windows1252,
    Windows1251,
    Koi8R,
    Cp866,
    Cp850,
    Windows1250,
    Iso8859_2,
    Windows1257,
    Cp437,
    Cp852,
    /// Another one of the web, by its name alone.
    Web(&'static encoding_rs::Encoding),
}

/// A name that no encoding has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown encoding; known are {}", Encoding::ALL.map(Encoding::name).join(", "))]
pub struct UnknownEncoding;

/// The characters from 0x80 on in CP850.
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
    ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// Those in CP437.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// Those in CP852.
const CP852: &str = "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
    └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}";

impl Encoding {
    /// Those that the documentation names.
    pub const ALL: [Encoding; 13] = [
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Windows1252,
        Encoding::Windows1251,
        Encoding::Koi8R,
        Encoding::Cp866,
        Encoding::Cp850,
        Encoding::Windows1250,
        Encoding::Iso8859_2,
        Encoding::Windows1257,
        Encoding::Cp437,
        Encoding::Cp852,
    ];

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Windows1252 => "windows-1252",
            Encoding::Windows1251 => "windows-1251",
            Encoding::Koi8R => "KOI8-R",
            Encoding::Cp866 => "CP866",
            Encoding::Cp850 => "CP850",
            Encoding::Windows1250 => "windows-1250",
            Encoding::Iso8859_2 => "ISO-8859-2",
            Encoding::Windows1257 => "windows-1257",
            Encoding::Cp437 => "CP437",
            Encoding::Cp852 => "CP852",
            Encoding::Web(encoding) => encoding.name(),
        }
    }

    /// The encoding of `encoding_rs`; None for those of DOS but CP866.
    pub(crate) fn of_web(self) -> Option<&'static encoding_rs::Encoding> {
        Some(match self {
            Encoding::Utf8 => encoding_rs::UTF_8,
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
            Encoding::Windows1252 => encoding_rs::WINDOWS_1252,
            Encoding::Windows1251 => encoding_rs::WINDOWS_1251,
            Encoding::Koi8R => encoding_rs::KOI8_R,
            Encoding::Cp866 => encoding_rs::IBM866,
            Encoding::Cp850 | Encoding::Cp437 | Encoding::Cp852 => return None,
            Encoding::Web(encoding) => encoding,
            Encoding::Windows1250 => encoding_rs::WINDOWS_1250,
            Encoding::Iso8859_2 => encoding_rs::ISO_8859_2,
            Encoding::Windows1257 => encoding_rs::WINDOWS_1257,
        })
    }

    /// The characters from 0x80 on in an encoding of DOS.
    fn of_dos(self) -> &'static str {
        match self {
            Encoding::Cp437 => CP437,
            Encoding::Cp852 => CP852,
            _ => CP850,
        }
    }

    /// The text of bytes in this encoding; `U+FFFD` for undefined bytes.
    pub(crate) fn text_of(self, bytes: &[u8]) -> String {
        let dos: Vec<char> = self.of_dos().chars().collect();
        let of_dos = |&byte: &u8| match byte {
            0x80.. => dos.get(usize::from(byte - 0x80)).copied(),
            _ => Some(char::from(byte)),
        };
        match self.of_web() {
            Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            None => bytes.iter().filter_map(of_dos).collect(),
        }
    }

    /// The bytes of a text; `?` for a character that the encoding lacks.
    pub fn bytes_of(self, text: &str) -> Vec<u8> {
        let in_dos = |c: char| match self.of_dos().chars().position(|known| known == c) {
            _ if c.is_ascii() => c as u8,
            place => place.map_or(b'?', |place| 0x80 + place as u8),
        };
        match (self, self.of_web()) {
            (Encoding::Utf16Le, _) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            (Encoding::Utf16Be, _) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            (_, None) => text.chars().map(in_dos).collect(),
            (_, Some(encoding)) => match encoding.encode(text) {
                (bytes, _, false) => bytes.into_owned(),
                _ => {
                    let one = |c: char| match encoding.encode(c.encode_utf8(&mut [0; 4])) {
                        (bytes, _, false) => bytes.into_owned(),
                        _ => b"?".to_vec(),
                    };
                    text.chars().flat_map(one).collect()
                }
            },
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// A name, with or without hyphens; or one of the names that the web knows, such as `latin1`.
    fn from_str(text: &str) -> Result<Encoding, UnknownEncoding> {
        let plain = |name: &str| name.replace(['-', '_', ' '], "").to_lowercase();
        let named = |encoding: &Encoding| match plain(encoding.name()) == plain(text) {
            true => true,
            false => {
                let known = encoding_rs::Encoding::for_label(text.as_bytes());
                known.is_some() && known == encoding.of_web()
            }
        };
        // `ibm852`, `852`, `dos852`.
        let is_dos = |encoding: &Encoding| {
            let digits = plain(text)
                .replace("ibm", "")
                .replace("dos", "")
                .replace("cp", "");
            encoding.of_web().is_none() && plain(encoding.name()) == format!("cp{digits}")
        };
        let of_web = || {
            let known = encoding_rs::Encoding::for_label(text.as_bytes());
            known.filter(|&known| known != encoding_rs::REPLACEMENT)
        };
        let found = Encoding::ALL.into_iter().find(named);
        let found = found.or_else(|| Encoding::ALL.into_iter().find(is_dos));
        found
            .or_else(|| of_web().map(Encoding::Web))
            .ok_or(UnknownEncoding)
    }
}
