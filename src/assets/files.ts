import type { Asset, AssetStore } from '../checkouts/ports.ts';
import { badgeAlone } from '../widget/images/badges.ts';
import { type Build, integrityOf } from './asset.ts';

/** The files of the widget: of this node's build, and of builds that other nodes serve or served not long ago. */
export interface WidgetFiles {
  readonly build: string;
  file(build: string, name: string): Promise<Asset | null>;
  /** The script of one checkout; null when its build no longer exists. Every node serves the same bytes, whatever was deployed since. */
  loader(checkout: LoaderOf): Promise<string | null>;
  /** Every script and style of this build with what a browser may compare it with. */
  inventory(): readonly { readonly name: string; readonly integrity: string; readonly bytes: number }[];
}

export type LoaderOf = {
  readonly id: string;
  readonly build: string;
  readonly origin: string;
  readonly isRegistering: boolean;
};

const OTHERS_MAX = 200;

/** Around the build of this node and the store that all nodes share. */
export function createWidgetFiles({ name: build, files }: Build, store: Pick<AssetStore, 'asset'>): WidgetFiles {
  const own = new Map(files.map((file): [string, Asset] => [file.name, { build, ...file }]));
  const others = new Map<string, Promise<Asset | null>>();
  const badgeOf = createBadges();
  const elsewhere = (wanted: string, name: string): Promise<Asset | null> => {
    const key = `${wanted}/${name}`;
    const known = others.get(key);
    if (known) return known;
    if (others.size >= OTHERS_MAX) others.clear();
    const asked = store.asset(wanted, name);
    // A missing file may be added by a node that is starting.
    asked.then(
      (asset) => asset ?? others.delete(key),
      () => others.delete(key),
    );
    others.set(key, asked);
    return asked;
  };
  const whole = async (wanted: string, name: string): Promise<Asset | null> =>
    wanted === build ? (own.get(name) ?? null) : elsewhere(wanted, name);
  const file = async (wanted: string, name: string): Promise<Asset | null> => {
    const brand = /^img\/brand\.(\w+)\.svg$/.exec(name)?.[1];
    const own = await whole(wanted, name);
    return own || brand === undefined ? own : badgeOf(await whole(wanted, 'img/brand.svg'), { brand, name });
  };
  return {
    build,
    file,
    async loader(checkout) {
      const [template, runtime] = await Promise.all([
        file(checkout.build, 'js/loader.js'),
        file(checkout.build, 'js/static.min.js'),
      ]);
      if (!template || !runtime) return null;
      return filled(Buffer.from(template.bytes).toString('utf8'), { ...checkout, integrity: integrityOf(runtime.bytes) });
    },
    inventory: () => files.map(({ name, bytes }) => ({ name, integrity: integrityOf(bytes), bytes: bytes.length })),
  };
}

/** Cuts the badge of one brand out of the picture of all, once for each. */
function createBadges(): (picture: Asset | null, badge: { readonly brand: string; readonly name: string }) => Asset | null {
  const badges = new WeakMap<Asset, Map<string, Asset>>();
  return (picture, { brand, name }) => {
    if (!picture) return null;
    const made = badges.get(picture) ?? new Map<string, Asset>();
    badges.set(picture, made);
    const known = made.get(name);
    if (known) return known;
    const alone = badgeAlone(Buffer.from(picture.bytes).toString('utf8'), brand);
    if (alone === null) return null;
    const asset = { ...picture, name, bytes: Buffer.from(alone) };
    made.set(name, asset);
    return asset;
  };
}

/** The places in the loader's text; each stands inside quotation marks there. */
function filled(template: string, given: LoaderOf & { readonly integrity: string }): string {
  const places: Readonly<Record<string, string>> = {
    __ORIGIN__: given.origin,
    __CHECKOUT__: given.id,
    __MODE__: given.isRegistering ? 'registration' : 'payment',
    __BUILD__: given.build,
    __INTEGRITY__: given.integrity,
  };
  return template.replace(/__[A-Z]+__/g, (place) => {
    const text = places[place];
    // Inside a script nothing may end the quotation or the element.
    return text === undefined ? place : JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c').replaceAll("'", '\\u0027');
  });
}
