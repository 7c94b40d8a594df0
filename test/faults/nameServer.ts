import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** What a name means when it is asked for the n-th time: addresses, and on the way there another name. */
export type Meaning = { readonly addresses: readonly string[]; readonly alias?: string };

export type NameServer = {
  /** For a resolver. */
  readonly server: string;
  /** How often each kind of address was asked for. */
  readonly asked: { A: number; AAAA: number };
  close(): void;
};

const [A, CNAME, AAAA] = [1, 5, 28];

/**
 * A server of names over UDP whose answers may be kept for no time at all, and change: the n-th question for a kind of address is answered
 * with the n-th meaning, later ones with the last.
 */
export async function startNames(meanings: readonly Meaning[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = { A: 0, AAAA: 0 };
  socket.on('message', (question, from) => {
    const type = question.readUInt16BE(endOfName(question) + 0);
    const kind = type === AAAA ? 'AAAA' : 'A';
    const meaning = meanings[Math.min(asked[kind], meanings.length - 1)] ?? { addresses: [] };
    asked[kind] += 1;
    socket.send(answerTo(question, type, meaning), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return { server: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked, close: () => socket.close() };
}

const HEAD = 12;

function endOfName(message: Buffer): number {
  let at = HEAD;
  while (message[at] !== 0) at += (message[at] ?? 0) + 1;
  return at + 1;
}

function answerTo(message: Buffer, type: number, { addresses, alias }: Meaning): Buffer {
  const question = message.subarray(HEAD, endOfName(message) + 4);
  const fitting = addresses.filter((address) => address.includes(':') === (type === AAAA));
  const here = Buffer.from([0xc0, HEAD]);
  const owner = alias === undefined ? here : nameOf(alias);
  const records = [
    ...(alias === undefined ? [] : [recordOf(here, CNAME, nameOf(alias))]),
    ...fitting.map((address) => recordOf(owner, type, bytesOf(address))),
  ];
  const head = Buffer.alloc(HEAD);
  message.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8580, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(type === A || type === AAAA ? records.length : 0, 6);
  return Buffer.concat([head, question, ...records]);
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.from([0])]);

/** Good for zero seconds. */
function recordOf(owner: Buffer, type: number, data: Buffer): Buffer {
  const rest = Buffer.alloc(10);
  rest.writeUInt16BE(type, 0);
  rest.writeUInt16BE(1, 2);
  rest.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, rest, data]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // The platform writes the last four bytes of any form in hexadecimal digits.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = text.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [first, last] = [groups(before), groups(after)];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
