//! A file is written whole or not at all.
//!
//! The bytes go into a new file beside the target, and that takes the target's name when all of it is
//! on the disk. Whoever interrupts the write, fills the disk or writes the same file at the same time
//! finds the old file or the new one and never a part of either. What an interruption leaves is the
//! unfinished file, under a name that starts with a dot and ends in `.partial`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file whole, in place of what was there.
///
/// A link stays a link, and what it leads to is replaced. The new file has the old one's permissions,
/// and otherwise those that any new file has. What is no file, such as a pipe or a terminal, cannot be
/// replaced: the bytes are written into it.
///
/// ```
/// let file = std::env::temp_dir().join("sinew-replace-file.txt");
/// sinew_io::replace_file(&file, b"old")?;
/// sinew_io::replace_file(&file, b"new")?;
/// assert_eq!(std::fs::read(&file)?, b"new");
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace_file(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fs::write(path, bytes);
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if let Some(old) = &old
        && old.permissions().readonly()
    {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let mut partial = beside(&target)?;
    if let Some(old) = old {
        partial.as_file().set_permissions(old.permissions())?;
    }
    partial.write_all(bytes)?;
    partial.as_file().sync_all()?;
    partial.persist(target).map_err(|failed| failed.error)?;
    Ok(())
}

/// Whether [`replace_file`] could write here, as far as that can be known before there are bytes: the
/// folder is there and takes new files, and nothing of that name is a folder or read-only.
pub fn can_replace(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(old) if old.permissions().readonly() => {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"))
        }
        Ok(old) if !old.is_file() => Ok(()),
        _ => {
            let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            beside(&target).map(drop)
        }
    }
}

/// A new file in the folder of this one. It goes when it is dropped.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    if !folder.is_dir() {
        let words = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, words));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".partial");
    // As any new file: temporary ones are for their owner alone otherwise.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_is_left_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        replace_file(&file, b"one").unwrap();
        replace_file(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_said_before_and_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("none").join("a.txt");
        assert!(can_replace(&nowhere).unwrap_err().to_string().contains("there is no folder"));
        assert!(replace_file(&nowhere, b"x").is_err());
        assert!(can_replace(folder.path()).is_err());
        assert!(replace_file(folder.path(), b"x").is_err());
        let held = folder.path().join("held.txt");
        fs::write(&held, b"old").unwrap();
        let mut permissions = fs::metadata(&held).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&held, permissions).unwrap();
        assert!(can_replace(&held).is_err());
        assert!(replace_file(&held, b"x").is_err());
        assert_eq!(fs::read(&held).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.sh"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).unwrap();
        symlink(&file, &link).unwrap();
        replace_file(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o750);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        replace_file("/dev/null", b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        // A new file may be read by whoever may read what an ordinary write makes.
        let (ordinary, ours) = (folder.path().join("ordinary"), folder.path().join("ours"));
        fs::write(&ordinary, b"").unwrap();
        replace_file(&ours, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ordinary), mode(&ours));
    }
}
