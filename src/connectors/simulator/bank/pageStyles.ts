/** The style sheet of the simulated bank; the page names its hash in the Content-Security-Policy. */
export const pageStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --line: #e3e7ee; --ground: #f7f8fa; --card: #fff;
  --accent: #0b5fff; --onAccent: #fff; --good: #0a7a4b; --warn: #9a6700;
  --edge: color-mix(in srgb, var(--muted) 70%, var(--card));
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --line: #2a303a; --ground: #0f1217;
  --card: #171b22; --accent: #6ea3ff; --onAccent: #0f1217; --good: #4cc38a; --warn: #e2b34b; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.page { max-width: 464px; margin: 0 auto; padding: 16px 16px 48px; }
header { display: flex; align-items: center; gap: 12px; min-height: 44px; margin-bottom: 12px; font-size: 17px; font-weight: 700; }
header svg { flex: none; width: 28px; height: 28px; color: var(--accent); }
.badge { margin-inline-start: auto; padding: 2px 8px; border: 1px solid currentColor; border-radius: 6px; color: var(--warn);
  font-size: 13px; font-weight: 550; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: clip; }
.notice { margin: 0; padding: 12px 16px; border-bottom: 1px solid var(--line); color: var(--muted); font-size: 13px;
  text-wrap: pretty; }
.notice::before { content: ""; display: block; height: 8px; margin: -12px -16px 12px;
  background: repeating-linear-gradient(-45deg, var(--warn) 0 12px, var(--card) 12px 24px); }
.notice strong { display: block; color: var(--warn); font-size: 15px; font-weight: 550; }
.body { padding: 24px 16px 16px; }
h1 { margin: 0; font-size: 26px; font-weight: 700; line-height: 1.2; text-wrap: balance; }
.said { margin: 8px 0 0; color: var(--muted); text-wrap: pretty; }
.paid h1::before, .refused h1::before { content: ""; display: inline-block; width: 12px; height: 12px; margin-inline-end: 12px;
  border: 2px solid var(--muted); border-radius: 50%; }
.paid h1::before { border-color: var(--good); background: var(--good); }
dl { margin: 24px 0 0; }
dl div { padding: 12px 0; border-top: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; font-weight: 550; }
.sum dd { font-size: 34px; font-weight: 700; line-height: 1.2; }
.sum.long dd { font-size: 20px; }
time { white-space: nowrap; }
form { margin-top: 12px; }
button { display: block; width: 100%; min-height: 48px; margin-top: 12px; padding: 8px 16px; border: 1px solid var(--edge);
  border-radius: 6px; background: transparent; color: var(--ink); font: 550 16px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; cursor: pointer; }
button.first { border-color: var(--accent); background: var(--accent); color: var(--onAccent); }
button:hover { border-color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hint { margin: 8px 0 0; color: var(--muted); font-size: 13px; }
@media (min-width: 600px) {
  .page { padding-top: 64px; }
  .notice { padding-inline: 24px; }
  .notice::before { margin-inline: -24px; }
  .body { padding: 32px 24px 24px; }
  dl div:not(.sum) { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; }
}
@media (max-width: 359px) { .sum dd { font-size: 26px; } .sum.long dd { font-size: 17px; } }
`;
