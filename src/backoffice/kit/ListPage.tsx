import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ListState } from '../app/useApi.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { Empty, type EmptyProps } from './Empty.tsx';
import { type Filter, Filters, useFilters } from './Filters.tsx';
import { Icon } from './icons.tsx';
import { PageHead } from './Page.tsx';

export type ListPageProps<Row> = Pick<DataTableProps<Row>, 'name' | 'columns' | 'keyOf' | 'to' | 'onOpen'> & {
  readonly title: string;
  readonly says?: ReactNode;
  /** Buttons of the page head. */
  readonly actions?: ReactNode;
  /** The address of the same list as a CSV file. */
  readonly csv?: { readonly href: string; readonly hint?: string } | undefined;
  readonly filters?: readonly Filter[];
  /** In front of the filters: a search box, tabs. */
  readonly tools?: ReactNode;
  readonly list: ListState<Row>;
  /** Shown when there is nothing yet. */
  readonly empty: EmptyProps;
  /** Shown when no row matches the filters. */
  readonly notFound?: EmptyProps;
  /** Between the head and the filters. */
  readonly notice?: ReactNode;
  /** Shown in place of the list, for example until a merchant is chosen. */
  readonly instead?: ReactNode;
  /** Dialogs and further sections. */
  readonly children?: ReactNode;
};

/** A page with one list: head, filters, table, empty state, paging and CSV. */
export function ListPage<Row>(props: ListPageProps<Row>): ReactNode {
  const { title, says, actions, csv, filters = [], tools, list, empty, notFound, notice, instead, children, ...table } = props;
  const t = useTexts(shellTexts);
  const isFiltered = Object.keys(useFilters(filters)).length > 0;
  return (
    <>
      <PageHead title={title} says={says} {...(!instead && { dataOf: list.source })}>
        {csv && (
          <Button
            component="a"
            href={csv.href}
            download
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            {...(csv.hint && { title: csv.hint })}
          >
            {t.exportCsv}
          </Button>
        )}
        {actions}
      </PageHead>
      {notice}
      {instead ?? (
        <>
          {filters.length > 0 ? <Filters filters={filters}>{tools}</Filters> : tools}
          <DataTable
            label={title}
            empty={<Empty {...(isFiltered ? (notFound ?? { title: t.noResults, says: t.notFoundSays }) : empty)} />}
            {...table}
            {...list}
          />
        </>
      )}
      {children}
    </>
  );
}
