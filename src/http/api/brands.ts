import { brandCatalogue } from '../../spec/cards/brandCatalogue.ts';
import { brandName } from '../../widget/runtime/forms/brandNames.ts';
import { jsonHeaders, type Reply, unnamed } from '../transport/reply.ts';

const body = JSON.stringify({
  brands: brandCatalogue.map(({ brand, ...facts }) => ({ brand, name: brandName(brand), ...facts })),
});
const reply: Reply = { ...unnamed, status: 200, headers: jsonHeaders, body };

/** Every brand with its method, workflow, region and required parameters. Public. */
export const listBrands = (): Reply => reply;
