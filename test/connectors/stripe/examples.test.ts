import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codeOf, declineCodes, disputeReasons, errorCodes } from '../../../src/connectors/stripe/codes.ts';
import { notificationTypes } from '../../../src/connectors/stripe/notifications.ts';
import { readCharge, readDispute, readError, readIntent, readList, readRefund } from '../../../src/connectors/stripe/objects.ts';
import { stripe } from '../../../src/connectors/stripe/stripe.ts';
import { isRecord } from '../../../src/runtime/json.ts';
import { isChargebackReason, isNegative } from '../../../src/spec/resultCodes.ts';
import { readContract, readContractFile } from './contractFile.ts';

const contract = readContract();
const absent = contract === null ? 'the contracts are not beside the repository' : false;

/** Objects that the connector reads, by their kind. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  payment_intent: readIntent,
  setup_intent: readIntent,
  charge: readCharge,
  refund: readRefund,
  dispute: readDispute,
  list: readList,
  search_result: readList,
};

function examplesOf(): readonly (readonly [string, unknown])[] {
  const answers = Object.entries(contract?.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, body]) => {
        const example = body.content?.['application/json']?.example;
        return example === undefined ? [] : [[`${method} ${path} ${status}`, example] as const];
      }),
    ),
  );
  const fixtures = readContractFile('fixtures3.subset.json') as { readonly resources: object } | null;
  return [...answers, ...Object.entries(fixtures?.resources ?? {})];
}

test('every answer and sample of the contract that the connector uses is read', { skip: absent }, () => {
  let read = 0;
  for (const [name, example] of examplesOf()) {
    assert.ok(isRecord(example), name);
    if (isRecord(example.error)) assert.ok(readError(example.error), name);
    const reader = readers[String(example.object)];
    if (reader) assert.ok(reader(example), name);
    read += reader || example.error ? 1 : 0;
  }
  assert.ok(read > 40, `only ${read} were read`);
});

/** Errors of requests that the connector never sends, or that say no more than "declined" or "the request is wrong". */
const GENERIC = `
  account_country account_error account_information account_token acss alipay anomalous application_fees
  balance_invalid bank_account_exists bank_account_unverified bank_account_verification bitcoin
  cardholder_phone charge_invalid clearing country_code coupon customer_ dispute_evidence email_invalid
  failed_tax financial_ forwarding_ idempotency_key instant_payouts intent_verification invalid_canceled
  invalid_characters invalid_mandate invalid_source invalid_tax invoice_ lock_timeout missing not_allowed_on
  out_of_inventory ownership parameter payment_evaluation payment_intent_invalid payment_intent_konbini
  payment_intent_rate payment_method_bank_account_already payment_method_configuration payment_method_invalid
  payment_method_microdeposit payout postal_code product_ progressive rate_limit resource_already return_intent
  routing service_period setup_intent_invalid setup_intent_mobile shipping siret sku smart_disputes
  state_unsupported status_transition storer stripe_tax subscription tax terminal tls token_ transfer url_
`
  .trim()
  .split(/\s+/);

test('every code of the contract is mapped, or is on the list of those that are mapped generically', { skip: absent }, () => {
  const known = contract?.components.schemas.PaymentIntent?.properties?.last_payment_error?.properties?.code?.['x-known'] ?? [];
  assert.ok(known.length > 100);
  const generic = known.filter((code) => errorCodes[code] === undefined);
  assert.deepEqual(
    generic.filter((code) => !GENERIC.some((start) => code.startsWith(start))),
    [],
  );
});

test('every mapped code is one of the catalogue, of its kind', () => {
  for (const code of [...Object.values(declineCodes), ...Object.values(errorCodes)]) assert.ok(isNegative(code), code);
  for (const code of Object.values(disputeReasons)) assert.ok(isChargebackReason(code), code);
});

const error = {
  type: 'card_error',
  code: null,
  declineCode: null,
  adviceCode: null,
  networkAdviceCode: null,
  networkDeclineCode: null,
  param: null,
};
const codes = [
  ['the reason of the issuer first', { code: 'card_declined', declineCode: 'lost_card' }, '800.100.165'],
  ['an unknown reason by its code', { code: 'expired_card', declineCode: 'brand_new' }, '800.100.157'],
  ['an unknown refusal of a card', { declineCode: 'brand_new' }, '800.100.100'],
  ['a request that is wrong', { type: 'invalid_request_error', code: 'parameter_unknown' }, '800.100.190'],
  ['a name that every object has', { type: 'invalid_request_error', code: 'constructor' }, '800.100.190'],
] as const;
for (const [name, changes, code] of codes) test(`code: ${name}`, () => assert.equal(codeOf({ ...error, ...changes }), code));

test('the page of the connector names every setting, secret and event', () => {
  const page = readFileSync(new URL('../../../docs/connectors/stripe.md', import.meta.url), 'utf8');
  const { settings, secrets } = stripe.accounts;
  const names = [...Object.keys(settings), ...Object.keys(secrets), ...notificationTypes];
  assert.deepEqual(
    names.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});
