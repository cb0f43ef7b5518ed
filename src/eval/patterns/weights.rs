use super::features::{ARRANGEMENTS, OTHERS, WINDOWS};

/// An early and a late weight, side by side: one line of the cache has both.
pub type Pair = [i16; 2];

/// The weights of patterns in whole numbers, as they are played with.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// [`WINDOWS`] tables of [`ARRANGEMENTS`].
    pub windows: Vec<Pair>,
    /// [`OTHERS`].
    pub others: Vec<Pair>,
    /// Hundredths of a man for a weight of 1.
    pub scale: f32,
}

impl Weights {
    /// A logit of 1.
    pub const UNIT: f32 = 2048.0;

    /// Little-endian: the scale, the windows, the others.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.scale.to_le_bytes());
        for weight in self.windows.iter().chain(&self.others).flatten() {
            out.extend_from_slice(&weight.to_le_bytes());
        }
    }

    /// The inverse of [`Weights::write`]. None where the bytes are no patterns that can be played with.
    pub(crate) fn read(bytes: &[u8]) -> Option<Weights> {
        let (scale, rest) = bytes.split_first_chunk()?;
        let scale = f32::from_le_bytes(*scale);
        let (pairs, after) = rest.as_chunks::<4>();
        let sound = scale > 1e-6 && scale < 16.0 && after.is_empty();
        if !sound || pairs.len() != WINDOWS * ARRANGEMENTS + OTHERS {
            return None;
        }
        let pair =
            |&[a, b, c, d]: &[u8; 4]| [i16::from_le_bytes([a, b]), i16::from_le_bytes([c, d])];
        let (windows, others) = pairs.split_at(WINDOWS * ARRANGEMENTS);
        Some(Weights {
            windows: windows.iter().map(pair).collect(),
            others: others.iter().map(pair).collect(),
            scale,
        })
    }
}
