//! The vectors that come with the program.

/// The named files of `core/reference/`, each with its text.
macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        &[$((
            concat!("core/reference/", $name, ".json"),
            include_str!(concat!("../../../reference/", $name, ".json")),
        )),+]
    };
}

/// Path and text of every shipped file of vectors.
pub static SHIPPED: &[(&str, &str)] = shipped![
    "bootstrap",
    "crossed",
    "distributions",
    "extremes",
    "independent_proportions",
    "inference",
    "means",
    "multiplicity",
    "nights",
    "noise",
    "one_proportion",
    "paired_proportions",
    "planning",
    "proportions",
    "ranks",
    "ratios",
    "repeats",
    "reported_rates",
    "resampling",
    "series",
    "sign_flips",
    "special_functions",
    "systems",
    "tasks",
    "trends_and_systems",
];
