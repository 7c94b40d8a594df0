import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Whose forwarding headers are believed. */
export type Trust = (address: string) => boolean;

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

export function trustOf(trustProxy: boolean | readonly string[]): Trust {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const list = listOf(trustProxy);
  return (address) => holds(list, address);
}

/** Where the request came from: the last address in the chain of forwarders that is not one of ours. */
export function addressOf(request: IncomingMessage, trust: Trust): string {
  let address = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trust(address)) return address;
  const chain = String(forwarded).split(',');
  while (trust(address)) {
    const before = chain.pop()?.trim();
    if (before === undefined || isIP(before) === 0) break;
    address = before;
  }
  return address;
}

const HOST = /^[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?$/;

/** The address under which the client reached us, such as `https://pay.example`; null when what it says cannot be one. */
export function originOf(request: IncomingMessage, trust: Trust): string | null {
  const { socket, headers } = request;
  const isForwarded = headers['x-forwarded-proto'] !== undefined && trust(socket.remoteAddress ?? '');
  const isSecure = isForwarded ? headers['x-forwarded-proto'] === 'https' : 'encrypted' in socket;
  const host = headers.host ?? '';
  return HOST.test(host) ? `${isSecure ? 'https' : 'http'}://${host}` : null;
}

/**
 * The certificate that a client has shown, and whose key it holds: to us, or to a proxy that is believed and hands it on. Of such a
 * proxy its own certificate says nothing about its clients.
 */
export function certificateOf(request: IncomingMessage, trust: Trust, header: string | null): X509Certificate | null {
  const { socket, headers } = request;
  if (header !== null && trust(socket.remoteAddress ?? '')) return certificateIn(String(headers[header] ?? ''));
  return socket instanceof TLSSocket ? (socket.getPeerX509Certificate() ?? null) : null;
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

const inside = listOf([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

/** Loopback and private networks: where an operator's own tools stand. */
export const isInside = (address: string): boolean => holds(inside, address);
