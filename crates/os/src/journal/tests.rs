use super::*;
use serde_json::{Value, json};

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    (folder, path)
}

fn opened(path: &Path) -> Journal {
    Journal::open(path, Form::SumFirst).expect("nobody else has it")
}

/// The numbers of the lines, and what the sound ones say.
fn lines(log: &mut Journal) -> Vec<(u64, Option<Value>)> {
    let mut lines = Vec::new();
    log.read(io::Error::from, |line| {
        lines.push((line.number, line.parse()));
        Ok(())
    })
    .unwrap();
    lines
}

/// Three lines, {"n":1} to {"n":3}.
fn three(path: &Path) -> Vec<u8> {
    let mut log = opened(path);
    assert!(log.is_empty());
    for n in 1..=3 {
        log.append(&json!({ "n": n })).unwrap();
    }
    drop(log);
    fs::read(path).unwrap()
}

#[test]
fn a_line_that_was_not_read_is_not_written_over() {
    let (_folder, path) = place();
    let bytes = three(&path);
    let mut log = opened(&path);
    assert!(!log.is_empty());
    log.append(&json!({"n": 4})).unwrap();
    assert!(fs::read(&path).unwrap().starts_with(&bytes));
    assert_eq!(lines(&mut log)[3], (4, Some(json!({"n": 4}))));
}

#[test]
fn a_damaged_line_costs_only_itself_and_what_follows_the_last_sound_one_is_dropped() {
    let (_folder, path) = place();
    let whole = three(&path);
    let length = whole.len() / 3;
    for tail in [
        &b""[..],
        b"\0\0\0\0",
        b"00000000 {}\n",
        b"\xff\xfe\r\n",
        b"0",
    ] {
        let mut bytes = [&whole, tail].concat();
        bytes[length + 12] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let mut log = opened(&path);
        let read = lines(&mut log);
        assert_eq!(read[0], (1, Some(json!({"n": 1}))));
        assert_eq!(read[1], (2, None));
        assert_eq!(read[2], (3, Some(json!({"n": 3}))));
        assert!(log.is_damaged());
        log.truncate().unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes[..whole.len()]);
    }
}

#[test]
fn every_form_gives_its_text_back() {
    for form in [Form::SumFirst, Form::SumLast, Form::Plain] {
        let mut line = form.line("a text 1").into_bytes();
        assert_eq!(form.text(&line), Some(&b"a text 1"[..]), "{form:?}");
        assert_eq!(form.text(&line[..line.len() - 1]), None, "{form:?}");
        line[4] ^= 1;
        assert_eq!(form.text(&line).is_some(), form == Form::Plain, "{form:?}");
    }
    assert_eq!(Form::SumLast.line("round 1"), "round 1 7e760b18\n");
    assert_eq!(Form::SumLast.text(b"short\n"), None);
}

#[test]
fn a_line_that_was_cut_off_is_no_damage() {
    let (_folder, path) = place();
    let whole = three(&path);
    for length in 1..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let mut log = opened(&path);
        lines(&mut log);
        assert!(!log.is_damaged(), "{length}");
    }
}

#[test]
fn only_the_beginning_of_the_same_line_was_cut_off() {
    let (_folder, path) = place();
    let object = json!({"kind": 1, "settings": {}});
    let whole = Form::SumFirst.line(&object.to_string());
    let is_cut_off = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let mut cut_off = None;
        let read = opened(&path).read(io::Error::from, |line| {
            cut_off.get_or_insert(line.is_beginning_of(&object.to_string()));
            Ok(())
        });
        read.map(|()| cut_off).unwrap()
    };
    assert_eq!(is_cut_off(b""), None);
    for length in 1..whole.len() {
        assert_eq!(
            is_cut_off(&whole.as_bytes()[..length]),
            Some(true),
            "{length}"
        );
    }
    let other = Form::SumFirst.line(&json!({"kind": 1, "settings": {"a": 1}}).to_string());
    let another = &other.as_bytes()[..other.len() - 1];
    for foreign in [
        whole.as_bytes(),
        another,
        b"42",
        b"12345678 {",
        b"notes",
        b"\n",
    ] {
        assert_eq!(is_cut_off(foreign), Some(false), "{foreign:?}");
    }
}

// On Windows nobody else can write to an open journal.
#[cfg(not(windows))]
#[test]
fn a_line_that_has_changed_is_not_read_again() {
    let (_folder, path) = place();
    let mut log = opened(&path);
    let span = log.append(&json!({"n": 1})).unwrap();
    assert_eq!(log.get(span).unwrap(), Some(json!({"n": 1})));
    assert_eq!(log.get::<u64>(span).unwrap(), None);
    let mut bytes = fs::read(&path).unwrap();
    bytes[12] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(log.get::<Value>(span).unwrap(), None);
}

#[test]
fn a_first_line_is_of_limited_length() {
    let (_folder, path) = place();
    let text = "x".repeat(MAX_FIRST_LINE as usize);
    let error = opened(&path).append(&text).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"");
    let mut log = opened(&path);
    log.append(&"first").unwrap();
    log.append(&text).unwrap();
    assert_eq!(lines(&mut log).len(), 2);
}

#[cfg(unix)]
#[test]
fn one_process_at_a_time_has_the_file_until_it_is_gone() {
    let (_folder, path) = place();
    let log = opened(&path);
    let busy = Journal::open(&path, Form::SumFirst).unwrap_err();
    assert!(matches!(busy, OpenError::Busy), "{busy:?}");
    log.remove().unwrap();
    assert!(!path.exists());
    drop(opened(&path));
}
