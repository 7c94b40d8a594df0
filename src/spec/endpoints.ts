import type { SectionName } from './parameters.ts';

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

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{id}` stands for one path segment. */
  readonly path: string;
  /** Who may call: `token` an access token or legacy parameters; `none` anyone. */
  readonly access: 'token' | 'none';
  readonly sections: readonly SectionName[];
  /** Parameters that must be there whatever else is sent. */
  readonly required: readonly string[];
  readonly summary: string;
  /** What comes back. A page is for people: the description of the API leaves it out. */
  readonly answers: 'payment' | 'registration' | 'resultCodes' | 'document' | 'page' | 'health';
};

/** Every address the gateway answers at. The router, the OpenAPI file and the generated tests read this table. */
export const endpoints = {
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
    summary: 'Capture (CP), reverse (RV) or refund (RF) the payment with this id.',
    answers: 'payment',
  },
  read: {
    method: 'GET',
    path: '/v1/payments/{id}',
    access: 'token',
    sections: ['authentication'],
    required: ['entityId'],
    summary: 'Read a payment.',
    answers: 'payment',
  },
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
    summary: 'Take a payment (PA, DB or CD) with the stored payment details of this id.',
    answers: 'payment',
  },
  readRegistration: {
    method: 'GET',
    path: '/v1/registrations/{id}',
    access: 'token',
    sections: ['authentication'],
    required: ['entityId'],
    summary: 'Read stored payment details, as far as they may be shown.',
    answers: 'registration',
  },
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
  resultCodes: {
    method: 'GET',
    path: '/v1/resultcodes',
    access: 'none',
    sections: [],
    required: [],
    summary: 'List every result code with its text.',
    answers: 'resultCodes',
  },
  openApi: {
    method: 'GET',
    path: '/openapi.json',
    access: 'none',
    sections: [],
    required: [],
    summary: 'This API as an OpenAPI 3.1 document.',
    answers: 'document',
  },
  docs: {
    method: 'GET',
    path: '/docs',
    access: 'none',
    sections: [],
    required: [],
    summary: 'The API reference as a page.',
    answers: 'document',
  },
  live: {
    method: 'GET',
    path: '/health/live',
    access: 'none',
    sections: [],
    required: [],
    summary: 'The process is alive.',
    answers: 'health',
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    access: 'none',
    sections: [],
    required: [],
    summary: 'The gateway can take payments: its store answers.',
    answers: 'health',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    access: 'none',
    sections: [],
    required: [],
    summary: 'Figures for Prometheus.',
    answers: 'document',
  },
  walletForm: {
    method: 'GET',
    path: '/sandbox/wallets',
    access: 'none',
    sections: [],
    required: [],
    summary: 'A page that makes tokens of device wallets; in the test environment only.',
    answers: 'page',
  },
  walletToken: {
    method: 'POST',
    path: '/sandbox/wallets',
    access: 'none',
    sections: [],
    required: [],
    summary: 'Make a token of a device wallet; in the test environment only.',
    answers: 'page',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
