//! Paired outcomes 0 or 1: Tango's score interval with McNemar's test.

use super::{Method, agreement};
use crate::stats::planning::{detectable_paired_share, discordance_bound, needed_pairs};
use crate::stats::proportions::paired::{mcnemar, tango_interval};
use crate::stats::{Analysis, Design, Interval, Options};

/// The row of the decision table.
pub(super) struct PairedBinary;

impl Method for PairedBinary {
    fn id(&self) -> &'static str {
        "paired-binary"
    }

    fn applies(&self, design: &Design) -> bool {
        matches!(design, Design::PairedBinary(counts) if counts.n() > 0)
    }

    fn analyse(&self, design: &Design, options: Options) -> Analysis {
        let Design::PairedBinary(counts) = design else {
            return Analysis::unassessed("tango", f64::NAN);
        };
        let interval = Some(tango_interval(*counts, 1.0 - options.alpha));
        let test = Some(mcnemar(*counts));
        let (n, delta) = (counts.n() as f64, counts.delta());
        let discordant = counts.discordant() as f64 / n;
        let supposed = if discordant > 0.0 { discordant } else { discordance_bound(n, options) };
        Analysis {
            interval_method: "tango",
            delta,
            interval,
            test,
            mde: detectable_paired_share(n, supposed, options),
            needed: needed_pairs(discordant, delta, options),
            notes: agreement::notes(interval, test, options.alpha),
        }
    }

    fn interval(&self, design: &Design, level: f64) -> Option<Interval> {
        match design {
            Design::PairedBinary(counts) if counts.n() > 0 => Some(tango_interval(*counts, level)),
            _ => None,
        }
    }
}
