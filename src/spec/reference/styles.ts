/** The style sheet of the reference page; the server names its hash in the Content-Security-Policy. */
export const referenceStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --line: #e3e7ee; --ground: #fff; --raised: #f7f8fa;
  --accent: #0b5fff; --good: #0a7a4b; --warn: #9a6700; --bad: #c62828;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --line: #2a303a; --ground: #0f1217;
  --raised: #171b22;
  --accent: #6ea3ff; --good: #4cc38a; --warn: #e2b34b; --bad: #ff7b72; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 1200px; margin: 0 auto; padding: 0 16px 64px; }
h1, h2, h3 { line-height: 1.2; margin: 0; text-wrap: balance; }
h1 { font-size: 34px; font-weight: 700; }
h2 { font-size: 26px; font-weight: 700; margin-top: 64px; }
h3 { font-size: 17px; font-weight: 550; margin-top: 32px; }
p { margin: 12px 0; max-width: 68ch; }
a { color: var(--accent); text-underline-offset: 3px; }
code, pre { font-family: var(--mono); font-size: 13px; }
code { overflow-wrap: anywhere; }
.id { user-select: all; }
pre { margin: 16px 0; padding: 16px; overflow-x: auto; background: var(--raised); border-radius: 10px;
  line-height: 1.6; tab-size: 2; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: 16px; top: -64px; padding: 8px 12px; background: var(--ground); z-index: 1; }
.skip:focus { top: 8px; }
header { padding: 32px 0 0; }
.brand { display: flex; align-items: center; gap: 12px; color: var(--ink); font-weight: 700; font-size: 17px;
  margin-bottom: 24px; }
.brand svg { width: 28px; height: 28px; color: var(--accent); }
.lead { font-size: 17px; color: var(--muted); }
nav { margin-top: 24px; }
nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 16px; }
nav a { display: inline-block; padding: 8px 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
details { border-bottom: 1px solid var(--line); }
details:first-of-type { border-top: 1px solid var(--line); }
.group { margin-top: 16px; }
summary { display: flex; align-items: baseline; gap: 8px; min-height: 44px; padding: 10px 0; cursor: pointer;
  list-style: none; font-weight: 550; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; flex: none; width: 7px; height: 7px; margin-right: 4px; border: solid var(--muted);
  border-width: 0 2px 2px 0;
  transform: translateY(-2px) rotate(-45deg); transition: transform 120ms ease-out; }
details[open] > summary::before { transform: translateY(-3px) rotate(45deg); }
summary:hover { color: var(--accent); }
.count { margin-left: auto; flex: none; color: var(--muted); font-weight: 400; font-size: 13px; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
dl { margin: 0 0 24px; }
dl > div { padding: 12px 0; border-top: 1px solid var(--line); }
dl > div:target { background: var(--raised); box-shadow: -12px 0 var(--raised), 12px 0 var(--raised); }
details > dl > div:first-child { border-top-style: dashed; }
dt { font-weight: 550; }
dd { margin: 4px 0 0; }
dd p { margin: 0; }
.format, .need, .aside { color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
.need { font-weight: 400; white-space: nowrap; margin-left: 8px; }
.need.R { color: var(--ink); font-weight: 550; }
.mark { display: inline-block; margin: 4px 12px 0 0; font-size: 13px; color: var(--warn); }
.mark.soft { color: var(--muted); }
.means::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 6px; border-radius: 50%;
  background: var(--muted); }
.means.approved::before { background: var(--good); }
.means.pending::before { background: var(--warn); }
.means.declined::before, .means.refused::before { background: var(--bad); }
.method { display: inline-block; min-width: 48px; font-family: var(--mono); font-size: 13px; font-weight: 700; }
ul.plain { padding-left: 20px; max-width: 72ch; }
ul.plain li { margin: 6px 0; }
footer { margin-top: 64px; color: var(--muted); font-size: 13px; }
@media (min-width: 720px) {
  .page { padding: 0 32px 64px; }
  dl > div { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 0 24px; }
  dd { margin: 0; }
}
@media (min-width: 1040px) {
  .page { grid-template-columns: 200px minmax(0, 1fr); column-gap: 64px; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 24px; align-self: start; margin-top: 64px; max-height: calc(100vh - 48px);
    overflow-y: auto; padding-left: 4px; }
  nav ul { display: block; }
  nav a { padding: 6px 0; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print { nav, .skip { display: none; } }
`;
