import type { Version } from '../messages/message.ts';
import type { NetworkName } from '../networks.ts';

/** Client certificates accepted with results: pinned ones, or those signed by one of the authorities. */
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
  /** The address for preparation requests (PReq). */
  readonly rangesUrl: string;
  readonly certificate: string;
  readonly key: string;
  /** Null: the system's certificate authorities. */
  readonly ca: readonly string[] | null;
  /** The reference number that the network has assigned to this 3DS server. */
  readonly serverReference: string;
  readonly operatorId: string | null;
  /** The protocol version of preparation requests. */
  readonly version: Version;
  /** Null: results are accepted from any sender that knows the ids. */
  readonly results: ResultsTrust | null;
};

/** The operator's configuration of the schemes' directory servers. */
export type LiveConnections = {
  /** The origin for results, when it differs from the one for payments. */
  readonly resultsOrigin: string | null;
  /** The header in which a proxy forwards the client's certificate, lower case. */
  readonly certificateHeader: string | null;
  readonly networks: Readonly<Partial<Record<NetworkName, Connection>>>;
};

/** Every certificate in a PEM text. */
export const certificatesIn = (pem: string): readonly string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];

/** The authorities to name in a TLS certificate request, so that browsers with other certificates do not prompt. */
export const clientAuthorities = ({ networks }: LiveConnections): readonly string[] => [
  ...new Set(Object.values(networks).flatMap(({ ca, results }) => (results === null ? [] : [...results.ca, ...(ca ?? [])]))),
];

/** Whether client certificates must be requested. */
export const asksForCertificates = ({ networks }: LiveConnections): boolean =>
  Object.values(networks).some(({ results }) => results !== null);

/** Whether TLS ends at the gateway, and whether its proxies are listed. */
type TlsSetup = { readonly endsTls: boolean; readonly knowsProxies: boolean };

/** Conflicts with the TLS setup: a client certificate is visible where TLS ends, and trusted only from a listed proxy. */
export function tlsSetupFaults(connections: LiveConnections, { endsTls, knowsProxies }: TlsSetup): readonly string[] {
  const hasHeader = connections.certificateHeader !== null;
  if (hasHeader && !knowsProxies) return ['certificateHeader needs a TRUST_PROXY that lists the proxies which may send it'];
  return asksForCertificates(connections) && !hasHeader && !endsTls
    ? ['results come with certificates; that needs TLS_CERT and TLS_KEY, or certificateHeader when a proxy ends TLS']
    : [];
}
