//! The one curve by which every soft zone pushes back.

use crate::math::*;

/// How far beyond the zone's inner rim something may go that would go `depth`
/// beyond it. Slope one at the rim, then flattening: the edge, `zone` further
/// out, is approached and never reached.
#[inline]
pub(super) fn held_back(depth: Real, zone: Real) -> Real {
    if zone <= TINY { 0.0 } else { zone * (1.0 - (-depth / zone).exp()) }
}
