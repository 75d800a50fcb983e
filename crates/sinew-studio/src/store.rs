//! Files kept in memory: what was uploaded and what is ready to be fetched.
//!
//! A file is found by an id made from its name and content, and by nothing
//! else: no path is ever opened for a client. Both number and size are bounded;
//! the oldest go first.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Bytes;

/// A file.
#[derive(Debug)]
pub struct Stored {
    /// What it is asked for by.
    pub id: String,
    /// Its name, without folders.
    pub name: String,
    /// What is in it.
    pub bytes: Bytes,
    /// Whether it stays however many come after it.
    pinned: bool,
}

/// A bounded number of files.
#[derive(Debug)]
pub struct Store {
    files: VecDeque<Arc<Stored>>,
    bytes: usize,
    most_files: usize,
    most_bytes: usize,
}

impl Store {
    /// Room for so many files of so many bytes together.
    pub fn new(most_files: usize, most_bytes: usize) -> Self {
        Self { files: VecDeque::new(), bytes: 0, most_files, most_bytes }
    }

    /// Keeps a file as the newest; the same one again is the same file.
    pub fn add(&mut self, name: &str, bytes: Bytes) -> Arc<Stored> {
        self.keep(name, bytes, false)
    }

    /// Keeps a file for good.
    pub fn add_pinned(&mut self, name: &str, bytes: Bytes) -> Arc<Stored> {
        self.keep(name, bytes, true)
    }

    fn keep(&mut self, name: &str, bytes: Bytes, pinned: bool) -> Arc<Stored> {
        let name = file_name(name);
        let same = |f: &Arc<Stored>| f.name == name && f.bytes == bytes;
        if let Some(at) = self.files.iter().position(same)
            && let Some(file) = self.files.remove(at)
        {
            self.files.push_back(file.clone());
            return file;
        }
        let mut id = identity(&name, &bytes);
        // Two files of one id would be a marvel; they are told apart all the same.
        while self.files.iter().any(|f| f.id == id) {
            id.push('0');
        }
        self.bytes += bytes.len();
        let file = Arc::new(Stored { id, name, bytes, pinned });
        self.files.push_back(file.clone());
        while self.files.len() > self.most_files || self.bytes > self.most_bytes {
            let last = self.files.len() - 1;
            let Some(oldest) = self.files.iter().take(last).position(|f| !f.pinned) else { break };
            if let Some(gone) = self.files.remove(oldest) {
                self.bytes -= gone.bytes.len();
            }
        }
        file
    }

    /// The file of an id.
    pub fn get(&self, id: &str) -> Option<Arc<Stored>> {
        self.files.iter().find(|f| f.id == id).cloned()
    }

    /// The newest file of a name, for files that belong together.
    pub fn named(&self, name: &str) -> Option<Arc<Stored>> {
        self.files.iter().rev().find(|f| f.name == name).cloned()
    }
}

/// What remains of a name that a client gave: the last part, without what a
/// header, a terminal or a file system could take amiss.
pub fn file_name(name: &str) -> String {
    const MOST: usize = 120;
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .map(|c| if c.is_control() || "\"<>|:*?;%".contains(c) { '_' } else { c })
        .take(MOST)
        .collect();
    let kept = kept.trim().trim_start_matches('.');
    if kept.is_empty() { "file".into() } else { kept.into() }
}

/// 128 bits of FNV-1a. It names files of one person on one machine, where
/// nobody gains from two that share a name, and such are told apart besides.
fn identity(name: &str, bytes: &[u8]) -> String {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in name.bytes().chain([0]).chain(bytes.iter().copied()) {
        hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    }
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_folders_and_what_is_dangerous() {
        assert_eq!(file_name("../../etc/passwd"), "passwd");
        assert_eq!(file_name("C:\\temp\\walk.bvh"), "walk.bvh");
        assert_eq!(file_name("a\r\nSet-Cookie: x\".bvh"), "a__Set-Cookie_ x_.bvh");
        assert_eq!(file_name(".."), "file");
        assert_eq!(file_name(""), "file");
        assert_eq!(file_name("…/läufer.bvh"), "läufer.bvh");
        assert!(file_name(&"x".repeat(5000)).len() <= 120);
    }

    #[test]
    fn the_oldest_go_and_the_pinned_stay() {
        let mut store = Store::new(3, 100);
        let first = store.add_pinned("first", Bytes::from_static(b"1"));
        let second = store.add("second", Bytes::from_static(b"2"));
        let third = store.add("third", Bytes::from_static(b"3"));
        assert_eq!(store.add("second", Bytes::from_static(b"2")).id, second.id);
        let fourth = store.add("fourth", Bytes::from_static(b"4"));
        assert!(store.get(&first.id).is_some() && store.get(&fourth.id).is_some());
        assert!(store.get(&second.id).is_some(), "it was used again");
        assert!(store.get(&third.id).is_none());
        let large = store.add("large", Bytes::from(vec![0; 99]));
        assert!(store.get(&large.id).is_some() && store.get(&fourth.id).is_none());
        assert_eq!(store.named("large").unwrap().id, large.id);
        assert_eq!(store.bytes, 100);
    }
}
