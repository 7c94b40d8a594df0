/** One thing that can be administered apart from the others. */
export type RightRow = {
  readonly says: string;
  /** In the test environment a merchant's access token is enough, for its own entity and everything below it. */
  readonly isTokenEnough: boolean;
};

/** The rights that endpoints of the administration API demand. */
export const rights = {
  readPayments: {
    says: 'View and export payments with their timelines, registrations, checkouts, schedules and the dashboard.',
    isTokenEnough: true,
  },
  capture: { says: 'Capture authorized payments.', isTokenEnough: false },
  reverse: { says: 'Reverse payments.', isTokenEnough: false },
  refund: { says: 'Refund payments.', isTokenEnough: false },
  chargeback: { says: 'Record chargebacks and their reversals.', isTokenEnough: false },
  approve: { says: 'Approve or reject actions of other users above the limit.', isTokenEnough: false },
  registrations: { says: 'Delete stored payment methods.', isTokenEnough: false },
  schedules: { says: 'Cancel schedules.', isTokenEnough: false },
  setUpSchedules: { says: 'Create and change schedules, which charge stored payment methods.', isTokenEnough: false },
  paymentLinks: { says: 'Create and deactivate payment links.', isTokenEnough: true },
  readWebhooks: { says: 'View webhooks and their deliveries.', isTokenEnough: true },
  webhooks: { says: 'Set up webhooks, rotate their keys and resend deliveries.', isTokenEnough: true },
  readRisk: { says: 'View rules, lists and the review queue; read risk evaluations and back-test rules.', isTokenEnough: true },
  risk: { says: 'Change risk rules and lists.', isTokenEnough: false },
  review: { says: 'Decide on payments flagged for review.', isTokenEnough: false },
  readSettlement: { says: 'View settlement files, how they were matched, and reports.', isTokenEnough: true },
  settlement: {
    says: 'Upload settlement files and resolve exceptions.',
    isTokenEnough: true,
  },
  ledger: { says: 'View the balances of a merchant, now and at any past time.', isTokenEnough: true },
  readSettings: { says: 'View the hierarchy, the channels and their settings.', isTokenEnough: true },
  settings: { says: 'Change the settings of merchants and channels, and add channels.', isTokenEnough: false },
  entities: { says: 'Add divisions and merchants.', isTokenEnough: false },
  tokens: { says: 'Issue, rotate and revoke access tokens.', isTokenEnough: false },
  keys: { says: 'Set up wallet keys and the credentials of servers that files are sent to.', isTokenEnough: false },
  users: { says: 'Invite users, assign roles, create roles, end sessions.', isTokenEnough: false },
  audit: { says: 'View and export the audit log.', isTokenEnough: false },
  calls: { says: 'View API calls and run them again; view the webhook inbox of the sandbox.', isTokenEnough: true },
  clock: {
    says: 'View, freeze, advance and reset the test clock of a merchant; in the test environment only.',
    isTokenEnough: true,
  },
  scenarios: {
    says: 'View and create scenarios, attach them to channels and cards; in the test environment only.',
    isTokenEnough: true,
  },
} as const satisfies Readonly<Record<string, RightRow>>;

export type Right = keyof typeof rights;

const all = Object.keys(rights) as Right[];
const looking: readonly Right[] = ['readPayments', 'readWebhooks', 'readRisk', 'readSettlement', 'ledger', 'readSettings'];

/** The built-in roles. Administrators can create others. */
export const roles = {
  operator: { says: 'Runs the installation: all rights.', rights: all },
  administrator: {
    says: 'All rights at a merchant or division, except adding merchants and divisions.',
    rights: all.filter((right) => right !== 'entities'),
  },
  finance: {
    says: 'Money: captures, refunds, chargebacks, schedules, settlement, balances.',
    rights: [
      ...looking,
      ...([
        'capture',
        'reverse',
        'refund',
        'chargeback',
        'approve',
        'schedules',
        'setUpSchedules',
        'paymentLinks',
        'settlement',
      ] as const),
    ],
  },
  support: {
    says: 'Helps shoppers: finds, refunds and reverses payments, cancels schedules, decides on reviews.',
    rights: [...looking, 'reverse', 'refund', 'registrations', 'schedules', 'paymentLinks', 'review'],
  },
  developer: {
    says: 'Integrates: API calls, webhooks, scenarios, the test clock.',
    rights: [...looking, 'webhooks', 'calls', 'clock', 'scenarios'],
  },
  readOnly: { says: 'Views everything, changes nothing.', rights: looking },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly rights: readonly Right[] }>>;

export type RoleName = keyof typeof roles;
