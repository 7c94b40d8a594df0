/** Requests for a step-up: a dialog asks the user to confirm the identity, and API calls wait for it. */

type StepUpRequest = { readonly answer: (isConfirmed: boolean) => void };

function createStepUpRequests() {
  let request: StepUpRequest | null = null;
  let asked: Promise<boolean> | null = null;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    /** Several requests at once are answered by one dialog. */
    ask(): Promise<boolean> {
      asked ??= new Promise<boolean>((resolve) => {
        request = {
          answer: (isConfirmed) => {
            request = null;
            asked = null;
            notify();
            resolve(isConfirmed);
          },
        };
        notify();
      });
      return asked;
    },
    current: (): StepUpRequest | null => request,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const stepUpRequests = createStepUpRequests();
export const askForStepUp = (): Promise<boolean> => stepUpRequests.ask();
