//! Which field of sample records says that samples belong together.

/// Who chooses that field. Samples of one passage, image or repository are not independent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Clustering {
    /// The program, among fields of known names.
    #[default]
    Automatic,
    /// The user: the name of a field, or a path of names with dots into an object.
    Key(String),
    /// Nobody: every sample counts as independent.
    Off,
}

impl Clustering {
    /// The choice as the command line and `reportgen.toml` write it.
    pub fn from_name(name: &str) -> Self {
        match name {
            "auto" => Self::Automatic,
            "none" => Self::Off,
            key => Self::Key(key.to_owned()),
        }
    }
}
