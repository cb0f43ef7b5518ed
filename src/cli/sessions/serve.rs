//! `damier serve`.

use super::qr;
use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::{BOOK, EVALUATION, RESOURCES};
use crate::cli::shared_args::whole;
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, warn};
use damier::engine::Options;
use damier::os::files;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::terminal::Style;
use damier::web::{Server, ServerSettings, WebError};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  damier serve                        open the board in the browser
  damier serve --no-open --port 8080  print the address only
  damier serve --host 0.0.0.0         for phones and other machines in the network
  damier serve --base my.games        with a base of games, as `damier games import` makes it
  damier serve --watch games.pdn      the match whose games go to this file
  damier serve --no-open --allow-host board.example.org   behind a proxy of that name";

/// How often the page of a match that is over looks whether it shall end.
const END_CHECK: Duration = Duration::from_millis(100);
/// The default port.
pub(in crate::cli) const PORT: u16 = 27530;
/// The default number of engines is at most this.
const MOST_ENGINES: usize = 4;
/// The default maximum of the seconds of a search.
const LONGEST: u64 = 600;
/// Log2 of the entries of the table of the engine beside a match.
const MATCH_TT_SIZE: u32 = 18;

/// Play and analyse on a board in the browser
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ServeArgs {
    /// The address to listen on; 0.0.0.0 for all addresses of this machine, where browsers need the token in the
    /// printed address
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// A name under which a reverse proxy on this machine serves https and forwards requests; may be repeated
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// The port; 0 for any free port
    #[arg(long, value_parser = whole::<u16>(0..=65_535), value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Do not print the QR code of the address, which a terminal shows when other machines can connect
    #[arg(long)]
    no_qr: bool,
    /// Maximum number of searches at once, each with --threads and a table of its own [default: as many as fit the
    /// cores, at most 4]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=64))]
    engines: Option<usize>,
    /// Maximum seconds of a search
    #[arg(long, value_name = "S", default_value_t = LONGEST, value_parser = whole::<u64>(1..=1_000_000))]
    longest: u64,
    /// Maximum number of connections from one address [default: 64; no limit for this machine]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=512))]
    per_address: Option<usize>,
    /// Show the match whose games `damier match --pdn` writes to this file
    #[arg(long, value_name = "FILE")]
    watch: Option<PathBuf>,
    /// Base of games that the page can search, and add games to
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
}

impl Command for ServeArgs {
    const NAME: &'static str = "serve";
    const ENGINE: AcceptedOptions =
        AcceptedOptions::of(&[BOOK, RESOURCES, EVALUATION, &["search"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let options = engine.file_options()?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let fitting = (cores / options.threads.max(1)).clamp(1, MOST_ENGINES);
        let setting = ServerSettings {
            host: self.host.clone(),
            forwarded: self.allow_host.clone(),
            port: self.port,
            engines: self.engines.unwrap_or(fitting),
            longest: Duration::from_secs(self.longest),
            per_address: self.per_address,
            watch: self.watch.clone(),
            base: self.base.clone(),
            options,
        };
        note_requests_to_end();
        if let Some(file) = &self.watch {
            check_watched(file)?;
        }
        let server = Server::open(setting)?;
        let mut problems = EngineProblems::of_tables(server.tables());
        let address = server.url();
        let mut out = io::stdout();
        writeln!(out, "Damier is at {address}")?;
        if server.is_shared() && !self.no_qr {
            let style = Style::detect(out.is_terminal(), |name| std::env::var(name).ok());
            let code = qr::code(address, style.color).filter(|_| style.unicode);
            out.write_all(code.unwrap_or_default().as_bytes())?;
        }
        out.flush()?;
        if !self.no_open
            && let Err(why) = open::that_detached(address)
        {
            warn(&format!(
                "no browser could be opened ({why}): open {address} yourself"
            ));
        }
        server.serve(|| {
            problems.report();
            asked_to_end()
        });
        Ok(())
    }
}

/// A name as browsers send it, without scheme and port.
fn host_name(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    match !text.is_empty() && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("expected a name alone, such as board.example.org".to_owned()),
    }
}

/// Says where the games of a match are not there yet, which may be meant; refuses what can never have any.
fn check_watched(file: &Path) -> Result<(), Failure> {
    let fail = |problem: io::Error| error(format!("{}: {problem}", file.display()));
    match files::open_regular(file) {
        Ok(mut there) => {
            let mut start = Vec::new();
            let read = Read::by_ref(&mut there).take(64).read_to_end(&mut start);
            read.map_err(fail)?;
            let start = start
                .strip_prefix(b"\xef\xbb\xbf")
                .unwrap_or(&start)
                .trim_ascii_start();
            match start.first() {
                None | Some(b'[' | b'%' | b';' | b'{' | b'0'..=b'9') => Ok(()),
                Some(_) => Err(error(format!("{}: not a PDN file", file.display()))),
            }
        }
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => {
            warn(&format!(
                "{}: does not exist yet; its games are shown once it does",
                file.display()
            ));
            Ok(())
        }
        Err(problem) => Err(fail(problem)),
    }
}

impl From<WebError> for Failure {
    fn from(failure: WebError) -> Failure {
        match failure {
            WebError::Io(failure) => Failure::Io(failure),
            WebError::Base(failure) => failure.into(),
            other => error(other),
        }
    }
}

/// The page of a match. Its drop stops the server, after the browsers were informed.
pub(in crate::cli) struct MatchPage {
    url: String,
    is_over: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

impl Drop for MatchPage {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        if let Some(server) = self.server.take() {
            // A panic of the server is reported already.
            let _ = server.join();
        }
    }
}

impl MatchPage {
    /// Keeps the page after the match for this time, or until Ctrl-C.
    pub fn stay(&self, time: Option<Duration>) {
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let is_over = || end.is_some_and(|end| end <= Instant::now());
        if is_over() {
            return;
        }
        let until = time.map_or("until Ctrl-C".to_owned(), |time| {
            format!("for {} s", time.as_secs_f64())
        });
        warn(&format_args!(
            "the match is over; it stays at {} {until}",
            self.url
        ));
        while !is_over() && !asked_to_end() {
            thread::sleep(END_CHECK);
        }
    }
}

/// Shows the match whose games go to this file at the address that is printed, until the page is dropped. One engine
/// serves those who look at a position.
pub(in crate::cli) fn show_match(pdn: &Path, port: u16) -> Result<MatchPage, Failure> {
    let options = Options {
        tt_size: MATCH_TT_SIZE,
        threads: 1,
        ..Options::default()
    };
    let is_over = Arc::new(AtomicBool::new(false));
    let server = Server::open(ServerSettings {
        host: "127.0.0.1".to_owned(),
        forwarded: Vec::new(),
        port,
        engines: 1,
        longest: Duration::from_secs(LONGEST),
        per_address: None,
        watch: Some(pdn.to_owned()),
        base: None,
        options,
    })?;
    let url = server.url().to_owned();
    warn(&format_args!("the match is at {url}"));
    let asked = {
        let is_over = Arc::clone(&is_over);
        move || is_over.load(Relaxed) || asked_to_end()
    };
    let server = thread::Builder::new()
        .name("web".to_owned())
        .spawn(|| server.serve(asked))?;
    Ok(MatchPage {
        url,
        is_over,
        server: Some(server),
    })
}
