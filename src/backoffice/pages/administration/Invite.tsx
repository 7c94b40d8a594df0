import { Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LinkView, RoleView } from '../../../spec/answers/users.ts';
import { roles as builtIn, type RoleName } from '../../../spec/rights.ts';
import { choosable, merchantAt, pathOf, useLastMerchant, useMe } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { useForm } from '../../kit/useForm.ts';
import { rightTexts } from '../../texts/rights.ts';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';
import { Sheet } from './Overview.tsx';
import { useRoles } from './roleNames.ts';
import { useFieldErrors } from './useFieldErrors.ts';

type NodeChoiceProps = { readonly value: string; readonly onChange: (entityId: string) => void; readonly label?: string };

/** A choice of the entities that the user may see. */
export function NodeChoice({ value, onChange, label }: NodeChoiceProps): ReactNode {
  const t = useTexts(userTexts);
  const entities = choosable(useMe());
  return (
    <Select
      label={label ?? t.atNode}
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
  const { run, isRunning, problem } = useApiCommand('inviteUser', { onDone: onShow, isQuiet: true });
  const form = useForm({ email: '', name: '' }, problem);
  const [node, setNode] = useState(useNarrowScope(entityId));
  const [role, setRole] = useState<string>(NARROWEST_ROLE);
  const errors = useFieldErrors(problem, ['email', 'name', 'role']);
  const { email, name } = form.values;
  return (
    <Sheet
      act={t.invite}
      fault={errors.rest}
      isRunning={isRunning}
      isDisabled={email === '' || name === '' || node === '' || role === ''}
      onConfirm={() => run({ values: { entityId: node, email, name, role } })}
      onClose={onClose}
    >
      <TextInput label={t.email} type="email" autoComplete="off" data-autofocus {...form.field('email')} />
      <TextInput label={t.name} autoComplete="off" {...form.field('name')} />
      <NodeChoice value={node} onChange={setNode} />
      <RoleChoice entityId={node} value={role} onChange={setRole} error={errors.at.role} />
    </Sheet>
  );
}
