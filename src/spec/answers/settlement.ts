/** Answers about settlement files and settled amounts. Amounts are texts with two decimals. */

export type FileCounts = {
  readonly MATCHED: number;
  readonly MULTIPLE_MATCHES: number;
  readonly NOT_MATCHED: number;
  readonly open: number;
};

/** Of listSettlements, readSettlement and bringSettlement. */
export type SettlementShown = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly format: string;
  readonly digest: string;
  readonly lines: number;
  readonly state: 'reading' | 'kept' | 'refused';
  readonly faults: readonly { readonly line: number; readonly message: string }[];
  readonly faultCount: number;
  readonly createdAt: string;
  /** Only for a single imported file. */
  readonly count?: FileCounts | null;
};

/** A line of a settlement file, as in listExceptions. */
export type SettlementLine = {
  readonly id: string;
  readonly fileId: string;
  readonly line: number;
  readonly recordType: string;
  readonly transactionType: string;
  readonly cashflow: 'POS' | 'NEG';
  readonly merchantId: string | null;
  readonly entityId: string | null;
  readonly settlementId: string | null;
  readonly paymentId: string | null;
  readonly shortId: string | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceId: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly settledAmount: string;
  readonly settledCurrency: string;
  readonly fee: string | null;
  readonly settledOn: string;
  readonly status: string;
  readonly last4: string | null;
  readonly reasonText: string | null;
  readonly match: {
    readonly status: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';
    readonly paymentIds: readonly string[];
    readonly by: string;
    readonly why: string;
    readonly isOpen: boolean;
  };
  /** The chargeback that was recorded from it. */
  readonly chargebackId: string | null;
  readonly createdAt: string;
};

export type UnsettledPayment = {
  readonly id: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
};

/** Of listSettled: a day and currency. */
export type Settled = {
  readonly id: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly count: string;
};

/** Of listReconciliations: one file on its way to the merchant's own server. */
export type ReconciliationShown = {
  readonly day: string;
  readonly part: number;
  readonly state: 'due' | 'renaming' | 'done' | 'failed';
  readonly tries: number;
  readonly name: string | null;
  readonly bytes: number | null;
  readonly records: number | null;
  readonly why: string | null;
  readonly nextTryAt: string | null;
  readonly createdAt: string;
  readonly changedAt: string;
};

/** Of readBalances. */
export type Balances = {
  readonly merchantId: string;
  readonly at: string;
  readonly balances: readonly {
    readonly mode: string;
    readonly currency: string;
    readonly accounts: Readonly<Record<string, string>>;
  }[];
};
