import { Button, Group, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { UserView } from '../../../spec/answers/users.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Icon } from '../../kit/icons.tsx';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';
import { NodeChoice, RoleChoice, useNarrowScope } from './Invite.tsx';
import { Sheet, Window } from './Overview.tsx';
import { useNodeName, useRoles } from './roleNames.ts';
import { useChangeMessage } from './useChangeMessage.ts';
import { useFieldErrors } from './useFieldErrors.ts';

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
      {errors.rest !== null && (
        <p role="alert" className="fault">
          {errors.rest}
        </p>
      )}
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
      <Window isOpen={isAdding} title={t.addRole} onClose={() => setAdding(false)}>
        <AddGrant entityId={entityId} onAdd={add} onClose={() => setAdding(false)} />
      </Window>
    </div>
  );
}

type AddProps = { readonly entityId: string; readonly onAdd: (grant: Grant) => void; readonly onClose: () => void };

function AddGrant({ entityId, onAdd, onClose }: AddProps): ReactNode {
  const t = useTexts(userTexts);
  const [node, setNode] = useState(useNarrowScope(entityId));
  const [role, setRole] = useState('');
  return (
    <Sheet
      act={t.addRole}
      fault={null}
      isRunning={false}
      isDisabled={node === '' || role === ''}
      onConfirm={() => onAdd({ entityId: node, role })}
      onClose={onClose}
    >
      <NodeChoice value={node} onChange={setNode} />
      <RoleChoice entityId={node} value={role} onChange={setRole} />
    </Sheet>
  );
}
