import type { Version } from '../messages/version.ts';
import type { NetworkName } from '../networks.ts';

/** Whose certificates results of a network may come with: these themselves, or those that one of the authorities has signed. */
export type ResultsTrust = {
  /** SHA-256 of a certificate, 64 hexadecimal digits in upper case. */
  readonly fingerprints: readonly string[];
  /** Certificates of authorities, PEM. */
  readonly ca: readonly string[];
  /** The hosts that a certificate of an authority must be for; null: any. */
  readonly names: readonly string[] | null;
};

/** The directory server of one network. Certificates and keys are PEM. */
export type Connection = {
  readonly url: string;
  /** Where lists of ranges are asked for. */
  readonly rangesUrl: string;
  readonly certificate: string;
  readonly key: string;
  /** Null: the authorities that everybody believes. */
  readonly ca: readonly string[] | null;
  /** By what the network knows this 3DS server. */
  readonly serverReference: string;
  readonly operatorId: string | null;
  /** The version that preparation requests speak. */
  readonly version: Version;
  /** Null: results are taken from anyone who knows the ids. */
  readonly results: ResultsTrust | null;
};

/** Everything about the schemes' directory servers that an operator sets up. */
export type LiveConnections = {
  /** The address under which results are taken, where it is not the one that payments come by. */
  readonly resultsOrigin: string | null;
  /** The header in which a proxy hands on the certificate of its client, lower case. */
  readonly certificateHeader: string | null;
  readonly networks: Readonly<Partial<Record<NetworkName, Connection>>>;
};

/** Every certificate in a PEM text. */
export const certificatesIn = (pem: string): readonly string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];

/** The authorities to name when a client is asked for a certificate, so that browsers with others are not bothered. */
export const clientAuthorities = ({ networks }: LiveConnections): readonly string[] => [
  ...new Set(Object.values(networks).flatMap(({ ca, results }) => (results === null ? [] : [...results.ca, ...(ca ?? [])]))),
];

/** Whether certificates have to be asked for at all. */
export const asksForCertificates = ({ networks }: LiveConnections): boolean =>
  Object.values(networks).some(({ results }) => results !== null);

/** Where the gateway stands: whether TLS ends at it, and whether it knows its proxies one by one. */
type Place = { readonly endsTls: boolean; readonly knowsProxies: boolean };

/** What cannot work where the gateway stands: a certificate is seen where TLS ends, and believed only from a proxy that is known. */
export function placeFaults(connections: LiveConnections, { endsTls, knowsProxies }: Place): readonly string[] {
  const hasHeader = connections.certificateHeader !== null;
  if (hasHeader && !knowsProxies) return ['certificateHeader needs a TRUST_PROXY that lists the proxies which may send it'];
  return asksForCertificates(connections) && !hasHeader && !endsTls
    ? ['results come with certificates; that needs TLS_CERT and TLS_KEY, or certificateHeader when a proxy ends TLS']
    : [];
}
