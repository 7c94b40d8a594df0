import { OperatorError } from '../../app/operatorError.ts';
import { type Command, type Context, parseFlaggedOptions, requiredOption, UsageError } from '../command.ts';
import { createGatewayClient, type GatewayClient, gatewayOptions, gatewayUsage } from '../gatewayClient.ts';
import { counted, formatTable } from '../output.ts';

/** The part of the context that the command needs. */
export type WebhooksNeeds = Pick<Context, 'print' | 'printError' | 'readText'>;

/** Webhooks of a running gateway, by its administration API. */
export const webhooksCommand: Command = {
  name: 'webhooks',
  summary: 'set up webhooks of a running gateway, list their deliveries, redeliver events',
  usage: [
    'webhooks list|add|test|rotate|off|remove|deliveries|resend [options]',
    '  --id id            the webhook; needed by everything but list and add',
    '  --address address  add: where it is, such as https://shop.example/hook',
    '  --name text        add: a label',
    '  --types list       add: some of PAYMENT,REGISTRATION,SCHEDULE,RISK; all without it',
    '  --fields set       add: ALL or NON_CUSTOMER_DATA',
    '  --wrapper kind     add: NONE or JSON',
    '  --key-file path    add, rotate: a file with the key, 64 hexadecimal digits; one is made without it',
    '  --until-hours n    rotate: how much longer the key before is good; 24 without it',
    '  --state state      deliveries, resend: due, delivered or dead',
    '  --from, --to time  deliveries, resend: what happened then, such as 2031-10-02T09:15:31Z',
    '  --limit n          deliveries: how many at most, up to 200',
    '  --after id         deliveries: only what is older than this one',
    '  --deliveries list  resend: these, by their ids',
    '  --failed           resend: everything that was not delivered',
    ...gatewayUsage,
  ].join('\n'),
  run: (words, context) => webhooks(words, context),
};

const ownOptions = [
  'id',
  'address',
  'name',
  'types',
  'fields',
  'wrapper',
  'key-file',
  'until-hours',
  'state',
  'from',
  'to',
  'limit',
  'after',
  'deliveries',
] as const;
type Texts = Readonly<Partial<Record<(typeof ownOptions)[number], string>>>;
type WebhookOptions = {
  readonly texts: Texts;
  readonly isFailed: boolean;
  readonly gateway: GatewayClient;
  readonly context: WebhooksNeeds;
};

/** The arguments of each action; anything else on the line is a misuse. */
const actions = {
  list: { run: list, takes: [] },
  add: { run: add, takes: ['address', 'name', 'types', 'fields', 'wrapper', 'key-file'] },
  test: { run: tryOut, takes: ['id'] },
  rotate: { run: rotate, takes: ['id', 'key-file', 'until-hours'] },
  off: { run: off, takes: ['id'] },
  remove: { run: remove, takes: ['id'] },
  deliveries: { run: deliveries, takes: ['id', 'state', 'from', 'to', 'limit', 'after'] },
  resend: { run: resend, takes: ['id', 'state', 'from', 'to', 'deliveries'] },
} as const satisfies Record<string, { run: (asked: WebhookOptions) => Promise<number>; takes: readonly (keyof Texts)[] }>;

export async function webhooks([action, ...words]: readonly string[], context: WebhooksNeeds): Promise<number> {
  if (action === undefined || !Object.hasOwn(actions, action)) {
    throw new UsageError(`say what to do: ${Object.keys(actions).join(', ')}`);
  }
  const { run, takes } = actions[action as keyof typeof actions];
  const { texts, flags } = parseFlaggedOptions(words, [...gatewayOptions, ...ownOptions], ['failed']);
  const stray = ownOptions.find((name) => texts[name] !== undefined && !(takes as readonly string[]).includes(name));
  if (stray !== undefined) throw new UsageError(`--${stray}: does not go with ${action}`);
  if (flags.failed && action !== 'resend') throw new UsageError('--failed: goes with resend');
  return run({ texts, isFailed: flags.failed === true, gateway: createGatewayClient(texts, context), context });
}

/** The webhook that the command line names. */
const webhookIn = ({ texts }: WebhookOptions) => ({ id: requiredOption(texts.id, 'id') });

async function list({ gateway, context }: WebhookOptions): Promise<number> {
  const { webhooks: own } = await gateway.call('listWebhooks', { values: { entityId: gateway.entityId } });
  if (own.length === 0) context.printError(`${gateway.entityId} has no webhook.`);
  const rows = own.map(({ id, name, state, url, types, why }) => [id, name, state, types.join(','), url, why ?? '']);
  if (rows.length > 0)
    for (const line of formatTable([['ID', 'NAME', 'STATE', 'TYPES', 'ADDRESS', 'WHY'], ...rows])) context.print(line);
  return 0;
}

const KEY_ONCE = 'The key is not shown again: keep it where your receiver finds it.';

async function add({ texts, gateway, context }: WebhookOptions): Promise<number> {
  const made = await gateway.call('createWebhook', {
    values: {
      entityId: gateway.entityId,
      name: requiredOption(texts.name, 'name'),
      url: requiredOption(texts.address, 'address'),
      types: texts.types?.split(','),
      fields: texts.fields,
      wrapper: texts.wrapper,
      ...keyOf(texts, context),
    },
  });
  context.print(`id   ${made.id}`);
  if (texts['key-file'] === undefined) context.print(`key  ${made.key}`);
  context.printError(`${KEY_ONCE} Nothing is sent before turnpike webhooks test --id ${made.id}`);
  return 0;
}

function keyOf(texts: Texts, { readText }: WebhooksNeeds): { readonly key?: string } {
  const path = texts['key-file'];
  if (path === undefined) return {};
  try {
    return { key: readText(path).trim() };
  } catch {
    throw new OperatorError(`--key-file: ${JSON.stringify(path)} cannot be read`);
  }
}

async function tryOut(asked: WebhookOptions): Promise<number> {
  const { test, url, state } = await asked.gateway.call('testWebhook', { parameters: webhookIn(asked) });
  if (!test.delivered) throw new OperatorError(`${url} did not take the test delivery: ${test.why}; it is ${state}`);
  asked.context.print(`${url} took the test delivery in ${test.ms} ms; it is ${state}.`);
  return 0;
}

async function rotate(asked: WebhookOptions): Promise<number> {
  const { texts, gateway, context } = asked;
  const hours = texts['until-hours'];
  if (hours !== undefined && !/^[0-9]{1,3}$/.test(hours)) throw new UsageError('--until-hours: a whole number');
  const values = { untilHours: hours === undefined ? undefined : Number(hours), ...keyOf(texts, context) };
  const { key } = await gateway.call('rotateWebhookKey', { parameters: webhookIn(asked), values });
  if (texts['key-file'] === undefined) context.print(`key  ${key}`);
  context.printError(KEY_ONCE);
  return 0;
}

async function off(asked: WebhookOptions): Promise<number> {
  const { name } = await asked.gateway.call('switchOffWebhook', { parameters: webhookIn(asked) });
  asked.context.print(`${name} is off; a test delivery switches it on again.`);
  return 0;
}

async function remove(asked: WebhookOptions): Promise<number> {
  await asked.gateway.call('removeWebhook', { parameters: webhookIn(asked) });
  asked.context.print('It is removed, with everything that was on its way to it.');
  return 0;
}

async function deliveries(asked: WebhookOptions): Promise<number> {
  const { texts, gateway, context } = asked;
  const { state, from, to, limit, after } = texts;
  const page = await gateway.call('listDeliveries', {
    parameters: webhookIn(asked),
    values: { state, from, to, limit, after },
  });
  const rows = page.deliveries.map(({ tries, ...one }) => [
    one.id,
    one.happenedAt,
    one.type,
    one.code,
    one.transactionId,
    one.state,
    String(tries.length),
    tries.at(-1)?.why ?? '',
    one.nextTryAt ?? '',
  ]);
  const head = ['ID', 'HAPPENED', 'TYPE', 'CODE', 'TRANSACTION', 'STATE', 'TRIES', 'WHY', 'NEXT TRY'];
  if (rows.length > 0) for (const line of formatTable([head, ...rows], [6])) context.print(line);
  const deliveries = counted(rows.length, 'delivery', 'deliveries');
  context.printError(page.next === null ? deliveries : `${deliveries}; go on with --after ${page.next}`);
  return 0;
}

async function resend(asked: WebhookOptions): Promise<number> {
  const { texts, isFailed, gateway, context } = asked;
  const { state, from, to } = texts;
  const values = { ids: texts.deliveries?.split(','), state, from, to, failed: isFailed || undefined };
  const { count } = await gateway.call('resendDeliveries', { parameters: webhookIn(asked), values });
  context.print(`${count} on their way again.`);
  return 0;
}
