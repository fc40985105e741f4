use super::*;

fn config(text: &str) -> ConfigFile {
    ConfigFile::new("reportgen.toml".to_owned(), text.to_owned(), None).expect("no preset")
}

fn check(file: &str, flags: &Flags) -> Result<Settings, String> {
    resolve(Some(&config(file)), flags, Lang::default(), &["progress", "best"])
        .map(|warned| warned.value)
        .map_err(|error| error.to_string())
}

#[test]
fn a_flag_beats_the_file() {
    let flags = Flags { alpha: Some(0.01), ..Flags::default() };
    let settings = check("alpha = 0.1\nlang = \"zh\"", &flags).expect("valid");
    assert_eq!(settings.options.alpha, 0.01);
    assert_eq!(settings.lang.tag, "zh");
}

#[test]
fn clusters_are_chosen_by_a_field_by_nobody_or_by_the_program() {
    let cluster = |name: &str| Flags { cluster: Some(name.to_owned()), ..Flags::default() };
    for (flags, expected) in [
        (Flags::default(), Clustering::Key("page".to_owned())),
        (cluster("doc.page"), Clustering::Key("doc.page".to_owned())),
        (cluster("none"), Clustering::Off),
        (cluster("auto"), Clustering::Automatic),
    ] {
        let settings = check("cluster = \"page\"\npass_at = [8, 1, 8]", &flags).expect("valid");
        assert_eq!((settings.clustering, settings.pass_at), (expected, vec![1, 8]));
    }
}

#[test]
fn margins_find_their_metric_by_alias() {
    let flags = Flags { margins: vec!["accepted@1=2".to_owned()], ..Flags::default() };
    let settings = check("", &flags).expect("valid");
    assert_eq!(settings.margins.get("accepted_at_1"), Margin::plain(2.0).as_ref());
    let settings = check("[margins]\nwer = 1\n\"accepted@1\" = \"2pp\"", &Flags::default());
    let margins = settings.expect("valid").margins;
    assert_eq!(margins.get("accepted_at_1"), Margin::parse("2 %").as_ref());
    assert_eq!(margins.get("wer"), Margin::plain(1.0).as_ref());
}

#[test]
fn one_metric_has_one_margin_whichever_names_are_used() {
    let file = |lines: &str| format!("[margins]\n{lines}");
    let flags = |texts: &[&str]| Flags {
        margins: texts.iter().map(|text| (*text).to_owned()).collect(),
        ..Flags::default()
    };
    for (file, flags, names) in [
        (file("accuracy = 0.1\nacc = 10"), flags(&[]), "`accuracy=0.1` and `acc=10`"),
        (file("acc = \"1pp\"\nACC = 1"), flags(&[]), "`acc=1pp` and `ACC=1`"),
        (String::new(), flags(&["acc=1", "acc=2"]), "`acc=1` and `acc=2`"),
    ] {
        let error = check(&file, &flags).expect_err(&file);
        assert!(error.starts_with(&format!("margins {names} are both for the metric accuracy")));
    }
    let settings = check(&file("acc = 10"), &flags(&["accuracy=1", "acc=1.0"])).expect("valid");
    assert_eq!(settings.margins.get("accuracy"), Margin::plain(1.0).as_ref());
}

#[test]
fn impossible_choices_are_refused_with_what_to_do() {
    let margin = |text: &str| Flags { margins: vec![text.to_owned()], ..Flags::default() };
    for (file, flags, expected) in [
        ("alpha = 1.5", Flags::default(), "alpha must lie strictly between 0 and 1, got 1.5"),
        ("", margin("acc"), "margin `acc` is not METRIC=VALUE"),
        ("", margin("acc=-1"), "margin `acc=-1` is not METRIC=VALUE"),
        (
            "pass_at = [4, 0]",
            Flags::default(),
            "pass_at must be whole numbers of at least 1, got 0",
        ),
        ("cluster = \" \"", Flags::default(), "cluster must be the name of a field"),
        (
            "anytime = true\n[margins]\nacc = 5",
            Flags::default(),
            "anytime and margins do not go together",
        ),
        ("anytime = true", margin("acc=5"), "anytime and margins do not go together"),
        (
            "margins = { acc = 5 }",
            Flags { anytime: true, ..Flags::default() },
            "anytime and margins do not go together",
        ),
        ("by = [\"a\"]\nsplit = \"a\"", Flags::default(), "by and split name the axis `a` 2"),
        ("strict = true\nby = 3", Flags::default(), "`reportgen.toml`: TOML parse error at line 2"),
        ("", margin("acc=0"), "margin `acc=0` is not METRIC=VALUE"),
        ("", margin("acc=nan"), "margin `acc=nan` is not METRIC=VALUE"),
        ("[margins]\nacc = -0.5", Flags::default(), "margin `acc=-0.5` is not METRIC=VALUE"),
        ("accept = [\"R99\"]", Flags::default(), "accept `R99`: no finding has the code `R99`"),
        ("lang = \"fr\"", Flags::default(), "`reportgen.toml`: TOML parse error at line 1"),
        ("alpha = \"a\"", Flags::default(), "`reportgen.toml`: TOML parse error at line 1"),
        ("[margins]\nacc = true", Flags::default(), "`reportgen.toml`: TOML parse error at line 2"),
    ] {
        let error = check(file, &flags).expect_err(file);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn arms_keep_the_order_of_the_file_and_take_one_pattern_or_several() {
    let file = "[arms]\ntuned = \"runs/tuned*\"\nbase = [\"a\", \"b\"]";
    let arms = check(file, &Flags::default()).expect("valid").arms;
    let arms: Vec<(&str, usize)> =
        arms.iter().map(|(name, runs)| (name.as_str(), runs.len())).collect();
    assert_eq!(arms, [("tuned", 1), ("base", 2)]);
}

#[test]
fn acceptances_of_the_command_line_join_those_of_the_file() {
    let flags =
        Flags { accept: vec!["r213".to_owned(), "R201:seed".to_owned()], ..Flags::default() };
    let settings = check("accept = [\"R201:seed\", \"R103\"]", &flags).expect("valid");
    let rules: Vec<String> = settings.accept.iter().map(ToString::to_string).collect();
    assert_eq!(rules, ["R201:seed", "R103", "R213"]);
}

#[test]
fn runs_that_tell_the_noise_are_one_pattern_or_several_and_a_flag_beats_them() {
    let noise = |file: &str, flags: &Flags| check(file, flags).expect("valid").noise;
    assert_eq!(noise("noise = \"runs/base-*\"", &Flags::default()), ["runs/base-*"]);
    assert_eq!(noise("noise = [\"a\", \"b\"]", &Flags::default()), ["a", "b"]);
    let flags = Flags { noise: vec!["c".to_owned()], ..Flags::default() };
    assert_eq!(noise("noise = [\"a\", \"b\"]", &flags), ["c"]);
}

#[test]
fn an_unknown_key_is_reported_and_the_rest_is_kept() {
    let resolved =
        resolve(Some(&config("alhpa = 0.1\npower = 0.9")), &Flags::default(), Lang::default(), &[])
            .expect("valid");
    assert_eq!(resolved.value.options.power, 0.9);
    assert_eq!(resolved.diagnostics.len(), 1);
    assert_eq!(resolved.diagnostics[0].code, Code::UnknownSetting);
}

#[test]
fn a_direction_of_the_command_line_declares_a_metric_unless_the_file_does() {
    let flags = |names: &[&str]| {
        let directions = names.iter().map(|name| ((*name).to_owned(), Direction::Lower));
        Flags { directions: directions.collect(), ..Flags::default() }
    };
    let file = "[[metric]]\nnames = [\"my_score\"]\ndirection = \"higher\"";
    let settings = check(file, &flags(&["their \"score\""])).expect("valid");
    let direction = |name| settings.names.get(name).map(|spec| spec.direction);
    assert_eq!(direction("their \"score\""), Some(Direction::Lower));
    assert_eq!(direction("my_score"), Some(Direction::Higher));
    for twice in [&["my_score"][..], &["a", "a"]] {
        let error = check(file, &flags(twice)).expect_err("twice");
        assert!(error.contains("leave one of the two"), "{error}");
    }
}

#[test]
fn a_direction_of_the_command_line_keeps_what_is_shipped_and_does_not_contradict_it() {
    let flags = |name: &str, direction| Flags {
        directions: vec![(name.to_owned(), direction)],
        ..Flags::default()
    };
    let settings = check("", &flags("accuracy", Direction::Higher)).expect("valid");
    let (declared, shipped) =
        (settings.names.get("accuracy"), MetricNames::default().get("accuracy"));
    let (declared, shipped) = (declared.expect("declared"), shipped.expect("shipped"));
    assert_eq!(
        (declared.unit, declared.bounds, declared.outcomes),
        (shipped.unit, shipped.bounds, shipped.outcomes)
    );
    for (name, direction) in [
        ("accuracy", Direction::Lower),
        ("eval_acc", Direction::Lower),
        ("error_rate", Direction::Higher),
    ] {
        let error = check("", &flags(name, direction)).expect_err(name);
        assert!(error.contains("contradicts the shipped catalogue"), "{error}");
    }
    assert!(check("", &flags("loss", Direction::Lower)).is_ok(), "either way is possible");
}

#[test]
fn a_user_can_declare_a_metric() {
    let file = "[[metric]]\nnames = [\"my_score\"]\ndirection = \"higher\"\nunit = \"fraction\"";
    let settings = check(file, &Flags::default()).expect("valid");
    assert!(settings.names.is_declared("my_score"));
}

#[test]
fn a_command_for_missing_results_is_a_text_or_a_table_with_prices() {
    let eval = |file: &str| check(file, &Flags::default()).map(|settings| settings.eval);
    let command = eval("[commands]\neval = \"run {shot}\"").expect("valid").expect("declared");
    assert_eq!((command.template.as_str(), command.minutes), ("run {shot}", None));
    let table = "alpha = 0.1\n[commands]\neval = { run = \"run\", minutes = 2, cost = 0.5 }";
    let command = eval(table).expect("valid").expect("declared");
    assert_eq!((command.minutes, command.cost), (Some(2.0), Some(0.5)));
    assert_eq!(command.location.line, Some(3));
    assert_eq!(eval(""), Ok(None));
    for (file, expected) in [
        ("[commands]\nevl = \"x\"", "line 2: unknown key `evl`; did you mean `eval`?"),
        ("[commands]\n\neval = { rn = \"x\" }", "line 3: unknown key `rn`; did you mean `run`?"),
        ("[commands]\neval = { minutes = 2 }", "line 2: the key `run` is missing"),
        ("[commands]\neval = { run = \"x\", cost = -1 }", "line 2: cost of [commands] eval must"),
        ("[commands]\neval = 3", "line 2: invalid type"),
    ] {
        let error = eval(file).expect_err(file);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_file_lies_over_its_preset_and_is_told_of_its_own_lines() {
    let under = |text: &str| {
        let file = ConfigFile::new("my.toml".to_owned(), text.to_owned(), Some("kl-grid"));
        let file = file.expect("a preset");
        let tables = ["progress"];
        let settings = resolve(Some(&file), &Flags::default(), Lang::default(), &tables);
        settings.map(|warned| warned.value).map_err(|error| error.to_string())
    };
    assert_eq!(under("").expect("valid").vary, ["kl_beta"]);
    assert_eq!(under("vary = [\"lr\"]").expect("valid").vary, ["lr"]);
    let error = under("lang = \"zh\"\nalpha = \"much\"").expect_err("no number");
    assert!(error.contains("my.toml") && error.contains("line 2"), "{error}");
    let file = ConfigFile::new("my.toml".to_owned(), "preset = \"kl\"".to_owned(), None);
    assert!(file.expect_err("no such preset").to_string().contains("kl-grid"));
}

#[test]
fn every_preset_is_read_as_a_file_and_says_where_its_keys_stand() {
    for preset in PRESETS {
        let file = ConfigFile::of_preset(preset.name).expect("is there");
        let tables = ["progress", "quality", "phase", "best", "metrics"];
        let resolved = resolve(Some(&file), &Flags::default(), Lang::default(), &tables);
        let resolved = resolved.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        assert_eq!(resolved.diagnostics, [], "{}", preset.name);
    }
    let file = ConfigFile::new("my.toml".to_owned(), "\nlang = \"zh\"".to_owned(), Some("kl-grid"));
    let file = file.expect("a preset");
    assert_eq!(file.location(&["lang"]), Location::line("my.toml", 2));
    assert_eq!(&*file.location(&["vary"]).path, "presets/kl-grid.toml");
}
