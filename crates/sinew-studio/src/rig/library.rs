//! What tabs have loaded, held once for all of them.
//!
//! A file is read for the first tab that shows it; the others take the same motions and meshes. All
//! files that are shown together may take a budget of memory: a tab that would break it gets words,
//! and the others live.

use std::sync::{Arc, Mutex, Weak};

use sinew_io::budget::size;
use sinew_io::{Asset, Budget};

use crate::server::locked;

/// What a tab holds on to as long as it shows a file.
#[derive(Debug)]
pub struct Loaded {
    asset: Asset,
    bytes: u64,
}

impl Loaded {
    /// The asset as it was read. A copy of it shares its motions.
    pub fn asset(&self) -> &Asset {
        &self.asset
    }
}

/// The files that are shown.
#[derive(Debug)]
pub struct Library {
    budget: Budget,
    shown: Mutex<Vec<(String, Weak<Loaded>)>>,
}

impl Library {
    /// An empty one. Twice the budget of a file is room for a second one beside the largest.
    pub fn new(budget: Budget) -> Self {
        Self { budget, shown: Mutex::default() }
    }

    /// A file by its id: as it is held, or as `read` reads it, which also says whether it may be
    /// shared. One file is read at a time, so that
    /// what they take on the way in does not add up either.
    pub fn get(
        &self,
        id: &str,
        read: impl FnOnce(Budget) -> Result<(Asset, bool), String>,
    ) -> Result<Arc<Loaded>, String> {
        let mut shown = locked(&self.shown);
        shown.retain(|(_, held)| held.strong_count() > 0);
        if let Some(held) = shown.iter().find(|(known, _)| known == id).and_then(|(_, held)| held.upgrade()) {
            return Ok(held);
        }
        let taken: u64 = shown.iter().filter_map(|(_, held)| held.upgrade()).map(|held| held.bytes).sum();
        let (asset, is_shared) = read(self.budget)?;
        let bytes = asset.bytes();
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
        let loaded = Arc::new(Loaded { asset, bytes });
        // What may not be shared counts, and is never found.
        let id = if is_shared { id } else { "" };
        shown.push((id.to_string(), Arc::downgrade(&loaded)));
        Ok(loaded)
    }
}

#[cfg(test)]
mod tests {
    use sinew_f64::{Pose, rigs};
    use sinew_io::Motion;

    use super::*;

    fn moving(frames: usize) -> Asset {
        let mut asset = Asset::new(rigs::chain(9, 1.0));
        let pose = Pose::rest(&asset.skeleton);
        asset.motions.push(Motion::new("m", 0.1, vec![pose; frames]));
        asset
    }

    #[test]
    fn files_are_held_once_and_no_more_than_fit() {
        let library = Library::new(Budget::new(1 << 20));
        let first = library.get("a", |_| Ok((moving(1000), true))).unwrap();
        let again = library.get("a", |_| panic!("it is held already")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let copies = [first.asset().clone(), again.asset().clone()];
        assert!(copies[0].motions[0].shares(&copies[1].motions[0]), "copies share their frames");
        let second = library.get("b", |_| Ok((moving(1500), true))).unwrap();
        let refused = library.get("c", |_| Ok((moving(1500), true))).unwrap_err();
        assert!(refused.contains("all together may take 2.1 MB"), "{refused}");
        drop((first, again));
        assert!(library.get("c", |_| Ok((moving(1500), true))).is_ok(), "a tab was closed");
        let alone = || library.get("e", |_| Ok((moving(1), false))).unwrap();
        assert!(!Arc::ptr_eq(&alone(), &alone()), "a file that needs others is not shared");
        assert_eq!(library.get("d", |_| Err("no such file".into())).unwrap_err(), "no such file");
        drop(second);
    }
}
