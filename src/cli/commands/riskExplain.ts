import { OperatorError } from '../../app/operatorError.ts';
import { hierarchy } from '../../merchants/directory.ts';
import { amountText } from '../../money/amount.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Assessment, FiredRule, Verdict } from '../../risk/assess.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { type Command, type Context, parseOptions, requiredOption } from '../command.ts';
import { findMerchant } from '../context.ts';

/** The part of the context that the command needs. */
export type RiskExplainNeeds = Pick<Context, 'print'> & {
  store(): Promise<Pick<Awaited<ReturnType<Context['store']>>, 'entities' | 'payment'>>;
};

/** Explains the decision of the risk engine. */
export const riskExplainCommand: Command = {
  name: 'risk-explain',
  summary: 'say why the risk checks let a payment through, asked for 3D Secure or blocked it',
  usage: [
    'risk-explain --payment id [--entity id]',
    '  --payment id  the payment',
    '  --entity id   its merchant or channel; without it every merchant is asked',
  ].join('\n'),
  run: (words, context) => riskExplain(words, context),
};

export async function riskExplain(words: readonly string[], context: RiskExplainNeeds): Promise<number> {
  const { payment: id, entity } = parseOptions(words, ['payment', 'entity']);
  const payment = await found(await context.store(), requiredOption(id, 'payment'), entity);
  for (const line of formatExplanation(payment)) context.print(line);
  return 0;
}

async function found(store: Awaited<ReturnType<RiskExplainNeeds['store']>>, id: string, entity: string | undefined) {
  const merchants =
    entity === undefined
      ? [...hierarchy(await store.entities()).values()].flatMap(({ kind, id: own }) => (kind === 'merchant' ? own : []))
      : [(await findMerchant(store, entity)).merchantId];
  for (const merchantId of merchants) {
    const payment = await store.payment(merchantId, id);
    if (payment) return payment;
  }
  throw new OperatorError(
    `--payment: there is no payment ${JSON.stringify(id)}${entity === undefined ? '' : ' of this merchant'}`,
  );
}

/** The stored verdict about a payment, line by line. */
export function formatExplanation(payment: Payment): readonly string[] {
  const { risk } = payment;
  const head = headOf(payment);
  if (risk === null) return [...head, 'No risk checks were made: they were off, or it is of a kind that is not judged.'];
  return [
    ...head,
    `Verdict:  ${verdictText(risk)}`,
    `Score:    ${risk.score}${risk.score < 0 ? ' (the lower, the more suspicious)' : ''}`,
    `Rules:    the set ${JSON.stringify(risk.ruleSet)}`,
    '',
    ...(risk.fired.length === 0 ? ['No rule fired.'] : ['What fired:', ...risk.fired.flatMap(ruleLines)]),
    ...(risk.shadow.length === 0 ? [] : ['', 'On trial, and without any effect:', ...risk.shadow.flatMap(ruleLines)]),
  ];
}

function headOf({ id, paymentType, amount, currency, createdAt, phase }: Payment): readonly string[] {
  const began = Temporal.Instant.fromEpochMilliseconds(createdAt).toString({ smallestUnit: 'second' });
  const state = phase.at === 'final' ? codeText(phase.code) : 'not decided yet';
  return [`Payment:  ${id}, ${paymentType} ${amountText(amount)} ${currency}, ${began}`, `Result:   ${state}`];
}

const codeText = (code: keyof typeof resultCodes): string => `${code}, ${resultCodes[code].text}`;

const words: Readonly<Record<Exclude<Verdict['is'], 'decline'>, string>> = {
  accept: 'let through',
  challenge: 'the cardholder was to be asked by 3D Secure',
  review: 'let through, for manual review',
};

function verdictText({ verdict, asksReview }: Assessment): string {
  const review = asksReview && verdict.is !== 'review' ? '; a review was asked for too' : '';
  if (verdict.is === 'decline') return `blocked with ${codeText(verdict.code)}${review}`;
  return `${words[verdict.is]}${review}`;
}

function ruleLines({ rule, says, verdict, code, score, values }: FiredRule): readonly string[] {
  const gives = [verdict === 'accept' ? null : verdict, code, score === 0 ? null : `score ${score}`].filter(
    (part) => part !== null,
  );
  return [
    `  ${rule}${gives.length > 0 ? ` (${gives.join(', ')})` : ''}`,
    `    ${says}`,
    ...Object.entries(values).map(([name, value]) => `    ${name} = ${value}`),
  ];
}
