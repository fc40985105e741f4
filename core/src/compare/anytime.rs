//! Verdicts for runs that are looked at again and again while they grow.
//!
//! An ordinary p-value is for one look. A p-value made of an e-value stays below α with
//! probability at most α however often it is looked at and whenever one stops.

use super::VerdictReason;
use crate::stats::sequential::{EValue, discordant_e_value};
use crate::stats::{Analysis, Design, Note, Test};

/// Tag of the test.
pub(crate) const METHOD: &str = "e-value";

/// Whether a design has such a test: paired outcomes 0 or 1, each sample a unit of its own.
pub(super) fn supports(design: &Design) -> Result<(), VerdictReason> {
    match design {
        Design::PairedBinary(_) => Ok(()),
        _ => Err(VerdictReason::NoAnytimeMethod),
    }
}

/// The analysis with its test replaced. Detectable effects and needed sizes are for one look and
/// fall away; the interval stays and is for one look, which the report says.
pub(super) fn retested(analysis: Analysis, design: &Design, alpha: f64) -> Analysis {
    let test = match design {
        Design::PairedBinary(counts) => Some(test(counts.gained, counts.lost)),
        _ => None,
    };
    let unattainable = test.and_then(|test| test.attainable).is_some_and(|p| p >= alpha);
    let mut notes = analysis.notes;
    notes.retain(|note| !matches!(note, Note::Borderline | Note::Unattainable));
    notes.extend(unattainable.then_some(Note::Unattainable));
    Analysis { test, mde: None, needed: None, notes, ..analysis }
}

fn test(gained: u64, lost: u64) -> Test {
    let EValue { log_e, anytime_p } = discordant_e_value(gained, lost);
    let largest = discordant_e_value(gained + lost, 0);
    Test {
        method: METHOD,
        p: anytime_p,
        statistic: Some(log_e.exp()),
        attainable: Some(largest.anytime_p),
    }
}
