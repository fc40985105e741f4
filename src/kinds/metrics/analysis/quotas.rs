//! How many records are drawn for reading, from the shipped list and the user's.

use indexmap::IndexMap;
use serde::Deserialize;

const SHIPPED: &str = include_str!("qa_quotas.toml");

/// How many records of a dataset are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetricsQuota {
    /// Of every kind of ending.
    pub per_type: u64,
    /// More from what is left.
    pub random: u64,
    /// In all, shared out evenly over the kinds; 0 where the other two count.
    pub total: u64,
}

/// What one kind is asked for and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Share {
    pub(super) asked: u64,
    pub(super) taken: u64,
}

/// The table `[metrics.qa]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetricsQuotas {
    /// Kinds of which none is drawn.
    leave_out: Option<Vec<String>>,
    /// For datasets without a row of their own.
    default: Option<MetricsQuota>,
    /// By name of the dataset.
    dataset: IndexMap<String, MetricsQuota>,
}

impl MetricsQuota {
    /// The most records of one kind that may be drawn.
    pub(super) fn most(self) -> usize {
        (self.per_type + self.random).max(self.total) as usize
    }

    /// What each kind gives, by how many it has.
    pub(super) fn shares(self, sizes: &[u64]) -> Vec<Share> {
        if self.total == 0 {
            let asked = self.per_type;
            return sizes.iter().map(|size| Share { asked, taken: asked.min(*size) }).collect();
        }
        let kinds = sizes.iter().filter(|size| **size > 0).count() as u64;
        let (each, mut rest) = match kinds {
            0 => (0, 0),
            kinds => (self.total / kinds, self.total % kinds),
        };
        // The first kinds are asked for what does not divide.
        let mut share = |size: &u64| {
            let more = u64::from(*size > 0 && rest > 0);
            rest -= more;
            Share { asked: if *size > 0 { each + more } else { 0 }, taken: 0 }
        };
        let mut shares: Vec<Share> = sizes.iter().map(&mut share).collect();
        let mut left = self.total.min(sizes.iter().sum());
        // One of each kind in turn: what one kind lacks, the others give.
        while left > 0 {
            for (share, size) in shares.iter_mut().zip(sizes) {
                if left > 0 && share.taken < *size {
                    share.taken += 1;
                    left -= 1;
                }
            }
        }
        shares
    }
}

impl MetricsQuotas {
    /// The shipped list behind the user's.
    ///
    /// # Errors
    /// What the parser says of the shipped list; a test holds it.
    pub fn over_shipped(self) -> Result<Self, toml::de::Error> {
        let mut all: Self = toml::from_str(SHIPPED)?;
        all.leave_out = self.leave_out.or(all.leave_out);
        // What the user says of every dataset is not taken back by a name that is shipped.
        if self.default.is_some() {
            all.dataset.clear();
        }
        all.default = self.default.or(all.default);
        for (name, quota) in self.dataset {
            all.dataset.retain(|known, _| !known.eq_ignore_ascii_case(&name));
            all.dataset.insert(name, quota);
        }
        Ok(all)
    }

    /// The rows that ask for a total and for numbers of each kind at once, by their keys.
    pub fn contradictions(&self) -> Vec<String> {
        let default = self.default.map(|quota| ("default".to_owned(), quota));
        let named = self.dataset.iter().map(|(name, quota)| (format!("dataset.{name}"), *quota));
        let both =
            |quota: &MetricsQuota| quota.total > 0 && (quota.per_type > 0 || quota.random > 0);
        let rows = default.into_iter().chain(named).filter(|(_, quota)| both(quota));
        rows.map(|(key, _)| format!("metrics.qa.{key}")).collect()
    }

    /// Datasets with a row of their own.
    pub fn datasets(&self) -> impl Iterator<Item = &str> {
        self.dataset.keys().map(String::as_str)
    }

    pub(super) fn quota(&self, dataset: &str) -> MetricsQuota {
        let own = self.dataset.iter().find(|(name, _)| name.eq_ignore_ascii_case(dataset));
        own.map(|(_, quota)| *quota).or(self.default).unwrap_or_default()
    }

    /// Kinds of which none is drawn, as written.
    pub fn left_out(&self) -> &[String] {
        self.leave_out.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_quotas_stand_behind_the_users() {
        let own: MetricsQuotas = toml::from_str("[dataset.humaneval]\ntotal = 7").expect("quotas");
        let all = own.over_shipped().expect("the shipped list is TOML");
        for (dataset, per_type, random, total) in [
            ("codecontests_valid", 5, 5, 0),
            ("mbpp_reg", 0, 0, 20),
            ("CodeContests_valid_big", 0, 0, 50),
            ("codecontests_test", 10, 0, 0),
            ("HumanEval", 0, 0, 7),
            ("another", 5, 5, 0),
        ] {
            assert_eq!(all.quota(dataset), MetricsQuota { per_type, random, total }, "{dataset}");
        }
        assert_eq!(all.left_out(), ["api_error"]);
    }

    #[test]
    fn the_default_of_the_user_stands_before_shipped_names() {
        let own: MetricsQuotas =
            toml::from_str("[default]\ntotal = 12\n[dataset.mbpp_reg]\nper_type = 1")
                .expect("quotas");
        let all = own.over_shipped().expect("the shipped list is TOML");
        assert_eq!(
            (all.quota("codecontests_valid").total, all.quota("MBPP_reg").per_type),
            (12, 1)
        );
    }

    #[test]
    fn what_a_total_asks_of_the_kinds_adds_up_to_it() {
        let asked = |total, sizes: &[u64]| -> Vec<u64> {
            let quota = MetricsQuota { total, ..MetricsQuota::default() };
            quota.shares(sizes).iter().map(|share| share.asked).collect()
        };
        assert_eq!(asked(12, &[9, 9, 9, 9, 9]), [3, 3, 2, 2, 2]);
        assert_eq!(asked(12, &[0, 9, 9, 9, 9, 9]), [0, 3, 3, 2, 2, 2]);
    }

    #[test]
    fn a_total_beside_numbers_of_kinds_contradicts_them() {
        let own: MetricsQuotas =
            toml::from_str("[default]\ntotal = 7\nper_type = 2\n[dataset.a]\ntotal = 7")
                .expect("quotas");
        assert_eq!(own.contradictions(), ["metrics.qa.default"]);
    }

    #[test]
    fn a_total_is_shared_evenly_and_what_one_lacks_the_others_give() {
        let taken = |total, sizes: &[u64]| -> Vec<u64> {
            let quota = MetricsQuota { total, ..MetricsQuota::default() };
            quota.shares(sizes).iter().map(|share| share.taken).collect()
        };
        assert_eq!(taken(20, &[100, 100, 100, 100, 100]), [4, 4, 4, 4, 4]);
        assert_eq!(taken(20, &[100, 2, 0, 100]), [9, 2, 0, 9]);
        assert_eq!(taken(20, &[3, 2]), [3, 2]);
        assert_eq!(taken(20, &[]), [0; 0]);
    }
}
