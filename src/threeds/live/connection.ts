import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { isRecord, parsedJson } from '../../runtime/json.ts';
import { isVersion, type Version } from '../messages/message.ts';
import { type NetworkName, networks } from '../networks.ts';

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

/** Every certificate in a PEM string. */
const certificatesIn = (pem: string): readonly string[] =>
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

/** `faults` collects a sentence for each fault of the file; `at` of a part is its location. */
type Reader = { readonly readText: (path: string) => string; readonly faults: string[] };
type Part = { readonly at: string; readonly value: unknown };

const ANYONE = 'anyone';

/** Parses the operator's file, or returns all its faults by network and member. Values are never repeated. */
export function connectionsIn(text: string, readText: Reader['readText']): LiveConnections | readonly string[] {
  const faults: string[] = [];
  const reader: Reader = { readText, faults };
  const json = parsedJson(text);
  if (!isRecord(json)) return ['is not a JSON object'];
  unknownNames({ at: '', value: json }, ['resultsOrigin', 'certificateHeader', 'networks'], reader);
  const { resultsOrigin: origin, certificateHeader: header, networks: named } = json;
  if (origin !== undefined && !isOrigin(origin)) faults.push('resultsOrigin must be an address such as https://pay.example');
  if (header !== undefined && !(typeof header === 'string' && /^[a-z0-9-]{1,64}$/i.test(header)))
    faults.push('certificateHeader must be the name of a header');
  if (!isRecord(named) || Object.keys(named).length === 0) faults.push('networks must be an object with at least one network');
  const entries = Object.entries(isRecord(named) ? named : {}).flatMap(([name, value]) => {
    if (Object.hasOwn(networks, name)) return [[name, connectionOf({ at: name, value }, reader)] as const];
    faults.push(`networks.${name} is not one of ${Object.keys(networks).join(', ')}`);
    return [];
  });
  if (faults.length > 0) return faults;
  return {
    resultsOrigin: typeof origin === 'string' ? new URL(origin).origin : null,
    certificateHeader: typeof header === 'string' ? header.toLowerCase() : null,
    networks: Object.fromEntries(entries) as Partial<Record<NetworkName, Connection>>,
  };
}

const isHttps = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https:$/.test(new URL(value).protocol) && new URL(value).username === '';

const isOrigin = (value: unknown): value is string => isHttps(value) && new URL(value).href === `${new URL(value).origin}/`;

function unknownNames({ at, value }: Part, known: readonly string[], { faults }: Reader): void {
  for (const name of Object.keys(isRecord(value) ? value : {})) {
    if (!known.includes(name)) faults.push(`${at === '' ? '' : `${at}.`}${name} does not exist`);
  }
}

const connectionNames = ['url', 'rangesUrl', 'certificate', 'key', 'ca', 'serverReference', 'operatorId', 'version', 'results'];

function connectionOf(part: Part, reader: Reader): Connection | null {
  const { at, value } = part;
  const { faults } = reader;
  if (!isRecord(value)) {
    faults.push(`${at} must be an object`);
    return null;
  }
  unknownNames(part, connectionNames, reader);
  const { url, rangesUrl = url, serverReference, operatorId, version = '2.2.0' } = value;
  const must = (isRight: boolean, name: string, says: string): void => {
    if (!isRight) faults.push(`${at}.${name} ${value[name] === undefined ? 'is missing; it ' : ''}must be ${says}`);
  };
  must(isHttps(url), 'url', 'an address that begins with https://');
  if (value.rangesUrl !== undefined) must(isHttps(rangesUrl), 'rangesUrl', 'an address that begins with https://');
  must(isShort(serverReference), 'serverReference', '1 to 32 characters');
  if (operatorId !== undefined) must(isShort(operatorId), 'operatorId', '1 to 32 characters');
  must(isVersion(version), 'version', '2.1.0 or 2.2.0');
  const certificate = pemOf({ at: `${at}.certificate`, value: value.certificate }, reader);
  const key = pemOf({ at: `${at}.key`, value: value.key }, reader);
  const ca = value.ca === undefined ? null : certificatesOf({ at: `${at}.ca`, value: value.ca }, reader);
  const results = resultsOf({ at: `${at}.results`, value: value.results }, reader);
  if (certificate !== null && key !== null && !belongTogether(certificate, key))
    faults.push(`${at}.key and ${at}.certificate do not belong together, or one of them is damaged`);
  return {
    url: String(url),
    rangesUrl: String(rangesUrl),
    certificate: certificate ?? '',
    key: key ?? '',
    ca,
    serverReference: String(serverReference),
    operatorId: typeof operatorId === 'string' ? operatorId : null,
    version: isVersion(version) ? version : '2.2.0',
    results,
  };
}

const isShort = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]{1,32}$/.test(value);

/** The content of the PEM file that the part names. */
function pemOf({ at, value }: Part, { readText, faults }: Reader): string | null {
  if (typeof value !== 'string' || value === '' || value.includes('-----BEGIN')) {
    faults.push(`${at} ${value === undefined ? 'is missing; it ' : ''}must be the path of a PEM file`);
    return null;
  }
  try {
    const text = readText(value);
    if (text.includes('-----BEGIN ')) return text;
    faults.push(`${at} is not a PEM file`);
  } catch (error) {
    faults.push(`${at} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
  return null;
}

function certificatesOf(part: Part, reader: Reader): readonly string[] {
  const pem = pemOf(part, reader);
  if (pem === null) return [];
  const certificates = certificatesIn(pem);
  if (certificates.length === 0 || !certificates.every(isCertificate))
    reader.faults.push(`${part.at} holds no whole certificate`);
  return certificates;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).fingerprint256 !== '';
  } catch {
    return false;
  }
}

function belongTogether(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}

const isTextList = (value: unknown, pattern: RegExp): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && pattern.test(item));

const FINGERPRINT = /^[0-9A-F]{2}(?::?[0-9A-F]{2}){31}$/i;
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** The operator must state whose results are accepted, also when they are accepted from anyone. */
function resultsOf(part: Part, reader: Reader): ResultsTrust | null {
  const { at, value } = part;
  const { faults } = reader;
  if (value === ANYONE) return null;
  if (!isRecord(value)) {
    faults.push(`${at} ${value === undefined ? 'is missing; it ' : ''}must be an object with fingerprints or ca, or "${ANYONE}"`);
    return null;
  }
  unknownNames(part, ['fingerprints', 'ca', 'names'], reader);
  const { fingerprints, names } = value;
  if (fingerprints === undefined && value.ca === undefined) faults.push(`${at} must have fingerprints or ca`);
  if (fingerprints !== undefined && !isTextList(fingerprints, FINGERPRINT))
    faults.push(`${at}.fingerprints must be a list of SHA-256 fingerprints, 64 hexadecimal digits each`);
  if (names !== undefined && !isTextList(names, HOST)) faults.push(`${at}.names must be a list of host names`);
  return {
    fingerprints: isTextList(fingerprints, FINGERPRINT) ? fingerprints.map((one) => one.replaceAll(':', '').toUpperCase()) : [],
    ca: value.ca === undefined ? [] : certificatesOf({ at: `${at}.ca`, value: value.ca }, reader),
    names: isTextList(names, HOST) ? names : null,
  };
}
