import { figures } from './figures.ts';

/** What an installation has to carry. */
export type Demand = {
  /** Payments a second in the busiest minute. */
  readonly peak: number;
  /** How many times the average the peak is. */
  readonly peakToAverage: number;
  /** How long payments are kept. */
  readonly months: number;
  readonly readsPerPayment: number;
  readonly webhooksPerPayment: number;
  readonly coresPerNode: number;
  /** False: one machine that may fail is enough. */
  readonly isRedundant: boolean;
  /** For a core and for a gigabyte of storage, each for a month, in any currency. */
  readonly corePrice: number;
  readonly gigabytePrice: number;
};

export type Capacity = {
  readonly engine: 'SQLite' | 'PostgreSQL';
  readonly nodes: number;
  readonly threadsPerNode: number;
  readonly megabytesPerNode: number;
  /** Of each server; null: no server. */
  readonly databaseCores: number | null;
  /** The primary and its standby. */
  readonly databaseServers: number;
  /** PostgreSQL primaries that the peak needs. More than one is more than the gateway can use. */
  readonly primaries: number;
  readonly logMegabytesPerSecond: number;
  readonly paymentsPerMonth: number;
  readonly gigabytesPerMonth: number;
  readonly gigabytesKept: number;
  readonly costPerMonth: number;
  readonly costPerMillion: number;
};

const SECONDS_PER_MONTH = 30 * 86_400;
const MICROSECONDS = 1_000_000;
const CORES_MIN = 2;

/** The machines for a demand, from the costs in `figures`. */
export function capacityFor(demand: Demand): Capacity {
  const { peak, coresPerNode, isRedundant, readsPerPayment, webhooksPerPayment } = demand;
  const besides = readsPerPayment * figures.read.value + webhooksPerPayment * figures.delivery.value;
  const coresFor = (microseconds: number): number => (peak * microseconds) / MICROSECONDS / figures.load.value;
  const isAlone = !isRedundant && peak <= figures.alone.value && coresFor(figures.paymentAlone.value + besides) <= coresPerNode;
  const perPayment = (isAlone ? figures.paymentAlone : figures.payment).value + besides;
  const working = Math.max(1, Math.ceil(coresFor(perPayment) / coresPerNode));
  const nodes = working + (isRedundant ? 1 : 0);
  const threadsPerNode = Math.max(1, coresPerNode - 1);
  const primaries = isAlone ? 0 : Math.max(1, Math.ceil(peak / figures.primary.value));
  const databaseServers = primaries * (isRedundant ? 2 : 1);
  const databaseCores = isAlone ? null : Math.max(CORES_MIN, Math.ceil(coresFor(figures.database.value) / primaries));
  const paymentsPerMonth = (peak / demand.peakToAverage) * SECONDS_PER_MONTH;
  const gigabytesPerMonth = (paymentsPerMonth * (isAlone ? figures.storedAlone : figures.stored).value) / 1_000_000;
  const gigabytesKept = gigabytesPerMonth * demand.months;
  const cores = nodes * coresPerNode + databaseServers * (databaseCores ?? 0);
  const costPerMonth = cores * demand.corePrice + gigabytesKept * (isRedundant ? 2 : 1) * demand.gigabytePrice;
  return {
    engine: isAlone ? 'SQLite' : 'PostgreSQL',
    nodes,
    threadsPerNode,
    megabytesPerNode: figures.memory.value + figures.threadMemory.value * (threadsPerNode - 1),
    databaseCores,
    databaseServers,
    primaries,
    logMegabytesPerSecond: isAlone ? 0 : (peak * figures.log.value) / 1_000,
    paymentsPerMonth,
    gigabytesPerMonth,
    gigabytesKept,
    costPerMonth,
    costPerMillion: costPerMonth / (paymentsPerMonth / 1_000_000),
  };
}
