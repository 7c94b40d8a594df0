import type { AccountKind, ConnectorKind } from '../../../src/connectors/kind.ts';
import type { AccountNeeds } from '../../../src/connectors/ports.ts';
import { sepa } from '../../../src/connectors/sepa/sepa.ts';
import type { Connector } from '../../../src/payments/ports.ts';
import type { Chance } from '../../simulation/chance.ts';
import type { openBank } from './bank.ts';

/** The process has died: nothing of it goes on. */
class Died extends Error {
  override readonly name = 'Died';
}

/**
 * The connector on a node that dies at any step of its work, before or after the step has taken effect, and whose requests are cut off. What
 * runs when it dies does nothing any more.
 */
export function faultyNode(
  chance: Chance,
  bank: Pick<ReturnType<typeof openBank>, 'open'>,
  planted: (connector: Connector) => Connector,
) {
  const state = { isWorking: false, isDead: false, isFaulty: true, deaths: 0, stepsLeft: 0 };
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (state.isWorking && state.isDead) throw new Died();
    state.stepsLeft -= 1;
    const dies = state.isFaulty && (state.isWorking ? state.stepsLeft === 0 : chance.hits(0.01));
    const isAfter = dies && chance.hits(0.5);
    const result = !dies || isAfter ? await work() : null;
    if (!dies) return result as T;
    state.deaths += 1;
    if (state.isWorking) state.isDead = true;
    throw new Died();
  };
  const wrap = (needs: AccountNeeds): AccountNeeds => ({
    ...needs,
    documents: { ...needs.documents, save: (documents) => step(() => needs.documents.save(documents)) },
    sealed: {
      ...needs.sealed,
      put: (name, clear) => step(() => needs.sealed.put(name, clear)),
      erase: (name) => step(() => needs.sealed.erase(name)),
    },
    async openFolder() {
      const folder = await bank.open();
      return {
        ...folder,
        put: (name, chunks) => step(() => folder.put(name, chunks)),
        rename: (from, to) => step(() => folder.rename(from, to)),
      };
    },
  });
  const kind = sepa as unknown as AccountKind<object>;
  const faulty = {
    ...kind,
    create: (needs: AccountNeeds, account: never) => planted(kind.create(wrap(needs), account)),
  };
  return {
    kind: faulty as unknown as ConnectorKind,
    state,
    /** Runs the work of this node; when it dies, the next run is that of a new process. */
    async work(run: () => Promise<void>): Promise<void> {
      state.isWorking = true;
      state.stepsLeft = chance.hits(0.6) ? chance.between(1, 40) : 0;
      await run().catch(() => {});
      state.isWorking = false;
      state.isDead = false;
    },
  };
}
