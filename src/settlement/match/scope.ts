import type { Directory, Entity } from '../../merchants/directory.ts';
import type { Payment } from '../../payments/payment.ts';
import type { SettledLine } from '../record.ts';
import { settlementOf, type Tolerance, toleranceOf } from './tolerance.ts';

/** Whose payments a line can be about: some merchants', or those of one channel. */
export type Scope = {
  readonly merchantIds: readonly string[];
  /** A channel; null: all of theirs. */
  readonly entityId: string | null;
  readonly tolerance: Tolerance;
};

export type Scopes = {
  /** Null: the number is nobody's here. */
  readonly of: (line: SettledLine) => Scope | null;
  /** Everything that whoever brought the file may touch. */
  readonly whole: Scope;
};

export const isWithin = ({ merchantIds, entityId }: Scope, payment: Payment): boolean =>
  merchantIds.includes(payment.merchantId) && (entityId === null || payment.entityId === entityId);

function scopeOf(entity: Entity, below: readonly Entity[]): Scope {
  const merchants =
    entity.merchantId === null ? below.filter(({ kind }) => kind === 'merchant').map(({ id }) => id) : [entity.merchantId];
  const entityId = entity.kind === 'channel' ? entity.id : null;
  return { merchantIds: merchants, entityId, tolerance: toleranceOf(settlementOf(entity.settings.settlement)) };
}

/** Who may be meant by the lines of a file that this entity brings; null when there is no such entity. */
export function scopesOf(directory: Pick<Directory, 'entity' | 'below'>, entityId: string): Scopes | null {
  const entity = directory.entity(entityId);
  if (!entity) return null;
  const below = directory.below(entityId);
  const whole = scopeOf(entity, below);
  const owners = new Map(
    below.flatMap((one) => settlementOf(one.settings.settlement).accounts.map((number) => [number, one] as const)),
  );
  const known = new Map<string, Scope>();
  return {
    whole,
    of: ({ clearingInstitute: { merchantId: number } }) => {
      const owner = owners.get(number);
      // Who has told no numbers is not asked for any.
      if (!owner) return owners.size === 0 ? whole : null;
      const scope = known.get(number) ?? scopeOf(owner, directory.below(owner.id));
      known.set(number, scope);
      return scope;
    },
  };
}
