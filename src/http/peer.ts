import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

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
