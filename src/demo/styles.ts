/** The style sheet of the demo shop. It uses its own class names only, because any rule would override the styles of the widget. */
export const pageStyles = `
:root { color-scheme: light dark; --ink: light-dark(#14181f, #e8ebf0); --muted: light-dark(#5b6472, #98a2b3);
  --line: light-dark(#e3e7ee, #2a303a); --ground: light-dark(#fff, #0f1217); --raised: light-dark(#f7f8fa, #171b22);
  --accent: light-dark(#0b5fff, #6ea3ff); --onAccent: light-dark(#fff, #0b1220); --good: light-dark(#0a7a4b, #4cc38a);
  --warn: light-dark(#9a6700, #e2b34b); --bad: light-dark(#c62828, #ff7b72); --edge: light-dark(#868f9e, #657082);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 1120px; padding: 0 16px 48px; background: var(--ground); color: var(--ink);
  font: 400 15px/1.45 var(--sans); font-variant-numeric: tabular-nums; }
h1, h2 { margin: 0; line-height: 1.2; font-weight: 700; text-wrap: balance; }
h1 { font-size: 26px; }
h2 { font-size: 17px; }
.head h2 { font-size: 15px; font-weight: 550; overflow-wrap: anywhere; }
main > p, .about, .outcome p, .developer p { margin: 12px 0; }
code, pre { font-family: var(--mono); font-size: 13px; }
.id { user-select: all; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; min-height: 64px;
  padding: 12px 0; margin-bottom: 24px; border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 12px; min-height: 44px; color: var(--ink); font-weight: 700; font-size: 17px;
  text-decoration: none; }
.brand svg { width: 28px; height: 28px; color: var(--accent); }
.badge { color: var(--warn); font-size: 13px; font-weight: 550; }
footer { display: flex; flex-wrap: wrap; gap: 0 16px; margin-top: 48px; font-size: 13px; }
footer a { display: inline-block; padding: 12px 0; color: var(--muted); }
.show { display: grid; place-items: center; padding: 24px; background: var(--raised); border-radius: 10px; }
.picture { width: 100%; max-width: 360px; }
.shade { fill: light-dark(#e3e7ee, #0b0d11); }
.handle { fill: none; stroke: light-dark(#b9a48c, #a08d77); stroke-width: 13; stroke-linecap: round; }
.clay { fill: light-dark(#c8b49c, #ab9780); }
.glaze { fill: light-dark(#3f6f8f, #568aac); }
.rim { fill: light-dark(#355f7b, #4a7b9b); }
.inside { fill: light-dark(#213c4f, #2a4658); }
.price { margin: 8px 0 0; font-size: 20px; font-weight: 550; }
.about { color: var(--muted); max-width: 44ch; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(140px, 100%), 1fr)); gap: 16px; margin: 24px 0; }
.field label { display: block; margin-bottom: 4px; font-weight: 550; }
.field select { width: 100%; min-height: 44px; padding: 8px 36px 8px 12px; border: 1px solid var(--edge); border-radius: 6px;
  appearance: none; background: var(--ground) no-repeat; color: var(--ink); font: 400 16px/1.45 var(--sans);
  background-image: linear-gradient(45deg, transparent 50%, var(--muted) 50%),
    linear-gradient(-45deg, transparent 50%, var(--muted) 50%);
  background-position: right 20px center, right 14px center; background-size: 6px 6px; }
[dir=rtl] .buy .field select { padding: 8px 12px 8px 36px; background-position: left 14px center, left 20px center; }
.buy .field:last-child { grid-column: 1 / -1; }
.total, .line { display: flex; justify-content: space-between; gap: 16px; margin: 12px 0; }
.total { padding-top: 12px; border-top: 1px solid var(--line); font-weight: 700; font-size: 17px; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 48px; padding: 8px 24px;
  border: 1px solid transparent; border-radius: 6px; background: var(--accent); color: var(--onAccent); cursor: pointer;
  font: 550 17px/1.2 var(--sans); text-decoration: none; text-align: center; }
.buy .button { width: 100%; }
.quiet { min-height: 44px; padding: 4px 12px; border: 0; background: none; color: var(--accent); font: 400 15px/1.2 var(--sans);
  text-decoration: underline; text-underline-offset: 3px; }
.split, .product { display: grid; grid-template-columns: minmax(0, 1fr); gap: 32px; }
.ways { min-width: 0; margin: 0 0 24px; padding: 0; border: 0; display: flex; flex-wrap: wrap; gap: 8px; }
.ways legend { float: inline-start; width: 100%; padding: 0; margin-bottom: 16px; }
.way { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 8px 16px 8px 12px; border: 1px solid var(--edge);
  border-radius: 6px; cursor: pointer; }
.way input { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
.way:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.way:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.way input:focus-visible { outline: none; }
aside { display: grid; gap: 32px; align-content: start; }
.order { padding: 16px; background: var(--raised); border-radius: 10px; }
.samples p { margin: 4px 0 8px; color: var(--muted); }
.samples ul { margin: 0; padding: 0; list-style: none; }
.samples li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 12px; padding: 8px 0;
  border-top: 1px solid var(--line); }
.samples li span { grid-column: 1; color: var(--muted); font-size: 13px; }
.samples li code { grid-column: 1; font-size: 15px; }
.samples li .quiet { grid-area: 1 / 2 / 3 / 3; padding: 4px 0 4px 12px; }
.developer { margin-top: 16px; padding: 0 16px; border: 1px solid var(--line); border-radius: 10px; }
.split + .developer, .outcome + .developer { margin-top: 48px; }
.developer[open] { padding-bottom: 16px; }
summary { min-height: 44px; padding: 11px 0; cursor: pointer; font-weight: 550; color: var(--muted); }
.head { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 44px; }
pre { margin: 0 0 8px; padding: 12px; max-height: 320px; overflow: auto; background: var(--raised); border-radius: 6px;
  line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; }
#events { margin: 0; padding-left: 24px; font-size: 13px; overflow-wrap: anywhere; }
.outcome { max-width: 560px; margin: 24px auto 0; text-align: center; }
.sign { width: 56px; height: 56px; padding: 12px; margin-bottom: 16px; border-radius: 50%; background: var(--raised); }
.good .sign { color: var(--good); }
.waiting .sign { color: var(--warn); }
.bad .sign { color: var(--bad); }
dl { margin: 24px 0; text-align: start; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; padding: 12px 0;
  border-bottom: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; font-weight: 550; text-align: end; }
.muted { color: var(--muted); font-weight: 400; }
.next { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; justify-content: center; margin-top: 24px; }
.other { padding: 12px 0; color: var(--accent); text-underline-offset: 3px; }
@media (min-width: 900px) {
  .product { grid-template-columns: minmax(0, 1fr) minmax(0, 420px); gap: 64px; align-items: center; margin-top: 32px; }
  .show { padding: 64px; }
  h1 { font-size: 34px; }
  .checkout-page h1, .result-page h1 { font-size: 26px; }
  .split { grid-template-columns: minmax(0, 1fr) 340px; gap: 64px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
