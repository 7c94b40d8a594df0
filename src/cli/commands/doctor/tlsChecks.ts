import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { isPublic } from '../../../outbound/address.ts';
import { DAY_MS } from '../../../spec/time.ts';
import { type Check, type Exam, findings, spanText } from './check.ts';

type Configured = Omit<Exam, 'database'>;

const EXPIRES_MS = 21 * DAY_MS;

/** The certificates of TLS_CERT, the server's own first. */
function chainIn({ config: { tls } }: Configured): readonly X509Certificate[] {
  const blocks = tls?.cert.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

const isFromRoot = (certificate: X509Certificate): boolean =>
  rootCertificates
    .values()
    .map((pem) => new X509Certificate(pem))
    .some((root) => root.subject === certificate.issuer && certificate.checkIssued(root));

/** Why a client that trusts the usual authorities would not accept the chain; null: it would. */
function chainFault(chain: readonly X509Certificate[]): string | null {
  const [own] = chain;
  if (!own) return null;
  if (own.subject === own.issuer) return 'The certificate of TLS_CERT is self-signed: browsers and acquirers refuse it.';
  const broken = chain.findIndex((one, at) => {
    const next = chain[at + 1];
    return next !== undefined && !one.checkIssued(next);
  });
  if (broken >= 0) return `Certificate ${broken + 2} of TLS_CERT has not issued certificate ${broken + 1}: their order is wrong.`;
  const last = chain.at(-1) as X509Certificate;
  if (last.subject === last.issuer || isFromRoot(last)) return null;
  return 'TLS_CERT does not lead to an authority that clients know: intermediate certificates are missing.';
}

const hostOf = (config: Configured['config']): { readonly host: string; readonly port: number } | null => {
  if (config.publicUrl === null) return null;
  const { hostname, port, protocol } = new URL(config.publicUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
};

const fits = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;

const RENEW = 'renew it with your authority, replace TLS_CERT and TLS_KEY, and restart the gateway';

export const tlsChecks: readonly Check[] = [
  {
    id: 'tls.expired',
    looksAt: 'whether the certificates of TLS_CERT are valid today',
    severity: 'error',
    remedy: RENEW,
    needs: 'configuration',
    find: async (exam) =>
      chainIn(exam).flatMap(({ validFromDate, validToDate }, at) =>
        findings(
          validToDate.getTime() <= exam.now() && `Certificate ${at + 1} of TLS_CERT expired on ${dayText(validToDate)}.`,
          validFromDate.getTime() > exam.now() && `Certificate ${at + 1} of TLS_CERT begins on ${dayText(validFromDate)}.`,
        ),
      ),
  },
  {
    id: 'tls.expires',
    looksAt: 'whether a certificate of TLS_CERT expires within 21 days',
    severity: 'warning',
    remedy: RENEW,
    needs: 'configuration',
    find: async (exam) =>
      chainIn(exam).flatMap(({ validToDate }, at) => {
        const left = validToDate.getTime() - exam.now();
        return findings(left > 0 && left < EXPIRES_MS && `Certificate ${at + 1} of TLS_CERT expires in ${spanText(left)}.`);
      }),
  },
  {
    id: 'tls.chain',
    looksAt: 'whether TLS_CERT leads to an authority that clients know',
    severity: 'warning',
    remedy: 'cat server.pem intermediate.pem > chain.pem, then TLS_CERT=chain.pem',
    needs: 'configuration',
    find: async (exam) => findings(chainFault(chainIn(exam))),
  },
  {
    id: 'tls.name',
    looksAt: 'whether the certificate is for the host of PUBLIC_URL',
    severity: 'error',
    remedy: 'get a certificate for the host of PUBLIC_URL, or correct PUBLIC_URL',
    needs: 'configuration',
    find: async (exam) => {
      const [[own], target] = [chainIn(exam), hostOf(exam.config)];
      const isOther = own && target && exam.config.publicUrl?.startsWith('https:') && !fits(own, target.host);
      return findings(isOther && `The certificate of TLS_CERT is not for ${target.host}: ${own.subjectAltName ?? own.subject}.`);
    },
  },
  {
    id: 'dns.publicUrl',
    looksAt: 'whether the host of PUBLIC_URL has an address',
    severity: 'error',
    remedy: 'add an A or AAAA record, or correct PUBLIC_URL',
    needs: 'configuration',
    find: async ({ config, probes }) => {
      const target = hostOf(config);
      if (target === null || isIP(target.host) !== 0) return [];
      const found = await probes.addresses(target.host).catch((error: NodeJS.ErrnoException) => error.code ?? 'no answer');
      return findings(typeof found === 'string' && `${target.host} of PUBLIC_URL does not resolve (${found}).`);
    },
  },
  {
    id: 'dns.private',
    looksAt: 'whether the host of PUBLIC_URL is on the internet, in live',
    severity: 'warning',
    remedy: 'point the name to the public address of the gateway or of its proxy; ignore this with split DNS',
    needs: 'configuration',
    find: async ({ config, probes }) => {
      const target = hostOf(config);
      if (target === null || config.environment !== 'live') return [];
      const found = isIP(target.host) === 0 ? await probes.addresses(target.host).catch(() => []) : [target.host];
      const isInside = found.length > 0 && !found.some(isPublic);
      return findings(isInside && `${target.host} of PUBLIC_URL is not on the internet (${found.join(', ')}).`);
    },
  },
  {
    id: 'tls.served',
    looksAt: 'the certificate that PUBLIC_URL shows to a client: trusted, for its name, for at least 21 days',
    severity: 'error',
    remedy: 'openssl s_client -connect HOST:443 -servername HOST shows what is served; renew it there and reload the proxy',
    needs: 'configuration',
    find: async ({ config, probes, now }) => {
      const target = config.publicUrl?.startsWith('https:') ? hostOf(config) : null;
      if (target === null) return [];
      const seen = await probes.tls(target.host, target.port);
      if (seen.kind === 'refused') return findings(`Clients refuse the certificate of ${target.host}: ${seen.reason}.`);
      const left = seen.kind === 'trusted' ? seen.validTo - now() : EXPIRES_MS;
      return findings(left < EXPIRES_MS && `The certificate that ${target.host} shows expires in ${spanText(left)}.`);
    },
  },
  {
    id: 'publicUrl.reach',
    looksAt: 'whether PUBLIC_URL accepts connections from this machine',
    severity: 'warning',
    remedy: 'check firewall, proxy and port forwarding; ignore this where the machine may not reach its own public address',
    needs: 'configuration',
    find: async ({ config, probes }) => {
      const target = hostOf(config);
      const reason = target && (await probes.tcp(target.host, target.port));
      return findings(typeof reason === 'string' && `${config.publicUrl} cannot be reached from here (${reason}).`);
    },
  },
];

const dayText = (date: Date): string => date.toISOString().slice(0, 10);
