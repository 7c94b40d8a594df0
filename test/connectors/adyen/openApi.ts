import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

/** Where the contracts lie: beside the repository or one folder further up; null where they are absent. */
const folder =
  ['..', '../..'].map((up) => join(import.meta.dirname, '../../..', up, 'shared/facts/contracts/adyen')).find(existsSync) ?? null;

export const hasContract = folder !== null;

type Operation = { readonly requestBody?: { readonly content: Json } };
type Contract = {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly webhooks: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: {
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly schemas: Json;
  };
};

const read = (name: string): Contract => JSON.parse(readFileSync(join(folder ?? '', name), 'utf8')) as Contract;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function validators(name: string) {
  const contract = read(name);
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    // Compiling costs more than the few thousand requests that the code checks.
    code: { optimize: false },
    formats: { int32: true, int64: true, double: true, date: true, 'date-time': true, byte: BASE64 },
  });
  ajv.addSchema(contract, name);
  const made = new Map<string, ValidateFunction>();
  return {
    contract,
    /** Null: the value fits the schema. */
    faultOf(schema: string, value: unknown): string | null {
      const validate = made.get(schema) ?? ajv.compile({ $ref: `${name}#/components/schemas/${schema}` });
      made.set(schema, validate);
      return validate(value) ? null : `${schema}: ${ajv.errorsText(validate.errors).slice(0, 300)}`;
    },
  };
}

let checkout: ReturnType<typeof validators> | null = null;
let webhooks: ReturnType<typeof validators> | null = null;

/** The contract of the Checkout API. Only where it is present. */
export const checkoutContract = () => (checkout ??= validators('CheckoutService-v72.json'));
/** The contract of the standard webhooks. Only where it is present. */
export const webhookContract = () => (webhooks ??= validators('Webhooks-v1.json'));

/** The request schemas of the paths that the connector uses. */
const requestSchemas: Readonly<Record<string, string>> = {
  '/payments': 'PaymentRequest',
  '/payments/details': 'PaymentDetailsRequest',
  '/cancels': 'StandalonePaymentCancelRequest',
  captures: 'PaymentCaptureRequest',
  cancels: 'PaymentCancelRequest',
  refunds: 'PaymentRefundRequest',
  reversals: 'PaymentReversalRequest',
  amountUpdates: 'PaymentAmountUpdateRequest',
};

const SHAPE = /^\/payments\/[A-Z0-9]{16}\/([a-zA-Z]+)$/;

/** Why a request does not fit the contract; null when it does, or where there is no contract to compare with. */
export function requestFault(path: string, body: unknown): string | null {
  const schema = requestSchemas[path] ?? requestSchemas[SHAPE.exec(path)?.[1] ?? ''];
  if (schema === undefined) return `no path ${path}`;
  return hasContract ? checkoutContract().faultOf(schema, body) : null;
}
