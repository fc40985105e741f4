//! Which rules apply to which document.

use std::collections::BTreeMap;

use glob::Pattern;
use serde::Deserialize;

use crate::cli::args::LintArguments;
use crate::lint::{AGAINST, RULES, Rule};
use crate::settings::{self, ConfigFile};
use crate::text::{Lang, Refusal};

#[derive(Default, Deserialize)]
struct WireFile {
    lang: Option<Lang>,
    #[serde(default)]
    lint: WireLint,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireLint {
    #[serde(default)]
    all: bool,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    skip: Vec<String>,
    /// Rules that are left out, by pattern of the paths of documents.
    #[serde(default)]
    paths: BTreeMap<String, Vec<String>>,
}

pub(super) struct Choice {
    pub(super) lang: Option<Lang>,
    /// Rules that are off apply as well.
    all: bool,
    only: Vec<String>,
    skip: Vec<String>,
    paths: Vec<(Pattern, Vec<String>)>,
}

impl Choice {
    /// The flags over the table `[lint]` of the configuration file.
    ///
    /// # Errors
    /// When the file does not parse, names no rule, or has a pattern that is none.
    pub(super) fn new(
        arguments: &LintArguments,
        file: Option<&ConfigFile>,
    ) -> Result<Self, Refusal> {
        let WireFile { lang, lint } = settings::tables(file, &["lint"])?;
        let mut patterns = Vec::new();
        if let Some(file) = file {
            known(&lint.only, file, &["lint", "only"])?;
            known(&lint.skip, file, &["lint", "skip"])?;
            for (pattern, rules) in lint.paths {
                known(&rules, file, &["lint", "paths", &pattern])?;
                let read = Pattern::new(&pattern).map_err(|error| {
                    refused("refused.lint-pattern", file, &["lint", "paths", &pattern])
                        .with("pattern", pattern.as_str())
                        .because(error)
                })?;
                patterns.push((read, rules));
            }
        }
        let only = if arguments.only.is_empty() { lint.only } else { arguments.only.clone() };
        let skip = lint.skip.into_iter().chain(arguments.skip.iter().cloned()).collect();
        let all = arguments.all || (lint.all && arguments.only.is_empty());
        Ok(Self { lang, all, only, skip, paths: patterns })
    }

    pub(super) fn applies(&self, rule: &Rule, path: &str) -> bool {
        let names = |rules: &[String]| rules.iter().any(|name| name == rule.name);
        let is_chosen = self.only.is_empty() || names(&self.only);
        let is_on = self.all || (is_chosen && (rule.is_on || !self.only.is_empty()));
        let is_left_out =
            |(pattern, rules): &(Pattern, Vec<String>)| pattern.matches(path) && names(rules);
        is_on && !names(&self.skip) && !self.paths.iter().any(is_left_out)
    }
}

/// Whether the rule of figures that runs contradict applies to a document.
pub(super) fn asks_for_runs(choice: &Choice, path: &str) -> bool {
    RULES.iter().any(|rule| rule.name == AGAINST && choice.applies(rule, path))
}

fn known(rules: &[String], file: &ConfigFile, keys: &[&str]) -> Result<(), Refusal> {
    let is_known = |name: &&String| RULES.iter().any(|rule| rule.name == **name);
    match rules.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(refused("refused.lint-rule", file, keys)
            .with("name", name.as_str())
            .among(name, RULES.iter().map(|rule| rule.name))),
    }
}

fn refused(key: &'static str, file: &ConfigFile, keys: &[&str]) -> Refusal {
    let location = file.location(keys);
    let refusal = Refusal::new(key).with("path", location.path.as_str());
    refusal.with("line", location.line.unwrap_or(1))
}
