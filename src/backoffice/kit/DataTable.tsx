import { Button, Checkbox, Popover, Skeleton, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import type { ListState } from '../app/useApi.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { LoadError } from './Empty.tsx';
import { Icon } from './icons.tsx';
import { PageLink } from './PageLink.tsx';

export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and amounts are right-aligned. */
  readonly isNumber?: boolean;
  /** For long strings: takes the remaining width and wraps. */
  readonly isLong?: boolean;
  /** Hidden until the user chooses it. */
  readonly isHidden?: boolean;
  /** Always visible: the column that identifies the row. */
  readonly isFixed?: boolean;
  /** The sort key of the loaded rows. */
  readonly sortBy?: (row: Row) => string | number | bigint;
};

/** Only `rows` is required; undefined: loading. */
export type DataTableProps<Row> = Pick<ListState<Row>, 'rows'> &
  Partial<ListState<Row>> & {
    /** The key under which the browser remembers the chosen columns. */
    readonly name: string;
    /** The accessible name. */
    readonly label: string;
    readonly columns: readonly Column<Row>[];
    readonly keyOf: (row: Row) => string;
    /** The address that a row opens. The fixed column holds the link, and must hold no other link or button. */
    readonly to?: (row: Row) => string;
    /** Opens a row in place. */
    readonly onOpen?: (row: Row) => void;
    readonly empty: ReactNode;
    /** Beside the column chooser. */
    readonly tools?: ReactNode;
  };

type Sorting = { readonly id: string; readonly isDescending: boolean };

/** Ascending, descending, then unsorted again. */
function nextSorting(id: string, sorting: Sorting | null): Sorting | null {
  if (sorting?.id !== id) return { id, isDescending: false };
  return sorting.isDescending ? null : { id, isDescending: true };
}

function sortedRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | null): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sorting?.id)?.sortBy;
  if (!sorting || !sortBy) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [left, right] = [sortBy(one), sortBy(other)];
    return left === right ? 0 : left < right ? -sign : sign;
  });
}

/** A table: 40 px rows, sticky header, amounts on the right. A row with an address is a link. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { name, columns, rows, keyOf, to, empty, problem, retry, more, label, isStale = false, tools } = props;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const chosen = useChosenColumns(name, columns);
  const t = useTexts(shellTexts);
  const open = opening(props);
  const linked = columns.find(({ isFixed }) => isFixed)?.id;
  const shown = columns.filter(({ id }) => chosen.visibility[id] !== false);
  if (problem && !rows) return <LoadError problem={problem} {...(retry && { retry })} />;
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a part that scrolls */}
      <section className="table-scroll" aria-label={label} tabIndex={0}>
        <table className="table" aria-busy={!rows}>
          <Head columns={shown} sorting={sorting} onSort={(id) => setSorting(nextSorting(id, sorting))} />
          <tbody>
            {rows
              ? sortedRows(rows, columns, sorting).map((row) => (
                  <tr key={keyOf(row)} className={to || open ? 'row-opens' : undefined} {...open?.(row)}>
                    {shown.map((column) => (
                      <td key={column.id} data-number={column.isNumber || undefined} data-long={column.isLong || undefined}>
                        {to && column.id === linked ? (
                          <PageLink to={to(row)} className="row-link">
                            {column.cell(row)}
                          </PageLink>
                        ) : (
                          column.cell(row)
                        )}
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

/** A row that opens in place does so by a click outside links and buttons, and by Enter. */
function opening<Row>({ onOpen }: DataTableProps<Row>) {
  if (!onOpen) return null;
  return (row: Row) => ({
    tabIndex: 0,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const isOther = (event.target as HTMLElement).closest('a, button, input, label') !== null;
      if (!isOther && globalThis.getSelection()?.toString() === '') onOpen(row);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
    },
  });
}

type HeadProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | null;
  readonly onSort: (id: string) => void;
};

function Head<Row>({ columns, sorting, onSort }: HeadProps<Row>): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map(({ id, header, isNumber, sortBy }) => {
          // The cells below are buttons or statuses and need no header.
          if (header === '') return <td key={id} className="head-none" />;
          const sorted = sorting?.id === id ? (sorting.isDescending ? 'descending' : 'ascending') : undefined;
          return (
            <th key={id} scope="col" data-number={isNumber || undefined} aria-sort={sorted}>
              {sortBy ? (
                <button type="button" className="sorter" onClick={() => onSort(id)}>
                  {header}
                  <span className="sorter-sign" data-on={sorted !== undefined || undefined}>
                    <Icon name={sorted === 'descending' ? 'down' : 'up'} size={12} />
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

type Choosable = { readonly id: string; readonly header: string; readonly isHidden?: boolean; readonly isFixed?: boolean };

type ChosenColumns = {
  readonly visibility: Readonly<Record<string, boolean>>;
  readonly choose: (id: string, isShown: boolean) => void;
};

/** The columns that the user has chosen for a table. The browser remembers them. */
export function useChosenColumns(name: string, columns: readonly Choosable[]): ChosenColumns {
  const [kept, keep] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `turnpike-columns-${name}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const visibility = Object.fromEntries(
    columns.map(({ id, isHidden = false, isFixed = false }) => [id, isFixed || (kept[id] ?? !isHidden)]),
  );
  return { visibility, choose: (id, isShown) => keep({ ...kept, [id]: isShown }) };
}

/** A list of the columns to choose from. */
function ColumnChooser({
  columns,
  chosen,
}: {
  readonly columns: readonly Choosable[];
  readonly chosen: ChosenColumns;
}): ReactNode {
  const t = useTexts(shellTexts);
  const free = columns.filter(({ isFixed, header }) => !isFixed && header !== '');
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton className="quiet-button">
          <Icon name="columns" size={14} />
          {t.columns}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.columns}>
        <div className="choices">
          {free.map(({ id, header }) => (
            <Checkbox
              key={id}
              size="xs"
              label={header}
              checked={chosen.visibility[id] !== false}
              onChange={(event) => chosen.choose(id, event.currentTarget.checked)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
