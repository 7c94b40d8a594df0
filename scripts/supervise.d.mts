/** How a life of the gateway ended. `isAsked`: by a signal to us. */
type End = { readonly code: number | null; readonly signal: string | null; readonly isAsked: boolean };

export function supervise(parts: {
  run(): Promise<End>;
  /** Answers whether somebody asked for the end meanwhile. */
  sleep(ms: number): Promise<boolean>;
  now(): number;
  tell(line: string): void;
}): Promise<number>;
