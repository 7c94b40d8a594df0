/** The style sheet of the documentation site. */
export const siteStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --line: #e3e7ee; --ground: #fff; --raised: #f7f8fa;
  --accent: #0b5fff; --onAccent: #fff; --good: #0a7a4b; --warn: #9a6700; --bad: #c62828; --edge: #868f9e;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --line: #2a303a; --ground: #0f1217;
  --raised: #171b22; --accent: #6ea3ff; --onAccent: #0b1220; --good: #4cc38a; --warn: #e2b34b; --bad: #ff7b72; --edge: #657082; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 80px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans); font-variant-numeric: tabular-nums; }
h1, h2, h3, h4 { line-height: 1.2; margin: 0; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 34px; font-weight: 700; }
h2 { font-size: 26px; font-weight: 700; margin-top: 48px; }
h3 { font-size: 20px; font-weight: 550; margin-top: 32px; }
h4 { font-size: 17px; font-weight: 550; margin-top: 24px; }
p, main > ul, main > ol, section > p { margin: 12px 0; }
main p, main li, blockquote { max-width: 74ch; }
main ul, main ol { padding-left: 24px; }
main li { margin: 6px 0; }
a { color: var(--accent); text-underline-offset: 3px; }
code, pre, kbd { font-family: var(--mono); font-size: 13px; }
code { overflow-wrap: anywhere; }
blockquote { margin: 16px 0; padding: 0 16px; border-left: 3px solid var(--line); color: var(--muted); }
.anchor { margin-left: 8px; color: var(--muted); text-decoration: none; font-weight: 400; opacity: 0; }
h2:hover .anchor, h3:hover .anchor, h4:hover .anchor, .anchor:focus { opacity: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 16px; top: -64px; padding: 8px 12px; background: var(--ground); z-index: 3; }
.skip:focus { top: 8px; }
.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 16px; min-height: 60px; padding: 8px 16px;
  background: var(--ground); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; min-height: 44px; color: var(--ink); font-weight: 700; font-size: 17px;
  text-decoration: none; white-space: nowrap; }
.brand svg { width: 26px; height: 26px; color: var(--accent); }
.search { position: relative; flex: 1; max-width: 420px; margin-left: auto; }
.search input { width: 100%; min-height: 44px; padding: 8px 40px 8px 12px; border: 1px solid var(--edge); border-radius: 6px;
  background: var(--ground); color: var(--ink); font: 400 16px/1.45 var(--sans); }
.search kbd { position: absolute; right: 12px; top: 12px; padding: 1px 6px; border: 1px solid var(--line); border-radius: 4px;
  color: var(--muted); }
#site-found { position: absolute; right: 0; left: 0; top: 52px; max-height: min(70vh, 480px); margin: 0; padding: 8px; overflow-y: auto;
  background: var(--ground); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 8px 32px rgb(0 0 0 / 18%);
  list-style: none; }
#site-found [role=option] { padding: 8px 12px; border-radius: 6px; cursor: pointer; overflow-wrap: anywhere; }
#site-found [role=option] span { display: block; color: var(--muted); font-size: 13px; }
#site-found [aria-selected=true] { background: var(--raised); box-shadow: inset 2px 0 var(--accent); }
.page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 1360px; margin: 0 auto; padding: 0 16px 64px; }
main { min-width: 0; padding-top: 24px; }
.menu { padding: 11px 0; white-space: nowrap; }
.pages { margin-top: 48px; }
.groups p, .contents p { margin: 16px 0 4px; color: var(--muted); font-size: 13px; font-weight: 550; }
.groups ul, .contents ul { list-style: none; margin: 0; padding: 0; }
.groups a, .contents a { display: block; padding: 6px 8px; color: var(--ink); text-decoration: none; border-radius: 6px;
  overflow-wrap: anywhere; }
.groups a:hover, .contents a:hover { color: var(--accent); }
.groups [aria-current] { background: var(--raised); font-weight: 550; box-shadow: inset 2px 0 var(--accent); }
.contents { display: none; }
.neighbours { display: flex; justify-content: space-between; gap: 16px; margin-top: 64px; padding-top: 16px;
  border-top: 1px solid var(--line); }
.neighbours a { padding: 8px 0; min-height: 44px; text-decoration: none; font-weight: 550; }
.neighbours a[rel=next] { margin-left: auto; text-align: right; }
.neighbours span { display: block; color: var(--muted); font-size: 13px; font-weight: 400; }
.code { position: relative; margin: 16px 0; }
pre { margin: 16px 0; padding: 16px; overflow-x: auto; background: var(--raised); border-radius: 10px; line-height: 1.6; tab-size: 2; }
.code pre { margin: 0; }
.copy { position: absolute; right: 8px; top: 8px; min-height: 32px; padding: 4px 10px; border: 1px solid var(--edge);
  border-radius: 6px;
  background: var(--ground); color: var(--ink); font: 400 13px/1.2 var(--sans); cursor: pointer; }
.code:has(.copy) pre { padding-top: 48px; }
.table { margin: 16px 0; overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; font-size: 13px; }
th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 550; color: var(--muted); white-space: nowrap; }
td { min-width: 88px; max-width: 60ch; }
main details { border-bottom: 1px solid var(--line); }
main details:first-of-type { border-top: 1px solid var(--line); }
.group { margin-top: 16px; }
main summary { display: flex; align-items: baseline; gap: 8px; min-height: 44px; padding: 10px 0; cursor: pointer; font-weight: 550; }
.count { margin-left: auto; flex: none; color: var(--muted); font-weight: 400; font-size: 13px; }
dl { margin: 0 0 24px; }
dl > div { padding: 12px 0; border-top: 1px solid var(--line); }
dl > div:target { background: var(--raised); box-shadow: -12px 0 var(--raised), 12px 0 var(--raised); }
dt { font-weight: 550; overflow-wrap: anywhere; }
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
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr)); gap: 12px; margin: 16px 0;
  padding: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: 16px; border: 1px solid var(--line); border-radius: 10px; color: var(--ink);
  font-weight: 550; text-decoration: none; }
.cards a:hover { border-color: var(--accent); }
.languages { display: flex; flex-wrap: wrap; gap: 4px; margin: 16px 0 0; }
.languages button { min-height: 36px; padding: 4px 12px; border: 1px solid transparent; border-radius: 6px; background: none;
  color: var(--muted);
  font: 400 13px/1.2 var(--sans); cursor: pointer; }
.languages [aria-pressed=true] { border-color: var(--edge); color: var(--ink); font-weight: 550; }
.snippet > p { margin: 16px 0 4px; font-weight: 550; font-size: 13px; }
.snippet > .code { margin-top: 8px; }
.chosen .snippet > p { display: none; }
.expects { color: var(--muted); font-size: 13px; }
.console { display: grid; gap: 12px; margin: 16px 0; }
.console label { font-weight: 550; }
.console select, .console input, .console textarea { width: 100%; min-height: 44px; padding: 8px 12px;
  border: 1px solid var(--edge); border-radius: 6px;
  background: var(--ground); color: var(--ink); font: 400 16px/1.45 var(--sans); }
.console textarea { font: 400 13px/1.6 var(--mono); min-height: 220px; }
.button { justify-self: start; min-height: 44px; padding: 8px 24px; border: 0; border-radius: 6px; background: var(--accent);
  color: var(--onAccent);
  font: 550 15px/1.2 var(--sans); cursor: pointer; }
.button[disabled] { opacity: .6; cursor: default; }
@media (max-width: 719px) {
  .top { position: static; flex-wrap: wrap; gap: 0 16px; }
  .menu { margin-left: auto; }
  .search { flex: 1 0 100%; max-width: none; }
  html { scroll-padding-top: 16px; }
}
@media (min-width: 720px) {
  .page { padding: 0 32px 64px; }
  .top { padding: 8px 32px; }
  dl > div { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 0 24px; }
  dd { margin: 0; }
}
@media (min-width: 960px) {
  .page { grid-template-columns: 220px minmax(0, 1fr); column-gap: 48px; }
  .pages { grid-column: 1; grid-row: 1; margin-top: 0; position: sticky; top: 60px; align-self: start;
  max-height: calc(100vh - 60px); overflow-y: auto; padding: 8px 4px 24px; }
  .menu { display: none; }
  main { grid-column: 2; grid-row: 1; }
}
@media (min-width: 1240px) {
  .page { grid-template-columns: 220px minmax(0, 1fr) 200px; }
  .contents { display: block; grid-column: 3; grid-row: 1; position: sticky; top: 60px; align-self: start;
  max-height: calc(100vh - 60px); overflow-y: auto; padding: 16px 4px; font-size: 13px; }
}
@media print { .top, .pages, .contents, .neighbours, .copy, .skip, .languages { display: none !important; }
  .page { display: block; } pre { white-space: pre-wrap; } }
`;
