import type { ExportSettings } from '../telemetry/exporter.ts';
import { type SamplerName, samplerNames } from '../telemetry/tracer.ts';
import { fault, oneOf, quoted, type SettingReader, type SettingsReading, wholeFrom } from './readers.ts';

/** How traces are sampled and sent; null: the gateway makes none. */
export type TelemetrySettings = ExportSettings & { readonly sampler: SamplerName; readonly ratio: number };

const address: SettingReader<string> = (text) => {
  const url = URL.parse(text);
  const isAddress =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
  return isAddress ? text : fault(`${quoted(text)} is not an address such as http://127.0.0.1:4318, without a password`);
};

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PAIRS_MAX = 32;
const CHARACTERS_MAX = 1_024;

/** Pairs such as `a=1,b=2`, with percent signs as in a URL. */
function pairsIn(text: string, isName: (name: string) => boolean): Readonly<Record<string, string>> | null {
  const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  if (parts.length === 0 || parts.length > PAIRS_MAX || text.length > CHARACTERS_MAX) return null;
  try {
    const pairs = parts.map((part) => {
      const at = part.indexOf('=');
      return at < 1 ? null : ([part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim())] as const);
    });
    const isValid = pairs.every((pair) => pair !== null && isName(pair[0]) && /^[\x20-\x7e]*$/.test(pair[1]));
    return isValid ? Object.fromEntries(pairs.flatMap((pair) => (pair ? [pair] : []))) : null;
  } catch {
    return null;
  }
}

/** The value is never repeated: it often holds a key. */
const headers: SettingReader<Readonly<Record<string, string>>> = (text) =>
  pairsIn(text, (name) => NAME.test(name)) ?? fault('must be headers such as x-api-key=secret, separated by commas');

const resource: SettingReader<Readonly<Record<string, string>>> = (text) =>
  pairsIn(text, (name) => name.length <= 255) ??
  fault(`${quoted(text)} is not a list such as deployment.environment=live,region=eu`);

const serviceName: SettingReader<string> = (text) =>
  /^[\x20-\x7e]{1,255}$/.test(text) ? text : fault('must be 1 to 255 printable characters');

const fraction: SettingReader<number> = (text) =>
  /^(?:0|1|0?\.\d+|1\.0+|0\.0*)$/.test(text) ? Number(text) : fault(`${quoted(text)} is not a number from 0 to 1`);

/** The OTEL_ settings of OpenTelemetry, with its defaults. All are checked, also when nothing is sent. */
export function readTelemetry(
  { read, readSecret }: SettingsReading,
  { environment, nodeName }: { readonly environment: string; readonly nodeName: string },
): TelemetrySettings | null {
  const isDisabled = read('OTEL_SDK_DISABLED', oneOf(['true', 'false'] as const), 'false') === 'true';
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT', address, null);
  const traces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', address, null);
  read('OTEL_EXPORTER_OTLP_PROTOCOL', oneOf(['http/json'] as const), 'http/json');
  const settings = {
    url: traces ?? `${base?.replace(/\/+$/, '')}/v1/traces`,
    headers: readSecret('OTEL_EXPORTER_OTLP_HEADERS', headers) ?? {},
    resource: {
      'service.instance.id': nodeName,
      'deployment.environment.name': environment,
      ...read('OTEL_RESOURCE_ATTRIBUTES', resource, {}),
      'service.name': read('OTEL_SERVICE_NAME', serviceName, 'turnpike'),
    },
    timeoutMs: read('OTEL_EXPORTER_OTLP_TIMEOUT', wholeFrom(100, 60_000), 10_000),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY', wholeFrom(100, 60_000), 5_000),
    queueMax: read('OTEL_BSP_MAX_QUEUE_SIZE', wholeFrom(1, 100_000), 2_048),
    batchMax: read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', wholeFrom(1, 10_000), 512),
    sampler: read('OTEL_TRACES_SAMPLER', oneOf(samplerNames), 'parentbased_always_on' as const),
    ratio: read('OTEL_TRACES_SAMPLER_ARG', fraction, 1),
  };
  return isDisabled || (base === null && traces === null) ? null : settings;
}
