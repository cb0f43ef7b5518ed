//! A drawing as SVG.

use super::drawing::{Drawing, Line, Outline, Rgb, Shape};
use std::fmt::{self, Display, Write};

impl Drawing {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_svg(&mut out);
        out
    }

    fn write_svg(&self, out: &mut String) -> fmt::Result {
        let Drawing { width, height, .. } = self;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
        )?;
        for group in &self.groups {
            write!(out, r#"<g transform="translate({} {})"#, group.x, group.y)?;
            if group.scale != 1.0 {
                write!(out, " scale({})", group.scale)?;
            }
            out.push_str("\">\n");
            for shape in &group.shapes {
                write_shape(out, shape)?;
            }
            out.push_str("</g>\n");
        }
        out.write_str("</svg>\n")
    }
}

impl Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

fn write_shape(out: &mut String, shape: &Shape) -> fmt::Result {
    let mut end = "/>".to_owned();
    match &shape.outline {
        Outline::Rect {
            x,
            y,
            width,
            height,
        } => write!(
            out,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}""#
        )?,
        Outline::Circle { x, y, radius } => {
            write!(out, r#"<circle cx="{x}" cy="{y}" r="{radius}""#)?;
        }
        Outline::Path(path) => write!(out, r#"<path d="{path}""#)?,
        Outline::Text(line) | Outline::Label(line) => {
            let Line { x, y, size, .. } = line;
            write!(out, r#"<text x="{x}" y="{y}" font-size="{size}""#)?;
            if line.centered {
                out.push_str(r#" text-anchor="middle""#);
            }
            end = format!(">{}</text>", escape(&line.text));
        }
    }
    match shape.fill {
        Some(fill) => write!(out, r#" fill="{fill}""#)?,
        None => out.push_str(r#" fill="none""#),
    }
    if let Some((stroke, width)) = shape.stroke {
        write!(out, r#" stroke="{stroke}" stroke-width="{width}""#)?;
    }
    if shape.is_round {
        out.push_str(r#" stroke-linecap="round" stroke-linejoin="round""#);
    }
    if shape.opacity < 1.0 {
        write!(out, r#" opacity="{}""#, shape.opacity)?;
    }
    writeln!(out, "{end}")
}

/// Text for XML and HTML: nothing in it is markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // They would turn round what stands behind.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            // XML knows no other controls.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
