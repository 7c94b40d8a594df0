import type { PaperChange } from './cabinet.ts';
import type { PeopleNeeds } from './needs.ts';
import { allUsers, type User } from './user.ts';

const [GUARD, OPERATORS] = ['guard', 'operators'];

const isTop = ({ directory }: Pick<PeopleNeeds, 'directory'>, entityId: string): boolean =>
  directory.entity(entityId)?.path.length === 1;

/** The nodes at the top at which somebody runs everything. */
const topsOf = (needs: Pick<PeopleNeeds, 'directory'>, { state, grants }: User): readonly string[] =>
  state === 'active'
    ? grants.filter(({ entityId, role }) => role === 'operator' && isTop(needs, entityId)).map(({ entityId }) => entityId)
    : [];

/**
 * What keeps somebody at the top: null when the change would leave a top node without an operator. Otherwise a change that belongs into
 * the same commit, so that of two operators who take each other's role only one can.
 */
export async function guarded(needs: PeopleNeeds, before: User, after: User): Promise<readonly PaperChange[] | null> {
  const lost = topsOf(needs, before).filter((top) => !topsOf(needs, after).includes(top));
  if (lost.length === 0) return [];
  const guard = await needs.store.paper(GUARD, OPERATORS);
  const others = (await allUsers(needs.store)).filter(({ id }) => id !== before.id);
  if (!lost.every((top) => others.some((other) => topsOf(needs, other).includes(top)))) return null;
  const at = needs.clock.now();
  return [{ drawer: GUARD, id: OPERATORS, ownerId: '', at, revision: (guard?.revision ?? 0) + 1, body: {} }];
}
