import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Connection, LiveConnections } from '../../src/threeds/live/connection.ts';
import type { AReq } from '../../src/threeds/messages/message.ts';
import type { NetworkName } from '../../src/threeds/networks.ts';
import { createAcs } from '../../src/threeds/sandbox/acs.ts';
import { createDirectoryServer } from '../../src/threeds/sandbox/directoryServer.ts';
import { type Authority, createAuthority, type Issued } from './authority.ts';

/** A scheme with a directory server that listens: TLS with its own authority, and the issuers of the box behind it. */

export type SchemeRequest = { readonly json: Record<string, unknown>; readonly peer: string; readonly path: string };
export type Answering = (asked: SchemeRequest, response: ServerResponse) => void;

export type Scheme = {
  readonly authority: Authority;
  /** The certificate of the 3DS server. */
  readonly client: Issued;
  readonly url: string;
  readonly asked: SchemeRequest[];
  /** Null: as a directory server should. */
  answering: Answering | null;
  /** The answer to a preparation request. */
  prepared: (preq: Readonly<Record<string, unknown>>) => object;
  connections(change?: Partial<Connection>): LiveConnections;
  close(): Promise<void>;
};

export const ACS_URL = 'https://acs.example/acs';
export const acs = createAcs({ url: ACS_URL });

export const send = (response: ServerResponse, json: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' });
  response.end(JSON.stringify(json));
};

export const RANGES = [
  {
    startRange: '4200000000000000',
    endRange: '4200000000009999',
    acsStartProtocolVersion: '2.1.0',
    acsEndProtocolVersion: '2.2.0',
    actionInd: 'A',
    acsInfoInd: ['01', '02'],
  },
] as const;

export async function startScheme(clock: { now(): number }, network: NetworkName = 'visa'): Promise<Scheme> {
  const authority = createAuthority('Scheme Root');
  const identity = authority.issue({ name: 'localhost' });
  const client = authority.issue({ name: 'pay.example' });
  const directory = createDirectoryServer({ acs, acsUrl: ACS_URL, clock });
  const server = createServer({ ...identity, ca: [authority.cert], requestCert: true, rejectUnauthorized: true });
  server.on('tlsClientError', () => {});
  server.on('request', (request: IncomingMessage, response: ServerResponse) => void answer(request, response));
  const port = await listening(server);
  const scheme: Scheme = {
    authority,
    client,
    url: `https://localhost:${port}/ds`,
    asked: [],
    answering: null,
    prepared: () => ({ serialNum: '1', dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.2.0', cardRangeData: RANGES }),
    connections: (change) => ({
      resultsOrigin: null,
      certificateHeader: null,
      networks: {
        [network]: {
          url: scheme.url,
          rangesUrl: scheme.url,
          certificate: client.cert,
          key: client.key,
          ca: [authority.cert],
          serverReference: '3DS_LOA_SER_EXAM_020200_00001',
          operatorId: 'operator-1',
          version: '2.2.0',
          results: { fingerprints: [], ca: [authority.cert], names: null },
          ...change,
        },
      },
    }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return scheme;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const json = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const peer = (request.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? '';
    const asked: SchemeRequest = { json, peer, path: request.url ?? '' };
    scheme.asked.push(asked);
    if (scheme.answering) return scheme.answering(asked, response);
    const { threeDSServerTransID } = json;
    if (json.messageType === 'PReq')
      return send(response, { messageType: 'PRes', messageVersion: '2.2.0', threeDSServerTransID, ...scheme.prepared(json) });
    return send(response, await directory.authenticate(json as unknown as AReq, network));
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
