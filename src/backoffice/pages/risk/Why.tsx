import type { ReactNode } from 'react';
import type { RiskExplained, RuleAbout } from '../../../spec/answers/risk.ts';
import { useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { Facts, PageHead, Section } from '../../kit/Page.tsx';
import { ResultCode, Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import type { Words } from './draft.ts';

/** Why the risk checks judged a payment as they did. */
export function Why(): ReactNode {
  const t = useTexts(riskTexts);
  const language = useLanguage();
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('explainRisk', { entityId, language }, { places: { id } });
  return (
    <>
      <PageHead title={t.riskEvaluation} back={{ to: `/payments/${id}`, label: t.toPayment }} />
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <Explained explained={data} />}
    </>
  );
}

const verdictTones = { accept: 'good', review: 'warn', challenge: 'accent', decline: 'bad' } as const;

function Explained({ explained: { payment, assessment } }: { readonly explained: RiskExplained }): ReactNode {
  const t = useTexts(riskTexts);
  const columns = columnsIn(t);
  const facts = [
    [t.amount, <Money key="amount" amount={payment.amount} currency={payment.currency} />],
    [t.created, <Timestamp key="created" at={payment.createdAt} hasSeconds />],
  ] as const;
  if (!assessment) {
    return (
      <>
        <Facts facts={facts} />
        <Empty title={t.whyNone} says={t.whyNoneSays} />
      </>
    );
  }
  const { verdict, code, score, ruleSet, asksReview, rules } = assessment;
  return (
    <>
      <Facts
        facts={[
          [
            t.verdict,
            <Status key="verdict" tone={verdictTones[verdict]}>
              {t[verdict]}
            </Status>,
          ],
          [t.resultCode, code && <ResultCode key="code" code={code} />],
          [t.review, asksReview && verdict !== 'review' && t.waiting],
          [t.scoreIs, String(score)],
          [t.ruleSet, ruleSet],
          ...facts,
          [t.name, <Id key="id" id={payment.id} to={`/payments/${payment.id}`} />],
        ]}
      />
      <Section title={t.rule}>
        <p className="muted">{t.quietSays}</p>
        <DataTable
          name="riskWhy"
          label={t.riskEvaluation}
          rows={rules}
          columns={columns}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noRules} />}
        />
      </Section>
    </>
  );
}

const tones = { fired: 'bad', shadow: 'warn', quiet: 'good', off: 'quiet' } as const;
const words = { fired: 'fired', shadow: 'onTrial', quiet: 'quiet', off: 'isOff' } as const;

const columnsIn = (t: Words): readonly Column<RuleAbout>[] => [
  { id: 'rule', header: t.rule, isFixed: true, cell: ({ id }) => <code>{id}</code> },
  { id: 'is', header: t.result, cell: ({ is }) => <Status tone={tones[is]}>{t[words[is]]}</Status> },
  {
    id: 'meaning',
    header: t.description,
    cell: (rule) => <span className="rule-meaning">{rule.words ? `${rule.words.when} ${rule.words.gives}` : rule.says}</span>,
  },
  {
    id: 'values',
    header: t.values,
    cell: ({ values }) => (
      <ul className="reason-list">
        {Object.entries(values).map(([name, value]) => (
          <li key={name}>
            <code>{`${name} = ${value}`}</code>
          </li>
        ))}
      </ul>
    ),
  },
  { id: 'score', header: t.scoreIs, isNumber: true, cell: ({ score }) => score },
];
