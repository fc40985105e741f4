//! What a code means, in the file that raises it.

use super::Code;

/// What a code means to somebody who meets it. It stands in the file that raises the code, so that
/// a rule and its description change together. Markdown, English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// When it is raised: the rule with its limits, and what is not meant by it.
    pub when: &'static str,
    /// What goes wrong when it is overlooked.
    pub why: &'static str,
}

impl Explanation {
    /// Explains a code by its rule and its reason.
    pub const fn new(code: Code, when: &'static str, why: &'static str) -> Self {
        Self { code, when, why }
    }
}
