//! The layers of the house: a module imports only from the layers below its own, and no files import each other in a
//! circle.

use std::collections::{BTreeMap, BTreeSet};
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

/// The parts of a path such as `search::Table`, from the root of the crate.
type Parts = Vec<String>;

/// What a file imports: the path, the name that it gets there, and whether it is re-exported.
struct Import {
    path: Parts,
    name: String,
    is_public: bool,
}

/// The module that a file holds.
fn module_of(relative: &Path) -> Parts {
    let parts = relative.with_extension("");
    let mut parts: Parts = parts
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    parts.pop_if(|last| last == "mod" || last == "lib");
    parts
}

/// A file's source without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
    let code = lines.join(" ");
    match code.find("#[cfg(test)] mod tests {") {
        Some(end) => code[..end].to_owned(),
        None => code,
    }
}

/// Splits `a::{b, c::{d, e}}` into `a::b`, `a::c::d` and `a::c::e`.
fn flatten(tree: &str, before: &str, into: &mut Vec<String>) {
    let Some((head, group)) = tree.split_once('{') else {
        into.push(format!("{before}{}", tree.trim()));
        return;
    };
    let group = &group[..group.rfind('}').expect("a closed group")];
    let before = format!("{before}{}", head.trim());
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = group[start..at].trim();
                if !part.is_empty() {
                    flatten(part, &before, into);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The path that a `use` in a module means, from the root. None outside of the crate.
fn absolute(module: &Parts, path: &[&str], is_module: impl Fn(&Parts) -> bool) -> Option<Parts> {
    let mut base = module.clone();
    let mut rest = path;
    match path {
        ["crate" | "damier", ..] => base.clear(),
        ["self" | "super", ..] => {}
        [first, ..] => {
            base.push((*first).to_owned());
            if !is_module(&base) {
                return None;
            }
            base.pop();
            base.extend(path.iter().map(|part| (*part).to_owned()));
            return Some(base);
        }
        [] => return None,
    }
    if matches!(path[0], "crate" | "damier" | "self") {
        rest = &rest[1..];
    }
    while let ["super", below @ ..] = rest {
        base.pop();
        rest = below;
    }
    base.extend(rest.iter().map(|part| (*part).to_owned()));
    Some(base)
}

/// The imports of every file but those of tests.
fn all_imports() -> BTreeMap<Parts, Vec<Import>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let sources: BTreeMap<Parts, String> = paths
        .iter()
        .map(|path| {
            let relative = path.strip_prefix(&source).expect("below src");
            let text = fs::read_to_string(path).expect("readable source");
            (module_of(relative), code(&text))
        })
        .collect();
    let mut tests = Vec::new();
    let mut found = BTreeMap::new();
    for (module, code) in &sources {
        let mut imports = Vec::new();
        for item in code.split(';') {
            if let Some((_, name)) = item.split_once("#[cfg(test)] mod ") {
                tests.push([module.as_slice(), &[name.to_owned()]].concat());
            }
            let Some(at) = item.rfind("use ") else {
                continue;
            };
            let (head, tree) = (item[..at].trim_end(), &item[at + 4..]);
            let is_tree = |c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '{' | '}' | ',' | ' ' | '*')
            };
            let is_public = head.ends_with("pub") || head.ends_with(')');
            let before = match is_public {
                true => head.rfind("pub").map_or("", |at| head[..at].trim_end()),
                false => head,
            };
            let is_item = before.is_empty() || before.ends_with(['{', '}', ']']);
            if !is_item || !tree.chars().all(is_tree) || before.ends_with("#[cfg(test)]") {
                continue;
            }
            let mut flat = Vec::new();
            flatten(tree, "", &mut flat);
            for path in flat {
                let (path, alias) = path.split_once(" as ").unwrap_or((&path, ""));
                let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
                parts.pop_if(|last| *last == "self");
                let is_module = |parts: &Parts| sources.contains_key(parts);
                let Some(path) = absolute(module, &parts, is_module) else {
                    continue;
                };
                let own = parts.last().copied().unwrap_or_default();
                let name = if alias.is_empty() { own } else { alias };
                imports.push(Import {
                    path,
                    name: name.to_owned(),
                    is_public,
                });
            }
        }
        found.insert(module.clone(), imports);
    }
    found.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    found
}

/// The file that holds what a path names, where re-exports lead to it.
fn home(all: &BTreeMap<Parts, Vec<Import>>, path: &[String], steps: u32) -> Option<Parts> {
    let length = (0..=path.len())
        .rev()
        .find(|&length| all.contains_key(&path[..length]))?;
    let (module, rest) = path.split_at(length);
    let imports = &all[module];
    let import = rest
        .first()
        .and_then(|name| imports.iter().find(|import| import.name == *name));
    match import {
        Some(import) if steps > 0 && import.path != path => home(all, &import.path, steps - 1),
        _ => Some(module.to_vec()),
    }
}

/// Follows imports from a file; gives the circle if one leads back to a file on the way.
fn circle(
    edges: &BTreeMap<Parts, BTreeSet<Parts>>,
    at: &Parts,
    way: &mut Vec<Parts>,
    done: &mut BTreeSet<Parts>,
) -> Option<Vec<Parts>> {
    if let Some(start) = way.iter().position(|module| module == at) {
        return Some(way[start..].to_vec());
    }
    if done.contains(at) {
        return None;
    }
    way.push(at.clone());
    let found = edges
        .get(at)
        .into_iter()
        .flatten()
        .find_map(|next| circle(edges, next, way, done));
    way.pop();
    done.insert(at.clone());
    found
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let all = all_imports();
    let mut edges: BTreeMap<Parts, BTreeSet<Parts>> = BTreeMap::new();
    for (module, imports) in &all {
        for import in imports {
            // What a folder shows of its own files is no dependence on them.
            let is_shown = import.is_public && import.path.starts_with(module);
            let home = home(&all, &import.path, 8).filter(|home| home != module && !is_shown);
            if let Some(home) = home {
                edges.entry(module.clone()).or_default().insert(home);
            }
        }
    }
    let count: usize = edges.values().map(BTreeSet::len).sum();
    assert!(
        count > 500,
        "only {count} imports seen: is the test still looking?"
    );
    let mut done = BTreeSet::new();
    for module in all.keys() {
        if let Some(circle) = circle(&edges, module, &mut Vec::new(), &mut done) {
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            panic!(
                "these files import each other in a circle: {}",
                names.join(", ")
            );
        }
    }
}
