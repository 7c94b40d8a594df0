import type { EntityRow, TokenRow } from '../../src/merchants/ports.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash, tokenOf } from '../../src/merchants/tokens.ts';

export type FreshShop = {
  readonly merchant: { readonly entityId: string; readonly token: string };
  readonly channels: readonly { readonly entityId: string; readonly token: string }[];
};

/** Merchants with two channels each, so that a list holds only what its test has made. */
export function freshShops(count: number, settings: EntityRow['settings'] = {}) {
  const entities: EntityRow[] = [];
  const tokens: TokenRow[] = [];
  const shops = Array.from({ length: count }, (_, number): FreshShop => {
    const id = (end: number) => `5eed${String(number).padStart(6, '0').padStart(20, '7')}${String(end).padStart(8, '0')}`;
    const token = tokenOf(id(99), 'fresh');
    entities.push(
      { id: id(0), kind: 'merchant', parentId: sandbox.division, name: 'Fresh', settings },
      { id: id(1), kind: 'channel', parentId: id(0), name: 'Fresh_1', settings: {} },
      { id: id(2), kind: 'channel', parentId: id(0), name: 'Fresh_2', settings: {} },
    );
    tokens.push({ tokenHash: tokenHash(token), entityId: id(0), userId: id(99), createdAt: 0 });
    return { merchant: { entityId: id(0), token }, channels: [1, 2].map((end) => ({ entityId: id(end), token })) };
  });
  return { shops, rows: { entities, tokens } };
}
