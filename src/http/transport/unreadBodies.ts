import { bodyBytesMax } from '../../form/limits.ts';

/** What senders that are not known may have sent of bodies that are not whole: from one network, and all together. See decisions/0088. */
export const unreadBytesMax = { ofNetwork: 2 * bodyBytesMax, all: 8 * bodyBytesMax };

/** A body that holds no more is not given up for others: forms of shoppers are shorter. */
const SMALL_BYTES = 8_192;

type UnreadBody = {
  /** So many bytes more are held. Bodies are given up when there are too many, perhaps this one. */
  hold(bytes: number): void;
  /** The body is whole, or given up. */
  end(): void;
};

/** Bodies of unknown senders that are being read. */
export interface UnreadBodies {
  /** A body begins. `network`: where it comes from; null: many clients share the address. `giveUp` must end it. */
  begin(network: string | null, giveUp: () => void): UnreadBody;
}

type Waiting = { bytes: number; readonly giveUp: () => void };

/** Some bodies in the order in which they began, and what they hold together. */
type Account = { bytes: number; readonly bytesMax: number; readonly bodies: Set<Waiting> };

const createAccount = (bytesMax: number): Account => ({ bytes: 0, bytesMax, bodies: new Set() });

/** Gives up the oldest ones until the others fit. A body that has waited for long is that of a slow client, or will never end. */
function makeRoom(account: Account): void {
  if (account.bytes <= account.bytesMax) return;
  for (const body of account.bodies) {
    if (body.bytes > SMALL_BYTES) body.giveUp();
    if (account.bytes <= account.bytesMax) return;
  }
}

export function createUnreadBodies({ ofNetwork, all: allMax } = unreadBytesMax): UnreadBodies {
  const all = createAccount(allMax);
  const networks = new Map<string, Account>();
  const accountOf = (network: string): Account => {
    const account = networks.get(network) ?? createAccount(ofNetwork);
    networks.set(network, account);
    return account;
  };
  return {
    begin(network, giveUp) {
      const accounts = network === null ? [all] : [accountOf(network), all];
      const body: Waiting = { bytes: 0, giveUp };
      for (const { bodies } of accounts) bodies.add(body);
      const count = (bytes: number) => {
        body.bytes += bytes;
        for (const account of accounts) account.bytes += bytes;
      };
      return {
        hold(bytes) {
          count(bytes);
          accounts.forEach(makeRoom);
        },
        end() {
          count(-body.bytes);
          for (const { bodies } of accounts) bodies.delete(body);
          if (network !== null && accounts[0]?.bodies.size === 0) networks.delete(network);
        },
      };
    },
  };
}
