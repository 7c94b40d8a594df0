import type { Payment } from '../payments/payment.ts';
import type { AcquirerAnswer, Attempt } from '../payments/ports.ts';
import type { FolderAddress, FolderSecret } from '../spec/remoteFolder.ts';
import type { Clock } from '../spec/time.ts';

/** The dependencies of a connector: time, randomness, waiting and the network are injected. */
export type ConnectorNeeds = {
  /** The clock of this merchant; a test clock may move it. */
  clockOf(merchantId: string): Clock;
  /** The instant to which the test clock of this merchant is being advanced; null: it is not. */
  advancesTo?(merchantId: string): number | null;
  sleep(ms: number): Promise<void>;
  /** Cryptographically random bytes. */
  random(bytes: number): Uint8Array;
  /** Delivers a notification of the acquirer. */
  notify(payment: { readonly merchantId: string; readonly paymentId: string }, answer: AcquirerAnswer): Promise<void>;
  /** Whether the issuers of the test environment gave the proof of an attempt; null when it is not theirs. Absent in live mode. */
  isProof?(attempt: Attempt): boolean | null;
};

/** The further needs of a connector with accounts. */
export type AccountNeeds = ConnectorNeeds & {
  readonly environment: 'test' | 'live';
  /** The only way out: HTTP with limits, guarded against addresses inside the operator's network. */
  readonly exchange: Exchange;
  /** The connector's own records, of this account alone. */
  readonly documents: ConnectorDocuments;
  /** The verified notifications about a payment, the oldest first. */
  notificationsOf(payment: Pick<Payment, 'merchantId' | 'id'>): Promise<readonly KeptNotification[]>;
  /** Strings of this account that are stored encrypted, under the keys of the vault, and rotated with them. */
  readonly sealed: SealedTexts;
  /** The account number of a payment or of the registration that it charged; null: it is not stored, or not any more. */
  storedNumber(payment: Payment): Promise<{ readonly number?: string; readonly iban?: string } | null>;
  /** Opens a folder of a bank or an acquirer, guarded as `exchange` is. Rejects when it cannot be opened; a reason holds no secret. */
  openFolder(target: FolderTarget, secret: FolderSecret | null): Promise<DeliveryFolder>;
  /** Where the acquirer sends the shopper back to. */
  returnUrl(payment: Pick<Payment, 'merchantId' | 'id'>): string;
  /** Reports to the operator what needs a person: wrong credentials, an account without a permission. Never holds a secret. */
  alarm(message: string, about: Readonly<Record<string, string>>): void;
  /** A line for the log. Card numbers and secrets of the account are masked. */
  log(message: string, about?: Readonly<Record<string, string | number>>): void;
};

/** One HTTP request. Redirects are not followed. */
export type ExchangeRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether money can move, or be promised, by this request: only then a missing answer leaves that open. */
  readonly books: boolean;
  /** After so long the answer is given up. */
  readonly withinMs: number;
  /** A request of which no byte has left after so long is given up: `notSent`. */
  readonly unsentMs?: number;
  /** A longer answer is given up; by default 1 MiB. */
  readonly answerBytesMax?: number;
  /** A client certificate, own authorities, pinned keys: base64 of SHA-256 of the server's public key. */
  readonly tls?: {
    readonly cert?: string;
    readonly key?: string;
    readonly ca?: readonly string[];
    readonly pins?: readonly string[];
  };
};

/**
 * `notSent`: no byte of the request left, so nothing can have happened. `unanswered`: it may have arrived. Reasons are short words without
 * anything of the request.
 */
export type ExchangeResult =
  | {
      readonly is: 'replied';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly is: 'notSent' | 'unanswered'; readonly reason: string };

/** Never rejects. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeResult>;

/** A notification as it was kept. */
export type KeptNotification = {
  readonly id: string;
  readonly receivedAt: number;
  readonly data: Readonly<Record<string, string>>;
};

/** One record of a connector, found by its id or by its group. */
export type ConnectorDocument = {
  readonly id: string;
  readonly group: string;
  /** A group is sorted by it. */
  readonly at: number;
  /** 1 when it is new. */
  readonly revision: number;
  /** Any JSON value. Never a secret. */
  readonly body: unknown;
};

export interface ConnectorDocuments {
  find(id: string): Promise<ConnectorDocument | null>;
  /** The newest first; `before` pages on. */
  list(
    group: string,
    page: { readonly limit: number; readonly before?: { readonly at: number; readonly id: string } },
  ): Promise<readonly ConnectorDocument[]>;
  /** Saves all or none, each on the revision before it; false: a concurrent change won. */
  save(documents: readonly ConnectorDocument[]): Promise<boolean>;
}

/** Names have up to 128 characters. */
export interface SealedTexts {
  put(name: string, clear: string): Promise<void>;
  /** Null: there is none, or it does not open. */
  open(name: string): Promise<string | null>;
  erase(name: string): Promise<void>;
  /** A keyed hash: equal for equal strings, and useless for finding the string. */
  fingerprint(clear: string): Promise<string>;
}

/** `folder`: the one of this account in the operator's folder for files that leave (`DELIVERY_DIR`). */
export type FolderTarget = { readonly kind: 'folder' } | (FolderAddress & { readonly kind: 'sftp' | 'ftps' });

/** An open folder. Names are file names, never paths. */
export interface DeliveryFolder {
  /** Null: there is no such file. */
  size(name: string): Promise<number | null>;
  /** Writes a file, replacing an existing one; resolves when all of it is there. */
  put(name: string, chunks: Iterable<Uint8Array>): Promise<void>;
  /** Replaces an existing file. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}
