import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountKind, ConnectorKind, SettingRow } from '../src/connectors/kind.ts';
import type { Capability, Uncertainty } from '../src/payments/ports.ts';
import { digitsOf } from '../src/spec/currencies.ts';
import type { ValidityRow } from '../src/spec/validity.ts';

/**
 * The generated parts of a connector's page, from the tables of its kind. A page has them between marks such as `<!-- capabilities -->` and
 * `<!-- /capabilities -->`; what stands outside the marks is written by hand.
 */

type Kind = AccountKind<never>;

export const PARTS = [
  'settings',
  'secrets',
  'capabilities',
  'parameters',
  'currencies',
  'steps',
  'unknown outcomes',
  'codes',
  'limits',
] as const;
type Part = (typeof PARTS)[number];

export const tableOf = (header: readonly string[], lines: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');
const yesNo = (is: boolean): string => (is ? 'yes' : 'no');

const makers: Readonly<Record<Part, (kind: Kind) => string | null>> = {
  settings: ({ accounts }) =>
    tableOf(
      ['Setting', 'Default', 'Must be', 'Meaning'],
      Object.entries<SettingRow>(accounts.settings).map(([name, row]) => [
        `\`${name}\``,
        defaultOf(row),
        cell(row.says),
        cell(row.help),
      ]),
    ),
  secrets: ({ accounts }) =>
    tableOf(
      ['Secret', 'Required', 'Must be', 'Meaning'],
      Object.entries(accounts.secrets).map(([name, { isOptional, says, help }]) => [
        `\`${name}\``,
        yesNo(!isOptional),
        cell(says),
        cell(help),
      ]),
    ),
  capabilities: ({ supports, brands = {}, modes }) =>
    `${tableOf(
      ['Method', 'Brands', 'Types', 'Partial capture', 'Several captures', 'Redirect', 'Reversal', 'Authorisation valid for'],
      joined(
        Object.entries(supports).map(([method, capability]) => [
          method,
          (brands as Readonly<Record<string, readonly string[]>>)[method]?.map((name) => `\`${name}\``).join(', ') ??
            'all of the method',
          capability.types.join(', '),
          capability.types.includes('CP') ? yesNo(capability.partialCapture) : '–',
          capability.types.includes('CP') ? yesNo(capability.multipleCaptures) : '–',
          yesNo(capability.redirects),
          reversalOf(capability),
          validityOfAll(capability),
        ]),
      ),
    )}\n\nThis is the most that the connector can do; the settings of an account may allow less. Modes: ${modes.join(', ')}.`,
  currencies: ({ exponents }) => {
    if (!exponents) return null;
    const differing = Object.entries(exponents).map(([currency, digits]) => [
      currency,
      String(digitsOf(currency) ?? '–'),
      String(digits),
    ]);
    const rule = 'An amount that cannot be expressed exactly in these units is declined before anything is sent.';
    return differing.length === 0
      ? `Every currency of ISO 4217 with its own decimals. ${rule}`
      : `Every currency of ISO 4217 with its own decimals, but for these. ${rule}\n\n${tableOf(['Currency', 'ISO decimals', 'Decimals there'], differing)}`;
  },
  steps: ({ steps }) => {
    const rows = Object.values(steps);
    return rows.length === 0
      ? null
      : tableOf(
          ['Request', 'Can book', 'Without an answer'],
          rows.map(({ request, books }) => [`\`${request}\``, yesNo(books), books ? 'the outcome is unknown' : 'not sent']),
        );
  },
  'unknown outcomes': ({ uncertainty }) => (uncertainty ? uncertaintyOf(uncertainty) : null),
  codes: ({ codes }) =>
    codes
      ? tableOf(
          ['There', 'Name', 'Here'],
          codes.map(({ theirs, name = '', ours }) => [cell(theirs), cell(name), cell(ours)]),
        )
      : null,
  parameters: ({ parameters }) =>
    parameters
      ? tableOf(
          ['Parameter', 'There', 'Why'],
          parameters.map(({ names, there, why }) => [names.map((name) => `\`${name}\``).join(', '), cell(there), cell(why)]),
        )
      : null,
  limits: ({ limits }) =>
    limits
      ? tableOf(
          ['Request', 'Code', 'Why'],
          limits.map(({ what, code, why }) => [cell(what), code, cell(why)]),
        )
      : null,
};

/** Methods that differ in nothing share a row. */
function joined(lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(lines, ([, ...rest]) => rest.join('|'));
  return [...groups.values()].map((group) => [group.map(([method]) => method).join(', '), ...(group[0]?.slice(1) ?? [])]);
}

function defaultOf({ fallback }: SettingRow): string {
  if (fallback === undefined) return 'required';
  const text = Array.isArray(fallback) ? fallback.join(', ') : String(fallback);
  return text === '' ? 'empty' : `\`${cell(text)}\``;
}

function reversalOf({ reversal, types, withdrawal }: Capability): string {
  if (withdrawal) return 'until it is put into a file';
  if (reversal === null || !types.includes('RV')) return 'no';
  const days = Object.entries(reversal.daysLater)
    .filter(([type]) => (types as readonly string[]).includes(type))
    .map(([type, count]) => `${type} ${count} ${count === 1 ? 'day' : 'days'}`);
  const ofOthers = days.length > 0 ? [`${days.join(', ')}, until ${reversal.until} UTC`] : [];
  return [...(types.includes('PA') ? ['PA while it is valid'] : []), ...ofOthers].join('; ');
}

/** How long authorisations are valid. */
const validityOfAll = ({ types, validity = [] }: Capability): string =>
  types.includes('PA') ? validity.map((row) => `${row.of === '*' ? '' : `\`${row.of}\` `}${daysOf(row)}`).join(', ') : '–';

const daysOf = ({ days, daysMIT }: ValidityRow): string => `${days} days${daysMIT === undefined ? '' : ` (MIT ${daysMIT})`}`;

/** The whole table, for the page about authorisations. */
export const validityTable = (rows: readonly ValidityRow[]): string =>
  tableOf(
    ['Connector', 'Method or brand', 'Days', 'Without the shopper (MIT)', 'An increment extends it', 'Source'],
    rows.map(({ connector, of, days, daysMIT, isExtended = false, source }) => [
      connector === 'default' ? 'all others' : connector,
      of === '*' ? 'every other' : `\`${of}\``,
      String(days),
      String(daysMIT ?? days),
      yesNo(isExtended),
      cell(source),
    ]),
  );

const ways: Readonly<Record<Uncertainty['learnedBy'], string>> = {
  id: 'The gateway asks by the id of the payment.',
  search: 'The gateway searches by the id of the payment; the search may lag.',
  notification: 'Only a notification of the acquirer says it.',
  file: 'Only a file of the acquirer or the bank says it.',
};

function uncertaintyOf({ learnedBy, lateMs, cancelBindsLate, absenceIsProof }: Uncertainty): string {
  const seconds = Math.round(lateMs / 1_000);
  const late = seconds % 3_600 === 0 ? `${seconds / 3_600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
  return tableOf(
    ['Question', 'Answer'],
    [
      ['How is an outcome without an answer learned?', ways[learnedBy]],
      ['How long may a request arrive late, or stay invisible?', late],
      ['Does a cancellation refuse a request that arrives after it?', yesNo(cancelBindsLate)],
      [
        'Is a payment that is not found failed?',
        absenceIsProof ? `yes, ${late} after it was sent` : 'no: only a confirmed cancellation is',
      ],
    ],
  );
}

/** The tables of a kind, by the mark that they stand under. */
export const connectorParts = (kind: Kind): ReadonlyMap<Part, string> =>
  new Map(
    PARTS.flatMap((part) => {
      const text = makers[part](kind);
      return text === null ? [] : [[part, text] as const];
    }),
  );

/** The page with its generated parts anew. A mark that the page does not have is left out. */
export function withParts(page: string, kind: Kind): string {
  let text = page;
  for (const [part, inner] of connectorParts(kind)) {
    const [head, rest] = text.split(`<!-- ${part} -->`);
    const tail = rest?.split(`<!-- /${part} -->`)[1];
    if (head !== undefined && tail !== undefined) text = `${head}${marked(part, inner)}${tail}`;
  }
  return text;
}

export const marked = (part: Part, inner: string): string => `<!-- ${part} -->\n${inner}\n<!-- /${part} -->`;

/** The pages of the connectors that have accounts. */
export function connectorPages(
  root: string,
  kinds: Iterable<ConnectorKind>,
): readonly { readonly path: string; readonly text: string }[] {
  return [...kinds].flatMap((kind) => {
    if (kind.accounts === undefined) return [];
    const path = `docs/connectors/${kind.name}.md`;
    return [{ path, text: withParts(readFileSync(join(root, path), 'utf8'), kind) }];
  });
}
