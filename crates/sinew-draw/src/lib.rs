//! Pictures of skeletons, limits and measurements.
