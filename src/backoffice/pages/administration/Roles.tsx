import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RoleView } from '../../../spec/answers/users.ts';
import { roles as builtIn, type RoleName } from '../../../spec/rights.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Disclosure } from '../../kit/Json.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { rightTexts } from '../../texts/rights.ts';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';
import { Window } from './Overview.tsx';
import { RoleForm } from './RoleForm.tsx';
import { useNodeName } from './roleNames.ts';
import { Trail } from './Trail.tsx';

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
      <Window isOpen={form !== null} title={form === 'new' ? t.makeRole : t.changeRole} onClose={close}>
        {form && <RoleForm entityId={entityId} role={form === 'new' ? null : form} onClose={close} />}
      </Window>
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
              label={t.removeRoleAct}
              ariaLabel={`${t.removeRoleAct}: ${name}`}
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
