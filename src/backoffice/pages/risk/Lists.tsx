import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { SeenEntry } from '../../../spec/answers/risk.ts';
import { listKinds, listNames } from '../../../spec/areas/risk.ts';
import { useMay, useMe, useMerchant, useScope } from '../../app/me.ts';
import { useAct, useAskPages } from '../../app/useAsk.ts';
import { Confirm } from '../../kit/Confirm.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { type Filter, Filters, useFilters } from '../../kit/Filters.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { Status } from '../../kit/Status.tsx';
import { When } from '../../kit/When.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { storedTexts } from '../../texts/stored.ts';
import { useTexts } from '../../texts/texts.ts';
import { AddEntry, ImportEntries } from './AddEntry.tsx';
import { kindWords } from './kinds.ts';
import type { Words } from './words.ts';

const shownOf = ({ shown }: SeenEntry, t: Words): string => shown ?? t.cardUnknown;

const columnsIn = (t: Words, take: ((entry: SeenEntry) => void) | null): readonly Column<SeenEntry>[] => [
  { id: 'value', header: t.value, isFixed: true, cell: (entry) => <span className="mono">{shownOf(entry, t)}</span> },
  { id: 'kind', header: t.kind, cell: ({ kind }) => t[kindWords[kind]] },
  { id: 'list', header: t.list, cell: ({ list }) => <Status tone={list === 'block' ? 'bad' : 'good'}>{t[list]}</Status> },
  { id: 'stays', header: t.stays, cell: ({ expiresAt }) => (expiresAt === null ? t.forever : <When at={expiresAt} />) },
  ...(take
    ? [
        {
          id: 'take',
          header: '',
          cell: (entry: SeenEntry) => (
            <Button variant="subtle" size="compact-sm" onClick={() => take(entry)} aria-label={t.takeOf(shownOf(entry, t))}>
              {t.take}
            </Button>
          ),
        },
      ]
    : []),
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'list', label: t.list, choices: listNames.map((value) => ({ value, label: t[value] })) },
  { name: 'kind', label: t.kind, choices: listKinds.map((value) => ({ value, label: t[kindWords[value]] })) },
  { name: 'search', label: t.search },
];

/** Block and allow lists of the chosen merchant. */
export function Lists(): ReactNode {
  const t = useTexts(riskTexts);
  const merchant = useMerchant();
  const may = useMay('risk');
  const [opened, setOpened] = useState<'add' | 'import' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <PageHead title={t.listsTitle} says={t.listsSays}>
        {merchant && may && (
          <>
            <Button variant="default" onClick={() => setOpened('import')}>
              {t.import}
            </Button>
            <Button onClick={() => setOpened('add')}>{t.add}</Button>
          </>
        )}
      </PageHead>
      {merchant ? <Entries /> : <Empty title={t.listsWhere} says={t.listsWhereSays} />}
      <AddEntry isOpen={opened === 'add'} onClose={close} />
      <ImportEntries isOpen={opened === 'import'} onClose={close} />
    </>
  );
}

function Entries(): ReactNode {
  const t = useTexts(riskTexts);
  const { notFound, notFoundSays } = useTexts(storedTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const may = useMay('risk');
  const filters = filtersIn(t);
  const { list, kind, search } = useFilters(filters);
  const values = {
    ...{ entityId, search: search ?? '' },
    ...(list && { list: list as SeenEntry['list'] }),
    ...(kind && { kind: kind as SeenEntry['kind'] }),
  };
  const pages = useAskPages('listRiskEntries', values, { rowsOf: ({ entries }) => entries, nextOf: ({ next }) => next });
  const [taken, setTaken] = useState<SeenEntry | null>(null);
  const columns = useMemo(() => columnsIn(t, may ? setTaken : null), [t, may]);
  const curl = `curl ${gatewayUrl}/admin/v1/riskLists -H "Authorization: Bearer $OPERATOR_TOKEN" \\\n  -H "Content-Type: application/json" -d '{"entityId":"${entityId}","list":"block","kind":"email","value":"bad@shop.example"}'`;
  const isNarrowed = Boolean(list || kind || search);
  return (
    <>
      <Filters filters={filters} />
      <DataTable
        name="riskLists"
        label={t.listsTitle}
        rows={pages.rows}
        columns={columns}
        keyOf={(entry) => `${entry.list} ${entry.kind} ${entry.value}`}
        problem={pages.problem}
        retry={pages.retry}
        more={pages.more}
        isStale={pages.isStale}
        empty={
          isNarrowed ? (
            <Empty title={notFound} says={notFoundSays} />
          ) : (
            <Empty title={t.listsNone} says={t.listsNoneSays} curl={curl} />
          )
        }
      />
      <TakeOff entry={taken} onClose={() => setTaken(null)} />
    </>
  );
}

function TakeOff({ entry, onClose }: { readonly entry: SeenEntry | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(riskTexts);
  const { entityId } = useScope();
  const { run, isRunning, problem } = useAct('removeRiskEntry', { says: t.taken, onDone: onClose, isQuiet: true });
  return (
    <Confirm
      isOpen={entry !== null}
      title={t.takeTitle}
      act={t.take}
      isRunning={isRunning}
      problem={problem}
      onAct={() => entry && run({ values: { entityId, list: entry.list, kind: entry.kind, value: entry.value } })}
      onClose={onClose}
    >
      {entry && t.takeSays(shownOf(entry, t), t[entry.list])}
    </Confirm>
  );
}
