import {
  admin,
  count,
  ENTITY,
  flag,
  id,
  instant,
  type Kind,
  limit,
  matching,
  name,
  oneLine,
  oneOf,
  optional,
  required,
  sameAs,
  tagged,
  token,
} from '../admin/kinds.ts';
import { brands } from '../cards/brands.ts';
import { languageCodes } from '../languages.ts';
import { basic } from '../parameters/basic.ts';
import { scheduling } from '../parameters/storedCredentials.ts';
import { CHECKOUT_ID } from '../widget.ts';
import { key, merchantCustomerId } from './payments.ts';

/** Registrations, checkouts, payment links and schedules of merchants. */

export const mandateStates = ['active', 'ended', 'lapsed'] as const;
export const registrationStates = ['open', 'active', 'rejected', 'deleted'] as const;
export const checkoutStates = ['open', 'over'] as const;
export const scheduleStates = ['active', 'ending', 'over'] as const;

const last4 = matching(/^[0-9A-Za-z]{4}$/, 'must be the last four of the number', {
  good: ['0000', '1111'],
  bad: ['000', '00000', '4200000000000000', '00 0'],
});

const holder = matching(/^(?!.*[0-9]{12})[^\p{C}]{2,64}$/u, 'must be a part of a name, 2 to 64 characters', {
  good: ['Example', 'Jürgen'],
  bad: ['x', 'x'.repeat(65), 'two\nlines', '4200000000000000'],
});

const checkoutId = matching(CHECKOUT_ID, 'must be the id of a checkout', {
  good: ['0123456789ABCDEF0123456789ABCDEF-node-1'],
  bad: ['0123456789abcdef0123456789abcdef', '0123456789ABCDEF0123456789ABCDEF', 'x', '-node-1'],
});

export const listPlace = token(/^[0-9]{1,16}-[0-9A-Za-z.-]{1,64}$/, 'must be as it was answered', {
  good: ['1790000000000-0123456789abcdef0123456789abcdef'],
  bad: ['x', '1790000000000', '-', '1-a b'],
});

const mandatePlace = token(/^[0-9]{1,16}-(?:[0-9a-f]{2}){3,300}$/, 'must be as it was answered', {
  good: ['1790000000000-62616e6b2f4d'],
  bad: ['x', '1790000000000', '1790000000000-6', '1-a b'],
});

const mandateId = token(/^[\x20-\x7e]{1,35}$/, 'must be the id of a mandate, at most 35 characters', {
  good: ['M-17', 'Mandate/2026'],
  bad: ['x'.repeat(36), 'ü', 'two\nlines'],
});

const amount = token(/^[0-9]{1,10}\.[0-9]{2}$/, 'must be an amount such as 92.00', {
  good: ['92.00', '0.01'],
  bad: ['-1.00', '92', '92.0', '92,00', '1e3', '12345678901.00'],
});

const chargedAmount = matching(/^(?!0+\.00$)[0-9]{1,10}\.[0-9]{2}$/, 'must be an amount above zero such as 92.00', {
  good: ['92.00', '0.01', '10.00'],
  bad: ['0.00', '00.00', '-1.00', '92', '92.0', '92,00', '1e3', '12345678901.00'],
});

const currency = matching(/^[A-Z]{3}$/, 'must be an ISO 4217 code', { good: ['EUR'], bad: ['eur', 'EURO', 'E1R'] });

/** A text for the shopper: one line, without card numbers and characters that change the direction of text. */
const description = oneLine(
  [1, 127],
  {
    good: ['Invoice 4711', 'Anzahlung für März'],
    bad: ['', ' ', 'a\u202Eb', 'a\u2028b', 5, null],
  },
  true,
);

const reference = oneLine([8, 255], { good: ['invoice-4711', 'customer 17'], bad: ['short', 5, null] });

const personName: Kind<string> = { ...name, isSecret: true };

const email: Kind<string> = {
  message: 'must be an e-mail address of at most 128 characters',
  schema: { type: 'string', format: 'email', maxLength: 128 },
  parse: (value) =>
    typeof value === 'string' && value.length <= 128 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(value)
      ? value
      : undefined,
  good: ['ann@shop.example'],
  bad: ['ann', '@shop.example', 'a b@shop.example', `${'x'.repeat(128)}@shop.example`, 5, null],
  isSecret: true,
};

const BRANDS_MAX = 20;
const brandList: Kind<readonly string[]> = {
  message: `must be a list of 1 to ${BRANDS_MAX} brands, each once`,
  schema: {
    type: 'array',
    items: { type: 'string', enum: Object.keys(brands) },
    minItems: 1,
    maxItems: BRANDS_MAX,
    uniqueItems: true,
  },
  parse: (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > BRANDS_MAX) return undefined;
    const isKnown = value.every((one) => typeof one === 'string' && Object.hasOwn(brands, one));
    return isKnown && new Set(value).size === value.length ? value : undefined;
  },
  good: [['VISA'], ['VISA', 'PAYPAL']],
  bad: [[], ['visa'], ['VISA', 'VISA'], ['toString'], 'VISA', null],
};

/** A month. */
const LINK_HOURS_MAX = 31 * 24;

const entityId = required(id, 'Any entity; entities below it are included.', ENTITY);
const merchant = required(id, 'A merchant.', ENTITY);
const after = optional(listPlace, '`next` of the previous page.');
const language = optional(oneOf(['en', 'de']), 'Language of the description; default en.');

const expression = sameAs(scheduling['job.expression']);
const EXPRESSION =
  'When it charges: second, minute, hour, day of month, month, day of week and optionally year of a cron expression.';
const EXPRESSION_EXAMPLE = '0 30 6 1 * ?';

/** The most payments that a schedule can be limited to. */
const PAYMENTS_MAX = 1_000;

/** When a schedule begins and ends. */
const runs = {
  startDate: optional(sameAs(scheduling['job.startDate']), 'No payment before this time of the time zone of the channel.'),
  endDate: optional(sameAs(scheduling['job.endDate']), 'No payment after this time of the time zone of the channel.'),
  payments: optional(
    count(1, PAYMENTS_MAX),
    'The number of payments from now on: sets the end date. Not together with endDate.',
    12,
  ),
} as const;

const terms = {
  ...runs,
  name: optional(sameAs(scheduling['job.name']), 'A display name.', 'Gold membership'),
  descriptor: optional(sameAs(basic.descriptor), "The text on the shopper's statement.", 'Gold membership'),
  merchantTransactionId: optional(reference, 'Your reference, kept with each payment.'),
  testMode: optional(
    sameAs(basic.testMode),
    'Test environment only. INTERNAL (default): simulators; EXTERNAL: the test system of the acquirer.',
    'INTERNAL',
  ),
} as const;

export const storedEndpoints = {
  ...tagged('adminRegistrations', {
    listRegistrations: admin('GET', '/admin/v1/registrations', 'readPayments', 'List stored payment details, newest first.'),
    seeRegistration: admin(
      'GET',
      '/admin/v1/registrations/{id}',
      'readPayments',
      'Read stored payment details, masked, with their schedules.',
    ),
    listUses: admin(
      'GET',
      '/admin/v1/registrations/{id}/payments',
      'readPayments',
      'List the payments with stored payment details, newest first.',
    ),
    removeRegistration: admin(
      'DELETE',
      '/admin/v1/registrations/{id}',
      'registrations',
      'Delete stored payment details; their number is erased.',
    ),
  }),
  ...tagged('mandates', {
    listMandates: admin(
      'GET',
      '/admin/v1/mandates',
      'readPayments',
      'List direct debit mandates of a merchant, newest first, with the next collection and the text for the payer.',
    ),
    seeMandate: admin('GET', '/admin/v1/mandates/{id}', 'readPayments', 'Read a direct debit mandate with its collections.'),
    endMandate: admin(
      'DELETE',
      '/admin/v1/mandates/{id}',
      'registrations',
      'End a direct debit mandate: nothing more is collected by it. Collections that were taken before are still sent.',
    ),
  }),
  ...tagged('customers', {
    listCustomers: admin(
      'GET',
      '/admin/v1/customers',
      'readPayments',
      'Find a customer by its merchantCustomerId: one row for each merchant that knows it.',
    ),
    seeCustomer: admin(
      'GET',
      '/admin/v1/customer',
      'readPayments',
      'Read a customer of a merchant: totals, stored payment details and schedules.',
    ),
  }),
  ...tagged('adminCheckouts', {
    listCheckouts: admin('GET', '/admin/v1/checkouts', 'readPayments', 'List checkouts, newest first.'),
    seeCheckout: admin('GET', '/admin/v1/checkouts/{id}', 'readPayments', 'Read a checkout with its attempts.'),
    createPaymentLink: admin(
      'POST',
      '/admin/v1/paymentLinks',
      'paymentLinks',
      'Create a payment link: a checkout with a page of the gateway, for a shopper without a shop.',
    ),
    endPaymentLink: admin('DELETE', '/admin/v1/paymentLinks/{id}', 'paymentLinks', 'Deactivate a payment link that is not paid.'),
  }),
  ...tagged('adminSchedules', {
    listSchedules: admin('GET', '/admin/v1/schedules', 'readPayments', 'List schedules, newest first.'),
    seeSchedule: admin('GET', '/admin/v1/schedules/{id}', 'readPayments', 'Read a schedule with its next and past runs.'),
    previewRuns: admin('GET', '/admin/v1/schedulePreview', 'readPayments', 'Preview the runs of a schedule; creates nothing.'),
    createSchedule: admin(
      'POST',
      '/admin/v1/schedules',
      'setUpSchedules',
      'Create a schedule that charges stored payment details.',
      { stepUp: true },
    ),
    changeSchedule: admin(
      'POST',
      '/admin/v1/schedules/{id}',
      'setUpSchedules',
      'Change a schedule; fields that are not sent stay.',
      { stepUp: true },
    ),
    cancelSchedule: admin(
      'DELETE',
      '/admin/v1/schedules/{id}',
      'schedules',
      'End a schedule, at once or when its notice period allows.',
    ),
  }),
} as const;

export const storedFields = {
  listRegistrations: {
    entityId,
    id: optional(id, 'Only this id.'),
    last4: optional(last4, 'Only instruments with these last four characters.'),
    holder: optional(holder, "Only those whose holder's name contains this."),
    state: optional(oneOf(registrationStates), 'Only those in this state.'),
    after,
    limit,
  },
  seeRegistration: { entityId, language },
  listUses: { entityId, after, limit },
  removeRegistration: { entityId },
  listMandates: {
    entityId: merchant,
    mandateId: optional(mandateId, 'Only the mandate with this complete id.'),
    customerId: optional(merchantCustomerId, 'Only mandates of this customer, by your own id.'),
    last4: optional(last4, 'Only accounts with these last four characters.'),
    state: optional(oneOf(mandateStates), 'Only those in this state.'),
    upcoming: optional(flag, 'Only those with a collection to come.'),
    language,
    after: optional(mandatePlace, '`next` of the previous page.'),
    limit,
  },
  seeMandate: { entityId: merchant, language },
  endMandate: { entityId: merchant },
  listCustomers: { entityId, merchantCustomerId: required(merchantCustomerId, 'The complete id of the customer.') },
  seeCustomer: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    merchantCustomerId: required(merchantCustomerId, 'The complete id of the customer.'),
    language,
  },
  listCheckouts: {
    entityId,
    id: optional(checkoutId, 'Only this id.'),
    state: optional(oneOf(checkoutStates), 'open: still valid.'),
    from: optional(instant, 'Only those created at or after this instant.'),
    to: optional(instant, 'Only those created before this instant.'),
    after,
    limit,
  },
  seeCheckout: { entityId },
  createPaymentLink: {
    entityId: required(id, 'The channel that takes the payment, or a merchant with channel dispatching.', ENTITY),
    amount: required(amount, 'The amount, in units of the currency.'),
    currency: required(currency, 'ISO 4217 code of the currency.'),
    paymentType: optional(oneOf(['DB', 'PA']), 'DB: debit; PA: authorize, capture later. Default DB.'),
    description: optional(description, 'What the shopper pays for; shown on the page.'),
    merchantTransactionId: optional(reference, 'Your reference, such as the number of an invoice; shown on the page.'),
    merchantCustomerId: optional(merchantCustomerId, 'Your id of the customer.'),
    givenName: optional(
      personName,
      "The customer's first name. Most channels want both names with any data of the customer.",
      'Ann',
    ),
    surname: optional(personName, "The customer's last name.", 'Example'),
    email: optional(email, "The customer's e-mail address, kept with the payment."),
    brands: optional(brandList, 'The brands that the page offers; default: every card brand of the channel.'),
    hours: optional(count(1, LINK_HOURS_MAX), 'How long the link is valid; default 72.', 72),
    language: optional(oneOf(languageCodes), 'Language of the page; default: the one that the browser asks for.', 'en'),
  },
  endPaymentLink: { entityId },
  listSchedules: {
    entityId,
    id: optional(id, 'Only this id.'),
    state: optional(oneOf(scheduleStates), 'Only those in this state.'),
    after,
    limit,
    language,
  },
  seeSchedule: { entityId, language },
  previewRuns: {
    entityId: required(id, 'The channel that takes the payments: its time zone counts.', ENTITY),
    ...runs,
    expression: required(expression, EXPRESSION, EXPRESSION_EXAMPLE),
    language,
  },
  createSchedule: {
    entityId,
    registrationId: required(id, 'The stored payment details. The channel that stored them takes the payments.'),
    ...terms,
    amount: required(chargedAmount, 'The amount of each payment, in units of the currency.'),
    currency: required(currency, 'ISO 4217 code of the currency.'),
    expression: required(expression, EXPRESSION, EXPRESSION_EXAMPLE),
    key: required(key, 'Idempotency key: a repeated request with the same key is done once.'),
    language,
  },
  changeSchedule: {
    entityId,
    ...terms,
    amount: optional(chargedAmount, 'The amount of each payment.'),
    currency: optional(currency, 'ISO 4217 code of the currency.'),
    expression: optional(expression, EXPRESSION, EXPRESSION_EXAMPLE),
    noEnd: optional(flag, 'Remove the end date.'),
    key: required(key, 'Idempotency key: a repeated request with the same key is done once.'),
    language,
  },
  cancelSchedule: { entityId },
} as const;
