//! What an address says: a bucket and a prefix, or a repository of the Hugging Face Hub, a revision and a path.

use std::path::{Component, Path};

use super::fault::FetchFault;

/// A place outside this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Bucket(Bucket),
    Repository(Repository),
}

/// A bucket or container, and what is asked for of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bucket {
    pub(super) scheme: Scheme,
    pub(super) name: String,
    /// Without slashes around it; nothing for the whole bucket.
    pub(super) prefix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    S3,
    Gs,
    Az,
}

/// A repository of the Hugging Face Hub, and what is asked for of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    pub(super) kind: Kind,
    pub(super) owner: String,
    pub(super) name: String,
    pub(super) revision: Option<String>,
    /// Without slashes around it; nothing for the whole repository.
    pub(super) path: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Models,
    Datasets,
    Spaces,
}

const STORES: [(&str, Scheme); 3] =
    [("s3://", Scheme::S3), ("gs://", Scheme::Gs), ("az://", Scheme::Az)];
const HUB: &str = "hf://";
/// What else the hub has, and what is written by mistake: no owner is called so.
const OTHER_KINDS: [&str; 7] =
    ["buckets", "kernels", "bucket", "kernel", "model", "dataset", "space"];

/// Whether a text begins as an address does.
pub(super) fn is_address(text: &str) -> bool {
    text.starts_with(HUB) || STORES.iter().any(|(start, _)| text.starts_with(start))
}

impl Address {
    /// # Errors
    /// When it names nothing that a directory could be made of.
    pub(super) fn of(text: &str) -> Result<Self, FetchFault> {
        if let Some(below) = text.strip_prefix(HUB) {
            let repository = Repository::of(below).ok_or(FetchFault::NoRepositoryNamed)?;
            return Ok(Self::Repository(repository));
        }
        let store = STORES.iter().find_map(|(start, scheme)| {
            let below = text.strip_prefix(start)?;
            Bucket::of(*scheme, below)
        });
        store.map(Self::Bucket).ok_or(FetchFault::Malformed)
    }
}

impl Bucket {
    fn of(scheme: Scheme, text: &str) -> Option<Self> {
        let (bucket, prefix) = text.split_once('/').unwrap_or((text, ""));
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let is_one = is_name(bucket) && is_path(prefix);
        is_one.then(|| Self { scheme, name: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl Repository {
    fn of(text: &str) -> Option<Self> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let (first, behind) = text.split_once('/')?;
        let (kind, text) = match first {
            "datasets" => (Kind::Datasets, behind),
            "spaces" => (Kind::Spaces, behind),
            "models" => (Kind::Models, behind),
            other if OTHER_KINDS.contains(&other) => return None,
            _ => (Kind::Models, text),
        };
        let (owner, behind) = text.split_once('/')?;
        let (name, behind) = behind.split_at(behind.find(['/', '@']).unwrap_or(behind.len()));
        let (revision, behind) = match behind.strip_prefix('@') {
            Some(marked) => {
                let (revision, behind) = marked.split_at(revision_length(marked));
                (Some(decoded(revision)?), behind)
            }
            None => (None, behind),
        };
        let path = match behind {
            "" => "",
            behind => behind.strip_prefix('/').filter(|path| !path.is_empty())?,
        };
        let is_plain = |part: &str| {
            let is_known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            is_name(part) && part.chars().all(is_known)
        };
        let is_revision = |text: &String| text.split('/').all(is_name);
        let is_one = is_plain(owner) && is_plain(name) && is_path(path);
        (is_one && revision.iter().all(is_revision)).then(|| Self {
            kind,
            owner: owner.to_owned(),
            name: name.to_owned(),
            revision,
            path: path.to_owned(),
        })
    }
}

/// How much of what stands behind `@` is the revision: up to a slash, and of the hub's own references all three parts.
fn revision_length(text: &str) -> usize {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    let parts: Vec<&str> = text.split('/').collect();
    let own = match parts[..] {
        ["refs", "convert", _, ..] => 3,
        ["refs", "pr", number, ..] if is_number(number) => 3,
        _ => 1,
    };
    parts[..own].join("/").len()
}

/// A text with what `%2F` and the like stand for.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, behind) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(behind.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// Whether a part of a name is that of one file or directory, and of nothing above or elsewhere.
pub(super) fn is_name(part: &str) -> bool {
    let mut parts = Path::new(part).components();
    let is_one = matches!(parts.next(), Some(Component::Normal(name)) if name == part);
    is_one && parts.next().is_none() && !part.contains(char::is_control)
}

/// Whether a text is nothing, or names with slashes between them.
fn is_path(text: &str) -> bool {
    text.is_empty() || text.split('/').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(text: &str, expected: Option<(&str, &str)>) {
        let found = match Address::of(text) {
            Ok(Address::Bucket(own)) => Some((own.name, own.prefix)),
            _ => None,
        };
        let found = found.as_ref().map(|(bucket, prefix)| (bucket.as_str(), prefix.as_str()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn an_address_names_a_bucket_and_what_lies_in_it() {
        bucket("s3://bucket", Some(("bucket", "")));
        bucket("gs://bucket/", Some(("bucket", "")));
        bucket("az://bucket/runs/a b", Some(("bucket", "runs/a b")));
        bucket("s3://bucket/runs/a/", Some(("bucket", "runs/a")));
        for none in [
            "s3://",
            "s3:///runs",
            "s3://..",
            "s3://b/../c",
            "s3://b//c",
            "s3://b/./c",
            "s3://b/a\nb",
        ] {
            bucket(none, None);
        }
    }

    fn repository(text: &str, kind: Kind, name: &str, revision: Option<&str>, path: &str) {
        let Ok(Address::Repository(own)) = Address::of(text) else { panic!("{text} is refused") };
        let found = (own.kind, format!("{}/{}", own.owner, own.name), own.revision, own.path);
        let revision = revision.map(str::to_owned);
        assert_eq!(found, (kind, name.to_owned(), revision, path.to_owned()), "{text}");
    }

    #[test]
    fn an_address_of_the_hub_names_a_repository_a_revision_and_a_path() {
        use Kind::{Datasets, Models, Spaces};
        repository("hf://datasets/o/d", Datasets, "o/d", None, "");
        repository("hf://datasets/o/d/", Datasets, "o/d", None, "");
        repository("hf://spaces/o/s/logs/a b", Spaces, "o/s", None, "logs/a b");
        repository("hf://o/m.v1/runs", Models, "o/m.v1", None, "runs");
        repository("hf://models/o/m/runs/", Models, "o/m", None, "runs");
        repository("hf://o/m/a@b/c", Models, "o/m", None, "a@b/c");
        repository("hf://o/m@v1", Models, "o/m", Some("v1"), "");
        repository("hf://datasets/o/d@v1/a/b.json", Datasets, "o/d", Some("v1"), "a/b.json");
        repository("hf://o/m@refs%2Fpr%2F1/a", Models, "o/m", Some("refs/pr/1"), "a");
        repository("hf://o/m@refs/pr/12/a", Models, "o/m", Some("refs/pr/12"), "a");
        repository("hf://o/m@refs/pr/x/a", Models, "o/m", Some("refs"), "pr/x/a");
        repository(
            "hf://o/m@refs/convert/parquet",
            Models,
            "o/m",
            Some("refs/convert/parquet"),
            "",
        );
        repository("hf://o/m@my%2fbranch/a", Models, "o/m", Some("my/branch"), "a");
    }

    #[test]
    fn an_address_of_the_hub_that_names_no_repository_is_refused() {
        for none in [
            "hf://",
            "hf://a",
            "hf://datasets",
            "hf://datasets/a",
            "hf://datasets//a",
            "hf://dataset/a/b",
            "hf://buckets/a/b",
            "hf://a/b@",
            "hf://a/b@/c",
            "hf://a/b@%2",
            "hf://a/b@..%2Fc",
            "hf://a/b//c",
            "hf://a/b//",
            "hf://a/b/../c",
            "hf://a/b?c/d",
            "hf://../b/c",
        ] {
            assert_eq!(Address::of(none), Err(FetchFault::NoRepositoryNamed), "{none}");
        }
    }
}
