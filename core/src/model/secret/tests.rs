use std::fs;

use super::address::HOOKS;
use super::names::{
    BEFORE_SOFT_NAMES, FOREIGN_NAMES, NAMES, PARAMETERS, PLACES, SERVICES, SOFT_NAMES, TABLES,
    VOCABULARY,
};
use super::shapes::SHAPES;
use super::value::IDENTITIES;
use super::{MASK, without_evident_secrets, without_secrets};
use crate::model::ConfigValue;

fn text(text: &str) -> ConfigValue {
    ConfigValue::Text(text.to_owned())
}

fn shown(key: &str, value: &str) -> String {
    text(value).masked(key).to_string()
}

#[test]
fn a_key_that_names_a_credential_shows_nothing_of_it() {
    for key in [
        "api_key",
        "OPENAI_API_KEY",
        "judge.apiKey",
        "hf_token",
        "hub-token",
        "wandb.token",
        "env.HF_TOKEN",
        "password",
        "db.passwd",
        "client_secret",
        "headers.Authorization",
        "aws_access_key_id",
        "secrets.anything",
        "secret.1.a",
        "secret.a",
        "hf_token.main",
        "password.0.of.me",
        "tokenKey",
        "openai_key",
        "openai_keys",
        "OpenAIKey",
        "HFToken",
        "APIKey",
        "API Key",
        "api_key ",
        "\u{feff}api_key\u{200b}",
        "密码：",
        "HF_TOKEN＝",
        "a\u{200d}pi_k\u{ad}ey",
        "ａｐｉ＿ｋｅｙ",
        "'api_key'",
        "api_key_1",
        "api_key2",
        "password1",
        "hf_token_prod",
        "CLIENTSECRET",
        "PGPASSWORD",
        "aws.secretaccesskey",
        "htpasswd",
        "my_creds",
        "数据库密码",
        "密钥",
    ] {
        assert_eq!(shown(key, "correct-horse"), MASK, "{key}");
        assert_eq!(ConfigValue::Number(7.0, "7".to_owned()).masked(key).to_string(), MASK);
    }
}

#[test]
fn a_key_that_only_sounds_alike_is_shown() {
    for key in [
        "pad_token",
        "eos_token",
        "bos_token",
        "max_tokens",
        "max_new_tokens",
        "image_token",
        "loss_per_token",
        "tokenizer",
        "primary_key",
        "keys",
        "secretary",
        "metric",
        "token.type",
        "tokenizer.pad_token.content",
        "answer_key",
        "sort key",
        "MONKey",
        "pass_1",
        "token_length_2",
    ] {
        assert_eq!(shown(key, "correct-horse"), "correct-horse", "{key}");
    }
    assert_eq!(shown("my_token", "<|im_end|>"), "<|im_end|>");
    assert_eq!(ConfigValue::Bool(true).masked("use_auth_token"), ConfigValue::Bool(true));
    assert_eq!(ConfigValue::Null.masked("api_key"), ConfigValue::Null);
}

#[test]
fn credentials_within_a_text_are_covered_and_the_rest_is_kept() {
    let drawn = "aB3dE6gH9jK2mN5pQ8sT1vW4";
    for (written, expected) in [
        ("serve --api-key=abc --port 80".to_owned(), "serve --api-key=••• --port 80"),
        ("serve --api-key abc --port 80".to_owned(), "serve --api-key ••• --port 80"),
        ("serve --hf.token abc --a.port 80".to_owned(), "serve --hf.token ••• --a.port 80"),
        ("serve --api-key \\\n  abc".to_owned(), "serve --api-key \\\n  •••"),
        ("COOKIE=abc API_KEY='a b' serve".to_owned(), "COOKIE=•••"),
        ("serve --cookie abc --api-key 'a b'".to_owned(), "serve --cookie ••• --api-key '•••'"),
        ("--cookie abc --hf_token=$'a b' serve".to_owned(), "--cookie ••• --hf_token=$'•••' serve"),
        ("cookie: abc; api_key: 'a b' serve".to_owned(), "cookie: ••• serve"),
        ("Set-Cookie: abc; password=\"a b\" serve".to_owned(), "Set-Cookie: ••• serve"),
        ("Cookie: abc --api-key 'a b' serve".to_owned(), "Cookie: ••• serve"),
        ("AUTHORIZATION=Bearer API_KEY='a b' serve".to_owned(), "AUTHORIZATION=Bearer ••• serve"),
        ("Authorization: Basic API_KEY=$'a b'".to_owned(), "Authorization: Basic •••"),
        (
            "Authorization: Bearer --api_key 'a b' serve".to_owned(),
            "Authorization: Bearer --api_key '•••' serve",
        ),
        (r"api_key='a'\''b' serve".to_owned(), "api_key='•••' serve"),
        (
            "api_key=\"a\"\"b\" --api_key 'a'b serve".to_owned(),
            "api_key=\"•••\" --api_key '••• serve",
        ),
        ("serve api_key=a'b c' x".to_owned(), "serve api_key=••• x"),
        ("serve \"api_key=a\" 'b c' \"x\"".to_owned(), "serve \"api_key=•••\" 'b c' \"x\""),
        ("{'api_key': 'a', 'x': 'b'}".to_owned(), "{'api_key': '•••', 'x': 'b'}"),
        ("-H \"Cookie: session=ab==\" -X 'a b'".to_owned(), "-H \"Cookie: •••\" -X 'a b'"),
        ("serve --aws.secretAccessKey abc".to_owned(), "serve --aws.secretAccessKey •••"),
        ("HF_TOKEN=abc python train.py".to_owned(), "HF_TOKEN=••• python train.py"),
        ("pretrained=x,token=abc,dtype=y".to_owned(), "pretrained=x,token=•••,dtype=y"),
        ("{\"api_key\": \"abc\"}".to_owned(), "{\"api_key\": \"•••\"}"),
        ("Authorization: Bearer abc".to_owned(), "Authorization: Bearer •••"),
        ("https://me:abc@host/x".to_owned(), "https://me:•••@host/x"),
        (format!("use hf_{drawn}."), "use •••."),
        (format!("use sk-proj-{drawn}."), "use •••."),
        (format!("ghp_{drawn}"), "•••"),
        ("AKIAIOSFODNN7EXAMPLE".to_owned(), "•••"),
    ] {
        assert_eq!(shown("command", &written), expected);
    }
    assert_eq!(shown("wandb.key", &"0a".repeat(20)), MASK);
}

#[test]
fn a_text_without_credentials_stays_as_it_is() {
    for written in [
        "the password: keep it secret, the token = nothing",
        "hf_model_name_that_is_quite_long",
        "sk-learn-and-other-libraries-of-old",
        "--token $HF_TOKEN",
        "https://host:8000/v1",
        "task-0123456789abcdef0123",
        "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
    ] {
        assert_eq!(shown("command", written), written);
    }
}

#[test]
fn a_flag_covers_the_word_behind_it() {
    let words = ["serve", "--hf.api-key", "abc", "--port", "80"].map(text).to_vec();
    let value = ConfigValue::List(words).masked("argv");
    assert_eq!(value.to_string(), "[serve, --hf.api-key, •••, --port, 80]");
}

#[test]
fn what_is_not_shown_is_still_compared() {
    let [one, same, other] = ["abc", "abc", "abd"].map(|value| text(value).masked("api_key"));
    assert!(one.same_as(&same) && !one.same_as(&other));
    assert!(!format!("{one:?}").contains("abc"));
}

#[test]
fn texts_that_only_look_alike_stay_as_they_are() {
    for written in [
        "max_tokens=512 n_token=5 eos_token: </s> tokenizer=AutoTokenizer",
        "pass@1 = 0.5, pass_rate: 0.7, pass=0.45, first_pass: done",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "run 123e4567-e89b-12d3-a456-426614174000",
        "meta-llama/Llama-3.1-8B-Instruct and Qwen2.5-Coder-32B-Instruct-GPTQ-Int4",
        "sk-learn, xai-org/grok-1, pypi-publish-action, npm_config_registry",
        "/data/checkpoints/step_000500/model-00001-of-00004.safetensors",
        "unexpected token: foo at line 3; invalid token: 151645",
        "author: somebody, authors=two, cookie_cutter: yes, auth: none, auth=basic",
        "the key: value store; keyboard=us; monkey=3; KeyError: 'password'",
        "git@github.com:me/repository.git and ssh://git@host/x and https://host/@user",
        "https://host/x?page=2&sign=plus&keyword=a",
        "ssh -p 2222 host; mkdir -p a/b; serve -p 8000 -u",
        "password is required; Password: required",
        "api_key=None password=os.environ['PASSWORD'] token=$TOKEN secret=${SECRET}",
        "tokens = tokenizer.encode(text); token = tokens[0]",
        "bearer of news; the token is a word",
    ] {
        assert_eq!(without_secrets(written), written);
        assert_eq!(without_evident_secrets(written), written);
    }
    for written in [
        "def f(api_key: str, token=tok, secret=settings.SECRET): f(api_key=api_key)",
        "token=abc secret=word {\"token\": \"the\"}",
        "aB3dE6gH9jK2mN5pQ8sT1vW4",
        "password: word",
    ] {
        assert_eq!(without_evident_secrets(written), written);
    }
}

#[test]
fn a_name_and_its_value_may_be_joined_by_full_width_signs_or_by_a_space() {
    for (written, shown) in [
        ("ERROR HF_TOKEN：Hq7Kp2Vx000", "ERROR HF_TOKEN：***"),
        ("ERROR HF_TOKEN=\u{a0}Hq7Kp2Vx000", "ERROR HF_TOKEN=\u{a0}***"),
        ("ERROR パスワード：\u{3000}Hq7Kp2Vx000", "ERROR パスワード：\u{3000}***"),
        ("ERROR api_key\u{3000}=\u{2003}Hq7Kp2Vx000", "ERROR api_key\u{3000}=\u{2003}***"),
        ("Authorization: Bearer\u{a0}Hq7Kp2Vx000", "Authorization: Bearer\u{a0}***"),
        ("api_key\u{1b}[0m=Hq7Kp2Vx000", "api_key=***"),
        ("\u{1b}[31mpassword\u{1b}[1;0m: Hq7Kp2Vx000", "password: ***"),
        ("HF_TOKEN\u{1b}(B\u{1b}[m = \u{1b}[31mHq7Kp2Vx000\u{9b}0m", "HF_TOKEN = ***"),
        ("\u{1b}[31mlr\u{1b}[0m = 3", "\u{1b}[31mlr\u{1b}[0m = 3"),
        ("password is\u{202f}Hq7Kp2Vx000", "password is\u{202f}***"),
        ("数据库密码＝abc，重试", "数据库密码＝***"),
        ("\u{201c}密码\u{201d}：\"a b\"", "\u{201c}密码\u{201d}：\"***\""),
        (
            "aws configure set aws_secret_access_key wJalrXU/K7MDENG0bPx",
            "aws configure set aws_secret_access_key ***",
        ),
        ("api_key﹕Ab3 api_key﹦Ab3 api_key∶Ab3", "api_key﹕*** api_key﹦*** api_key∶***"),
        ("api_key: !!str Ab3, api_key: str = 'Ab3'", "api_key: !!str ***, api_key: str = '***'"),
        ("api_key == Ab3dE5gH, api_key -> Ab3dE5gH", "api_key == ***, api_key -> ***"),
        ("if token == '<eos>': api_key == other_key", "if token == '<eos>': api_key == other_key"),
        (r#"{"name": "HF_TOKEN", "value": "Ab3"}"#, r#"{"name": "HF_TOKEN", "value": "***"}"#),
        ("('api_key', 'Ab3dE5gH')", "('api_key', '***')"),
        ("[\"api_key\", \"hf_token\"]", "[\"api_key\", \"hf_token\"]"),
        ("client_secret Ab3dE5gH7jK9 given", "client_secret *** given"),
        (
            "the access_token expired yesterday, api_key missing",
            "the access_token expired yesterday, api_key missing",
        ),
    ] {
        let masked = without_secrets(written).into_owned().replace(MASK, "***");
        assert_eq!(masked, shown, "{written}");
    }
}

#[test]
fn the_password_of_a_command_is_a_word_of_a_shell() {
    for (written, shown) in [
        ("curl -u me:'PW x' https://a", "curl -u me:*** https://a"),
        ("curl -u \"me\":PW https://a", "curl -u \"me\":*** https://a"),
        ("curl -u 'me':'PW' https://a", "curl -u 'me':*** https://a"),
        ("curl -u 'me:PW x' https://a", "curl -u 'me:***' https://a"),
        ("curl --user me:PW\\ x https://a", "curl --user me:*** https://a"),
        ("curl -u\tme:PW https://a", "curl -u\tme:*** https://a"),
        ("curl.exe -su me:PW,PW https://a", "curl.exe -su me:*** https://a"),
        ("CURL -u \\\n  me:PW https://a", "CURL -u \\\n  me:*** https://a"),
        ("curl -ume:PW;ls", "curl -ume:***;ls"),
        ("curl -x p -U me:PW https://a", "curl -x p -U me:*** https://a"),
        ("mysql -u root -p'PW x' db", "mysql -u root -p'***' db"),
        ("mysql -pPW db", "mysql -p*** db"),
        ("sshpass -p \"PW x\" ssh h", "sshpass -p \"***\" ssh h"),
        ("cmd: \"curl -u me:PW\", a: b", "cmd: \"curl -u me:***\", a: b"),
        (r#"{"c": "curl -u \"me:PW x\" h"}"#, r#"{"c": "curl -u \"me:***\" h"}"#),
        ("['curl', '-u', 'me:PW x', 'h']", "['curl', '-u', 'me:***', 'h']"),
        ("login -u me -p PW", "login -u me -p ***"),
        ("run -u me -p 8080", "run -u me -p 8080"),
        ("docker run -u 1000:1000 -p 80:80 a", "docker run -u 1000:1000 -p 80:80 a"),
        ("train -p PW -u 3:4", "train -p PW -u 3:4"),
        ("sort -nu a:b", "sort -nu a:b"),
    ] {
        let masked = without_secrets(written).into_owned().replace(MASK, "***");
        assert_eq!(masked, shown, "{written}");
    }
}

#[test]
fn a_private_key_behind_a_name_is_masked_to_its_end() {
    let block = "-----BEGIN PRIVATE KEY-----\nMIIEabc+/=\n-----END PRIVATE KEY-----";
    for name in ["private_key=", "gcp_key = ", "key: ", "private_key: \""] {
        let shown = without_evident_secrets(&format!("{name}{block} after")).into_owned();
        assert!(!shown.contains("MIIE") && shown.contains("after"), "{name}: {shown}");
    }
}

#[test]
fn what_is_masked_once_stays_as_it_is() {
    for written in [
        "curl -u me:hunter2 -H \"Authorization: Basic abc\" https://a:b@host/?sig=abc",
        "api_key='two words' --password \"two words\" token: [a, b]",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- after",
        "gcp_key=-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- after",
    ] {
        let once = without_secrets(written).into_owned();
        assert_ne!(once, written);
        assert_eq!(without_secrets(&once), once);
        assert_eq!(without_evident_secrets(&once), once);
    }
}

#[test]
fn the_documented_names_are_those_of_the_code() {
    let formats = fs::read_to_string("../docs/formats.md").expect("docs");
    let shapes = SHAPES.iter().map(|(start, ..)| *start);
    let lists = [
        NAMES,
        FOREIGN_NAMES,
        PLACES,
        SERVICES,
        SOFT_NAMES,
        BEFORE_SOFT_NAMES,
        TABLES,
        VOCABULARY,
        PARAMETERS,
        HOOKS,
        IDENTITIES,
    ];
    let names = lists.into_iter().flatten().copied();
    for name in names.chain(shapes) {
        assert!(formats.contains(&format!("`{name}`")), "docs/formats.md lacks {name}");
    }
}

#[test]
fn a_token_in_a_name_is_masked_and_names_with_its_letters_are_not() {
    let token = ["hf_", "AbCdEfGhIjKlMnOpQrStUvWxYz0123"].concat();
    let long = "part_".repeat(1000);
    for (text, expected) in [
        (format!("run-{token}"), format!("run-{MASK}")),
        (format!("x_{token}"), format!("x_{MASK}")),
        (format!("{token}-x"), MASK.to_owned()),
        (format!("{long}{token}"), format!("{long}{MASK}")),
        (format!("请使用{token}登录"), format!("请使用{MASK}登录")),
        (format!("鍵は{token}です"), format!("鍵は{MASK}です")),
    ] {
        assert_eq!(without_evident_secrets(&text), expected, "{text}");
    }
    for name in
        ["run-hf_llama-7b-instruct-v2", "task-sk-learn-baseline", "lr1e-5_npm_run_of_a_night"]
    {
        assert_eq!(without_evident_secrets(name), name);
    }
}

#[test]
fn names_within_values_are_not_looked_at_without_end() {
    for piece in ["pwd=/", "COOKIE=$", "token=$"] {
        let text = piece.repeat(20_000);
        assert!(without_secrets(&text).len() < text.len() / 4, "{piece}");
    }
    for piece in [
        "--cookie ",
        "--cookie x ",
        "cookie: ",
        "Cookie: a; ",
        "password: --token ",
        "wandb login ",
        "key=a'",
    ] {
        let text = piece.repeat(20_000);
        assert!(without_secrets(&text).len() <= 2 * text.len(), "{piece}");
    }
    let flag = format!("--{}", "token.".repeat(20_000));
    assert_eq!(without_secrets(&flag), flag);
    let honest = "the token: 5 of 7 tokens, pass: 3\n".repeat(2000);
    assert_eq!(without_secrets(&honest), honest);
}
