//! Families of tests over a whole report: adjusted p-values, what is out of reach beside the others,
//! and how often anything false is claimed.
//!
//! Primary tests are adjusted by themselves. Where all of them reject, the secondary ones are too;
//! where not, these are held to a tenth of α. So the chance of any false claim among both is at most
//! α + α/10: if some primary hypothesis is true, either it is rejected (at most α), or the secondary
//! tests are held to α/10; if none is, only the secondary ones can err (at most α).

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::model::{Direction, MetricRole, MetricSpec};
use crate::pairing::{CellPair, PairedArms};
use crate::stats::{AttainableP, StepDown, holm_attainable};

/// The tests that are adjusted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComparisonFamily {
    /// Those that decide whether a run is better.
    Primary,
    /// Those for worse alone, of metrics that must not get worse.
    Guard,
    /// Those that are tested at the whole level after the primary ones.
    Secondary,
    /// Those that only describe a change of a metric without a good side.
    Descriptive,
}

/// By how much the level of secondary tests is divided while a primary one shows no difference.
pub const HELD_BACK: f64 = 10.0;

impl ComparisonFamily {
    const ALL: [Self; 4] = [Self::Primary, Self::Guard, Self::Secondary, Self::Descriptive];

    /// With which tests that of a metric is adjusted; `None` where it is only described.
    pub(super) fn for_metric(role: Option<MetricRole>, spec: &MetricSpec) -> Option<Self> {
        if role.is_some_and(|role| !role.is_judged()) {
            return None;
        }
        Some(match role {
            _ if !spec.has_good_side() => Self::Descriptive,
            Some(MetricRole::Guard) => Self::Guard,
            Some(MetricRole::Secondary) => Self::Secondary,
            _ => Self::Primary,
        })
    }

    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Guard => "guard",
            Self::Secondary => "secondary",
            Self::Descriptive => "descriptive",
        }
    }
}

/// A finding for each metric that the user makes primary and that nobody gave a good side: it has no
/// primary test and decides nothing.
pub fn undirected_primaries(paired_arms: &PairedArms<'_>, primary: &[String]) -> Vec<Diagnostic> {
    let cells = || paired_arms.pairs.iter().flat_map(|pair| &pair.cells);
    let is_undirected = |metric: &&String| {
        let mut own = cells().filter(|cell| cell.key.metric == **metric).peekable();
        own.peek().is_some() && !own.any(CellPair::has_good_side)
    };
    let undirected = primary.iter().filter(is_undirected);
    undirected.map(|metric| Diagnostic::new(Code::PrimaryUndirected).about_metric(metric)).collect()
}

/// A test before the others of its family are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unadjusted {
    pub(super) family: ComparisonFamily,
    pub(super) p: f64,
    /// The smallest p that the design could have given, where that is known.
    pub(super) attainable: Option<f64>,
    /// p of the difference against the noise between runs, where that is known.
    pub(super) noise_p: Option<f64>,
    /// What is tested: tests of figures that follow from each other have one number.
    pub(super) hypothesis: usize,
}

impl Unadjusted {
    /// The same for worse alone: one-sided at α/2, which is p against α where the difference is to the
    /// bad side.
    pub(super) fn for_worse_alone(self, delta: Option<f64>, direction: Direction) -> Self {
        let gain = delta.zip(direction.sign()).map_or(0.0, |(delta, sign)| sign * delta);
        if gain < 0.0 {
            return self;
        }
        Self { p: 1.0, noise_p: self.noise_p.map(|_| 1.0), ..self }
    }
}

/// A test among those of its family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted {
    /// To be held against α.
    pub p: f64,
    /// The family, which is that of its strongest copy.
    pub family: ComparisonFamily,
    /// Number of tests that share the level.
    pub size: usize,
    /// The level that the smallest p among them is held to.
    pub level: f64,
    /// What p was multiplied by before it is held against α.
    pub(super) factor: f64,
    /// Whether no outcome of this design could have reached the level in this family.
    pub out_of_reach: bool,
    /// Whether it would be rejected, had all primary tests been.
    pub held_back: bool,
    /// p against the noise between runs, adjusted among those of the family: a verdict has to pass
    /// both, so that neither kind of chance finds a difference somewhere in the family more often
    /// than α.
    pub noise_p: Option<f64>,
}

/// One family of a report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FamilySize {
    pub family: ComparisonFamily,
    /// Tests, those of figures that follow from each other counted each.
    pub tests: usize,
    /// Those of them whose figures follow from another one's.
    pub copies: usize,
    /// Those that no outcome could have brought below their share of the level.
    pub unattainable: usize,
    /// Those that share the level.
    pub counted: usize,
    /// The level of the family; for guards that of tests for worse alone.
    pub level: f64,
}

/// The families of a report that have tests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Families {
    sizes: Vec<FamilySize>,
    alpha: f64,
    /// Whether the secondary tests are held to the whole level.
    secondary_open: bool,
}

impl Families {
    pub fn iter(&self) -> impl Iterator<Item = &FamilySize> {
        self.sizes.iter()
    }

    pub fn get(&self, family: ComparisonFamily) -> Option<&FamilySize> {
        self.sizes.iter().find(|size| size.family == family)
    }

    /// Whether every primary test that could have rejected has, so that the secondary ones are held
    /// to the whole level.
    pub fn secondary_open(&self) -> bool {
        self.secondary_open
    }

    /// The chance of any false verdict of a difference in the whole report, at most.
    pub fn error_rate(&self) -> f64 {
        let has = |family| self.get(family).is_some_and(|size| size.counted > 0);
        let both = if has(ComparisonFamily::Primary) && has(ComparisonFamily::Secondary) {
            1.0 / HELD_BACK
        } else {
            0.0
        };
        let decided =
            f64::from(u8::from(has(ComparisonFamily::Primary) || has(ComparisonFamily::Secondary)));
        let guarded = if has(ComparisonFamily::Guard) { 0.5 } else { 0.0 };
        self.alpha * (decided + both + guarded)
    }
}

/// What Holm's method makes of the tests of each family. Tests come back in their order; `None` is in
/// no family.
pub(super) fn adjusted(
    tests: &[Option<Unadjusted>],
    alpha: f64,
) -> (Vec<Option<Adjusted>>, Families) {
    let hypotheses = hypotheses(tests);
    let by_p = Ladder::new(&hypotheses, |one| Some((one.p, one.attainable.unwrap_or(0.0))), alpha);
    let by_noise = Ladder::new(&hypotheses, |one| Some((one.noise_p?, 0.0)), alpha);
    let adjusted = |test: &Unadjusted| {
        let rung = by_p.rungs.get(&test.hypothesis)?;
        let noise = by_noise.rungs.get(&test.hypothesis).filter(|_| test.noise_p.is_some());
        Some(Adjusted { noise_p: noise.map(|noise| noise.adjusted.p), ..rung.adjusted })
    };
    let found: Vec<_> = tests.iter().map(|test| adjusted(test.as_ref()?)).collect();
    let families = by_p.families(&found, &hypotheses, alpha);
    (found, families)
}

/// What is tested, each once: its strongest family, and its largest p.
fn hypotheses(tests: &[Option<Unadjusted>]) -> BTreeMap<usize, Unadjusted> {
    let mut hypotheses = BTreeMap::<usize, Unadjusted>::new();
    for test in tests.iter().flatten() {
        let known = hypotheses.entry(test.hypothesis).or_insert(*test);
        known.family = known.family.min(test.family);
        known.p = known.p.max(test.p);
        known.noise_p = known.noise_p.into_iter().chain(test.noise_p).reduce(f64::max);
    }
    hypotheses
}

/// The families one after another, each hypothesis adjusted.
struct Ladder {
    rungs: BTreeMap<usize, Rung>,
    secondary_open: bool,
}

struct Rung {
    adjusted: Adjusted,
    /// Whether it is among the tests that share the level at once.
    is_counted: bool,
}

impl Ladder {
    /// `p_of` gives p and the smallest attainable p of what takes part.
    fn new(
        hypotheses: &BTreeMap<usize, Unadjusted>,
        p_of: impl Fn(&Unadjusted) -> Option<(f64, f64)>,
        alpha: f64,
    ) -> Self {
        let steps = |family: ComparisonFamily, level: f64| -> Vec<(usize, StepDown)> {
            let members = hypotheses.iter().filter(|(_, one)| one.family == family);
            let (ids, tests): (Vec<usize>, Vec<AttainableP>) = members
                .filter_map(|(&id, one)| Some((id, p_of(one)?)))
                .map(|(id, (p, attainable))| (id, AttainableP { p, attainable }))
                .unzip();
            ids.into_iter().zip(holm_attainable(&tests, level)).collect()
        };
        let mut rungs = BTreeMap::new();
        let mut largest: f64 = 0.0;
        for family in
            [ComparisonFamily::Primary, ComparisonFamily::Guard, ComparisonFamily::Descriptive]
        {
            for (id, step) in steps(family, alpha) {
                if family == ComparisonFamily::Primary && !step.out_of_reach {
                    largest = largest.max(step.p_adjusted);
                }
                let adjusted = plain(family, step, alpha);
                rungs.insert(id, Rung { adjusted, is_counted: step.is_counted });
            }
        }
        let secondary_open = largest < alpha;
        let strict = steps(ComparisonFamily::Secondary, alpha / HELD_BACK);
        for ((id, whole), (_, strict)) in
            steps(ComparisonFamily::Secondary, alpha).into_iter().zip(strict)
        {
            let after = whole.p_adjusted.max(largest);
            let p = after.min(HELD_BACK * strict.p_adjusted).min(1.0);
            let rung = if secondary_open {
                let adjusted = Adjusted { p, ..plain(ComparisonFamily::Secondary, whole, alpha) };
                Rung { adjusted, is_counted: whole.is_counted }
            } else {
                let adjusted = Adjusted {
                    p,
                    factor: HELD_BACK * strict.factor,
                    held_back: whole.p_adjusted < alpha && p >= alpha,
                    ..plain(ComparisonFamily::Secondary, strict, alpha / HELD_BACK)
                };
                Rung { adjusted, is_counted: strict.is_counted }
            };
            rungs.insert(id, rung);
        }
        Self { rungs, secondary_open }
    }

    fn families(
        &self,
        found: &[Option<Adjusted>],
        hypotheses: &BTreeMap<usize, Unadjusted>,
        alpha: f64,
    ) -> Families {
        let size = |family: ComparisonFamily| {
            let tests = found.iter().flatten().filter(|one| one.family == family).count();
            let own = || hypotheses.iter().filter(move |(_, one)| one.family == family);
            let is_counted = |id: &usize| self.rungs.get(id).is_some_and(|rung| rung.is_counted);
            let counted = own().filter(|(id, _)| is_counted(id)).count();
            let level = match family {
                ComparisonFamily::Guard => alpha / 2.0,
                ComparisonFamily::Secondary if !self.secondary_open => alpha / HELD_BACK,
                _ => alpha,
            };
            (tests > 0).then(|| FamilySize {
                family,
                tests,
                copies: tests - own().count(),
                unattainable: own().count() - counted,
                counted,
                level,
            })
        };
        let sizes = ComparisonFamily::ALL.into_iter().filter_map(size).collect();
        Families { sizes, alpha, secondary_open: self.secondary_open }
    }
}

/// A step of a family that waits for no other.
fn plain(family: ComparisonFamily, step: StepDown, level: f64) -> Adjusted {
    Adjusted {
        p: step.p_adjusted,
        family,
        size: step.counted,
        level: level / step.counted as f64,
        factor: step.factor,
        out_of_reach: step.out_of_reach,
        held_back: false,
        noise_p: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::resampling::random::RandomStream;

    const ALPHA: f64 = 0.05;

    fn test(family: ComparisonFamily, p: f64, hypothesis: usize) -> Unadjusted {
        Unadjusted { family, p, attainable: None, noise_p: None, hypothesis }
    }

    fn all(tests: &[Unadjusted]) -> (Vec<Adjusted>, Families) {
        let tests: Vec<_> = tests.iter().copied().map(Some).collect();
        let (found, families) = adjusted(&tests, ALPHA);
        (found.into_iter().flatten().collect(), families)
    }

    fn p_values(tests: &[Unadjusted]) -> Vec<f64> {
        all(tests).0.into_iter().map(|one| one.p).collect()
    }

    #[test]
    fn secondary_tests_get_the_whole_level_once_every_primary_one_rejects() {
        use ComparisonFamily::{Primary, Secondary};
        let beside = |primary: &[f64]| {
            let mut tests: Vec<_> =
                (0..).zip(primary).map(|(id, &p)| test(Primary, p, id)).collect();
            tests.push(test(Secondary, 0.02, 90));
            p_values(&tests).pop().unwrap()
        };
        assert_eq!(beside(&[0.01]), 0.02);
        // The secondary p is never below the largest primary one.
        assert_eq!(beside(&[0.03]), 0.03);
        // 10 × 0.02 while a primary one is open, whatever the others say.
        assert_eq!(beside(&[0.3]), 0.2);
        assert_eq!(beside(&[0.001, 0.3]), 0.2);
        assert_eq!(beside(&[]), 0.02);
    }

    #[test]
    fn a_gross_secondary_difference_is_found_whatever_the_primary_one_says() {
        let tests =
            [test(ComparisonFamily::Primary, 0.9, 0), test(ComparisonFamily::Secondary, 0.0004, 1)];
        assert_eq!(p_values(&tests), [0.9, 0.004]);
        let held = all(&[
            test(ComparisonFamily::Primary, 0.9, 0),
            test(ComparisonFamily::Secondary, 0.02, 1),
        ])
        .0[1];
        assert!(held.held_back && held.p >= ALPHA, "{held:?}");
    }

    #[test]
    fn other_families_take_nothing_from_the_primary_one() {
        let mut tests = vec![test(ComparisonFamily::Primary, 0.03, 0)];
        tests.extend((1..9).map(|id| test(ComparisonFamily::Secondary, 0.5, id)));
        tests.extend((9..12).map(|id| test(ComparisonFamily::Guard, 0.5, id)));
        tests.extend((12..20).map(|id| test(ComparisonFamily::Descriptive, 0.5, id)));
        assert_eq!(p_values(&tests)[0], 0.03);
        // α + α/10 for primary and secondary tests, α/2 for the guards.
        assert!((all(&tests).1.error_rate() - 0.08).abs() < 1e-15);
    }

    #[test]
    fn any_false_verdict_is_as_rare_as_the_rate_says() {
        use ComparisonFamily::{Guard, Primary, Secondary};
        const STUDIES: usize = 20_000;
        for different in 0..=2 {
            let mut stream = RandomStream::new(different as u64);
            let mut drawn = || stream.word() as f64 / 2_f64.powi(64);
            let mut rate = 0.0;
            let is_false = (0..STUDIES).filter(|_| {
                let tests = [Primary, Primary, Secondary, Secondary, Secondary, Guard, Guard];
                let p = |id| if id < different { 0.0 } else { drawn() };
                let p: Vec<f64> = (0..tests.len()).map(p).collect();
                let tests: Vec<_> =
                    (0..).zip(tests).map(|(id, one)| test(one, p[id], id)).collect();
                let (found, families) = all(&tests);
                rate = families.error_rate();
                // Of a guard only the half that is worse is a verdict.
                let mut equal = found.iter().skip(different);
                equal.any(|one| one.p < ALPHA && (one.family != Guard || drawn() < 0.5))
            });
            let share = is_false.count() as f64 / STUDIES as f64;
            let error = (rate * (1.0 - rate) / STUDIES as f64).sqrt();
            assert!(share < rate + 3.0 * error, "{different}: {share} above {rate}");
            // Each family at its own level is more than α of the report.
            assert!(different == 1 || share > ALPHA + 3.0 * error, "{different}: {share}");
        }
    }

    #[test]
    fn copies_count_once_and_share_the_p_of_their_strongest_family() {
        let tests = [
            test(ComparisonFamily::Primary, 0.02, 0),
            test(ComparisonFamily::Primary, 0.02, 0),
            test(ComparisonFamily::Primary, 0.04, 1),
            test(ComparisonFamily::Secondary, 0.02, 0),
        ];
        assert_eq!(p_values(&tests), [0.04, 0.04, 0.04, 0.04]);
        let families = all(&tests).1;
        let primary = families.get(ComparisonFamily::Primary).unwrap();
        assert_eq!((primary.tests, primary.copies, primary.counted), (4, 2, 2));
        assert_eq!(families.get(ComparisonFamily::Secondary), None);
    }

    #[test]
    fn noise_is_adjusted_by_the_same_order_of_families() {
        let with_noise = |family, noise_p, hypothesis| Unadjusted {
            noise_p: Some(noise_p),
            ..test(family, 0.001, hypothesis)
        };
        let tests = [
            with_noise(ComparisonFamily::Primary, 0.3, 0),
            with_noise(ComparisonFamily::Secondary, 0.02, 1),
        ];
        let found: Vec<_> = all(&tests).0.iter().map(|one| one.noise_p).collect();
        assert_eq!(found, [Some(0.3), Some(0.2)]);
    }
}
