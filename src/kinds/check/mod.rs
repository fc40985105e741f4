//! `check`: whether runs may be compared, before their results are there.

mod args;

use clap::Args as _;

use super::arms::{PreparedArms, make_report};
use super::{Kind, Made, Request, parsed};
use crate::exit::{ExitStatus, Failure};
use crate::gate::GateRule;
use crate::pipeline;
use crate::report::sections::CHECK_PARTS;
use crate::report::{self, Form};
use crate::settings::Flags;
use args::{CheckArguments, CheckRule};

const FORM: Form = Form { kind: "check", title: "report.title-check", has_sheet: false };

pub(super) static KIND: Kind = Kind {
    name: FORM.kind,
    about: "Check that runs are comparable before you pay for an evaluation",
    examples: args::EXAMPLES,
    has_table: false,
    has_sheet: FORM.has_sheet,
    section_ids: || report::section_ids(CHECK_PARTS),
    add_arguments: CheckArguments::augment_args,
    run: |matches, request| run(&parsed(matches)?, request),
};

fn run(arguments: &CheckArguments, request: &Request<'_>) -> Result<Made, Failure> {
    // A mismatch is always a gate, which also keeps the gates of the configuration file out.
    let warning = arguments.fail_on.contains(&CheckRule::Warning).then_some(GateRule::Warning);
    let fail_on = [GateRule::Mismatch].into_iter().chain(warning).collect();
    let flags = Flags { fail_on, ..Flags::default() };
    let PreparedArms { mut settings, arms, noise, noticed } =
        PreparedArms::new(&arguments.arms, flags, request)?;
    settings.strict = false;
    settings.gates.clear();
    let words = settings.words();
    let made = pipeline::check(&arms, &noise, &settings, noticed, |stages, noticed| {
        make_report(stages, noticed, None, (&settings, request.command, request.now), |material| {
            let sections = report::sections(CHECK_PARTS, |blocks| blocks(material), words);
            report::build(material, FORM, sections, None)
        })
    });
    let mut made = made.map_err(|error| error.into_failure(words))?;
    if arguments.report_only && made.status != ExitStatus::InputOutput {
        made.status = ExitStatus::Done;
    }
    Ok(made)
}
