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
export const copied = (id: string, title: string, text: string): string =>
  `<div class="head"><h2 id="${id}-title">${shown(title)}</h2>` +
  `<button type="button" class="quiet" data-copy="${id}" aria-describedby="${id}-title" hidden>Copy</button></div>` +
  `<pre class="id" id="${id}" tabindex="0" role="region" aria-labelledby="${id}-title">${shown(text)}</pre>`;

export type ExchangesView = { readonly title: string; readonly exchanges: readonly Exchange[]; readonly origin: string };

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
