//! Columns that say of how many samples a row is.

use super::above::is_empty_word;
use super::readings::Facet;
use crate::marked::Written;

/// How many samples a cell says that its row is of; nothing where it is empty or has the size of a model,
/// `None` where it was not understood.
pub(super) fn samples(written: &Written) -> Option<Vec<Facet>> {
    match written {
        Written::Figure(figure) if figure.suffix.trim().is_empty() => {
            let is_count = figure.value >= 0.0 && figure.value.fract() == 0.0;
            is_count.then(|| vec![Facet::Samples(figure.value as u64)])
        }
        Written::Figure(figure) if MODEL_SIZES.contains(&figure.suffix.trim()) => Some(Vec::new()),
        Written::Text(words) => {
            let size = words.trim().strip_suffix(['B', 'b', 'M']).map(str::trim);
            let is_model = size.is_some_and(|size| size.parse::<f64>().is_ok());
            (is_model || is_empty_word(words)).then(Vec::new)
        }
        Written::Asked(_) => Some(Vec::new()),
        _ => None,
    }
}

/// What stands behind the number of parameters of a model.
const MODEL_SIZES: &[&str] = &["B", "b", "M"];
