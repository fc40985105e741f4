
// Samples: search, keyboard, copies. What is hidden by transition is the style's affair.
for (const browser of document.querySelectorAll(".samples")) {
  const cards = [...browser.querySelectorAll(".sample")];
  const tools = browser.querySelector(".sample-tools");
  const made = (name, className, text) => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    if (name === "button") element.type = "button";
    return element;
  };
  const filters = made("span", "sample-filters", "");
  const copyAll = made("button", "", browser.dataset.copy);
  const position = made("span", "sample-position", "");
  const keys = made("p", "sample-keys", browser.dataset.keys);
  position.setAttribute("aria-live", "polite");
  keys.hidden = true;
  const shown = () => cards.filter((card) => getComputedStyle(card).display !== "none");
  let current = null;

  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = browser.dataset.search;
  search.setAttribute("aria-label", browser.dataset.search);
  // One choice for each kind of thing that the samples shown differ in.
  const choices = [["dataset", browser.dataset.allDatasets], ["ending", browser.dataset.allEndings],
    ["alike", browser.dataset.allAnswers]].map(([name, all]) => {
    const counts = new Map();
    for (const card of cards) {
      const value = card.dataset[name];
      if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const choice = document.createElement("select");
    const byCount = [...counts].sort((a, b) => b[1] - a[1]);
    choice.append(new Option(all, ""), ...byCount.map(([value, count]) => new Option(`${value} (${count})`, value)));
    choice.setAttribute("aria-label", all);
    choice.dataset.of = name;
    return { choice, isShown: name === "dataset" ? counts.size > 1 : counts.size > 0 };
  });
  const shownChoices = choices.filter(({ isShown }) => isShown).map(({ choice }) => choice);
  filters.append(search, ...shownChoices);
  tools.append(filters, copyAll, position, keys);
  tools.hidden = false;

  const tell = () => {
    const all = shown();
    const at = all.indexOf(current) + 1;
    position.textContent = all.length ? `${at || "–"} / ${all.length}` : browser.dataset.noMatch;
  };
  const texts = new Map();
  const filter = () => {
    const wanted = search.value.toLowerCase();
    for (const card of cards) {
      if (wanted && !texts.has(card)) texts.set(card, card.textContent.toLowerCase());
      const isOther = shownChoices.some(({ value, dataset }) => value && card.dataset[dataset.of] !== value);
      card.hidden = isOther || (wanted && !texts.get(card).includes(wanted));
    }
    tell();
  };
  const go = (card) => {
    if (!card) return;
    current = card;
    card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
    history.replaceState(null, "", `#${card.id}`);
    tell();
  };
  const step = (by) => {
    const all = shown();
    const at = all.indexOf(current);
    go(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]);
  };
  const nextWorse = () => {
    const all = shown();
    const from = all.indexOf(current) + 1;
    go([...all.slice(from), ...all.slice(0, from)].find((card) => card.classList.contains("worse")));
  };

  const field = (within, name) => within.querySelector(`:scope > .text > [data-field="${name}"]`)?.textContent;
  const line = (card) => {
    const asked = card.querySelector(".asked");
    const answers = [...card.querySelectorAll(".side")].map((side) => ({
      run: side.dataset.run,
      answer: field(side, "answer"),
      facts: side.querySelector(".facts").textContent,
      source: side.dataset.source,
    }));
    const { id, dataset, transition } = card.dataset;
    const prompt = asked && field(asked, "prompt");
    const target = asked && field(asked, "target");
    return JSON.stringify({ id, dataset, transition, prompt, target, answers });
  };
  const copy = async (which, button) => {
    const text = which.map((card) => `${line(card)}\n`).join("");
    if ((await copyText(text)) && button) sayCopied(button, browser.dataset.copied, browser.dataset.copy);
  };

  // All cards are laid out again: not for each of several keys.
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  });
  for (const choice of shownChoices) choice.addEventListener("change", filter);
  browser.addEventListener("change", tell);
  copyAll.addEventListener("click", () => copy(shown(), copyAll));
  for (const card of cards) {
    const button = made("button", "copy", browser.dataset.copy);
    card.querySelector("h3").append(button);
    button.addEventListener("click", () => copy([card], button));
    card.addEventListener("focusin", () => {
      current = card;
      tell();
    });
  }
  // Tables of samples lead to those that are shown. Equal ids of several datasets lead nowhere.
  const byId = new Map();
  for (const card of cards) byId.set(card.dataset.id, byId.has(card.dataset.id) ? null : card);
  for (const code of document.querySelectorAll("main :is(td, li) > code:only-child")) {
    const card = byId.get(code.textContent);
    if (!card || browser.contains(code)) continue;
    const link = made("a", "", "");
    link.href = `#${card.id}`;
    code.replaceWith(link);
    link.append(code);
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyped = event.target.matches("input:not([type=radio]), select, textarea, summary");
    // Keys of the page stay those of the page until its samples are in view.
    const box = browser.getBoundingClientRect();
    const isInView = box.top <= innerHeight * 0.7 && box.bottom >= 0;
    if (!isInView && !browser.contains(event.target)) return;
    if (event.key === "Escape") {
      keys.hidden = true;
      if (isTyped) event.target.blur();
      return;
    }
    if (isTyped || event.target.matches("input[type=radio]")) return;
    const isInText = event.target.matches("pre") && event.key.length > 1;
    const actions = {
      j: () => step(1),
      ArrowDown: () => step(1),
      k: () => step(-1),
      ArrowUp: () => step(-1),
      Home: () => go(shown()[0]),
      End: () => go(shown().at(-1)),
      f: nextWorse,
      c: () => current && copy([current], current.querySelector(".copy")),
      "/": () => search.focus(),
      "?": () => (keys.hidden = !keys.hidden),
    };
    const action = actions[event.key];
    if (!action || isInText) return;
    event.preventDefault();
    action();
  });
  current = cards.find((card) => `#${card.id}` === location.hash) ?? null;
  tell();
}
