import { code, shown } from '../../spec/reference/parts.ts';
import { mark, policySource, shell } from '../../spec/reference/shell.ts';
import type { IssuedToken } from '../../wallets/issuer/issueToken.ts';
import { walletNames } from '../../wallets/issuer/tokenOrder.ts';
import { pageHeaders } from '../transport/reply.ts';
import { faultLine, type WalletFormView, walletForm } from './walletPageForm.ts';
import { walletPageScript, walletPageStyles } from './walletPageStyles.ts';

/** A token with the request that pays with it. */
export type TokenShown = { readonly issued: IssuedToken; readonly curl: string };

export type WalletPageView = WalletFormView & { readonly made: TokenShown | null };

/** The page runs its own style and script and sends its form to us; nothing else. */
export const walletPageHeaders: readonly string[] = pageHeaders(
  `style-src ${policySource(walletPageStyles)}; script-src ${policySource(walletPageScript)}; img-src data:;`,
  "'self'",
);

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
