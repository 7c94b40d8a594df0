import type { IncomingHttpHeaders } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import type { Config } from '../../config/config.ts';
import { createPeerServer } from '../../http/transport/peerServer.ts';
import { createPeerPost, type PeerPost } from '../../outbound/ownNetwork.ts';
import type { Attempt, PendingSecrets, World } from '../../payments/ports.ts';
import { type Clock, MINUTE_MS } from '../../spec/time.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { MasterKey, Masters } from '../../vault/masterKey.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { GONE_MS, nodeIdOf } from './rateLimits.ts';

export interface Peers {
  /** From now on this node takes over nothing. */
  announceStop(): void;
  /** Hands over what only this node has, and closes the port for other nodes. */
  end(): Promise<void>;
}

type PeerParts = {
  readonly config: Pick<Config, 'peerUrl' | 'nodeName' | 'host' | 'tls' | 'databaseUrl'>;
  readonly store: Pick<Store, 'peers'>;
  readonly masters: Masters;
  readonly world: Pick<World, 'pendingSecrets' | 'clock' | 'timers'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

const noPeers: Peers = { announceStop: () => {}, end: async () => {} };

const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** Listens for other nodes where PEER_URL says so. */
export async function openPeers({ config, store, masters, world, log }: PeerParts): Promise<Peers> {
  const { peerUrl, tls } = config;
  if (peerUrl === null || config.databaseUrl === null) return noPeers;
  const { pendingSecrets, clock, timers } = world;
  let isEnding = false;
  const address = new URL(peerUrl);
  const server = createPeerServer({
    tls: address.protocol === 'https:' ? tls && { cert: tls.cert, key: tls.key } : null,
    path: HANDOVER_PATH,
    bytesMax: BODY_BYTES_MAX,
    isNode: createProofCheck({ masters, clock, url: peerUrl }),
    receive: createReceiver({
      pendingSecrets,
      masters,
      clock,
      url: peerUrl,
      isEnding: () => isEnding,
      onTaken: (payments) => log.info({ payments }, 'open authentications of another node were taken over'),
    }),
  });
  await server.listen(portOf(address), config.host);
  const post = createPeerPost({ timers });
  const peers = () => store.peers(nodeIdOf(config), clock.now() - GONE_MS);
  const announceStop = () => {
    isEnding = true;
  };
  return {
    announceStop,
    async end() {
      announceStop();
      const stopping = server.stop();
      const { taken, left } = await handOver({ pendingSecrets, master: masters[0], clock, post, peers });
      if (taken > 0) log.info({ payments: taken }, 'open authentications were handed over to another node');
      if (left > 0) log.warn({ payments: left }, 'open authentications end with this node: no other node took them over');
      await stopping;
    },
  };
}

/**
 * The secrets of open authentications go to another node when this one ends in order. They leave this process sealed under a key of the
 * master key, and are never on a disk, in the database or in a log (decisions/0064).
 */

const HANDOVER_PATH = '/handover';
/** The head of a request proves that a node sends it. */
const PROOF_HEADER = 'x-turnpike-node';
/** Nodes of two releases understand each other while this is the same. */
const FORMAT = 1;
/** One request. An entry takes one to three kilobytes. */
export const BODY_BYTES_MAX = 4_194_304;
const BATCH_BYTES_MAX = 1_048_576;
const ENTRIES_MAX = 20_000;
const REQUEST_MS_MAX = 1_400;
/** A body is accepted for so long: clocks of nodes may differ. */
const FRESH_MS = 15 * MINUTE_MS;
const SEEN_MAX = 10_000;
const NONCE_BYTES = 16;

type Entry = { readonly attempt: Attempt; readonly until: number };
type Sent = { readonly format: number; readonly at: number; readonly nonce: string; readonly entries: readonly Entry[] };

/** A body for one node cannot be sent to another. */
const boundTo = (url: string): Buffer => Buffer.from(`handover of open authentications to ${url}`);
/** The proof in the head of a request is no body, and no body is a proof. */
const proofFor = (url: string): Buffer => Buffer.from(`a node speaks to ${url}`);

function createNonce(): string {
  const bytes = new Uint8Array(NONCE_BYTES);
  systemRandom(bytes);
  return Buffer.from(bytes).toString('hex');
}

/** The entries in batches of limited size, the newest first, because they have the longest time left. */
function batchesOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const batches: Entry[][] = [[]];
  let length = 0;
  for (const entry of entries.slice(-ENTRIES_MAX).toReversed()) {
    const bytes = serialize(entry).length;
    if (length + bytes > BATCH_BYTES_MAX) batches.push([]);
    length = length + bytes > BATCH_BYTES_MAX ? bytes : length + bytes;
    batches.at(-1)?.push(entry);
  }
  return batches.filter(({ length: count }) => count > 0);
}

type SendNeeds = {
  readonly pendingSecrets: Pick<PendingSecrets, 'ids' | 'get' | 'drop'>;
  readonly master: MasterKey;
  readonly clock: Clock;
  readonly post: PeerPost;
  /** The addresses of other nodes that live, the one that was seen last first. */
  readonly peers: () => Promise<readonly string[]>;
};

type HandedOver = { readonly taken: number; readonly left: number };

/** Sends the secrets of all open authentications to a node that takes them. Entries that a node has taken are dropped here. */
export async function handOver({ pendingSecrets, master, clock, post, peers }: SendNeeds): Promise<HandedOver> {
  const entries = pendingSecrets.ids().flatMap(({ paymentId, until }): Entry[] => {
    const attempt = pendingSecrets.get(paymentId);
    return attempt ? [{ attempt, until }] : [];
  });
  if (entries.length === 0) return { taken: 0, left: 0 };
  // A database that does not answer must not make an orderly end a failed one.
  let living = await peers().catch((): readonly string[] => []);
  let taken = 0;
  for (const batch of batchesOf(entries)) {
    while (living[0] !== undefined) {
      const [url, ...others] = living as readonly [string, ...string[]];
      if (await sendBatch({ master, clock, post }, url, batch)) break;
      living = others;
    }
    if (living.length === 0) break;
    for (const { attempt } of batch) pendingSecrets.drop(attempt.payment.id);
    taken += batch.length;
  }
  return { taken, left: entries.length - taken };
}

type ProofNeeds = Pick<ReceiveNeeds, 'masters' | 'clock' | 'url'>;

/** Whether the head of a request was made by a node with the master key, for this node, and is seen for the first time. */
export function createProofCheck({ masters, clock, url }: ProofNeeds): (headers: IncomingHttpHeaders) => Promise<boolean> {
  const isFirst = createNonceMemory();
  return async ({ [PROOF_HEADER]: proof }) => {
    if (typeof proof !== 'string') return false;
    const clear = await opened(masters, Buffer.from(proof, 'base64url'), proofFor(url));
    if (clear === null) return false;
    const { at, nonce } = deserialize(clear) as Pick<Sent, 'at' | 'nonce'>;
    return Math.abs(clock.now() - at) <= FRESH_MS && isFirst(nonce);
  };
}

/** Whether a nonce comes for the first time. */
function createNonceMemory(): (nonce: string) => boolean {
  const seen = new Set<string>();
  return (nonce) => {
    if (seen.has(nonce)) return false;
    seen.add(nonce);
    const [oldest] = seen.size > SEEN_MAX ? seen : [];
    if (oldest !== undefined) seen.delete(oldest);
    return true;
  };
}

/** Strangers may fill the other node's port: it may have closed the connection before it knew who opens it. */
const isCrowded = (error: unknown): boolean => error instanceof Error && error.message === 'ECONNRESET';
const TRIES = 3;

/** False: the node did not take it. */
async function sendBatch(
  { master, clock, post }: Pick<SendNeeds, 'master' | 'clock' | 'post'>,
  url: string,
  entries: readonly Entry[],
): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const [at, proofNonce] = [clock.now(), createNonce()];
    const sent: Sent = { format: FORMAT, at, nonce: createNonce(), entries };
    try {
      const body = await master.wrap(serialize(sent), boundTo(url));
      const proof = await master.wrap(serialize({ at, nonce: proofNonce }), proofFor(url));
      const headers = { [PROOF_HEADER]: Buffer.from(proof).toString('base64url') };
      return (await post(`${url}${HANDOVER_PATH}`, { headers, body }, REQUEST_MS_MAX)) === 204;
    } catch (error) {
      if (!isCrowded(error)) return false;
    }
  }
  return false;
}

type ReceiveNeeds = {
  readonly pendingSecrets: Pick<PendingSecrets, 'put'>;
  readonly masters: Masters;
  readonly clock: Clock;
  /** The address of this node, as others know it. */
  readonly url: string;
  /** This node ends too: the sender asks another one. */
  readonly isEnding: () => boolean;
  readonly onTaken: (count: number) => void;
};

/** Takes over what another node has sealed; returns the status of the reply. Each body counts once. */
export function createReceiver({ pendingSecrets, masters, clock, url, isEnding, onTaken }: ReceiveNeeds) {
  const isFirst = createNonceMemory();
  return async (body: Uint8Array): Promise<number> => {
    if (isEnding()) return 503;
    const clear = await opened(masters, body, boundTo(url));
    if (clear === null) return 403;
    // Only a node with the master key has made these bytes.
    const { format, at, nonce, entries } = deserialize(clear) as Sent;
    if (format !== FORMAT) return 415;
    if (Math.abs(clock.now() - at) > FRESH_MS || !isFirst(nonce)) return 409;
    for (const { attempt, until } of entries) pendingSecrets.put(attempt.payment.id, attempt, until);
    onTaken(entries.length);
    return 204;
  };
}

async function opened(masters: Masters, body: Uint8Array, bound: Uint8Array): Promise<Uint8Array | null> {
  for (const master of masters) {
    const clear = await master.unwrap(body, bound).catch(() => null);
    if (clear !== null) return clear;
  }
  return null;
}
