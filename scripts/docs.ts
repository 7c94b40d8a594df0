import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { directives, wrongAnswers } from '../src/connectors/simulator/directives.ts';
import { giftCards } from '../src/connectors/simulator/giftCards.ts';
import { tokenRanges } from '../src/connectors/simulator/networkTokens.ts';
import { lifecyclePicture } from '../src/payments/lifecyclePicture.ts';
import { openApi } from '../src/spec/openApi/openApi.ts';
import { endOf, languageMembers } from '../src/spec/reference/scenarios.ts';
import { resultCodes } from '../src/spec/resultCodes.ts';
import { readyScenarios } from '../src/spec/scenarios/ready.ts';
import { testBankAccounts, testCards } from '../src/spec/testCards.ts';
import { limitsOf } from '../src/store/postgres/limits.ts';

const root = join(import.meta.dirname, '..');

type Document = { readonly path: string; readonly text: string };

/** Everything in the documentation that is derived: written by `npm run docs`, compared by a test. */
export function derivedDocuments(): readonly Document[] {
  return [
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApi(), null, 2)}\n` },
    { path: 'docs/result-codes.md', text: resultCodePage() },
    { path: 'docs/simulator.md', text: simulatorPage() },
    { path: 'docs/scenarios.md', text: scenarioPage() },
    { path: 'docs/operations.md', text: between(read('docs/operations.md'), 'limits', limitRows()) },
    { path: 'ARCHITECTURE.md', text: between(read('ARCHITECTURE.md'), 'lifecycle', `\`\`\`\n${lifecyclePicture()}\`\`\``) },
  ];
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The text with what stands between the two marks replaced. */
function between(text: string, mark: string, inner: string): string {
  const [head, rest] = text.split(`<!-- ${mark} -->`);
  const tail = rest?.split(`<!-- /${mark} -->`)[1];
  if (head === undefined || tail === undefined) throw new Error(`the mark ${mark} is missing`);
  return `${head}<!-- ${mark} -->\n${inner}\n<!-- /${mark} -->${tail}`;
}

const rows = (header: readonly string[], lines: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function limitRows(): string {
  const spell = (ms: number): string =>
    ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`;
  const lines = Object.entries(limitsOf).map(([work, limits]) => [
    work,
    ...[limits.statementMs, limits.lockMs, limits.idleMs, limits.transactionMs].map(spell),
  ]);
  return rows(['Work', 'Statement', 'Waiting for a lock', 'Standing still in a transaction', 'Transaction'], lines);
}

function scenarioPage(): string {
  const ready = readyScenarios.map((one) => [`\`${one.name}\``, one.says, one.with, endOf(one)]);
  const language = languageMembers.map(({ path, isNeeded, says, fits }) => [
    `\`${path}\`${isNeeded ? ' (required)' : ''}`,
    `${says} It ${fits}.`.replaceAll('|', '\\|'),
  ]);
  const listed = between(read('docs/scenarios.md'), 'ready', rows(['name', 'story', 'with', 'ends'], ready));
  return between(listed, 'language', rows(['member', ''], language));
}

function resultCodePage(): string {
  const lines = Object.entries(resultCodes).map(([code, { means, http, text, advice }]) => [
    code,
    means,
    String(http),
    text,
    advice,
  ]);
  return `# Result codes\n\nMade by \`npm run docs\` from the catalogue in \`src/spec/resultCodes/\`.\n\n${rows(['code', 'means', 'HTTP', 'text', 'what to do'], lines)}\n`;
}

function simulatorPage(): string {
  const cards = testCards.map(({ brand, number, threeDSecure }) => [brand, number, threeDSecure]);
  const accounts = testBankAccounts.flatMap(({ country, iban, bic, brand }) =>
    brand === 'DIRECTDEBIT_SEPA' ? [[country, iban ?? '', bic ?? '']] : [],
  );
  return `# The simulator

Made by \`npm run docs\`. Any expiry after today and any CVV of the right length will do.

## Steering

${rows(
  ['parameter', 'takes', 'effect'],
  Object.values(directives).map(({ parameter, takes, effect }) => [`\`${parameter}\``, takes, effect]),
)}

## Ways of going wrong

${rows(
  ['`customParameters[SIMULATOR_answer]`', 'what happens'],
  Object.entries(wrongAnswers).map(([name, what]) => [`\`${name}\``, what]),
)}

## Stored credentials

${storedCredentials()}

## Gift cards (GIFTCARD)

${rows(['a PA or DB', 'answer'], Object.entries(giftCards))}

## Cards

${rows(['brand', 'number', '3D Secure'], cards)}

## Bank accounts (DIRECTDEBIT_SEPA)

${rows(['country', 'IBAN', 'BIC'], accounts)}
`;
}

/** How the simulated schemes treat what is stored and charged again. */
function storedCredentials(): string {
  return `An approved PA or DB by card with \`standingInstruction.mode=INITIAL\`, and a registration with it, is told a reference of 15
characters, as \`standingInstruction.initialTransactionId\` and \`resultDetails.CardholderInitiatedTransactionID\`; with MASTER
\`standingInstruction.agreementId\` too. It is good for that card at that merchant only, for ever, and on every node.

What the merchant starts (\`source=MIT\` with \`mode=REPEATED\`, or an industry practice) must show that the shopper agreed once:

${rows(
  ['a PA or DB by card that the merchant starts', 'answer'],
  [
    ['names the reference of this card, or with MASTER the agreement, itself or by its registration', 'approved'],
    ['belongs to a series that began elsewhere (`recurringMigration.*` with its time or an id of the connector)', 'approved'],
    ['is an industry practice after a payment of this card (`referenceUuid`)', 'approved'],
    ['is a RESUBMISSION of a payment that belonged to no series', 'approved'],
    ['shows nothing', 'declined with 100.150.300'],
    ['names what was never given out, or for another card', 'declined with 800.100.167'],
    ['comes after the day in `standingInstruction.expiry`', 'declined with 800.100.500'],
  ],
)}

A stored card of these brands gets a network token of its own, three years longer valid than the card, and pays with it and a new
cryptogram from then on; an approval then has \`resultDetails.NetworkToken=used\`. A wrong cryptogram is declined with 800.100.154, an
expired token with 100.100.303. The same holds for such a token sent as \`tokenAccount.number\` with type NETWORK; any other number
there is believed with a well-formed cryptogram or dtvc.

${rows(
  ['brand', 'network tokens begin with'],
  Object.entries(tokenRanges).map(([brand, start]) => [brand, start]),
)}`;
}

if (import.meta.main) {
  for (const { path, text } of derivedDocuments()) {
    const isNew = writeIfChanged(join(root, path), text);
    console.log(`${isNew ? 'written ' : 'as it was'} ${path}`);
  }
}

function writeIfChanged(path: string, text: string): boolean {
  try {
    if (readFileSync(path, 'utf8') === text) return false;
  } catch {
    // It is not there yet.
  }
  writeFileSync(path, text);
  return true;
}
