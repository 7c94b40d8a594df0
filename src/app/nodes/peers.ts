import type { Config } from '../../config/config.ts';
import { createPeerServer } from '../../http/transport/peerServer.ts';
import { createPeerPost } from '../../outbound/ownNetwork.ts';
import type { World } from '../../payments/ports.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Masters } from '../../vault/masterKey.ts';
import { BODY_BYTES_MAX, createProofCheck, createReceiver, HANDOVER_PATH, handOver } from './handover.ts';
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
