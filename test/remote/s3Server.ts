import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SigningKey, sha256, signRequest } from '../../src/outbound/s3.ts';

export type S3Server = {
  readonly url: string;
  /** By bucket and name. */
  readonly objects: Map<string, Buffer>;
  /** Uploads that were begun and neither completed nor aborted. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  readonly trouble: {
    /** Answers so many requests with 503 first. */
    failures: number;
    /** Called for each object and part that arrives; it is then neither stored nor answered. */
    onStore: (() => void) | null;
    /** Objects of a page. */
    pageSize: number;
  };
  close(): Promise<void>;
};

const text = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Null in its place: no answer. */
type Answer = { readonly status: number; readonly body?: string | Buffer; readonly etag?: string };

const errorOf = (status: number, code: string): Answer => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`,
});

/** A service that speaks as much of the API of S3 as backups need, and verifies every signature. */
export async function startS3(key: SigningKey): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const trouble: S3Server['trouble'] = { failures: 0, onStore: null, pageSize: 2 };

  const isSigned = ({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): boolean => {
    const date = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
    const expected = signRequest({ method, url, headers: {}, bodyHash: sha256(body) }, key, Date.parse(date));
    return expected.authorization === headers.authorization && headers['x-amz-content-sha256'] === sha256(body);
  };
  function list(url: URL): string {
    const prefix = `${url.pathname.slice(1)}/${url.searchParams.get('prefix') ?? ''}`;
    const after = url.searchParams.get('continuation-token') ?? '';
    const found = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
    const page = found.slice(0, trouble.pageSize);
    const bucket = `${url.pathname.slice(1)}/`;
    const entries = page.map(
      (name) => `<Contents><Key>${name.slice(bucket.length)}</Key><Size>${objects.get(name)?.length}</Size></Contents>`,
    );
    const next = found.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult>${entries.join('')}${next}</ListBucketResult>`;
  }

  function upload(url: URL, method: string, body: Buffer): Answer | null {
    const name = url.pathname.slice(1);
    const id = url.searchParams.get('uploadId') ?? '';
    if (url.searchParams.has('uploads')) {
      uploads.set(`upload of ${name}`, new Map());
      return { status: 200, body: `<Result><UploadId>upload of ${name}</UploadId></Result>` };
    }
    const parts = uploads.get(id);
    if (!parts) return errorOf(404, 'NoSuchUpload');
    if (method === 'PUT') {
      parts.set(Number(url.searchParams.get('partNumber')), body);
      return { status: 200, etag: `"${sha256(body)}"` };
    }
    uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([0-9a-f]+)"<\/ETag>/g)];
    const isRight = listed.every(([, number, tag]) => sha256(parts.get(Number(number)) ?? '') === tag);
    if (!isRight) return errorOf(200, 'InvalidPart');
    objects.set(name, Buffer.concat(listed.map(([, number]) => parts.get(Number(number)) as Buffer)));
    return { status: 200 };
  }

  function answerTo(request: IncomingMessage, url: URL, body: Buffer): Answer | null {
    const { method = '' } = request;
    if (!isSigned(request, url, body)) return errorOf(403, 'SignatureDoesNotMatch');
    if (trouble.failures > 0) {
      trouble.failures -= 1;
      return errorOf(503, 'SlowDown');
    }
    if (method === 'PUT' && trouble.onStore) {
      trouble.onStore();
      return null;
    }
    const name = url.pathname.slice(1);
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) return upload(url, method, body);
    if (url.searchParams.has('list-type')) return { status: 200, body: list(url) };
    const found = objects.get(name);
    if (method === 'GET') return found ? { status: 200, body: found } : errorOf(404, 'NoSuchKey');
    if (method === 'PUT') objects.set(name, body);
    if (method === 'DELETE') objects.delete(name);
    return { status: method === 'DELETE' ? 204 : 200 };
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const answer = answerTo(request, url, await text(request));
    if (answer) response.writeHead(answer.status, answer.etag === undefined ? {} : { etag: answer.etag }).end(answer.body ?? '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    trouble,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
