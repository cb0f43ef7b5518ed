//! A drawing as PNG.

use super::drawing::{Drawing, Rgb, Shape};
use zeno::{Cap, Join, Mask, Placement, Stroke, Transform};

/// Most pixels of a picture.
const MOST_PIXELS: u64 = 100_000_000;
const WHITE: u8 = 0xff;

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum PngError {
    /// Too large.
    #[error("{width} x {height} pixels are too many; give fewer positions or a smaller scale")]
    TooLarge { width: u64, height: u64 },
    /// The encoder refuses.
    #[error(transparent)]
    Encoding(#[from] png::EncodingError),
}

impl Drawing {
    /// The picture as PNG. `scale`: pixels for each unit; a board is 400 units wide.
    ///
    /// # Errors
    /// More than 100 million pixels.
    pub fn to_png(&self, scale: u32) -> Result<Vec<u8>, PngError> {
        let [width, height] =
            [self.width, self.height].map(|units| u64::from(units) * u64::from(scale.max(1)));
        if width.saturating_mul(height) > MOST_PIXELS {
            return Err(PngError::TooLarge { width, height });
        }
        let canvas = self.paint(scale.max(1), width as usize, height as usize);
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&canvas.pixels)?;
        writer.finish()?;
        Ok(out)
    }

    fn paint(&self, scale: u32, width: usize, height: usize) -> Canvas {
        let mut canvas = Canvas {
            width,
            height,
            pixels: vec![WHITE; 3 * width * height],
        };
        let scale = scale as f32;
        for group in &self.groups {
            let transform = Transform {
                xx: scale * group.scale,
                xy: 0.0,
                yx: 0.0,
                yy: scale * group.scale,
                x: group.x * scale,
                y: group.y * scale,
            };
            for shape in &group.shapes {
                canvas.shape(shape, transform);
            }
        }
        canvas
    }
}

/// Pixels of three bytes, row after row.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn shape(&mut self, shape: &Shape, transform: Transform) {
        let path = shape.outline.path();
        if let Some(fill) = shape.fill {
            let mask = Mask::new(&path).transform(Some(transform)).render();
            self.blend(mask, fill, shape.opacity);
        }
        if let Some((color, width)) = shape.stroke {
            let mut stroke = Stroke::new(width);
            if shape.is_round {
                stroke.cap(Cap::Round).join(Join::Round);
            }
            let mask = Mask::new(&path)
                .style(stroke)
                .transform(Some(transform))
                .render();
            self.blend(mask, color, shape.opacity);
        }
    }

    /// Lays a color over the pixels as far as the mask covers them.
    fn blend(&mut self, (mask, place): (Vec<u8>, Placement), Rgb(color): Rgb, opacity: f32) {
        let color = [16, 8, 0].map(|shift| f32::from((color >> shift) as u8));
        let rows = mask.chunks_exact((place.width as usize).max(1));
        for (row, covers) in (i64::from(place.top)..).zip(rows) {
            for (column, &cover) in (i64::from(place.left)..).zip(covers) {
                let inside = (0..self.width as i64).contains(&column)
                    && (0..self.height as i64).contains(&row);
                if cover == 0 || !inside {
                    continue;
                }
                let at = 3 * (row as usize * self.width + column as usize);
                let share = f32::from(cover) / 255.0 * opacity;
                for (byte, color) in self.pixels[at..at + 3].iter_mut().zip(color) {
                    let old = f32::from(*byte);
                    *byte = (old + (color - old) * share).round() as u8;
                }
            }
        }
    }
}
