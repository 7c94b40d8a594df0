import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';
import { sandbox } from '../../merchants/sandbox.ts';
import { testCards } from '../../spec/cards/testCards.ts';

/** The address of the gateway on this machine. */
export function urlOf({ host, tls }: Pick<Config, 'host' | 'tls'>, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}

type OfficeAddress = Pick<Config, 'host' | 'tls' | 'publicUrl'>;

/**
 * The address of the back office for its users. Browsers accept only a name that the certificate has; without a certificate of ours, the
 * public name leads to this machine or its proxy.
 */
export function officeUrl(config: OfficeAddress, port: number): string {
  const local = urlOf(config, port);
  const known = config.publicUrl === null ? null : new URL(config.publicUrl).hostname;
  const name = config.tls ? certifiedName(config.tls.cert, known, new URL(local).hostname) : known;
  return name === null
    ? local
    : `${config.tls ? 'https' : new URL(config.publicUrl ?? local).protocol.slice(0, -1)}://${name}:${port}`;
}

/** The first of these names that the certificate has, else its own first one; null: it has none that can be called. */
function certifiedName(pem: string, ...names: readonly (string | null)[]): string | null {
  const certificate = new X509Certificate(pem);
  const isCertified = (name: string | null): name is string => {
    if (name === null) return false;
    const bare = name.replace(/^\[|\]$/g, '');
    return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
  };
  const listed = certificate.subjectAltName?.split(', ') ?? [`DNS:${/^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? '*'}`];
  const own = listed.flatMap((name) => /^DNS:([^*\s]+)$/.exec(name)?.[1] ?? []);
  return names.find(isCertified) ?? own[0] ?? null;
}

/** A first payment, with a card that is valid for two more years. */
function firstPayment(url: string, now: number): string {
  const year = new Date(now).getUTCFullYear() + 2;
  const form = [
    `entityId=${sandbox.demoShop.channelId}`,
    'paymentType=DB&amount=92.00&currency=EUR&paymentBrand=VISA',
    `card.number=${testCards[0]?.number}&card.holder=Ann+Example&card.expiryMonth=05&card.expiryYear=${year}&card.cvv=123`,
  ].join('&');
  return `curl ${url}/v1/payments -H 'Authorization: Bearer ${sandbox.demoShop.token}' -d '${form}'`;
}

/** The port of the back office, and the token of its first administrator while there are no users. */
export type OfficeBanner = { readonly port: number; readonly firstToken: string | null };

function officeLines(config: Config, { port, firstToken }: OfficeBanner): readonly string[] {
  const url = officeUrl(config, port);
  const first = `  First administrator (until used): ${url}/welcome#${firstToken}`;
  return [`  Back office   ${url}`, ...(firstToken === null ? [] : [first])];
}

type BannerFacts = {
  readonly version: string;
  readonly now: number;
  readonly office: OfficeBanner | null;
  /** The settings that are missing before a payment can be taken in live. */
  readonly missing: readonly { readonly says: string }[];
};

/** The lines printed at the start: addresses, and in the test environment all that a first payment needs. */
export function banner(config: Config, port: number, about: BannerFacts) {
  const url = urlOf(config, port);
  const data = config.databaseUrl === null ? `data in ${config.dataDir}` : 'data in PostgreSQL';
  const where = [
    `Turnpike ${about.version} is ready at ${url} (${config.environment}, ${data})`,
    `  Documentation ${url}/docs`,
    ...(about.office ? officeLines(config, about.office) : []),
  ];
  if (config.environment === 'live') {
    const missing = about.missing.map(({ says }) => `  ${says}`);
    return missing.length === 0 ? where : [...where, 'Not yet able to take a payment:', ...missing];
  }
  return [
    ...where,
    `  Demo shop     ${url}/demo`,
    `  Wallet tokens ${url}/sandbox/wallets`,
    `  Entity        ${sandbox.demoShop.channelId}`,
    `  Access token  ${sandbox.demoShop.token}`,
    'A first payment:',
    `  ${firstPayment(url, about.now)}`,
    'Ctrl-C ends it.',
  ];
}
