import type { Directory, Entity } from '../../merchants/directory.ts';
import type { Payment } from '../../payments/payment.ts';
import type { SettledLine } from '../record.ts';
import { settlementOf, type Tolerance, toleranceOf } from '../settings.ts';

/** The payments that a line can be about: payments of some merchants, or of one channel. */
export type MatchScope = {
  readonly merchantIds: readonly string[];
  /** A channel; null: all channels of the merchants. */
  readonly entityId: string | null;
  readonly tolerance: Tolerance;
};

export type FileScopes = {
  /** The scope of a line by its account number; null: the number belongs to no entity here. */
  readonly scopeOf: (line: SettledLine) => MatchScope | null;
  /** All payments of the entity that owns the file. */
  readonly whole: MatchScope;
};

export const isWithin = ({ merchantIds, entityId }: MatchScope, payment: Payment): boolean =>
  merchantIds.includes(payment.merchantId) && (entityId === null || payment.entityId === entityId);

function entityScope(directory: Pick<Directory, 'idsBelow'>, entity: Entity): MatchScope {
  const merchants = entity.merchantId === null ? directory.idsBelow(entity.id, 'merchant') : [entity.merchantId];
  const entityId = entity.kind === 'channel' ? entity.id : null;
  return { merchantIds: merchants, entityId, tolerance: toleranceOf(settlementOf(entity.settings.settlement)) };
}

export type ScopeDirectory = Pick<Directory, 'entity' | 'idsBelow' | 'ownersOf'>;

/** The lowest entity with each account number, at or below one. Account numbers are inherited, so the owners of the setting are enough. */
function accountOwners(directory: ScopeDirectory, entity: Entity): ReadonlyMap<string, Entity> {
  const isBelow = (one: Entity): boolean => one.path.includes(entity.id);
  const owners = directory.ownersOf('settlement').flatMap((id) => directory.entity(id) ?? []);
  const lowestLast = [entity, ...owners.filter(isBelow)].sort((one, other) => one.path.length - other.path.length);
  return new Map(
    lowestLast.flatMap((one) => settlementOf(one.settings.settlement).accounts.map((number) => [number, one] as const)),
  );
}

/** The scopes of an entity's file; null: there is no such entity. */
export function findFileScopes(directory: ScopeDirectory, entityId: string): FileScopes | null {
  const entity = directory.entity(entityId);
  if (!entity) return null;
  const whole = entityScope(directory, entity);
  const owners = accountOwners(directory, entity);
  const known = new Map<string, MatchScope>();
  return {
    whole,
    scopeOf: ({ clearingInstitute: { merchantId: number } }) => {
      const owner = owners.get(number);
      // Without any account number in the settings, numbers are not checked.
      if (!owner) return owners.size === 0 ? whole : null;
      const scope = known.get(number) ?? entityScope(directory, owner);
      known.set(number, scope);
      return scope;
    },
  };
}
