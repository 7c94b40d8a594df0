/** The style sheet of the page that makes wallet tokens; the server names its hash in the Content-Security-Policy. */
export const walletPageStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --line: #e3e7ee; --ground: #fff; --raised: #f7f8fa;
  --accent: #0b5fff; --good: #0a7a4b; --warn: #9a6700; --bad: #c62828; --onAccent: #fff;
  --edge: color-mix(in srgb, var(--muted) 70%, var(--ground));
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --line: #2a303a; --ground: #0f1217;
  --raised: #171b22;
  --accent: #6ea3ff; --good: #4cc38a; --warn: #e2b34b; --bad: #ff7b72; --onAccent: #0f1217; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; }
.page { max-width: 720px; margin: 0 auto; padding: 0 16px 64px; }
h1, h2 { line-height: 1.2; margin: 0; text-wrap: balance; font-weight: 700; }
h1 { font-size: 26px; }
h2 { font-size: 20px; }
h3 { font-size: 15px; font-weight: 550; line-height: 1.2; margin: 0; }
p { margin: 12px 0; max-width: 68ch; }
a { color: var(--accent); text-underline-offset: 3px; }
code, pre { font-family: var(--mono); font-size: 13px; }
code { overflow-wrap: anywhere; }
.id { user-select: all; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: 16px; top: -64px; padding: 8px 12px; background: var(--ground); z-index: 1; }
.skip:focus { top: 8px; }
header { padding: 32px 0 0; }
.brand { display: flex; align-items: center; gap: 12px; font-weight: 700; font-size: 17px; margin-bottom: 24px; }
.brand svg { width: 28px; height: 28px; color: var(--accent); }
.badge { margin-left: auto; padding: 2px 8px; border: 1px solid currentColor; border-radius: 6px; color: var(--warn);
  font-size: 13px; font-weight: 550; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.lead { font-size: 17px; color: var(--muted); }
section, form { margin-top: 32px; }
.made { padding: 20px 16px 16px; background: var(--raised); border-radius: 10px; }
.state { margin: 8px 0 0; }
.state::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 8px; border-radius: 50%;
  background: var(--good); }
.state.refused::before { background: var(--warn); }
.head { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 44px; margin-top: 16px; }
pre { margin: 4px 0 0; padding: 12px; max-height: 176px; overflow: auto; background: var(--ground); border-radius: 6px;
  border: 1px solid var(--line); line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
.errors { padding: 16px; border-left: 4px solid var(--bad); background: var(--raised); border-radius: 0 10px 10px 0; }
.errors ul { margin: 8px 0 0; padding-left: 20px; }
.errors a { color: inherit; }
.fields { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px 16px; margin-top: 20px; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px; }
label { display: block; margin-bottom: 6px; font-weight: 550; }
.check label { display: inline; margin: 0; font-weight: 400; }
.check { display: flex; align-items: center; gap: 12px; min-height: 44px; }
.check input { width: 20px; height: 20px; margin: 0; accent-color: var(--accent); flex: none; }
input:not([type=checkbox]), select { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge);
  border-radius: 6px; background: var(--ground); color: var(--ink); font: 400 16px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; }
select { appearance: none; padding-right: 36px; text-overflow: ellipsis;
  background-size: 6px 6px; background-repeat: no-repeat;
  background-image: linear-gradient(45deg, transparent 50%, var(--muted) 50%),
    linear-gradient(135deg, var(--muted) 50%, transparent 50%);
  background-position: calc(100% - 20px) 19px, calc(100% - 14px) 19px; }
[aria-invalid=true] { border-color: var(--bad) !important; box-shadow: inset 0 0 0 1px var(--bad); }
.hint, .wrong { margin: 6px 0 0; font-size: 13px; color: var(--muted); }
.wrong { color: var(--bad); font-weight: 550; }
details { margin-top: 20px; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
summary { display: flex; align-items: center; gap: 12px; min-height: 44px; cursor: pointer; list-style: none;
  font-weight: 550; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; flex: none; width: 7px; height: 7px; border: solid var(--muted); border-width: 0 2px 2px 0;
  transform: rotate(-45deg); transition: transform 120ms ease-out; }
details[open] > summary::before { transform: translateY(-2px) rotate(45deg); }
details .fields { margin: 8px 0 20px; }
button { min-height: 44px; padding: 8px 20px; border: 1px solid var(--accent); border-radius: 6px; cursor: pointer;
  background: var(--accent); color: var(--onAccent); font: 550 16px/1.45 var(--sans); }
button.quiet { padding: 4px 16px; background: transparent; color: var(--accent); font-size: 15px; }
button:hover { filter: brightness(1.08); }
.go { margin-top: 24px; }
.go button { width: 100%; }
footer { margin-top: 48px; color: var(--muted); font-size: 13px; }
footer code { white-space: nowrap; }
@media (min-width: 600px) {
  .page { padding: 0 32px 64px; }
  .made { padding: 24px; }
  .fields { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .wide { grid-column: 1 / -1; }
  .go button { width: auto; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;

/** Shows the buttons that need it, and copies. Without it the texts are still selected whole by one click. */
export const walletPageScript = `
for (const button of document.querySelectorAll('button[data-copy]')) {
  const words = button.textContent;
  const source = document.getElementById(button.dataset.copy);
  const say = (text) => { button.textContent = text; document.getElementById('heard').textContent = text; };
  button.hidden = false;
  button.addEventListener('blur', () => { button.textContent = words; });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      say('Copied');
    } catch {
      getSelection().selectAllChildren(source);
      say('Selected, now copy');
    }
  });
}
`;
