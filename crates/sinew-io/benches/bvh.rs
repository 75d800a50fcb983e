//! How long it takes to read a motion, beside the crate `bvh_anim`.
//!
//! The file is `cmu/01_03.bvh` of the folder in the environment variable
//! `SINEW_DATA`, or, without it, one of the same size that is made here.
#![allow(missing_docs, clippy::unwrap_used)] // criterion's macros; a benchmark may stop

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew_io::bvh;

/// A body of 31 joints in 4511 frames, with four decimals.
fn made() -> Vec<u8> {
    const JOINTS: usize = 31;
    const FRAMES: usize = 4511;
    let mut out = String::from("HIERARCHY\r\nROOT Hips\r\n{\r\n\tOFFSET 0.00000 0.00000 0.00000\r\n");
    out.push_str("\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\r\n");
    for i in 1..JOINTS {
        let _ = write!(out, "JOINT Joint{i}\r\n{{\r\nOFFSET 0.12345 {}.54321 -0.00100\r\n", i % 7);
        out.push_str("CHANNELS 3 Zrotation Yrotation Xrotation\r\n");
    }
    out.push_str("End Site\r\n{\r\nOFFSET 0.00000 1.00000 0.00000\r\n}\r\n");
    out.push_str(&"}\r\n".repeat(JOINTS));
    let _ = write!(out, "MOTION\r\nFrames: {FRAMES}\r\nFrame Time: .0083333\r\n");
    for frame in 0..FRAMES {
        for channel in 0..3 + 3 * JOINTS {
            let wave = (frame as f64 * 0.01 + channel as f64).sin() * 60.0;
            let _ = write!(out, "{}{wave:.4}", if channel == 0 { "" } else { " " });
        }
        out.push_str("\r\n");
    }
    out.into_bytes()
}

fn reading(c: &mut Criterion) {
    let recorded = std::env::var_os("SINEW_DATA").map(|folder| PathBuf::from(folder).join("cmu/01_03.bvh"));
    let (name, bytes) = match recorded.and_then(|path| std::fs::read(path).ok()) {
        Some(bytes) => ("01_03.bvh", bytes),
        None => ("a made file", made()),
    };
    let mut group = c.benchmark_group(format!("reading {name}"));
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.sample_size(40);
    group.bench_function("bvh_anim::from_bytes", |b| {
        b.iter(|| bvh_anim::from_bytes(black_box(&bytes[..])).unwrap());
    });
    group.bench_function("sinew_io::bvh::parse", |b| {
        b.iter(|| bvh::parse(black_box(&bytes)).unwrap());
    });
    group.bench_function("sinew_io::read (to poses)", |b| {
        b.iter(|| sinew_io::read("x.bvh", black_box(&bytes), &mut |_| None).unwrap());
    });
    group.finish();

    let asset = bvh::read(&bytes).unwrap();
    let mut group = c.benchmark_group(format!("writing {name}"));
    group.sample_size(10);
    group.bench_function("sinew_io::write", |b| {
        b.iter(|| sinew_io::write(sinew_io::Format::Bvh, black_box(&asset), &Default::default()).unwrap());
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
