//! One share.

use super::{Fields, Inputs, Recompute, count, level, limits, number};

use crate::stats::planning::discordance_bound;
use crate::stats::{Counts, Options, wilson};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("one_proportion_ci_95", one_proportion), ("zero_events_upper", zero_events)];

fn one_proportion(inputs: &Inputs) -> Option<Fields> {
    let counts = Counts::new(count(inputs, "x")?, count(inputs, "n")?)?;
    Some(vec![("wilson", limits(wilson(counts, level(inputs))))])
}

fn zero_events(inputs: &Inputs) -> Option<Fields> {
    let options = Options { alpha: 1.0 - level(inputs), ..Options::default() };
    Some(vec![("one_sided_exact", vec![discordance_bound(number(inputs, "n")?, options)])])
}
