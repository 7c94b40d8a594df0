import type { ReactNode } from 'react';
import { type TestAuthentication, testBankAccounts, testCards } from '../../../spec/cards/testCards.ts';
import { useMe } from '../../app/me.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { type Filter, Filters, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { PageHead, Section } from '../../kit/Page.tsx';
import { toolTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof toolTexts)['en'];
type Card = (typeof testCards)[number];
type Account = (typeof testBankAccounts)[number];

/** The behaviour of a card, by its text. */
const plays = {
  none: 'playsNone',
  frictionless: 'playsFrictionless',
  attempt: 'playsAttempt',
  error: 'playsError',
  notEnrolled: 'playsNotEnrolled',
  notParticipating: 'playsNotParticipating',
  challenge: 'playsChallenge',
} as const satisfies Readonly<Record<TestAuthentication, keyof Words>>;

const cardColumns = (t: Words, yes: string): readonly Column<Card>[] => [
  { id: 'number', header: t.number, isFixed: true, cell: ({ number }) => <Id id={number} /> },
  { id: 'brand', header: t.brand, cell: ({ brand }) => brand, sortBy: ({ brand }) => brand },
  { id: 'does', header: t.does, cell: ({ threeDSecure }) => t[plays[threeDSecure]], sortBy: ({ threeDSecure }) => threeDSecure },
  { id: 'method', header: t.method, cell: ({ methodData }) => methodData && yes },
  { id: 'country', header: t.country, isHidden: true, cell: ({ binCountry }) => binCountry },
];

const accountColumns = (t: Words): readonly Column<Account>[] => [
  { id: 'brand', header: t.brand, isFixed: true, cell: ({ brand }) => brand },
  { id: 'country', header: t.country, cell: ({ country }) => country },
  { id: 'account', header: t.account, cell: ({ iban, bankName }) => (iban ? <Id id={iban} /> : bankName) },
  { id: 'bic', header: 'BIC', cell: ({ bic }) => bic && <Id id={bic} /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  {
    name: 'brand',
    label: t.brand,
    choices: [...new Set(testCards.map(({ brand }) => brand))].map((value) => ({ value, label: value })),
  },
  {
    name: 'does',
    label: t.does,
    choices: Object.entries(plays).map(([value, word]) => ({ value, label: t[word] })),
  },
];

/** Cards and accounts of the test environment, and what each does. */
export function Cards(): ReactNode {
  const t = useTexts(toolTexts);
  const { yes } = useTexts(shellTexts);
  const filters = filtersIn(t);
  const { brand, does } = useFilters(filters);
  const rows = testCards.filter((card) => (!brand || card.brand === brand) && (!does || card.threeDSecure === does));
  const columns = cardColumns(t, yes);
  const accounts = accountColumns(t);
  return (
    <>
      <PageHead title={t.cards} says={t.cardsSay} />
      <Filters filters={filters} />
      <DataTable
        name="cards"
        label={t.cards}
        rows={rows}
        columns={columns}
        keyOf={({ number }) => number}
        empty={<Empty title={t.cards} />}
      />
      <Section title={t.declines}>
        <p className="dev-text">{t.declinesSay}</p>
      </Section>
      <Section title={t.accounts}>
        <DataTable
          name="accounts"
          label={t.accounts}
          rows={testBankAccounts}
          columns={accounts}
          keyOf={({ brand: name, country, iban = '' }) => name + country + iban}
          empty={<Empty title={t.accounts} />}
        />
      </Section>
    </>
  );
}

/** The ways to the reference. */
export function Reference(): ReactNode {
  const t = useTexts(toolTexts);
  const { gatewayUrl, environment } = useMe();
  const links = [
    ['/docs', t.docs, t.docsSay],
    ['/openapi.json', t.openApi, t.openApiSays],
    ['/v1/resultcodes', t.resultCodes, t.resultCodesSay],
    ...(environment === 'test' ? [['/demo', t.demo, t.demoSays] as const] : []),
  ] as const;
  return (
    <>
      <PageHead title={t.apiReference} says={t.referenceSays} />
      <div className="dev-links">
        {links.map(([path, title, says]) => (
          <a key={path} href={gatewayUrl + path} target="_blank" rel="noreferrer">
            <strong>{title}</strong>
            <span>{says}</span>
            <code className="muted">{path}</code>
          </a>
        ))}
      </div>
    </>
  );
}
