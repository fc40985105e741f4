//! Distributions made from the data: signs flipped, labels exchanged, values drawn again.

pub mod sign_flip;
