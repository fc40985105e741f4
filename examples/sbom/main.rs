//! The bill of materials of the program in CycloneDX 1.5, for this platform or another: everything
//! that is linked into it or run to build it.
//!
//! ```text
//! cargo run --example sbom > reportgen.cdx.json
//! cargo run --example sbom -- aarch64-apple-darwin > reportgen.cdx.json
//! ```

mod document;
mod packages;

use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    let platform = std::env::args().nth(1);
    let built = packages::tree(env!("CARGO"), platform.as_deref(), None)?;
    let bill = document::bill(&built, &packages::locked()?);
    writeln!(io::stdout().lock(), "{bill:#}")
}
