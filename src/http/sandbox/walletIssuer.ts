import { decode, decodeFew, printable } from '../../form/decode.ts';
import type { Directory } from '../../merchants/directory.ts';
import { sandbox } from '../../merchants/sandbox.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import type { Clock } from '../../spec/time.ts';
import type { SandboxIssuer } from '../../wallets/issuer/issuer.ts';
import {
  type IssuedToken,
  issueToken,
  type OrderFieldFault,
  parseTokenOrder,
  tokenFaults,
  tokenOrderDefaults,
  walletNames,
} from '../../wallets/issuer/issueToken.ts';
import { walletVersions } from '../../wallets/issuer/order.ts';
import { originFor } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import { type WalletPageView, walletPage, walletPageHeaders } from './walletPage.ts';

/** The services of the page. Live has no issuer and no page. */
export type WalletServices = Pick<Services, 'directory' | 'replies' | 'trust' | 'publicUrl'> & {
  readonly world: { readonly clock: Clock };
  readonly walletIssuer: SandboxIssuer | null;
};

const shops = [sandbox.demoShop, sandbox.otherShop] as const;
const numbers: ReadonlySet<string> = new Set(testCards.map(({ number }) => number));

/** The form, filled in from the query; a card number does not belong in an address and is not read from it. */
export function walletForm(services: WalletServices, request: Request): Reply {
  if (services.walletIssuer === null) return notFound(services.replies);
  const { fields } = decode(Buffer.from(request.query, 'latin1'));
  if (wantsJson(request)) return services.replies.json(200, choices(services.directory));
  const asked = new Map([...fields].filter(([name]) => name !== 'number'));
  return page(services, { status: 200, values: asked, faults: [], made: null });
}

/** Issues the token, or shows the form again with its faults. */
export function walletToken(services: WalletServices, request: Request): Reply {
  const { walletIssuer: issuer, directory, world, replies } = services;
  if (issuer === null) return notFound(replies);
  const { fields, repeated, faults: misread } = decodeFew(request.body);
  const number = fields.get('number')?.replaceAll(' ', '');
  const early: OrderFieldFault[] = [
    ...misread.map(({ name }) => ({ name, says: 'This cannot be read: send a form in UTF-8.' })),
    ...[...repeated].map((name) => ({ name, says: 'This was sent twice.' })),
    ...(number === undefined || numbers.has(number)
      ? []
      : [{ name: 'number', says: 'Choose one of the test cards. A real number does not belong here.' }]),
  ];
  const now = world.clock.now();
  const result =
    early.length === 0 ? issueToken(fields, { entity: directory.entity, issuer, now }) : parseTokenOrder(fields, now);
  if (result.is === 'issued') {
    const { issued } = result;
    const made = { issued, curl: curlOf(issued, originFor(services, request) ?? 'http://localhost:8080') };
    if (!wantsJson(request)) return page(services, { status: 200, values: fields, faults: [], made });
    const { merchantId: _, number: __, validUntil, ...rest } = issued;
    const until = validUntil === null ? null : new Date(validUntil).toISOString();
    return replies.json(200, { ...rest, validUntil: until, curl: made.curl }, { entityId: issued.entityId });
  }
  const later = result.is === 'invalid' ? result.faults.filter(({ name }) => early.every((fault) => fault.name !== name)) : [];
  const faults = [...early, ...later].map(({ name, says }) => ({ name: printable(name), says }));
  if (!wantsJson(request)) return page(services, { status: 400, values: fields, faults, made: null });
  const shownFaults = faults.map(({ name, says }) => ({ name, value: null, message: says }));
  return replies.result('200.300.404', null, { status: 400, faults: shownFaults });
}

type PageParts = Pick<WalletPageView, 'values' | 'faults' | 'made'> & { readonly status: 200 | 400 };

function page({ directory, world }: WalletServices, { status, values: sent, faults, made }: PageParts): Reply {
  const values = new Map([...Object.entries(tokenOrderDefaults(world.clock.now())), ...sent]);
  const version = values.get('version');
  const [wallet = ''] = (values.get('wallet') ?? '').split(' ');
  const known = walletNames.find((names) => names.wallet === wallet || names.alias === wallet)?.wallet;
  if (version) values.set('wallet', `${known ?? wallet} ${version}`);
  else if (known && values.get('wallet') === wallet) values.set('wallet', `${known} ${walletVersions[known][0]}`);
  const body = walletPage({ values, faults, made, channels: channelsOf(directory, values.get('entityId') ?? '') });
  return { status, headers: walletPageHeaders, body, code: null, ndc: null, entityId: made?.issued.entityId ?? null };
}

/** The channels of the sandbox, and any other that was named. */
function channelsOf(directory: Directory, named: string): WalletPageView['channels'] {
  const ids = new Set([
    ...shops.flatMap((shop) => ('lenientChannelId' in shop ? [shop.channelId, shop.lenientChannelId] : [shop.channelId])),
    named,
  ]);
  return [...ids].flatMap((entityId) => {
    const entity = directory.entity(entityId);
    return entity === null ? [] : [{ entityId, name: entity.name }];
  });
}

const choices = (directory: Directory): object => ({
  channels: channelsOf(directory, ''),
  wallets: walletNames.map(({ wallet, alias }) => ({ wallet, alias, versions: walletVersions[wallet] })),
  cards: testCards.map(({ brand, number, threeDSecure }) => ({ brand, number, threeDSecure })),
  faults: tokenFaults,
});

function wantsJson({ query, headers }: Request): boolean {
  const accept = headers.accept ?? '';
  return (
    new URLSearchParams(query).get('format') === 'json' || (accept.includes('application/json') && !accept.includes('text/html'))
  );
}

/** A word of a shell's command line, whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf({ entityId, merchantId, amount, currency, number, parameter, token }: IssuedToken, origin: string): string {
  const access = shops.find((shop) => shop.merchantId === merchantId)?.token;
  const brand = testCards.find((card) => card.number === number)?.brand;
  const fields = [`entityId=${entityId}`, 'paymentType=DB', `amount=${amount}`, `currency=${currency}`];
  return [
    `curl ${quoted(`${origin}/v1/payments`)}`,
    access === undefined ? '-H "Authorization: Bearer $ACCESS_TOKEN"' : `-H ${quoted(`Authorization: Bearer ${access}`)}`,
    ...[...fields, ...(brand === undefined ? [] : [`paymentBrand=${brand}`])].map((field) => `-d ${quoted(field)}`),
    `--data-urlencode ${quoted(`${parameter}=${token}`)}`,
  ].join(' \\\n  ');
}
