//! SHA-256 of a file, so that a person can check it with `sha256sum`.

use std::io::Read as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::collect::watch;

/// Size in bytes and SHA-256 in lower-case hexadecimal.
pub(super) fn size_and_sha256(place: &Path) -> std::io::Result<(u64, String)> {
    let mut source = watch::open(place)?;
    let mut buffer = vec![0; 1 << 20];
    let mut hasher = Sha256::new();
    let mut size = 0;
    loop {
        let length = source.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        size += length as u64;
        hasher.update(buffer.get(..length).unwrap_or_default());
    }
    Ok((size, format!("{:x}", hasher.finalize())))
}

/// The hash of one file, or of the list of hashes and names of several as `sha256sum` prints it.
pub(super) fn combined(mut hashes: Vec<(String, String)>) -> String {
    if hashes.len() == 1 {
        return hashes.remove(0).0;
    }
    let mut hasher = Sha256::new();
    for (hash, name) in &hashes {
        hasher.update(format!("{hash}  {name}\n"));
    }
    format!("{:x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_one_of_fips_180_2() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join("abc");
        std::fs::write(&place, "abc").expect("written");
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(size_and_sha256(&place).expect("read"), (3, expected.to_owned()));
    }
}
