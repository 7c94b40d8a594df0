import { X509Certificate } from 'node:crypto';
import { BlockList, isIP, SocketAddress } from 'node:net';
import type { Message } from './message.ts';

/** The proxies whose forwarding headers are believed. */
export type TrustedProxies = {
  /** Whether the peer of the socket is a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
  /** How many addresses at the end of `X-Forwarded-For` trusted proxies have written at most. */
  readonly hopsMax: number;
};

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

const holds = (list: BlockList, address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

/** A request passes few proxies; a longer list is not walked to its end. */
const HOPS_MAX = 32;

/** `true`: every peer is the one proxy in front of the gateway. A list: these addresses and networks, however many in a row. */
export function trustOf(trustProxy: boolean | readonly string[]): TrustedProxies {
  if (typeof trustProxy === 'boolean') return { isProxy: () => trustProxy, hopsMax: trustProxy ? 1 : 0 };
  const list = listOf(trustProxy);
  return { isProxy: (address) => holds(list, address), hopsMax: HOPS_MAX };
}

const MAPPED = /^::ffff:([0-9.]+)$/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/;

/** One way of writing each address: IPv4 inside IPv6 as IPv4, IPv6 in its short form. Undefined when the text is no address. */
function normalAddress(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  // An address with a zone means something on one machine only.
  if (family === 0 || text.includes('%')) return undefined;
  const mapped = MAPPED.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return MAPPED.exec(address)?.[1] ?? address;
}

/** An entry of `X-Forwarded-For`: an address, some proxies write its port too. */
function forwardedAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, six, four] = WITH_PORT.exec(text) ?? [];
  return normalAddress(six ?? four ?? text);
}

/** The address at the other end of a socket; empty when the client has left. */
export const peerAddress = (address = ''): string => normalAddress(address.replace(/%.*$/, '')) ?? '';

const peerOf = ({ peer }: Pick<Message, 'peer'>): string => peerAddress(peer.address);

/**
 * The address of the client. Each proxy appends the address of its own peer, so the header is read from its end while the address
 * belongs to a trusted proxy. Entries further left were written by others and are ignored. An entry that is no address ends the search
 * at the proxy that wrote it.
 */
export function addressOf(request: Message, trust: TrustedProxies): string {
  let address = peerOf(request);
  const header = request.headers['x-forwarded-for'];
  if (header === undefined || trust.hopsMax === 0) return address;
  const list = String(header);
  let end = list.length;
  for (let hop = 0; hop < trust.hopsMax && end >= 0 && trust.isProxy(address); hop += 1) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1);
    const before = forwardedAddress(list.slice(comma + 1, end));
    if (before === undefined) break;
    address = before;
    end = comma;
  }
  return address;
}

/** The owner of one IPv6 address owns its network of 64 bits. */
export const networkOf = (address: string): string => (address.includes(':') ? expanded(address).slice(0, 4).join(':') : address);

function expanded(address: string): readonly string[] {
  const [left = '', right = ''] = address.split('::');
  const [head, tail] = [left.split(':').filter(Boolean), right.split(':').filter(Boolean)];
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail];
}

/** The network that a client calls from; null where many share its address: that of a proxy that names none, or of this machine. */
export function networkOfClient(request: Message, trust: TrustedProxies): string | null {
  const address = addressOf(request, trust);
  const isShared = address === peerOf(request) && (isLoopback(address) || trust.isProxy(address));
  return isShared ? null : networkOf(address);
}

/**
 * Whether the client came by TLS: to the gateway, or to a trusted proxy that says so. With several values all must say it: a client can
 * add values to the header of some proxies, but take none away.
 */
export function isSecure(request: Message, trust: TrustedProxies): boolean {
  const proto = request.headers['x-forwarded-proto'];
  if (proto === undefined || !trust.isProxy(peerOf(request))) return request.peer.isEncrypted;
  return String(proto)
    .split(',')
    .every((value) => value.trim().toLowerCase() === 'https');
}

/** Whether a proxy that is not trusted has forwarded the request: the address of the client is then not known. */
export function isForwardedByOthers(request: Message, trust: TrustedProxies): boolean {
  const { headers } = request;
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers || 'via' in headers;
  return isForwarded && !trust.isProxy(peerOf(request));
}

const HOST = /^[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?$/;

/** The origin under which the client reached the gateway, such as `https://pay.example`; null when the headers form none. */
export function originOf(request: Message, trust: TrustedProxies): string | null {
  const host = request.headers.host ?? '';
  return HOST.test(host) ? `${isSecure(request, trust) ? 'https' : 'http'}://${host}` : null;
}

/**
 * The certificate that a client has shown, and whose key it holds: to the gateway, or to a trusted proxy that passes it on. The
 * certificate of the proxy itself says nothing about its clients.
 */
export function certificateOf(request: Message, trust: TrustedProxies, header: string | null): X509Certificate | null {
  if (header !== null && trust.isProxy(peerOf(request))) return certificateIn(String(request.headers[header] ?? ''));
  return request.peer.certificate();
}

/** As proxies write it: PEM with percent signs, or base64 of the bytes, between colons (RFC 9440) or without. */
function certificateIn(text: string): X509Certificate | null {
  try {
    const plain = decodeURIComponent(text);
    if (plain.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(plain);
    const base64 = /^:?([A-Za-z0-9+/]+={0,2}):?$/.exec(text)?.[1];
    return base64 === undefined ? null : new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return null;
  }
}

const ownMachine = ['127.0.0.0/8', '::1'];
const loopback = listOf(ownMachine);

export const isLoopback = (address: string): boolean => holds(loopback, address);

const inside = listOf([
  ...ownMachine,
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

/** Loopback and private networks: where an operator's own tools run. */
export const isInside = (address: string): boolean => holds(inside, address);
