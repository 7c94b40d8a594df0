import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RoleView } from '../../../spec/answers/users.ts';
import { type Right, rights } from '../../../spec/rights.ts';
import { mayAt, useMe } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { rightTexts } from '../../texts/rights.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';
import { Sheet } from './Overview.tsx';
import { useChangeMessage } from './useChangeMessage.ts';
import { useFieldErrors } from './useFieldErrors.ts';

const all = Object.keys(rights) as readonly Right[];

type Props = { readonly entityId: string; readonly role: RoleView | null; readonly onClose: () => void };

/** A role as a list of rights. A user cannot grant rights that exceed the own ones. */
export function RoleForm({ entityId, role, onClose }: Props): ReactNode {
  const t = useTexts(userTexts);
  const shell = useTexts(shellTexts);
  const words = useTexts(rightTexts);
  const me = useMe();
  const [name, setName] = useState(role?.name ?? '');
  const [chosen, setChosen] = useState<readonly string[]>(role?.rights ?? []);
  const make = useApiCommand('makeRole', { says: t.roleSaved, onDone: onClose, isQuiet: true });
  const changeMessage = useChangeMessage();
  const change = useApiCommand('changeRole', { says: changeMessage(t.roleSaved), onDone: onClose, isQuiet: true });
  const errors = useFieldErrors(make.problem ?? change.problem, ['name', 'rights']);
  const at = role?.entityId ?? entityId;
  const save = () => {
    const values = { name, rights: all.filter((right) => chosen.includes(right)) };
    if (role) change.run({ places: { id: role.id }, values });
    else make.run({ values: { entityId, ...values } });
  };
  return (
    <Sheet
      act={shell.save}
      fault={errors.rest}
      isRunning={make.isRunning || change.isRunning}
      isDisabled={name.trim() === '' || chosen.length === 0}
      onConfirm={save}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.at.name}
        data-autofocus
      />
      <Checkbox.Group label={t.rights} value={[...chosen]} onChange={setChosen} error={errors.at.rights}>
        <div className="choices-column">
          {all.map((right) => {
            const isMine = mayAt(me, right, at);
            const says = isMine ? words[`rightSays.${right}`] : `${words[`rightSays.${right}`]} (${t.notGivable})`;
            return <Checkbox key={right} value={right} label={words[`right.${right}`]} description={says} disabled={!isMine} />;
          })}
        </div>
      </Checkbox.Group>
    </Sheet>
  );
}
