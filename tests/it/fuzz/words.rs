//! Short texts that the program takes apart: conditions, addresses of runs, credentials, places in
//! documents.

use std::path::Path;

use reportgen::conditions::Condition;
use reportgen::marked::{self, LineKind, Marked, PROSE};
use reportgen::model::{self, RunLabel};
use reportgen::pipeline::RunAddress;

use super::campaign::{Input, Outcome, Target};
use super::corpus::{self, Seed};

const CONDITIONS: [&str; 8] = [
    "format_rate >= 95%",
    "change(exec_success_rate) < 10pp",
    "trend(reward) > 0 and step >= 50",
    "not (mean(reward, 5) <= -1.5e3 or `a b`!=c.d/e@1) and $12 > cost",
    "(((a > 1)))",
    "p95(latency) ≤ 3s or NaN == x",
    "share(error.timeout, 1, 2) ≥ 0.5%",
    "0.1_0 < x",
];
const ADDRESSES: [&str; 6] = [
    "runs/a::model=b",
    "runs/a.csv::model=b::seed=1",
    "::=",
    "a::b::c=d=e::f",
    "C:\\runs\\a::x_y-z.1=a::b",
    "runs/中::模型=值",
];
const SECRETS: [&str; 7] = [
    "python train.py --api-key abc --lr 1e-4 HF_TOKEN=hf_0123456789012345678901234567890123",
    "{\"api_key\": \"x\", 'password' : 'y'} the token: a word",
    "Authorization: Bearer abc.def.ghi\r\nX-Api-Key: x",
    "https://user:pass@host/path?token=x&a=b#c",
    "postgres://a:b@c:5432/d --no-token token_count=5",
    "sk-0123456789abcdefghij AKIA0123456789ABCDEF glpat-0123456789abcdefghij",
    "密码 password=密码 --secret='a b' \\\"secret\\\": \\\"c\\\"",
];
/// What is masked wherever it stands alone.
const SHAPED: &str = "hf_0123456789abcdefghijklmnopqrstuvwx";

pub(super) fn targets() -> Vec<Target> {
    let target = |name: &str, share, corpus, run: fn(&Path, &Input) -> Outcome| Target {
        name: name.to_owned(),
        share,
        most: 1024,
        corpus,
        run: Box::new(run),
    };
    let documents = corpus::named(|name| corpus::extension(name) == "md").into_iter();
    let document =
        "# A\n<!-- reportgen:prose a -->\nwords\n<!-- reportgen:end -->\n```\n# b\n```\n";
    let documents: Vec<Seed> = documents.chain([Seed::of("text", document)]).collect();
    vec![
        target("condition", 40, corpus::texts(&CONDITIONS), condition),
        target("address", 20, corpus::texts(&ADDRESSES), address),
        target("credentials", 20, corpus::texts(&SECRETS), credentials),
        Target { most: 8192, ..target("marked", 20, documents, places) },
    ]
}

/// A condition is read as it was written, and what is made of it is read as the same.
fn condition(_: &Path, input: &Input) -> Outcome {
    let text = input.text();
    match Condition::parse(&text) {
        Ok(condition) if condition.text() != text => Err(format!("became {condition:?}")),
        Ok(condition) => Ok(format!("{condition:?} {:?}", condition.quantities())),
        Err(error) if error.at > text.chars().count() + 1 => Err(format!("outside: {error}")),
        Err(error) => Ok(error.to_string()),
    }
}

/// What an address was taken apart to is that address.
fn address(place: &Path, input: &Input) -> Outcome {
    let given = place.join(input.text().trim_start_matches('/'));
    let address = RunAddress::of(&given);
    let mut again = address.path.clone().into_os_string();
    again.push(RunLabel::behind_path(&address.labels));
    let text = given.to_string_lossy();
    let is_inside = |at: usize| {
        let (directory, name) = (Path::new(&text[..at]), &text[at + 2..]);
        let is_named = address.labels.iter().any(|label| label.value == name);
        directory.join(name) == address.path || is_named && directory == address.path
    };
    let is_inside = text.match_indices("::").any(|(at, _)| is_inside(at));
    if Path::new(&again) == given || is_inside {
        Ok(format!("{address:?}"))
    } else {
        Err(format!("became {}", Path::new(&again).display()))
    }
}

fn credentials(_: &Path, input: &Input) -> Outcome {
    let text = input.text();
    let shown = model::without_secrets(&text);
    for around in ["\n", " ", "\"", ","] {
        let with = format!("{text}{around}{SHAPED}{around}");
        if model::without_secrets(&with).contains(SHAPED) {
            return Err(format!("shows a credential behind {around:?}: {with}"));
        }
    }
    Ok(format!("{shown} {}", model::names_secret(&text)))
}

/// Lines cover the text, places lie in it one behind the other.
fn places(_: &Path, input: &Input) -> Outcome {
    let text = input.text();
    let marked = match Marked::read(&text, &[PROSE]) {
        Ok(marked) => marked,
        Err(unpaired) => return Ok(format!("{unpaired:?}")),
    };
    let lines: String = marked.lines.iter().map(|line| marked.line(line)).collect();
    if lines != text {
        return Err(format!("lines are {lines:?}"));
    }
    let mut behind = 0;
    for place in &marked.places {
        let inside = place.whole.start <= place.content.start
            && place.content.end <= place.whole.end
            && text.get(place.content.clone()).is_some();
        if place.whole.start < behind || !inside || text.get(place.whole.clone()).is_none() {
            return Err(format!("{place:?} behind {behind}"));
        }
        behind = place.whole.end;
    }
    let heads = marked.outside().filter(|(_, line, _)| matches!(line.kind, LineKind::Heading(_)));
    let heads: Vec<&str> = heads.map(|(_, _, line)| marked::heading_text(line)).collect();
    Ok(format!("{:?} {heads:?}", marked.places))
}
