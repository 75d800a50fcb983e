//! A static library on the engine without std, at both precisions.
//!
//! It brings a panic handler and an allocator of its own. A dependency that pulls in
//! std defines the panic handler a second time, and rustc refuses to build; maths
//! functions of the platform would be undefined symbols for the linker, since
//! `cargo xtask ci` links without libm. What it runs is a test of the engine,
//! `crates/sinew/tests/engine/no_std.rs`.
#![no_std]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering};

mod in_single {
    use single as sinew;
    include!("../../../crates/sinew/tests/no_std/story.rs");
}

mod in_double {
    use double as sinew;
    include!("../../../crates/sinew/tests/no_std/story.rs");
}

/// Zero if everything was solved; otherwise the step of the story that failed, plus a
/// hundred in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_no_std() -> i32 {
    if let Err(step) = in_single::story() {
        return step;
    }
    if let Err(step) = in_double::story() {
        return 100 + step;
    }
    0
}

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        safe fn abort() -> !;
    }
    abort()
}

const ARENA: usize = 64 << 20;

/// Hands out one block of memory from its start and takes nothing back.
#[repr(align(64))]
struct Arena {
    bytes: UnsafeCell<[u8; ARENA]>,
    used: AtomicUsize,
}

// SAFETY: every byte is handed out at most once.
unsafe impl Sync for Arena {}

// SAFETY: a block starts at a multiple of its alignment, ends within the arena, and
// overlaps no other, since `used` only grows.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let end = |used: usize| used.next_multiple_of(layout.align()).checked_add(layout.size());
        let room = |used| end(used).filter(|end| *end <= ARENA && layout.align() <= 64);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room) {
            // SAFETY: `room` has made sure that the block ends within the arena.
            Ok(used) => unsafe { self.bytes.get().cast::<u8>().add(used.next_multiple_of(layout.align())) },
            Err(_) => core::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ARENA_OF_ALL: Arena = Arena { bytes: UnsafeCell::new([0; ARENA]), used: AtomicUsize::new(0) };
