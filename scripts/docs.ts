import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { levers, wrongAnswers } from '../src/connectors/simulator/steering.ts';
import { lifecyclePicture } from '../src/payments/lifecyclePicture.ts';
import { openApi } from '../src/spec/openApi.ts';
import { resultCodes } from '../src/spec/resultCodes.ts';
import { testBankAccounts, testCards } from '../src/spec/testCards.ts';

const root = join(import.meta.dirname, '..');

type Document = { readonly path: string; readonly text: string };

/** Everything in the documentation that is derived: written by `npm run docs`, compared by a test. */
export function derivedDocuments(): readonly Document[] {
  return [
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApi(), null, 2)}\n` },
    { path: 'docs/result-codes.md', text: resultCodePage() },
    { path: 'docs/simulator.md', text: simulatorPage() },
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
  Object.values(levers).map(({ parameter, takes, effect }) => [`\`${parameter}\``, takes, effect]),
)}

## Ways of going wrong

${rows(
  ['`customParameters[SIMULATOR_answer]`', 'what happens'],
  Object.entries(wrongAnswers).map(([name, what]) => [`\`${name}\``, what]),
)}

## Cards

${rows(['brand', 'number', '3D Secure'], cards)}

## Bank accounts (DIRECTDEBIT_SEPA)

${rows(['country', 'IBAN', 'BIC'], accounts)}
`;
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
