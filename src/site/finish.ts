/** The last step of a page: the differences between gateways and static files. */

export type SiteFile = { readonly type: string; readonly text: string };
/** Every file by its path below the site. Pages have no ending; the first page is the empty path. */
export type Site = ReadonlyMap<string, SiteFile>;

export type Placed = {
  /** The address of a page or a file of the site, as the page at hand writes it. */
  readonly addressOf: (path: string) => string;
  /** Where the gateway is reached. */
  readonly base: string;
  /** Only a gateway of the test environment has a console. */
  readonly kind: 'test' | 'live' | 'static';
};

/** Stands in the pages for the address of the gateway. */
export const BASE = 'https://gateway.example';
export const CONSOLE_START = '<!-- console -->';
export const CONSOLE_END = '<!-- /console -->';

const why = {
  live: 'This gateway takes live payments, so the console is off. Open the page on a gateway of the test environment.',
  static: 'These are static pages without a gateway. Open <code>/docs/console</code> on a gateway of the test environment.',
} as const;

/** An address that is safe in a shell command and in a page. */
const safeBase = (base: string): string => (/^https?:\/\/[\w.:[\]/-]+$/.test(base) ? base.replace(/\/+$/, '') : BASE);

export function finishPage(html: string, { addressOf, base, kind }: Placed): string {
  const linked = html.replace(/"docs:\/([^"#]*)(#[^"]*)?"/g, (_, path: string, anchor = '') => `"${addressOf(path)}${anchor}"`);
  const [head = '', rest = ''] = linked.split(CONSOLE_START);
  const [inner = '', tail = ''] = rest.split(CONSOLE_END);
  const whole = rest === '' ? linked : `${head}${kind === 'test' ? inner : `<p><strong>${why[kind]}</strong></p>`}${tail}`;
  return whole.replaceAll(BASE, safeBase(base));
}

/** The addresses of a site that a gateway serves. */
export const servedAddress = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

/** The addresses between static files, from one page to another. */
export function staticAddress(from: string): (path: string) => string {
  const up = '../'.repeat(from.split('/').length - 1);
  return (path) => `${up}${staticName(path)}`;
}

/** The name of a static file. */
export const staticName = (path: string): string =>
  path.startsWith('assets/') ? path : path === '' ? 'index.html' : `${path}.html`;
