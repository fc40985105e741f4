//! Names of configuration keys: components with dots between them.

/// The last component of a dotted key.
pub fn leaf(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Settings of a training, of which a model that was not trained has none. Of an evaluation every result has
/// one, whether it is written or not.
pub const TRAINING_SETTINGS: &[&str] = &[
    "lr",
    "learning_rate",
    "batch_size",
    "beta",
    "kl_beta",
    "kl_coef",
    "init_kl_coef",
    "epochs",
    "num_epochs",
    "num_train_epochs",
    "train_epochs",
    "weight_decay",
    "lora_r",
    "lora_rank",
    "lora_alpha",
    "optimizer",
    "train_data",
    "training_data",
    "train_set",
];

/// Words of one setting, which a run that writes its settings more than once may spell both ways.
const SYNONYMS: &[&[&str]] = &[
    &["gradient_accumulation_steps", "grad_accum_steps", "accumulate_grad_batches"],
    &["learning_rate", "lr"],
    &["max_steps", "max_train_steps"],
    &["num_train_epochs", "num_epochs", "epochs", "max_epochs", "n_epochs"],
    &["weight_decay", "wd"],
];

/// The word for a setting that programs call by several, where its name, as [`plain`] writes it, is one of
/// them.
pub fn word_of_setting(name: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|words| words.contains(&name))?.first().copied()
}

/// One component in small letters with `_` between words: `klBeta`, `KL-BETA` and `--kl_beta` are
/// `kl_beta`.
pub fn plain(component: &str) -> String {
    let component = component.trim_start_matches('-');
    let mut plain = String::with_capacity(component.len() + 4);
    let mut before: Option<char> = None;
    for character in component.chars() {
        let starts_word = character.is_ascii_uppercase()
            && before.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if starts_word {
            plain.push('_');
        }
        plain.push(if character == '-' { '_' } else { character.to_ascii_lowercase() });
        before = Some(character);
    }
    plain
}
