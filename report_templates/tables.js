
// Tables: rows by a word in them, columns that are shown, copies for other documents.
for (const table of document.querySelectorAll("main table")) {
  const body = table.tBodies[0];
  const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
  const frame = table.closest(".table");
  if (!body || !frame || heads.length < 2 || body.rows.length < 2) continue;
  const words = document.querySelector("main").dataset;
  const made = (name, className, text) => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
  };
  const tools = made("div", "table-tools", "");

  const text = (cell) => (cell ? cell.textContent.trim().replace(/\s+/g, " ") : "");
  const shown = () => heads.map((_, column) => column).filter((column) => !heads[column].hidden);
  const lines = () => [table.tHead.rows[0], ...body.rows].filter((row) => !row.hidden)
    .map((row) => shown().map((column) => text(row.cells[column])));
  const isRight = (column) => heads[column].classList.contains("right");
  const forms = {
    Markdown: () => {
      const row = (cells) => `| ${cells.join(" | ")} |`;
      const escaped = (cell) => cell.replace(/[\\|*_`<[\]]/g, "\\$&");
      const [head, ...rest] = lines().map((cells) => cells.map(escaped));
      return [row(head), row(shown().map((column) => (isRight(column) ? "--:" : "---"))), ...rest.map(row)].join("\n");
    },
    CSV: () => {
      // What a spreadsheet would run as a formula stands behind a quote; a number, or two, is none.
      const number = "[-+−]?\\$?\\d[\\d,.]*(e[-+]?\\d+)?( ?(%|pp|s|tokens))?";
      const isNumber = new RegExp(`^${number}( … ${number})?$`);
      const inert = (cell) => (/^\s*[=+\-@＝＋－＠]/.test(cell) && !isNumber.test(cell) ? `'${cell}` : cell);
      const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
      return lines().map((cells) => cells.map((cell) => quoted(inert(cell))).join(",")).join("\n");
    },
    LaTeX: () => {
      const signs = {
        "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}",
        ">": "\\textgreater{}", "|": "\\textbar{}", '"': "\\textquotedbl{}", "`": "\\textasciigrave{}",
        "⬆": "$\\uparrow$", "⬇": "$\\downarrow$", "➡": "$\\rightarrow$", "→": "$\\rightarrow$", "−": "$-$",
        "…": "\\dots{}", "±": "$\\pm$", "×": "$\\times$", "≥": "$\\ge$", "≤": "$\\le$", "·": "$\\cdot$",
        "Δ": "$\\Delta$", "α": "$\\alpha$",
      };
      const escaped = (cell) => cell
        .replace(/[\\~^&%$#_{}<>|"`⬆⬇➡→−…±×≥≤·Δα]/g, (sign) => signs[sign] ?? `\\${sign}`)
        .replace(/\uFE0F|\p{Extended_Pictographic}/gu, "").trim();
      // What begins with a bracket would be an argument of the line break before it.
      const guarded = (line) => (/^[[*]/.test(line) ? `{}${line}` : line);
      const [head, ...rest] = lines().map((cells) => `${guarded(cells.map(escaped).join(" & "))} \\\\`);
      const columns = shown().map((column) => (isRight(column) ? "r" : "l")).join("");
      return ["% \\usepackage{booktabs}", `\\begin{tabular}{${columns}}`, "\\toprule", head, "\\midrule", ...rest,
        "\\bottomrule", "\\end{tabular}"].join("\n");
    },
  };

  if (body.rows.length > 10) {
    const search = made("input", "", "");
    search.type = "search";
    search.placeholder = words.filter;
    search.setAttribute("aria-label", words.filter);
    const count = made("span", "", "");
    count.setAttribute("aria-live", "polite");
    const filter = (wanted) => {
      for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      const left = [...body.rows].filter((row) => !row.hidden).length;
      count.textContent = wanted ? `${left} / ${body.rows.length}` : "";
    };
    search.addEventListener("input", () => filter(search.value.toLowerCase()));
    // Paper does not say what it leaves out.
    window.addEventListener("beforeprint", () => filter(""));
    window.addEventListener("afterprint", () => filter(search.value.toLowerCase()));
    tools.append(search, count);
  }
  if (heads.length > 4) {
    const choice = made("details", "", "");
    const list = made("div", "", "");
    heads.slice(1).forEach((head, place) => {
      const box = made("input", "", "");
      box.type = "checkbox";
      box.checked = true;
      box.addEventListener("change", () => {
        for (const row of table.rows) if (row.cells[place + 1]) row.cells[place + 1].hidden = !box.checked;
      });
      const label = made("label", "", "");
      label.append(box, ` ${text(head)}`);
      list.append(label);
    });
    choice.append(made("summary", "", words.columns), list);
    tools.append(choice);
  }
  tools.append(made("span", "copy-as", words.copy));
  for (const [name, form] of Object.entries(forms)) {
    const button = made("button", "", name);
    button.type = "button";
    button.setAttribute("aria-label", `${words.copy} ${name}`);
    button.addEventListener("click", async () => {
      if (await copyText(form())) sayCopied(button, words.copied, name);
    });
    tools.append(button);
  }
  frame.before(tools);
}
