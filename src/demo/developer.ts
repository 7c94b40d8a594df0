import { type TestAuthentication, testBankAccounts, testCards } from '../spec/cards/testCards.ts';
import { shown } from '../spec/reference/parts.ts';
import { forDevelopers } from './page.ts';

/** One request of the shop's server to the gateway, and its answer. */
export type Exchange = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly token: string;
  readonly status: number;
  readonly answer: string;
};

/** Quotes any text as a word of a shell's command line. */
const quoted = (text: string): string => (/^[\w.:/=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The line that does the same from a terminal. */
export function curlOf({ method, path, fields, token }: Exchange, origin: string): string {
  return [
    method === 'GET' ? `curl -G ${quoted(origin + path)}` : `curl ${quoted(origin + path)}`,
    `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    ...fields.map(([name, value]) => `${/[^\w.:/@[\]-]/.test(value) ? '--data-urlencode' : '-d'} ${quoted(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}

/** Formats JSON for reading; returns anything else unchanged. */
function prettily(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A text to copy: by the button where scripts run, by one click that selects it all where they do not. */
const copied = (id: string, title: string, text: string): string =>
  `<div class="head"><h2 id="${id}-title">${shown(title)}</h2>` +
  `<button type="button" class="quiet" data-copy="${id}" aria-describedby="${id}-title" hidden>Copy</button></div>` +
  `<pre class="id" id="${id}" tabindex="0" role="region" aria-labelledby="${id}-title">${shown(text)}</pre>`;

type ExchangesView = { readonly title: string; readonly exchanges: readonly Exchange[]; readonly origin: string };

/** The API requests of the shop's server, for developers; collapsed at first. */
export function exchanged({ title, exchanges, origin }: ExchangesView): string {
  const parts = exchanges.map(
    (one, at) =>
      copied(`request${at}`, `${at + 1}. ${one.method} ${one.path}`, curlOf(one, origin)) +
      copied(`answer${at}`, `${at + 1}. Answer ${one.status}`, prettily(one.answer)),
  );
  return `<details class="developer" ${forDevelopers}><summary>${shown(title)}</summary>
<p>The shop's server has sent this to the gateway. A browser never sees the token.</p>
${parts.join('\n')}
</details>`;
}

type Sample = { readonly what: string; readonly text: string };

const cardOf = (brand: string, plays: TestAuthentication): string =>
  testCards.find((card) => card.brand === brand && card.threeDSecure === plays && !card.methodData)?.number ?? '';

const account = testBankAccounts.find(({ brand }) => brand === 'DIRECTDEBIT_SEPA');

/** A code of the catalogue in the place of the name is what the simulator answers with. */
const DECLINE = '800.100.151';

const samples: readonly Sample[] = [
  { what: 'Visa, succeeds', text: cardOf('VISA', 'none') },
  { what: 'Mastercard, succeeds', text: cardOf('MASTER', 'none') },
  { what: 'American Express, succeeds', text: cardOf('AMEX', 'none') },
  { what: '3D Secure, frictionless', text: cardOf('VISA', 'frictionless') },
  { what: '3D Secure, challenge', text: cardOf('VISA', 'challenge') },
  { what: 'Name on card: declined', text: DECLINE },
  { what: 'IBAN for SEPA', text: account?.iban ?? '' },
];

const grouped = (text: string): string => (/^[0-9]{13,19}$/.test(text) ? text.replace(/(.{4})(?=.)/g, '$1 ') : text);

/** Numbers to pay with, each copied by one click. */
export const testData = `<section class="samples" ${forDevelopers} aria-labelledby="samples-title">
<h2 id="samples-title">Test data</h2>
<p>Any future date and any security code.</p>
<ul>${samples
  .map(
    ({ what, text }, at) =>
      `<li><span id="what${at}">${shown(what)}</span><code class="id" id="sample${at}" data-text="${shown(text)}">${shown(grouped(text))}</code>` +
      `<button type="button" class="quiet" data-copy="sample${at}" aria-describedby="what${at}" hidden>Copy</button></li>`,
  )
  .join('')}</ul>
</section>`;
