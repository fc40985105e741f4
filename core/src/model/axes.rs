//! Axes along which results of one model lie, and the words by which files, keys and names tell a place on one:
//! at which step, in which epoch, with how many shots.

/// One axis. Words are in lower case, the preferred first.
struct Axis {
    name: &'static str,
    /// Keys and columns along which curves run.
    curves: &'static [&'static str],
    /// Further keys and columns that hold a place.
    keys: &'static [&'static str],
    /// Words that stand with a number in names of files, keys and heads.
    names: &'static [&'static str],
    /// Whether another place is another state of the model.
    is_of_training: bool,
}

/// The axes, that on which a curve is drawn first.
const AXES: &[Axis] = &[
    Axis {
        name: "step",
        curves: &["global_step", "step", "_step", "current_steps", "步数"],
        keys: &[
            "train_step",
            "training_step",
            "trained_steps",
            "checkpoint_step",
            "ckpt_step",
            "current_step",
            "eval_step",
            "steps",
            "num_steps",
            "ckpt",
        ],
        names: &["step", "checkpoint", "ckpt"],
        is_of_training: true,
    },
    Axis {
        name: "timesteps",
        curves: &["time/total_timesteps", "total_timesteps", "timesteps_total", "timesteps"],
        keys: &[],
        names: &["timestep"],
        is_of_training: true,
    },
    Axis {
        name: "samples",
        curves: &["consumed_samples"],
        keys: &[],
        names: &[],
        is_of_training: false,
    },
    Axis {
        name: "tokens",
        curves: &["consumed_tokens"],
        keys: &["tokens_seen", "trained_tokens", "tokens_trained"],
        names: &[],
        is_of_training: true,
    },
    Axis {
        name: "iteration",
        curves: &["iteration", "iter", "training_iteration"],
        keys: &["iter_num", "it", "iters"],
        names: &["iteration", "iter"],
        is_of_training: true,
    },
    Axis {
        name: "epoch",
        curves: &["epoch", "轮次"],
        keys: &[
            "epoch_num",
            "ep",
            "current_epoch",
            "training_epoch",
            "model_epoch",
            "train_epoch",
            "checkpoint_epoch",
            "ckpt_epoch",
            "eval_epoch",
            "epochs_trained",
            "trained_epochs",
        ],
        names: &["epoch", "ep"],
        is_of_training: true,
    },
    Axis { name: "round", curves: &[], keys: &["round"], names: &["round"], is_of_training: true },
    Axis { name: "update", curves: &[], keys: &["update"], names: &[], is_of_training: true },
    Axis {
        name: "shot",
        curves: &[],
        keys: &["shot", "shots", "n_shot", "nshot", "num_shots", "k_shot", "kshot"],
        names: &["shot", "shots"],
        is_of_training: false,
    },
];

/// Coordinates of which another value is another state of the model; keys of records may name a checkpoint
/// as well.
pub const CHECKPOINT_DIMS: &[&str] = &[
    "epoch",
    "step",
    "checkpoint",
    "global_step",
    "iteration",
    "round",
    "timesteps",
    "tokens",
    "update",
];

/// The preferred axis of a curve of which `has` knows the word: as written, and its name.
pub fn axis_of_curve(has: impl Fn(&str) -> bool) -> Option<(&'static str, &'static str)> {
    let mut words = AXES.iter().flat_map(|axis| axis.curves.iter().map(|word| (*word, axis.name)));
    words.find(|(word, _)| has(word))
}

/// The axis on which a key or column holds a place. What a training has consumed is no size of an evaluation.
pub fn axis_of_key(key: &str) -> Option<&'static str> {
    // `Training Epoch`, `global-step` and `training.epoch` are spellings.
    let spelled = |c: char| matches!(c, ' ' | '-' | '.');
    let joined = key.contains(spelled).then(|| key.replace(spelled, "_"));
    let key = joined.as_deref().unwrap_or(key);
    let is_it = |axis: &&Axis| axis.curves.iter().chain(axis.keys).any(|word| *word == key);
    AXES.iter().find(is_it).filter(|axis| axis.name != "samples").map(|axis| axis.name)
}

/// The axis that a word announces which stands with a number in a name: `ckpt` of `ckpt-40`.
pub fn axis_of_word(word: &str) -> Option<&'static str> {
    AXES.iter().find(|axis| axis.names.contains(&word)).map(|axis| axis.name)
}

/// Whether a word of a name announces a state of the model.
pub fn announces_training(word: &str) -> bool {
    AXES.iter().any(|axis| axis.is_of_training && axis.names.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_belongs_to_one_axis() {
        for words in
            [|axis: &Axis| [axis.curves, axis.keys].concat(), |axis: &Axis| axis.names.to_vec()]
        {
            let mut all: Vec<&str> = AXES.iter().flat_map(words).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }

    #[test]
    fn axes_of_training_are_coordinates_of_checkpoints() {
        for axis in AXES.iter().filter(|axis| axis.is_of_training) {
            assert!(CHECKPOINT_DIMS.contains(&axis.name), "{}", axis.name);
        }
    }
}
