//! One report with every kind of block, hostile texts and missing figures, for every format.

use reportgen::diag::{Code, Diagnostic, Location};
use reportgen::report::block::{Align, Block, Cell, Icon, Section, Table, Text, Tone};
use reportgen::report::{FindingView, Headline, Report, Sheet};
use reportgen::text::{Catalogue, Lang, Language};
use serde_json::{Value, json};

const HOSTILE: &str = "a|b <script>alert(1)</script> **x** `y` @everyone #12\n# z \u{202E}gnp.exe";

/// The language of the report.
pub(crate) fn chinese() -> Lang {
    Language::find("zh").expect("Chinese")
}

pub(crate) fn report() -> Report {
    Report {
        kind: "compare",
        findings: vec![FindingView::new(&finding(), Catalogue::shipped(chinese()))],
        gates: Vec::new(),
        paper: Vec::new(),
        data: data().as_object().expect("an object").clone(),
        sheet: Some(sheet()),
        lang: chinese(),
        title: Text::plain("GRPO 正确率对比报告（KL_BETA=0.12 vs 0.15）"),
        headline: Headline::new(
            Tone::Warning,
            Text::icon(Icon::Caution)
                .and_plain(" ")
                .and_strong("差异不能归因于 kl_beta")
                .and_plain("：两侧还有 2 处未声明的不同（")
                .and_code("base_checkpoint")
                .and_plain("、")
                .and_code("rl_data")
                .and_plain("）。"),
        ),
        brief: brief(),
        sections: sections(),
    }
}

fn finding() -> Diagnostic {
    Diagnostic::new(Code::FactorUnknown)
        .key("kl_bta")
        .with("key", "kl_bta")
        .with("near", vec!["kl_beta".to_owned()])
        .at(Location::line("runs/kl-0.12/config.yaml", 3))
}

fn data() -> Value {
    json!({
        "runs": [{ "id": "kl-0.15", "name": "kl-0.15" }, { "id": "kl-0.12", "name": "kl-0.12" }],
        "comparisons": [
            { "metric": "accuracy", "baseline": { "value": 58.8 }, "candidate": { "value": 57.0 } },
            { "metric": "accuracy", "baseline": { "value": 55.2 }, "candidate": { "value": null } },
        ],
    })
}

fn sheet() -> Sheet {
    let rows = [
        ["accuracy", "58.8", "-1.8", "runs/kl-0.15/results.csv:7"],
        ["accuracy", "55.2", "", "=runs/kl-0.12/results.csv"],
        ["-metric", "-1e-3", "+2", "@SUM(A1), \"quoted\""],
    ];
    let heads = ["metric", "value", "delta", "source"].map(str::to_owned).into();
    Sheet { heads, rows: rows.map(|row| row.map(Value::from).into()).into() }
}

/// What a terminal shows: figures with their verdicts, and a count.
pub(crate) fn brief() -> Vec<Block> {
    let rows = [
        (["58.8%", "57.0%", "-1.8 pp", "-9.9 … +6.3", "0.680"], "⏳ 未决", Tone::Warning),
        (["49.75%", "60.00%", "+10.25 pp", "+3.10 … +17.40", "<0.001"], "✅ 更好", Tone::Good),
        (["61.0%", "49.5%", "-11.5 pp", "-19.0 … -4.0", "0.004"], "❌ 更差", Tone::Danger),
        (["55.2%", "?", "?", "?", "?"], "无法评价", Tone::Note),
    ];
    let rows: Vec<_> = (1..).zip(rows).collect();
    let mut columns = Table::of_rows(&rows)
        .left("指标", |(shots, _)| format!("accuracy (okvqa\u{1B}[31m, shots={shots})"));
    for (position, head) in
        ["baseline", "candidate", "差异", "95% CI", "p（校正）"].into_iter().enumerate()
    {
        columns = columns.right(head, |(_, (figures, ..))| figures[position]);
        columns = if position < 3 { columns } else { columns.optional() };
    }
    let columns = columns.left("评价", |(_, (_, verdict, tone))| Cell {
        tone: Some(*tone),
        ..Cell::text(*verdict)
    });
    vec![columns.block(), Block::paragraph("1 项更差，1 项更好")]
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
    let figure = |value: f64| Cell::number(format!("{value}%"), value);
    let rows = [
        vec![
            Cell::text(Text::strong("1")),
            figure(58.8),
            figure(57.0),
            Cell::number(Text::strong("-1.8 pp"), -1.8),
            Cell::text(Text::icon(Icon::Down)),
        ],
        vec![
            Cell::text(Text::strong("2")),
            figure(49.75),
            figure(60.0),
            Cell::number("+10.25 pp", 10.25),
            Cell::text(Text::icon(Icon::Up).and_plain(" ").and_icon(Icon::Good)),
        ],
        vec![
            Cell::text(Text::code("a|b")),
            figure(55.2),
            Cell::missing(),
            Cell::missing(),
            Cell::missing(),
        ],
        vec![Cell::text(HOSTILE)],
    ];
    let cell = |at: usize| move |row: &Vec<Cell>| row.get(at).cloned().unwrap_or_default();
    Table::of_rows(&rows)
        .left("Shot", cell(0))
        .right("REF", cell(1))
        .right("NEW", cell(2))
        .right("差异", cell(3))
        .column("评价", Align::Center, cell(4))
        .table()
}
