import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SessionView } from '../../../spec/answers/users.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { ownAccountTexts } from '../../texts/ownAccount.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof ownAccountTexts)['en'];

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** `Firefox · Linux`, from what a browser says of itself. */
function browserOf(agent: string, t: Words): string {
  const known = [BROWSERS, SYSTEMS].flatMap((rows) => rows.find(([pattern]) => pattern.test(agent))?.[1] ?? []);
  return known.length > 0 ? known.join(' · ') : t.unknownBrowser;
}

const columnsIn = (t: Words, onEnd: (id: string) => void): readonly Column<SessionView>[] => [
  { id: 'browser', header: t.browser, isFixed: true, cell: ({ agent }) => <span title={agent}>{browserOf(agent, t)}</span> },
  { id: 'from', header: t.from, cell: ({ from }) => <code>{from}</code> },
  { id: 'began', header: t.began, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'used', header: t.used, cell: ({ usedAt }) => <Timestamp at={usedAt} /> },
  {
    id: 'end',
    header: '',
    isFixed: true,
    isNumber: true,
    cell: ({ id, isThis, agent }) =>
      isThis ? (
        <Status tone="accent">{t.here}</Status>
      ) : (
        <Button size="compact-sm" variant="subtle" aria-label={t.endNamed(browserOf(agent, t))} onClick={() => onEnd(id)}>
          {t.end}
        </Button>
      ),
  },
];

/** Where one is signed in. */
export function Sessions(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const { data, error, refetch } = useApiQuery('listSessions');
  const { run: endOne } = useApiCommand('endSession', { says: t.ended });
  const { run: endOthers, isRunning } = useApiCommand('endOtherSessions', { says: t.endedOthers });
  const columns = columnsIn(t, (id) => endOne({ places: { id } }));
  const hasOthers = (data?.sessions.length ?? 0) > 1;
  const others = hasOthers && (
    <Button variant="default" loading={isRunning} onClick={() => endOthers({})}>
      {t.endOthers}
    </Button>
  );
  return (
    <Section title={t.sessions} actions={others}>
      <p className="muted account-says">{t.sessionsSays}</p>
      <DataTable
        name="sessions"
        label={t.sessions}
        rows={data?.sessions}
        columns={columns}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        empty={null}
      />
    </Section>
  );
}
