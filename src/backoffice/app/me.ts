import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EntityView, Me } from '../../spec/answers/users.ts';
import type { Right } from '../../spec/rights.ts';
import { callApi } from './api.ts';
import { useAddress } from './navigation.ts';
import { sessionWatch } from './session.ts';
import { useApiQuery } from './useApi.ts';

/** The signed-in user. */
export const meQuery = queryOptions({
  queryKey: ['readMe'],
  queryFn: async () => {
    const me = await callApi('readMe');
    sessionWatch.begin(me);
    return me;
  },
  staleTime: 60_000,
});

/** The signed-in user. Only for pages after sign-in. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('no user has signed in');
  return data;
}

/** A node and everything above it, as far as it is known. */
export function pathOf({ entities }: Pick<Me, 'entities'>, id: string): readonly string[] {
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const path: string[] = [];
  for (let at = byId.get(id); at && path.length < 20; at = at.parentId === null ? undefined : byId.get(at.parentId))
    path.push(at.id);
  return path;
}

/** Whether the user has a right at an entity, or anywhere when none is named. */
export function mayAt(me: Me, right: Right, entityId?: string): boolean {
  const path = entityId === undefined ? null : pathOf(me, entityId);
  return me.grants.some((grant) => grant.rights.includes(right) && (path === null || path.includes(grant.entityId)));
}

/** The entities that the user can choose: the entities of the grants and everything below them. */
export const choosable = (me: Me): readonly EntityView[] =>
  me.entities.filter(({ id }) => pathOf(me, id).some((node) => me.grants.some(({ entityId }) => entityId === node)));

/** The chosen entity: the one in the address, otherwise the highest that the user may see. */
export function useScope(): { readonly entity: EntityView; readonly entityId: string } {
  const me = useMe();
  const { entity: wanted } = useAddress().search;
  const entities = choosable(me);
  const entity = entities.find(({ id }) => id === wanted) ?? entities[0];
  const none: EntityView = { id: '', kind: 'psp', name: '', parentId: null };
  return { entity: entity ?? none, entityId: entity?.id ?? '' };
}

/** Whether the user has a right at the chosen entity or at another one. */
export function useMay(right: Right, entityId?: string): boolean {
  const me = useMe();
  const scope = useScope();
  return mayAt(me, right, entityId ?? scope.entityId);
}

/** The merchant that an entity is or belongs to; null above merchants. */
export function merchantAt(me: Me, entityId: string): EntityView | null {
  const path = pathOf(me, entityId);
  return me.entities.find(({ id, kind }) => kind === 'merchant' && path.includes(id)) ?? null;
}

/** The merchant that the chosen entity is or belongs to; null above merchants. */
export function useMerchant(): EntityView | null {
  const me = useMe();
  const { entityId } = useScope();
  return merchantAt(me, entityId);
}

const LAST_MERCHANT = 'turnpike-merchant';

/** The merchant that was chosen last in this browser, if the user may still choose it. */
export function useLastMerchant(): EntityView | null {
  const me = useMe();
  const id = globalThis.localStorage.getItem(LAST_MERCHANT);
  return choosable(me).find((entity) => entity.id === id && entity.kind === 'merchant') ?? null;
}

/** Remembers the chosen merchant for pages that need one. */
export function useRememberedMerchant(): void {
  const id = useMerchant()?.id;
  useEffect(() => {
    if (id !== undefined) globalThis.localStorage.setItem(LAST_MERCHANT, id);
  }, [id]);
}

/**
 * The merchant of a page that shows one merchant at a time; null: the user must choose. Without an entity in the address it is the one that
 * was chosen last.
 */
export function useOneMerchant(): EntityView | null {
  const merchant = useMerchant();
  const last = useLastMerchant();
  const { search, set } = useAddress();
  const recalledId = merchant === null && search.entity === undefined ? last?.id : undefined;
  useEffect(() => {
    if (recalledId !== undefined) set({ entity: recalledId });
  }, [recalledId, set]);
  return merchant;
}

const CLOCK_MS = 30_000;

type ShownClock = { readonly now: string; readonly isReal: boolean; readonly isFrozen: boolean };

/** The test clock of the chosen merchant. Null: real time, or a clock that the user may not read. Undefined: it was not read yet. */
export function useTestClock(): ShownClock | null | undefined {
  const me = useMe();
  const merchant = useMerchant();
  const isWanted = me.environment === 'test' && merchant !== null && me.grants.some(({ rights }) => rights.includes('clock'));
  const { data, error } = useApiQuery('readClock', { entityId: merchant?.id ?? '' }, { isWanted, everyMs: CLOCK_MS });
  const clock = data as ShownClock | undefined;
  if (!isWanted || clock?.isReal || (error && !clock)) return null;
  return clock;
}
