import { Alert, Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LinkView, RoleView, UserView } from '../../../spec/answers/users.ts';
import { roles as builtIn, type RoleName } from '../../../spec/rights.ts';
import { choosable, merchantAt, pathOf, useLastMerchant, useMay, useMe, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { Dialog, DialogForm, OnceDialog } from '../../kit/Dialog.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Facts, Trail } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useCommandForm } from '../../kit/useForm.ts';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { rightTexts, type UserWords, userTexts } from '../../texts/users.ts';
import { useNodeName, useRoles } from './roleNames.ts';

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
        <Dialog isOpen={isInviting} title={t.inviteTitle} onClose={() => setInviting(false)}>
          <Invite entityId={entityId} onShow={show} onClose={() => setInviting(false)} />
        </Dialog>
        <ShownLink link={link} onClose={() => setLink(null)} />
      </ListPage>
    </>
  );
}

type NodeChoiceProps = { readonly value: string; readonly onChange: (entityId: string) => void; readonly label?: string };

/** A choice of the entities that the user may see. */
export function NodeChoice({ value, onChange, label }: NodeChoiceProps): ReactNode {
  const t = useTexts(userTexts);
  const entities = choosable(useMe());
  return (
    <Select
      label={label ?? t.entity}
      data={entities.map(({ id, name }) => ({ value: id, label: name }))}
      value={value === '' ? null : value}
      onChange={(id) => id !== null && onChange(id)}
      placeholder={t.chooseNode}
      searchable
      limit={50}
      allowDeselect={false}
    />
  );
}

type RoleChoiceProps = {
  readonly entityId: string;
  readonly value: string;
  readonly onChange: (role: string) => void;
  readonly error?: string | undefined;
};

/** Chooses one of the roles that may be given at a node, and says what it allows. */
export function RoleChoice({ entityId, value, onChange, error }: RoleChoiceProps): ReactNode {
  const t = useTexts(userTexts);
  const words = useTexts(rightTexts);
  const { roles = [], nameOf } = useRoles(entityId);
  const chosen = roles.find(({ id }) => id === value);
  const says = chosen && (isBuiltIn(chosen) ? words[`roleSays.${chosen.id as RoleName}`] : t.rightsCount(chosen.rights.length));
  return (
    <Select
      label={t.role}
      data={roles.filter(({ isGivable }) => isGivable).map(({ id }) => ({ value: id, label: nameOf(id) }))}
      value={value === '' ? null : value}
      onChange={(role) => role !== null && onChange(role)}
      allowDeselect={false}
      error={error}
      {...(says && { description: says, inputWrapperOrder: ['label', 'input', 'description', 'error'] as const })}
    />
  );
}

const isBuiltIn = ({ id }: Pick<RoleView, 'id'>): boolean => Object.hasOwn(builtIn, id);

/** The narrowest role, which new users get unless another is chosen. */
const NARROWEST_ROLE: RoleName = 'readOnly';

/**
 * The narrowest sensible scope of a new role: the chosen merchant or channel. Above merchants it is the merchant that was chosen last, or
 * the only one; '' where the user must choose.
 */
export function useNarrowScope(entityId: string): string {
  const me = useMe();
  const last = useLastMerchant();
  if (merchantAt(me, entityId)) return entityId;
  const below = choosable(me).filter(({ id, kind }) => kind === 'merchant' && pathOf(me, id).includes(entityId));
  const merchant = below.find(({ id }) => id === last?.id) ?? (below.length === 1 ? below[0] : undefined);
  return merchant?.id ?? '';
}

type Props = { readonly entityId: string; readonly onShow: (link: LinkView) => void; readonly onClose: () => void };

/** Invites a user to a role at an entity; the link is shown once. */
export function Invite({ entityId, onShow, onClose }: Props): ReactNode {
  const t = useTexts(userTexts);
  const form = useCommandForm('inviteUser', { email: '', name: '' }, { onDone: onShow, others: ['role'] });
  const [node, setNode] = useState(useNarrowScope(entityId));
  const [role, setRole] = useState<string>(NARROWEST_ROLE);
  const { email, name } = form.values;
  return (
    <DialogForm
      act={t.invite}
      {...form.sending}
      isDisabled={email === '' || name === '' || node === '' || role === ''}
      onConfirm={() => form.run({ values: { entityId: node, email, name, role } })}
      onClose={onClose}
    >
      <TextInput label={t.email} type="email" autoComplete="off" data-autofocus {...form.field('email')} />
      <TextInput label={t.name} autoComplete="off" {...form.field('name')} />
      <NodeChoice value={node} onChange={setNode} />
      <RoleChoice entityId={node} value={role} onChange={setRole} error={form.at.role} />
    </DialogForm>
  );
}

/** An invitation link. It is shown once, so only the button closes the dialog. */
export function ShownLink({ link, onClose }: { readonly link: LinkView | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(userTexts);
  return (
    <OnceDialog isOpen={link !== null} title={t.link} onClose={onClose} size="lg">
      {link && (
        <div className="stack once">
          <Alert color="warn" variant="light">
            {t.linkSays(link.user.name)}
          </Alert>
          <Copyable text={link.link} />
          <Facts
            facts={[
              [t.email, link.user.email],
              [t.validUntil, <Timestamp key="until" at={link.until} hasSeconds />],
            ]}
          />
          <Button onClick={onClose}>{t.done}</Button>
        </div>
      )}
    </OnceDialog>
  );
}
