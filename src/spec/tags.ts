/**
 * The groups of endpoints: headings of the reference page, tags of the OpenAPI documents, and so classes of generated clients. `document` is
 * the document that describes the group: the API for merchants, or the administration API with what operators ask.
 */
export type Tag = {
  readonly title: string;
  readonly document: 'merchant' | 'administration';
  readonly description: string;
};

export const tags = {
  payments: {
    title: 'Payments',
    document: 'merchant',
    description: 'Take payments, capture, refund and reverse them, read one, and record what a bank did.',
  },
  queries: { title: 'Queries', document: 'merchant', description: 'Find payments by their ids, by customer or by period.' },
  registrations: {
    title: 'Registrations',
    document: 'merchant',
    description: 'Store payment details, pay with them, and delete them.',
  },
  checkouts: {
    title: 'Checkouts',
    document: 'merchant',
    description: 'Prepare a checkout for the payment widget or for a form, and read its outcome.',
  },
  widget: { title: 'Widget', document: 'merchant', description: 'The script of the payment widget and the files that it loads.' },
  authentications: {
    title: 'Authentications',
    document: 'merchant',
    description: 'Authenticate a cardholder with 3D Secure before the payment.',
  },
  riskChecks: { title: 'Risk checks', document: 'merchant', description: 'Evaluate the risk of an order without a payment.' },
  schedules: {
    title: 'Schedules',
    document: 'merchant',
    description: 'Charge stored payment details again and again, by a plan.',
  },
  settlementReports: {
    title: 'Settlement reports',
    document: 'merchant',
    description: 'What was settled and paid out, as totals, as lines, and as CSV.',
  },
  catalogues: { title: 'Catalogues', document: 'merchant', description: 'Result codes and brands as data.' },
  documentation: { title: 'Documentation', document: 'merchant', description: 'This API as documents and as pages.' },
  webhookEvents: {
    title: 'Webhook events',
    document: 'merchant',
    description: 'What the gateway sends to the webhooks of a merchant.',
  },
  shopperPages: {
    title: 'Pages for shoppers',
    document: 'merchant',
    description: 'Addresses that the browser of a shopper, a bank or an issuer opens. No program of a merchant calls them.',
  },
  sandboxPages: {
    title: 'Pages of the sandbox',
    document: 'merchant',
    description: 'The simulated bank, the issuer of the test cards, wallets, and the demo shop. Test environment only.',
  },
  notifications: {
    title: 'Notifications of acquirers',
    document: 'merchant',
    description: 'Where acquirers report what happened after their reply.',
  },
  webhooks: {
    title: 'Webhooks',
    document: 'administration',
    description: 'Webhooks of an entity, their keys and their deliveries.',
  },
  entities: { title: 'Entities', document: 'administration', description: 'The tree of entities, and the settings of each.' },
  accessTokens: { title: 'Access tokens', document: 'administration', description: 'Issue, rotate and end access tokens.' },
  secrets: {
    title: 'Keys and secrets',
    document: 'administration',
    description: 'Keys of wallets, secrets of 3D Secure servers and of acquirer accounts. They can be written, and not be read.',
  },
  adminPayments: {
    title: 'Admin payments',
    document: 'administration',
    description: 'Search payments as the back office does, export them, and act on them.',
  },
  approvals: { title: 'Approvals', document: 'administration', description: 'Actions that need a second person.' },
  reviews: { title: 'Reviews', document: 'administration', description: 'Payments that wait for the decision of a person.' },
  adminRegistrations: {
    title: 'Admin registrations',
    document: 'administration',
    description: 'Stored payment details of all customers of a merchant, and their use.',
  },
  mandates: { title: 'Mandates', document: 'administration', description: 'Direct debit mandates and their collections.' },
  customers: { title: 'Customers', document: 'administration', description: 'What belongs to one customer.' },
  adminCheckouts: { title: 'Admin checkouts', document: 'administration', description: 'Checkouts, and links that lead to one.' },
  adminSchedules: {
    title: 'Admin schedules',
    document: 'administration',
    description: 'Schedules of all customers of a merchant, with their runs.',
  },
  riskRules: {
    title: 'Risk rules',
    document: 'administration',
    description: 'Rules and lists, their explanation and their back-test.',
  },
  routing: { title: 'Routing', document: 'administration', description: 'Which acquirer account takes a payment.' },
  settlement: {
    title: 'Settlement',
    document: 'administration',
    description: 'Files of acquirers, what they settled, exceptions, and what is still open.',
  },
  ledger: { title: 'Ledger', document: 'administration', description: 'Balances of the books.' },
  statistics: { title: 'Statistics', document: 'administration', description: 'Figures of a period.' },
  users: {
    title: 'Users and roles',
    document: 'administration',
    description: 'Who may sign in to the back office, and do what there.',
  },
  audit: { title: 'Audit', document: 'administration', description: 'The log of what was changed by whom, and its proof.' },
  developerTools: {
    title: 'Developer tools',
    document: 'administration',
    description: 'Recorded calls, a test inbox for webhooks, and tokens of device wallets. Test environment only in part.',
  },
  testClock: { title: 'Test clock', document: 'administration', description: 'The time of a merchant in the test environment.' },
  scenarios: { title: 'Scenarios', document: 'administration', description: 'What the simulator plays. Test environment only.' },
  operation: { title: 'Operation', document: 'administration', description: 'Health and metrics of the gateway.' },
  ownAccount: {
    title: 'Sign-in and own account',
    document: 'administration',
    description: 'What the back office asks for its user, on its own port.',
  },
} as const satisfies Record<string, Tag>;

export type TagName = keyof typeof tags;
