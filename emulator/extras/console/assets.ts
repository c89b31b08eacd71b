/**
 * The script and the style of the console's page.
 */

/**
 * Follows the feed, filters the rows, and copies texts to the clipboard.
 *
 * A part of the page is replaced only if it has changed, so that focus and selection elsewhere stay. If a button in
 * that part had the focus, its replacement gets it.
 */
export const script = `
const main = document.querySelector("main"), state = document.querySelector("#feed"), said = document.querySelector("#said");
const filter = document.querySelector("#filter"), shown = document.querySelector("#shown");
const feed = new EventSource("console/feed");
feed.onopen = () => { state.textContent = "live"; };
feed.onerror = () => { state.textContent = "not connected; trying again"; };
const look = () => {
  const words = filter.value.toLowerCase().split(" ").filter((word) => word !== "");
  const rows = [...main.querySelectorAll("tr[data-words]")];
  for (const row of rows) row.hidden = !words.every((word) => row.dataset.words.includes(word));
  const count = rows.filter((row) => !row.hidden).length;
  const text = count + " of " + rows.length + (rows.length === 1 ? " compute" : " computes");
  if (shown.textContent !== text) shown.textContent = text;
};
filter.addEventListener("input", look);
const selectAndCopy = (text) => {
  const area = document.createElement("textarea"), focused = document.activeElement;
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  focused?.focus();
};
main.addEventListener("click", async ({ target }) => {
  const button = target.closest("button[data-copy]");
  if (!button) return;
  const text = button.dataset.copy, label = button.getAttribute("aria-label");
  try { await navigator.clipboard.writeText(text); } catch { selectAndCopy(text); }
  said.textContent = label.replace("Copy", "Copied");
});
const restore = (label) => {
  if (document.activeElement !== document.body || label === null) return;
  [...main.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === label)?.focus();
};
feed.onmessage = ({ data }) => {
  const focused = document.activeElement.getAttribute("aria-label");
  const next = new DOMParser().parseFromString(data, "text/html").body;
  const parts = (of) => [...of.querySelectorAll("[data-part]")];
  const names = (of) => parts(of).map((part) => part.dataset.part).join();
  for (const row of main.querySelectorAll("tr[hidden]")) row.hidden = false;
  const places = [...main.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  if (names(main) !== names(next)) main.replaceChildren(...next.childNodes);
  else parts(next).forEach((part, at) => { const old = parts(main)[at]; if (old.outerHTML !== part.outerHTML) old.replaceWith(part); });
  main.querySelectorAll(".scroll").forEach((box, at) => { box.scrollLeft = places[at] ?? 0; });
  look();
  restore(focused);
};
look();`;

export const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #151b23);
  --quiet: light-dark(#59636e, #9198a1); --good: light-dark(#1a7f37, #3fb950); --busy: light-dark(#9a6700, #d29922);
  --bad: light-dark(#cf222e, #f85149); --edge: light-dark(#818b98, #656c76); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 100rem; padding: .75rem 1rem; font: 13px/1.35 system-ui, sans-serif;
  background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); }
h1 { font-size: 1.25rem; margin: 0; } h2 { font-size: 1.1rem; margin: 0; } h3 { font-size: 1rem; margin: 0 0 .25rem; }
p { margin: .25rem 0; }
.quiet, small { color: var(--quiet); font-weight: normal; font-size: .75rem; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; margin-top: .5rem; }
.bar input { font: inherit; width: 18rem; max-width: 100%; padding: .2rem .5rem; border: 1px solid var(--edge);
  border-radius: .3rem; background: var(--soft); color: inherit; }
main > section { margin-top: 1rem; }
.head { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; margin-bottom: .25rem; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) 13.5rem; align-items: start; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .3rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; white-space: nowrap; }
thead th { color: var(--quiet); font-weight: normal; font-size: .75rem; }
tbody th { font-weight: normal; }
.number { text-align: right; }
.line { display: flex; gap: .35rem; align-items: baseline; line-height: 1.3; }
td > .line > strong { font-weight: normal; }
.state { font-weight: 600; } .active, .finished { color: var(--good); } .idle, .init { color: var(--quiet); }
.changing, .running, .scheduling { color: var(--busy); } .disabled, .failed { color: var(--bad); }
button { font: inherit; font-size: .7rem; line-height: 1.1; padding: 0 .3rem; border: 1px solid var(--edge);
  border-radius: .25rem; background: var(--soft); color: inherit; cursor: pointer; min-width: 24px; }
button:focus-visible, input:focus-visible, .scroll:focus-visible { outline: 2px solid var(--good); outline-offset: 1px; }
ol { list-style: none; margin: 0; padding: 0; }
ol li { display: flex; flex-wrap: wrap; gap: 0 .5rem; border-bottom: 1px solid var(--line); padding: .2rem 0; font-size: .75rem; }
@media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) { tbody th, tbody th .line { white-space: normal; flex-wrap: wrap; overflow-wrap: break-word; } }`;
