//! The embedded files of the page.

/// A file.
pub(super) struct Asset {
    /// Path of its URL.
    pub path: &'static str,
    /// Content type.
    pub kind: &'static str,
    /// Content.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal: $file:literal, $kind:expr;)*) => {
        &[
            $(Asset { path: $path, kind: $kind, bytes: include_bytes!(concat!("assets/", $file)) }),*
        ]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// All files.
pub(super) const ASSETS: &[Asset] = assets! {
    "/": "index.html", HTML;
    "/style.css": "style.css", CSS;
    "/icon.svg": "icon.svg", SVG;
    "/app.js": "app.js", JS;
    "/lang.js": "lang.js", JS;
    "/lang/en.js": "lang/en.js", JS;
    "/lang/nl.js": "lang/nl.js", JS;
    "/lang/fr.js": "lang/fr.js", JS;
    "/lang/de.js": "lang/de.js", JS;
    "/lang/ru.js": "lang/ru.js", JS;
    "/dom.js": "dom.js", JS;
    "/socket.js": "socket.js", JS;
    "/tree.js": "tree.js", JS;
    "/store.js": "store.js", JS;
    "/board.js": "board.js", JS;
    "/moves.js": "moves.js", JS;
    "/session.js": "session.js", JS;
    "/play.js": "play.js", JS;
    "/analysis.js": "analysis.js", JS;
    "/review.js": "review.js", JS;
    "/puzzles.js": "puzzles.js", JS;
    "/files.js": "files.js", JS;
    "/dialogs.js": "dialogs.js", JS;
    "/base.js": "base.js", JS;
    "/collections.js": "collections.js", JS;
    "/match.js": "match.js", JS;
    "/share.js": "share.js", JS;
    "/report.js": "report.js", JS;
    "/details.js": "details.js", JS;
    "/sound.js": "sound.js", JS;
    "/editor.js": "editor.js", JS;
};
