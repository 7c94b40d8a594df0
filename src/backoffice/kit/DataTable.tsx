import { Button, Skeleton } from '@mantine/core';
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import { useAddress } from '../app/address.ts';
import type { Problem } from '../app/problem.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { ColumnChooser, useChosenColumns } from './ColumnChooser.tsx';
import { Trouble } from './Empty.tsx';
import { Icon } from './icons.tsx';

export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and amounts stand on the right. */
  readonly isNumber?: boolean;
  /** Not shown until somebody chooses it. */
  readonly isHidden?: boolean;
  /** Never taken away: the column that says what the row is. */
  readonly isFixed?: boolean;
  /** By what the rows that are there can be sorted. */
  readonly sortBy?: (row: Row) => string | number | bigint;
};

export type DataTableProps<Row> = {
  /** Under which the chosen columns are remembered; also what the table is called for those who cannot see it. */
  readonly name: string;
  readonly label: string;
  /** Undefined: they are on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Where a row leads. */
  readonly to?: (row: Row) => string;
  /** Or what opens. */
  readonly onOpen?: (row: Row) => void;
  readonly empty: ReactNode;
  readonly problem?: Problem | null;
  readonly retry?: () => void;
  readonly more?: { readonly load: () => void; readonly isLoading: boolean } | null;
  /** Shown are the answers to another question. */
  readonly isStale?: boolean;
  /** Beside the column chooser. */
  readonly tools?: ReactNode;
};

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});
const nothing: readonly never[] = [];

function useRows<Row>({ rows, columns, keyOf, name }: DataTableProps<Row>) {
  const [sorting, setSorting] = useState<SortingState>([]);
  const chosen = useChosenColumns(name, columns);
  const definitions = useMemo(
    () =>
      columns.map(({ id, sortBy }) => ({
        id,
        accessorFn: (row: Row) => sortBy?.(row) ?? '',
        enableSorting: sortBy !== undefined,
        sortFn: 'basic' as const,
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions as never,
    data: (rows ?? nothing) as Row[],
    getRowId: keyOf,
    state: { sorting, columnVisibility: chosen.visibility },
    onSortingChange: setSorting,
  } as never) as unknown as PlainTable<Row>;
  return { table, sorting, chosen };
}

/** As much of the table as we use: which rows, in which order, and how a column is sorted. */
type PlainTable<Row> = {
  getRowModel(): { readonly rows: readonly { readonly id: string; readonly original: Row }[] };
  getColumn(id: string): { toggleSorting(): void; getIsSorted(): false | 'asc' | 'desc' } | undefined;
};

/** A list of things: 40 px rows, a head that stays, amounts on the right, every row to be opened by click or Enter. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { columns, rows, empty, problem, retry, more, label, isStale = false, tools } = props;
  const { table, chosen } = useRows(props);
  const t = useTexts(shellTexts);
  const open = useOpening(props);
  const shown = columns.filter(({ id }) => chosen.visibility[id] !== false);
  if (problem && !rows) return <Trouble problem={problem} {...(retry && { retry })} />;
  if (rows?.length === 0) return <div className="table-empty">{empty}</div>;
  return (
    <div className="table-box" data-stale={isStale || undefined}>
      <div className="table-tools">
        <span className="table-count" aria-live="polite">
          {rows ? t.rowsShown(rows.length) : t.loading}
        </span>
        <span className="table-more">
          {tools}
          <ColumnChooser columns={columns} chosen={chosen} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="table-scroll" aria-label={label} tabIndex={0}>
        <table className="table" aria-busy={!rows}>
          <Head columns={shown} table={table} />
          <tbody>
            {rows
              ? table.getRowModel().rows.map(({ id, original }) => (
                  <tr key={id} {...(open && { ...open(original), className: 'row-opens' })}>
                    {shown.map((column) => (
                      <td key={column.id} data-number={column.isNumber || undefined}>
                        {column.cell(original)}
                      </td>
                    ))}
                  </tr>
                ))
              : [...'12345678'].map((key) => (
                  <tr key={key}>
                    {shown.map(({ id }) => (
                      <td key={id}>
                        <Skeleton height={12} width={`${40 + ((Number(key) * 37 + id.length * 13) % 50)}%`} />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </section>
      {more && (
        <div className="table-foot">
          <Button variant="default" onClick={more.load} loading={more.isLoading}>
            {t.loadMore}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A click beside a link or a button opens the row; so does Enter on it. */
function useOpening<Row>({ to, onOpen }: DataTableProps<Row>) {
  const { go } = useAddress();
  if (!to && !onOpen) return null;
  const open = (row: Row) => (onOpen ? onOpen(row) : to && go(to(row)));
  return (row: Row) => ({
    tabIndex: 0,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const isOther = (event.target as HTMLElement).closest('a, button, input, label') !== null;
      if (!isOther && globalThis.getSelection()?.toString() === '') open(row);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) open(row);
    },
  });
}

function Head<Row>({ columns, table }: { readonly columns: readonly Column<Row>[]; readonly table: PlainTable<Row> }): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map(({ id, header, isNumber, sortBy }) => {
          // What stands below is a button or a state that says itself what it is.
          if (header === '') return <td key={id} className="head-none" />;
          const sorted = table.getColumn(id)?.getIsSorted() ?? false;
          const ariaSort = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined;
          return (
            <th key={id} scope="col" data-number={isNumber || undefined} aria-sort={ariaSort}>
              {sortBy ? (
                <button type="button" className="sorter" onClick={() => table.getColumn(id)?.toggleSorting()}>
                  {header}
                  <span className="sorter-sign" data-on={sorted !== false || undefined}>
                    <Icon name={sorted === 'desc' ? 'down' : 'up'} size={12} />
                  </span>
                </button>
              ) : (
                header
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
