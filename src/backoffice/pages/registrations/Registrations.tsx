import type { ReactNode } from 'react';
import type { RegistrationView } from '../../../spec/answers/stored.ts';
import { registrationStates } from '../../../spec/areas/stored.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { instrumentText } from '../../kit/PaymentsTable.tsx';
import { Status } from '../../kit/Status.tsx';
import { SANDBOX_CARD, sandboxCurl } from '../../kit/sandboxCurl.ts';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { registrationTexts } from '../../texts/registrations.ts';
import { useTexts } from '../../texts/texts.ts';
import { registrationTones, type Words } from './words.ts';

const columnsIn = (t: Words): readonly Column<RegistrationView>[] => [
  { id: 'instrument', header: t.instrument, isFixed: true, cell: ({ instrument }) => instrumentText(instrument) },
  { id: 'holder', header: t.holder, cell: ({ instrument }) => instrument.holder },
  { id: 'expiry', header: t.expiry, cell: ({ instrument }) => instrument.expiry },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={registrationTones[state]}>{t[state]}</Status> },
  { id: 'created', header: t.created, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'used', header: t.used, cell: ({ usedAt }) => <Timestamp at={usedAt} /> },
  { id: 'id', header: t.id, cell: ({ id }) => <Id id={id} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'last4', label: t.last4, placeholder: '0000' },
  { name: 'holder', label: t.holder },
  { name: 'state', label: t.state, choices: registrationStates.map((value) => ({ value, label: t[value] })) },
  { name: 'id', label: t.id },
];

/** Stored payment methods at the chosen entity. */
export function Registrations(): ReactNode {
  const t = useTexts(registrationTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const filters = filtersIn(t);
  const values = { entityId, ...useFilters(filters) };
  const curl = sandboxCurl(`${gatewayUrl}/v1/registrations`, SANDBOX_CARD, '-d card.cvv=123');
  return (
    <ListPage
      name="registrations"
      title={t.title}
      says={t.says}
      filters={filters}
      list={useApiList('listRegistrations', values, { rowsOf: ({ registrations }) => registrations })}
      columns={columnsIn(t)}
      keyOf={({ id }) => id}
      to={({ id }) => `/registrations/${id}`}
      empty={{ title: t.none, says: t.noneSays, curl }}
    />
  );
}
