//! What tabs have loaded, held once for all of them.
//!
//! A file is read for the first tab that shows it; the others take the same motions and meshes. All
//! files that are shown together may take a budget of memory: a tab that would break it gets words,
//! and the others live.

use std::any::Any;
use std::sync::{Arc, Mutex, Weak};

use sinew_io::Budget;
use sinew_io::budget::size;

use crate::server::locked;

/// What was read from a file, and the memory that it takes. A tab holds on to it as long as it shows it.
#[derive(Debug)]
pub struct Read<T> {
    /// What was read.
    pub value: T,
    /// What it takes.
    pub bytes: u64,
    /// Whether other tabs may be given the same.
    pub is_shared: bool,
}

/// The files that are shown.
#[derive(Debug)]
pub struct Library {
    budget: Budget,
    /// Whoever reads a file holds this, and nobody else waits for it.
    reading: Mutex<()>,
    shown: Mutex<Vec<Shown>>,
}

/// One of them, as long as a tab holds it.
#[derive(Debug)]
struct Shown {
    /// Empty for what may not be shared: it counts, and is never found.
    id: String,
    held: Weak<dyn Any + Send + Sync>,
    bytes: u64,
}

impl Library {
    /// An empty one. Twice the budget of a file is room for a second one beside the largest.
    pub fn new(budget: Budget) -> Self {
        Self { budget, reading: Mutex::default(), shown: Mutex::default() }
    }

    /// A file by its id: as it is held, or as `read` reads it. The same file read as something else is
    /// another one. One file is read at a time, so that what they take on the way in does not add up either.
    pub fn get<T: Any + Send + Sync>(
        &self,
        id: &str,
        read: impl FnOnce(Budget) -> Result<Read<T>, String>,
    ) -> Result<Arc<T>, String> {
        if let Some(held) = self.held(id) {
            return Ok(held);
        }
        let _one_at_a_time = locked(&self.reading);
        // Another tab may have read it meanwhile.
        if let Some(held) = self.held(id) {
            return Ok(held);
        }
        let taken = self.taken();
        let Read { value, bytes, is_shared } = read(self.budget)?;
        let most = 2 * self.budget.bytes();
        if taken.saturating_add(bytes) > most {
            return Err(format!(
                "it would take {} of memory beside the {} of what other tabs show; all together may take {}. \
                 Close a tab, or start the studio with a larger --memory",
                size(bytes),
                size(taken),
                size(most)
            ));
        }
        let held = Arc::new(value);
        let any: Arc<dyn Any + Send + Sync> = held.clone();
        let id = if is_shared { id } else { "" };
        locked(&self.shown).push(Shown { id: id.to_string(), held: Arc::downgrade(&any), bytes });
        Ok(held)
    }

    /// The bytes of all that tabs hold.
    fn taken(&self) -> u64 {
        let mut shown = locked(&self.shown);
        shown.retain(|known| known.held.strong_count() > 0);
        shown.iter().map(|known| known.bytes).sum()
    }

    /// A file that a tab holds.
    pub fn held<T: Any + Send + Sync>(&self, id: &str) -> Option<Arc<T>> {
        find(&locked(&self.shown), id)
    }
}

fn find<T: Any + Send + Sync>(shown: &[Shown], id: &str) -> Option<Arc<T>> {
    let known = shown.iter().filter(|known| known.id == id);
    known.filter_map(|known| known.held.upgrade()).find_map(|held| held.downcast().ok())
}

#[cfg(test)]
mod tests {
    use sinew_f64::{Pose, rigs};
    use sinew_io::{Asset, Motion};

    use super::*;

    fn read(asset: Asset) -> Result<Read<Asset>, String> {
        Ok(Read { bytes: asset.bytes(), value: asset, is_shared: true })
    }

    fn moving(frames: usize) -> Asset {
        let mut asset = Asset::new(rigs::chain(9, 1.0));
        let pose = Pose::rest(&asset.skeleton);
        asset.motions.push(Motion::new("m", 0.1, vec![pose; frames]));
        asset
    }

    /// A tab that reads a large file let the routes wait for what another tab holds, and with them every tab.
    #[test]
    fn what_is_held_is_found_while_another_file_is_read() {
        let library = Library::new(Budget::new(1 << 20));
        let held = library.get("a", |_| read(moving(1))).unwrap();
        library
            .get("b", |_| {
                assert!(Arc::ptr_eq(&library.held::<Asset>("a").unwrap(), &held));
                assert!(Arc::ptr_eq(&library.get("a", |_| read(moving(1))).unwrap(), &held));
                read(moving(2))
            })
            .unwrap();
    }

    #[test]
    fn files_are_held_once_and_no_more_than_fit() {
        let library = Library::new(Budget::new(1 << 20));
        let first = library.get("a", |_| read(moving(1000))).unwrap();
        let again = library.get::<Asset>("a", |_| panic!("it is held already")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let copies = [(*first).clone(), (*again).clone()];
        assert!(copies[0].motions[0].shares(&copies[1].motions[0]), "copies share their frames");
        let second = library.get("b", |_| read(moving(1500))).unwrap();
        let refused = library.get("c", |_| read(moving(1500))).unwrap_err();
        assert!(refused.contains("all together may take 2.1 MB"), "{refused}");
        drop((first, again));
        assert!(library.get("c", |_| read(moving(1500))).is_ok(), "a tab was closed");
        let alone = || library.get("e", |_| Ok(Read { is_shared: false, ..read(moving(1))? })).unwrap();
        assert!(!Arc::ptr_eq(&alone(), &alone()), "a file that needs others is not shared");
        assert_eq!(library.get::<Asset>("d", |_| Err("no such file".into())).unwrap_err(), "no such file");
        let other = library.get("b", |_| Ok(Read { value: 7u8, bytes: 1, is_shared: true })).unwrap();
        assert_eq!(*other, 7, "the same file as something else");
        assert!(Arc::ptr_eq(&library.held::<Asset>("b").unwrap(), &second));
        drop(second);
        assert!(library.held::<Asset>("b").is_none() && library.held::<u8>("b").is_some());
    }
}
