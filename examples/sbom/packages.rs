//! What Cargo says of the packages that the program is built from.

use std::fs;
use std::io;
use std::process::Command;

/// A package of the tree.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// As its author wrote it.
    pub(crate) licence: String,
    /// Positions of what it is built from.
    pub(crate) needs: Vec<usize>,
}

/// A package of the lock file, which holds those of every platform.
#[derive(Debug, Clone, serde::Deserialize)]
pub(crate) struct Locked {
    pub(crate) name: String,
    pub(crate) version: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "for the tests of the policy"))]
    pub(crate) source: Option<String>,
    #[serde(rename = "checksum")]
    pub(crate) sha256: Option<String>,
}

/// The program and everything that is linked into it or run to build it, the program first; with a feature that is
/// off, or as it is built without a word.
pub(crate) fn tree(
    cargo: &str,
    platform: Option<&str>,
    feature: Option<&str>,
) -> io::Result<Vec<Package>> {
    let mut command = Command::new(cargo);
    command.args(["tree", "--locked", "--package", "reportgen"]);
    command.args(["--edges", "normal,build", "--prefix", "depth"]);
    command.args(["--format", "|{p}|{l}", "--charset", "ascii"]);
    command.args(platform.map(|platform| ["--target", platform]).into_iter().flatten());
    command.args(feature.map(|feature| ["--features", feature]).into_iter().flatten());
    let ended = command.output()?;
    if !ended.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&ended.stderr).into_owned()));
    }
    let text = String::from_utf8(ended.stdout).map_err(io::Error::other)?;
    let mut found: Vec<Package> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    for line in text.lines() {
        let (depth, name, version, licence) =
            parts(line).ok_or_else(|| io::Error::other(format!("no package: {line}")))?;
        let known = found.iter().position(|one| one.name == name && one.version == version);
        let at = known.unwrap_or(found.len());
        if known.is_none() {
            let (name, version, licence) = (name.into(), version.into(), licence.into());
            found.push(Package { name, version, licence, needs: Vec::new() });
        }
        above.truncate(depth);
        if let Some(package) = above.last().and_then(|&parent| found.get_mut(parent))
            && !package.needs.contains(&at)
        {
            package.needs.push(at);
        }
        above.push(at);
    }
    Ok(found)
}

/// `2|memchr v2.8.3|Unlicense OR MIT`; behind the version may stand where a package lies or that it is
/// a macro, behind the licence that it was told before.
fn parts(line: &str) -> Option<(usize, &str, &str, &str)> {
    let mut parts = line.splitn(3, '|');
    let depth = parts.next()?.parse().ok()?;
    let mut words = parts.next()?.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let licence = parts.next()?;
    Some((depth, name, version, licence.strip_suffix(" (*)").unwrap_or(licence)))
}

/// The packages of `Cargo.lock`.
pub(crate) fn locked() -> io::Result<Vec<Locked>> {
    #[derive(serde::Deserialize)]
    struct LockFile {
        package: Vec<Locked>,
    }
    let text = fs::read_to_string("Cargo.lock")?;
    let file: LockFile = toml::from_str(&text).map_err(io::Error::other)?;
    Ok(file.package)
}
