//! LaTeX: `tabular` with booktabs, figures with `TikZ`. Needs no package beside these, and `\input` takes it.

use std::fmt::Write as _;

use super::{Figure, FigurePanel, Paper, length, pieces};
use crate::render::escape::clean;
use crate::render::{Format, RenderError, RenderOptions};
use crate::report::block::{Align, Cell, Text};
use crate::report::{PaperTable, Report};

pub(in crate::render) struct Latex;

/// Where names end, left of the plot.
const BESIDE: f64 = -0.2;
/// Rows of a table on one page; longer ones are parted.
const ON_ONE_PAGE: usize = 40;
/// LaTeX keeps so many tables and figures, at least, until it finds pages for them.
const KEPT: usize = 15;
/// Around a table or a drawing: as it is where it fits the width of the text, else as wide as that.
const FITTED: &str = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%";

impl Format for Latex {
    fn name(&self) -> &'static str {
        "latex"
    }

    fn extension(&self) -> &'static str {
        "tex"
    }

    fn signature(&self) -> Option<&'static str> {
        Some("% reportgen ")
    }

    fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
        let paper = Paper::of(report, options.catalogues.of(report.lang));
        let packages = ["booktabs", "graphicx"]
            .into_iter()
            .chain((!paper.figures.is_empty()).then_some("tikz"));
        let packages: Vec<&str> = packages.collect();
        let mut out = format!("% reportgen {}: {}\n", options.label(paper.kind), paper.title);
        let _infallible = writeln!(out, "% \\usepackage{{{}}}", packages.join(","));
        for one in &paper.figures {
            figure(&mut out, one);
        }
        let tables = paper.tables.iter().flat_map(parts);
        for (at, one) in (paper.figures.len()..).zip(tables) {
            if at > 0 && at.is_multiple_of(KEPT) {
                out.push_str("\n\\clearpage\n");
            }
            table(&mut out, &one);
        }
        Ok(out)
    }
}

/// A part of a table that fits a page.
struct PaperPart<'p> {
    paper: &'p PaperTable,
    rows: &'p [Vec<Cell>],
    /// Which part it is of how many.
    number: usize,
    count: usize,
}

fn parts(paper: &PaperTable) -> impl Iterator<Item = PaperPart<'_>> {
    let rows = paper.table.rows();
    let count = rows.len().div_ceil(ON_ONE_PAGE);
    let parts = (1..).zip(rows.chunks(ON_ONE_PAGE));
    parts.map(move |(number, rows)| PaperPart { paper, rows, number, count })
}

fn table(out: &mut String, part: &PaperPart<'_>) {
    let PaperPart { paper, rows, number, count } = part;
    let columns = paper.table.columns();
    let letters: String = columns
        .iter()
        .map(|head| match head.align {
            Align::Left => 'l',
            Align::Right => 'r',
            Align::Center => 'c',
        })
        .collect();
    let of_several = if *count > 1 { format!(" ({number}/{count})") } else { String::new() };
    let caption = inline(&paper.caption) + &of_several;
    let heads = columns.iter().map(|head| inline(&head.title)).collect::<Vec<_>>().join(" & ");
    let lines: String = rows.iter().map(|row| line(row)).collect();
    let notes = paper.notes.iter().map(|note| escaped(note)).collect::<Vec<_>>().join(" ");
    let notes = Some(notes).filter(|notes| !notes.is_empty() && number == count);
    let notes = notes.map(|notes| format!("\\\\[2pt]\n{{\\footnotesize {notes}\\par}}\n"));
    let _infallible = write!(
        out,
        "\n\\begin{{table}}[tp]\n\\centering\\small\n\\caption{{{caption}}}\n{FITTED}\n\
         \\begin{{tabular}}{{{letters}}}\n\\toprule\n{heads} \\\\\n\\midrule\n{lines}\
         \\bottomrule\n\\end{{tabular}}}}\n{}\\end{{table}}\n",
        notes.unwrap_or_default()
    );
}

fn line(row: &[Cell]) -> String {
    let cells = row.iter().map(|cell| inline(&cell.text)).collect::<Vec<_>>();
    // What begins with a bracket would be an argument of the line break before it.
    let line = cells.join(" & ");
    let guard = if line.starts_with(['[', '*']) { "{}" } else { "" };
    format!("{guard}{line} \\\\\n")
}

fn inline(text: &Text) -> String {
    let piece = |(text, is_bold): &(String, bool)| {
        let text = escaped(text);
        if *is_bold { format!("\\textbf{{{text}}}") } else { text }
    };
    pieces(text).iter().map(piece).collect()
}

/// A text that LaTeX shows as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("{\\char34}"),
            '`' => out.push_str("\\textasciigrave{}"),
            '-' if is_sign(&out) => out.push_str("$-$"),
            // Two of them would be a dash.
            '-' => out.push_str("{-}"),
            '−' => out.push_str("$-$"),
            '…' => out.push_str("\\dots{}"),
            '±' => out.push_str("$\\pm$"),
            '×' | '✗' => out.push_str("$\\times$"),
            '→' => out.push_str("$\\rightarrow$"),
            '≥' => out.push_str("$\\ge$"),
            '≤' => out.push_str("$\\le$"),
            '≈' => out.push_str("$\\approx$"),
            '·' => out.push_str("$\\cdot$"),
            'Δ' => out.push_str("$\\Delta$"),
            'α' => out.push_str("$\\alpha$"),
            'κ' => out.push_str("$\\kappa$"),
            'σ' => out.push_str("$\\sigma$"),
            '↑' => out.push_str("$\\uparrow$"),
            '↓' => out.push_str("$\\downarrow$"),
            '★' => out.push_str("$\\star$"),
            '✓' => out.push_str("$\\surd$"),
            // No font of a paper has them.
            '\u{2600}'..='\u{27BF}' | '\u{FE0F}' | '\u{1F000}'.. => {}
            c => out.push(c),
        }
    }
    out
}

/// Whether a hyphen behind this text is the sign of a number.
fn is_sign(before: &str) -> bool {
    before.is_empty() || before.ends_with([' ', '('])
}

fn figure(out: &mut String, figure: &Figure) {
    let _infallible = writeln!(
        out,
        "\n\\begin{{figure}}[t]\n\\centering\n{FITTED}\n\
         \\begin{{tikzpicture}}[x=1cm,y=-1cm,font=\\footnotesize]"
    );
    for one in &figure.panels {
        panel(out, one);
    }
    let title = escaped(&figure.title);
    let _infallible =
        writeln!(out, "\\end{{tikzpicture}}}}\n\\caption{{{title}}}\n\\end{{figure}}");
}

fn panel(out: &mut String, panel: &FigurePanel) {
    let (top, bottom) = (panel.top, panel.bottom());
    let mut add = |what: &str, points: &[[f64; 2]], label: Option<&str>| {
        let points = points.iter().map(|[x, y]| format!("({},{})", length(*x), length(*y)));
        let points = points.collect::<Vec<_>>().join(" -- ");
        let label = label.map(|label| format!(" {{{}}}", escaped(label))).unwrap_or_default();
        let _infallible = writeln!(out, "\\{what} {points}{label};");
    };
    for (x, label) in &panel.ticks {
        add("draw[gray!40]", &[[*x, top], [*x, bottom]], None);
        add("node[anchor=north,gray] at", &[[*x, bottom]], Some(label));
    }
    if let Some(x) = panel.zero {
        add("draw[thick]", &[[x, top], [x, bottom]], None);
    }
    add("node[anchor=north east,gray] at", &[[BESIDE, bottom]], Some(&panel.axis));
    for row in &panel.rows {
        add("node[anchor=east] at", &[[BESIDE, row.y]], Some(&row.name));
        if let Some([from, to]) = row.interval {
            add("draw[semithick]", &[[from, row.y], [to, row.y]], None);
        }
        let fill = if row.is_decided { "black" } else { "white" };
        // A node of no content is as large as its separation.
        let dot = format!("node[circle,draw,fill={fill},inner sep=1.6pt] at");
        add(&dot, &[[row.at, row.y]], Some(""));
    }
}
