import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../spec/time.ts';
import { type NetworkName, networks } from '../networks.ts';
import type { LiveConnections, ResultsTrust } from './connection.ts';

/** `absent`: a certificate is required and missing. `foreign`: the certificate is not trusted. */
export type PeerVerdict = 'trusted' | 'absent' | 'foreign';

/** Decides who may send results of challenges. */
export interface ResultsAccess {
  /** The header in which a proxy forwards the client's certificate; null when there is none. */
  readonly certificateHeader: string | null;
  /** For one network; null: for any of them. */
  verdict(network: NetworkName | null, certificate: X509Certificate | null): PeerVerdict;
}

type NetworkTrust = {
  readonly pinned: ReadonlySet<string>;
  readonly authorities: readonly X509Certificate[];
  readonly names: ResultsTrust['names'];
  /** Verified certificates with their expiry: a resumed TLS session does not send the intermediate certificates again. */
  readonly followed: Map<string, number>;
};

const FOLLOWED_MAX = 1_000;
const CHAIN_MAX = 5;
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/** Access control for results of live directory servers. TLS has already verified that the sender holds the certificate's key. */
export function createResultsAccess(connections: LiveConnections, clock: Clock): ResultsAccess {
  const trusts = new Map<NetworkName, NetworkTrust | null>();
  for (const name of Object.keys(networks) as NetworkName[]) {
    const connection = connections.networks[name];
    if (connection) trusts.set(name, connection.results && trustOf(connection.results));
  }
  return {
    certificateHeader: connections.certificateHeader,
    verdict(network, certificate) {
      const asked = network === null ? [...trusts.values()] : trusts.has(network) ? [trusts.get(network) ?? null] : [];
      if (asked.includes(null)) return 'trusted';
      if (certificate === null) return 'absent';
      const now = clock.now();
      return asked.some((trust) => trust !== null && isTrusted(trust, certificate, now)) ? 'trusted' : 'foreign';
    },
  };
}

const trustOf = ({ fingerprints, ca, names }: ResultsTrust): NetworkTrust => ({
  pinned: new Set(fingerprints),
  authorities: ca.map((pem) => new X509Certificate(pem)),
  names,
  followed: new Map(),
});

function isTrusted(trust: NetworkTrust, certificate: X509Certificate, now: number): boolean {
  const { pinned, authorities, names, followed } = trust;
  const { keyUsage, fingerprint256: fingerprint } = certificate;
  if (!isValidAt(certificate, now)) return false;
  if (pinned.has(fingerprint.replaceAll(':', ''))) return true;
  if (keyUsage !== undefined && !keyUsage.includes(CLIENT_AUTHENTICATION)) return false;
  if (names !== null && !names.some((name) => certificate.checkHost(name) !== undefined)) return false;
  if ((followed.get(fingerprint) ?? 0) >= now) return true;
  const until = followedUntil(authorities, certificate, now);
  if (until === null) return false;
  if (followed.size >= FOLLOWED_MAX) followed.clear();
  followed.set(fingerprint, until);
  return true;
}

/** Until when the chain to one of the authorities is valid; null when there is no valid chain. */
function followedUntil(authorities: readonly X509Certificate[], leaf: X509Certificate, now: number): number | null {
  let certificate = leaf;
  let until = leaf.validToDate.getTime();
  for (let depth = 0; depth < CHAIN_MAX; depth += 1) {
    const signed = certificate;
    const authority = authorities.find((one) => isValidAt(one, now) && hasSigned(one, signed));
    if (authority) return Math.min(until, authority.validToDate.getTime());
    const issuer = certificate.issuerCertificate;
    if (!issuer?.ca || !isValidAt(issuer, now) || !hasSigned(issuer, certificate)) return null;
    until = Math.min(until, issuer.validToDate.getTime());
    certificate = issuer;
  }
  return null;
}

const hasSigned = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  validFromDate.getTime() <= now && now <= validToDate.getTime();
