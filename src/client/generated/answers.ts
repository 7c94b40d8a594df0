// Generated from the tables of src/spec by scripts/docs.ts: change those.

export type AccountView = {
  readonly id: string;
  readonly kind: 'merchant' | 'psp' | 'division' | 'channel';
  readonly name: string;
  readonly parentId: string | null;
  /** The effective status: everything below a closed entity is closed. */
  readonly state: 'active' | 'new' | 'disabled' | 'closed';
  /** The number of children. */
  readonly below: number;
  readonly revision: number;
  /** From the top down to the node itself. */
  readonly path: readonly {
    readonly id: string;
    readonly kind: 'merchant' | 'psp' | 'division' | 'channel';
    readonly name: string;
  }[];
  readonly settings: readonly SettingView[];
  readonly walletKeys: readonly WalletKeyView[];
  readonly serverSecrets: readonly ServerSecretView[];
  readonly acquirerAccounts: readonly AcquirerAccountView[];
  readonly usableAccounts: readonly UsableAccountView[];
  /** The connectors without accounts that this gateway has, and the accounts that the entity may use. */
  readonly connectors: readonly string[];
};

/** An account at an acquirer that the entity itself has: which of its secrets are stored, never the secrets. */
export type AcquirerAccountView = {
  readonly name: string;
  readonly connector: string;
  /** The name of the acquirer. */
  readonly title: string;
  readonly state: 'off' | 'on';
  /** Whether its acquirer answers, as the node that was asked sees it. */
  readonly isReachable: boolean;
  readonly secrets: readonly {
    readonly name: string;
    readonly help: string;
    readonly isOptional: boolean;
    readonly isSet: boolean;
    /** When it was set here; null: not set, or not in the back office. */
    readonly keptAt: string | null;
  }[];
  /** Where the acquirer sends its notifications: the path of the API. */
  readonly notificationPath: string;
};

/** What it became, or who has to agree. */
export type ActionDone = {
  readonly payment: FoundPayment | null;
  readonly approval: {
    readonly id: string;
    /** Which limit it would exceed. */
    readonly reason: ReasonView;
    /** The names of those who may approve it. */
    readonly approvers: readonly string[];
  } | null;
};

export type ApprovalView = {
  readonly id: string;
  /** The endpoint of the action. */
  readonly what: string;
  readonly entityId: string;
  readonly objectId: string | null;
  /** For changes of the right to approve: the user and the new roles, or the role and its rights. */
  readonly about: string | null;
  /** Null where no money is moved. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Which limit it would exceed; null: none, it would weaken the approvals themselves. */
  readonly reason: ReasonView | null;
  /** The names of those who may approve it. */
  readonly approvers: readonly string[];
  readonly values: {
    readonly [name: string]: unknown;
  };
  readonly state: 'refused' | 'approved' | 'expired' | 'waiting' | 'done' | 'failed';
  readonly askedBy: PersonView;
  readonly askedAt: string;
  readonly expiresAt: string;
  readonly decidedBy: PersonView | null;
  readonly decidedAt: string | null;
  readonly note: string | null;
  /** What came of the act: `done` or a result code. */
  readonly result: string | null;
  /** Whether you asked for it: then another must decide. */
  readonly isYours: boolean;
};

export type ApprovalsView = {
  readonly approvals: readonly ApprovalView[];
};

/** The change waits for a second person. */
export type AskedSecond = {
  readonly approval: {
    readonly id: string;
    readonly approvers: readonly string[];
  };
};

/** `next` may be there though the page is not full. */
export type AuditPage = {
  readonly entries: readonly AuditShown[];
  readonly next: string | null;
};

export type AuditProof = {
  readonly ok: boolean;
  readonly entries: number;
  readonly head: {
    readonly number: number;
    readonly hash: string;
  };
  readonly seal: 'right' | 'wrong' | 'unchecked';
  readonly found: number;
  readonly findings: readonly {
    readonly number: number | null;
    readonly says: string;
  }[];
  readonly at: string;
};

/** Answers about the audit log. */
export type AuditShown = {
  readonly number: number;
  /** As an ISO instant. */
  readonly at: string;
  /** The kind of actor: user, token, operator, command, system or nobody. */
  readonly by: string;
  readonly who: string;
  readonly whoName: string;
  readonly what: string;
  readonly entityId: string | null;
  readonly objectId: string | null;
  readonly from: string;
  /** `done`, `failed`, or the result code of a refusal. */
  readonly result: string;
  readonly outcome: 'refused' | 'done' | 'failed';
  readonly node: string;
  readonly note: string | null;
  readonly previous: string;
  readonly hash: string;
};

export type Backtest = {
  readonly id: string;
  readonly state: 'done' | 'failed' | 'running' | 'cancelled' | 'lost';
  readonly startedAt: string;
  readonly span: {
    readonly from: string | null;
    readonly to: string;
  };
  /** The rules that were tried. */
  readonly risk: {
    readonly [name: string]: unknown;
  };
  readonly progress: {
    readonly done: number;
    readonly percent: number;
    readonly perSecond: number;
  };
  readonly report: BacktestReport | null;
  readonly samples: {
    readonly blockedNow: readonly BacktestSample[];
    readonly freedNow: readonly BacktestSample[];
    readonly reviewedNow: readonly BacktestSample[];
  } | null;
};

/** Also the output of `turnpike backtest --json`. */
export type BacktestReport = {
  readonly entity: {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
  };
  readonly span: {
    readonly from: string | null;
    readonly to: string;
  };
  readonly seconds: number;
  readonly all: {
    readonly good: Tally;
    readonly other: Tally;
    readonly bad: Tally;
  };
  readonly before: BacktestSide;
  readonly after: BacktestSide;
  readonly blockedNow: {
    readonly good: Tally;
    readonly other: Tally;
    readonly bad: Tally;
  };
  readonly freedNow: {
    readonly good: Tally;
    readonly other: Tally;
    readonly bad: Tally;
  };
};

export type BacktestSample = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly createdAt: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentBrand: string | null;
  readonly last4: string | null;
  readonly merchantTransactionId: string | null;
  readonly state: 'open' | 'approved' | 'declined';
  readonly status: {
    readonly kind: 'pending' | 'captured' | 'approved' | 'declined' | 'authorised' | 'reversed' | 'expired' | 'refunded' | 'recorded';
  } | {
    readonly kind: 'partiallyCaptured';
    readonly captured: string;
    readonly total: string;
  } | {
    readonly kind: 'partiallyRefunded';
    readonly left: string;
    readonly uncaptured?: string;
  } | {
    readonly kind: 'disputed' | 'returned';
    readonly amount: string | null;
  };
  /** Null while it is open. */
  readonly code: string | null;
  readonly worth: 'good' | 'other' | 'bad';
};

export type BacktestSide = {
  readonly blocked: {
    readonly good: Tally;
    readonly other: Tally;
    readonly bad: Tally;
  };
  readonly challenged: {
    readonly good: Tally;
    readonly other: Tally;
    readonly bad: Tally;
  };
  readonly reviewed: {
    readonly good: Tally;
    readonly other: Tally;
    readonly bad: Tally;
  };
  readonly rules: {
    readonly [name: string]: {
      readonly good: number;
      readonly other: number;
      readonly bad: number;
    };
  };
  readonly shadow: {
    readonly [name: string]: {
      readonly good: number;
      readonly other: number;
      readonly bad: number;
    };
  };
};

export type Balances = {
  readonly merchantId: string;
  readonly at: string;
  readonly balances: readonly {
    readonly mode: string;
    readonly currency: string;
    /** What is owed to the account; negative: owed by it. Within a mode and a currency they add up to zero. shopper: requested and not decided. reserve: may be captured. contra: against these two. merchant: still to be received. acquirer: still to be paid by it. fees: kept by it. chargebacks: taken back by banks. */
    readonly accounts: {
      readonly [name: string]: string;
    };
  }[];
};

export type BrandFigures = {
  readonly brand: string;
  readonly attempts: {
    readonly pending: number;
    readonly approved: number;
    readonly declined: number;
    readonly rejected: number;
  };
  readonly volume: {
    readonly [name: string]: string;
  };
};

export type CallDetailView = {
  readonly id: string;
  readonly at: string;
  readonly entityId: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** '' where the answer has none. */
  readonly code: string;
  readonly ndc: string | null;
  readonly ms: number;
  readonly paymentId: string | null;
  readonly merchantTransactionId: string | null;
  readonly from: string;
  /** The user of the access token. */
  readonly who: string | null;
  readonly againOf: string | null;
  readonly aboutIds: readonly string[];
  readonly fields: readonly FieldView[];
  readonly unread: 'otherMedia' | 'tooLong' | null;
  readonly hasIdempotencyKey: boolean;
  /** JSON, on several lines; null where the answer was none. */
  readonly answer: string | null;
  readonly explanation: {
    /** In one sentence. */
    readonly what: string;
    readonly turn: 'merchant' | 'nobody' | 'developer' | 'shopper' | 'operator' | 'gateway';
    readonly actor: string;
    readonly next: string;
    /** Where the reference says more, from the root of the API's address. */
    readonly anchor: string;
    readonly faults: readonly ExplainedFault[];
    readonly causes: readonly ({
      readonly is: 'rule';
      readonly rule: string;
      readonly says: string;
      readonly verdict: string;
      readonly score: number;
    } | {
      readonly is: 'threeDS';
      readonly step: string;
      readonly status: string | null;
      readonly reason: string | null;
    })[];
  };
  readonly curl: string;
  /** What has to be filled in before it can be run again; null: it cannot be. */
  readonly toFill: readonly string[] | null;
};

/** Answers about API calls, the webhook inbox and the tools of the test environment. Instants are ISO texts. */
export type CallView = {
  readonly id: string;
  readonly at: string;
  readonly entityId: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** '' where the answer has none. */
  readonly code: string;
  readonly ndc: string | null;
  readonly ms: number;
  readonly paymentId: string | null;
  readonly merchantTransactionId: string | null;
};

/** `next`: the `after` of the next page; null: there is none. `isOn`: calls are recorded. */
export type CallsView = {
  readonly calls: readonly CallView[];
  readonly next: string | null;
  readonly isOn: boolean;
};

/** A payment that an exception may be about. */
export type CandidatePayment = {
  readonly id: string;
  readonly shortId: string;
  readonly merchantTransactionId: string | null;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly last4: string | null;
};

export type CheckoutDetail = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly state: 'open' | 'over' | 'paid' | 'trying';
  readonly amount: string | null;
  readonly currency: string | null;
  readonly paymentType: string | null;
  readonly merchantTransactionId: string | null;
  readonly isRegistering: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly attempts: number;
  /** The address of the page of a payment link; null: a checkout of a shop. */
  readonly link: string | null;
  readonly origin: string;
  readonly clickedAt: string | null;
  readonly shopOrigin: string | null;
  readonly askedAt: string | null;
  readonly tried: readonly PaymentView[];
  /** The parameters that the merchant sent, without personal data. */
  readonly fields: readonly {
    readonly name: string;
    readonly value: string;
  }[];
};

export type CheckoutPage = {
  readonly checkouts: readonly CheckoutView[];
  readonly next: string | null;
};

export type CheckoutView = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly state: 'open' | 'over' | 'paid' | 'trying';
  readonly amount: string | null;
  readonly currency: string | null;
  readonly paymentType: string | null;
  readonly merchantTransactionId: string | null;
  readonly isRegistering: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly attempts: number;
  /** The address of the page of a payment link; null: a checkout of a shop. */
  readonly link: string | null;
};

export type ClockView = {
  /** The merchant of the clock. */
  readonly merchantId: string;
  readonly now: string;
  readonly isFrozen: boolean;
  readonly isReal: boolean;
  /** The clock moves to its target, from one due instant to the next. */
  readonly isMoving: boolean;
  readonly target: string | null;
  /** The work of this move so far: how often open payments were looked at, runs of schedules (charges, retries among them, and skipped runs), and attempts to deliver webhooks. */
  readonly did?: {
    readonly payments: number;
    readonly runs: number;
    readonly deliveries: number;
  };
};

/** What is answered about direct debit mandates, as the pages read it. Days are `yyyy-MM-dd`. */
export type CollectionView = {
  readonly paymentId: string;
  readonly amount: string;
  readonly currency: string;
  readonly dueOn: string;
  /** FRST, RCUR, OOFF or FNAL. */
  readonly sequence: string;
  /** The payer must have been informed by the end of this day. */
  readonly noticeBy: string;
  /** The text for the payer; null: the day has passed. */
  readonly notice: string | null;
};

export type CreatedPaymentLink = {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
};

export type CustomerDetail = {
  readonly merchantCustomerId: string;
  readonly merchantId: string;
  readonly merchant: string;
  readonly lastActivityAt: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly firstSeenAt: string;
  /** The number of transactions that the totals count. */
  readonly counted: number;
  /** False: there are older transactions, which the totals leave out. */
  readonly isComplete: boolean;
  readonly totals: readonly CustomerTotal[];
  /** Active ones. */
  readonly registrations: readonly RegistrationView[];
  readonly schedules: readonly ListedSchedule[];
};

/** Approved amounts in one currency. `paid`: debits and captures that were not reversed. `credited`: credits to the customer. */
export type CustomerTotal = {
  readonly currency: string;
  readonly payments: number;
  readonly paid: string;
  readonly refunded: string;
  readonly disputed: string;
  readonly credited: string;
};

/** A customer of a merchant, by `customer.merchantCustomerId`. */
export type CustomerView = {
  readonly merchantCustomerId: string;
  readonly merchantId: string;
  readonly merchant: string;
  readonly lastActivityAt: string;
};

export type Decline = {
  readonly code: string;
  readonly text: string;
  readonly count: number;
};

export type DeliveryCounts = {
  readonly due: number;
  readonly delivered: number;
  readonly dead: number;
};

/** With what would be sent now, numbers masked. */
export type DeliveryDetail = {
  readonly id: string;
  /** The webhook-id of every try. */
  readonly eventId: string;
  readonly type: string;
  readonly action: string | null;
  readonly code: ResultCode;
  readonly transactionId: string;
  readonly entityId: string;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly happenedAt: string;
  readonly createdAt: string;
  readonly nextTryAt: string | null;
  readonly endedAt: string | null;
  readonly tries: readonly {
    readonly at: string;
    /** Null when there was no answer. */
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  }[];
  /** Null when the transaction no longer exists. */
  readonly body: Readonly<Record<string, unknown>> | null;
};

export type DeliveryShown = {
  readonly id: string;
  /** The webhook-id of every try. */
  readonly eventId: string;
  readonly type: string;
  readonly action: string | null;
  readonly code: ResultCode;
  readonly transactionId: string;
  readonly entityId: string;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly happenedAt: string;
  readonly createdAt: string;
  readonly nextTryAt: string | null;
  readonly endedAt: string | null;
  readonly tries: readonly {
    readonly at: string;
    /** Null when there was no answer. */
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  }[];
};

/** `kind`: a regular payment, a webhook delivery, or anything else. */
export type DueView = {
  readonly due: readonly {
    readonly at: string;
    readonly kind: 'run' | 'delivery' | 'other';
  }[];
};

export type EntryPage = {
  readonly entries: readonly EntryView[];
  readonly next: string | null;
};

export type EntryView = {
  readonly list: 'block' | 'allow';
  readonly kind: 'customer' | 'email' | 'ip' | 'country' | 'card' | 'bin' | 'emailDomain';
  /** To be sent back to take it off. */
  readonly value: string;
  /** The display text; for a card 420000••••0000, or null when it is unknown. */
  readonly shown: string | null;
  readonly expiresAt: string | null;
};

/** `suggestedId`: the candidate that is most likely meant; null: none is. */
export type ExceptionLine = {
  readonly id: string;
  readonly fileId: string;
  readonly line: number;
  readonly recordType: string;
  readonly transactionType: string;
  readonly cashflow: 'POS' | 'NEG';
  readonly merchantId: string | null;
  readonly entityId: string | null;
  readonly settlementId: string | null;
  /** As the file has it: it may be cut, or no id at all. */
  readonly paymentId: string | null;
  readonly shortId: string | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceId: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly paymentBrand: string | null;
  readonly presentedAt: string | null;
  readonly settledAmount: string;
  readonly settledCurrency: string;
  readonly fee: string | null;
  readonly fxRate: string;
  readonly settledOn: string;
  readonly status: string;
  readonly descriptor: string | null;
  readonly last4: string | null;
  readonly bankCode: string | null;
  readonly holder: string | null;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  readonly clearingInstitute: {
    readonly name: string;
    readonly merchantId: string;
    readonly txId1: string | null;
    readonly txId2: string | null;
    readonly txId3: string | null;
  };
  readonly format: string;
  readonly match: {
    readonly status: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';
    readonly paymentIds: readonly string[];
    readonly by: string;
    readonly why: string;
    readonly isOpen: boolean;
  };
  /** Why it was not matched; null: it was, or it was read by an earlier version. */
  readonly exception: 'duplicate' | 'amountDiffers' | 'currencyDiffers' | 'feeDiffers' | 'cardDiffers' | 'dateDiffers' | 'directionDiffers' | 'unknownReference' | 'referencesDiffer' | 'noReference' | 'severalPayments' | 'notApproved' | 'notRecordable' | 'unknownAccount' | 'unreadable' | null;
  /** The chargeback that was recorded from it. */
  readonly chargebackId: string | null;
  readonly createdAt: string;
  readonly candidates: readonly CandidatePayment[];
  readonly suggestedId: string | null;
};

/** How many were resolved, and why the others were not. */
export type ExceptionsResolved = {
  readonly resolved: number;
  readonly refused: readonly {
    readonly id: string;
    readonly message: string;
  }[];
};

export type ExplainedFault = {
  readonly name: string;
  readonly message: string;
  readonly says: string;
  readonly anchor: string;
};

export type FamilyMember = {
  readonly amount: string;
  readonly currency: string;
  readonly paymentType: string;
  readonly status: {
    readonly kind: 'pending' | 'captured' | 'approved' | 'declined' | 'authorised' | 'reversed' | 'expired' | 'refunded' | 'recorded';
  } | {
    readonly kind: 'partiallyCaptured';
    readonly captured: string;
    readonly total: string;
  } | {
    readonly kind: 'partiallyRefunded';
    readonly left: string;
    readonly uncaptured?: string;
  } | {
    readonly kind: 'disputed' | 'returned';
    readonly amount: string | null;
  };
  readonly state: 'open' | 'approved' | 'declined';
  readonly shortId: string;
  readonly id: string;
  readonly code: ResultCode;
  readonly createdAt: string;
  readonly referencedId: string | null;
};

export type FieldView = {
  readonly name: string;
  readonly value: string;
  readonly isMasked?: boolean;
};

/** The figures of one period. Attempts are debits and preauthorizations that reference nothing. */
export type Figures = {
  /** Attempts by result. */
  readonly attempts: {
    readonly pending: number;
    readonly approved: number;
    readonly declined: number;
    readonly rejected: number;
  };
  /** What approved attempts come to, by currency. */
  readonly volume: {
    readonly [name: string]: string;
  };
  /** How many approved attempts there are, by currency. */
  readonly approved: {
    readonly [name: string]: number;
  };
  readonly threeDS: {
    readonly pending: number;
    readonly refused: number;
    readonly frictionless: number;
    readonly challengePassed: number;
    readonly attempted: number;
    readonly challengeFailed: number;
    readonly notEnrolled: number;
    readonly unavailable: number;
    readonly notAsked: number;
  };
  readonly latency: Latency;
  readonly webhooks: {
    readonly dead: number;
    readonly waiting: number;
    readonly first: number;
    readonly later: number;
  };
  /** How long the first tries took that were answered. */
  readonly webhookLatency: Latency;
};

/** Answers about settlement files and settled amounts. Amounts are texts with two decimals. */
export type FileCounts = {
  readonly MATCHED: number;
  readonly MULTIPLE_MATCHES: number;
  readonly NOT_MATCHED: number;
  readonly open: number;
};

export type FoundPayment = {
  readonly id: string;
  readonly shortId: string;
  readonly merchantTransactionId: string | null;
  readonly merchantId: string;
  readonly entityId: string;
  readonly channel: string;
  readonly createdAt: string;
  readonly paymentType: string;
  readonly paymentBrand: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly state: 'open' | 'approved' | 'declined';
  readonly status: {
    readonly kind: 'pending' | 'captured' | 'approved' | 'declined' | 'authorised' | 'reversed' | 'expired' | 'refunded' | 'recorded';
  } | {
    readonly kind: 'partiallyCaptured';
    readonly captured: string;
    readonly total: string;
  } | {
    readonly kind: 'partiallyRefunded';
    readonly left: string;
    readonly uncaptured?: string;
  } | {
    readonly kind: 'disputed' | 'returned';
    readonly amount: string | null;
  };
  readonly code: ResultCode;
  readonly description: string;
  readonly last4: string | null;
  readonly email: string | null;
  readonly referencedId: string | null;
};

/** `next`: where to go on; null: there is no more. `searchedTo`: how far back this page has looked. */
export type FoundPayments = {
  readonly payments: readonly FoundPayment[];
  readonly next: string | null;
  readonly searchedTo: string | null;
};

export type Imported = {
  readonly entries: number;
};

export type InboxPageView = {
  readonly inbox: InboxView | null;
  readonly messages: readonly MessageView[];
  readonly next: string | null;
};

export type InboxView = {
  readonly id: string;
  readonly entityId: string;
  readonly webhookId: string;
  /** 'gone': its webhook was deleted. */
  readonly webhookState: 'unproven' | 'active' | 'paused' | 'off' | 'gone';
  readonly url: string;
  readonly answers: '200' | '500' | 'slow';
  readonly createdAt: string;
};

/** What may be shown of an instrument. */
export type InstrumentView = {
  readonly kind: string;
  readonly brand: string | null;
  /** Such as 420000••••0000. */
  readonly masked: string;
  readonly holder: string | null;
  /** Such as 05/2034. */
  readonly expiry: string | null;
};

/** The only answer that ever has the token in it. */
export type IssuedToken = {
  readonly token: string;
  readonly issued: TokenView;
  /** The one before, where there is one. */
  readonly before: TokenView | null;
};

/** Null where none was ever made. */
export type LastBacktest = {
  readonly backtest: Backtest | null;
};

/** In milliseconds; null when nothing was measured. A fifth more or less. */
export type Latency = {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly count: number;
};

/** The link is shown once. */
export type LinkView = {
  readonly user: UserView;
  readonly link: string;
  readonly until: string;
};

export type ListedSchedule = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly state: 'active' | 'ending' | 'over';
  readonly name: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** When it runs, in words. */
  readonly words: string;
  readonly timeZone: string;
  readonly nextAt: string | null;
  readonly registrationId: string;
  readonly createdAt: string;
};

export type MandateDetail = {
  /** For the address of the mandate. */
  readonly id: string;
  readonly merchantId: string;
  /** As the payer signed it. */
  readonly mandateId: string;
  /** The account that collects by it. */
  readonly account: string;
  readonly scheme: 'CORE' | 'B2B';
  readonly state: 'active' | 'ended' | 'lapsed';
  readonly signedOn: string;
  readonly createdAt: string;
  /** The day of the last collection before today. */
  readonly lastDueOn: string | null;
  /** The last day on which something can be collected by it. */
  readonly lapsesOn: string;
  readonly uses: number;
  /** The next collection to come. */
  readonly next: CollectionView | null;
  readonly last4: string | null;
  readonly customerId: string | null;
  readonly registrationId: string | null;
  readonly creditorId: string;
  readonly creditorName: string;
  readonly endedAt: string | null;
  /** The newest first. */
  readonly collections: readonly CollectionView[];
};

/** `next` is sent as `after` for the page behind; it may come with a page that is not full. */
export type MandatePage = {
  readonly mandates: readonly MandateView[];
  readonly next: string | null;
};

export type MandateView = {
  /** For the address of the mandate. */
  readonly id: string;
  readonly merchantId: string;
  /** As the payer signed it. */
  readonly mandateId: string;
  /** The account that collects by it. */
  readonly account: string;
  readonly scheme: 'CORE' | 'B2B';
  readonly state: 'active' | 'ended' | 'lapsed';
  readonly signedOn: string;
  readonly createdAt: string;
  /** The day of the last collection before today. */
  readonly lastDueOn: string | null;
  /** The last day on which something can be collected by it. */
  readonly lapsesOn: string;
  readonly uses: number;
  /** The next collection to come. */
  readonly next: CollectionView | null;
  readonly last4: string | null;
  readonly customerId: string | null;
  readonly registrationId: string | null;
};

export type MessageDetailView = {
  readonly id: string;
  readonly at: string;
  readonly verdict: 'good' | 'stale' | 'forged';
  /** Null: the response timed out. */
  readonly answered: number | null;
  /** Null where the message could not be opened. */
  readonly type: string | null;
  readonly action: string | null;
  readonly code: string | null;
  readonly paymentId: string | null;
  /** The same in every try. */
  readonly eventId: string;
  readonly headers: {
    readonly [name: string]: string;
  };
  /** Encrypted, as it came. */
  readonly body: string;
  /** JSON, on several lines, as a receiver reads it; null: it could not be opened. */
  readonly opened: string | null;
};

export type MessageView = {
  readonly id: string;
  readonly at: string;
  readonly verdict: 'good' | 'stale' | 'forged';
  /** Null: the response timed out. */
  readonly answered: number | null;
  /** Null where the message could not be opened. */
  readonly type: string | null;
  readonly action: string | null;
  readonly code: string | null;
  readonly paymentId: string | null;
  /** The same in every try. */
  readonly eventId: string;
};

/** An entity and a page of its children, by name. */
export type NodePage = {
  /** Null: the top of the hierarchy. */
  readonly entity: NodeView | null;
  readonly below: readonly NodeView[];
  /** What to ask for as `after`; null: this was the last page. */
  readonly next: string | null;
};

/** An entity of the hierarchy. */
export type NodeView = {
  readonly id: string;
  readonly kind: 'merchant' | 'psp' | 'division' | 'channel';
  readonly name: string;
  readonly parentId: string | null;
  /** The effective status: everything below a closed entity is closed. */
  readonly state: 'active' | 'new' | 'disabled' | 'closed';
  /** The number of children. */
  readonly below: number;
  readonly revision: number;
};

export type PaymentDetail = {
  readonly payment: {
    readonly id: string;
    readonly shortId: string;
    readonly merchantTransactionId: string | null;
    readonly merchantId: string;
    readonly entityId: string;
    readonly channel: string;
    readonly createdAt: string;
    readonly paymentType: string;
    readonly paymentBrand: string | null;
    readonly amount: string;
    readonly currency: string;
    readonly state: 'open' | 'approved' | 'declined';
    readonly status: {
      readonly kind: 'pending' | 'captured' | 'approved' | 'declined' | 'authorised' | 'reversed' | 'expired' | 'refunded' | 'recorded';
    } | {
      readonly kind: 'partiallyCaptured';
      readonly captured: string;
      readonly total: string;
    } | {
      readonly kind: 'partiallyRefunded';
      readonly left: string;
      readonly uncaptured?: string;
    } | {
      readonly kind: 'disputed' | 'returned';
      readonly amount: string | null;
    };
    readonly code: ResultCode;
    readonly description: string;
    readonly last4: string | null;
    readonly email: string | null;
    readonly referencedId: string | null;
    readonly merchant: string;
    readonly method: string;
    readonly mode: string;
    /** The account that took it. */
    readonly connector: string;
    /** The accounts that declined before it was asked, the first one first. */
    readonly earlier: readonly {
      readonly account: string;
      readonly code: ResultCode;
      readonly at: string;
    }[];
    readonly descriptor: string;
    readonly memo: string | null;
    readonly ndc: string;
    readonly changedAt: string;
    /** Until when an authorisation may be captured; null: it is none. */
    readonly captureBefore: string | null;
    readonly bin: string | null;
    readonly holder: string | null;
    readonly expiry: string | null;
    readonly registrationId: string | null;
    /** The merchant's own id of the customer. */
    readonly customerId: string | null;
    readonly checkoutId: string | null;
    readonly scheduleId: string | null;
    readonly source: string;
  };
  readonly result: {
    readonly code: ResultCode;
    readonly description: string;
    readonly means: string;
    readonly advice: string;
  };
  readonly acts: readonly PossibleAction[];
  readonly waiting: readonly PendingAction[];
  readonly family: readonly FamilyMember[];
  readonly timeline: readonly TimelineEntry[];
  /** As the API answers it. */
  readonly raw: unknown;
};

/** A payment in a list. */
export type PaymentView = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly createdAt: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentBrand: string | null;
  readonly last4: string | null;
  readonly merchantTransactionId: string | null;
  readonly state: 'open' | 'approved' | 'declined';
  readonly status: {
    readonly kind: 'pending' | 'captured' | 'approved' | 'declined' | 'authorised' | 'reversed' | 'expired' | 'refunded' | 'recorded';
  } | {
    readonly kind: 'partiallyCaptured';
    readonly captured: string;
    readonly total: string;
  } | {
    readonly kind: 'partiallyRefunded';
    readonly left: string;
    readonly uncaptured?: string;
  } | {
    readonly kind: 'disputed' | 'returned';
    readonly amount: string | null;
  };
  /** Null while it is open. */
  readonly code: string | null;
};

/** An action that waits for approval. */
export type PendingAction = {
  readonly id: string;
  readonly act: 'chargeback' | 'capture' | 'refund' | 'reverse' | 'chargebackReversal';
  readonly amount: string;
  readonly by: string;
  readonly at: string;
};

/** A user who acted. The name is null when it is no longer known. */
export type PersonView = {
  readonly id: string;
  readonly name: string | null;
};

/** The scenario of a payment, and its log. */
export type PlayedView = {
  readonly id: string;
  readonly name: string;
  readonly seed: number;
  /** Which attempt of the scenario this payment is, from 1. */
  readonly attempt: number;
  /** The events of the scenario as drawn by the seed. */
  readonly acts: unknown;
  readonly code: ResultCode;
  readonly isOpen: boolean;
  /** One line of JSON per event, with times in ms since the event that the line names. */
  readonly log: string;
};

/** One step of the requested period. The first and the last may be shorter than the others. */
export type Point = {
  /** Attempts by result. */
  readonly attempts: {
    readonly pending: number;
    readonly approved: number;
    readonly declined: number;
    readonly rejected: number;
  };
  /** What approved attempts come to, by currency. */
  readonly volume: {
    readonly [name: string]: string;
  };
  /** How many approved attempts there are, by currency. */
  readonly approved: {
    readonly [name: string]: number;
  };
  readonly threeDS: {
    readonly pending: number;
    readonly refused: number;
    readonly frictionless: number;
    readonly challengePassed: number;
    readonly attempted: number;
    readonly challengeFailed: number;
    readonly notEnrolled: number;
    readonly unavailable: number;
    readonly notAsked: number;
  };
  readonly latency: Latency;
  readonly webhooks: {
    readonly dead: number;
    readonly waiting: number;
    readonly first: number;
    readonly later: number;
  };
  /** How long the first tries took that were answered. */
  readonly webhookLatency: Latency;
  readonly from: string;
  readonly to: string;
};

/** An action on a payment, and whether it is possible. */
export type PossibleAction = {
  readonly act: 'chargeback' | 'capture' | 'refund' | 'reverse' | 'chargebackReversal';
  readonly remaining: string;
  /** Only all of it. */
  readonly isWhole: boolean;
  /** Why the action is not possible; null: it is. */
  readonly refusal: {
    readonly code: ResultCode;
    readonly description: string;
  } | null;
  /** The approval limit of the user; null: approvals are off. */
  readonly limit: UnapprovedLimit | null;
};

/** The new call, or null when it was not recorded. */
export type RanCall = {
  readonly callId: string | null;
  readonly status: number;
  readonly code: string | null;
};

/** Why a second person is needed: the amount alone, the sum of what the user moved alone on this payment, or that of the day (UTC) would exceed the limit. Amounts as on the wire. */
export type ReasonView = {
  readonly rule: 'payment' | 'single' | 'day';
  readonly sum: string;
  readonly limit: string;
};

/** One file on its way to the merchant's own server. */
export type ReconciliationShown = {
  readonly day: string;
  readonly part: number;
  readonly state: 'due' | 'done' | 'failed' | 'renaming';
  readonly tries: number;
  readonly name: string | null;
  readonly bytes: number | null;
  readonly records: number | null;
  readonly why: string | null;
  readonly nextTryAt: string | null;
  readonly createdAt: string;
  readonly changedAt: string;
};

export type RegistrationDetail = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly state: 'active' | 'open' | 'rejected' | 'deleted';
  readonly instrument: InstrumentView;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly code: string;
  readonly mode: string;
  /** The merchant's own id of the customer. */
  readonly customerId: string | null;
  readonly paymentId: string;
  readonly expiresAt: string;
  readonly extendedUntil: string | null;
  readonly series: {
    readonly type: string | null;
    readonly initialTransactionId: string | null;
  } | null;
  readonly networkToken: {
    readonly last4: string;
    readonly expiry: string;
  } | null;
  readonly schedules: readonly ListedSchedule[];
};

/** `next` is sent as `after` for the page behind; it may come with a page that is not full. */
export type RegistrationPage = {
  readonly registrations: readonly RegistrationView[];
  readonly next: string | null;
};

export type RegistrationView = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly state: 'active' | 'open' | 'rejected' | 'deleted';
  readonly instrument: InstrumentView;
  readonly createdAt: string;
  readonly usedAt: string;
};

export type Removed = {
  readonly id: string;
  readonly removed: boolean;
};

/** What happened to the money of a declined payment. */
export type ReviewFollowUp = {
  readonly paymentType: 'RV' | 'RF';
  readonly paymentId: string | null;
  readonly amount: string;
  readonly code: string;
  readonly isDone: boolean;
};

export type ReviewPage = {
  readonly reviews: readonly ReviewView[];
  readonly next: string | null;
};

export type ReviewView = {
  readonly payment: PaymentView;
  readonly score: number | null;
  /** What asked for it. */
  readonly reasons: readonly {
    readonly id: string;
    readonly says: string;
  }[];
  readonly decision: {
    readonly is: 'refused' | 'accepted';
    readonly note: string;
    readonly by: string;
    readonly at: string;
    readonly acts: readonly ReviewFollowUp[];
  } | null;
};

/** Words for every rule of `rules`, in their order. */
export type RiskChecked = {
  readonly faults: readonly RiskFault[];
  readonly words: readonly ({
    readonly when: string;
    readonly gives: string;
  } | null)[];
};

/** `assessment` is null where nothing was judged. */
export type RiskExplained = {
  readonly payment: PaymentView;
  readonly assessment: {
    readonly ruleSet: string;
    readonly verdict: 'review' | 'accept' | 'challenge' | 'decline';
    readonly code: string | null;
    readonly asksReview: boolean;
    readonly score: number;
    readonly rules: readonly RuleAbout[];
  } | null;
};

/** `place` such as rules.3, thresholds, ruleSets.shop.0, or nothing for the whole; `character` counts from 1 in its condition. */
export type RiskFault = {
  readonly place: string;
  readonly character: number | null;
  readonly says: string;
};

/** A rule as it is stored. */
export type RiskRule = {
  readonly id: string;
  readonly says: string;
  readonly when: string;
  readonly gives: {
    readonly verdict: 'review' | 'accept' | 'challenge' | 'decline';
    readonly score?: number;
    readonly code?: string;
  };
  readonly mode: 'off' | 'on' | 'shadow';
};

export type RiskRules = {
  readonly entityId: string;
  readonly revision: number;
  /** The setting of the node itself; null: it has none, and inherits. */
  readonly own: {
    readonly [name: string]: unknown;
  } | null;
  /** What holds where the node says nothing of its own. */
  readonly inherited: {
    readonly [name: string]: unknown;
  };
  /** What holds. */
  readonly mode: 'off' | 'on' | 'report';
  readonly thresholds: {
    readonly challenge: number | null;
    readonly review: number | null;
    readonly decline: number | null;
  };
  readonly rules: readonly RuleView[];
  readonly ruleSets: readonly string[];
  /** The names that a condition may use, with their kinds. */
  readonly names: readonly {
    readonly name: string;
    readonly kind: string;
  }[];
  /** Whether a back-test can be made here: payments belong to merchants and channels. */
  readonly canBeTried: boolean;
};

/** A role that is always there has no entity; its id is its name. `isGivable`: whether you may give it here. */
export type RoleView = {
  readonly id: string;
  readonly name: string;
  readonly entityId: string | null;
  readonly rights: readonly ('registrations' | 'schedules' | 'webhooks' | 'entities' | 'settlement' | 'ledger' | 'users' | 'audit' | 'scenarios' | 'keys' | 'risk' | 'chargeback' | 'capture' | 'refund' | 'readWebhooks' | 'readPayments' | 'reverse' | 'approve' | 'setUpSchedules' | 'paymentLinks' | 'readRisk' | 'review' | 'readSettlement' | 'readSettings' | 'settings' | 'tokens' | 'calls' | 'clock')[];
  readonly isGivable: boolean;
};

export type RolesView = {
  readonly roles: readonly RoleView[];
};

/** What an account did in fact with the payments that it got. */
export type RoutingAccountRecord = {
  readonly account: string;
  readonly count: number;
  /** Approved or declined by the account. */
  readonly decided: number;
  readonly approved: number;
  /** Approved of decided, in percent; null: nothing was decided. */
  readonly approvalRate: number | null;
};

export type RoutingBacktest = {
  readonly entityId: string;
  /** Payments that began after it were read. */
  readonly from: string;
  readonly to: string;
  /** Whether there are more payments than are read at once: the newest were read, and `from` is later than what was asked for. */
  readonly isCut: boolean;
  readonly payments: number;
  readonly present: RoutingOfRules;
  readonly proposed: RoutingOfRules;
  readonly accounts: readonly RoutingAccountRecord[];
};

export type RoutingFiguresOfAccount = {
  readonly count: number;
  readonly share: number;
  readonly amounts: {
    readonly [name: string]: string;
  };
  /** Null: no account can take them. */
  readonly account: string | null;
};

export type RoutingFiguresOfRule = {
  readonly count: number;
  readonly share: number;
  readonly amounts: {
    readonly [name: string]: string;
  };
  /** From 1; null: no rule matches, and the setting connectors decides. */
  readonly rule: number | null;
  readonly name: string | null;
};

/** What a list of rules does with the payments. */
export type RoutingOfRules = {
  readonly rules: readonly RoutingFiguresOfRule[];
  readonly accounts: readonly RoutingFiguresOfAccount[];
};

/** One rule in a risk evaluation. `quiet`: evaluated, not matched. The last two kinds show the current rules. */
export type RuleAbout = {
  readonly id: string;
  readonly says: string;
  readonly is: 'off' | 'shadow' | 'fired' | 'quiet';
  readonly verdict: 'review' | 'accept' | 'challenge' | 'decline';
  readonly code: string | null;
  readonly score: number;
  readonly values: {
    readonly [name: string]: string;
  };
  readonly words: {
    readonly when: string;
    readonly gives: string;
  } | null;
};

export type RuleView = {
  readonly rule: RiskRule;
  readonly from: 'own' | 'builtIn' | 'inherited';
  readonly words: {
    readonly when: string;
    readonly gives: string;
  } | null;
};

export type RunsPreview = {
  /** When it would run, in words. */
  readonly words: string;
  readonly timeZone: string;
  readonly nextRuns: readonly string[];
  /** The last run, where a number of payments is asked for. */
  readonly lastRun: string | null;
};

/** A line of JSON for each event. */
export type ScenarioLogView = {
  readonly name: string;
  readonly seed: number;
  /** One line of JSON per event, with times in ms since the event that the line names. */
  readonly log: string;
};

export type ScenarioView = {
  readonly isReady: boolean;
  readonly scenario: Scenario;
};

export type ScenariosView = {
  readonly scenarios: readonly {
    readonly name: string;
    readonly says: string;
    /** False: a scenario of the entity. */
    readonly isReady: boolean;
    /** What a built-in scenario is tried with: a card, a bank, or 3D Secure. */
    readonly with: string | null;
    /** The results of the attempts of a built-in scenario. */
    readonly ends: readonly ResultCode[] | null;
  }[];
  readonly attached: {
    /** The scenario of every payment; null: none. */
    readonly channel: string | null;
    /** The scenarios of single cards. */
    readonly cards: readonly string[];
  };
};

export type ScheduleDetail = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly state: 'active' | 'ending' | 'over';
  readonly name: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** When it runs, in words. */
  readonly words: string;
  readonly timeZone: string;
  readonly nextAt: string | null;
  readonly registrationId: string;
  readonly createdAt: string;
  readonly endsAt: string | null;
  readonly expression: string;
  /** Beginning and end as they were sent: local times of the time zone. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly descriptor: string | null;
  readonly merchantTransactionId: string | null;
  readonly testMode: string | null;
  readonly nextRuns: readonly string[];
  /** What is tried again after a decline. */
  readonly again: {
    readonly at: string | null;
    readonly tries: number;
  } | null;
  readonly instrument: InstrumentView | null;
  /** The newest first. */
  readonly runs: readonly {
    readonly dueAt: string;
    readonly doneAt: string;
    readonly payment: PaymentView | null;
    readonly skipped: string | null;
  }[];
};

export type SchedulePage = {
  readonly schedules: readonly ListedSchedule[];
  readonly next: string | null;
};

/** What signs us in at a server: whether there is something, and since when. */
export type ServerSecretView = {
  readonly server: 'settlement' | 'reconciliation';
  readonly kind: 'password' | 'privateKey' | null;
  readonly fingerprint: string | null;
  readonly keptAt: string | null;
};

/** `inherited` is the value without an own one. A missing property is set nowhere. */
export type SettingView = {
  readonly name: string;
  readonly value?: unknown;
  readonly inherited?: unknown;
  readonly source: {
    readonly from: 'own';
  } | {
    readonly from: 'above';
    readonly entityId: string;
    readonly name: string;
  } | {
    readonly from: 'default';
  };
};

/** A day and currency. */
export type Settled = {
  readonly id: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly count: string;
};

export type SettlementImported = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly format: string;
  /** SHA-256 of the bytes: the same file is taken once. */
  readonly digest: string;
  readonly lines: number;
  readonly state: 'reading' | 'kept' | 'refused';
  /** The first faults of a refused file. */
  readonly faults: readonly {
    readonly line: number;
    readonly message: string;
  }[];
  readonly faultCount: number;
  /** The first remarks that need no decision, such as entries that were skipped. Absent: none. */
  readonly notes?: readonly {
    readonly line: number;
    readonly message: string;
  }[];
  readonly noteCount?: number;
  readonly createdAt: string;
  /** Only for a single imported file. */
  readonly count?: FileCounts | null;
  /** Known: the same bytes were imported before, and nothing has changed. */
  readonly is: 'kept' | 'known';
};

/** A line of a settlement file. */
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
  /** As the file has it: it may be cut, or no id at all. */
  readonly paymentId: string | null;
  readonly shortId: string | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceId: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly paymentBrand: string | null;
  readonly presentedAt: string | null;
  readonly settledAmount: string;
  readonly settledCurrency: string;
  readonly fee: string | null;
  readonly fxRate: string;
  readonly settledOn: string;
  readonly status: string;
  readonly descriptor: string | null;
  readonly last4: string | null;
  readonly bankCode: string | null;
  readonly holder: string | null;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  readonly clearingInstitute: {
    readonly name: string;
    readonly merchantId: string;
    readonly txId1: string | null;
    readonly txId2: string | null;
    readonly txId3: string | null;
  };
  readonly format: string;
  readonly match: {
    readonly status: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';
    readonly paymentIds: readonly string[];
    readonly by: string;
    readonly why: string;
    readonly isOpen: boolean;
  };
  /** Why it was not matched; null: it was, or it was read by an earlier version. */
  readonly exception: 'duplicate' | 'amountDiffers' | 'currencyDiffers' | 'feeDiffers' | 'cardDiffers' | 'dateDiffers' | 'directionDiffers' | 'unknownReference' | 'referencesDiffer' | 'noReference' | 'severalPayments' | 'notApproved' | 'notRecordable' | 'unknownAccount' | 'unreadable' | null;
  /** The chargeback that was recorded from it. */
  readonly chargebackId: string | null;
  readonly createdAt: string;
};

export type SettlementShown = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly format: string;
  /** SHA-256 of the bytes: the same file is taken once. */
  readonly digest: string;
  readonly lines: number;
  readonly state: 'reading' | 'kept' | 'refused';
  /** The first faults of a refused file. */
  readonly faults: readonly {
    readonly line: number;
    readonly message: string;
  }[];
  readonly faultCount: number;
  /** The first remarks that need no decision, such as entries that were skipped. Absent: none. */
  readonly notes?: readonly {
    readonly line: number;
    readonly message: string;
  }[];
  readonly noteCount?: number;
  readonly createdAt: string;
  /** Only for a single imported file. */
  readonly count?: FileCounts | null;
};

export type StatisticsAnswer = {
  readonly entityId: string;
  /** Days, weeks and months begin by the clocks of this zone. */
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly step: 'day' | 'quarter' | 'hour' | 'week' | 'month';
  /** What time it is for the entity. */
  readonly now: string;
  readonly points: readonly Point[];
  readonly total: Figures;
  /** The figures of the previous period, which has the same length. */
  readonly before: Figures;
  /** Why attempts failed, the most frequent reason first. */
  readonly declines: readonly Decline[];
  readonly brands: readonly BrandFigures[];
  readonly types: readonly TypeFigures[];
};

export type Tally = {
  readonly count: number;
  readonly money: {
    readonly [name: string]: string;
  };
};

/** `at` null: no timestamp was recorded; the entry is placed by its kind. */
export type TimelineEntry = {
  readonly at: string | null;
  readonly kind: 'ledger' | 'state' | 'risk' | 'connector' | 'threeDS' | 'request' | 'checks' | 'scenario' | 'webhook' | 'family';
  /** What happened, in a word that the texts of the page know. */
  readonly what: string;
  readonly tone: 'good' | 'plain' | 'warn' | 'bad';
  /** A result code, an amount or the name of a rule, shown beside the title. */
  readonly note: string | null;
  /** What to say of the note, where there is something. */
  readonly detail: string | null;
  /** Another payment that it is about. */
  readonly paymentId: string | null;
  /** The recorded raw data. */
  readonly raw: unknown;
};

export type TokenView = {
  readonly id: string;
  readonly entityId: string;
  /** Null: unnamed. */
  readonly name: string | null;
  /** The name of the user who issued it; null: not issued in the back office. */
  readonly createdBy: string | null;
  readonly createdAt: string;
  /** As yyyy-MM-dd in UTC; null: never. */
  readonly lastUsedOn: string | null;
  /** Null: no expiry. */
  readonly endsAt: string | null;
  readonly hasEnded: boolean;
  /** The addresses and CIDR blocks from which it is accepted; empty: from anywhere. */
  readonly allowedAddresses: readonly string[];
};

/** Those that are good first, the youngest first. */
export type TokensView = {
  readonly tokens: readonly TokenView[];
  readonly most: number;
};

/** Approved transactions of a type: refunds, captures and the like. */
export type TypeFigures = {
  readonly type: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
};

/** The limit, and the sums of the user's unapproved actions: on this payment, and today (UTC) at this merchant. */
export type UnapprovedLimit = {
  readonly amount: string;
  readonly onPayment: string;
  readonly today: string;
  /** The names of those who may approve what is above it. */
  readonly approvers: readonly string[];
};

export type UnsettledPayment = {
  readonly id: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
};

/** An account at an acquirer that the entity may name: its own, or one of an entity above. */
export type UsableAccountView = {
  readonly state: 'off' | 'on';
  readonly name: string;
  readonly connector: string;
  /** The name of the acquirer. */
  readonly title: string;
  /** Whether its acquirer answers, as the node that was asked sees it. */
  readonly isReachable: boolean;
  readonly ownerId: string;
  /** Whether a credential that it needs is missing. */
  readonly lacksSecrets: boolean;
};

export type UsePage = {
  readonly payments: readonly PaymentView[];
  readonly next: string | null;
};

/** `grants` has only entities that the caller may see. */
export type UserView = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** `invited`: the invitation link was not used yet. */
  readonly state: 'active' | 'disabled' | 'invited';
  /** Locked out until then after too many failed sign-ins; null: not locked. All instants are ISO texts. */
  readonly lockedUntil: string | null;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly grants: readonly {
    readonly entityId: string;
    readonly role: string;
  }[];
  /** Whether the caller has all rights of this user, and so may disable or reset the user. */
  readonly isManageable: boolean;
  readonly createdAt: string;
  readonly signedInAt: string | null;
};

export type UsersView = {
  readonly users: readonly UserView[];
};

/** A stored private key of a wallet: never the key, only what identifies it. */
export type WalletKeyView = {
  readonly wallet: 'walletA' | 'walletB' | 'walletC';
  readonly keyId: string;
  /** SHA-256 of the public key, in hex; null: the stored key cannot be decrypted or is invalid. */
  readonly fingerprint: string | null;
  /** When it was set here; null: not in the back office. */
  readonly keptAt: string | null;
  /** Whether the setup of the wallet names it. */
  readonly isNamed: boolean;
};

export type WalletTokenView = {
  readonly wallet: string;
  readonly version: string;
  readonly parameter: string;
  readonly token: string;
  readonly amount: string;
  readonly currency: string;
  readonly validUntil: string | null;
  /** Why a payment with it is refused; null for a good one. */
  readonly refused: string | null;
  readonly curl: string;
};

export type WebhookDetail = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  readonly wrapper: 'NONE' | 'JSON';
  /** Unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it answered 410. */
  readonly state: 'unproven' | 'active' | 'paused' | 'off';
  /** Why it is paused or off. */
  readonly why: string | null;
  readonly failingSince: string | null;
  readonly keys: readonly {
    readonly id: string;
    readonly createdAt: string;
    readonly until: string | null;
  }[];
  readonly createdAt: string;
  readonly changedAt: string;
  readonly deliveries: DeliveryCounts;
};

/** Answers about webhooks and their deliveries. Instants are ISO texts. */
export type WebhookShown = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  readonly wrapper: 'NONE' | 'JSON';
  /** Unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it answered 410. */
  readonly state: 'unproven' | 'active' | 'paused' | 'off';
  /** Why it is paused or off. */
  readonly why: string | null;
  readonly failingSince: string | null;
  readonly keys: readonly {
    readonly id: string;
    readonly createdAt: string;
    readonly until: string | null;
  }[];
  readonly createdAt: string;
  readonly changedAt: string;
};

export type WebhookTested = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  readonly wrapper: 'NONE' | 'JSON';
  /** Unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it answered 410. */
  readonly state: 'unproven' | 'active' | 'paused' | 'off';
  /** Why it is paused or off. */
  readonly why: string | null;
  readonly failingSince: string | null;
  readonly keys: readonly {
    readonly id: string;
    readonly createdAt: string;
    readonly until: string | null;
  }[];
  readonly createdAt: string;
  readonly changedAt: string;
  readonly test: {
    readonly delivered: boolean;
    /** Null when there was no answer. */
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  };
};

/** The only answers with the key. */
export type WebhookWithKey = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  readonly wrapper: 'NONE' | 'JSON';
  /** Unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it answered 410. */
  readonly state: 'unproven' | 'active' | 'paused' | 'off';
  /** Why it is paused or off. */
  readonly why: string | null;
  readonly failingSince: string | null;
  readonly keys: readonly {
    readonly id: string;
    readonly createdAt: string;
    readonly until: string | null;
  }[];
  readonly createdAt: string;
  readonly changedAt: string;
  /** 64 hexadecimal digits, shown here once. */
  readonly key: string;
};

export type Scenario = {
  /** The name. */
  readonly name: string;
  /** A description in one sentence. */
  readonly says: string;
  /** The default seed; default 0. */
  readonly seed?: number;
  /** The acquirer's answers, one per attempt; the last one applies to all further attempts. */
  readonly acquirer?: readonly {
    /** The decision. */
    readonly says: 'approved' | 'declined' | 'pending';
    /** The result code, for pending the final one; default for a decline 800.100.151. */
    readonly code?: string;
    /** The merchant advice code of a decline. */
    readonly advice?: string;
    /** Decline only without 3D Secure authentication; approve with it. */
    readonly unless?: 'authenticated';
    /** The result of the address check. */
    readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
    /** The result of the check of the security code. */
    readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
    /** Latency of the reply, at most 30s. */
    readonly takes?: string;
    /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
    readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
    /** Duration: pending (default 60s), down (60s), late (5s). */
    readonly for?: string;
  }[];
  /** Its answers to captures, reversals and refunds. */
  readonly later?: {
    /** To a capture. */
    readonly CP?: {
      /** The decision. */
      readonly says: 'approved' | 'declined' | 'pending';
      /** The result code, for pending the final one; default for a decline 800.100.151. */
      readonly code?: string;
      /** The merchant advice code of a decline. */
      readonly advice?: string;
      /** Decline only without 3D Secure authentication; approve with it. */
      readonly unless?: 'authenticated';
      /** The result of the address check. */
      readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** The result of the check of the security code. */
      readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
      /** Latency of the reply, at most 30s. */
      readonly takes?: string;
      /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
      readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
      /** Duration: pending (default 60s), down (60s), late (5s). */
      readonly for?: string;
    };
    /** To a reversal. */
    readonly RV?: {
      /** The decision. */
      readonly says: 'approved' | 'declined' | 'pending';
      /** The result code, for pending the final one; default for a decline 800.100.151. */
      readonly code?: string;
      /** The merchant advice code of a decline. */
      readonly advice?: string;
      /** Decline only without 3D Secure authentication; approve with it. */
      readonly unless?: 'authenticated';
      /** The result of the address check. */
      readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** The result of the check of the security code. */
      readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
      /** Latency of the reply, at most 30s. */
      readonly takes?: string;
      /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
      readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
      /** Duration: pending (default 60s), down (60s), late (5s). */
      readonly for?: string;
    };
    /** To a refund. */
    readonly RF?: {
      /** The decision. */
      readonly says: 'approved' | 'declined' | 'pending';
      /** The result code, for pending the final one; default for a decline 800.100.151. */
      readonly code?: string;
      /** The merchant advice code of a decline. */
      readonly advice?: string;
      /** Decline only without 3D Secure authentication; approve with it. */
      readonly unless?: 'authenticated';
      /** The result of the address check. */
      readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** The result of the check of the security code. */
      readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
      /** Latency of the reply, at most 30s. */
      readonly takes?: string;
      /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
      readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
      /** Duration: pending (default 60s), down (60s), late (5s). */
      readonly for?: string;
    };
  };
  /** The shopper and the bank of a redirect payment. */
  readonly bank?: {
    /** What the simulated shopper does; default nothing. */
    readonly shopper?: 'pays' | 'declines' | 'cancels';
    /** When, counted from the payment; default 2s. */
    readonly after?: string;
    /** When the bank confirms by itself; default before the shopper returns. */
    readonly confirms?: 'before' | 'after' | 'twice' | 'never';
    /** With after: the delay; default 2s. */
    readonly late?: string;
  };
  /** The directory server and the issuer. */
  readonly threeDS?: {
    /** Every card is enrolled, or none. */
    readonly enrolled?: boolean;
    /** Whether the cardholder is challenged. */
    readonly flow?: 'challenge' | 'frictionless';
    /** The transStatus at the end. */
    readonly status?: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I';
    /** The transStatusReason of N, U and R. */
    readonly reason?: string;
    /** How a challenge is made. */
    readonly page?: 'code' | 'app';
    /** What is wrong with the directory server. */
    readonly directory?: 'down' | 'garbled' | 'foreign';
    /** What is wrong with the results request. */
    readonly results?: 'lost' | 'after' | 'twice' | 'foreign';
  };
  /** Simulated answers of webhook receivers; after them the webhooks are called. */
  readonly receiver?: readonly {
    /** The answer to deliveries about this payment: nothing (connection refused), late (time-out), or a status. The webhook is not called. */
    readonly answers: string;
    /** Duration; the first from the event on, the next after the previous one. */
    readonly for: string;
    /** The Retry-After header. */
    readonly retryAfter?: string;
  }[];
  /** The settlement. */
  readonly settlement?: {
    /** When the payment is settled, counted from the payment; default 2d. */
    readonly after?: string;
    /** How much is settled. */
    readonly pays?: 'all' | 'part' | 'nothing' | 'twice';
    /** With part: the share in percent. */
    readonly share?: number;
    /** With part: when the rest is settled, counted from the part; default never. */
    readonly rest?: string;
    /** By how much the amount is wrong. */
    readonly off?: string;
    /** The fee in percent. */
    readonly feePercent?: string;
    /** The fixed fee. */
    readonly feeFixed?: string;
  };
  /** The chargebacks. */
  readonly chargebacks?: readonly {
    /** When, counted from the payment. */
    readonly after: string;
    /** The reason. */
    readonly code: string;
    /** Share of the payment in percent; default 100. */
    readonly share?: number;
    /** When it is reversed, counted from the chargeback; default never. */
    readonly reversed?: string;
  }[];
  /** One of these is drawn and overrides the members above. */
  readonly oneOf?: readonly {
    /** The acquirer's answers, one per attempt; the last one applies to all further attempts. */
    readonly acquirer?: readonly {
      /** The decision. */
      readonly says: 'approved' | 'declined' | 'pending';
      /** The result code, for pending the final one; default for a decline 800.100.151. */
      readonly code?: string;
      /** The merchant advice code of a decline. */
      readonly advice?: string;
      /** Decline only without 3D Secure authentication; approve with it. */
      readonly unless?: 'authenticated';
      /** The result of the address check. */
      readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** The result of the check of the security code. */
      readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
      /** Latency of the reply, at most 30s. */
      readonly takes?: string;
      /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
      readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
      /** Duration: pending (default 60s), down (60s), late (5s). */
      readonly for?: string;
    }[];
    /** Its answers to captures, reversals and refunds. */
    readonly later?: {
      /** To a capture. */
      readonly CP?: {
        /** The decision. */
        readonly says: 'approved' | 'declined' | 'pending';
        /** The result code, for pending the final one; default for a decline 800.100.151. */
        readonly code?: string;
        /** The merchant advice code of a decline. */
        readonly advice?: string;
        /** Decline only without 3D Secure authentication; approve with it. */
        readonly unless?: 'authenticated';
        /** The result of the address check. */
        readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
        /** The result of the check of the security code. */
        readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
        /** Latency of the reply, at most 30s. */
        readonly takes?: string;
        /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
        readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
        /** Duration: pending (default 60s), down (60s), late (5s). */
        readonly for?: string;
      };
      /** To a reversal. */
      readonly RV?: {
        /** The decision. */
        readonly says: 'approved' | 'declined' | 'pending';
        /** The result code, for pending the final one; default for a decline 800.100.151. */
        readonly code?: string;
        /** The merchant advice code of a decline. */
        readonly advice?: string;
        /** Decline only without 3D Secure authentication; approve with it. */
        readonly unless?: 'authenticated';
        /** The result of the address check. */
        readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
        /** The result of the check of the security code. */
        readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
        /** Latency of the reply, at most 30s. */
        readonly takes?: string;
        /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
        readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
        /** Duration: pending (default 60s), down (60s), late (5s). */
        readonly for?: string;
      };
      /** To a refund. */
      readonly RF?: {
        /** The decision. */
        readonly says: 'approved' | 'declined' | 'pending';
        /** The result code, for pending the final one; default for a decline 800.100.151. */
        readonly code?: string;
        /** The merchant advice code of a decline. */
        readonly advice?: string;
        /** Decline only without 3D Secure authentication; approve with it. */
        readonly unless?: 'authenticated';
        /** The result of the address check. */
        readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
        /** The result of the check of the security code. */
        readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
        /** Latency of the reply, at most 30s. */
        readonly takes?: string;
        /** What goes wrong: booked and no reply; never received; booked after the time-out; received twice; booked and the reply unreadable; not reachable. */
        readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
        /** Duration: pending (default 60s), down (60s), late (5s). */
        readonly for?: string;
      };
    };
    /** The shopper and the bank of a redirect payment. */
    readonly bank?: {
      /** What the simulated shopper does; default nothing. */
      readonly shopper?: 'pays' | 'declines' | 'cancels';
      /** When, counted from the payment; default 2s. */
      readonly after?: string;
      /** When the bank confirms by itself; default before the shopper returns. */
      readonly confirms?: 'before' | 'after' | 'twice' | 'never';
      /** With after: the delay; default 2s. */
      readonly late?: string;
    };
    /** The directory server and the issuer. */
    readonly threeDS?: {
      /** Every card is enrolled, or none. */
      readonly enrolled?: boolean;
      /** Whether the cardholder is challenged. */
      readonly flow?: 'challenge' | 'frictionless';
      /** The transStatus at the end. */
      readonly status?: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I';
      /** The transStatusReason of N, U and R. */
      readonly reason?: string;
      /** How a challenge is made. */
      readonly page?: 'code' | 'app';
      /** What is wrong with the directory server. */
      readonly directory?: 'down' | 'garbled' | 'foreign';
      /** What is wrong with the results request. */
      readonly results?: 'lost' | 'after' | 'twice' | 'foreign';
    };
    /** Simulated answers of webhook receivers; after them the webhooks are called. */
    readonly receiver?: readonly {
      /** The answer to deliveries about this payment: nothing (connection refused), late (time-out), or a status. The webhook is not called. */
      readonly answers: string;
      /** Duration; the first from the event on, the next after the previous one. */
      readonly for: string;
      /** The Retry-After header. */
      readonly retryAfter?: string;
    }[];
    /** The settlement. */
    readonly settlement?: {
      /** When the payment is settled, counted from the payment; default 2d. */
      readonly after?: string;
      /** How much is settled. */
      readonly pays?: 'all' | 'part' | 'nothing' | 'twice';
      /** With part: the share in percent. */
      readonly share?: number;
      /** With part: when the rest is settled, counted from the part; default never. */
      readonly rest?: string;
      /** By how much the amount is wrong. */
      readonly off?: string;
      /** The fee in percent. */
      readonly feePercent?: string;
      /** The fixed fee. */
      readonly feeFixed?: string;
    };
    /** The chargebacks. */
    readonly chargebacks?: readonly {
      /** When, counted from the payment. */
      readonly after: string;
      /** The reason. */
      readonly code: string;
      /** Share of the payment in percent; default 100. */
      readonly share?: number;
      /** When it is reversed, counted from the chargeback; default never. */
      readonly reversed?: string;
    }[];
    /** Relative probability; default 1. */
    readonly weight?: number;
  }[];
};

export type Refusal = {
  readonly result: {
    readonly code: ResultCode;
    readonly description: string;
    readonly parameterErrors?: readonly {
      readonly name: string;
      readonly value: string | null;
      readonly message: string;
    }[];
  };
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
};

export type Payment = {
  /** AN32, letters and digits. The payment, for the path of captures, reversals, refunds and reads. */
  readonly id?: string;
  /** AN32, letters and digits. The stored payment details: those that createRegistration made, or those that were charged. */
  readonly registrationId?: string;
  /** AN32. The payment that a capture, reversal or refund refers to. */
  readonly referencedId?: string;
  /** A2. Transactions that move no money have types of their own. */
  readonly paymentType?: 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'CB' | 'CR' | 'RB' | 'RC' | 'RG' | 'DR' | 'TE' | 'TK' | 'SD' | 'RS' | 'DS' | '3D' | 'RI';
  /** AN 1-32, letters, digits, underscore. */
  readonly paymentBrand?: string;
  /** N10.N2. The amount of the request, also of a declined or pending payment: result.code says what became of it. */
  readonly amount?: string;
  /** A3. */
  readonly currency?: string;
  /** AN127. What the shopper's statement shows. */
  readonly descriptor?: string;
  readonly result: {
    /** AN 2-11, digits and dots. The outcome. */
    readonly code?: string;
    /** AN 0-255. The outcome in words. */
    readonly description?: string;
    /** A1. Address check: A street only, Z postcode only, N neither, F both, U could not be made. */
    readonly avsResponse?: 'A' | 'Z' | 'N' | 'U' | 'F';
    /** A1. Security code: M match, N no match, P not processed, S should be present, U issuer does not check. */
    readonly cvvResponse?: 'M' | 'N' | 'P' | 'S' | 'U';
    readonly parameterErrors?: readonly {
      /** AN. With 200.300.404: the parameter that is wrong. */
      readonly name?: string;
      /** AN or null. What was sent; masked where it is secret, null when nothing was. */
      readonly value?: string | null;
      /** AN. What is wrong with it. */
      readonly message?: string;
    }[];
    readonly parameterWarnings?: readonly {
      /** AN. With a checkout: a parameter that was left out, for instance stored payment details that were deleted. */
      readonly name?: string;
      /** AN. What was sent. */
      readonly value?: string;
      /** AN. Why it was left out. */
      readonly message?: string;
    }[];
  };
  readonly resultDetails?: {
    /** AN 0-2048. The acquirer's own code. */
    readonly AcquirerResponse?: string;
    /** N2. Why it was declined and what to do next, from acquirers that say so. */
    readonly MerchantAdviceCode?: string;
    /** AN. The scheme's reference of a payment the cardholder started. */
    readonly CardholderInitiatedTransactionID?: string;
    readonly [name: string]: unknown;
  };
  readonly card?: {
    /** N6. First six digits. */
    readonly bin?: string;
    /** N4. */
    readonly last4Digits?: string;
    /** AN. */
    readonly holder?: string;
    /** N2. */
    readonly expiryMonth?: string;
    /** N4. */
    readonly expiryYear?: string;
    readonly issuer?: {
      /** AN 0-2048. */
      readonly bank?: string;
      /** AN 0-2048. */
      readonly phone?: string;
      /** AN 0-2048. */
      readonly website?: string;
    };
    /** AN 0-2048. CREDIT, for instance. */
    readonly type?: string;
    /** AN. */
    readonly level?: string;
    /** AN 0-2048. Whether the card falls under fee regulation. */
    readonly regulatedFlag?: string;
  };
  readonly merchant?: {
    readonly bankAccount?: {
      /** AN 4-128. Only where the shopper must transfer money to the merchant. */
      readonly holder?: string;
      /** AN 3-64, letters and digits. An IBAN for SEPA. */
      readonly number?: string;
      /** AN, 8 or 11 letters and digits. */
      readonly bic?: string;
      /** A2. ISO 3166-1. */
      readonly country?: string;
    };
  };
  readonly risk?: {
    /** AN6, optional sign and 5 digits. From -99999 to +99999, where risk was checked. */
    readonly score?: string;
  };
  readonly redirect?: {
    /** AN 6-2048. Where the shopper must be sent. */
    readonly url?: string;
    readonly parameters?: readonly {
      /** AN 1-255. A parameter to send there. */
      readonly name?: string;
      /** AN 1-255. The value of the parameter with the same number. */
      readonly value?: string;
    }[];
  };
  /** AN 0-255. Version of the gateway. */
  readonly buildNumber: string;
  /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
  readonly timestamp: string;
  /** AN 1-69, letters, digits, hyphen. The number of the request, for support. */
  readonly ndc: string;
  /** A16. The brand that was detected. */
  readonly brandResult?: string;
  /** N10.N2. Read back: what of a PA was captured; of a DB or CP its amount. */
  readonly capturedAmount?: string;
  /** N10.N2. Read back: what was refunded; of a PA, the refunds of its captures. */
  readonly refundedAmount?: string;
  /** N10.N2. Read back: what was reversed. */
  readonly reversedAmount?: string;
  /** N10.N2. Read back: what banks took back by chargebacks and have not returned. */
  readonly disputedAmount?: string;
  /** N10.N2. Read back: what of a PA can still be captured; of the others, refunded. */
  readonly remainingAmount?: string;
  readonly bankAccount?: {
    /** AN. */
    readonly holder?: string;
    /** N4. */
    readonly last4Digits?: string;
    /** A2. */
    readonly country?: string;
    /** AN 1-12, letters and digits. */
    readonly bankCode?: string;
    /** AN, 8 or 11 letters and digits. */
    readonly bic?: string;
    /** AN 1-255. */
    readonly bankName?: string;
  };
  readonly virtualAccount?: {
    /** AN 1-100. */
    readonly accountId?: string;
  };
  readonly giftCard?: {
    /** AN 4-4. */
    readonly last4Digits?: string;
  };
  readonly tokenAccount?: {
    /** EXTERNAL or NETWORK. */
    readonly type?: 'EXTERNAL' | 'NETWORK';
    /** N4. */
    readonly last4Digits?: string;
    /** N2. */
    readonly expiryMonth?: string;
    /** N4. */
    readonly expiryYear?: string;
  };
  readonly standingInstruction?: {
    /** UNSCHEDULED, INSTALLMENT, RECURRING. RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises. */
    readonly type?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING';
    /** STANDING_ORDER, SUBSCRIPTION. STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India. */
    readonly recurringType?: 'STANDING_ORDER' | 'SUBSCRIPTION';
    /** INITIAL, REPEATED. INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it. */
    readonly mode?: 'INITIAL' | 'REPEATED';
    /** CIT, MIT. Who starts it: cardholder or merchant. */
    readonly source?: 'CIT' | 'MIT';
    /** AN or N, acquirer-dependent. The scheme’s reference of the first payment. Store it if you store the card: later payments must send it. */
    readonly initialTransactionId?: string;
    /** INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW. INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay. */
    readonly industryPractice?: 'INCREMENTAL_AUTH' | 'RESUBMISSION' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'NO_SHOW';
    /** yyyy-MM-dd. No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence. */
    readonly expiry?: string;
    /** N4. Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence. */
    readonly frequency?: string;
    /** N3. With type INSTALLMENT and 3D Secure only. */
    readonly numberOfInstallments?: string;
    /** AN35. The agreement id of one network; for now beside initialTransactionId, later instead of it. */
    readonly agreementId?: string;
  };
  /** INITIAL, REPEATED, REGISTRATION_BASED. As it was sent by an older client. */
  readonly recurringType?: 'INITIAL' | 'REPEATED' | 'REGISTRATION_BASED';
  /** AN 1-255. As it was sent. */
  readonly merchantTransactionId?: string;
  readonly schedule?: {
    /** AN. With a payment that a schedule has taken: the schedule. */
    readonly id?: string;
    /** AN. The instant of the run that the payment belongs to. */
    readonly dueAt?: string;
    /** AN. Which attempt of the run it is, from 1. */
    readonly attempt?: string;
    /** AN. Read back: when a declined run is tried again. */
    readonly nextAttemptAt?: string;
  };
  readonly customParameters?: {
    readonly [name: string]: string;
  };
};

export type Payments = {
  readonly result: {
    /** AN 2-11, digits and dots. The outcome. */
    readonly code?: string;
    /** AN 0-255. The outcome in words. */
    readonly description?: string;
  };
  /** AN 0-255. Version of the gateway. */
  readonly buildNumber: string;
  /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
  readonly timestamp: string;
  /** AN 1-69, letters, digits, hyphen. The number of the request, for support. */
  readonly ndc: string;
  readonly payments?: readonly ({
    /** AN32, letters and digits. The payment, for the path of captures, reversals, refunds and reads. */
    readonly id?: string;
    /** AN32, letters and digits. The stored payment details: those that createRegistration made, or those that were charged. */
    readonly registrationId?: string;
    /** AN32. The payment that a capture, reversal or refund refers to. */
    readonly referencedId?: string;
    /** A2. Transactions that move no money have types of their own. */
    readonly paymentType?: 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'CB' | 'CR' | 'RB' | 'RC' | 'RG' | 'DR' | 'TE' | 'TK' | 'SD' | 'RS' | 'DS' | '3D' | 'RI';
    /** AN 1-32, letters, digits, underscore. */
    readonly paymentBrand?: string;
    /** N10.N2. The amount of the request, also of a declined or pending payment: result.code says what became of it. */
    readonly amount?: string;
    /** A3. */
    readonly currency?: string;
    /** AN127. What the shopper's statement shows. */
    readonly descriptor?: string;
    readonly result?: {
      /** AN 2-11, digits and dots. The outcome. */
      readonly code?: string;
      /** AN 0-255. The outcome in words. */
      readonly description?: string;
      /** A1. Address check: A street only, Z postcode only, N neither, F both, U could not be made. */
      readonly avsResponse?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** A1. Security code: M match, N no match, P not processed, S should be present, U issuer does not check. */
      readonly cvvResponse?: 'M' | 'N' | 'P' | 'S' | 'U';
      readonly parameterErrors?: readonly {
        /** AN. With 200.300.404: the parameter that is wrong. */
        readonly name?: string;
        /** AN or null. What was sent; masked where it is secret, null when nothing was. */
        readonly value?: string | null;
        /** AN. What is wrong with it. */
        readonly message?: string;
      }[];
      readonly parameterWarnings?: readonly {
        /** AN. With a checkout: a parameter that was left out, for instance stored payment details that were deleted. */
        readonly name?: string;
        /** AN. What was sent. */
        readonly value?: string;
        /** AN. Why it was left out. */
        readonly message?: string;
      }[];
    };
    readonly resultDetails?: {
      /** AN 0-2048. The acquirer's own code. */
      readonly AcquirerResponse?: string;
      /** N2. Why it was declined and what to do next, from acquirers that say so. */
      readonly MerchantAdviceCode?: string;
      /** AN. The scheme's reference of a payment the cardholder started. */
      readonly CardholderInitiatedTransactionID?: string;
      readonly [name: string]: unknown;
    };
    readonly card?: {
      /** N6. First six digits. */
      readonly bin?: string;
      /** N4. */
      readonly last4Digits?: string;
      /** AN. */
      readonly holder?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
      readonly issuer?: {
        /** AN 0-2048. */
        readonly bank?: string;
        /** AN 0-2048. */
        readonly phone?: string;
        /** AN 0-2048. */
        readonly website?: string;
      };
      /** AN 0-2048. CREDIT, for instance. */
      readonly type?: string;
      /** AN. */
      readonly level?: string;
      /** AN 0-2048. Whether the card falls under fee regulation. */
      readonly regulatedFlag?: string;
    };
    readonly merchant?: {
      readonly bankAccount?: {
        /** AN 4-128. Only where the shopper must transfer money to the merchant. */
        readonly holder?: string;
        /** AN 3-64, letters and digits. An IBAN for SEPA. */
        readonly number?: string;
        /** AN, 8 or 11 letters and digits. */
        readonly bic?: string;
        /** A2. ISO 3166-1. */
        readonly country?: string;
      };
    };
    readonly risk?: {
      /** AN6, optional sign and 5 digits. From -99999 to +99999, where risk was checked. */
      readonly score?: string;
    };
    readonly redirect?: {
      /** AN 6-2048. Where the shopper must be sent. */
      readonly url?: string;
      readonly parameters?: readonly {
        /** AN 1-255. A parameter to send there. */
        readonly name?: string;
        /** AN 1-255. The value of the parameter with the same number. */
        readonly value?: string;
      }[];
    };
    /** A16. The brand that was detected. */
    readonly brandResult?: string;
    /** N10.N2. Read back: what of a PA was captured; of a DB or CP its amount. */
    readonly capturedAmount?: string;
    /** N10.N2. Read back: what was refunded; of a PA, the refunds of its captures. */
    readonly refundedAmount?: string;
    /** N10.N2. Read back: what was reversed. */
    readonly reversedAmount?: string;
    /** N10.N2. Read back: what banks took back by chargebacks and have not returned. */
    readonly disputedAmount?: string;
    /** N10.N2. Read back: what of a PA can still be captured; of the others, refunded. */
    readonly remainingAmount?: string;
    readonly bankAccount?: {
      /** AN. */
      readonly holder?: string;
      /** N4. */
      readonly last4Digits?: string;
      /** A2. */
      readonly country?: string;
      /** AN 1-12, letters and digits. */
      readonly bankCode?: string;
      /** AN, 8 or 11 letters and digits. */
      readonly bic?: string;
      /** AN 1-255. */
      readonly bankName?: string;
    };
    readonly virtualAccount?: {
      /** AN 1-100. */
      readonly accountId?: string;
    };
    readonly giftCard?: {
      /** AN 4-4. */
      readonly last4Digits?: string;
    };
    readonly tokenAccount?: {
      /** EXTERNAL or NETWORK. */
      readonly type?: 'EXTERNAL' | 'NETWORK';
      /** N4. */
      readonly last4Digits?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
    };
    readonly standingInstruction?: {
      /** UNSCHEDULED, INSTALLMENT, RECURRING. RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises. */
      readonly type?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING';
      /** STANDING_ORDER, SUBSCRIPTION. STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India. */
      readonly recurringType?: 'STANDING_ORDER' | 'SUBSCRIPTION';
      /** INITIAL, REPEATED. INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it. */
      readonly mode?: 'INITIAL' | 'REPEATED';
      /** CIT, MIT. Who starts it: cardholder or merchant. */
      readonly source?: 'CIT' | 'MIT';
      /** AN or N, acquirer-dependent. The scheme’s reference of the first payment. Store it if you store the card: later payments must send it. */
      readonly initialTransactionId?: string;
      /** INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW. INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay. */
      readonly industryPractice?: 'INCREMENTAL_AUTH' | 'RESUBMISSION' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'NO_SHOW';
      /** yyyy-MM-dd. No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence. */
      readonly expiry?: string;
      /** N4. Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence. */
      readonly frequency?: string;
      /** N3. With type INSTALLMENT and 3D Secure only. */
      readonly numberOfInstallments?: string;
      /** AN35. The agreement id of one network; for now beside initialTransactionId, later instead of it. */
      readonly agreementId?: string;
    };
    /** INITIAL, REPEATED, REGISTRATION_BASED. As it was sent by an older client. */
    readonly recurringType?: 'INITIAL' | 'REPEATED' | 'REGISTRATION_BASED';
    /** AN 1-255. As it was sent. */
    readonly merchantTransactionId?: string;
    readonly schedule?: {
      /** AN. With a payment that a schedule has taken: the schedule. */
      readonly id?: string;
      /** AN. The instant of the run that the payment belongs to. */
      readonly dueAt?: string;
      /** AN. Which attempt of the run it is, from 1. */
      readonly attempt?: string;
      /** AN. Read back: when a declined run is tried again. */
      readonly nextAttemptAt?: string;
    };
    readonly customParameters?: {
      readonly [name: string]: string;
    };
    /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
    readonly timestamp?: string;
  })[];
  /** How many pages there are. */
  readonly pages?: number;
};

export type Records = {
  readonly result: {
    /** AN 2-11, digits and dots. The outcome. */
    readonly code?: string;
    /** AN 0-255. The outcome in words. */
    readonly description?: string;
  };
  /** AN 0-255. Version of the gateway. */
  readonly buildNumber: string;
  /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
  readonly timestamp: string;
  /** AN 1-69, letters, digits, hyphen. The number of the request, for support. */
  readonly ndc: string;
  readonly records?: readonly ({
    /** AN32, letters and digits. The payment, for the path of captures, reversals, refunds and reads. */
    readonly id?: string;
    /** AN32, letters and digits. The stored payment details: those that createRegistration made, or those that were charged. */
    readonly registrationId?: string;
    /** AN32. The payment that a capture, reversal or refund refers to. */
    readonly referencedId?: string;
    /** A2. Transactions that move no money have types of their own. */
    readonly paymentType?: 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'CB' | 'CR' | 'RB' | 'RC' | 'RG' | 'DR' | 'TE' | 'TK' | 'SD' | 'RS' | 'DS' | '3D' | 'RI';
    /** AN 1-32, letters, digits, underscore. */
    readonly paymentBrand?: string;
    /** N10.N2. The amount of the request, also of a declined or pending payment: result.code says what became of it. */
    readonly amount?: string;
    /** A3. */
    readonly currency?: string;
    /** AN127. What the shopper's statement shows. */
    readonly descriptor?: string;
    readonly result?: {
      /** AN 2-11, digits and dots. The outcome. */
      readonly code?: string;
      /** AN 0-255. The outcome in words. */
      readonly description?: string;
      /** A1. Address check: A street only, Z postcode only, N neither, F both, U could not be made. */
      readonly avsResponse?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** A1. Security code: M match, N no match, P not processed, S should be present, U issuer does not check. */
      readonly cvvResponse?: 'M' | 'N' | 'P' | 'S' | 'U';
      readonly parameterErrors?: readonly {
        /** AN. With 200.300.404: the parameter that is wrong. */
        readonly name?: string;
        /** AN or null. What was sent; masked where it is secret, null when nothing was. */
        readonly value?: string | null;
        /** AN. What is wrong with it. */
        readonly message?: string;
      }[];
      readonly parameterWarnings?: readonly {
        /** AN. With a checkout: a parameter that was left out, for instance stored payment details that were deleted. */
        readonly name?: string;
        /** AN. What was sent. */
        readonly value?: string;
        /** AN. Why it was left out. */
        readonly message?: string;
      }[];
    };
    readonly resultDetails?: {
      /** AN 0-2048. The acquirer's own code. */
      readonly AcquirerResponse?: string;
      /** N2. Why it was declined and what to do next, from acquirers that say so. */
      readonly MerchantAdviceCode?: string;
      /** AN. The scheme's reference of a payment the cardholder started. */
      readonly CardholderInitiatedTransactionID?: string;
      readonly [name: string]: unknown;
    };
    readonly card?: {
      /** N6. First six digits. */
      readonly bin?: string;
      /** N4. */
      readonly last4Digits?: string;
      /** AN. */
      readonly holder?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
      readonly issuer?: {
        /** AN 0-2048. */
        readonly bank?: string;
        /** AN 0-2048. */
        readonly phone?: string;
        /** AN 0-2048. */
        readonly website?: string;
      };
      /** AN 0-2048. CREDIT, for instance. */
      readonly type?: string;
      /** AN. */
      readonly level?: string;
      /** AN 0-2048. Whether the card falls under fee regulation. */
      readonly regulatedFlag?: string;
    };
    readonly merchant?: {
      readonly bankAccount?: {
        /** AN 4-128. Only where the shopper must transfer money to the merchant. */
        readonly holder?: string;
        /** AN 3-64, letters and digits. An IBAN for SEPA. */
        readonly number?: string;
        /** AN, 8 or 11 letters and digits. */
        readonly bic?: string;
        /** A2. ISO 3166-1. */
        readonly country?: string;
      };
    };
    readonly risk?: {
      /** AN6, optional sign and 5 digits. From -99999 to +99999, where risk was checked. */
      readonly score?: string;
    };
    readonly redirect?: {
      /** AN 6-2048. Where the shopper must be sent. */
      readonly url?: string;
      readonly parameters?: readonly {
        /** AN 1-255. A parameter to send there. */
        readonly name?: string;
        /** AN 1-255. The value of the parameter with the same number. */
        readonly value?: string;
      }[];
    };
    /** A16. The brand that was detected. */
    readonly brandResult?: string;
    /** N10.N2. Read back: what of a PA was captured; of a DB or CP its amount. */
    readonly capturedAmount?: string;
    /** N10.N2. Read back: what was refunded; of a PA, the refunds of its captures. */
    readonly refundedAmount?: string;
    /** N10.N2. Read back: what was reversed. */
    readonly reversedAmount?: string;
    /** N10.N2. Read back: what banks took back by chargebacks and have not returned. */
    readonly disputedAmount?: string;
    /** N10.N2. Read back: what of a PA can still be captured; of the others, refunded. */
    readonly remainingAmount?: string;
    readonly bankAccount?: {
      /** AN. */
      readonly holder?: string;
      /** N4. */
      readonly last4Digits?: string;
      /** A2. */
      readonly country?: string;
      /** AN 1-12, letters and digits. */
      readonly bankCode?: string;
      /** AN, 8 or 11 letters and digits. */
      readonly bic?: string;
      /** AN 1-255. */
      readonly bankName?: string;
    };
    readonly virtualAccount?: {
      /** AN 1-100. */
      readonly accountId?: string;
    };
    readonly giftCard?: {
      /** AN 4-4. */
      readonly last4Digits?: string;
    };
    readonly tokenAccount?: {
      /** EXTERNAL or NETWORK. */
      readonly type?: 'EXTERNAL' | 'NETWORK';
      /** N4. */
      readonly last4Digits?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
    };
    readonly standingInstruction?: {
      /** UNSCHEDULED, INSTALLMENT, RECURRING. RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises. */
      readonly type?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING';
      /** STANDING_ORDER, SUBSCRIPTION. STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India. */
      readonly recurringType?: 'STANDING_ORDER' | 'SUBSCRIPTION';
      /** INITIAL, REPEATED. INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it. */
      readonly mode?: 'INITIAL' | 'REPEATED';
      /** CIT, MIT. Who starts it: cardholder or merchant. */
      readonly source?: 'CIT' | 'MIT';
      /** AN or N, acquirer-dependent. The scheme’s reference of the first payment. Store it if you store the card: later payments must send it. */
      readonly initialTransactionId?: string;
      /** INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW. INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay. */
      readonly industryPractice?: 'INCREMENTAL_AUTH' | 'RESUBMISSION' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'NO_SHOW';
      /** yyyy-MM-dd. No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence. */
      readonly expiry?: string;
      /** N4. Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence. */
      readonly frequency?: string;
      /** N3. With type INSTALLMENT and 3D Secure only. */
      readonly numberOfInstallments?: string;
      /** AN35. The agreement id of one network; for now beside initialTransactionId, later instead of it. */
      readonly agreementId?: string;
    };
    /** INITIAL, REPEATED, REGISTRATION_BASED. As it was sent by an older client. */
    readonly recurringType?: 'INITIAL' | 'REPEATED' | 'REGISTRATION_BASED';
    /** AN 1-255. As it was sent. */
    readonly merchantTransactionId?: string;
    readonly schedule?: {
      /** AN. With a payment that a schedule has taken: the schedule. */
      readonly id?: string;
      /** AN. The instant of the run that the payment belongs to. */
      readonly dueAt?: string;
      /** AN. Which attempt of the run it is, from 1. */
      readonly attempt?: string;
      /** AN. Read back: when a declined run is tried again. */
      readonly nextAttemptAt?: string;
    };
    readonly customParameters?: {
      readonly [name: string]: string;
    };
    /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
    readonly timestamp?: string;
  })[];
  /** How many pages there are. */
  readonly pages?: number;
};

export type Aggregations = {
  readonly result: {
    readonly code?: string;
    readonly description?: string;
  };
  readonly records?: readonly {
    /** The id for reading the records of this day and currency. */
    readonly id?: string;
    /** yyyy-MM-dd. The day of settlement. */
    readonly date?: string;
    /** A3 ISO 4217 */
    readonly currency?: string;
    /** The balance of payouts to and deductions from the merchant. */
    readonly amount?: string;
    /** The fees. */
    readonly fee?: string;
    /** How many records there are. */
    readonly count?: string;
  }[];
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
};

export type Settlement = {
  readonly result: {
    readonly code?: string;
    readonly description?: string;
  };
  readonly records?: readonly {
    /** SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE. Type of the record. */
    readonly recordType?: string;
    /** DEBIT, CREDIT, REFUND, BATCH, MONTHLY, SUBMERCHANT, PAYMENT_FACILITATOR, AUTH_FEE, CAPTURE_FEE, CANCEL_FEE, REFUND_FEE. What was settled. */
    readonly transactionType?: string;
    readonly settlement?: {
      /** POS, NEG. To or from the merchant. */
      readonly cashflow?: string;
      /** AN 0-64. The acquirer’s reference. */
      readonly id?: string;
      /** N13, two decimals. What was settled. */
      readonly amount?: string;
      /** A3 ISO 4217. The currency. */
      readonly currency?: string;
      /** N13, two decimals. The fees. */
      readonly fee?: string;
      /** N13, two decimals. The exchange rate: two decimals in the file, all decimals of the acquirer in the report. */
      readonly fxRate?: string;
      /** date. The day, on the calendar of the clearing institute. */
      readonly date?: string;
      /** SUCCESS, FAILED. Whether it was settled. */
      readonly status?: string;
      /** AN32. What kind of file it came in. */
      readonly format?: string;
    };
    readonly clearingInstitute?: {
      /** AN 5-64. The merchant number at the acquirer. */
      readonly merchantId?: string;
      /** AN64. First reference of the clearing institute. */
      readonly txId1?: string;
      /** AN64. Second reference of the clearing institute. */
      readonly txId2?: string;
      /** AN64. Third reference of the clearing institute. */
      readonly txId3?: string;
      /** AN64. Who settles. */
      readonly name?: string;
    };
    readonly merchantAccount?: {
      /** AN32 letters/digits. The channel. */
      readonly id?: string;
      /** AN32. Its name. */
      readonly name?: string;
    };
    /** AN32 letters/digits. Who stands above all of them. */
    readonly pspEntityId?: string;
    /** AN32 letters/digits. The division of the merchant. */
    readonly divisionEntityId?: string;
    /** AN32 letters/digits. The merchant. */
    readonly merchantEntityId?: string;
    readonly payment?: {
      /** AN32 letters/digits. The payment. */
      readonly id?: string;
    };
    /** N13, two decimals. What was paid. */
    readonly amount?: string;
    /** A3 ISO 4217. The currency. */
    readonly currency?: string;
    /** A16. The brand that was paid with. */
    readonly paymentBrand?: string;
    /** timestamp. Time of the request by the clearing institute; if its file has none, the time of the import (UTC). */
    readonly presentmentDate?: string;
    /** AN128. Text on the shopper’s statement. */
    readonly descriptor?: string;
    readonly card?: {
      /** AN4. The last four of the card or account. */
      readonly last4Digits?: string;
      /** AN128. Whose card or account it is. */
      readonly holder?: string;
    };
    readonly bankAccount?: {
      /** AN4. The last four of the card or account. */
      readonly last4Digits?: string;
      /** AN12. The bank of the account. */
      readonly bankCode?: string;
      /** AN128. Whose card or account it is. */
      readonly holder?: string;
    };
    readonly result?: {
      /** AN 2-11 digits and dots. Why; of chargebacks only. */
      readonly code?: string;
      /** AN128. The reason in words. */
      readonly description?: string;
    };
    readonly matchedTransactions?: {
      /** MATCHED, MULTIPLE_MATCHES, NOT_MATCHED. Result of the matching. */
      readonly status?: string;
      readonly payment?: readonly {
        /** AN32. The matched payments, comma-separated. */
        readonly id?: string;
      }[];
    };
    readonly chargebackTransaction?: {
      /** AN32. The transaction of the chargeback. */
      readonly id?: string;
    };
    /** AN 8-255. The merchant’s own reference. */
    readonly merchantTransactionId?: string;
    /** AN 8-255. The merchant’s invoice. */
    readonly merchantInvoiceId?: string;
  }[];
  /** Number of pages of 100 records; only in v2. */
  readonly pages?: number;
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
};

export type Registration = {
  /** AN32, letters and digits. The stored payment details, for payments with them; of a deletion or an extension, the id of that transaction. */
  readonly id?: string;
  /** AN32. The stored payment details that were deleted or extended. */
  readonly referencedId?: string;
  /** AN 1-32, letters, digits, underscore. */
  readonly paymentBrand?: string;
  readonly result: {
    /** AN 2-11, digits and dots. The outcome. */
    readonly code?: string;
    /** AN 0-255. The outcome in words. */
    readonly description?: string;
    /** A1. Address check: A street only, Z postcode only, N neither, F both, U could not be made. */
    readonly avsResponse?: 'A' | 'Z' | 'N' | 'U' | 'F';
    /** A1. Security code: M match, N no match, P not processed, S should be present, U issuer does not check. */
    readonly cvvResponse?: 'M' | 'N' | 'P' | 'S' | 'U';
    readonly parameterErrors?: readonly {
      /** AN. With 200.300.404: the parameter that is wrong. */
      readonly name?: string;
      /** AN or null. What was sent; masked where it is secret, null when nothing was. */
      readonly value?: string | null;
      /** AN. What is wrong with it. */
      readonly message?: string;
    }[];
    readonly parameterWarnings?: readonly {
      /** AN. With a checkout: a parameter that was left out, for instance stored payment details that were deleted. */
      readonly name?: string;
      /** AN. What was sent. */
      readonly value?: string;
      /** AN. Why it was left out. */
      readonly message?: string;
    }[];
  };
  readonly resultDetails?: {
    /** AN 0-2048. The acquirer's own code. */
    readonly AcquirerResponse?: string;
    /** N2. Why it was declined and what to do next, from acquirers that say so. */
    readonly MerchantAdviceCode?: string;
    /** AN. The scheme's reference of a payment the cardholder started. */
    readonly CardholderInitiatedTransactionID?: string;
    readonly [name: string]: unknown;
  };
  readonly card?: {
    /** N6. First six digits. */
    readonly bin?: string;
    /** N4. */
    readonly last4Digits?: string;
    /** AN. */
    readonly holder?: string;
    /** N2. */
    readonly expiryMonth?: string;
    /** N4. */
    readonly expiryYear?: string;
    readonly issuer?: {
      /** AN 0-2048. */
      readonly bank?: string;
      /** AN 0-2048. */
      readonly phone?: string;
      /** AN 0-2048. */
      readonly website?: string;
    };
    /** AN 0-2048. CREDIT, for instance. */
    readonly type?: string;
    /** AN. */
    readonly level?: string;
    /** AN 0-2048. Whether the card falls under fee regulation. */
    readonly regulatedFlag?: string;
  };
  readonly risk?: {
    /** AN6, optional sign and 5 digits. From -99999 to +99999, where risk was checked. */
    readonly score?: string;
  };
  readonly redirect?: {
    /** AN 6-2048. Where the shopper must be sent. */
    readonly url?: string;
    readonly parameters?: readonly {
      /** AN 1-255. A parameter to send there. */
      readonly name?: string;
      /** AN 1-255. The value of the parameter with the same number. */
      readonly value?: string;
    }[];
  };
  /** AN 0-255. Version of the gateway. */
  readonly buildNumber: string;
  /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
  readonly timestamp: string;
  /** AN 1-69, letters, digits, hyphen. The number of the request, for support. */
  readonly ndc: string;
  /** A16. The brand that was detected. */
  readonly brandResult?: string;
  readonly bankAccount?: {
    /** AN. */
    readonly holder?: string;
    /** N4. */
    readonly last4Digits?: string;
    /** A2. */
    readonly country?: string;
    /** AN 1-12, letters and digits. */
    readonly bankCode?: string;
    /** AN, 8 or 11 letters and digits. */
    readonly bic?: string;
    /** AN 1-255. */
    readonly bankName?: string;
  };
  readonly virtualAccount?: {
    /** AN 1-100. */
    readonly accountId?: string;
  };
  readonly giftCard?: {
    /** AN 4-4. */
    readonly last4Digits?: string;
  };
  readonly tokenAccount?: {
    /** EXTERNAL or NETWORK. */
    readonly type?: 'EXTERNAL' | 'NETWORK';
    /** N4. */
    readonly last4Digits?: string;
    /** N2. */
    readonly expiryMonth?: string;
    /** N4. */
    readonly expiryYear?: string;
  };
  readonly standingInstruction?: {
    /** UNSCHEDULED, INSTALLMENT, RECURRING. RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises. */
    readonly type?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING';
    /** STANDING_ORDER, SUBSCRIPTION. STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India. */
    readonly recurringType?: 'STANDING_ORDER' | 'SUBSCRIPTION';
    /** INITIAL, REPEATED. INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it. */
    readonly mode?: 'INITIAL' | 'REPEATED';
    /** CIT, MIT. Who starts it: cardholder or merchant. */
    readonly source?: 'CIT' | 'MIT';
    /** AN or N, acquirer-dependent. The scheme’s reference of the first payment. Store it if you store the card: later payments must send it. */
    readonly initialTransactionId?: string;
    /** INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW. INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay. */
    readonly industryPractice?: 'INCREMENTAL_AUTH' | 'RESUBMISSION' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'NO_SHOW';
    /** yyyy-MM-dd. No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence. */
    readonly expiry?: string;
    /** N4. Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence. */
    readonly frequency?: string;
    /** N3. With type INSTALLMENT and 3D Secure only. */
    readonly numberOfInstallments?: string;
    /** AN35. The agreement id of one network; for now beside initialTransactionId, later instead of it. */
    readonly agreementId?: string;
  };
  /** INITIAL, REPEATED, REGISTRATION_BASED. As it was sent by an older client. */
  readonly recurringType?: 'INITIAL' | 'REPEATED' | 'REGISTRATION_BASED';
  /** AN 1-255. As it was sent. */
  readonly merchantTransactionId?: string;
  readonly schedule?: {
    /** AN. With a payment that a schedule has taken: the schedule. */
    readonly id?: string;
    /** AN. The instant of the run that the payment belongs to. */
    readonly dueAt?: string;
    /** AN. Which attempt of the run it is, from 1. */
    readonly attempt?: string;
    /** AN. Read back: when a declined run is tried again. */
    readonly nextAttemptAt?: string;
  };
  readonly customParameters?: {
    readonly [name: string]: string;
  };
  readonly networkToken?: {
    /** N4. The network token of the stored card, if any; payments use it. */
    readonly last4Digits?: string;
    /** N2. */
    readonly expiryMonth?: string;
    /** N4. */
    readonly expiryYear?: string;
  };
};

export type Registrations = {
  readonly result: {
    /** AN 2-11, digits and dots. The outcome. */
    readonly code?: string;
    /** AN 0-255. The outcome in words. */
    readonly description?: string;
  };
  /** AN 0-255. Version of the gateway. */
  readonly buildNumber: string;
  /** yyyy-MM-dd hh:mm:ssZ. Time of the reply. */
  readonly timestamp: string;
  /** AN 1-69, letters, digits, hyphen. The number of the request, for support. */
  readonly ndc: string;
  readonly registrations?: readonly ({
    /** AN32, letters and digits. The stored payment details, for payments with them; of a deletion or an extension, the id of that transaction. */
    readonly id?: string;
    /** AN32. The stored payment details that were deleted or extended. */
    readonly referencedId?: string;
    /** AN 1-32, letters, digits, underscore. */
    readonly paymentBrand?: string;
    readonly result?: {
      /** AN 2-11, digits and dots. The outcome. */
      readonly code?: string;
      /** AN 0-255. The outcome in words. */
      readonly description?: string;
      /** A1. Address check: A street only, Z postcode only, N neither, F both, U could not be made. */
      readonly avsResponse?: 'A' | 'Z' | 'N' | 'U' | 'F';
      /** A1. Security code: M match, N no match, P not processed, S should be present, U issuer does not check. */
      readonly cvvResponse?: 'M' | 'N' | 'P' | 'S' | 'U';
      readonly parameterErrors?: readonly {
        /** AN. With 200.300.404: the parameter that is wrong. */
        readonly name?: string;
        /** AN or null. What was sent; masked where it is secret, null when nothing was. */
        readonly value?: string | null;
        /** AN. What is wrong with it. */
        readonly message?: string;
      }[];
      readonly parameterWarnings?: readonly {
        /** AN. With a checkout: a parameter that was left out, for instance stored payment details that were deleted. */
        readonly name?: string;
        /** AN. What was sent. */
        readonly value?: string;
        /** AN. Why it was left out. */
        readonly message?: string;
      }[];
    };
    readonly resultDetails?: {
      /** AN 0-2048. The acquirer's own code. */
      readonly AcquirerResponse?: string;
      /** N2. Why it was declined and what to do next, from acquirers that say so. */
      readonly MerchantAdviceCode?: string;
      /** AN. The scheme's reference of a payment the cardholder started. */
      readonly CardholderInitiatedTransactionID?: string;
      readonly [name: string]: unknown;
    };
    readonly card?: {
      /** N6. First six digits. */
      readonly bin?: string;
      /** N4. */
      readonly last4Digits?: string;
      /** AN. */
      readonly holder?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
      readonly issuer?: {
        /** AN 0-2048. */
        readonly bank?: string;
        /** AN 0-2048. */
        readonly phone?: string;
        /** AN 0-2048. */
        readonly website?: string;
      };
      /** AN 0-2048. CREDIT, for instance. */
      readonly type?: string;
      /** AN. */
      readonly level?: string;
      /** AN 0-2048. Whether the card falls under fee regulation. */
      readonly regulatedFlag?: string;
    };
    readonly risk?: {
      /** AN6, optional sign and 5 digits. From -99999 to +99999, where risk was checked. */
      readonly score?: string;
    };
    readonly redirect?: {
      /** AN 6-2048. Where the shopper must be sent. */
      readonly url?: string;
      readonly parameters?: readonly {
        /** AN 1-255. A parameter to send there. */
        readonly name?: string;
        /** AN 1-255. The value of the parameter with the same number. */
        readonly value?: string;
      }[];
    };
    /** A16. The brand that was detected. */
    readonly brandResult?: string;
    readonly bankAccount?: {
      /** AN. */
      readonly holder?: string;
      /** N4. */
      readonly last4Digits?: string;
      /** A2. */
      readonly country?: string;
      /** AN 1-12, letters and digits. */
      readonly bankCode?: string;
      /** AN, 8 or 11 letters and digits. */
      readonly bic?: string;
      /** AN 1-255. */
      readonly bankName?: string;
    };
    readonly virtualAccount?: {
      /** AN 1-100. */
      readonly accountId?: string;
    };
    readonly giftCard?: {
      /** AN 4-4. */
      readonly last4Digits?: string;
    };
    readonly tokenAccount?: {
      /** EXTERNAL or NETWORK. */
      readonly type?: 'EXTERNAL' | 'NETWORK';
      /** N4. */
      readonly last4Digits?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
    };
    readonly standingInstruction?: {
      /** UNSCHEDULED, INSTALLMENT, RECURRING. RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises. */
      readonly type?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING';
      /** STANDING_ORDER, SUBSCRIPTION. STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India. */
      readonly recurringType?: 'STANDING_ORDER' | 'SUBSCRIPTION';
      /** INITIAL, REPEATED. INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it. */
      readonly mode?: 'INITIAL' | 'REPEATED';
      /** CIT, MIT. Who starts it: cardholder or merchant. */
      readonly source?: 'CIT' | 'MIT';
      /** AN or N, acquirer-dependent. The scheme’s reference of the first payment. Store it if you store the card: later payments must send it. */
      readonly initialTransactionId?: string;
      /** INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW. INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay. */
      readonly industryPractice?: 'INCREMENTAL_AUTH' | 'RESUBMISSION' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'NO_SHOW';
      /** yyyy-MM-dd. No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence. */
      readonly expiry?: string;
      /** N4. Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence. */
      readonly frequency?: string;
      /** N3. With type INSTALLMENT and 3D Secure only. */
      readonly numberOfInstallments?: string;
      /** AN35. The agreement id of one network; for now beside initialTransactionId, later instead of it. */
      readonly agreementId?: string;
    };
    /** INITIAL, REPEATED, REGISTRATION_BASED. As it was sent by an older client. */
    readonly recurringType?: 'INITIAL' | 'REPEATED' | 'REGISTRATION_BASED';
    /** AN 1-255. As it was sent. */
    readonly merchantTransactionId?: string;
    readonly schedule?: {
      /** AN. With a payment that a schedule has taken: the schedule. */
      readonly id?: string;
      /** AN. The instant of the run that the payment belongs to. */
      readonly dueAt?: string;
      /** AN. Which attempt of the run it is, from 1. */
      readonly attempt?: string;
      /** AN. Read back: when a declined run is tried again. */
      readonly nextAttemptAt?: string;
    };
    readonly customParameters?: {
      readonly [name: string]: string;
    };
    readonly networkToken?: {
      /** N4. The network token of the stored card, if any; payments use it. */
      readonly last4Digits?: string;
      /** N2. */
      readonly expiryMonth?: string;
      /** N4. */
      readonly expiryYear?: string;
    };
  })[];
};

export type Checkout = {
  readonly result: {
    readonly code: ResultCode;
    readonly description: string;
  };
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
  readonly id?: string;
  /** Hash of the widget script, if integrity=true was sent. */
  readonly integrity?: string;
};

export type Schedule = Payment & {
  /** The job with every default filled in. */
  readonly job?: {
    readonly [name: string]: string;
  };
  readonly plan?: {
    readonly id?: string;
    readonly active?: boolean;
    readonly state?: 'active' | 'ending' | 'over';
    readonly timeZone?: string;
    /** When it runs, as a sentence. */
    readonly description?: string;
    readonly nextRuns?: readonly string[];
    readonly endsAt?: string;
  };
  readonly schedules?: readonly Readonly<Record<string, unknown>>[];
};

export type ResultCode = string;

export type ResultCodes = {
  readonly resultCodes: readonly ({
    readonly code: ResultCode;
    readonly description: string;
    readonly class: 'approved' | 'pending' | 'declined' | 'refused' | 'chargeback';
    readonly group: 'success' | 'success-manual-review' | 'pending' | 'pending-long' | '3ds-or-intercard-rejection' | 'external-bank-decline' | 'communication-error' | 'system-error' | 'async-error' | 'soft-decline' | 'external-risk' | 'address-avs-validation' | '3ds-rejection' | 'blacklist' | 'risk-validation' | 'configuration-validation' | 'registration-validation' | 'job-validation' | 'reference-validation' | 'retry-control-mac' | 'format-validation' | 'address-validation' | 'contact-validation' | 'account-validation' | 'amount-validation' | 'risk-management' | 'chargeback' | null;
    readonly http: number;
    readonly advice: 'none' | 'wait' | 'retry later' | 'fix data' | 'ask shopper' | 'other instrument' | 'do not retry' | 'contact support';
    readonly adviceText: string;
    readonly retry: {
      /** Whether the gateway asks another account of the channel. unsent: the issuer was not asked. declined: unless the request can be used only once. */
      readonly otherAccount: 'unsent' | 'declined' | 'no';
      /** advised: only when the issuer names a time. */
      readonly again: 'later' | 'advised' | 'never';
      /** A retry is at least so many days later. */
      readonly afterDays: number;
      /** Tries of the same payment, the first one included. */
      readonly triesMax: number;
    };
    /** The key of the text in shopperTexts. */
    readonly shopperTextId: string;
    /** The text in the language of the request, by default English. */
    readonly shopperText: string;
  })[];
  readonly groups: readonly {
    readonly name: string;
    /** A regular expression for codes. */
    readonly pattern: string;
  }[];
  readonly shopperTexts: {
    readonly [name: string]: {
      readonly [name: string]: string;
    };
  };
};

export type Brands = {
  readonly brands: readonly {
    readonly brand: string;
    /** The name as people write it. */
    readonly name: string;
    readonly method: 'CC' | 'DC' | 'DD' | 'CT' | 'OT' | 'VA' | 'UA' | 'WA' | 'IV' | 'PP' | 'OD' | 'RM' | 'ET' | 'NT';
    readonly methodName: string;
    readonly account: 'card' | 'bankAccount' | 'virtualAccount' | 'giftCard' | 'wallet' | 'none';
    readonly workflow: 'sync' | 'async';
    readonly paidBy: 'slip' | 'invoice' | null;
    readonly cvvLength: number | null;
    /** ISO 3166-1; null: no limit is known. */
    readonly countries: readonly string[] | null;
    /** ISO 4217; null: no limit is known. */
    readonly currencies: readonly string[] | null;
    /** What a payment must carry; a|b is either of two. */
    readonly requiredParameters: readonly string[];
  }[];
};

export type WebhookPayload = {
  readonly type: 'PAYMENT' | 'REGISTRATION' | 'SCHEDULE' | 'RISK';
  /** Of registrations. */
  readonly action?: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly payload: Payment & ({
    /** The amount that was asked for. */
    readonly presentationAmount?: string;
    readonly presentationCurrency?: string;
    readonly authentication?: {
      readonly entityId: string;
    };
    readonly merchantAccountId?: string;
    readonly channelName?: string;
    readonly source?: 'OPP' | 'SCHEDULER' | 'SYSTEM';
    readonly paymentMethod?: 'CC' | 'DC' | 'DD' | 'CT' | 'OT' | 'VA' | 'UA' | 'WA' | 'IV' | 'PP' | 'OD' | 'RM' | 'ET' | 'NT';
    readonly shortId?: string;
  });
};

export type WebhookTest = {
  readonly type: 'test';
  readonly action: 'webhook activation';
  readonly payload: Readonly<Record<string, unknown>>;
};
