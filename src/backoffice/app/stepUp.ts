/** Asks whoever sits there to show again that it is he: a dialog listens, requests wait for it. */

type Wish = { readonly answer: (isShown: boolean) => void };

function createBell() {
  let wish: Wish | null = null;
  let asked: Promise<boolean> | null = null;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    /** Several requests at once are answered by one dialog. */
    ask(): Promise<boolean> {
      asked ??= new Promise<boolean>((resolve) => {
        wish = {
          answer: (isShown) => {
            wish = null;
            asked = null;
            tell();
            resolve(isShown);
          },
        };
        tell();
      });
      return asked;
    },
    current: (): Wish | null => wish,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const bell = createBell();
export const askForStepUp = (): Promise<boolean> => bell.ask();
