import { Button, Group, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LinkView, UserView } from '../../../spec/answers/users.ts';
import { useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton, Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { Icon } from '../../kit/icons.tsx';
import { Facts, PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useFieldErrors } from '../../kit/useForm.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';
import { useChangeMessage, useNodeName, useRoles } from './roleNames.ts';
import { NodeChoice, RoleChoice, ShownLink, UserState, useNarrowScope } from './Users.tsx';

/** A user: roles, status and sign-in. */
export function UserPage(): ReactNode {
  const t = useTexts(userTexts);
  const { params } = useAddress();
  const { entityId } = useScope();
  const { data: user, error, refetch } = useApiQuery('readUser', { entityId }, { places: { id: params.id ?? '' } });
  const back = { to: '/administration/users', label: t.users };
  if (!user) return <Unloaded title={t.users} back={back} error={error} retry={refetch} />;
  return (
    <>
      <PageHead title={user.name} says={user.email} back={back}>
        {user.isManageable && <UserActions user={user} entityId={entityId} />}
      </PageHead>
      {!user.isManageable && <p className="muted">{t.notManageable}</p>}
      <Who user={user} />
      <Section title={t.roles}>
        <Grants key={JSON.stringify(user.grants)} user={user} entityId={entityId} />
      </Section>
    </>
  );
}

function Who({ user }: { readonly user: UserView }): ReactNode {
  const t = useTexts(userTexts);
  const factors = [user.hasTotp && t.app, user.passkeys > 0 && t.passkeys(user.passkeys)].filter(Boolean).join(', ');
  return (
    <Facts
      facts={[
        [t.state, <UserState key="state" user={user} />],
        [t.secondFactor, factors === '' ? t.none : factors],
        [t.signedIn, user.signedInAt ? <Timestamp key="in" at={user.signedInAt} /> : t.never],
        [t.created, <Timestamp key="since" at={user.createdAt} />],
        [t.userId, <Id key="id" id={user.id} isShort />],
      ]}
    />
  );
}

function UserActions({ user, entityId }: { readonly user: UserView; readonly entityId: string }): ReactNode {
  const t = useTexts(userTexts);
  const [link, setLink] = useState<LinkView | null>(null);
  const changeMessage = useChangeMessage();
  const request = { places: { id: user.id }, values: { entityId } };
  const isDisabled = user.state === 'disabled';
  return (
    <>
      <ConfirmButton endpoint="endUserSessions" request={request} label={t.endSessions} says={t.sessionsEnded}>
        {t.endSessionsSays(user.name)}
      </ConfirmButton>
      <ConfirmButton endpoint="resetUser" request={request} label={t.reset} onDone={setLink}>
        {t.resetSays(user.name)}
      </ConfirmButton>
      {user.state !== 'invited' && (
        <ConfirmButton
          endpoint="changeUser"
          request={{ ...request, values: { entityId, state: isDisabled ? 'active' : 'disabled' } }}
          label={isDisabled ? t.enable : t.disable}
          isDangerous={!isDisabled}
          says={changeMessage(t.stateChanged)}
        >
          {isDisabled ? t.enableSays(user.name) : t.disableSays(user.name)}
        </ConfirmButton>
      )}
      <ShownLink link={link} onClose={() => setLink(null)} />
    </>
  );
}

type Grant = UserView['grants'][number];

const isSame = (one: Grant, other: Grant): boolean => one.entityId === other.entityId && one.role === other.role;

/** The roles of a user at entities, edited and saved together. */
export function Grants({ user, entityId }: { readonly user: UserView; readonly entityId: string }): ReactNode {
  const t = useTexts(userTexts);
  const shell = useTexts(shellTexts);
  const { nameOf } = useRoles(entityId);
  const nodeName = useNodeName();
  const [grants, setGrants] = useState<readonly Grant[]>(user.grants);
  const [isAdding, setAdding] = useState(false);
  const changeMessage = useChangeMessage();
  const { run, isRunning, problem } = useApiCommand('changeUser', { says: changeMessage(t.rolesChanged), isQuiet: true });
  const errors = useFieldErrors(problem, []);
  const isChanged =
    grants.length !== user.grants.length || !grants.every((one) => user.grants.some((other) => isSame(one, other)));
  const add = (grant: Grant) => {
    setAdding(false);
    if (!grants.some((one) => isSame(one, grant))) setGrants([...grants, grant]);
  };
  return (
    <div className="stack">
      <ul className="grants">
        {grants.map((grant) => (
          <li key={`${grant.entityId} ${grant.role}`} className="grant">
            <span>
              <strong>{nameOf(grant.role)}</strong> {t.at(nodeName(grant.entityId))}
            </span>
            <UnstyledButton
              className="copy"
              aria-label={t.removeRole(nameOf(grant.role), nodeName(grant.entityId))}
              onClick={() => setGrants(grants.filter((one) => !isSame(one, grant)))}
            >
              <Icon name="close" size={14} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {errors.rest !== null && <Fault>{errors.rest}</Fault>}
      <Group gap="xs">
        <Button variant="default" onClick={() => setAdding(true)}>
          {t.addRole}
        </Button>
        {isChanged && (
          <>
            <Button variant="default" onClick={() => setGrants(user.grants)}>
              {shell.cancel}
            </Button>
            <Button loading={isRunning} onClick={() => run({ places: { id: user.id }, values: { entityId, grants } })}>
              {t.changeRoles}
            </Button>
          </>
        )}
      </Group>
      <Dialog isOpen={isAdding} title={t.addRole} onClose={() => setAdding(false)}>
        <AddGrant entityId={entityId} onAdd={add} onClose={() => setAdding(false)} />
      </Dialog>
    </div>
  );
}

type AddProps = { readonly entityId: string; readonly onAdd: (grant: Grant) => void; readonly onClose: () => void };

function AddGrant({ entityId, onAdd, onClose }: AddProps): ReactNode {
  const t = useTexts(userTexts);
  const [node, setNode] = useState(useNarrowScope(entityId));
  const [role, setRole] = useState('');
  return (
    <DialogForm
      act={t.addRole}
      fault={null}
      isRunning={false}
      isDisabled={node === '' || role === ''}
      onConfirm={() => onAdd({ entityId: node, role })}
      onClose={onClose}
    >
      <NodeChoice value={node} onChange={setNode} />
      <RoleChoice entityId={node} value={role} onChange={setRole} />
    </DialogForm>
  );
}
