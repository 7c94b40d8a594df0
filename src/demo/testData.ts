import { type TestAuthentication, testBankAccounts, testCards } from '../spec/cards/testCards.ts';
import { shown } from '../spec/reference/parts.ts';
import { forDevelopers } from './page.ts';

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
