import type { DueView, WalletTokenView } from '../../../spec/answers/developer.ts';
import { testCards } from '../../../spec/cards/testCards.ts';
import {
  type IssuedToken,
  issueToken,
  type OrderFieldFault,
  tokenOrderDefaults,
  walletNames,
} from '../../../wallets/issuer/issueToken.ts';
import { originFor } from '../../handler.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { gatewayUrl } from '../users/signIn.ts';

/** Due events and wallet tokens, for tests. */

const COUNT = 5;
const instant = (ms: number): string => new Date(ms).toISOString();

const inLive = ({ replies }: Pick<Services, 'replies'>, entityId: string): Reply =>
  replies.result('700.400.580', entityId, { status: 404, remark: 'only the test environment has this' });

/** The next instants at which something of a merchant is due by the merchant's clock. */
export const readDue = query(
  'readDue',
  authorizeEntity,
  async (services: Pick<Services, 'clocks' | 'developer' | 'directory' | 'replies'>, { entity, values }) => {
    const { clocks, directory, developer, replies } = services;
    const merchantId = directory.entity(entity.id)?.merchantId ?? null;
    if (clocks === null) return inLive(services, entity.id);
    if (merchantId === null) {
      const message = 'must be a merchant or a channel: what stands above merchants has no clock';
      return replies.result('200.300.404', entity.id, { faults: [{ name: 'entityId', value: entity.id, message }] });
    }
    await clocks.refresh();
    const run = await developer.nextRunAt(merchantId);
    const delivery = await developer.nextDeliveryAt(merchantId);
    const due: DueView['due'][number][] = [];
    let after = clocks.now(merchantId);
    for (let count = values.count ?? COUNT; count > 0; count -= 1) {
      const at = await developer.nextDueAt(merchantId, after);
      if (at === null) break;
      due.push({ at: instant(at), kind: at === run ? 'run' : at === delivery ? 'delivery' : 'other' });
      after = at;
    }
    const body: DueView = { due };
    return replies.json(200, body, { entityId: entity.id });
  },
);

const numbers: ReadonlySet<string> = new Set(testCards.map(({ number }) => number));

/** A word of a shell command, quoted. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf({ entityId, amount, currency, number, parameter, token }: IssuedToken, origin: string): string {
  const brand = testCards.find((card) => card.number === number)?.brand;
  const fields = [`entityId=${entityId}`, 'paymentType=DB', `amount=${amount}`, `currency=${currency}`];
  return [
    `curl ${quoted(`${origin}/v1/payments`)}`,
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    ...[...fields, ...(brand === undefined ? [] : [`paymentBrand=${brand}`])].map((field) => `-d ${quoted(field)}`),
    `--data-urlencode ${quoted(`${parameter}=${token}`)}`,
  ].join(' \\\n  ');
}

const faulty = ({ replies }: Pick<Services, 'replies'>, entityId: string, faults: readonly OrderFieldFault[]): CommandResult => ({
  reply: replies.result('200.300.404', entityId, {
    faults: faults.map(({ name, says }) => ({ name, value: null, message: says })),
  }),
  objectId: null,
});

const NO_TEST_CARD = 'Choose one of the test cards. A real number does not belong here.';

/** Issues the token that a wallet on a shopper's device would pass on. */
export const issueWalletToken = command(
  'issueWalletToken',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'publicUrl' | 'replies' | 'trust' | 'users' | 'walletIssuer' | 'world'>,
    { entity, values },
    request,
  ): Promise<CommandResult> => {
    const { walletIssuer: issuer, directory, world, replies } = services;
    if (issuer === null) return { reply: inLive(services, entity.id), objectId: null };
    if (values.number !== undefined && !numbers.has(values.number)) {
      return faulty(services, entity.id, [{ name: 'number', says: NO_TEST_CARD }]);
    }
    const now = world.clock.now();
    const wallet = walletNames.find(({ alias }) => alias === values.wallet)?.wallet ?? values.wallet;
    const asked = new Map(Object.entries({ ...tokenOrderDefaults(now), ...values, wallet, entityId: entity.id }));
    const result = issueToken(asked, { entity: directory.entity, issuer, now });
    if (result.is === 'invalid') return faulty(services, entity.id, result.faults);
    const { issued } = result;
    const { version, parameter, token, amount, currency, validUntil, refused } = issued;
    const body: WalletTokenView = {
      wallet: issued.wallet,
      version,
      parameter,
      token,
      amount,
      currency,
      validUntil: validUntil === null ? null : instant(validUntil),
      refused: refused?.why ?? null,
      curl: curlOf(issued, gatewayAt(services, request)),
    };
    return { reply: replies.json(200, body, { entityId: entity.id }), objectId: null };
  },
);

/** The origin of the API, for commands to copy and addresses to read. */
export const gatewayAt = (services: Pick<Services, 'publicUrl' | 'trust' | 'users'>, request: Request): string =>
  (request.side === 'gateway' ? originFor(services, request) : gatewayUrl(services, request)) || 'http://localhost:8080';
