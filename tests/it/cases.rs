//! Tables whose rows are tests of their own, so that each can be run by its name and each that fails
//! is named.

/// A test for each row: its name, and the expression that it runs.
///
/// Square brackets and `name = expression` are what rustfmt lays out like any list.
macro_rules! tests {
    [$($name:ident = $run:expr),+ $(,)?] => {
        $(
            #[test]
            fn $name() {
                $run;
            }
        )+
    };
}

/// A test for each row, which calls `check` on its case, and all cases as the function `cases`.
macro_rules! cases {
    [$($name:ident = $case:expr),+ $(,)?] => {
        pub(super) fn cases() -> Vec<Case> {
            vec![$($case),+]
        }

        $crate::cases::tests![$($name = $case.check()),+];
    };
}

pub(crate) use {cases, tests};
