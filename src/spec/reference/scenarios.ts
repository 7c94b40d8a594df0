import { type Ready, readyScenarios } from '../scenarios/ready.ts';
import { type Member, scenarioShape } from '../scenarios/shape.ts';
import { type Chapter, code, details, entry, listing, paragraph, shown } from './parts.ts';

const headings: Readonly<Record<Ready['about'], string>> = {
  answer: 'Answers of the acquirer',
  conversation: 'Connection problems',
  bank: 'The shopper at the bank',
  '3D Secure': '3D Secure',
  webhook: 'Webhooks',
  money: 'Settlement and chargebacks',
};

const tools: Readonly<Record<Ready['with'], string>> = {
  card: 'any card',
  bank: 'a redirect brand, such as SOFORTUEBERWEISUNG',
  secure: 'a card, with the parameters of 3D Secure',
};

/** How it ends, as the end of a sentence. */
export const endOf = ({ ends }: Pick<Ready, 'ends'>): string => (ends === null ? 'the seed decides' : ends.join(', then '));

/** The members of the language, each once: options and answers to a capture have the same members again. */
export const languageMembers: readonly Member[] = scenarioShape.members.filter(
  ({ path }) => (!path.startsWith('oneOf[].') || path === 'oneOf[].weight') && !/^later\.[A-Z]+\./.test(path),
);

function readyList(): string {
  const parts = [...Map.groupBy(readyScenarios, ({ about }) => about)].map(([about, all]) => {
    const items = all.map((one) =>
      entry(
        code(one.name, 'id'),
        [paragraph(shown(one.says)), paragraph(`With ${tools[one.with]}. Ends: ${shown(endOf(one))}.`, 'aside')],
        `scenario:${one.name}`,
      ),
    );
    return details(headings[about], [all.length, 'scenarios'], `<dl>${items.join('')}</dl>`);
  });
  const members = languageMembers.map(({ path, isRequired, description, message }) =>
    entry(`${code(path)}${isRequired ? ' (required)' : ''}`, [`${shown(description)} It ${shown(message)}.`]),
  );
  const language = details('The language', [members.length, 'members'], `<dl>${members.join('')}</dl>`);
  return `<div class="group">${parts.join('')}${language}</div>`;
}

/** The chapter about scenarios. */
export function scenarioChapter(base: string): Chapter {
  const sample = [
    `curl "${base}/v1/payments"`,
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    '-d "entityId=$ENTITY_ID" -d "paymentType=DB" -d "amount=92.00" -d "currency=EUR"',
    '-d "card.number=4200000000000000" -d "card.holder=Ann Example" -d "card.expiryMonth=05" -d "card.expiryYear=2034"',
    '-d "customParameters[SCENARIO]=booked-but-silent"',
  ].join(' \\\n  ');
  return {
    id: 'scenarios',
    title: 'Scenarios',
    text:
      paragraph(
        `In the test environment a payment plays the scenario that ${code('customParameters[SCENARIO]')} names: ${code('name')}, ` +
          `${code('name#seed')} or ${code('name#seed@attempt')}, or a scenario of your own as JSON. One can also be attached to a ` +
          `card or a channel, by ${code('/admin/v1/scenarios')}. The same seed gives the same events, byte for byte.`,
      ) +
      listing('A payment that plays a scenario', sample) +
      readyList(),
  };
}
