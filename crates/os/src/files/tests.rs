use super::lock::is_at;
use super::*;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

const NONE: [&str; 0] = [];
const MAGIC: &[u8] = b"DAMIER";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_file_is_read_up_to_a_size() {
    let folder = folder();
    let path = folder.path().join("x");
    fs::write(&path, "12345").unwrap();
    assert_eq!(read_at_most(&path, 5).unwrap(), b"12345");
    let error = read_at_most(&path, 4).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    fs::write(&path, b"\xff").unwrap();
    let error = read_text_at_most(&path, 5).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}

#[cfg(unix)]
#[test]
fn pipes_folders_and_devices_are_refused_at_once() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
        assert!(read_at_most(path, 1 << 20).is_err(), "{}", path.display());
    }
    assert!(open_locked(&pipe, OpenOptions::new().read(true).write(true)).is_err());
}

#[cfg(unix)]
#[test]
fn a_file_has_one_place_however_its_path_is_written() {
    let folder = folder();
    let (file, link) = (folder.path().join("new"), folder.path().join("link"));
    let other = folder.path().join("none/../new");
    std::os::unix::fs::symlink("new", &link).unwrap();
    for exists in [false, true] {
        assert!(is_same(&file, &link) && is_same(folder.path().join("./new"), &file));
        assert!(!is_same(&file, folder.path().join("old")) && !is_same(&file, &other));
        if !exists {
            fs::write(&file, "").unwrap();
        }
    }
    assert_eq!(
        place(Path::new("x")),
        fs::canonicalize(".").unwrap().join("x")
    );
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [pipe.as_path(), folder.path()] {
        assert!(replace(path, MAGIC, b"DAMIER").is_err());
        assert!(!path.metadata().unwrap().is_file());
        assert!(!AtomicFile::partial_name(path).exists());
    }
}

#[cfg(unix)]
#[test]
fn a_file_appears_as_a_whole() {
    let folder = folder();
    let (path, link) = (folder.path().join("x"), folder.path().join("link"));
    fs::write(&path, "damier: old").unwrap();
    std::os::unix::fs::symlink("x", &link).unwrap();
    let file = AtomicFile::begin(&link, MAGIC, &NONE).unwrap();
    file.file().write_all(b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"damier: old");
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    // A link that leads nowhere yet, by way of another one.
    fs::create_dir(folder.path().join("sub")).unwrap();
    let far = folder.path().join("far");
    std::os::unix::fs::symlink("sub/near", &far).unwrap();
    std::os::unix::fs::symlink("made", folder.path().join("sub/near")).unwrap();
    replace(&far, MAGIC, b"damier: far").unwrap();
    assert_eq!(
        fs::read(folder.path().join("sub/made")).unwrap(),
        b"damier: far"
    );
    assert!(fs::symlink_metadata(&far).unwrap().is_symlink());
    let round = folder.path().join("round");
    std::os::unix::fs::symlink("round", &round).unwrap();
    let error = replace(&round, MAGIC, b"damier: new").unwrap_err();
    assert!(error.to_string().contains("links"), "{error}");
    for gone in [&far, &round] {
        fs::remove_file(gone).unwrap();
    }
    fs::remove_dir_all(folder.path().join("sub")).unwrap();
    // What is of another kind is left as it is, and so is what was begun and not ended.
    let error = AtomicFile::begin(&path, MAGIC, &NONE).unwrap_err();
    assert!(matches!(error, ReplaceError::OtherKind), "{error}");
    drop(AtomicFile::begin(&path, b"n", &NONE).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn nothing_that_is_not_ours_is_overwritten() {
    let folder = folder();
    let (path, other) = (folder.path().join("x"), folder.path().join("other"));
    let partial = AtomicFile::partial_name(&path);
    let refused = |inputs: &[&Path]| {
        let there = fs::read(&partial).unwrap();
        let error = AtomicFile::begin(&path, MAGIC, inputs).unwrap_err();
        assert!(matches!(error, ReplaceError::Foreign(_)), "{error}");
        assert_eq!(fs::read(&partial).unwrap(), there);
    };
    fs::write(&partial, "the user's").unwrap();
    refused(&[]);
    fs::write(&partial, "DamierGR, left by a kill").unwrap();
    refused(&[&partial]);
    fs::hard_link(&partial, &other).unwrap();
    refused(&[]);
    fs::remove_file(&partial).unwrap();
    std::os::unix::fs::symlink(&other, &partial).unwrap();
    refused(&[]);
    fs::remove_file(&partial).unwrap();
    fs::rename(&other, &partial).unwrap();
    let file = AtomicFile::begin(&path, MAGIC, &NONE).unwrap();
    assert_eq!(file.file().metadata().unwrap().len(), 0);
}

#[test]
fn a_file_is_written_by_one_process_alone() {
    let folder = folder();
    let path = folder.path().join("x");
    let partial = AtomicFile::partial_name(&path);
    let first = AtomicFile::begin(&path, MAGIC, &NONE).unwrap();
    let second = AtomicFile::begin(&path, MAGIC, &NONE).unwrap_err();
    assert!(matches!(second, ReplaceError::Busy), "{second}");
    // What a second process opens just before the first one renames it.
    let late = File::open(&partial).unwrap();
    assert!(is_at(&partial, &late));
    first.commit().unwrap();
    // On Windows a file that is open in this way is not opened a second time.
    assert!(!is_at(&partial, &late) || cfg!(windows));
    drop(late);
    replace(&path, MAGIC, b"whole").unwrap();
    let open = || open_locked(&path, OpenOptions::new().read(true).write(true)).unwrap();
    // A process that another test starts holds a copy of the file until it has begun.
    let open_soon = || {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            if let Some(file) = open() {
                return file;
            }
            assert!(Instant::now() < end);
            thread::sleep(Duration::from_millis(1));
        }
    };
    let held = open_soon();
    assert!(open().is_none());
    drop(held);
    drop(open_soon());
}

#[test]
fn readers_and_the_one_writer_do_not_disturb_each_other() {
    let folder = folder();
    let path = folder.path().join("x");
    let mut file = AtomicFile::begin(&path, MAGIC, &NONE).unwrap();
    file.file().write_all(MAGIC).unwrap();
    file.put_in_place().unwrap();
    // It is in place and still open for writing.
    let reader = open_regular(&path).unwrap();
    assert_eq!(all_of(&reader, 99).unwrap(), MAGIC);
    drop(file);
    let options = &mut OpenOptions::new();
    options.read(true).write(true);
    let writer = open_locked(&path, options).unwrap();
    assert!(writer.is_some());
    assert_eq!(read_at_most(&path, 99).unwrap(), MAGIC);
    drop(reader);
}
