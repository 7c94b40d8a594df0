/** One thing that can be administered apart from the others. */
export type RightRow = {
  readonly says: string;
  /** In the test environment a merchant's access token is enough, for its own entity and what is below it. */
  readonly isTokenEnough: boolean;
};

/** What an endpoint of the administration API asks of whoever calls it. */
export const rights = {
  readPayments: {
    says: 'See payments with their timelines, registrations, checkouts, schedules and the dashboard, and export what is seen.',
    isTokenEnough: true,
  },
  capture: { says: 'Capture what was authorized.', isTokenEnough: false },
  reverse: { says: 'Reverse payments.', isTokenEnough: false },
  refund: { says: 'Refund payments.', isTokenEnough: false },
  chargeback: { says: 'Record what a bank took back or gave back.', isTokenEnough: false },
  approve: { says: 'Approve or refuse what another has asked for above the set amount.', isTokenEnough: false },
  registrations: { says: 'Remove stored payment data.', isTokenEnough: false },
  schedules: { says: 'Cancel schedules.', isTokenEnough: false },
  readWebhooks: { says: 'See webhooks and what was delivered to them.', isTokenEnough: true },
  webhooks: { says: 'Set up webhooks, exchange their keys, and send again what was delivered.', isTokenEnough: true },
  readRisk: { says: 'See rules, lists and the review queue; explain and try rules on the past.', isTokenEnough: true },
  risk: { says: 'Change risk rules and lists.', isTokenEnough: false },
  review: { says: 'Decide payments that wait for a review.', isTokenEnough: false },
  readSettlement: { says: "See acquirers' files, what was made of them, and reports.", isTokenEnough: true },
  settlement: {
    says: "Bring acquirers' files, and decide what their lines are about where the program cannot.",
    isTokenEnough: true,
  },
  ledger: { says: 'Read what stands on the accounts of a merchant, now and at any past instant.', isTokenEnough: true },
  readSettings: { says: 'See the hierarchy, the channels and their settings.', isTokenEnough: true },
  settings: { says: 'Change the settings of merchants and channels, and add channels.', isTokenEnough: false },
  entities: { says: 'Add divisions and merchants.', isTokenEnough: false },
  tokens: { says: 'Issue, rotate and end access tokens.', isTokenEnough: false },
  keys: { says: 'Set up wallet keys and the passwords of servers that files are sent to.', isTokenEnough: false },
  users: { says: 'Invite people, give them roles, make roles, end their sessions.', isTokenEnough: false },
  audit: { says: 'Read and export the audit log.', isTokenEnough: false },
  calls: { says: 'Inspect API calls and run them again; read the webhook inbox of the sandbox.', isTokenEnough: true },
  clock: {
    says: "Read a merchant's clock, freeze it, move it forward, return to real time; in the test environment only.",
    isTokenEnough: true,
  },
  scenarios: {
    says: 'List scenarios, add own ones, attach them to channels and cards, read their logs; in the test environment only.',
    isTokenEnough: true,
  },
} as const satisfies Readonly<Record<string, RightRow>>;

export type Right = keyof typeof rights;

const all = Object.keys(rights) as Right[];
const looking: readonly Right[] = ['readPayments', 'readWebhooks', 'readRisk', 'readSettlement', 'ledger', 'readSettings'];

/** The roles that are always there. Others are made of rights by whoever needs them. */
export const roles = {
  operator: { says: 'Runs the installation: everything.', rights: all },
  administrator: {
    says: 'Everything of a merchant or division but adding merchants and divisions.',
    rights: all.filter((right) => right !== 'entities'),
  },
  finance: {
    says: 'Money: captures, refunds, chargebacks, settlement, balances.',
    rights: [...looking, 'capture', 'reverse', 'refund', 'chargeback', 'approve', 'settlement'],
  },
  support: {
    says: 'Helps shoppers: finds payments, refunds and reverses, ends schedules, decides reviews.',
    rights: [...looking, 'reverse', 'refund', 'registrations', 'schedules', 'review'],
  },
  developer: {
    says: 'Builds and mends: calls, webhooks, scenarios, the test clock.',
    rights: [...looking, 'webhooks', 'calls', 'clock', 'scenarios'],
  },
  readOnly: { says: 'Looks and changes nothing.', rights: looking },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly rights: readonly Right[] }>>;

export type RoleName = keyof typeof roles;
