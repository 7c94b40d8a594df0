import type { Directory, Entity } from '../../merchants/directory.ts';
import type { Payment } from '../../payments/payment.ts';
import type { SettledLine } from '../record.ts';
import { settlementOf, type Tolerance, toleranceOf } from './tolerance.ts';

/** The payments that a line can be about: those of some merchants, or of one channel. */
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

function entityScope(entity: Entity, below: readonly Entity[]): MatchScope {
  const merchants =
    entity.merchantId === null ? below.filter(({ kind }) => kind === 'merchant').map(({ id }) => id) : [entity.merchantId];
  const entityId = entity.kind === 'channel' ? entity.id : null;
  return { merchantIds: merchants, entityId, tolerance: toleranceOf(settlementOf(entity.settings.settlement)) };
}

/** The scopes of an entity's file; null: there is no such entity. */
export function findFileScopes(directory: Pick<Directory, 'entity' | 'below'>, entityId: string): FileScopes | null {
  const entity = directory.entity(entityId);
  if (!entity) return null;
  const below = directory.below(entityId);
  const whole = entityScope(entity, below);
  const owners = new Map(
    below.flatMap((one) => settlementOf(one.settings.settlement).accounts.map((number) => [number, one] as const)),
  );
  const known = new Map<string, MatchScope>();
  return {
    whole,
    scopeOf: ({ clearingInstitute: { merchantId: number } }) => {
      const owner = owners.get(number);
      // Without any account number in the settings, numbers are not checked.
      if (!owner) return owners.size === 0 ? whole : null;
      const scope = known.get(number) ?? entityScope(owner, directory.below(owner.id));
      known.set(number, scope);
      return scope;
    },
  };
}
