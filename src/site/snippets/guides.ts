import type { Fields, Guide } from './languages.ts';

/** The requests of the guides, each described once. A test sends every one in every language that is installed. */

const order: Fields = { entityId: '{entityId}', amount: '92.00', currency: 'EUR' };
const cardOf = (number: string): Fields => ({
  'card.number': number,
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
});
const visa: Fields = { paymentBrand: 'VISA', ...cardOf('4200000000000000'), 'card.cvv': '123' };
const ann: Fields = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
const address: Fields = {
  'billing.street1': '17 Market Street',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
};
const own: Fields = { entityId: '{entityId}' };
const CODE = ['result', 'code'] as const;
const APPROVED = /^000\.(?:000\.|100\.1|300\.|400\.0)/;
const PENDING = /^000\.200/;

export const guides: readonly Guide[] = [
  {
    page: 'guides/first-payment',
    steps: [
      {
        id: 'payment',
        method: 'POST',
        path: '/v1/payments',
        form: { ...order, paymentType: 'DB', ...visa },
        keeps: { paymentId: 'id' },
        shows: CODE,
        expects: APPROVED,
      },
      { id: 'status', method: 'GET', path: '/v1/payments/{paymentId}', form: own, shows: CODE, expects: APPROVED },
    ],
  },
  {
    page: 'guides/widget',
    steps: [
      {
        id: 'checkout',
        method: 'POST',
        path: '/v1/checkouts',
        form: { ...order, paymentType: 'DB' },
        keeps: { checkoutId: 'id' },
        shows: CODE,
        expects: /^000\.200\.100$/,
      },
      { id: 'outcome', method: 'GET', path: '/v1/checkouts/{checkoutId}/payment', form: own, shows: CODE, expects: PENDING },
    ],
  },
  {
    page: 'guides/webhooks',
    steps: [
      {
        id: 'inbox',
        method: 'POST',
        path: '/admin/v1/inbox',
        json: own,
        keeps: { inboxId: 'id' },
        shows: ['id'],
        expects: /^\w+/,
      },
      {
        id: 'payment',
        method: 'POST',
        path: '/v1/payments',
        form: { ...order, paymentType: 'DB', ...visa },
        shows: CODE,
        expects: APPROVED,
      },
      { id: 'closed', method: 'DELETE', path: '/admin/v1/inbox/{inboxId}', form: {}, shows: ['id'], expects: /^\w+/ },
    ],
  },
  {
    page: 'guides/stored-cards',
    steps: [
      {
        id: 'registration',
        method: 'POST',
        path: '/v1/registrations',
        form: { ...own, ...visa, ...ann, 'customer.merchantCustomerId': 'ann-1' },
        keeps: { registrationId: 'id' },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'payment',
        method: 'POST',
        path: '/v1/registrations/{registrationId}/payments',
        form: {
          ...order,
          paymentType: 'DB',
          'standingInstruction.mode': 'INITIAL',
          'standingInstruction.source': 'CIT',
          'standingInstruction.type': 'UNSCHEDULED',
        },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'later',
        method: 'POST',
        path: '/v1/registrations/{registrationId}/payments',
        form: {
          ...order,
          amount: '17.00',
          paymentType: 'DB',
          'standingInstruction.mode': 'REPEATED',
          'standingInstruction.source': 'MIT',
          'standingInstruction.type': 'UNSCHEDULED',
        },
        shows: CODE,
        expects: APPROVED,
      },
      { id: 'removal', method: 'DELETE', path: '/v1/registrations/{registrationId}', form: own, shows: CODE, expects: APPROVED },
    ],
  },
  {
    page: 'guides/subscriptions',
    steps: [
      {
        id: 'first',
        method: 'POST',
        path: '/v1/payments',
        form: {
          ...order,
          amount: '17.00',
          paymentType: 'DB',
          ...visa,
          createRegistration: 'true',
          'standingInstruction.mode': 'INITIAL',
          'standingInstruction.source': 'CIT',
          'standingInstruction.type': 'RECURRING',
          'standingInstruction.recurringType': 'SUBSCRIPTION',
        },
        keeps: { registrationId: 'registrationId' },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'schedule',
        method: 'POST',
        path: '/scheduling/v1/schedules',
        form: {
          ...order,
          amount: '17.00',
          paymentType: 'DB',
          registrationId: '{registrationId}',
          'job.dayOfMonth': 'L',
          'job.month': '*',
        },
        keeps: { scheduleId: 'id' },
        shows: CODE,
        expects: APPROVED,
      },
      { id: 'ended', method: 'DELETE', path: '/scheduling/v1/schedules/{scheduleId}', form: own, shows: CODE, expects: APPROVED },
    ],
  },
  {
    page: 'guides/3d-secure',
    steps: [
      {
        id: 'payment',
        method: 'POST',
        path: '/v1/payments',
        form: {
          ...order,
          paymentType: 'DB',
          paymentBrand: 'VISA',
          ...cardOf('4200000000000018'),
          'card.cvv': '123',
          shopperResultUrl: 'https://shop.example/result',
          ...ann,
          ...address,
          'customer.ip': '192.0.2.1',
          'customer.browser.acceptHeader': 'text/html',
          'customer.browser.language': 'en',
          'customer.browser.screenHeight': '900',
          'customer.browser.screenWidth': '1440',
          'customer.browser.timezone': '0',
          'customer.browser.userAgent': 'Mozilla/5.0',
          'customer.browser.javaEnabled': 'false',
          'customer.browser.javascriptEnabled': 'true',
          'customer.browser.screenColorDepth': '24',
          'customer.browser.challengeWindow': '5',
        },
        keeps: { paymentId: 'id' },
        shows: CODE,
        expects: PENDING,
      },
      { id: 'status', method: 'GET', path: '/v1/payments/{paymentId}', form: own, shows: CODE, expects: PENDING },
    ],
  },
  {
    page: 'guides/refunds',
    steps: [
      {
        id: 'authorization',
        method: 'POST',
        path: '/v1/payments',
        form: { ...order, paymentType: 'PA', ...visa },
        keeps: { authorizationId: 'id' },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'capture',
        method: 'POST',
        path: '/v1/payments/{authorizationId}',
        form: { ...order, amount: '60.00', paymentType: 'CP' },
        keeps: { captureId: 'id' },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'refund',
        method: 'POST',
        path: '/v1/payments/{captureId}',
        form: { ...order, amount: '10.00', paymentType: 'RF' },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'other',
        method: 'POST',
        path: '/v1/payments',
        form: { ...order, paymentType: 'PA', ...visa },
        keeps: { otherId: 'id' },
        shows: CODE,
        expects: APPROVED,
      },
      {
        id: 'reversal',
        method: 'POST',
        path: '/v1/payments/{otherId}',
        form: { ...own, paymentType: 'RV' },
        shows: CODE,
        expects: APPROVED,
      },
    ],
  },
  {
    page: 'guides/risk',
    steps: [
      {
        id: 'assessment',
        method: 'POST',
        path: '/v1/risk',
        form: { ...order, ...visa, ...ann, 'customer.email': 'ann@example.org', 'customer.ip': '192.0.2.1' },
        keeps: { assessmentId: 'id' },
        shows: CODE,
        expects: /^000\.300\.100$/,
      },
      { id: 'again', method: 'GET', path: '/v1/risk/{assessmentId}', form: own, shows: CODE, expects: /^000\.300\.100$/ },
    ],
  },
  {
    page: 'guides/reconciliation',
    steps: [
      {
        id: 'aggregations',
        method: 'GET',
        path: '/reports/v1/reconciliations/aggregations',
        form: { ...own, 'date.from': '2026-01-01', 'date.to': '2026-01-31' },
        shows: CODE,
        expects: /^700\.400\.580$/,
      },
    ],
  },
  {
    page: 'guides/testing',
    steps: [
      {
        id: 'declined',
        method: 'POST',
        path: '/v1/payments',
        form: { ...order, paymentType: 'DB', ...visa, 'customParameters[forceResultCode]': '800.100.155' },
        shows: CODE,
        expects: /^800\.100\.155$/,
      },
      {
        id: 'silent',
        method: 'POST',
        path: '/v1/payments',
        form: { ...order, paymentType: 'DB', ...visa, 'customParameters[SCENARIO]': 'booked-but-silent' },
        shows: CODE,
        expects: PENDING,
      },
      {
        id: 'clock',
        method: 'POST',
        path: '/admin/v1/clock',
        json: { entityId: '{entityId}', by: 'P1M' },
        shows: ['now'],
        expects: /^\d{4}-/,
      },
      {
        id: 'real',
        method: 'POST',
        path: '/admin/v1/clock',
        json: { entityId: '{entityId}', real: 'true' },
        shows: ['now'],
        expects: /^\d{4}-/,
      },
    ],
  },
];
