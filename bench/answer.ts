import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = Buffer.from('\r\nContent-Length: ');

const ANSWER_MS_MAX = 30_000;

/** How long the answer at the start of these bytes is, head and body; 0 while its head is not all there. */
export function answerLength(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  let at = bytes.indexOf(CONTENT_LENGTH);
  if (at < 0 || at > headEnd) at = lowerCase(bytes, headEnd);
  let length = 0;
  for (at += CONTENT_LENGTH.length; bytes[at] !== 0x0d; at += 1) length = length * 10 + ((bytes[at] as number) - 0x30);
  return headEnd + HEAD_END.length + length;
}

function lowerCase(bytes: Buffer, headEnd: number): number {
  const at = bytes
    .toString('latin1', 0, headEnd + 2)
    .toLowerCase()
    .indexOf('\r\ncontent-length: ');
  if (at < 0) throw new Error(`the answer has no Content-Length: ${bytes.toString('latin1', 0, headEnd)}`);
  return at;
}

/** Sends one request and gives the bytes of the whole answer. */
export function exchange(port: number, request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'));
    let bytes: Buffer = Buffer.alloc(0);
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed before the answer was whole')));
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      const length = answerLength(bytes);
      if (length === 0 || bytes.length < length) return;
      socket.removeAllListeners('close').destroy();
      resolve(bytes.subarray(0, length));
    });
  });
}

export type ReadAnswer = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
};

export function parseAnswer(bytes: Buffer): ReadAnswer {
  const text = bytes.toString('utf8');
  const headEnd = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(headEnd + 4) };
}
