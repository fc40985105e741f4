//! Help of `phase`; its arguments are those of `compare`.

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen phase runs/phase0 runs/phase1 --vary model_path --config reportgen.toml
  reportgen phase base/ tuned/ --format json | jq -r '.expectations[] | [.name, .outcome] | @tsv'

Compares like `reportgen compare` and reports on a training phase: quality and errors against
expectations, what errors turned into, and declared anomalies. Expectations are in reportgen.toml,
for example:

  [phase.expect]
  \"codecontests_valid/exec_success_rate\" = \"↑ +20-40pp\"
  syntax_error = \"↓ -30-60% relative\"
  \"humaneval/pass@1\" = \"must not degrade\"

  [[phase.anomaly]]
  name = \"hardly better\"
  when = \"change(exec_success_rate) < 10pp\"
  cause = \"poor training data\"
  response = \"look into the failures\"

Exit status: 0 done, 1 gate failed, 2 usage, 3 gates not evaluated, 4 I/O error";
