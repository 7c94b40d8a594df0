import type { CheckoutRoom } from '../checkouts/needs.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Throttler } from '../merchants/throttle.ts';
import type { World } from '../payments/needs.ts';
import type { Environment } from '../payments/order.ts';
import type { SandboxIssuer } from '../registrations/wallets/issuer/sandboxIssuer.ts';
import type { ResultsDoor } from '../threeds/live/resultsDoor.ts';
import type { Documents } from './documents.ts';
import type { Metrics } from './metrics.ts';
import type { Trust } from './peer.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Responder } from './respond.ts';

/** Everything an answer may need. The server has it from the moment the gateway can take payments. */
export type Rooms = {
  readonly environment: Environment;
  readonly world: World;
  readonly checkouts: CheckoutRoom;
  readonly directory: Directory;
  readonly throttler: Throttler;
  readonly respond: Responder;
  readonly metrics: Metrics;
  readonly documents: Documents;
  readonly trust: Trust;
  /** Who may tell how challenges ended; without one everybody may who knows the ids, as in the test environment. */
  readonly resultsDoor: ResultsDoor | null;
  /** Makes wallet tokens to try; null in the live environment. */
  readonly walletIssuer: SandboxIssuer | null;
  /** Keyed hash of a request, by the vault. */
  readonly digest: (entityId: string, text: Uint8Array | string) => string;
  /** Resolves when the store can read and write. */
  readonly ping: () => Promise<void>;
};

/** What happens can be a refusal, a decline or an approval: all of them are answers. Only what nobody foresaw is thrown. */
export type Handler = (rooms: Rooms, request: Request) => Reply | Promise<Reply>;
