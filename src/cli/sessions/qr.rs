//! An address as a QR code in the terminal, for the camera of a phone.

use qrcodegen::{QrCode, QrCodeEcc};

/// Light modules around the code, as the standard wants them.
const QUIET: i32 = 4;

/// The code, with two rows of modules in each line of text. Without colours it is light on dark, as most terminals are.
/// None for a text that is too long.
pub(super) fn code(text: &str, color: bool) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let range = -QUIET..code.size() + QUIET;
    // What is drawn: with colours the dark modules, in black on white.
    let is_drawn = |x, y| code.get_module(x, y) == color && range.contains(&y);
    let (begin, end) = match color {
        true => ("\x1b[30;107m", "\x1b[0m\n"),
        false => ("", "\n"),
    };
    let mut out = String::new();
    for y in range.clone().step_by(2) {
        out.push_str(begin);
        out.extend(
            range
                .clone()
                .map(|x| match (is_drawn(x, y), is_drawn(x, y + 1)) {
                    (true, true) => '\u{2588}',
                    (true, false) => '\u{2580}',
                    (false, true) => '\u{2584}',
                    (false, false) => ' ',
                }),
        );
        out.push_str(end);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "http://192.168.1.20:27530/#token=0123456789abcdef0123456789abcdef";

    /// The drawn modules of a code in the terminal.
    fn modules(text: &str) -> Vec<Vec<bool>> {
        let lines = text.lines().map(|line| {
            let line = line.trim_start_matches("\x1b[30;107m");
            let line = line.trim_end_matches("\x1b[0m");
            let halves = |full: [char; 2]| line.chars().map(|c| full.contains(&c)).collect();
            [
                halves(['\u{2588}', '\u{2580}']),
                halves(['\u{2588}', '\u{2584}']),
            ]
        });
        lines.flatten().collect()
    }

    #[test]
    fn the_terminal_shows_the_modules_of_the_code() {
        let code_of_address = QrCode::encode_text(ADDRESS, QrCodeEcc::Low).unwrap();
        let size = code_of_address.size() + 2 * QUIET;
        assert_eq!(size, 41, "it fits into 80 columns and 24 lines");
        for color in [true, false] {
            let rows = modules(&code(ADDRESS, color).unwrap());
            // The last line of text has one row.
            assert_eq!(rows.len() as i32, size + 1);
            for (y, row) in (-QUIET..).zip(&rows[..size as usize]) {
                assert_eq!(row.len() as i32, size);
                for (x, drawn) in (-QUIET..).zip(row) {
                    assert_eq!(*drawn == color, code_of_address.get_module(x, y), "{x} {y}");
                }
            }
        }
        assert_eq!(code(&"x".repeat(5000), true), None);
    }
}
