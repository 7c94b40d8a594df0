/** The style sheet of a field's page: an input that fills its frame. The shop's page styles it further. */
export const fieldStyles = `
:root { --font: var(--tp-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif); --text: var(--tp-text, var(--tp-ink, #14181f)); }
html, body, form { height: 100%; margin: 0; background: transparent; overflow: hidden; }
input { box-sizing: border-box; display: block; width: 100%; height: 100%; margin: 0; padding: 0 12px; border: 0; border-radius: 0;
  outline: 0; appearance: none; background: transparent; color: var(--text); caret-color: var(--tp-accent, auto);
  font: 400 16px/1.45 var(--font); font-variant-numeric: tabular-nums; text-align: left; }
input.rtl { text-align: right; }
input.masked { -webkit-text-security: disc; }
input.masked::placeholder { -webkit-text-security: none; }
input::placeholder { color: var(--tp-muted, #5b6472); opacity: 1; unicode-bidi: plaintext; }
input:autofill { -webkit-background-clip: text; background-clip: text; -webkit-text-fill-color: var(--text); }
.heard { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** The style sheet of the pages that a shopper reads, in a frame of 250 pixels as in a whole tab. */
export const pageStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --ground: #fff; --raised: #f7f8fa; --accent: #0b5fff;
  --good: #0a7a4b; --warn: #9a6700; --bad: #c62828; --onAccent: #fff;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --ground: #0f1217; --raised: #171b22;
  --accent: #6ea3ff; --good: #4cc38a; --warn: #e2b34b; --bad: #ff7b72; --onAccent: #0f1217; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans); }
main { display: grid; justify-items: center; gap: 16px; max-width: 480px; margin: 0 auto; padding: 48px 16px; text-align: center; }
.sign { display: grid; place-items: center; width: 48px; height: 48px; border-radius: 50%; background: var(--raised); color: var(--muted); }
.sign svg { width: 24px; height: 24px; }
.success .sign { color: var(--good); }
.pending .sign, .expired .sign { color: var(--warn); }
.declined .sign, .wrong .sign { color: var(--bad); }
[role=status] { display: grid; gap: 8px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; font-weight: 550; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0; color: var(--muted); text-wrap: pretty; overflow-wrap: anywhere; }
a { display: inline-grid; place-items: center; min-height: 44px; max-width: 100%; padding: 8px 24px; border-radius: 6px;
  background: var(--accent); color: var(--onAccent); font-size: 16px; font-weight: 550; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.test { color: var(--warn); font-size: 13px; font-weight: 550; }
.moment { display: none; }
.sent .moment { display: block; padding: 48px 16px; text-align: center; animation: leave 0s 1500ms forwards; }
.sent main { visibility: hidden; animation: appear 0s 1500ms forwards; }
.sent body { display: grid; }
.sent .moment, .sent main { grid-area: 1 / 1; }
@keyframes leave { to { visibility: hidden; } }
@keyframes appear { to { visibility: visible; } }
.turning svg { animation: turn 1200ms linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .turning svg { animation: none; } }
`;
