//! Folders of a user.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder for Damier's data of this user: below `XDG_DATA_HOME`, or where the system has data below `HOME`; on
/// Windows below `APPDATA`. `variable`: the environment. None where that has no such variable.
pub fn data(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name| {
        let path = variable(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let below_home = match cfg!(target_os = "macos") {
        true => "Library/Application Support",
        false => ".local/share",
    };
    let data = match cfg!(windows) {
        true => folder("APPDATA"),
        false => folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(below_home))),
    };
    Some(data?.join("damier"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_below_the_home_of_the_user() {
        let of = |variables: &[(&str, &str)]| {
            data(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.into())
            })
        };
        let home = ("HOME", "/home/ann");
        assert_eq!(of(&[home]), Some("/home/ann/.local/share/damier".into()));
        assert_eq!(
            of(&[home, ("XDG_DATA_HOME", "/data")]),
            Some("/data/damier".into())
        );
        // Relative ones are to be ignored.
        assert_eq!(of(&[("HOME", ""), ("XDG_DATA_HOME", "data")]), None);
    }
}
