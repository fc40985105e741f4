//! `reportgen check`.

use std::io::Write;

use super::{Failure, compare};
use crate::cli::Surroundings;
use crate::cli::args::{CheckArguments, CheckRule, CompareArguments, RuleArgument};
use crate::cli::exit::ExitStatus;
use crate::pipeline;

pub(super) fn run(
    arguments: CheckArguments,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let report_only = arguments.report_only;
    let arguments = of_compare(arguments);
    let made = compare::made(arguments, &pipeline::check, command, surroundings, out, err)?;
    if made.compared.left_out > 0 {
        Ok(ExitStatus::InputOutput)
    } else if report_only {
        Ok(ExitStatus::Done)
    } else {
        Ok(ExitStatus::of_gates(&made.compared.gates, false))
    }
}

/// The same choices for `compare`; what is about statistics stays at its default. A mismatch is
/// always a gate, which also keeps the gates of the configuration file out.
fn of_compare(arguments: CheckArguments) -> CompareArguments {
    let warns = arguments.fail_on.contains(&CheckRule::Warning);
    let warning = warns.then_some(RuleArgument::Warning);
    CompareArguments {
        runs: arguments.runs,
        arm: arguments.arm,
        baseline: arguments.baseline,
        vary: arguments.vary,
        output: arguments.output,
        format: arguments.format,
        lang: arguments.lang,
        alpha: None,
        power: None,
        margin: Vec::new(),
        cluster: arguments.cluster,
        pass_at: Vec::new(),
        fail_on: [RuleArgument::Mismatch].into_iter().chain(warning).collect(),
        strict: false,
        anytime: false,
        accept: arguments.accept,
        noise: Vec::new(),
        by: Vec::new(),
        split: None,
        prose: Vec::new(),
        templates: arguments.templates,
        own: arguments.own,
        config: arguments.config,
    }
}
