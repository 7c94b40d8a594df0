import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LinkView, UserView } from '../../../spec/answers/users.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { type UserWords, userTexts } from '../../texts/users.ts';
import { Invite } from './Invite.tsx';
import { Window } from './Overview.tsx';
import { useNodeName, useRoles } from './roleNames.ts';
import { ShownLink } from './ShownLink.tsx';
import { Trail } from './Trail.tsx';

const PAGE = 50;

/** The status of a user. A lockout takes precedence. */
export function UserState({ user: { state, lockedUntil } }: { readonly user: UserView }): ReactNode {
  const t = useTexts(userTexts);
  if (lockedUntil !== null) return <Status tone="bad">{t.locked}</Status>;
  const tone = { active: 'good', invited: 'accent', disabled: 'quiet' } as const;
  return <Status tone={tone[state]}>{t[`state.${state}`]}</Status>;
}

type Names = { readonly role: (role: string) => string; readonly node: (entityId: string) => string };

const columnsIn = (t: UserWords, names: Names): readonly Column<UserView>[] => [
  {
    id: 'name',
    header: t.name,
    isFixed: true,
    cell: ({ name }) => name,
    sortBy: ({ name }) => name,
  },
  { id: 'email', header: t.email, cell: ({ email }) => email, sortBy: ({ email }) => email },
  { id: 'state', header: t.state, cell: (user) => <UserState user={user} />, sortBy: ({ state }) => state },
  {
    id: 'roles',
    header: t.roles,
    cell: ({ grants }) => grants.map(({ role, entityId }) => `${names.role(role)} ${t.at(names.node(entityId))}`).join(', '),
  },
  {
    id: 'signedIn',
    header: t.signedIn,
    cell: ({ signedInAt }) => (signedInAt ? <Timestamp at={signedInAt} /> : <span className="muted">{t.never}</span>),
    sortBy: ({ signedInAt }) => signedInAt ?? '',
  },
];

/** Users with a role at the chosen entity or below it. */
export function Users(): ReactNode {
  const t = useTexts(userTexts);
  const shared = useTexts(administrationTexts);
  const { entityId } = useScope();
  const may = useMay('users');
  const { nameOf } = useRoles(entityId);
  const nodeName = useNodeName();
  const list = useApiList(
    'listUsers',
    { entityId, limit: PAGE },
    {
      rowsOf: ({ users }) => users,
      nextOf: ({ users }) => (users.length === PAGE ? (users.at(-1)?.id ?? null) : null),
      isWanted: may,
    },
  );
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<LinkView | null>(null);
  const show = (made: LinkView) => {
    setInviting(false);
    setLink(made);
  };
  return (
    <>
      <Trail steps={[shared.administration, t.users]} />
      <ListPage
        name="users"
        title={t.users}
        says={t.usersSays}
        actions={may && <Button onClick={() => setInviting(true)}>{t.invite}</Button>}
        list={list}
        columns={columnsIn(t, { role: nameOf, node: nodeName })}
        keyOf={({ id }) => id}
        to={({ id }) => `/administration/users/${id}`}
        empty={{ title: t.usersNone, says: t.usersNoneSays }}
      >
        <Window isOpen={isInviting} title={t.inviteTitle} onClose={() => setInviting(false)}>
          <Invite entityId={entityId} onShow={show} onClose={() => setInviting(false)} />
        </Window>
        <ShownLink link={link} onClose={() => setLink(null)} />
      </ListPage>
    </>
  );
}
