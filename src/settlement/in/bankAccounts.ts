import type { Payment } from '../../payments/payment.ts';
import type { AcquirerNotification, Connector, World } from '../../payments/ports.ts';

/** The account of a connector that sends its payments to a bank in files. */
export type FileConnector = Connector & { readonly bankFiles: NonNullable<Connector['bankFiles']> };

/** What the import needs to apply what banks say about the payments that were sent to them. */
export type BankNeeds = {
  /** The accounts that send files, of an entity and those below it. */
  readonly accounts: (entityId: string) => readonly FileConnector[];
  readonly worldOf: (merchantId: string) => World;
  /** Keeps a notification with its payment, once, and applies it. */
  readonly receive: (connector: Connector, notification: AcquirerNotification) => Promise<void>;
  /** What was kept about a payment, the oldest first: `booked`, `returned` and so on. */
  readonly statusesOf: (payment: Payment) => Promise<readonly string[]>;
};

export const sendsFiles = (connector: Connector | null): connector is FileConnector => connector?.bankFiles !== undefined;

const plain = (iban: string): string => iban.replaceAll(' ', '').toUpperCase();

export const isAccountOf = ({ bankFiles }: FileConnector, iban: string): boolean => plain(bankFiles.iban) === plain(iban);
