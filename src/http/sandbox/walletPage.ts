import { type TestAuthentication, testCards } from '../../spec/cards/testCards.ts';
import { code, mark, policySource, shell, shown } from '../../spec/reference/parts.ts';
import { type IssuedToken, type OrderFieldFault, tokenFaults, walletNames } from '../../wallets/issuer/issueToken.ts';
import { walletVersions } from '../../wallets/issuer/order.ts';
import { pageHeaders } from '../transport/reply.ts';

/** A token with the request that pays with it. */
type TokenShown = { readonly issued: IssuedToken; readonly curl: string };

export type WalletPageView = WalletFormView & { readonly made: TokenShown | null };

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A text to copy: by the button where scripts run, by one click that selects it all where they do not. */
const copied = (id: string, title: string, text: string): string =>
  `<div class="head"><h3 id="${id}-title">${shown(title)}</h3>` +
  `<button type="button" class="quiet" data-copy="${id}" aria-describedby="${id}-title" hidden>Copy</button></div>` +
  `<pre class="id" id="${id}" tabindex="0" role="region" aria-labelledby="${id}-title">${shown(text)}</pre>`;

function madeToken({ issued, curl }: TokenShown): string {
  const { wallet, version, parameter, token, validUntil, refused } = issued;
  const alias = walletNames.find((names) => names.wallet === wallet)?.alias ?? '';
  const state =
    refused === null
      ? `<p class="state">Good until ${moment.format(validUntil ?? 0)} UTC. It pays once.</p>`
      : `<p class="state refused">A payment with it is refused (${shown(refused.why)}): ${shown(refused.says)}.</p>`;
  return `<section class="made" aria-labelledby="made">
<h2 id="made">A token of ${shown(wallet)} (${shown(alias)})</h2>
${state}
<p>Version ${code(version)}. Send it as ${code(parameter, 'id')}; ${code(`${alias}.paymentToken`, 'id')} is the same.</p>
${copied('token', 'Token', token)}
${copied('curl', 'Pay with it', curl)}
</section>`;
}

function errors({ faults }: WalletPageView): string {
  if (faults.length === 0) return '';
  const items = faults.map((fault) => `<li>${faultLine(fault)}</li>`);
  return `<section class="errors" role="alert"><h2>No token was made</h2><ul>${items.join('')}</ul></section>`;
}

/** The page of the sandbox's wallets. It works without its script. */
export function walletPage(view: WalletPageView): string {
  const state = view.faults.length > 0 ? 'No token was made' : view.made === null ? 'Wallet tokens' : 'Your token';
  const body = `<a class="skip" href="#main">Skip to the content</a>
<div class="page">
<header>
<div class="brand">${mark}Turnpike<span class="badge">TEST</span></div>
<h1>Wallet tokens</h1>
<p class="lead">Makes the encrypted token a device would send, for a payment in this sandbox.</p>
</header>
<main id="main">
${errors(view)}
${view.made === null ? '' : madeToken(view.made)}
${walletForm(view)}
</main>
<p id="heard" class="heard" role="status"></p>
<footer>For scripts: the same form with ${code('?format=json')} answers in JSON. <a href="/docs">Documentation</a></footer>
</div>
<script>${walletPageScript}</script>`;
  return shell({ language: 'en', title: `${state} · Turnpike sandbox`, style: walletPageStyles, isPublic: true, body });
}

/** The content of the form: the values of its fields, and their faults. */
type WalletFormView = {
  readonly values: ReadonlyMap<string, string>;
  readonly faults: readonly OrderFieldFault[];
  readonly channels: readonly { readonly entityId: string; readonly name: string }[];
};

type Option = { readonly value: string; readonly text: string };
type Group = { readonly label: string; readonly options: readonly Option[] };
type Field = { readonly name: FieldName; readonly hint?: string; readonly isWide?: boolean };

/** The label of each field. */
const labels = {
  entityId: 'Channel',
  wallet: 'Wallet',
  number: 'Test card',
  expiryMonth: 'Expiry month',
  expiryYear: 'Expiry year',
  amount: 'Amount',
  currency: 'Currency',
  fault: 'What is wrong with it',
  holder: 'Name on the card',
  eci: 'ECI',
  numberType: 'Number',
  key: 'Key of the merchant',
  signed: 'Signed inside the encryption',
} as const;

type FieldName = keyof typeof labels;

const plays: Readonly<Record<TestAuthentication, string>> = {
  none: 'no 3D Secure',
  frictionless: 'frictionless',
  attempt: 'attempt',
  error: '3D Secure error',
  notEnrolled: 'not enrolled',
  notParticipating: 'issuer takes no part',
  challenge: 'challenge',
};

const inFours = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');

const walletGroups: readonly Group[] = walletNames.map(({ wallet, alias }) => ({
  label: `${wallet} (${alias})`,
  options: walletVersions[wallet].map((version) => ({ value: `${wallet} ${version}`, text: `${alias} ${version}` })),
}));

const cardGroups: readonly Group[] = [...Map.groupBy(testCards, ({ brand }) => brand)].map(([brand, cards]) => ({
  label: brand,
  options: cards.map(({ number, threeDSecure }) => ({ value: number, text: `${inFours(number)}, ${plays[threeDSecure]}` })),
}));

const faultOptions: readonly Option[] = [
  { value: '', text: 'Nothing: a good token' },
  ...Object.entries(tokenFaults).map(([value, says]) => ({ value, text: `${value}: ${says}` })),
];

const fieldId = (name: FieldName): string => `field-${name}`;
const isField = (name: string): name is FieldName => Object.hasOwn(labels, name);

/** A fault by the name of its field, which leads there when the form has it. */
const faultLine = ({ name, says }: OrderFieldFault): string =>
  isField(name)
    ? `<a href="#${fieldId(name)}">${shown(labels[name])}</a>: ${shown(says)}`
    : `<code>${shown(name)}</code>: ${shown(says)}`;

function attributes({ faults }: WalletFormView, { name, hint }: Field): string {
  const isWrong = faults.some((fault) => fault.name === name);
  const notes = [isWrong ? `${fieldId(name)}-wrong` : '', hint === undefined ? '' : `${fieldId(name)}-hint`].filter(Boolean);
  const described = notes.length > 0 ? ` aria-describedby="${notes.join(' ')}"` : '';
  return `id="${fieldId(name)}" name="${name}"${described}${isWrong ? ' aria-invalid="true"' : ''}`;
}

function framed(view: WalletFormView, field: Field, control: string): string {
  const { name, hint, isWide } = field;
  const wrong = view.faults
    .filter((fault) => fault.name === name)
    .map(({ says }) => `<p class="wrong" id="${fieldId(name)}-wrong">${shown(says)}</p>`);
  const help = hint === undefined ? '' : `<p class="hint" id="${fieldId(name)}-hint">${shown(hint)}</p>`;
  const kind = isWide ? ' class="wide"' : '';
  return `<div${kind}><label for="${fieldId(name)}">${shown(labels[name])}</label>${control}${wrong.join('')}${help}</div>`;
}

function choice(view: WalletFormView, field: Field, groups: readonly (Group | Option)[]): string {
  const chosen = view.values.get(field.name) ?? '';
  const option = ({ value, text }: Option): string =>
    `<option value="${shown(value)}"${value === chosen ? ' selected' : ''}>${shown(text)}</option>`;
  const inner = groups.map((group) =>
    'options' in group
      ? `<optgroup label="${shown(group.label)}">${group.options.map(option).join('')}</optgroup>`
      : option(group),
  );
  return framed(view, field, `<select ${attributes(view, field)}>${inner.join('')}</select>`);
}

function text(view: WalletFormView, field: Field, more: string): string {
  const value = shown(view.values.get(field.name) ?? '');
  return framed(view, field, `<input ${attributes(view, field)} value="${value}" autocomplete="off" ${more}>`);
}

function rareFields(view: WalletFormView): string {
  const rare = ['holder', 'eci', 'numberType', 'key', 'signed'] as const;
  const isOpen = rare.some((name) => view.values.get(name) || view.faults.some((fault) => fault.name === name));
  const isSigned = view.values.get('signed') === 'yes' ? ' checked' : '';
  const wrong = view.faults
    .filter(({ name }) => name === 'signed')
    .map(({ says }) => `<p class="wrong" id="${fieldId('signed')}-wrong">${shown(says)}</p>`);
  const eci: Field = { name: 'eci', hint: 'Empty: what the wallet usually writes.' };
  return `<details${isOpen ? ' open' : ''}><summary>More choices</summary><div class="fields">
${text(view, { name: 'holder', hint: 'walletA and walletC carry it.' }, 'maxlength="128"')}
${text(view, eci, 'inputmode="numeric" maxlength="2"')}
${choice(view, { name: 'numberType', hint: 'Only walletB can give the card’s own number.' }, [
  { value: '', text: 'DPAN, of the device' },
  { value: 'PAN', text: 'PAN, of the card' },
])}
${choice(view, { name: 'key' }, [
  { value: '', text: 'The current one' },
  { value: 'previous', text: 'The previous one, still trusted' },
])}
<div class="wide"><div class="check">
<input type="checkbox" ${attributes(view, { name: 'signed' })} value="yes"${isSigned}>
<label for="${fieldId('signed')}">${labels.signed}, walletC only</label></div>${wrong.join('')}</div>
</div></details>`;
}

/** The form: everything a token is made of, each field with its own fault below it. */
function walletForm(view: WalletFormView): string {
  const channels = view.channels.map(({ entityId, name }) => ({ value: entityId, text: `${name} …${entityId.slice(-4)}` }));
  return `<form method="post" action="/sandbox/wallets" novalidate>
<h2>What the token says</h2>
<div class="fields">
${choice(view, { name: 'entityId', isWide: true }, channels)}
${choice(view, { name: 'wallet', isWide: true }, walletGroups)}
${choice(view, { name: 'number', isWide: true }, cardGroups)}
<div class="pair">
${text(view, { name: 'expiryMonth' }, 'inputmode="numeric" maxlength="2"')}
${text(view, { name: 'expiryYear' }, 'inputmode="numeric" maxlength="4"')}
</div>
<div class="pair">
${text(view, { name: 'amount' }, 'inputmode="decimal" maxlength="16"')}
${text(view, { name: 'currency' }, 'maxlength="3" autocapitalize="characters" spellcheck="false"')}
</div>
${choice(view, { name: 'fault', isWide: true }, faultOptions)}
</div>
${rareFields(view)}
<p class="go"><button>Make a token</button></p>
</form>`;
}

/** The style sheet of the page that makes wallet tokens; the server names its hash in the Content-Security-Policy. */
const walletPageStyles = `
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
const walletPageScript = `
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

/** The page runs its own style and script and sends its form to us; nothing else. */
export const walletPageHeaders: readonly string[] = pageHeaders(
  `style-src ${policySource(walletPageStyles)}; script-src ${policySource(walletPageScript)}; img-src data:;`,
  "'self'",
);
