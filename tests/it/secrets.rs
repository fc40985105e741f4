//! Credentials that runs record, what is shown of them, and what only looks like one.

use serde_json::json;

use crate::command::{at_terminal, compared, reportgen};
use crate::directory::Directory;
use crate::report::list;

/// Letters and digits as they are drawn for tokens.
const DRAWN: &str = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7z";
const HEX: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

/// Where a configuration may hold a credential: a table of YAML, with `§` where it stands, and the
/// credential with `{d}` for what is drawn and `{h}` for hexadecimal digits.
const KINDS: &[(&str, &str)] = &[
    ("api_key: §", "plain"),
    ("OPENAI_API_KEY: §", "plain"),
    ("apiKey: §", "plain"),
    ("api_keys: [§]", "plain"),
    ("api_keys: {openai: §}", "plain"),
    ("hf_token: §", "plain"),
    ("user_token: §", "plain"),
    ("access_tokens: [§]", "plain"),
    ("auth: §", "plain"),
    ("pass: §", "plain"),
    ("db_pass: §", "plain"),
    ("passwd: §", "plain"),
    ("pwd: §", "plain"),
    ("password: §", "plain"),
    ("passwords: {me: §}", "plain"),
    ("passphrase: §", "plain"),
    ("cookie: session=§", "plain"),
    ("cookies: [§]", "plain"),
    ("ssh_key: §", "plain"),
    ("signing_key: §", "plain"),
    ("master_key: §", "plain"),
    ("encryption_key: §", "plain"),
    ("client_secret: §", "plain"),
    ("secrets: {any: §}", "plain"),
    ("credentials: {any: §}", "plain"),
    ("jwt: §", "plain"),
    ("auths: {registry: {auth: §}}", "plain"),
    ("user: {client-key-data: §}", "plain"),
    ("AWS_SECRET_ACCESS_KEY: §", "plain"),
    ("wandb_key: §", "{h}0a1b2c3d"),
    ("env: [{name: OPENAI_API_KEY, value: §}]", "plain"),
    ("env: [{value: §, name: OPENAI_API_KEY}]", "plain"),
    ("headers: {Authorization: Bearer §}", "plain"),
    ("header: \"Authorization: Basic §\"", "plain"),
    ("header: \"Authorization: Bearer §\"", "plain"),
    ("header: \"Cookie: session=§; path=/\"", "plain"),
    ("header: \"X-Api-Key: §\"", "plain"),
    ("words: [serve, --api-key, §]", "plain"),
    ("words: [mysql, -u, root, -p, §]", "plain"),
    ("line: serve --api-key=§ --port 80", "plain"),
    ("line: serve --api-key § --port 80", "plain"),
    ("line: 'serve --password \"two §\" --port 80'", "words"),
    ("line: mysql -u root -p§ db", "plain"),
    ("line: docker login -u me -p § host", "plain"),
    ("line: curl -u me:§ https://host", "plain"),
    ("line: curl --user me:§ https://host", "plain"),
    ("line: sshpass -p § ssh host", "plain"),
    ("line: redis-cli -a § ping", "plain"),
    ("line: zip -r -P § out.zip runs", "plain"),
    ("line: unzip -P§ out.zip", "plain"),
    ("url: 'https://host/api/run?code=§'", "{d}"),
    ("line: wandb login §", "{h}0a1b2c3d"),
    ("line: wandb login --relogin §", "plain9word"),
    ("line: 'first do wandb login §. Then train'", "plain9word"),
    ("line: 'cat data |curl -u me:§ https://host'", "plain"),
    ("line: 'true;mysql -p§ -h host'", "plain"),
    ("line: wandb login --host https://h4.example.com '§' failed", "plain9word"),
    ("line: HF_TOKEN=§ python train.py", "plain"),
    ("line: java -Dpassword=§ Main", "plain"),
    ("text: 'invalid password: §'", "plain"),
    ("text: 'the password is §'", "hunter2"),
    ("text: 'Incorrect API key provided: §.'", "plain"),
    ("text: '{\"api_key\": \"§\"}'", "plain"),
    ("text: \"lr: 1\\npassword: two §\\nseed: 2\"", "words"),
    ("text: 'pretrained=m,token=§,dtype=x'", "plain"),
    ("text: 'AccountName=a;AccountKey=§;x=y'", "plain"),
    (
        "json: '{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n§\\n-----END PRIVATE KEY-----\"}'",
        "MIIE",
    ),
    (
        "pem: \"-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n§\\n-----END RSA PRIVATE KEY-----\\n\"",
        "MIIE",
    ),
    ("url: 'https://me:§@host/x'", "plain"),
    ("url: 'https://§@host/x'", "{d}"),
    ("url: 'postgres://me:a/§@host/db'", "plain"),
    ("url: 'https://host/x?sig=§&se=1'", "plain"),
    ("url: 'https://host/x?a=b&X-Amz-Signature=§'", "plain"),
    ("url: 'https://b.tos-cn-beijing.volces.com/k?X-Tos-Signature=§'", "plain"),
    ("url: 'https://b.oss-cn-hangzhou.aliyuncs.com/k?x-oss-signature=§&x=1'", "plain"),
    ("url: 'https://b.cos.ap-nanjing.myqcloud.com/k?q-ak=x&q-signature=§'", "plain"),
    ("url: 'https://hooks.slack.com/services/T0/B0/§'", "plain"),
    ("url: 'https://discord.com/api/webhooks/1/§'", "plain"),
    ("note: see §", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{d}"),
    ("note: see §", "hf_{d}"),
    ("note: see §", "ghp_{d}"),
    ("note: see §", "github_pat_{d}"),
    ("note: see §", "glpat-{d}"),
    ("note: see §", "npm_{d}"),
    ("note: see §", "pypi-AgEIcHlwaS5vcmc{d}"),
    ("note: see §", "sk-ant-api03-{d}"),
    ("note: see §", "sk-proj-{d}"),
    ("note: see §", "sk-{d}"),
    ("note: see §", "xoxb-1234567890-{d}"),
    ("note: see §", "AKIAIOSFODNN7EXAMPLE"),
    ("note: see §", "AIzaSy{d}abcd"),
    ("note: see §", "ya29.{d}"),
    ("note: see §", "SG.{d}.{d}"),
    ("note: see §", "dop_v1_{h}{h}"),
    ("note: see §", "shpat_{h}"),
    ("note: see §", "lin_api_{d}"),
    ("note: see §", "nvapi-{d}"),
    ("note: see §", "gsk_{d}"),
    ("note: see §", "xai-{d}"),
    ("note: see §", "r8_{d}"),
    ("note: see §", "lsv2_pt_{h}"),
    ("note: see §", "hvs.{d}"),
    ("note: see §", "dapi{h}"),
    ("note: see §", "AGE-SECRET-KEY-1{d}"),
    ("note: see §", "CCIPAT_{d}"),
    ("note: see §", "bkua_{h}"),
    ("note: see §", "sgp_{h}"),
    ("note: see §", "pul-{h}01234567"),
    ("note: see §", "bce-v3/ALTAK-{d}/x"),
    ("note: see §", "{d}+/{d}=="),
    ("secret: [x, {a: §}]", "plain"),
    ("tokenKey: §", "plain"),
    ("openai_key: §", "plain"),
    ("\"api_key \": §", "plain"),
    ("\"api_key\u{200b}\": §", "plain"),
    ("\"a\u{200d}pi_key\": §", "plain"),
    ("text: \"api_key\u{200b}=§\"", "plain"),
];

/// What looks like a credential and is none.
const LOOK_ALIKES: &[(&str, &str)] = &[
    ("max_tokens", "512"),
    ("max_new_tokens", "513"),
    ("eos_token", "<|im_end|>"),
    ("pad_token", "[PAD]"),
    ("decoder_start_token", "x-start"),
    ("tokenizer", "org/tokenizer-32k"),
    ("tokens_per_step", "4096"),
    ("commit", "3f786850e387550fdab836ed7e6dc881de23001b"),
    ("git.sha", "89e6c98d92887913cadf06b2adb97f26cde4849b"),
    ("digest", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    ("run_ident", "grko4P74DFgoHxFbNTs4bP"),
    ("image_id", "aB3dE6gH9jK2mN5pQ8sT1vW4xY7z"),
    ("integrity", "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("library", "sk-learn-and-other-libraries"),
    ("model", "Qwen/Qwen2.5-Coder-32B-Instruct-GPTQ-Int4"),
    ("architecture", "LlamaForCausalLM2ForSequenceClassification"),
    ("weights", "/data/checkpoints/step_000500/model-00001-of-00004.safetensors"),
    ("chosen_metric", "pass@1"),
    ("pass_rate", "0.25"),
    ("first_pass", "everything"),
    ("auth", "none"),
    ("use_auth_token", "true"),
    ("author", "somebody"),
    ("cookie_cutter", "template-7"),
    ("primary_key", "question_id"),
    ("keyboard", "us-intl"),
    ("secretary", "somebody-else"),
    ("env.PWD", "/srv/me/work"),
    ("hub_url", "https://host:8000/v1?page=2"),
    ("repository", "git@github.com:me/repository.git"),
    ("served", "serve -p 8000 --token $HF_TOKEN"),
    ("copied", "rsync -P runs host:/srv"),
    ("tested_by", "https://host/x?code=humaneval-plus-v1&lang=en"),
    ("group", "sgp_mmlu_high_school_physics"),
    ("pulled", "pul-request-of-somebody-who-wrote-it-well"),
];

/// The credential of a kind in one of two runs, and what tells it from all others.
fn secret(kind: usize, arm: usize) -> (String, String) {
    // Digits and letters in turn, as in what is drawn.
    let mark = format!("q{}Z{}x{arm}", kind / 10, kind % 10);
    let (_, form) = KINDS[kind];
    let written = form.replace("{d}", &format!("{DRAWN}{mark}")).replace("{h}", HEX);
    if form.contains("{h}") {
        // The first digits tell it.
        let mark = format!("{kind:02x}f{arm}");
        return (written.replace("0a1b", &mark), format!("{mark}2c3d"));
    }
    match form {
        "AKIAIOSFODNN7EXAMPLE" => {
            (format!("AKIAIOSFODNN{arm}{kind}ABCDEF"), format!("NN{arm}{kind}AB"))
        }
        form if form.contains("{d}") => (written, mark),
        form => (format!("{form}{mark}"), mark),
    }
}

fn config(arm: usize) -> String {
    let kinds = KINDS.iter().enumerate().map(|(kind, (table, _))| {
        format!("kind{kind}:\n  {}\n", table.replace('§', &secret(kind, arm).0))
    });
    std::iter::once(format!("lr: {arm}\n")).chain(kinds).collect()
}

fn texts(arm: usize) -> impl Iterator<Item = String> {
    // What names a whole value in a table says nothing in a text.
    let kinds = KINDS.iter().enumerate().filter(|(_, (table, _))| {
        ["line", "text", "url", "note", "header", "json", "pem"]
            .iter()
            .any(|name| table.starts_with(&format!("{name}: ")))
    });
    kinds.map(move |(kind, (table, _))| {
        let (_, text) = table.split_once(": ").expect("a text");
        text.trim_matches(['\'', '"']).replace('§', &secret(kind, arm).0)
    })
}

/// Fails where one of the credentials is in one of the texts.
#[track_caller]
fn shows_none(said: &[(String, String)]) {
    let mut shown = Vec::new();
    for (place, text) in said {
        for (kind, named) in KINDS.iter().enumerate() {
            for arm in 0..2 {
                let (_, mark) = secret(kind, arm);
                if let Some(line) = text.lines().find(|line| line.contains(&mark)) {
                    let at = line.find(&mark).unwrap_or_default();
                    let around: String =
                        line.chars().skip(at.saturating_sub(80)).take(160).collect();
                    shown.push(format!("{named:?} in {place}: {around}"));
                }
            }
        }
    }
    assert!(shown.is_empty(), "{} are shown\n{}", shown.len(), shown.join("\n"));
}

fn two_runs(write: impl Fn(&Directory, &str, usize)) -> (Directory, [String; 3]) {
    let directory = Directory::new();
    for (arm, run) in ["one", "two"].iter().enumerate() {
        write(&directory, run, arm);
        directory.write(format!("{run}/metrics.json"), json!({ "accuracy": 0.5 }).to_string());
    }
    let words = ["one", "two", "out"].map(|name| directory.word(name));
    (directory, words)
}

const FORMATS: &str = "md,html,json,csv";

#[test]
fn no_kind_of_credential_in_a_configuration_reaches_an_output() {
    let (directory, [one, two, target]) = two_runs(|directory, run, arm| {
        directory.write(format!("{run}/config.yaml"), config(arm));
        let results = json!({
            "results": { "arc": { "acc,none": 0.5, "acc_stderr,none": 0.02 } },
            "versions": { "arc": 1 },
            "config": { "model_args": format!("pretrained=m,token={}", secret(0, arm).0) },
        });
        directory.write(format!("{run}/results_2024.json"), results.to_string());
    });
    let [one, two, target] = [&one, &two, &target].map(String::as_str);
    let mut said = Vec::new();
    for arguments in [
        vec!["compare", one, two, "--vary", "api_key", "-o", target, "--format", FORMATS],
        vec!["compare", one, two, "--vary", "lr", "--detail", "full"],
        vec!["compare", one, two, "--lang", "zh"],
        vec!["check", one, two],
        vec!["inspect", one, two],
    ] {
        let ended = reportgen(&arguments);
        said.push((arguments.join(" "), format!("{}{}", ended.out, ended.err)));
    }
    let short = at_terminal(["compare", one, two], 120, false);
    said.push(("terminal".to_owned(), format!("{}{}", short.out, short.err)));
    for format in FORMATS.split(',') {
        let file = format!("out/report.{format}");
        said.push((file.clone(), directory.read(file)));
    }
    shows_none(&said);
    assert!(said.iter().any(|(_, text)| text.contains("--api-key=•••")), "the rest is shown");
    let written = directory.read("one/config.yaml");
    for (kind, named) in KINDS.iter().enumerate() {
        assert!(written.contains(&secret(kind, 0).1), "{named:?} is in no file");
    }
}

#[test]
fn no_kind_of_credential_in_a_log_reaches_an_output_of_quality() {
    // Several lines in one are no longer told apart.
    let told = texts(0).filter(|text| !text.contains("\\nseed"));
    let lines = told.map(|text| {
        let text = text.replace("\\n", " ");
        format!("2026-01-01 ERROR trainer: failed: {text}\nValueError: {text}\n")
    });
    let log: String = lines.collect();
    let directory = Directory::of([("run/train.log", log)]);
    let [run, target] = ["run", "out"].map(|name| directory.word(name));
    let ended = reportgen(["quality", &run, "-o", &target, "--format", FORMATS]);
    let mut said = vec![("quality".to_owned(), format!("{}{}", ended.out, ended.err))];
    for format in FORMATS.split(',') {
        let file = format!("out/report.{format}");
        said.push((file.clone(), directory.read(file)));
    }
    assert!(said.iter().any(|(_, text)| text.contains("--api-key=•••")), "the rest is shown");
    shows_none(&said);
}

#[test]
fn credentials_reach_no_file_of_metrics_and_other_texts_are_kept() {
    let answer = "def f(api_key: str, token=tok):\n    return g(api_key=api_key, max_tokens=5)";
    let shapes = texts(0).filter(|text| text.starts_with("see ") || text.contains("://"));
    let shapes = shapes.filter(|text| !text.contains('+'));
    let lines = shapes.enumerate().map(|(id, text)| {
        let record = json!({
            "dataset": "d", "task_id": id, "prompt": format!("read {text} now"), "response": answer,
            "accepted": id % 2 == 0, "api_key": secret(0, 0).0, "note": format!("api_key={}", secret(1, 0).0),
            "messages": [{ "role": "user", "content": text }],
        });
        format!("{record}\n")
    });
    let directory = Directory::of([("in/d.jsonl", lines.collect::<String>())]);
    let [input, target] = ["in/d.jsonl", "out"].map(|name| directory.word(name));
    let ended = reportgen(["metrics", &input, "-o", &target, "--format", FORMATS]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let files =
        ["report.md", "report.html", "report.json", "report.csv", "metrics.json", "summary.json"];
    let files = files.iter().chain(&["qa_logs/qa_summary.json", "qa_logs/d_qa.jsonl"]);
    let said: Vec<(String, String)> =
        files.map(|file| ((*file).to_owned(), directory.read(format!("out/{file}")))).collect();
    shows_none(&said);
    let (_, log) = said.last().expect("a log");
    let line: serde_json::Value =
        serde_json::from_str(log.lines().next().expect("a line")).expect("JSON");
    assert_eq!(line["response"], answer);
    assert_eq!(line["extra"]["api_key"], "•••");
}

#[test]
fn what_only_looks_like_a_credential_is_shown() {
    let (_directory, [one, ..]) = two_runs(|directory, run, _| {
        let lines = LOOK_ALIKES.iter().map(|(key, value)| format!("{key}: \"{value}\"\n"));
        directory.write(format!("{run}/config.yaml"), lines.collect::<String>());
    });
    let ended = reportgen(["inspect", &one]);
    for (key, value) in LOOK_ALIKES {
        assert!(ended.out.contains(&format!("{key} = {value}\n")), "{key} in\n{}", ended.out);
    }
    assert!(!ended.out.contains('•'), "{}", ended.out);
}

#[test]
fn what_an_error_quotes_of_the_input_is_masked() {
    let directory = Directory::new();
    let key = format!("sk-proj-{DRAWN}");
    directory.write("reportgen.toml", format!("api_key = \"{key}\"\nvary = [\"{key}\"\n"));
    let [run, config] = ["gone", "reportgen.toml"].map(|name| directory.word(name));
    for arguments in [
        vec!["compare", run.as_str(), &run, "--config", &config],
        vec!["compare", key.as_str(), &key],
        vec!["compare", run.as_str(), "--no-such-flag", &key],
        vec![key.as_str()],
        vec!["explain", key.as_str()],
        vec!["inspect", key.as_str()],
    ] {
        let ended = reportgen(&arguments);
        assert_ne!(ended.status, 0, "{arguments:?}");
        assert!(!format!("{}{}", ended.out, ended.err).contains(DRAWN), "{}", ended.err);
    }
}

#[test]
fn runs_that_differ_in_credentials_alone_are_as_declared() {
    let (_directory, runs) = two_runs(|directory, run, arm| {
        let text = format!(
            "lr: {arm}\napi_key: key{arm}\ncommand_line: serve --token=t{arm}\nsigning_key: k{arm}\n\
             env: [{{name: HF_TOKEN, value: v{arm}}}]\nnote: see sk-proj-{DRAWN}{arm}\n"
        );
        directory.write(format!("{run}/config.yaml"), text);
    });
    let report = compared(&runs[..2], &[]);
    assert_eq!(report["comparability"]["grade"], "as-declared");
    let residue = list(&report["comparability"], "residue");
    let key = residue.iter().find(|one| one["key"] == "api_key").expect("the key differs");
    assert_eq!([&key["baseline"], &key["candidate"]], ["•••", "•••"]);
    assert_eq!(key["can_move_metric"], false);
}
