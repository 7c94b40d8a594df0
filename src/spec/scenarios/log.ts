import { type Amount, amountText } from '../../money/amount.ts';
import { type AcquirerAct, type Acts, type BankAct, msOf } from './language.ts';
import { chargebackActs, settlementActs } from './money.ts';
import { answerTo, type Played } from './played.ts';

/**
 * The actions of the far sides in a scenario, one line of JSON each. Times are milliseconds since the beginning that the line names, and
 * there are no ids: the same scenario with the same seed always gives the same bytes.
 */
type LogFields = Readonly<Record<string, string | number>>;
type Line = LogFields & { readonly since: string; readonly at: number };

/** The amount of the log. */
export const EXAMPLE_AMOUNT: Amount = 10_000n;
/** How long an answer of the acquirer is waited for. */
const ANSWER_MS_MAX = 30_000;
const LATE = '5s';
const MINUTE = '60s';
const AFTER = '2s';

const ms = (text: string): number => msOf(text) ?? 0;
const code = (of: string | undefined): LogFields => (of === undefined ? {} : { code: of });

function decision({ says, code: given, advice, unless }: AcquirerAct): LogFields {
  const does = says === 'declined' ? 'declines' : 'books';
  const why = says === 'declined' ? (given ?? '800.100.151') : given;
  return { does, ...code(why), ...(advice && { advice }), ...(unless && { unless }) };
}

function acquirerLines(since: string, act: AcquirerAct): readonly Line[] {
  const line = (at: number, said: LogFields): Line => ({ since, at, who: 'acquirer', ...said });
  const { goes, takes = '0s', for: time } = act;
  const wait = act.says === 'pending' ? ms(time ?? MINUTE) : 0;
  const decided = line(wait, decision(act));
  const answered =
    act.says === 'pending' ? line(ms(takes), { does: 'answers', what: 'pending' }) : line(ms(takes), { does: 'answers' });
  const inOrder = (lines: readonly Line[]): readonly Line[] => lines.toSorted((one, other) => one.at - other.at);
  switch (goes) {
    case 'down':
      return [line(0, { does: 'is down' }), line(ms(time ?? MINUTE), { does: 'is back and knows nothing' })];
    case 'lost-request':
      return [line(0, { does: 'hears nothing' })];
    case 'lost':
      return inOrder([decided, line(ms(takes), { does: 'answers', what: 'lost' })]);
    case 'garbled':
      return inOrder([decided, line(ms(takes), { does: 'answers', what: 'garbled' })]);
    case 'late':
      return [line(0, { does: 'receives' }), line(ANSWER_MS_MAX + ms(time ?? LATE), decision(act))];
    case 'twice':
      return inOrder([line(0, { does: 'hears it twice' }), decided, answered]);
    default:
      return inOrder([decided, answered]);
  }
}

function bankLines({ shopper, after = AFTER, confirms = 'before', late = AFTER }: BankAct): readonly Line[] {
  if (shopper === undefined) return [{ since: 'payment', at: 0, who: 'bank', does: 'waits', confirms }];
  const at = ms(after);
  const confirmation: Line = { since: 'payment', at: at + (confirms === 'after' ? ms(late) : 0), who: 'bank', does: 'confirms' };
  const confirmations = confirms === 'never' ? [] : confirms === 'twice' ? [confirmation, confirmation] : [confirmation];
  return [{ since: 'payment', at, who: 'shopper', does: shopper }, ...confirmations];
}

function receiverLines({ receiver = [] }: Acts): readonly Line[] {
  let at = 0;
  return receiver.map(({ answers, for: time, retryAfter }) => {
    const line = {
      since: 'news',
      at,
      who: 'receiver',
      does: 'answers',
      what: answers,
      ...(retryAfter && { retryAfter: ms(retryAfter) }),
    };
    at += ms(time);
    return { ...line, until: at };
  });
}

function moneyLines(acts: Acts, amount: Amount): readonly Line[] {
  const settled = acts.settlement === undefined ? [] : settlementActs(acts, { amount });
  const payouts = settled.map(({ at, gross, fee, net }) => {
    const money = { gross: amountText(gross), fee: amountText(fee), net: amountText(net) };
    return { since: 'payment', at, who: 'settlement', does: 'pays', ...money };
  });
  const nothing =
    acts.settlement && settled.length === 0 ? [{ since: 'payment', at: 0, who: 'settlement', does: 'pays nothing' }] : [];
  const taken = chargebackActs(acts, { amount }).map(({ at, does, amount: back, code: why }) => ({
    since: 'payment',
    at,
    who: 'payer',
    does,
    amount: amountText(back),
    code: why,
  }));
  return [...payouts, ...nothing, ...taken].toSorted((one, other) => one.at - other.at);
}

const text = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function afterAttempts(acts: Acts, amount: Amount): readonly Line[] {
  const { bank, threeDS, later = {} } = acts;
  const types = (['CP', 'RV', 'RF'] as const).flatMap((type) => (later[type] ? acquirerLines(type, later[type]) : []));
  // A database may keep the members of an object in an order of its own.
  const sorted = Object.entries(threeDS ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const plays = sorted.map(([name, value]): [string, string] => [name, String(value)]);
  return [
    ...(threeDS ? [{ since: 'payment', at: 0, who: 'issuer', does: 'plays', ...Object.fromEntries(plays) }] : []),
    ...(bank ? bankLines(bank) : []),
    ...types,
    ...receiverLines(acts),
    ...moneyLines(acts, amount),
  ];
}

/** Everything that a scenario leads to, over all its attempts. */
export function logOf(acts: Acts, amount: Amount = EXAMPLE_AMOUNT): string {
  const attempts = (acts.acquirer ?? []).flatMap((act, index) => acquirerLines(`attempt ${index + 1}`, act));
  return text([...attempts, ...afterAttempts(acts, amount)]);
}

/** The part of it that one payment plays, with its own amount. */
export function logOfPayment(played: Played, amount: Amount): string {
  const act = answerTo(played);
  return text([...(act ? acquirerLines(`attempt ${played.attempt}`, act) : []), ...afterAttempts(played.acts, amount)]);
}
