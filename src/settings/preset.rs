//! Shipped settings for one kind of work: a configuration file names one and lies over it.

use toml::{Table, Value};

use crate::text::Refusal;

/// Settings in the form of `reportgen.toml`.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! presets {
    [$($name:literal),+ $(,)?] => {
        /// Every preset. To add one: a file, and its name here.
        pub static PRESETS: &[Preset] = &[$(Preset {
            name: $name,
            text: include_str!(concat!("../../report_templates/presets/", $name, ".toml")),
        }),+];
    };
}

presets!["code-eval", "grpo-progress", "kl-grid", "workflow-quality"];

impl Preset {
    /// The preset of that name.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(name: &str) -> Result<&'static Self, Refusal> {
        PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| {
            let refusal = Refusal::new("refused.preset").with("name", name);
            refusal.among(name, PRESETS.iter().map(|preset| preset.name))
        })
    }

    /// Where its lines are said to stand.
    pub fn path(&self) -> String {
        format!("presets/{}.toml", self.name)
    }

    /// What it is for: its first line, a comment.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// The settings with those of a file over them.
    pub(super) fn under(&self, file: Table) -> String {
        let mut settings: Table = toml::from_str(self.text).unwrap_or_default();
        lay_over(&mut settings, file);
        toml::to_string(&settings).unwrap_or_default()
    }
}

/// Tables are laid over each other key by key. A list of tables is added to the preset's, whose
/// entries of the same name go; any other value takes the place of the preset's.
fn lay_over(settings: &mut Table, file: Table) {
    for (key, value) in file {
        match (settings.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (Some(Value::Array(below)), Value::Array(above)) if is_of_tables(&above) => {
                below.retain(|entry| !above.iter().any(|other| are_alike(entry, other)));
                below.extend(above);
            }
            (_, value) => {
                settings.insert(key, value);
            }
        }
    }
}

fn is_of_tables(list: &[Value]) -> bool {
    !list.is_empty() && list.iter().all(Value::is_table)
}

/// Whether two entries have a name in common: `name` in any language, or one of `names`.
fn are_alike(a: &Value, b: &Value) -> bool {
    let names = |entry: &Value| {
        let named = ["name", "names"].iter().find_map(|key| entry.get(key));
        named.map(texts).unwrap_or_default()
    };
    let of_b = names(b);
    names(a).iter().any(|name| of_b.contains(name))
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.to_lowercase()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Table(table) => table.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(settings: &str, file: &str) -> Table {
        let mut below = toml::from_str(settings).expect("settings");
        lay_over(&mut below, toml::from_str(file).expect("a file"));
        below
    }

    #[test]
    fn a_file_lies_over_a_preset_key_by_key_and_rule_by_rule() {
        let preset = "by = ['a', 'b']\nlast = 5\n[t]\nx = 1\ny = 2\n\
                      [[rule]]\nname = { en = 'One', zh = '一' }\nwhen = 1\n[[rule]]\nname = 'Two'\n";
        for (file, expected) in [
            ("", preset.to_owned()),
            ("by = ['c']", preset.replace("['a', 'b']", "['c']")),
            ("[t]\ny = 3\nz = 4", preset.replace("y = 2\n", "y = 3\nz = 4\n")),
            ("[[rule]]\nname = 'Three'", format!("{preset}[[rule]]\nname = 'Three'\n")),
            (
                "[[rule]]\nname = 'one'\nwhen = 2",
                "by = ['a', 'b']\nlast = 5\n[t]\nx = 1\ny = 2\n[[rule]]\nname = 'Two'\n\
                 [[rule]]\nname = 'one'\nwhen = 2\n"
                    .to_owned(),
            ),
        ] {
            assert_eq!(over(preset, file), toml::from_str(&expected).expect(file), "{file}");
        }
    }

    #[test]
    fn presets_say_what_they_are_for_in_the_order_of_their_names() {
        assert!(PRESETS.is_sorted_by(|a, b| a.name < b.name));
        for preset in PRESETS {
            assert!(!preset.about().is_empty() && preset.text.starts_with("# "), "{}", preset.name);
            assert_eq!(Preset::find(preset.name).ok(), Some(preset));
        }
        assert!(Preset::find("kl").is_err());
    }
}
