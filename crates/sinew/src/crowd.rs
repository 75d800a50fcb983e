//! Crowds: one job for many, on as many threads as there are workers.
//!
//! Two kinds of things come in large numbers, and one mechanism serves both.
//!
//! * *Problems* do not know each other: ten thousand targets for one arm. What solves them (a [`Solver`], an
//!   [`Erik`], room for a pose) is scratch, so there is one of it for each thread, a *worker*, and not one for each
//!   problem. [`GoalCrowd`] is this for goals.
//! * *Characters* remember their last frame: a [`SixPoint`] body, a [`Walker`], a [`LimbFollower`], a solver that
//!   follows. Each carries its own memory, the workers carry nothing (`Crowd::new((), threads)`), and the character
//!   is the item.
//!
//! # What holds
//! * Item `i` is given to the job as item `i` and stays where it is: results are in the order asked.
//! * The bits of a result do not depend on the number of workers or on who was quicker: an item is seen by one
//!   worker alone, and a job may use its worker only as scratch that it fills before it reads. This is the one thing
//!   that the caller promises. [`GoalCrowd`] keeps it by [`Solver::forget`]; an [`Erik`] has [`Erik::forget`].
//! * Nothing is allocated by [`Crowd::run`] with one worker. With several, what rayon itself allocates when work
//!   is handed to its threads from outside of them (a block of its queue now and then), and nothing besides.
//!
//! # Threads
//! Without the feature `parallel` there is one worker, whatever was asked for, and everything is done where it is
//! called. With it, workers run on rayon's current pool: the global one, or the one in which `run` is called
//! ([`ThreadPool::install`](https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install)). The engine
//! starts no threads of its own. Items are handed out in small shares as workers become free, because the time of a
//! solve varies by a factor of a hundred, and halves fixed beforehand would wait for the slower one.
//!
//! # Memory
//! What was measured of a rig is shared by copies; what a character remembers is its own, some 7 kB of a
//! [`SixPoint`] body with its pose, of which a frame reads the half. A thousand of them stay in a cache of several megabytes, ten thousand do not, and
//! a frame that reads a line of memory, thinks, and reads the next waits for every one. A body therefore begins by
//! reading a number of each line that it will need: all come at once, and ten thousand bodies take a fifth longer
//! each than one instead of two thirds.
//!
//! # No lanes
//! SIMD over characters would need every solver written over a vector of numbers, with branches as masks. Solvers
//! here branch all the time (limits that become active, restarts, arcs of a swivel circle), and lanes run until the
//! slowest is done. It was not tried.
//!
//! ```
//! use sinew::body::six_point::{SixPoint, SixPointOptions, Trackers};
//! use sinew::crowd::{self, Crowd};
//! use sinew::skeleton::humanoid::HumanoidMap;
//! use sinew::{ModelPose, Pose, rigs};
//!
//! struct Person { body: SixPoint, trackers: Trackers, pose: Pose }
//!
//! let human = rigs::humanoid(Default::default());
//! let body = SixPoint::new(&human, &HumanoidMap::find(&human), SixPointOptions::default())?;
//! let trackers = body.points_of(&ModelPose::rest(&human));
//! // Copies share what was measured of the rig.
//! let person = || Person { body: body.clone(), trackers, pose: body.relaxed().clone() };
//! let mut people: Vec<Person> = (0..50).map(|_| person()).collect();
//! let mut crowd = Crowd::new((), crowd::available_threads());
//! crowd.run(&mut people, |(), _, person| {
//!     person.body.solve(&human, &person.trackers, 1.0 / 60.0, &mut person.pose);
//! });
//! assert!(people.iter().all(|person| person.pose == people[0].pose));
//! # Ok::<(), sinew::error::RigError>(())
//! ```

mod goals;

use alloc::vec::Vec;

pub use goals::{GoalCrowd, Problem};

#[allow(unused_imports)] // named in the docs
use crate::analytic::LimbFollower;
#[allow(unused_imports)] // named in the docs
use crate::body::{six_point::SixPoint, walk::Walker};
#[allow(unused_imports)] // named in the docs
use crate::solver::{Solver, erik::Erik};

/// The most items that a worker takes at once.
#[cfg(all(feature = "std", feature = "parallel"))]
const SHARE: usize = 64;

/// Shares for each worker, at least: the last one to finish is late by one share at most.
#[cfg(all(feature = "std", feature = "parallel"))]
const SHARES: usize = 16;

/// Workers that do one job for many items; see the [module](self).
#[derive(Debug, Clone)]
pub struct Crowd<W> {
    workers: Vec<W>,
}

impl<W: Clone> Crowd<W> {
    /// So many copies of a worker, at least one. Without the feature `parallel` it is one.
    pub fn new(worker: W, threads: usize) -> Self {
        let count = if cfg!(feature = "parallel") { threads.max(1) } else { 1 };
        Self { workers: alloc::vec![worker; count] }
    }
}

impl<W: Send> Crowd<W> {
    /// How many workers there are.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// The workers, to change what all of them know.
    pub fn workers_mut(&mut self) -> &mut [W] {
        &mut self.workers
    }

    /// Does the job for every item, each with its number. What the job leaves in a worker may be
    /// there for the next item or not.
    pub fn run<T: Send>(&mut self, items: &mut [T], job: impl Fn(&mut W, usize, &mut T) + Sync) {
        #[cfg(all(feature = "std", feature = "parallel"))]
        if self.workers.len() > 1 && items.len() > 1 {
            return shared_out(&mut self.workers, items, &job);
        }
        let Some(worker) = self.workers.first_mut() else { return };
        for (i, item) in items.iter_mut().enumerate() {
            job(worker, i, item);
        }
    }
}

/// Every worker takes the next share until none is left.
#[cfg(all(feature = "std", feature = "parallel"))]
fn shared_out<W: Send, T: Send>(
    workers: &mut [W],
    items: &mut [T],
    job: &(impl Fn(&mut W, usize, &mut T) + Sync),
) {
    use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
    #[cfg(feature = "std")]
    use std::sync::{Mutex, PoisonError};

    let share = (items.len() / (workers.len() * SHARES)).clamp(1, SHARE);
    let shares = Mutex::new(items.chunks_mut(share).enumerate());
    workers.par_iter_mut().with_max_len(1).for_each(|worker| {
        loop {
            // A job that panicked holds no lock; what is left of its share stays as it is, and the panic goes on to the caller.
            let next = shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, part)) = next else { return };
            for (i, item) in part.iter_mut().enumerate() {
                job(worker, number * share + i, item);
            }
        }
    });
}

/// How many workers can run at once here: the threads of rayon's current pool, or one without the
/// feature `parallel`.
pub fn available_threads() -> usize {
    #[cfg(all(feature = "std", feature = "parallel"))]
    let threads = rayon::current_num_threads();
    #[cfg(not(all(feature = "std", feature = "parallel")))]
    let threads = 1;
    threads
}
