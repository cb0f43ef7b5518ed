//! The layers of the house: a module imports only from the layers below its own.

use std::fs;
use std::path::{Path, PathBuf};

/// Top first. Modules on one line do not know each other.
const LAYERS: &[&[&str]] = &[
    &["main"],
    &["cli"],
    &["hub", "dxp", "terminal", "web"],
    &["lab"],
    &["analysis"],
    &["protocol"],
    &["engine"],
    &["search"],
    &["eval", "endgame", "book"],
    &["notation"],
    &["rules"],
    &["board"],
    &["os", "settings"],
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|names| names.contains(&module));
    found.unwrap_or_else(|| {
        panic!("module {module} is in no layer: add it to tests/layers.rs and docs/architecture.md")
    })
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable source folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// The names after each `crate::` (or `damier::` in the binary) outside comments.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        for (at, name) in ["crate::", "damier::"]
            .iter()
            .flat_map(|name| line.match_indices(name))
        {
            let rest = &line[at + name.len()..];
            let module: String = rest
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect();
            // A group of modules would hide what it names.
            assert!(!rest.starts_with(['{', '*']), "one module a line: {line}");
            if !module.is_empty() {
                found.push(module);
            }
        }
    }
    found
}

#[test]
fn modules_import_only_from_below() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let mut checked = 0;
    for path in paths {
        let relative = path.strip_prefix(&source).expect("below src");
        let top = relative
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy();
        let module = top.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        for import in imports(&fs::read_to_string(&path).expect("readable source")) {
            let allowed = import == module || layer(&import) > layer(module);
            assert!(
                allowed,
                "{} imports {import}, which is not below {module}",
                relative.display()
            );
            checked += 1;
        }
    }
    assert!(
        checked > 50,
        "only {checked} imports seen: is the test still looking?"
    );
}
