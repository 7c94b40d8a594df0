import type { AskedSecond, RoleView } from '../../../spec/answers/users.ts';
import { type RoleName, roles } from '../../../spec/rights.ts';
import { useMe } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { useTexts } from '../../texts/texts.ts';
import { fourEyesTexts, namesText, rightTexts } from '../../texts/users.ts';

const isBuiltIn = (id: string): id is RoleName => Object.hasOwn(roles, id);

/** The roles that can be given at an entity, and what each is called. */
export function useRoles(entityId: string): {
  readonly roles: readonly RoleView[] | undefined;
  readonly nameOf: (role: string) => string;
} {
  const words = useTexts(rightTexts);
  const { data } = useApiQuery('listRoles', { entityId }, { isWanted: entityId !== '' });
  const nameOf = (role: string): string =>
    isBuiltIn(role) ? words[`role.${role}`] : (data?.roles.find(({ id }) => id === role)?.name ?? `${role.slice(0, 8)}…`);
  return { roles: data?.roles, nameOf };
}

/** The name of a node. */
export function useNodeName(): (entityId: string) => string {
  const { entities } = useMe();
  return (entityId) => entities.find(({ id }) => id === entityId)?.name ?? `${entityId.slice(0, 8)}…`;
}

/** The message after a change: done, or waiting for approval. */
export function useChangeMessage(): (done: string) => (answer: object | AskedSecond) => string {
  const t = useTexts(fourEyesTexts);
  return (done) => (answer) => ('approval' in answer ? t.askedSecond(namesText(t, answer.approval.approvers)) : done);
}
