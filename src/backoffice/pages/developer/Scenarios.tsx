import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ScenariosView } from '../../../spec/answers/developer.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Status } from '../../kit/Status.tsx';
import { toolTexts } from '../../texts/developerTools.ts';
import { useTexts } from '../../texts/texts.ts';
import { ScenarioEditor } from './ScenarioEditor.tsx';

type Words = (typeof toolTexts)['en'];
type Row = ScenariosView['scenarios'][number] & { readonly attached: readonly ('all' | 'card')[] };

const isOf = (name: string, wish: string | null): boolean => wish !== null && wish.split('#')[0] === name;

/** Where a scenario is attached to the entity. */
export const attachedTo = (name: string, { channel, cards }: ScenariosView['attached']): Row['attached'] => [
  ...(isOf(name, channel) ? (['all'] as const) : []),
  ...cards.flatMap((wish) => (isOf(name, wish) ? (['card'] as const) : [])),
];

const columnsIn = (t: Words): readonly Column<Row>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => <code>{name}</code>, sortBy: ({ name }) => name },
  { id: 'story', header: t.story, isLong: true, cell: ({ says }) => <span lang="en">{says}</span> },
  { id: 'kind', header: t.kind, cell: ({ isReady }) => (isReady ? t.ready : t.own), sortBy: ({ isReady }) => Number(isReady) },
  {
    id: 'attached',
    header: t.attached,
    cell: ({ attached }) =>
      attached.length > 0 && (
        <Status tone="accent">
          {[...new Set(attached)].map((to) => (to === 'all' ? t.attachedAll : t.attachedCard)).join(', ')}
        </Status>
      ),
  },
];

/** Scenarios of the test environment. */
export function Scenarios(): ReactNode {
  const t = useTexts(toolTexts);
  const { entityId } = useScope();
  const may = useMay('scenarios');
  const [isWriting, setWriting] = useState(false);
  const list = useApiList(
    'listScenarios',
    { entityId },
    {
      rowsOf: ({ scenarios, attached }) => scenarios.map((one): Row => ({ ...one, attached: attachedTo(one.name, attached) })),
    },
  );
  return (
    <ListPage
      name="scenarios"
      title={t.scenarios}
      says={t.scenariosSay}
      actions={
        may && (
          <Button variant="default" onClick={() => setWriting(true)}>
            {t.write}
          </Button>
        )
      }
      list={list}
      columns={columnsIn(t)}
      keyOf={({ name }) => name}
      to={({ name }) => `/developer/scenarios/${name}`}
      empty={{ title: t.noScenarios }}
    >
      <ScenarioEditor isOpen={isWriting} onClose={() => setWriting(false)} />
    </ListPage>
  );
}
