//! Files of weights.
//!
//! Little-endian: the 8 bytes `DAMIERWT`; version, 2 bytes; kind of evaluation, 2 bytes; length of the training record,
//! 4 bytes; length of the weights, 4 bytes; the record, JSON in UTF-8; the weights; CRC-32 of all before it, 4 bytes.

use super::network::Weights;
use damier_os::files;
use std::borrow::Cow;
use std::io;
use std::path::Path;

const MAGIC: &[u8; 8] = b"DAMIERWT";
const VERSION: u16 = 1;
const HEAD: usize = 20;
/// Upper limit on bytes read from a file; no weights are this large.
const LARGEST: u64 = 64 << 20;
const NETWORK: u16 = 1;
/// Written by earlier versions.
const PATTERNS: u16 = 2;
/// A network with a second layer.
const DEEP_NETWORK: u16 = 3;

/// In a static, so that the program holds it once.
static EMBEDDED: [u8; include_bytes!("../../weights/embedded.dwt").len()] =
    *include_bytes!("../../weights/embedded.dwt");

/// The content of a file of weights.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightsFile {
    /// The weights.
    pub weights: Weights,
    /// How they were made: a JSON object.
    pub record: String,
}

/// Why bytes are no weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// The first bytes are another file's.
    #[error("not a file of weights")]
    Foreign,
    /// A later version's file, or a kind of evaluation that this program does not have.
    #[error("weights of a kind or version that this program does not know")]
    Unknown,
    /// Weights of the pattern evaluation, which earlier versions had.
    #[error(
        "weights of the pattern evaluation, which this version no longer reads; train a network with `damier train`"
    )]
    Patterns,
    /// The file ends too soon, or goes on too long.
    #[error("the file of weights is cut off or has something after its end")]
    Length,
    /// The checksum differs.
    #[error("the file of weights is damaged: its checksum differs")]
    Checksum,
    /// The checksum is right, yet the weights cannot be played with.
    #[error("the file holds weights that cannot be played with")]
    Unfit,
}

impl WeightsFile {
    /// The bytes of the file inside the program.
    pub const EMBEDDED: &[u8] = &EMBEDDED;
    /// The name of the weights inside the program, where a file may be named.
    pub const NAME: &str = "embedded";

    /// The bytes inside the program where their name is given, or else those of a file.
    ///
    /// # Errors
    /// The file cannot be read, or is larger than any weights.
    pub fn named(path: &Path) -> io::Result<Cow<'static, [u8]>> {
        match path.to_str() {
            Some(WeightsFile::NAME) => Ok(Cow::Borrowed(WeightsFile::EMBEDDED)),
            _ => files::read_at_most(path, LARGEST).map(Cow::Owned),
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.weights.write(&mut body);
        let kind = match self.weights.size.units() {
            (_, 0) => NETWORK,
            _ => DEEP_NETWORK,
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&kind.to_le_bytes());
        bytes.extend_from_slice(&(self.record.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
        bytes.extend_from_slice(self.record.as_bytes());
        bytes.extend_from_slice(&body);
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are no intact file of weights of a kind known here.
    pub fn from_bytes(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        if !bytes.starts_with(MAGIC) {
            return Err(WeightsError::Foreign);
        }
        let head = bytes.first_chunk::<HEAD>().ok_or(WeightsError::Length)?;
        let half = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if half(8) != VERSION {
            return Err(WeightsError::Unknown);
        }
        let (record, body) = (word(12) as usize, word(16) as usize);
        if bytes.len() as u64 != HEAD as u64 + record as u64 + body as u64 + 4 {
            return Err(WeightsError::Length);
        }
        let (content, sum) = bytes.split_last_chunk::<4>().ok_or(WeightsError::Length)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err(WeightsError::Checksum);
        }
        let (record, body) = content[HEAD..].split_at(record);
        let record = String::from_utf8(record.to_vec()).map_err(|_| WeightsError::Unfit)?;
        let weights = match half(10) {
            kind @ (NETWORK | DEEP_NETWORK) => {
                Weights::read(body, kind == DEEP_NETWORK).ok_or(WeightsError::Unfit)?
            }
            PATTERNS => return Err(WeightsError::Patterns),
            _ => return Err(WeightsError::Unknown),
        };
        Ok(WeightsFile { weights, record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, Score, network};
    use damier_cpu::Baseline;
    use damier_rules::notation::fen;
    use proptest::prelude::*;

    fn file(size: network::Size) -> WeightsFile {
        let mut float = network::FloatNetwork::new(size);
        float
            .input
            .iter_mut()
            .enumerate()
            .for_each(|(i, w)| *w = (i % 7) as f32 / 9.0 - 0.3);
        float
            .output
            .iter_mut()
            .enumerate()
            .for_each(|(i, w)| *w = (i % 5) as f32 / 3.0 - 0.7);
        float
            .second
            .iter_mut()
            .enumerate()
            .for_each(|(i, w)| *w = (i % 9) as f32 / 4.0 - 1.0);
        WeightsFile {
            weights: float.quantize(120.0),
            record: r#"{"games":3}"#.to_owned(),
        }
    }

    #[test]
    fn a_file_is_read_back_and_every_damage_is_noticed() {
        for size in network::Size::ALL {
            let file = file(size);
            assert_eq!(WeightsFile::from_bytes(&file.to_bytes()), Ok(file));
        }
        let bytes = file(network::Size::Deep).to_bytes();
        for length in (0..bytes.len()).step_by(97).chain(0..40) {
            assert!(
                WeightsFile::from_bytes(&bytes[..length]).is_err(),
                "{length}"
            );
        }
        for at in (0..bytes.len()).step_by(61).chain(0..HEAD) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 16;
            assert!(WeightsFile::from_bytes(&damaged).is_err(), "{at}");
        }
        let longer = [&bytes[..], b"x"].concat();
        assert_eq!(WeightsFile::from_bytes(&longer), Err(WeightsError::Length));
        assert_eq!(WeightsFile::from_bytes(b"PNG"), Err(WeightsError::Foreign));
    }

    /// Old files must stay readable.
    #[test]
    fn the_layout_of_a_file_stays_as_it_is() {
        let [small, deep] = [network::Size::Small, network::Size::Deep]
            .map(|size| file(size).to_bytes())
            .map(|bytes| (bytes.len(), crc32fast::hash(&bytes[..bytes.len() - 4])));
        assert_eq!(small, (27_611, 4_101_319_239));
        assert_eq!(deep, (80_287, 3_748_595_951));
    }

    #[test]
    fn a_network_is_not_read_as_one_of_the_other_kind() {
        for (size, kind) in [
            (network::Size::Medium, DEEP_NETWORK),
            (network::Size::Deep, NETWORK),
        ] {
            let mut bytes = file(size).to_bytes();
            bytes[10..12].copy_from_slice(&kind.to_le_bytes());
            seal(&mut bytes);
            assert_eq!(WeightsFile::from_bytes(&bytes), Err(WeightsError::Unfit));
        }
    }

    /// Corrects the checksum.
    fn seal(bytes: &mut [u8]) {
        let (content, end) = bytes.split_last_chunk_mut().expect("a checksum");
        *end = crc32fast::hash(content).to_le_bytes();
    }

    /// Evaluates positions with weights, which must not overflow.
    struct Judge<'a>(&'a network::Weights);

    impl network::BySize for Judge<'_> {
        type Output = ();

        fn with<const H: usize, const D: usize>(self) {
            let network = network::Network::<H, D, _>::new(Baseline, self.0)
                .expect("the size that was asked for");
            for text in ["W:W31-50:B1-20", "B:WK1-25:BK26-50", "W:WK46:B1"] {
                let position = fen::parse(text).expect("a position");
                let score = network.evaluate(&mut network.scratch(), 0, &position);
                assert!(
                    score.centimen().abs() <= Score::EVAL_MAX.centimen(),
                    "{score}"
                );
            }
        }
    }

    /// Where in a file, and what to write there.
    fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, Vec<u8>)>> {
        let bytes = prop_oneof![
            prop::collection::vec(any::<u8>(), 1..40),
            (
                prop::sample::select(vec![0, 0x7f, 0x80, 0xff]),
                1..4_000usize
            )
                .prop_map(|(byte, count)| vec![byte; count]),
        ];
        prop::collection::vec((any::<prop::sample::Index>(), bytes), 0..6)
    }

    proptest! {
        #[test]
        fn a_forged_file_is_refused_or_played_with(
            size in prop::sample::select(network::Size::ALL.to_vec()),
            head in prop::option::of((8..HEAD, any::<u8>())),
            edits in edits(),
            sealed in prop::bool::weighted(0.9),
        ) {
            let mut bytes = file(size).to_bytes();
            for (at, edit) in edits {
                let at = at.index(bytes.len());
                let end = bytes.len().min(at + edit.len());
                bytes[at..end].copy_from_slice(&edit[..end - at]);
            }
            if let Some((at, byte)) = head {
                bytes[at] = byte;
            }
            if sealed {
                seal(&mut bytes);
            }
            if let Ok(WeightsFile { weights, .. }) = WeightsFile::from_bytes(&bytes) {
                weights.size.dispatch(Judge(&weights));
            }
        }
    }

    #[test]
    fn patterns_of_an_earlier_version_are_named_as_such() {
        let mut bytes = file(network::Size::Small).to_bytes();
        bytes[10..12].copy_from_slice(&PATTERNS.to_le_bytes());
        seal(&mut bytes);
        let refused = WeightsFile::from_bytes(&bytes);
        assert_eq!(refused, Err(WeightsError::Patterns));
        // Damage comes first: it may have changed the kind.
        bytes[40] ^= 1;
        let refused = WeightsFile::from_bytes(&bytes);
        assert_eq!(refused, Err(WeightsError::Checksum));
    }

    #[test]
    fn the_weights_inside_the_program_are_sound() {
        let file = WeightsFile::from_bytes(WeightsFile::EMBEDDED).expect("sound weights");
        let record: serde_json::Value = serde_json::from_str(&file.record).expect("a record");
        assert!(record.is_object(), "{record}");
    }

    #[test]
    fn weights_that_would_overflow_are_refused() {
        let mut bad = file(network::Size::Small);
        bad.weights.input[5] = 20_000;
        assert_eq!(
            WeightsFile::from_bytes(&bad.to_bytes()),
            Err(WeightsError::Unfit)
        );
    }
}
