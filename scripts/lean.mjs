// The packages that a checkout needs to start: those of the runtime, and the development packages that build the files for browsers
// (`buildPackages` in package.json). Tools of the tests and checks are left out; they are most of the download.

/** The places in node_modules of the packages named and of everything that they need. */
function placesOf(names, packages) {
  const find = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      if (packages[place] || folder === '') return place;
    }
  };
  const places = new Set();
  const open = names.map((name) => find('', name));
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const entry = packages[place];
    if (!entry || places.has(place)) continue;
    places.add(place);
    const isOptional = (name) => entry.peerDependenciesMeta?.[name]?.optional === true;
    const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => !isOptional(name));
    const needed = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers];
    open.push(...needed.map((name) => find(place, name)));
  }
  return places;
}

/** package.json and package-lock.json, cut down to that. */
export function leanOf(manifest, lock) {
  const { devDependencies = {}, scripts: _, buildPackages = [], ...kept } = manifest;
  const built = Object.fromEntries(buildPackages.map((name) => [name, devDependencies[name]]));
  const dependencies = { ...manifest.dependencies, ...built };
  const names = Object.keys({ ...dependencies, ...manifest.optionalDependencies });
  const places = placesOf(names, lock.packages);
  const { devDependencies: _tools, ...root } = lock.packages[''];
  const rows = Object.entries(lock.packages).filter(([place]) => places.has(place));
  const packages = {
    '': { ...root, dependencies },
    ...Object.fromEntries(rows.map(([place, row]) => [place, undeveloped(row)])),
  };
  return { manifest: { ...kept, dependencies }, lock: { ...lock, packages } };
}

const undeveloped = ({ dev: _, devOptional, ...row }) => (devOptional ? { ...row, optional: true } : row);
