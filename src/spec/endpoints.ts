import { tagged } from './admin/kinds.ts';
import { accountEndpoints, routingEndpoints } from './areas/account.ts';
import { clockEndpoints, developerEndpoints, scenarioEndpoints } from './areas/developer.ts';
import { paymentEndpoints } from './areas/payments.ts';
import { reportEndpoints, settlementEndpoints, statisticsEndpoints } from './areas/reports.ts';
import { riskEndpoints } from './areas/risk.ts';
import { storedEndpoints } from './areas/stored.ts';
import { auditEndpoints, userEndpoints } from './areas/users.ts';
import { webhookEndpoints } from './areas/webhooks.ts';
import type { SectionName } from './parameters.ts';
import type { Right } from './rights.ts';
import type { TagName } from './tags.ts';

/** The sections a payment request may carry: everything of documents 2 and 3 but what belongs to reports and queries. */
export const paymentSections = [
  'basic',
  'forex',
  'authentication',
  'card',
  'wallets',
  'virtualAccount',
  'bankAccount',
  'tokenAccount',
  'customer',
  'shippingCustomer',
  'billing',
  'merchantBilling',
  'shipping',
  'merchantShipping',
  'corporate',
  'sender',
  'recipient',
  'merchant',
  'cartItems',
  'cartPayments',
  'marketPlace',
  'airline',
  'tokenization',
  'recurringMigration',
  'threeDSecure',
  'customParameters',
  'asynchronous',
  'giftCard',
  'risk',
  'scheduling',
  'standingInstruction',
  'chargeback',
] as const satisfies readonly SectionName[];

/** A checkout is prepared without the instrument: that comes from the shopper. */
const instruments: readonly SectionName[] = ['card', 'wallets', 'bankAccount', 'tokenAccount'];
const checkoutSections: readonly SectionName[] = paymentSections.filter((name) => !instruments.includes(name));

/** The kinds of access to the administration API. Its requests are JSON, described in admin.ts. */
export const adminAccess = ['admin', 'session', 'signIn'] as const;
export type AdminAccess = (typeof adminAccess)[number];

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A name in braces stands for one path segment. The handler gets `{id}` apart from the others. */
  readonly path: string;
  /** The group: class of generated clients, heading of the reference, and so the document that describes the endpoint. */
  readonly tag: TagName;
  /**
   * The caller: `token`: an access token or legacy parameters; `admin`: a user or token with the right; `session`: any signed-in user;
   * `signIn`: a user who is signing in; `none`: anyone. `session` and `signIn` exist only on the port of the back office.
   */
  readonly access: 'token' | AdminAccess | 'none';
  /** The right that the caller needs. The fields of such a request are in admin.ts. */
  readonly right?: Right;
  /** The user must have confirmed the sign-in a short time ago. */
  readonly stepUp?: true;
  /** Other users with the right get a notice when it was done. */
  readonly notifies?: true;
  /** The body is a file, and the fields are in the query. */
  readonly takes?: 'file';
  readonly sections: readonly SectionName[];
  /** Parameters that are always required. */
  readonly required: readonly string[];
  readonly summary: string;
  /** The kind of reply. OpenAPI leaves out pages. */
  readonly answers:
    | 'payment'
    | 'payments'
    | 'records'
    | 'aggregations'
    | 'settlement'
    | 'csv'
    | 'registration'
    | 'registrations'
    | 'checkout'
    | 'schedule'
    | 'admin'
    | 'resultCodes'
    | 'brands'
    | 'form'
    | 'script'
    | 'document'
    | 'page'
    | 'health';
};

const followUp = (path: string, summary: string) =>
  ({
    method: 'POST',
    path: `/v1/payments/{id}/${path}`,
    access: 'token',
    sections: paymentSections,
    required: ['entityId', 'amount', 'currency'],
    summary,
    answers: 'payment',
  }) as const;

/** `POST /v1/payments/{id}` with the payment type in the path, so that generated clients have a function for each. */
const followUps = {
  capture: followUp('capture', 'Capture a preauthorization: POST /v1/payments/{id} with paymentType CP.'),
  refund: followUp('refund', 'Refund a payment: POST /v1/payments/{id} with paymentType RF.'),
  reverse: {
    ...followUp('reversal', 'Reverse a payment: POST /v1/payments/{id} with paymentType RV.'),
    required: ['entityId'],
  },
} as const;

/** An endpoint of the merchant API that reads. */
const reading = <const Path extends string>(
  path: Path,
  answers: Endpoint['answers'],
  summary: string,
  more: { readonly sections?: readonly SectionName[]; readonly required?: readonly string[] } = {},
) =>
  ({
    method: 'GET',
    path,
    access: 'token',
    sections: ['authentication'],
    required: ['entityId'],
    answers,
    summary,
    ...more,
  }) as const;

/** An endpoint for anyone, described by its summary alone. */
const open = <const Path extends string>(method: Endpoint['method'], path: Path, answers: Endpoint['answers'], summary: string) =>
  ({ method, path, access: 'none', sections: [], required: [], answers, summary }) as const;

/** Every address the gateway answers at. The router, the OpenAPI file and the generated tests read this table. */
export const endpoints = {
  ...tagged('payments', {
    pay: {
      method: 'POST',
      path: '/v1/payments',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'paymentType', 'amount', 'currency'],
      summary: 'Take a payment: preauthorization (PA), debit (DB) or credit (CD).',
      answers: 'payment',
    },
    refer: {
      method: 'POST',
      path: '/v1/payments/{id}',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'paymentType'],
      summary: 'Capture (CP), reverse (RV) or refund (RF) a payment; record a chargeback (CB) or another action of a bank.',
      answers: 'payment',
    },
    ...followUps,
    read: reading('/v1/payments/{id}', 'payment', 'Read a payment.'),
  }),
  ...tagged('queries', {
    query: reading('/v1/query', 'payments', 'Find transactions by merchant reference or time frame, oldest first.', {
      sections: ['authentication', 'query'],
    }),
    queryOne: reading(
      '/v1/query/{id}',
      'payment',
      'Read a transaction of any type; with includeLinkedTransactions=true a list with all linked transactions.',
      { sections: ['authentication', 'query'] },
    ),
    findPayments: reading('/v1/payments', 'payments', 'The older spelling of /v1/query.', {
      sections: ['authentication', 'query'],
    }),
    queryRecords: reading('/v3/query', 'records', 'Find transactions by merchant reference or time frame, with pages.', {
      sections: ['authentication', 'query'],
    }),
    queryRecord: reading(
      '/v3/query/{id}',
      'records',
      'Read a transaction of any type as a list, alone or with all linked transactions.',
      { sections: ['authentication', 'query'] },
    ),
  }),
  ...tagged('settlementReports', {
    reportAggregations: reading(
      '/reports/v1/reconciliations/aggregations',
      'aggregations',
      'Settled amounts, one line per day and currency.',
      { sections: ['authentication', 'reporting'], required: ['entityId', 'date.from', 'date.to'] },
    ),
    reportSettlement: reading(
      '/reports/v1/reconciliations/aggregations/{id}',
      'settlement',
      'Every record of a day and currency, by the id from the list.',
      { sections: ['authentication', 'reporting'] },
    ),
    reportSettlementPages: reading(
      '/reports/v2/reconciliations/aggregations/{id}',
      'settlement',
      'The records of a day and currency in pages of 100.',
      { sections: ['authentication', 'reporting'] },
    ),
    reportCsv: reading('/reports/v1/reconciliations/csv', 'csv', 'The reconciliation file of these days, as it is delivered.', {
      sections: ['authentication', 'reporting'],
      required: ['entityId', 'date.from', 'date.to'],
    }),
  }),
  ...tagged('registrations', {
    register: {
      method: 'POST',
      path: '/v1/registrations',
      access: 'token',
      sections: paymentSections,
      required: ['entityId'],
      summary: 'Store payment details.',
      answers: 'registration',
    },
    payRegistered: {
      method: 'POST',
      path: '/v1/registrations/{id}/payments',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'paymentType', 'amount', 'currency'],
      summary: 'Take a payment (PA, DB or CD) with stored payment details.',
      answers: 'payment',
    },
    listCustomerRegistrations: reading(
      '/v1/registrations',
      'registrations',
      'List the stored payment details of a customer that can be charged, masked, the newest 100.',
      { sections: ['authentication', 'customer'], required: ['entityId', 'customer.merchantCustomerId'] },
    ),
    readRegistration: reading('/v1/registrations/{id}', 'registration', 'Read stored payment details, masked.'),
    deregister: {
      method: 'DELETE',
      path: '/v1/registrations/{id}',
      access: 'token',
      sections: ['authentication', 'basic'],
      required: ['entityId'],
      summary: 'Delete stored payment details.',
      answers: 'registration',
    },
    extendLife: {
      method: 'POST',
      path: '/v1/registrations/{id}/extendlife',
      access: 'token',
      sections: ['authentication', 'basic'],
      required: ['entityId'],
      summary: 'Keep stored payment details longer, up to 24 months.',
      answers: 'registration',
    },
  }),
  ...tagged('checkouts', {
    createCheckout: {
      method: 'POST',
      path: '/v1/checkouts',
      access: 'token',
      sections: checkoutSections,
      required: ['entityId'],
      summary:
        'Create a checkout for the payment widget: a payment, or the storage of payment details. It is valid for 30 minutes.',
      answers: 'checkout',
    },
    updateCheckout: {
      method: 'POST',
      path: '/v1/checkouts/{id}',
      access: 'token',
      sections: checkoutSections,
      required: ['entityId'],
      summary: 'Update a checkout; sent parameters replace the stored ones.',
      answers: 'checkout',
    },
    readCheckoutPayment: reading(
      '/v1/checkouts/{id}/payment',
      'payment',
      'Read the payment status of a checkout, any number of times while it is valid.',
    ),
    readCheckoutRegistration: reading(
      '/v1/checkouts/{id}/registration',
      'registration',
      'Read the registration status of a checkout, any number of times while it is valid.',
    ),
    payCheckout: open(
      'POST',
      '/v1/checkouts/{id}/payment',
      'form',
      'Pay a checkout. The payment widget sends its form here; the answer to a browser is the page that the shopper sees next, to others ' +
        'the payment. With an access token and entityId it also carries out what the shopper has saved.',
    ),
    registerCheckout: open(
      'POST',
      '/v1/checkouts/{id}/registration',
      'form',
      'Store payment details with a checkout; nothing is charged.',
    ),
  }),
  ...tagged('widget', {
    sealFields: open(
      'POST',
      '/v1/checkouts/{id}/fields',
      'page',
      'Where the field frames of the widget have the fields of a card sealed for their checkout.',
    ),
    walletSession: open(
      'POST',
      '/v1/checkouts/{id}/walletSession',
      'page',
      'Where the widget has a shop proved to the wallet of a device, which then opens its sheet.',
    ),
  }),
  ...tagged('shopperPages', {
    checkoutReturn: open(
      'GET',
      '/v1/checkouts/{id}/return',
      'page',
      'The return page of a payment with the widget; it sends the shopper on to the shop.',
    ),
    paymentLink: open(
      'GET',
      '/pay/{id}',
      'page',
      'The page of a payment link: what is to be paid, the payment widget, and the result.',
    ),
  }),
  ...tagged('widget', {
    widgetSession: open(
      'GET',
      '/v1/checkouts/{id}/widget',
      'page',
      'What the payment widget shows, for any browser with the id of a checkout.',
    ),
    forgetStored: open(
      'POST',
      '/v1/checkouts/{id}/forget',
      'page',
      'Delete stored payment details that a checkout offers; the shopper wants them gone.',
    ),
    widgetScript: open('GET', '/v1/paymentWidgets.js', 'script', 'The script of the payment widget for one checkout.'),
    widgetBrandImage: open(
      'GET',
      '/v1/paymentWidgets/img/brand.png',
      'page',
      'The marks of all brands in one picture, by its older address.',
    ),
    widgetTypings: open(
      'GET',
      '/v1/static/paymentWidgets.d.ts',
      'page',
      'The options of the payment widget as TypeScript knows them.',
    ),
    widgetFile: open(
      'GET',
      '/v1/static/{build}/{folder}/{file}',
      'page',
      'One file of a build of the payment widget; it never changes.',
    ),
    widgetField: open('GET', '/v1/pciIframe.html', 'page', 'The page of one field of a card, inside the payment widget.'),
    widgetTarget: open('GET', '/v1/widgetTarget.html', 'page', 'The empty page that waits beside a form for the answer to it.'),
    widgetInventory: open(
      'GET',
      '/v1/widgetInventory.json',
      'page',
      'Every script and style of the payment widget with its hash.',
    ),
  }),
  ...tagged('authentications', {
    authenticate: {
      method: 'POST',
      path: '/v1/threeDSecure',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'amount', 'currency'],
      summary: 'Authenticate a cardholder by 3D Secure without a payment.',
      answers: 'payment',
    },
    readAuthentication: reading('/v1/threeDSecure/{id}', 'payment', 'Read the result of an authentication, with its proof.'),
  }),
  ...tagged('riskChecks', {
    assess: {
      method: 'POST',
      path: '/v1/risk',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'amount', 'currency'],
      summary: 'Check the risk of a payment without taking it.',
      answers: 'payment',
    },
    readAssessment: reading('/v1/risk/{id}', 'payment', 'Read the result of a risk check.'),
    screen: {
      method: 'POST',
      path: '/v1/redShield',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'amount', 'currency', 'merchantTransactionId'],
      summary: 'Alias of /v1/risk for existing clients.',
      answers: 'payment',
    },
    screenAgain: {
      method: 'POST',
      path: '/v2/redShield',
      access: 'token',
      sections: paymentSections,
      required: ['entityId', 'amount', 'currency', 'merchantTransactionId'],
      summary: 'Newer alias of /v1/risk for existing clients.',
      answers: 'payment',
    },
  }),
  ...tagged('schedules', {
    schedule: {
      method: 'POST',
      path: '/scheduling/v1/schedules',
      access: 'token',
      sections: checkoutSections,
      required: ['entityId', 'registrationId', 'amount', 'currency'],
      summary: 'Schedule recurring payments (DB, PA or CD) with stored payment details.',
      answers: 'schedule',
    },
    reschedule: {
      method: 'POST',
      path: '/scheduling/v1/schedules/{id}/reschedule',
      access: 'token',
      sections: checkoutSections,
      required: ['entityId'],
      summary: 'Change a schedule; parameters that are not sent stay, a sent job replaces the whole job.',
      answers: 'schedule',
    },
    deschedule: {
      method: 'POST',
      path: '/scheduling/v1/schedules/{id}/deschedule',
      access: 'token',
      sections: ['authentication', 'basic'],
      required: ['entityId'],
      summary: 'End a schedule, at once or when its notice period allows.',
      answers: 'schedule',
    },
    removeSchedule: {
      method: 'DELETE',
      path: '/scheduling/v1/schedules/{id}',
      access: 'token',
      sections: ['authentication', 'basic'],
      required: ['entityId'],
      summary: 'The same as deschedule.',
      answers: 'schedule',
    },
    readSchedule: reading(
      '/scheduling/v1/schedules/{id}',
      'schedule',
      'Read a schedule with its next runs, or all schedules of the stored payment details with this id.',
    ),
    previewSchedule: reading('/scheduling/v1/preview', 'schedule', 'Preview the runs of a job; creates nothing.', {
      sections: ['authentication', 'scheduling', 'preview'],
    }),
  }),
  ...webhookEndpoints,
  ...clockEndpoints,
  ...settlementEndpoints,
  ...scenarioEndpoints,
  ...accountEndpoints,
  ...developerEndpoints,
  ...paymentEndpoints,
  ...userEndpoints,
  ...riskEndpoints,
  ...routingEndpoints,
  ...storedEndpoints,
  ...statisticsEndpoints,
  ...auditEndpoints,
  ...reportEndpoints,
  ...tagged('ownAccount', {
    backOffice: open('GET', '/{page}', 'page', 'The pages of the back office, on its own port.'),
  }),
  ...tagged('catalogues', {
    resultCodes: open(
      'GET',
      '/v1/resultcodes',
      'resultCodes',
      'List every result code with class, group, advice and the text for the shopper, and the pattern of every group.',
    ),
    listBrands: open(
      'GET',
      '/v1/brands',
      'brands',
      'List every brand with method, workflow, countries, currencies and required parameters.',
    ),
  }),
  ...tagged('documentation', {
    openApi: open('GET', '/openapi.json', 'document', 'The whole API as an OpenAPI 3.1 document.'),
    merchantOpenApi: open(
      'GET',
      '/openapi.merchant.json',
      'document',
      'The API for merchants as an OpenAPI 3.1 document, with webhooks.',
    ),
    administrationOpenApi: open(
      'GET',
      '/openapi.administration.json',
      'document',
      'The administration API as an OpenAPI 3.1 document, with health and metrics.',
    ),
    merchantGeneratorsOpenApi: open(
      'GET',
      '/openapi.merchant.generators.json',
      'document',
      'The API for merchants as a plainer OpenAPI 3.0 document that stock code generators read.',
    ),
    administrationGeneratorsOpenApi: open(
      'GET',
      '/openapi.administration.generators.json',
      'document',
      'The administration API as a plainer OpenAPI 3.0 document that stock code generators read.',
    ),
    docs: open(
      'GET',
      '/docs',
      'document',
      'The documentation: guides, the API reference, result codes, a search, and a console for the sandbox.',
    ),
    docsPage: open('GET', '/docs/{page}', 'page', 'A page of the documentation.'),
    docsFile: open(
      'GET',
      '/docs/{folder}/{page}',
      'page',
      'A page of the documentation in a folder, or a file that its pages load.',
    ),
  }),
  ...tagged('operation', {
    live: open('GET', '/health/live', 'health', 'The process answers.'),
    ready: open(
      'GET',
      '/health/ready',
      'health',
      'The gateway can take payments: a trial write succeeded and its vital jobs run.',
    ),
    metrics: open('GET', '/metrics', 'document', 'Metrics for Prometheus.'),
  }),
  ...tagged('sandboxPages', {
    walletForm: open(
      'GET',
      '/sandbox/wallets',
      'page',
      'A page that makes tokens of device wallets; in the test environment only.',
    ),
    walletToken: open('POST', '/sandbox/wallets', 'page', 'Create a token of a device wallet. Test environment only.'),
    bankPage: open(
      'GET',
      '/sandbox/bank/{id}',
      'page',
      'The page of the simulated bank or wallet; in the test environment only.',
    ),
    bankChoice: open(
      'POST',
      '/sandbox/bank/{id}',
      'page',
      'What the shopper decided at the simulated bank; in the test environment only.',
    ),
  }),
  ...tagged('shopperPages', {
    shopperReturn: open(
      'GET',
      '/v1/return/{id}',
      'page',
      'The return address for banks and wallets; it sends the shopper on to the shopperResultUrl of the payment.',
    ),
    shopperReturnForm: open(
      'POST',
      '/v1/return/{id}',
      'page',
      'The same for banks and wallets that send the shopper back with a form.',
    ),
    componentPage: open(
      'GET',
      '/v1/component/{id}',
      'page',
      'The page on which a script of the acquirer authenticates the cardholder.',
    ),
    componentResult: open('POST', '/v1/component/{id}', 'page', 'Where that page sends its result to.'),
  }),
  ...tagged('notifications', {
    receiveNotification: open(
      'POST',
      '/v1/connectors/{name}/{id}/notifications',
      'page',
      'The address for notifications of an acquirer; {id} is the id of the entity that has the account, a dot and its name.',
    ),
  }),
  ...tagged('shopperPages', {
    threeDSPage: open('GET', '/v1/3ds/{id}', 'page', 'The page on which the cardholder is authenticated.'),
    threeDSBrowser: open('POST', '/v1/3ds/{id}/browser', 'page', 'Where the page that collects browser data sends it to.'),
    threeDSContinue: open(
      'GET',
      '/v1/3ds/{id}/continue',
      'page',
      'Where the shopper goes on after a step of the authentication.',
    ),
    threeDSMethod: open('POST', '/v1/3ds/{id}/method', 'page', 'Where the hidden frame of an issuer ends.'),
    threeDSReturn: open('POST', '/v1/3ds/{id}/return', 'page', 'Where an issuer sends the shopper back to.'),
    threeDSResults: open('POST', '/v1/3ds/{id}/results', 'page', 'Where a directory server sends the results of a challenge to.'),
  }),
  ...tagged('sandboxPages', {
    acsMethod: open(
      'POST',
      '/sandbox/acs/method',
      'page',
      'The hidden frame of the issuers of the sandbox; in the test environment only.',
    ),
    acsChallenge: open(
      'POST',
      '/sandbox/acs/challenge',
      'page',
      'The challenge of the issuers of the sandbox; in the test environment only.',
    ),
    acsApart: open(
      'GET',
      '/sandbox/acs/challenge',
      'page',
      'The same for a cardholder who is asked apart; in the test environment only.',
    ),
    acsAction: open(
      'POST',
      '/sandbox/acs/challenge/action',
      'page',
      'What the cardholder does there; in the test environment only.',
    ),
    acsApp: open(
      'POST',
      '/sandbox/acs/app',
      'page',
      'The challenge of the issuers of the sandbox for the SDK of an app, as JSON; in the test environment only.',
    ),
    demoProduct: open('GET', '/demo', 'page', 'The demo shop: a product; in the test environment only.'),
    demoCheckout: open(
      'GET',
      '/demo/checkout',
      'page',
      'The page of the demo shop with the payment widget; in the test environment only.',
    ),
    demoResult: open(
      'GET',
      '/demo/result',
      'page',
      'Where a shopper of the demo shop arrives in the end; in the test environment only.',
    ),
  }),
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
