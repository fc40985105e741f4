//! One report with every kind of block, hostile texts and missing figures, for every format.

use indexmap::IndexMap;
use reportgen::model::{ConfigValue, DimValue, Dims, Provenance};
use reportgen::report::block::{Align, Block, Cell, Icon, Section, Table, Text, Tone};
use reportgen::report::{
    ArmGrade, ArmView, Comparability, ComparisonView, DeltaView, FlipsView, PairingView, Report,
    ResidueView, RunView, SCHEMA, SourceView, SystemsView, TestView, VerdictCounts,
};
use reportgen::text::Lang;

const HOSTILE: &str = "a|b <script>alert(1)</script> **x** `y` @everyone #12\n# z \u{202E}gnp.exe";

pub(crate) fn report() -> Report {
    Report {
        schema: SCHEMA,
        kind: "compare",
        runs: vec![run("kl-0.15", "baseline"), run("kl-0.12", "candidate")],
        comparability: Comparability {
            grade: "confounded",
            grade_unaccepted: "confounded",
            accepted: Vec::new(),
            factors: vec!["kl_beta".to_owned()],
            residue: vec![ResidueView {
                key: "base_checkpoint".to_owned(),
                candidate_run: "kl-0.12".to_owned(),
                baseline: Some(ConfigValue::Text("RCE epoch 2".to_owned())),
                candidate: Some(ConfigValue::Text("RCE epoch 5".to_owned())),
                role: "model",
                can_move_metric: true,
            }],
            candidates: vec![ArmGrade {
                candidate: "kl-0.12".to_owned(),
                grade: "confounded",
                grade_unaccepted: "confounded",
                aa: None,
            }],
        },
        diagnostics: Vec::new(),
        comparisons: vec![
            comparison(1, [58.8, 57.0], [-9.9, 6.3], 0.68, "inconclusive"),
            comparison(2, [49.75, 60.0], [3.1, 17.4], 0.0004, "better"),
            comparison(3, [61.0, 49.5], [-19.0, -4.0], 0.004, "worse"),
            not_run(4),
        ],
        phase: None,
        gates: Vec::new(),
        grids: Vec::new(),
        suites: Vec::new(),
        tasks: Vec::new(),
        series: Vec::new(),
        systems: SystemsView::default(),
        verdicts: VerdictCounts {
            better: 1,
            worse: 1,
            inconclusive: 1,
            not_assessable: 1,
            ..VerdictCounts::default()
        },
        lang: Lang::Zh,
        title: Text::plain("GRPO 正确率对比报告（KL_BETA=0.12 vs 0.15）"),
        headline: Text::icon(Icon::Caution)
            .and_plain(" ")
            .and_strong("差异不能归因于 kl_beta")
            .and_plain("：两侧还有 2 处未声明的不同（")
            .and_code("base_checkpoint")
            .and_plain("、")
            .and_code("rl_data")
            .and_plain("）。"),
        sections: sections(),
    }
}

fn run(name: &str, role: &'static str) -> RunView {
    RunView {
        id: name.to_owned(),
        name: name.to_owned(),
        role,
        arm: name.to_owned(),
        path: format!("runs/{name}"),
        readers: vec!["results-csv"],
        status: "complete",
        config: IndexMap::from([(
            "kl_beta".to_owned(),
            ConfigValue::Number(0.12, "0.12".to_owned()),
        )]),
        data_files: Vec::new(),
        provenance: Provenance::default(),
    }
}

fn arm(value: f64, path: &str) -> ArmView {
    ArmView {
        value: Some(value),
        absent: None,
        n: Some(200),
        clusters: None,
        ci: None,
        seeds: None,
        coverage: None,
        part: None,
        source: Some(SourceView { path: path.to_owned(), line: Some(7), key: None }),
    }
}

pub(crate) fn comparison(
    shots: u32,
    [baseline, candidate]: [f64; 2],
    ci: [f64; 2],
    p: f64,
    verdict: &'static str,
) -> ComparisonView {
    ComparisonView {
        metric: "accuracy".to_owned(),
        dataset: Some("okvqa".to_owned()),
        dims: Dims::none().with("shots", DimValue::Number(f64::from(shots))),
        direction: "higher",
        unit: "percent",
        baseline_run: "kl-0.15".to_owned(),
        candidate_run: "kl-0.12".to_owned(),
        baseline: arm(baseline, "runs/kl-0.15/results.csv"),
        candidate: arm(candidate, "=runs/kl-0.12/results.csv"),
        delta: Some(DeltaView {
            absolute: candidate - baseline,
            relative: Some((candidate - baseline) / baseline),
            unit: "pp",
            ci: Some(ci),
            level: Some(0.95),
            ci_method: Some("newcombe"),
            ci_simultaneous: None,
            level_simultaneous: None,
        }),
        test: Some(TestView {
            method: "mcnemar-exact",
            p,
            p_adjusted: Some(p),
            family: None,
            statistic: None,
            attainable: None,
            paired_p_bounds: None,
        }),
        pairing: Some(PairingView {
            paired: 200,
            baseline_only: 0,
            candidate_only: 0,
            conflicting: 0,
            unit: "sample",
            clusters: None,
            items: None,
            baseline_value: None,
            candidate_value: None,
            proof: Some("id-only"),
        }),
        flips: Some(FlipsView { gained: 20, lost: 24, both_right: 90, both_wrong: 66 }),
        bounds: None,
        decomposition: None,
        answers: None,
        noninferiority: None,
        noise: None,
        mde: Some(9.8),
        needed_n: Some(11_900),
        verdict,
        reason: None,
        accepted: Vec::new(),
        notes: Vec::new(),
    }
}

fn not_run(shots: u32) -> ComparisonView {
    let absent = |absent| ArmView {
        value: None,
        absent: Some(absent),
        n: None,
        clusters: None,
        ci: None,
        seeds: None,
        coverage: None,
        part: None,
        source: None,
    };
    ComparisonView {
        candidate: absent("not-run"),
        delta: None,
        test: None,
        pairing: None,
        flips: None,
        mde: None,
        needed_n: None,
        reason: Some("@SUM(A1)".to_owned()),
        ..comparison(shots, [55.2, 0.0], [0.0, 0.0], 1.0, "not-assessable")
    }
}

fn sections() -> Vec<Section> {
    vec![
        summary(),
        Section {
            id: "comparisons",
            title: Text::plain("差异对比"),
            blocks: vec![
                Block::Heading { text: Text::plain("GRPO Epoch 1 # 差异") },
                Block::Table { table: differences() },
                Block::Paragraph { text: Text::plain(HOSTILE) },
            ],
        },
        Section { id: "empty", title: Text::plain("空"), blocks: Vec::new() },
        Section {
            id: "details",
            title: Text::plain("细节"),
            blocks: vec![Block::Details {
                summary: Text::plain("展开 <b>").and_code("a|b").and_strong(" 全部"),
                blocks: vec![
                    Block::Paragraph { text: Text::plain("折叠的段落") },
                    Block::Table { table: differences() },
                ],
            }],
        },
        Section {
            id: "reproduce",
            title: Text::plain("重现"),
            blocks: vec![
                Block::Code {
                    lang: "bash".to_owned(),
                    text: "reportgen compare runs/kl-0.15 runs/kl-0.12\n".to_owned(),
                },
                Block::Code {
                    lang: "`x".to_owned(),
                    text: "```\n</code></pre><script>\u{1B}[31m".to_owned(),
                },
            ],
        },
    ]
}

fn summary() -> Section {
    Section {
        id: "summary",
        title: Text::plain("📊 结论"),
        blocks: vec![
            Block::Callout {
                tone: Tone::Warning,
                title: Text::plain("数据文件不一致"),
                body: vec![
                    Text::strong("100%").and_plain("的样本只在一侧出现。"),
                    Text::plain("建议用同一份 ")
                        .and_code("rl_data_k64_v3.json")
                        .and_plain(" 重新训练。"),
                ],
            },
            Block::Callout { tone: Tone::Danger, title: Text::plain(HOSTILE), body: Vec::new() },
            Block::Callout {
                tone: Tone::Good,
                title: Text::empty(),
                body: vec![Text::plain("仅正文")],
            },
            Block::Callout {
                tone: Tone::Note,
                title: Text::plain("说明"),
                body: vec![Text::plain(HOSTILE)],
            },
            Block::List {
                ordered: false,
                items: vec![
                    Text::strong("1 项更好").and_plain("：Shot 2 "),
                    Text::empty(),
                    Text::plain("- 以标记开头"),
                    Text::plain(HOSTILE),
                ],
            },
            Block::List {
                ordered: true,
                items: vec![Text::plain("第一步"), Text::plain("第二步")],
            },
        ],
    }
}

fn differences() -> Table {
    let mut table = Table::with_heads(vec![
        ("Shot", Align::Left),
        ("REF", Align::Right),
        ("NEW", Align::Right),
        ("差异", Align::Right),
        ("评价", Align::Center),
    ]);
    let figure = |value: f64| Cell::number(format!("{value}%"), value);
    table.push(vec![
        Cell::text(Text::strong("1")),
        figure(58.8),
        figure(57.0),
        Cell::number(Text::strong("-1.8 pp"), -1.8),
        Cell::text(Text::icon(Icon::Down)),
    ]);
    table.push(vec![
        Cell::text(Text::strong("2")),
        figure(49.75),
        figure(60.0),
        Cell::number("+10.25 pp", 10.25),
        Cell::text(Text::icon(Icon::Up).and_plain(" ").and_icon(Icon::Good)),
    ]);
    table.push(vec![
        Cell::text(Text::code("a|b")),
        figure(55.2),
        Cell::missing(),
        Cell::missing(),
        Cell::missing(),
    ]);
    table.push(vec![Cell::text(HOSTILE)]);
    table
}
