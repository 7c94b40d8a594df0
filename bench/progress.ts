const LINE_MS = 5_000;
const BAR_WIDTH = 24;

export interface Progress {
  /** Names what begins now. */
  step(text: string): void;
  /** How far the present step is, 0 to 1. */
  at(share: number): void;
  end(): void;
}

/** On a terminal one line that is written anew, elsewhere a line at each step and every few seconds; always on stderr. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const beganAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - beganAt) / 1000)} s`;
  let text = '';
  let lineAt = 0;
  const show = (share: number | null) => {
    if (stream.isTTY) {
      const full = Math.round((share ?? 0) * BAR_WIDTH);
      const bar = share === null ? '' : ` ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.round(share * 100)} %`;
      stream.write(`\r\x1b[2K${seconds().padStart(6)}  ${text}${bar}`);
      return;
    }
    const now = performance.now();
    if (share !== null && now - lineAt < LINE_MS) return;
    lineAt = now;
    stream.write(`${seconds().padStart(6)}  ${text}${share === null ? '' : ` ${Math.round(share * 100)} %`}\n`);
  };
  return {
    step(next) {
      text = next;
      show(null);
    },
    at: show,
    end() {
      if (stream.isTTY) stream.write('\r\x1b[2K');
    },
  };
}
