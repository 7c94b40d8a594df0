import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** The answer to the n-th query for a name: addresses, and an alias on the way to them. */
export type DnsAnswer = { readonly addresses: readonly string[]; readonly alias?: string };

export type NameServer = {
  /** The address to give to a resolver. */
  readonly server: string;
  /** The number of queries by record type. */
  readonly asked: { A: number; AAAA: number };
  close(): void;
};

const [A, CNAME, AAAA] = [1, 5, 28];

/**
 * A DNS server over UDP with a TTL of zero and answers that change: the n-th query for a record type gets the n-th answer, later ones the
 * last.
 */
export async function startNames(answers: readonly DnsAnswer[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = { A: 0, AAAA: 0 };
  socket.on('message', (question, from) => {
    const type = question.readUInt16BE(endOfName(question) + 0);
    const kind = type === AAAA ? 'AAAA' : 'A';
    const answer = answers[Math.min(asked[kind], answers.length - 1)] ?? { addresses: [] };
    asked[kind] += 1;
    socket.send(answerTo(question, type, answer), from.port, from.address);
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

function answerTo(message: Buffer, type: number, { addresses, alias }: DnsAnswer): Buffer {
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

/** TTL of zero seconds. */
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
