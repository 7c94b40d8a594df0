import { createHash, createHmac } from 'node:crypto';

/** AWS Signature Version 4, as S3 and the services that speak its API verify it. */

export type SigningKey = { readonly accessKey: string; readonly secretKey: string; readonly region: string };

export type SignedRequest = {
  readonly method: string;
  /** With the query, encoded as it is sent. */
  readonly url: URL;
  /** Names in lower case; `host` is added. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hex. */
  readonly bodyHash: string;
};

const SERVICE = 's3';
const ALGORITHM = 'AWS4-HMAC-SHA256';

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Everything but unreserved characters, as the service encodes it too. */
export const encodeKey = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const byText = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** The headers of a request with its signature. */
export function signRequest(
  { method, url, headers, bodyHash }: SignedRequest,
  key: SigningKey,
  now: number,
): Record<string, string> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${key.region}/${SERVICE}/aws4_request`;
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time };
  const sorted = Object.entries(all)
    .map(([name, value]) => [name, value.trim().replace(/ +/g, ' ')] as const)
    .sort(byText);
  const names = sorted.map(([name]) => name).join(';');
  const query = [...url.searchParams].map(([name, value]) => [encodeKey(name), encodeKey(value)] as const).sort(byText);
  const canonical = [
    method,
    url.pathname,
    query.map(([name, value]) => `${name}=${value}`).join('&'),
    ...sorted.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const toSign = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const signing = [key.region, SERVICE, 'aws4_request'].reduce<Buffer>(
    (its, part) => hmac(its, part),
    hmac(`AWS4${key.secretKey}`, day),
  );
  const signature = hmac(signing, toSign).toString('hex');
  return {
    ...all,
    authorization: `${ALGORITHM} Credential=${key.accessKey}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}
