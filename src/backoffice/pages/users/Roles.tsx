import { Button, Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RoleView } from '../../../spec/answers/users.ts';
import { roles as builtIn, type Right, type RoleName, rights } from '../../../spec/rights.ts';
import { mayAt, useMay, useMe, useScope } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Disclosure } from '../../kit/Code.tsx';
import { ConfirmButton, Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { PageHead, Section, Trail } from '../../kit/Page.tsx';
import { useFieldErrors } from '../../kit/useForm.ts';
import { administrationTexts } from '../../texts/administration.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { rightTexts, userTexts } from '../../texts/users.ts';
import { useChangeMessage, useNodeName } from './roleNames.ts';

const isBuiltIn = ({ id }: RoleView): boolean => Object.hasOwn(builtIn, id);

/** Built-in and custom roles. */
export function Roles(): ReactNode {
  const t = useTexts(userTexts);
  const shared = useTexts(administrationTexts);
  const { entityId } = useScope();
  const may = useMay('users');
  const { data, error, refetch } = useApiQuery('listRoles', { entityId });
  const [form, setForm] = useState<RoleView | 'new' | null>(null);
  const made = data?.roles.filter((role) => !isBuiltIn(role)) ?? [];
  const close = () => setForm(null);
  return (
    <>
      <Trail steps={[shared.administration, t.roles]} />
      <PageHead title={t.roles} says={t.rolesSays}>
        {may && <Button onClick={() => setForm('new')}>{t.makeRole}</Button>}
      </PageHead>
      {error && <LoadError problem={error} retry={() => void refetch()} />}
      <Section title={t.builtIn}>
        <ul className="roles">
          {data?.roles.filter(isBuiltIn).map((role) => (
            <RoleCard key={role.id} role={role} />
          ))}
        </ul>
      </Section>
      <Section title={t.custom}>
        {data && made.length === 0 && <Empty title={t.customNone} says={t.customNoneSays} />}
        <ul className="roles">
          {made.map((role) => (
            <RoleCard key={role.id} role={role} {...(may && { onChange: setForm })} />
          ))}
        </ul>
      </Section>
      <Dialog isOpen={form !== null} title={form === 'new' ? t.makeRole : t.changeRole} onClose={close}>
        {form && <RoleForm entityId={entityId} role={form === 'new' ? null : form} onClose={close} />}
      </Dialog>
    </>
  );
}

type CardProps = {
  readonly role: RoleView;
  readonly onChange?: (role: RoleView) => void;
};

function RoleCard({ role, onChange }: CardProps): ReactNode {
  const t = useTexts(userTexts);
  const words = useTexts(rightTexts);
  const nodeName = useNodeName();
  const name = isBuiltIn(role) ? words[`role.${role.id as RoleName}`] : role.name;
  const says = isBuiltIn(role) ? words[`roleSays.${role.id as RoleName}`] : t.at(nodeName(role.entityId ?? ''));
  return (
    <li className="role">
      <div className="role-head">
        <div>
          <h3>{name}</h3>
          <p className="muted">{says}</p>
        </div>
        <div className="page-acts">
          {onChange && role.isGivable && (
            <Button variant="subtle" size="compact-sm" onClick={() => onChange(role)} aria-label={`${t.changeRole}: ${name}`}>
              {t.changeRole}
            </Button>
          )}
          {onChange && role.isGivable && (
            <ConfirmButton
              endpoint="removeRole"
              request={{ places: { id: role.id } }}
              title={name}
              label={t.remove}
              ariaLabel={`${t.remove}: ${name}`}
              variant="subtle"
              size="compact-sm"
              color="bad"
              says={t.roleRemoved}
            >
              {t.removeRoleSays}
            </ConfirmButton>
          )}
        </div>
      </div>
      <Disclosure label={`${name}: ${t.rightsCount(role.rights.length)}`}>
        <ul className="role-rights">
          {role.rights.map((right) => (
            <li key={right}>
              <strong>{words[`right.${right}`]}</strong> <span className="muted">{words[`rightSays.${right}`]}</span>
            </li>
          ))}
        </ul>
      </Disclosure>
    </li>
  );
}

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
    <DialogForm
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
    </DialogForm>
  );
}
