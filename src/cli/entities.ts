import { OperatorError } from '../app/operatorError.ts';
import type { Entity } from '../merchants/directory.ts';
import type { EntityRow, MerchantStore } from '../merchants/ports.ts';
import { treeOf } from '../risk/backtest/ruleSelector.ts';

/** An entity that an operator named, its row and the whole hierarchy around it. */
export type NamedEntity = {
  readonly row: EntityRow;
  readonly entity: Entity;
  readonly rows: readonly EntityRow[];
  readonly tree: ReadonlyMap<string, Entity>;
};

export async function findEntity(store: Pick<MerchantStore, 'entities'>, id: string): Promise<NamedEntity> {
  const rows = await store.entities();
  const tree = treeOf(rows);
  const [row, entity] = [rows.find((one) => one.id === id), tree.get(id)];
  if (!row || !entity) throw new OperatorError(`--entity: there is no entity ${JSON.stringify(id)}`);
  return { row, entity, rows, tree };
}

/** The same for what only merchants and their channels have. */
export async function findMerchant(
  store: Pick<MerchantStore, 'entities'>,
  id: string,
): Promise<NamedEntity & { readonly merchantId: string }> {
  const named = await findEntity(store, id);
  const { merchantId, name, kind } = named.entity;
  if (merchantId === null) throw new OperatorError(`--entity: ${name} is a ${kind}; name a merchant or one of its channels`);
  return { ...named, merchantId };
}
