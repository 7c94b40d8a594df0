import type { ReactNode } from 'react';
import type { FileCounts, SettlementShown } from '../../../spec/answers/settlement.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import { Upload } from './Upload.tsx';
import { fileState, fileTones, type Words } from './words.ts';

const columnsIn = (t: Words, nameOf: (id: string) => string): readonly Column<SettlementShown>[] => [
  { id: 'name', header: t.name, isFixed: true, isLong: true, cell: ({ name }) => name, sortBy: ({ name }) => name },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={fileTones[state]}>{fileState(t, state)}</Status> },
  { id: 'lines', header: t.lines, isNumber: true, cell: ({ lines }) => lines, sortBy: ({ lines }) => lines },
  { id: 'matched', header: t.matched, isNumber: true, cell: (file) => <Count file={file} of="MATCHED" /> },
  { id: 'open', header: t.open, isNumber: true, cell: (file) => <Count file={file} of="open" /> },
  { id: 'format', header: t.format, isHidden: true, cell: ({ format }) => format },
  { id: 'entity', header: t.entity, cell: ({ entityId }) => nameOf(entityId) },
  {
    id: 'brought',
    header: t.brought,
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
  },
];

/** The results of matching a file. They are loaded file by file: to add them up for all files would be slow. */
function Count({ file, of }: { readonly file: SettlementShown; readonly of: keyof FileCounts }): ReactNode {
  const { data } = useApiQuery('readSettlement', {}, { places: { id: file.id }, isWanted: file.state === 'kept' });
  return data?.id === file.id ? (data.count?.[of] ?? null) : null;
}

const SHOWN = 20;
const READING_MS = 2_000;

/** Settlement files of the chosen entity and of those below it. */
export function Settlement(): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const { entities } = useMe();
  const may = useMay('settlement');
  const list = useApiList(
    'listSettlements',
    { entityId, limit: SHOWN },
    { rowsOf: ({ settlements }) => settlements, everyMs: 15_000 },
  );
  const isReading = list.rows?.some(({ state }) => state === 'reading') ?? false;
  useApiList(
    'listSettlements',
    { entityId, limit: SHOWN },
    { rowsOf: ({ settlements }) => settlements, everyMs: READING_MS, isWanted: isReading },
  );
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  return (
    <ListPage
      name="settlements"
      title={t.title}
      says={t.says}
      notice={may && <Upload entityId={entityId} />}
      list={list}
      columns={columnsIn(t, (id) => names.get(id) ?? id)}
      keyOf={({ id }) => id}
      to={({ id }) => `/settlement/files/${id}`}
      empty={{ title: t.none, says: t.noneSays }}
    />
  );
}
