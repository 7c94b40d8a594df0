import { createHash, createHmac } from 'node:crypto';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

export type S3Address = SigningKey & {
  /** Such as https://s3.eu-central-1.amazonaws.com or https://storage.internal:9000. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Ends with a slash, or is empty. */
  readonly prefix: string;
};

export type S3Needs = { readonly now: () => number; readonly idleMs: number; readonly partBytes?: number };

/** The objects below a prefix of a bucket. Rejections name the status and the code of the service, and no secret. */
export interface S3Folder {
  list(): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  /** The object exists only when all of it has arrived. */
  put(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  get(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
}

/** Parts grow with their number: ten thousand of them are enough for 600 GB. */
const PART_BYTES = 8_388_608;
const PARTS_OF_A_SIZE = 1_000;
const PAGES_MAX = 1_000;
const TEXT_BYTES_MAX = 4_194_304;
const TRIES = 3;

type Call = {
  readonly method: string;
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

/** A folder of an S3-compatible service, addressed by path: every such service knows that form. */
export function openS3(address: S3Address, { now, idleMs, partBytes = PART_BYTES }: S3Needs): S3Folder {
  const send = (call: Call): Promise<IncomingMessage> => sendOnce(address, call, { now, idleMs });
  const text = async (call: Call): Promise<{ readonly body: string; readonly etag: string }> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(call).catch((error: Error) => error);
      if (answer instanceof Error) {
        if (tries === TRIES) throw answer;
        continue;
      }
      const body = await textOf(answer);
      const { statusCode = 0, headers } = answer;
      // A service answers an upload that failed late with 200 and an error in the body.
      if (statusCode < 300 && !/^\s*(?:<\?xml[^>]*>\s*)?<Error>/.test(body)) return { body, etag: headers.etag ?? '' };
      if (tries === TRIES || (statusCode < 500 && statusCode !== 429 && statusCode !== 200)) throw refusal(statusCode, body);
    }
  };
  const keyOf = (name: string): string => `${address.prefix}${name}`;

  async function upload(name: string, parts: AsyncIterator<Uint8Array>, first: Uint8Array): Promise<void> {
    const key = keyOf(name);
    const uploadId = element((await text({ method: 'POST', key, query: { uploads: '' } })).body, 'UploadId');
    if (uploadId === null) throw new Error('S3: an upload was not begun');
    try {
      const tags: string[] = [];
      for (let part: Uint8Array | undefined = first; part; part = (await parts.next()).value as Uint8Array | undefined) {
        const query = { partNumber: String(tags.length + 1), uploadId };
        tags.push((await text({ method: 'PUT', key, query, body: part })).etag);
      }
      const listed = tags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`).join('');
      const body = Buffer.from(`<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`);
      await text({ method: 'POST', key, query: { uploadId }, body });
    } catch (error) {
      await text({ method: 'DELETE', key, query: { uploadId } }).catch(() => {});
      throw error;
    }
  }

  return {
    async list() {
      const found: { name: string; bytes: number }[] = [];
      let token: string | null = null;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const more: Readonly<Record<string, string>> = token === null ? {} : { 'continuation-token': token };
        const { body } = await text({ method: 'GET', key: '', query: { 'list-type': '2', prefix: address.prefix, ...more } });
        for (const [, entry = ''] of body.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g))
          found.push({
            name: (element(entry, 'Key') ?? '').slice(address.prefix.length),
            bytes: Number(element(entry, 'Size') ?? 0),
          });
        token = element(body, 'NextContinuationToken');
        if (token === null) return found;
      }
      throw new Error('S3: there are too many objects');
    },
    async put(name, chunks) {
      const parts = inParts(chunks, partBytes)[Symbol.asyncIterator]();
      const { value: first = new Uint8Array(0) } = await parts.next();
      if (first.length >= partBytes) await upload(name, parts, first);
      else await text({ method: 'PUT', key: keyOf(name), body: first });
    },
    async *get(name) {
      const answer = await send({ method: 'GET', key: keyOf(name) });
      if (answer.statusCode !== 200) throw refusal(answer.statusCode ?? 0, await textOf(answer));
      yield* answer as AsyncIterable<Uint8Array>;
    },
    remove: async (name) => void (await text({ method: 'DELETE', key: keyOf(name) })),
  };
}

/** Parts of at least 5 MiB, as the service requires, and a shorter last one. */
async function* inParts(chunks: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array> {
  let [held, length, number] = [[] as Uint8Array[], 0, 0];
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length < partBytes * (1 + Math.floor(number / PARTS_OF_A_SIZE))) continue;
    yield Buffer.concat(held);
    [held, length, number] = [[], 0, number + 1];
  }
  if (length > 0 || number === 0) yield Buffer.concat(held);
}

type Sending = { readonly now: () => number; readonly idleMs: number };

function sendOnce({ endpoint, bucket, ...key }: S3Address, call: Call, { now, idleMs }: Sending): Promise<IncomingMessage> {
  const { method, key: name, query = {}, body = new Uint8Array(0) } = call;
  const url = new URL(endpoint);
  url.pathname = `/${[bucket, ...(name === '' ? [] : name.split('/'))].map(encodeKey).join('/')}`;
  url.search = Object.entries(query)
    .map(([part, value]) => `${encodeKey(part)}=${encodeKey(value)}`)
    .join('&');
  const headers = signRequest({ method, url, headers: {}, bodyHash: sha256(body) }, key, now());
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'http:' ? plainRequest : secureRequest;
    const request = start(url, { method, headers: { ...headers, 'content-length': body.length }, timeout: idleMs, agent: false });
    request.once('response', resolve);
    request.once('timeout', () => request.destroy(new Error('S3: the service did not answer in time')));
    request.once('error', (error: NodeJS.ErrnoException) => reject(new Error(`S3: ${error.code ?? error.message}`)));
    request.end(body);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > TEXT_BYTES_MAX) throw new Error('S3: an answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const refusal = (status: number, body: string): Error =>
  new Error(`S3: the service answered ${status} ${(element(body, 'Code') ?? '').slice(0, 64)}`.trim());

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The content of the first element of a name; null: there is none. */
function element(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? null : text.replace(/&(lt|gt|amp|quot|apos);/g, (_, entity: string) => entities[entity] ?? '');
}

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
