//! Repositories of the Hugging Face Hub: which files a commit has, and what is in them.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::stream::{Stream, StreamExt as _, TryStreamExt as _};
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, LINK, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::address::{Kind, Repository};
use super::copy::{RETRIES, Source, error_chain_text, in_time, most_names};
use super::fault::FetchFault;
use super::hub_settings::Settings;
use crate::model::Limits;

const DEFAULT_REVISION: &str = "main";
/// Pages have a thousand names.
const MOST_OF_AN_ANSWER: usize = 64 << 20;
/// Before a request is repeated for the first time.
const PAUSE: Duration = Duration::from_millis(100);

/// What lies below a path of a repository, all of one commit.
pub(super) struct Hub<'a> {
    client: Client,
    settings: Settings,
    repository: &'a Repository,
    commit: String,
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

/// A file, a directory or another repository.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    lfs: Option<Stored>,
}

/// A file that lies elsewhere, and whose place in Git has a pointer.
#[derive(Deserialize)]
struct Stored {
    size: u64,
}

impl<'a> Hub<'a> {
    /// Asks which commit the revision is.
    ///
    /// # Errors
    /// When the hub may not be asked, or hands out no such revision.
    pub(super) async fn of(repository: &'a Repository) -> Result<Self, FetchFault> {
        let settings = Settings::of_environment()?;
        let client = Client::builder()
            .user_agent(concat!("reportgen/", env!("CARGO_PKG_VERSION")))
            .referer(false)
            .https_only(settings.endpoint.scheme() == "https")
            .build()
            .map_err(broken)?;
        let revision = repository.revision.as_deref().unwrap_or(DEFAULT_REVISION);
        let mut hub = Self { client, settings, repository, commit: revision.to_owned() };
        let (answer, _): (Revision, _) = hub.asked(&hub.listing("revision", "")).await?;
        hub.commit = answer.sha;
        Ok(hub)
    }

    fn url<'p>(&self, parts: impl IntoIterator<Item = &'p str>) -> Url {
        let mut url = self.settings.endpoint.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(parts.into_iter().filter(|part| !part.is_empty()));
        }
        url
    }

    fn listing(&self, of: &str, path: &str) -> Url {
        let Repository { kind, owner, name, .. } = self.repository;
        self.url(
            ["api", called(*kind), owner, name, of, &self.commit]
                .into_iter()
                .chain(path.split('/')),
        )
    }

    fn content(&self, path: &str) -> Url {
        let Repository { kind, owner, name, .. } = self.repository;
        // Files of models have no kind before them.
        let kind = if *kind == Kind::Models { "" } else { called(*kind) };
        self.url([kind, owner, name, "resolve", &self.commit].into_iter().chain(path.split('/')))
    }

    /// The files of a directory, or the file of that path.
    async fn files(
        &self,
        path: &str,
        with_all_below: bool,
        limits: Limits,
    ) -> Result<Vec<Entry>, FetchFault> {
        let mut url = self.listing("tree", path);
        url.set_query(Some(&format!("recursive={with_all_below}&expand=false")));
        let (mut found, mut seen) = (Vec::new(), 0);
        loop {
            let (page, next): (Vec<Entry>, _) = self.asked(&url).await?;
            // A page of nothing counts, so that pages come to an end.
            seen += page.len().max(1);
            if seen > most_names(limits) {
                return Err(FetchFault::TooMany { limit: limits.files });
            }
            found.extend(page.into_iter().filter(|entry| entry.kind == "file"));
            let Some(next) = next else { return Ok(found) };
            // Mirrors name the hub here; the token is for the endpoint alone.
            url.set_query(Some(&next));
        }
    }

    /// What an address of the hub answers, and what asks for its next page.
    async fn asked<T: DeserializeOwned>(
        &self,
        url: &Url,
    ) -> Result<(T, Option<String>), FetchFault> {
        let mut response = self.answer(url).await?;
        let next = next_page(response.headers(), url);
        let mut text = Vec::new();
        let patience = self.settings.patience;
        while let Some(part) = in_time(patience, response.chunk()).await?.map_err(broken)? {
            text.extend_from_slice(&part);
            if text.len() > MOST_OF_AN_ANSWER {
                return Err(FetchFault::Broken("the hub answers without an end".to_owned()));
            }
        }
        let unknown = |error| FetchFault::Broken(format!("no answer of a hub: {error}"));
        Ok((serde_json::from_slice(&text).map_err(unknown)?, next))
    }

    /// A good answer. Redirections are followed; on another host the client sends no token.
    async fn answer(&self, url: &Url) -> Result<Response, FetchFault> {
        let Settings { token, patience, .. } = &self.settings;
        let mut attempt = 0;
        loop {
            let request = self.client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
            let request = match token {
                Some(token) => request.bearer_auth(token),
                None => request,
            };
            let (fault, wait) = match in_time(*patience, request.send()).await? {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => {
                    let wait = pause_asked(&response);
                    let fault = self.refusal(&response, wait);
                    if !may_pass(response.status()) {
                        return Err(fault);
                    }
                    (fault, wait)
                }
                Err(error) if error.is_connect() => (broken(error), None),
                Err(error) => return Err(broken(error)),
            };
            let wait = wait.unwrap_or(PAUSE * 4_u32.pow(attempt));
            if attempt == RETRIES || wait > *patience {
                return Err(fault);
            }
            attempt += 1;
            tokio::time::sleep(wait).await;
        }
    }

    fn refusal(&self, response: &Response, wait: Option<Duration>) -> FetchFault {
        let status = response.status();
        let (from, endpoint) = (response.url(), &self.settings.endpoint);
        if from.origin() != endpoint.origin() {
            let host = from.host_str().unwrap_or_default();
            return FetchFault::Broken(format!("{host} answers {status}"));
        }
        let code = response.headers().get("x-error-code");
        let code = code.and_then(|code| code.to_str().ok()).unwrap_or_default();
        match (code, status) {
            ("RevisionNotFound", _) => FetchFault::NoRevision,
            ("EntryNotFound", _) => FetchFault::NoEntry,
            ("GatedRepo", _) | (_, StatusCode::FORBIDDEN) => FetchFault::Gated,
            ("RepoNotFound", _) | (_, StatusCode::NOT_FOUND) => FetchFault::NoRepository,
            (_, StatusCode::UNAUTHORIZED) if self.settings.token.is_some() => FetchFault::BadToken,
            (_, StatusCode::UNAUTHORIZED) => FetchFault::NoRepository,
            _ => {
                let wait = wait.map(|wait| format!(" and asks to wait {} s", wait.as_secs()));
                let wait = wait.unwrap_or_default();
                FetchFault::Broken(format!("the hub answers {status}{wait}"))
            }
        }
    }
}

impl Source for Hub<'_> {
    fn patience(&self) -> Duration {
        self.settings.patience
    }

    async fn listed(&self, limits: Limits) -> Result<BTreeMap<String, u64>, FetchFault> {
        let path = self.repository.path.as_str();
        let found = match self.files(path, true, limits).await {
            // Of a file some hubs list nothing.
            Err(FetchFault::NoEntry) => {
                let above = path.rsplit_once('/').map_or("", |(above, _)| above);
                let mut beside = self.files(above, false, limits).await?;
                beside.retain(|entry| entry.path == path);
                beside
            }
            found => found?,
        };
        let mut names = BTreeMap::new();
        for entry in found {
            let name = below(path, &entry.path).ok_or_else(|| {
                FetchFault::Broken(format!("`{}` is listed below `{path}`", entry.path))
            })?;
            names.insert(name.to_owned(), entry.lfs.map_or(entry.size, |stored| stored.size));
        }
        if names.is_empty() { Err(FetchFault::NoEntry) } else { Ok(names) }
    }

    async fn open(
        &self,
        name: &str,
    ) -> Result<impl Stream<Item = Result<impl AsRef<[u8]>, FetchFault>> + Unpin, FetchFault> {
        let response = self.answer(&self.content(name)).await?;
        Ok(response.bytes_stream().map_err(broken).boxed())
    }
}

fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Models => "models",
        Kind::Datasets => "datasets",
        Kind::Spaces => "spaces",
    }
}

/// What a path is called below another; nothing for that one itself.
fn below<'p>(above: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    if above.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Whether a request may be answered the next time.
fn may_pass(status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

/// The query of the next page, which the header `Link` has.
fn next_page(headers: &HeaderMap, url: &Url) -> Option<String> {
    let links = headers.get(LINK)?.to_str().ok()?;
    let next = links.split('<').find_map(|link| {
        let (address, relation) = link.split_once('>')?;
        relation.contains("rel=\"next\"").then_some(address)
    });
    url.join(next?).ok()?.query().map(str::to_owned)
}

/// How long to wait, by `Retry-After`, else by the seconds `t` until the hub's limit is reset, of which it tells in
/// every answer.
fn pause_asked(response: &Response) -> Option<Duration> {
    let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
    let is_limit = response.status() == StatusCode::TOO_MANY_REQUESTS;
    let limit = || text("ratelimit")?.split(';').find_map(|part| part.trim().strip_prefix("t="));
    let limit = || limit().filter(|_| is_limit);
    let seconds = text(RETRY_AFTER.as_str()).or_else(limit)?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}

fn broken(error: reqwest::Error) -> FetchFault {
    let host = error.url().and_then(Url::host_str).unwrap_or("the hub").to_owned();
    FetchFault::Broken(format!("{host}: {}", error_chain_text(&error.without_url())))
}
