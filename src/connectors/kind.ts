import type { Capability, Connector, Uncertainty } from '../payments/ports.ts';
import type { Mode } from '../registrations/registration.ts';
import type { MethodCode } from '../spec/paymentTypes.ts';
import type { Exponents } from './amounts.ts';
import type { AccountNeeds, ConnectorNeeds, ExchangeRequest } from './ports.ts';
import type { SecretRows, SettingRows } from './rows.ts';

/** A merchant's contract with the acquirer, as settings and sealed secrets of an entity. */
export type Account<Settings = Readonly<Record<string, unknown>>> = {
  /** As channels name it. */
  readonly name: string;
  /** The entity whose setting it is; everything below may use it. */
  readonly ownerId: string;
  /** Complete: what is not set has its default. */
  readonly settings: Settings;
  /** Null: there is none of that name. Read anew, so that an exchanged secret counts at once. */
  secret(name: string): Promise<string | null>;
};

/** Capabilities are data for the router, the documentation and the back office. */
type ConnectorTable = {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** What it can do at most; an account's settings may narrow it. */
  readonly supports: Readonly<Partial<Record<MethodCode, Capability>>>;
};

/** A connector that needs no account. */
export type PlainKind = ConnectorTable & { readonly accounts?: undefined; create(needs: ConnectorNeeds): Connector };

/** One code of the acquirer and what it becomes here: a result code, or words where it is no decline. */
export type CodeRow = { readonly theirs: string; readonly name?: string; readonly ours: string };

/** Parameters of the API that the acquirer does not receive as they were sent: what it receives, and why. */
export type ParameterRow = { readonly names: readonly string[]; readonly there: string; readonly why: string };

/** Something that the API takes and the connector declines before anything is sent: the code, and why. */
export type LimitRow = { readonly what: string; readonly code: string; readonly why: string };

/** A request that the connector sends for payments. */
export type StepRow = {
  /** Method and path, for people. */
  readonly request: string;
  /** Whether money can move, or be promised, by it. Without an answer to any other step nothing was sent in the sense of money. */
  readonly books: boolean;
};

/** A request that changes nothing and shows whether the acquirer accepts the credentials of an account. */
export type AccountProbe<Settings> = {
  /** The secret that it is sent with. */
  readonly secret: string;
  readonly request: (settings: Settings, secret: string) => Omit<ExchangeRequest, 'withinMs' | 'books'>;
  /** The statuses that mean: these credentials are refused. */
  readonly refusedBy: readonly number[];
};

/** A connector with accounts, before one is set up. */
export type AccountKind<Settings = Readonly<Record<string, unknown>>> = ConnectorTable & {
  /** The name of the acquirer, for people. */
  readonly title: string;
  /** The brands that it takes, where those are not all of the method. */
  readonly brands?: Readonly<Partial<Record<MethodCode, readonly string[]>>>;
  /** Where the acquirer counts in other units than ISO 4217. */
  readonly exponents?: Exponents;
  readonly uncertainty?: Uncertainty;
  /** What becomes of the acquirer's codes, for the documentation. */
  readonly codes?: readonly CodeRow[];
  /** Where what the merchant sends goes on as it is: the exceptions, for the connector and for the documentation. */
  readonly parameters?: readonly ParameterRow[];
  readonly limits?: readonly LimitRow[];
  readonly accounts: {
    readonly settings: SettingRows<Settings>;
    readonly secrets: SecretRows;
    /** Contradictions between settings that fit by themselves, a sentence for each. */
    readonly faults?: (settings: Settings) => readonly string[];
  };
  /** Every request for payments, by its name; none: nothing is sent while somebody waits. */
  readonly steps: Readonly<Record<string, StepRow>>;
  readonly probe?: AccountProbe<Settings>;
  create(needs: AccountNeeds, account: Account<Settings>): Connector;
};

export type ConnectorKind = PlainKind | AccountKind<never>;

/** Hides the type of the settings: only the rows know it. */
export const defineConnector = <Settings extends object>(kind: AccountKind<Settings>): AccountKind<never> =>
  kind as unknown as AccountKind<never>;
