//! Names of files, and files that are begun before the work and written after it.

use super::{Failure, error};
use damier::os::files::AtomicFile;
use std::path::Path;

/// The first bytes of a plot.
pub(super) const SVG: &[u8] = b"<svg";

/// A file to be written whole or not at all.
pub(super) struct Pending<'a> {
    name: &'a Path,
    file: AtomicFile,
}

/// Begins a file whose kind has these first bytes, where one is wanted: what cannot be written fails before the work.
pub(super) fn begin<'a>(
    name: Option<&'a Path>,
    magic: &[u8],
) -> Result<Option<Pending<'a>>, Failure> {
    let begin = |name: &'a Path| {
        let file = AtomicFile::begin(name, magic, &[] as &[&Path]);
        let file = file.map_err(|problem| error(format!("{}: {problem}", name.display())))?;
        Ok(Pending { name, file })
    };
    name.map(begin).transpose()
}

impl Pending<'_> {
    /// Writes it.
    pub fn complete(self, bytes: &[u8]) -> Result<(), Failure> {
        let name = self.name.display();
        let written = self.file.complete(bytes);
        written.map_err(|problem| error(format!("{name}: {problem}")))
    }
}
