//! Slips on the command line and in the configuration: told in the language asked for, with what may
//! have been meant.

use crate::command::{Ended, reportgen};
use crate::directory::Directory;

struct Bench(Directory);

impl Bench {
    fn new() -> Self {
        let metrics = ["a", "b"].map(|run| (format!("{run}/metrics.json"), "{\"accuracy\": 0.5}"));
        let configs = ["a", "b"].map(|run| (format!("{run}/config.yaml"), "lr: 1.0e-5\n"));
        let bench = Self(Directory::new());
        for (path, text) in metrics.into_iter().chain(configs) {
            bench.0.write(&path, text);
        }
        bench
    }

    /// `compare a b` and further arguments.
    fn compare(&self, further: &[&str]) -> Ended {
        let runs = ["a", "b"].map(|run| self.0.word(run));
        let words = ["compare"].into_iter().chain(runs.iter().map(String::as_str));
        reportgen(words.chain(further.iter().copied()))
    }
}

#[test]
fn a_failure_is_told_in_the_language_of_the_flag_else_of_the_configuration() {
    let bench = Bench::new();
    bench.0.write("zh.toml", "lang = \"zh\"\n");
    let config = bench.0.word("zh.toml");
    for (arguments, label) in [
        (&["--alpha", "x"][..], "error: "),
        (&["--alpha", "x", "--lang", "zh"], "错误："),
        (&["--alpha", "2", "--lang=zh"], "错误："),
        (&["--alpha", "2", "--config", &config], "错误："),
        (&["--alpha", "2", "--config", &config, "--lang", "en"], "error: "),
    ] {
        let ended = bench.compare(arguments);
        assert_eq!(ended.status, 2, "{ended:?}");
        assert!(ended.err.starts_with(label), "{arguments:?}: {}", ended.err);
    }
}

#[test]
fn what_is_near_to_a_slip_stands_beside_it() {
    let bench = Bench::new();
    bench.0.write("reportgen.toml", "[margin]\naccuracy = 1\n");
    let config = bench.0.word("reportgen.toml");
    for (arguments, near) in [
        (["--vary", "learning_rate"], "did you mean `lr`?"),
        (["--margin", "accu=1pp"], "did you mean `accuracy`?"),
        (["--metric", "accuracyy"], "did you mean `accuracy`?"),
        (["--margin", "accuracy=0.05"], "0.05pp or 5pp"),
        (["--config", &config], "did you mean `margins`?"),
    ] {
        let ended = bench.compare(&arguments);
        assert!(ended.err.contains(near), "{arguments:?}: {}", ended.err);
    }
}
