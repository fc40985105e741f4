//! Samples in the report of a comparison.

use super::super::Request;
use super::analysis::{self, Asked, Selection};
use super::report::{self, Budget};
use super::{BYTES, image_bytes, unknown};
use crate::collect::ReadOptions;
use crate::diag::Diagnostic;
use crate::exit::Failure;
use crate::pairing::PairedArms;
use crate::report::Report;
use crate::report::block::Section;
use crate::settings::Settings;

/// Sections behind which the samples stand, the first that there is.
const BEHIND: &[&str] = &["samples", "phase-errors", "results", "glance"];

/// Which samples a comparison shows.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::kinds) struct SamplesBeside {
    /// Show so many of the samples that changed sides, right → wrong first, with prompt, target and
    /// answers; see `reportgen samples`
    #[arg(long, value_name = "N")]
    pub(in crate::kinds) samples: Option<usize>,
    /// With --samples, leave out what this field holds: a field of the records, or prompt, target,
    /// answer; repeatable
    #[arg(long, value_name = "FIELD", value_delimiter = ',', requires = "samples")]
    pub(in crate::kinds) redact: Vec<String>,
    /// With --samples, show the images that records name by a path, in a page: files of PNG, JPEG, GIF or
    /// WebP in the run, of 256 KB at most
    #[arg(long, requires = "samples")]
    pub(in crate::kinds) images: bool,
}

impl SamplesBeside {
    /// The samples as a section, where some are asked for and some changed.
    ///
    /// # Errors
    /// When a field to be left out is in no record, or images are asked for and no page is.
    pub(in crate::kinds) fn section(
        &self,
        arms: &PairedArms<'_>,
        (settings, request): (&Settings, &Request<'_>),
        noticed: &mut Vec<Diagnostic>,
    ) -> Result<Option<Section>, Failure> {
        let Some(limit) = self.samples.filter(|limit| *limit > 0) else { return Ok(None) };
        let redacted = self.redact.clone();
        let changed = Some(Asked::Any);
        let image_bytes = image_bytes(self.images, BYTES, request)?;
        let selection = Selection { changed, redacted, limit, image_bytes, ..Selection::default() };
        let options = ReadOptions::from(settings);
        let browsed = analysis::browse(arms, &selection, &options).map_err(unknown)?;
        let budget = Budget {
            bytes: BYTES,
            redacted: &self.redact,
            is_read_at_once: false,
            has_images: self.images,
        };
        let section = report::section(&browsed, &budget, settings.words());
        noticed.extend(browsed.findings);
        Ok(section)
    }
}

/// The report with a section in its place.
pub(in crate::kinds) fn with_samples(mut report: Report, samples: Option<Section>) -> Report {
    let Some(section) = samples else { return report };
    let place = |id: &&str| report.sections.iter().position(|section| section.id == *id);
    let place = BEHIND.iter().find_map(place).map_or(report.sections.len(), |place| place + 1);
    report.sections.insert(place, section);
    report
}
