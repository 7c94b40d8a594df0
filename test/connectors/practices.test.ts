import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connectorKinds } from '../../src/connectors/registry.ts';
import type { AcquirerAnswer, Attempt } from '../../src/payments/ports.ts';
import { sections } from '../../src/spec/parameters.ts';
import { exampleRegistration, instructed } from '../contract/connectorFixtures.ts';
import { cardAttempt, openAdyen } from './adyen/opened.ts';
import { openAccount } from './stripe/account.ts';

/** Every industry practice, by the way in which it says what is charged: it is sent, or declined with a row of the connector's page. */

const practices: readonly string[] =
  sections.standingInstruction.rows['standingInstruction.industryPractice']?.format.values ?? [];
const charged = {
  'a card': {},
  'a registration': { registration: exampleRegistration() },
  nothing: { secrets: {} },
} as const satisfies Record<string, Partial<Attempt>>;

type Opened = {
  readonly send: (attempt: Attempt) => Promise<AcquirerAnswer>;
  readonly sent: () => number;
  readonly close: () => Promise<unknown>;
};

const openers: Readonly<Record<string, () => Promise<Opened>>> = {
  async adyen() {
    const { connector, server } = await openAdyen();
    return { send: connector.send, sent: () => server.requests.length, close: () => server.close() };
  },
  async stripe() {
    const { connector, server, close } = await openAccount({});
    return { send: connector.send, sent: () => server.requests.length, close };
  },
};

for (const [name, open] of Object.entries(openers))
  test(`${name}: a practice is sent, or declined with the code and the reason of a row of the page`, async () => {
    const opened = await open();
    const kind = connectorKinds.get(name);
    const rows = kind && 'limits' in kind ? (kind.limits ?? []) : [];
    const page = readFileSync(new URL(`../../docs/connectors/${name}.md`, import.meta.url), 'utf8');
    let [declined, numbers] = [0, 0];
    try {
      for (const practice of practices.filter((one) => one !== 'INCREMENTAL_AUTH'))
        for (const paymentType of ['PA', 'DB'] as const)
          for (const [what, given] of Object.entries(charged)) {
            const about = `${practice} ${paymentType} with ${what}`;
            const isBare = what === 'nothing';
            const before = opened.sent();
            const series = instructed({ source: 'MIT', practice, initialTransactionId: '1234' });
            numbers += 1;
            const id = numbers.toString(16).padStart(32, '0');
            const payment = {
              id,
              paymentType,
              industryPractice: practice,
              ...(isBare && { instrument: null, paymentBrand: null }),
            };
            const answer = await opened.send(cardAttempt(payment, { series, ...given }));
            if (!isBare) {
              assert.ok(opened.sent() > before, `${about} was not sent: ${JSON.stringify(answer)}`);
              continue;
            }
            assert.equal(opened.sent(), before, about);
            const row = answer.is === 'declined' ? rows.find(({ code }) => code === answer.code) : undefined;
            assert.ok(row && answer.is === 'declined', `${about}: ${JSON.stringify(answer)}`);
            assert.equal(answer.details.resultDetails?.ExtendedDescription, row.why, about);
            assert.ok(page.includes(row.why), `the page of ${name} does not say: ${row.why}`);
            declined += 1;
          }
    } finally {
      await opened.close();
    }
    assert.ok(declined >= 8, `${declined} were declined`);
  });
