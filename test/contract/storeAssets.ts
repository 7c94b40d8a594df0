import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asset } from './storeCheckoutFixtures.ts';
import { NOW, nextId, type Open, type Opened } from './storeFixtures.ts';
import { many } from './storeRegistrationFixtures.ts';

/** The files of the widget: put as a whole, replaced, and forgotten build by build. */
export function assetContract(name: string, opened: () => Opened): void {
  test(`${name}: the files of a build come back byte for byte, each under its name`, async () => {
    const { store } = opened();
    const build = nextId();
    const all = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
    const files = [
      asset({ build, bytes: all }),
      asset({ build, name: 'css/plain.css', type: 'text/css', bytes: new Uint8Array() }),
      asset({ build, name: "labels/'; DROP TABLE widget_asset; --", type: '' }),
      asset({ build: nextId(), bytes: Uint8Array.of(9) }),
    ];
    await store.putAssets(files, NOW);
    for (const each of files) assert.deepEqual(await store.asset(each.build, each.name), each);
    assert.equal(await store.asset(build, 'js/other.js'), null);
    assert.equal(await store.asset(nextId(), 'js/static.min.js'), null);
    await store.putAssets([], NOW);
  });

  test(`${name}: a file that is stored again is replaced, others are not`, async () => {
    const { store } = opened();
    const build = nextId();
    const [one, other] = [asset({ build }), asset({ build, name: 'js/frame.min.js' })];
    await store.putAssets([one, other], NOW);
    const anew = asset({ build, type: 'text/plain', bytes: Uint8Array.of(7) });
    await store.putAssets([anew], NOW + 1);
    assert.deepEqual(await store.asset(build, one.name), anew);
    assert.deepEqual(await store.asset(build, other.name), other);
  });
}

export function assetAgeContract(name: string, open: Open): void {
  test(`${name}: a build is deleted as a whole, and not while a node stores any of it`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const build = (of: string) => [asset({ build: of }), asset({ build: of, name: 'js/frame.min.js' })];
    await store.putAssets([...build('old'), ...build('partly')], NOW - 9);
    await store.putAssets(build('young'), NOW);
    await store.putAssets(build('partly').slice(1), NOW);
    // The clock of this node is behind.
    await store.putAssets(build('young'), NOW - 20);
    const there = async () =>
      (await Promise.all(['old', 'partly', 'young'].map((of) => store.asset(of, asset().name)))).map(Boolean);
    assert.equal(await store.deleteAssets(NOW - 9), 0);
    assert.deepEqual(await there(), [true, true, true]);
    assert.equal(await store.deleteAssets(NOW), 2);
    assert.deepEqual(await there(), [false, true, true]);
    assert.equal(await store.deleteAssets(NOW + 1), 4);
    assert.deepEqual(await there(), [false, false, false]);
  });
}

export function assetNodesContract(name: string, open: Open): void {
  test(`${name}: nodes that store and delete builds at once leave whole builds`, async (t) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const names = many(8, (index) => `js/${index}.js`);
    for (let round = 0; round < 8; round += 1) {
      const files = names.map((each) => asset({ name: each, bytes: Uint8Array.of(round) }));
      await Promise.all([
        first.store.putAssets(files, NOW + round),
        second.putAssets(files.toReversed(), NOW + round),
        second.deleteAssets(NOW + round),
        first.store.deleteAssets(NOW + round),
      ]);
      const found: unknown = await Promise.all(names.map((each) => second.asset('build', each)));
      assert.deepEqual(found, files);
    }
  });
}
