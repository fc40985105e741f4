//! What the environment says of the Hugging Face Hub, in the variables of `huggingface_hub`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;

use super::copy::PATIENCE;
use super::fault::FetchFault;

const HUGGINGFACE: &str = "https://huggingface.co";

/// Where the hub is, and who asks. It cannot be printed: the token is a secret.
pub(super) struct Settings {
    pub(super) endpoint: Url,
    pub(super) token: Option<String>,
    /// How long the hub may say nothing.
    pub(super) patience: Duration,
}

impl Settings {
    /// # Errors
    /// When the hub may not be asked, or its endpoint is no address.
    pub(super) fn of_environment() -> Result<Self, FetchFault> {
        Self::of(&|name| env::var(name).ok(), env::home_dir())
    }

    fn of(
        variable: &impl Fn(&str) -> Option<String>,
        home: Option<PathBuf>,
    ) -> Result<Self, FetchFault> {
        let said = |name| variable(name).filter(|value| !value.is_empty());
        let is_on = |name| {
            let value = said(name).map(|value| value.to_uppercase());
            value.is_some_and(|value| ["1", "ON", "YES", "TRUE"].contains(&value.as_str()))
        };
        if is_on("HF_HUB_OFFLINE") || is_on("TRANSFORMERS_OFFLINE") {
            return Err(FetchFault::Offline);
        }
        let endpoint = said("HF_ENDPOINT").unwrap_or_else(|| HUGGINGFACE.to_owned());
        let endpoint =
            Url::parse(&endpoint).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
        let Some(endpoint) = endpoint else {
            let reason = "HF_ENDPOINT does not begin with https:// or http://";
            return Err(FetchFault::Broken(reason.to_owned()));
        };
        let seconds = said("HF_HUB_DOWNLOAD_TIMEOUT").and_then(|text| text.parse().ok());
        Ok(Self {
            endpoint,
            token: if is_on("HF_HUB_DISABLE_IMPLICIT_TOKEN") { None } else { token(&said, home) },
            patience: seconds.filter(|it| *it > 0).map_or(PATIENCE, Duration::from_secs),
        })
    }
}

/// The token of the environment, else that of the file in which `hf auth login` keeps it.
fn token(said: &impl Fn(&'static str) -> Option<String>, home: Option<PathBuf>) -> Option<String> {
    let plain = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let written = said("HF_TOKEN").or_else(|| said("HUGGING_FACE_HUB_TOKEN")).and_then(plain);
    written.or_else(|| {
        let below = |directory: String, name: &str| Path::new(&directory).join(name);
        let file = said("HF_TOKEN_PATH")
            .map(PathBuf::from)
            .or_else(|| said("HF_HOME").map(|home| below(home, "token")))
            .or_else(|| said("XDG_CACHE_HOME").map(|cache| below(cache, "huggingface/token")))
            .or_else(|| home.map(|home| home.join(".cache/huggingface/token")))?;
        fs::read_to_string(file).ok().and_then(plain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)], home: &Path) -> Result<Settings, FetchFault> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Settings::of(&variable, Some(home.to_owned()))
    }

    #[test]
    fn the_token_is_that_of_the_environment_else_of_the_first_file_that_is_named() {
        let place = tempfile::tempdir().expect("a directory");
        let write = |name: &str, token: &str| {
            let file = place.path().join(name);
            fs::create_dir_all(file.parent().expect("a directory")).expect("created");
            fs::write(&file, token).expect("written");
            file.to_string_lossy().into_owned()
        };
        write(".cache/huggingface/token", "of-home\n");
        let named = write("named", " of-file \r\n");
        let xdg = write("xdg/huggingface/token", "of-xdg").replace("/huggingface/token", "");
        let hf = write("hf/token", "of-hf-home").replace("/token", "");
        let check = |variables: &[(&str, &str)], expected: Option<&str>| {
            let found = settings(variables, place.path()).expect("settings");
            assert_eq!(found.token.as_deref(), expected, "{variables:?}");
        };
        check(&[], Some("of-home"));
        check(&[("XDG_CACHE_HOME", &xdg)], Some("of-xdg"));
        check(&[("XDG_CACHE_HOME", &xdg), ("HF_HOME", &hf)], Some("of-hf-home"));
        check(&[("HF_HOME", &hf), ("HF_TOKEN_PATH", &named)], Some("of-file"));
        check(&[("HF_TOKEN_PATH", &named), ("HF_TOKEN", "own\n")], Some("own"));
        check(&[("HF_TOKEN_PATH", "/no/such/file")], None);
        check(&[("HF_TOKEN", "own"), ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "yes")], None);
    }

    #[test]
    fn the_hub_is_asked_where_the_environment_says_unless_it_may_not_be() {
        let home = Path::new("/no/such/home");
        let found = settings(&[("HF_ENDPOINT", "")], home).expect("settings");
        assert_eq!(
            (found.endpoint.as_str(), found.patience),
            ("https://huggingface.co/", PATIENCE)
        );
        let variables = [("HF_ENDPOINT", "http://hub/x/"), ("HF_HUB_DOWNLOAD_TIMEOUT", "7")];
        let found = settings(&variables, home).expect("settings");
        assert_eq!(found.endpoint.as_str(), "http://hub/x/");
        assert_eq!(found.patience, Duration::from_secs(7));
        for endpoint in ["hub", "file:///hub", "localhost:80", "httpx://hub"] {
            let fault = settings(&[("HF_ENDPOINT", endpoint)], home).err().expect("a fault");
            assert!(fault.to_string().contains("HF_ENDPOINT"), "{endpoint}: {fault}");
        }
        for name in ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"] {
            assert_eq!(settings(&[(name, "True")], home).err(), Some(FetchFault::Offline));
            assert_eq!(settings(&[(name, "0")], home).err(), None);
        }
    }
}
