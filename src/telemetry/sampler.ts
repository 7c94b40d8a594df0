import type { TraceContext } from './traceContext.ts';

/** The samplers of OpenTelemetry. `parentbased_`: a caller that names a trace decides, and the rest of the name is for traces that begin here. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** Whether a span is recorded: by the decision of its parent, if any, and the id of its trace. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean;

const DIGITS = 14;
/** A decision by the last 56 bits of the id: every program with the same ratio decides alike. */
const byRatio = (ratio: number): Sampler => {
  const bound = Math.round(ratio * 16 ** DIGITS);
  return (traceId) => Number.parseInt(traceId.slice(-DIGITS), 16) < bound;
};

export function createSampler(name: SamplerName, ratio: number): Sampler {
  const root = name.endsWith('always_on') ? () => true : name.endsWith('always_off') ? () => false : byRatio(ratio);
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.isSampled ?? root(traceId, null) : root;
}
