//! Pages of diagrams, in the form that the name of the file asks for.

use super::PictureArgs;
use crate::cli::progress::counted;
use crate::cli::{Failure, error, files as outputs, warn};
use damier::analysis::diagram::{
    Diagram, Drawing, Pdf, Sheet, is_font_sound, page, unknown_letters,
};
use damier::engine::NAME_AND_VERSION;
use damier::os::files;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Diagrams of a page of a PDF, unless another number is given.
const PER_PAGE: usize = 6;
/// Maximum number of diagrams in a picture that is no sheet.
const MOST_IN_PICTURE: usize = 1_000;
/// Maximum number of diagrams in a PDF, which is in memory until the end.
const MOST_IN_PDF: usize = 100_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    Png,
    Pdf,
}

impl Form {
    /// What the file is to be.
    fn of(out: Option<&str>) -> Result<Form, Failure> {
        let Some(extension) = out.and_then(|file| Path::new(file).extension()) else {
            return Ok(Form::Svg);
        };
        let forms = [("svg", Form::Svg), ("png", Form::Png), ("pdf", Form::Pdf)];
        let form = forms
            .into_iter()
            .find(|(name, _)| extension.eq_ignore_ascii_case(name));
        form.map(|(_, form)| form).ok_or_else(|| {
            let file = out.unwrap_or_default();
            let message = format!("{file}: give a name that ends with .svg, .png or .pdf");
            Failure::Usage(message)
        })
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Form::Svg => outputs::SVG,
            Form::Png => b"\x89PNG",
            Form::Pdf => b"%PDF",
        }
    }
}

/// Takes diagrams, and writes them page by page.
pub(super) struct Pages<'a> {
    args: &'a PictureArgs,
    form: Form,
    /// The sheet; None: one picture of all.
    sheet: Option<Sheet>,
    pdf: Pdf,
    /// Diagrams of the page that is not full yet.
    diagrams: Vec<Diagram>,
    /// All so far, and pages.
    count: usize,
    pages: usize,
    /// The first page while it is not known whether others follow.
    first: Option<Vec<u8>>,
    solutions: Vec<(usize, String)>,
    unknown_letters: usize,
}

impl<'a> Pages<'a> {
    /// Fails now where the file could not be written in the end.
    pub fn begin(args: &'a PictureArgs) -> Result<Pages<'a>, Failure> {
        if !is_font_sound() {
            return Err(error(
                "the font in the program is damaged: install it again",
            ));
        }
        let form = Form::of(args.out.as_deref())?;
        let per_page = args.per_page.or((form == Form::Pdf).then_some(PER_PAGE));
        let title = args.title.as_deref().unwrap_or_default();
        let sheet = per_page.map(|count| {
            let sheet = Sheet::new(count).with_title(title);
            sheet
                .with_answers(args.answers)
                .with_language(args.language)
        });
        if sheet.is_none() && (args.title.is_some() || args.answers || args.solutions) {
            let message = "--title, --answers and --solutions are for pages: give --per-page, or --out with .pdf";
            return Err(Failure::Usage(message.to_owned()));
        }
        outputs::begin(args.out.as_deref().map(Path::new), form.magic())?;
        Ok(Pages {
            args,
            form,
            sheet,
            pdf: Pdf::new(),
            diagrams: Vec::new(),
            count: 0,
            pages: 0,
            first: None,
            solutions: Vec::new(),
            unknown_letters: unknown_letters(title),
        })
    }

    /// Diagrams so far.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a diagram below which this stands, with its solution, empty where it has none.
    pub fn add(
        &mut self,
        diagram: Diagram,
        caption: &str,
        solution: String,
    ) -> Result<(), Failure> {
        self.count += 1;
        let most = match (self.form, &self.sheet) {
            (_, None) => MOST_IN_PICTURE,
            (Form::Pdf, _) => MOST_IN_PDF,
            _ => usize::MAX,
        };
        if self.count > most {
            let advice = match self.sheet {
                None => "give --per-page, or --out with .pdf",
                Some(_) => "give fewer at a time",
            };
            return Err(error(format!("more than {most} positions; {advice}")));
        }
        self.unknown_letters += unknown_letters(caption);
        let caption = caption.to_owned();
        self.diagrams.push(Diagram { caption, ..diagram });
        if !solution.is_empty() && self.args.solutions {
            self.solutions.push((self.count, solution));
        }
        match &self.sheet {
            Some(sheet) if self.diagrams.len() == sheet.per_page() => self.page(),
            _ => Ok(()),
        }
    }

    /// Writes what is left, and the solutions.
    pub fn finish(mut self) -> Result<(), Failure> {
        if !self.diagrams.is_empty() {
            self.page()?;
        }
        if let Some(sheet) = &self.sheet {
            for drawing in sheet.solutions(&self.solutions, self.pages + 1) {
                self.put(&drawing)?;
            }
        }
        if self.args.solutions && self.solutions.is_empty() {
            warn(&"no position has moves behind it: there are no solutions");
        }
        if self.unknown_letters > 0 {
            let letters = counted(self.unknown_letters as u64, "letter");
            warn(&format!(
                "{letters} not in the font (Latin, Greek and Cyrillic): drawn as \u{fffd}"
            ));
        }
        match self.form {
            Form::Pdf => {
                let title = self.args.title.as_deref().unwrap_or_default();
                let bytes = std::mem::take(&mut self.pdf).finish(
                    title,
                    NAME_AND_VERSION,
                    self.args.language,
                );
                self.write(None, &bytes)
            }
            Form::Svg | Form::Png => match self.first.take() {
                Some(bytes) => self.write(None, &bytes),
                None => Ok(()),
            },
        }
    }

    /// Makes a page of the diagrams that wait.
    fn page(&mut self) -> Result<(), Failure> {
        let diagrams = std::mem::take(&mut self.diagrams);
        let drawing = match &self.sheet {
            Some(sheet) => sheet.page(&diagrams, self.count + 1 - diagrams.len(), self.pages + 1),
            None => page(&diagrams),
        };
        self.put(&drawing)
    }

    fn put(&mut self, drawing: &Drawing) -> Result<(), Failure> {
        self.pages += 1;
        let bytes = match self.form {
            Form::Pdf => {
                self.pdf.add(drawing);
                return Ok(());
            }
            Form::Svg => drawing.to_svg().into_bytes(),
            Form::Png => drawing.to_png(self.args.scale).map_err(error)?,
        };
        match self.pages {
            1 => self.first = Some(bytes),
            page => {
                if let Some(first) = self.first.take() {
                    self.write(Some(1), &first)?;
                }
                self.write(Some(page), &bytes)?;
            }
        }
        Ok(())
    }

    /// Writes a file; of several pages that are files of their own each has its number behind the name.
    fn write(&self, page: Option<usize>, bytes: &[u8]) -> Result<(), Failure> {
        let Some(out) = &self.args.out else {
            return match page {
                Some(_) => Err(Failure::Usage("several pages need --out FILE".to_owned())),
                None => Ok(io::stdout().write_all(bytes)?),
            };
        };
        let path = page.map_or_else(|| PathBuf::from(out), |page| numbered(Path::new(out), page));
        let written = files::replace(&path, self.form.magic(), bytes);
        written.map_err(|problem| error(format!("{}: {problem}", path.display())))
    }
}

/// The name of a page: `sheet-2.png`.
fn numbered(file: &Path, page: usize) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-{page}.{extension}"))
}
