import type { Socket } from 'node:net';
import { networkOf, peerAddress } from './clientAddress.ts';
import { createNetworkCounts, type NetworkCounts } from './connectionCounts.ts';

/** Why a connection was refused or closed by the server. */
export type CutReason = 'connections' | 'connectionsOfAddress' | 'slowReader' | 'memory';

/** See decisions/0037 and decisions/0088. */
export type Bounds = {
  /** Of one connection: requests whose replies have not left, and bytes of these replies. Later requests wait, none is refused. */
  readonly requests: number;
  readonly replyBytes: number;
  /** Of all connections: replies that are not read yet, and requests that are not parsed yet. */
  readonly heldBytes: number;
  /** Of all connections: bodies that are being read, or whose requests are not answered yet. Unknown senders fill half of it. */
  readonly bodyBytes: number;
  /** Of incomplete bodies of unknown senders: from one network, and all together. */
  readonly unreadBytes: { readonly ofNetwork: number; readonly all: number };
  /** How long a client may read nothing of a reply that waits for it. */
  readonly readMs: number;
  /** Connections of one address, unless many clients share it. */
  readonly perAddress: number;
};

/** A connection, as far as its account is concerned. */
type Client = { readonly destroyed: boolean; destroy(): unknown };

/**
 * The memory budget shared by the connections of both ports, and the only place where open requests, bodies and replies are counted.
 * A client that asks for too much waits; one that lets the gateway wait is closed when others need its share.
 */
export interface Budget {
  /** Counts a socket to its network until it closes; false: it was closed, because the network has too many. */
  admit(socket: Socket): boolean;
  /** Opens the account of a connection. */
  open(client: Client): Account;
  readonly bodies: Bodies;
  /** Resolves when every request has its reply. */
  quiet(): Promise<void>;
  /** Closes connections whose clients do not read. The caller runs it every second or so. */
  sweep(now: number): void;
  /** A socket was refused or closed. */
  refused(reason: CutReason): void;
  readonly connections: number;
  readonly heldBytes: number;
}

/** Bodies that are being read, or whose requests are not answered yet. */
export interface Bodies {
  /** So many bytes more are held; less than 0: fewer. */
  hold(bytes: number): void;
  isFull(isKnownSender: boolean): boolean;
  /**
   * The body of an unknown sender begins. `network`: where it comes from; null: many clients share the address. `giveUp` must end it.
   */
  beginUnread(network: string | null, giveUp: () => void): UnreadBody;
  readonly bytes: number;
}

export type UnreadBody = {
  /** So many bytes more are held. Bodies are given up when there are too many, perhaps this one. */
  hold(bytes: number): void;
  /** The body is complete, or given up. */
  end(): void;
};

export type BudgetNeeds = {
  readonly bounds: Bounds;
  readonly now: () => number;
  /** Whether many clients share the address: that of a trusted proxy, or of this machine. */
  readonly isShared: (address: string) => boolean;
  readonly onCut: (reason: CutReason) => void;
  /** The connections of each network. Default: of this thread alone. */
  readonly networks?: NetworkCounts | undefined;
};

/** Roughly the cost of a request and its reply beside their bytes. */
const REQUEST_BYTES = 4_096;

/** The totals of all connections, as the account of one of them changes them. */
type Totals = {
  readonly bounds: Bounds;
  connections: number;
  unanswered: number;
  heldBytes: number;
  /** Connections that wait for their clients, since when, in the order in which they began to. */
  readonly stalled: Map<Client, number>;
  readonly now: () => number;
  /** The connection holds so many bytes more, or fewer. */
  hold(client: Client, bytes: number): void;
  /** Every request has its reply. */
  onQuiet(): void;
};

/** The account of one connection. */
export class Account {
  /** Requests that have begun; those without a reply yet; those whose replies have not left. */
  begun = 0;
  unanswered = 0;
  unsent = 0;
  readonly #client: Client;
  readonly #totals: Totals;
  #replyBytes = 0;
  #unparsedBytes = 0;
  #heldBytes = 0;
  #isClosed = false;

  constructor(client: Client, totals: Totals) {
    this.#client = client;
    this.#totals = totals;
    totals.connections += 1;
  }

  /** Whether one more request may begin. */
  get mayBegin(): boolean {
    const { bounds, heldBytes } = this.#totals;
    if (this.unsent >= bounds.requests || this.#replyBytes >= bounds.replyBytes) return false;
    return this.unsent === 0 || heldBytes < bounds.heldBytes;
  }

  begin(): void {
    this.begun += 1;
    this.unanswered += 1;
    this.unsent += 1;
    this.#totals.unanswered += 1;
    this.#reckon();
  }

  /** A request has its reply, or never gets one. */
  answered(): void {
    this.unanswered -= 1;
    this.#totals.unanswered -= 1;
    if (this.#totals.unanswered === 0) this.#totals.onQuiet();
  }

  /** A reply of so many bytes was made, or a piece of one; less than 0: so much of it has left. */
  holdReply(bytes: number): void {
    this.#replyBytes += bytes;
    this.#reckon();
  }

  /** The rest of a reply has left, or never will. */
  sent(restBytes: number): void {
    this.unsent -= 1;
    this.holdReply(-restBytes);
  }

  /** So many bytes were read from the socket and not parsed yet. */
  holdUnparsed(bytes: number): void {
    this.#unparsedBytes = bytes;
    this.#reckon();
  }

  /** The operating system takes no more of a reply for now, or takes it again. */
  stalled(isStalled: boolean): void {
    this.#totals.stalled.delete(this.#client);
    if (isStalled && !this.#isClosed) this.#totals.stalled.set(this.#client, this.#totals.now());
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#totals.connections -= 1;
    this.stalled(false);
    this.#totals.hold(this.#client, -this.#heldBytes);
  }

  #reckon(): void {
    if (this.#isClosed) return;
    const bytes = this.#unparsedBytes + this.#replyBytes + this.unsent * REQUEST_BYTES;
    const more = bytes - this.#heldBytes;
    this.#heldBytes = bytes;
    if (more !== 0) this.#totals.hold(this.#client, more);
  }
}

export function createBudget(needs: BudgetNeeds): Budget {
  const { bounds, isShared, onCut, networks = createNetworkCounts() } = needs;
  const waiting: (() => void)[] = [];
  const cut = (client: Client, reason: CutReason) => {
    onCut(reason);
    client.destroy();
  };
  const totals = createTotals(needs, cut, () => {
    for (const resolve of waiting.splice(0)) resolve();
  });
  return {
    admit: createAdmission({ isShared, onCut, max: bounds.perAddress, networks }),
    open: (client) => new Account(client, totals),
    bodies: createBodies(bounds),
    quiet: () => (totals.unanswered === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
    sweep(at) {
      for (const [client, since] of totals.stalled) {
        if (at - since <= bounds.readMs) return;
        cut(client, 'slowReader');
      }
    },
    refused: onCut,
    get connections() {
      return totals.connections;
    },
    get heldBytes() {
      return totals.heldBytes;
    },
  };
}

function createTotals(
  { bounds, now }: BudgetNeeds,
  cut: (client: Client, reason: CutReason) => void,
  onQuiet: Totals['onQuiet'],
): Totals {
  const totals: Totals = {
    bounds,
    connections: 0,
    unanswered: 0,
    heldBytes: 0,
    stalled: new Map(),
    now,
    hold(client, bytes) {
      totals.heldBytes += bytes;
      if (bytes <= 0 || totals.heldBytes <= bounds.heldBytes) return;
      // The connection that has waited longest for its client is closed first; without one, the connection that asks for more.
      for (const slow of totals.stalled.keys()) {
        cut(slow, 'memory');
        if (totals.heldBytes <= bounds.heldBytes) return;
      }
      if (!client.destroyed) cut(client, 'memory');
    },
    onQuiet,
  };
  return totals;
}

/** Counts the connections of each network. */
function createAdmission({
  isShared,
  onCut,
  max,
  networks,
}: Pick<BudgetNeeds, 'isShared' | 'onCut'> & { readonly max: number; readonly networks: NetworkCounts }): Budget['admit'] {
  return (socket) => {
    const address = peerAddress(socket.remoteAddress);
    if (isShared(address)) return true;
    const network = networkOf(address);
    if (networks.add(network) > max) {
      networks.remove(network);
      onCut('connectionsOfAddress');
      socket.destroy();
      return false;
    }
    socket.once('close', () => networks.remove(network));
    return true;
  };
}

/** A body that holds no more is not given up for others: forms of shoppers are shorter. */
const SMALL_BYTES = 8_192;

type Waiting = { bytes: number; readonly giveUp: () => void };

/** Incomplete bodies in the order in which they began, and the bytes that they hold together. */
type Group = { bytes: number; readonly bytesMax: number; readonly bodies: Set<Waiting> };

const createGroup = (bytesMax: number): Group => ({ bytes: 0, bytesMax, bodies: new Set() });

/** Gives up the oldest bodies until the others fit. A body that has waited for long is that of a slow client, or will never end. */
function makeRoom(group: Group): void {
  if (group.bytes <= group.bytesMax) return;
  for (const body of group.bodies) {
    if (body.bytes > SMALL_BYTES) body.giveUp();
    if (group.bytes <= group.bytesMax) return;
  }
}

export function createBodies({ bodyBytes, unreadBytes }: Pick<Bounds, 'bodyBytes' | 'unreadBytes'>): Bodies {
  const all = createGroup(unreadBytes.all);
  const networks = new Map<string, Group>();
  let bytes = 0;
  const groupOf = (network: string): Group => {
    const group = networks.get(network) ?? createGroup(unreadBytes.ofNetwork);
    networks.set(network, group);
    return group;
  };
  return {
    hold(more) {
      bytes += more;
    },
    isFull: (isKnownSender) => bytes > (isKnownSender ? bodyBytes : bodyBytes / 2),
    beginUnread(network, giveUp) {
      const groups = network === null ? [all] : [groupOf(network), all];
      const body: Waiting = { bytes: 0, giveUp };
      for (const { bodies } of groups) bodies.add(body);
      const count = (more: number) => {
        body.bytes += more;
        for (const group of groups) group.bytes += more;
      };
      return {
        hold(more) {
          count(more);
          groups.forEach(makeRoom);
        },
        end() {
          count(-body.bytes);
          for (const { bodies } of groups) bodies.delete(body);
          if (network !== null && groups[0]?.bodies.size === 0) networks.delete(network);
        },
      };
    },
    get bytes() {
      return bytes;
    },
  };
}
